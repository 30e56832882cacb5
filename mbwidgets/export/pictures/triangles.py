"""Triangles of the unit geometries that bodies, joints and arrows are made of, and of parts placed in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ...numeric.base.rotations import rotation_matrices
from ...scene.look.shapes import Part

__all__ = ["Mesh", "mesh_of"]


@dataclass(frozen=True)
class Mesh:
    """Corners (k, 3, 3) of triangles and the outward normals at each of them, (k, 3, 3)."""

    corners: np.ndarray
    normals: np.ndarray

    def moved(self, place: Any, turn: np.ndarray) -> Mesh:
        """Turned by a matrix, then shifted."""
        return Mesh(self.corners @ turn.T + np.asarray(place), self.normals @ turn.T)


def mesh_of(parts: Sequence[Part], ghosts: bool = False) -> Mesh:
    """The triangles of some parts, in the axes in which they are placed: of the solid ones, or of the ghosts."""
    solid = [_placed(part) for part in parts if part.ghost == ghosts]
    if not solid:
        return Mesh(np.zeros((0, 3, 3)), np.zeros((0, 3, 3)))
    return Mesh(np.concatenate([one.corners for one in solid]), np.concatenate([one.normals for one in solid]))


def _placed(part: Part) -> Mesh:
    unit = _tube(round(part.hollow, 3)) if part.kind == "tube" else _unit(part.kind)
    scale = np.asarray(part.scale, dtype=float)
    # normals go with the inverse of the scale; a flat part keeps a direction
    normals = unit.normals / np.where(np.abs(scale) > 1e-12, scale, 1e-12)
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    turn = rotation_matrices(np.asarray(part.turn, dtype=float)[None])[0]
    return Mesh(unit.corners * scale, normals).moved(part.at, turn)


@cache
def _unit(kind: str) -> Mesh:
    match kind:
        case "box":
            return _box()
        case "ball":
            angle = np.linspace(0, np.pi, 15)
            return _turned(np.stack([np.sin(angle), -np.cos(angle)], axis=1), smooth=True)
        case "cone":
            return _turned(np.array([[0, -0.5], [1, -0.5], [0, 0.5]]))
        case "cylinder":
            return _turned(np.array([[0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5]]))
    raise KeyError(kind)


@cache
def _tube(hollow: float) -> Mesh:
    return _turned(np.array([[hollow, -0.5], [1, -0.5], [1, 0.5], [hollow, 0.5], [hollow, -0.5]]))


def _turned(outline: np.ndarray, smooth: bool = False, around: int = 28) -> Mesh:
    """An outline (radius, height) turned about y; smooth ones are spheres, others have edges between their pieces."""
    angle = np.linspace(0, 2 * np.pi, around + 1)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    corners, normals = [], []
    for (r0, h0), (r1, h1) in pairwise(outline):
        length = np.hypot(r1 - r0, h1 - h0)
        out0 = out1 = ((h1 - h0) / length, (r0 - r1) / length)
        if smooth:
            out0, out1 = (r0, h0), (r1, h1)
        for a, b in pairwise(circle):
            ring = [(r0, h0, a, out0), (r0, h0, b, out0), (r1, h1, b, out1), (r1, h1, a, out1)]
            for three in ((0, 2, 1), (0, 3, 2)):
                picked = [ring[k] for k in three]
                points = np.array([(r * c[0], h, r * c[1]) for r, h, c, _ in picked])
                if np.linalg.norm(np.cross(points[1] - points[0], points[2] - points[0])) > 1e-12:
                    corners.append(points)
                    normals.append([(n[0] * c[0], n[1], n[0] * c[1]) for _, _, c, n in picked])
    return Mesh(np.array(corners), np.array(normals))


def _box() -> Mesh:
    corners, normals = [], []
    for axis in range(3):
        for sign in (-1, 1):
            normal = np.eye(3)[axis] * sign
            u, v = np.eye(3)[(axis + 1) % 3] / 2, np.eye(3)[(axis + 2) % 3] / 2
            quad = [normal / 2 - u - v, normal / 2 + u - v, normal / 2 + u + v, normal / 2 - u + v]
            for three in ((0, 1, 2), (0, 2, 3)):
                corners.append([quad[k] for k in three])
                normals.append([normal] * 3)
    return Mesh(np.array(corners), np.array(normals))
