"""Surfaces as data: triangles with normals, each point with the part that it plays; the colours come with the theme."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from ...numeric.base.rotations import quaternion_from_y, rotation_matrices

__all__ = ["NOTHING", "Role", "Shell", "join_shells", "turn_from_y"]


class Role(IntEnum):
    """What a surface is: its colour is chosen by this and by the body that it belongs to."""

    BODY = 0
    POCKET = 1
    MARK = 2
    PIN = 3
    STEEL = 4
    GROUND = 5
    HATCH = 6
    AXIS = 7
    BRIGHT = 8
    DARK = 9
    EDGE = 10
    RIDGE = 11
    MOTION = 12

    @property
    def edge(self) -> Role:
        """What the line is along which a rounded rim begins: darker on a body and on the ground, none else."""
        return {Role.BODY: Role.EDGE, Role.MARK: Role.EDGE, Role.GROUND: Role.RIDGE}.get(self, self)


@dataclass(frozen=True, eq=False)
class Shell:
    """Points (n, 3), m, with outward normals (n, 3) and roles (n,); faces (k, 3) name the corners of triangles."""

    points: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    roles: np.ndarray

    @classmethod
    def of(cls, points: Any, normals: Any, faces: Any, role: Role = Role.BODY) -> Shell:
        """Of one role."""
        points = np.asarray(points, dtype=float).reshape(-1, 3)
        return cls(
            points,
            np.asarray(normals, dtype=float).reshape(-1, 3),
            np.asarray(faces, dtype=np.int64).reshape(-1, 3),
            np.full(len(points), int(role), dtype=np.uint8),
        )

    def __len__(self) -> int:
        return len(self.faces)

    def moved(self, place: Any = (0.0, 0.0, 0.0), turn: np.ndarray | None = None) -> Shell:
        """Turned by a matrix, then shifted."""
        if not len(self.faces):
            return self
        points, normals = (self.points, self.normals) if turn is None else (self.points @ turn.T, self.normals @ turn.T)
        return replace(self, points=points + np.asarray(place, dtype=float), normals=normals)

    def along(self, axis: Any, place: Any = (0.0, 0.0, 0.0)) -> Shell:
        """With its y along a direction, then shifted."""
        return self.moved(place, turn_from_y(axis))

    def scaled(self, factor: float) -> Shell:
        """As many times as large."""
        return replace(self, points=self.points * factor)

    def painted(self, role: Role) -> Shell:
        """All of one role."""
        return replace(self, roles=np.full(len(self.points), int(role), dtype=np.uint8))

    @cached_property
    def corners(self) -> np.ndarray:
        """Of the triangles, (k, 3, 3)."""
        return np.asarray(self.points[self.faces])

    def support(self, directions: np.ndarray) -> np.ndarray:
        """Points (at most d, 3) that lie farthest along directions (d, 3)."""
        if not len(self.points):
            return np.zeros((0, 3))
        return np.asarray(self.points[np.unique(np.argmax(self.points @ directions.T, axis=0))])


NOTHING = Shell.of(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3)))


def join_shells(shells: Iterable[Shell]) -> Shell:
    """All of them as one."""
    some = [shell for shell in shells if len(shell)]
    if not some:
        return NOTHING
    starts = np.cumsum([0, *(len(shell.points) for shell in some[:-1])])
    return Shell(
        np.concatenate([shell.points for shell in some]),
        np.concatenate([shell.normals for shell in some]),
        np.concatenate([shell.faces + start for shell, start in zip(some, starts, strict=True)]),
        np.concatenate([shell.roles for shell in some]),
    )


def turn_from_y(axis: Any) -> np.ndarray:
    """The matrix (3, 3) that turns y to a direction by the shortest way."""
    return np.asarray(rotation_matrices(np.array(quaternion_from_y(np.asarray(axis, dtype=float)))))
