"""Round wires along curves: coils, rings and tubes, as shells."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from ...numeric.base.rotations import farthest_axis, unit_vector
from .shell import NOTHING, Role, Shell

__all__ = ["coil", "ring", "swept"]

SIDES: Final = 8
"""Of a wire."""
TURN: Final = 12
"""Steps of a coil's turn."""


def swept(path: np.ndarray, radius: float, role: Role = Role.STEEL, sides: int = SIDES) -> Shell:
    """A wire along a path (k, 3), open at its ends unless it comes back to where it began."""
    path = path[np.concatenate([[True], np.linalg.norm(np.diff(path, axis=0), axis=1) > 0])]
    if len(path) < 2:
        return NOTHING
    closed = bool(np.allclose(path[0], path[-1]))
    ways = np.gradient(path, axis=0)
    if closed:
        ways[[0, -1]] = path[1] - path[-2]
    ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    across = np.empty_like(path)
    first = farthest_axis(ways[0])
    for k, way in enumerate(ways):
        # carried along: it never turns about the wire
        first = unit_vector(first - (first @ way) * way)
        across[k] = first
    other = np.cross(ways, across)
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    normals = np.cos(angle)[:, None] * across[:, None] + np.sin(angle)[:, None] * other[:, None]
    index = np.arange(len(path) * sides).reshape(len(path), sides)
    a, b = index[:-1], index[1:]
    after_a, after_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    faces = [np.stack([a, after_a, b], axis=2).reshape(-1, 3), np.stack([after_a, after_b, b], axis=2).reshape(-1, 3)]
    return Shell.of(path[:, None] + radius * normals, normals, np.concatenate(faces), role)


def ring(radius: float, wire: float, role: Role = Role.STEEL) -> Shell:
    """A ring about y."""
    angle = np.linspace(0.0, 2 * np.pi, 73)
    return swept(radius * np.column_stack([np.cos(angle), np.zeros(73), np.sin(angle)]), wire, role, 10)


@lru_cache(maxsize=16)
def coil(turns: int, radius: float, wire: float) -> Shell:
    """A coil about y from 0 to 1, whose ends come to the axis."""
    share = np.linspace(0.0, 1.0, turns * TURN + 1)
    ends = 0.06
    wide = radius * np.clip(np.minimum(share, 1 - share) / ends, 0.0, 1.0)
    angle = 2 * np.pi * turns * share
    path = np.column_stack([wide * np.cos(angle), share, wide * np.sin(angle)])
    return swept(path, wire, Role.STEEL, 6)
