"""Which way up a mechanism is shown: gravity points down, and a plane mechanism is seen across its plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import unit_vector

__all__ = ["gravity_of", "orient_plane_figure", "picture_axes"]

DOMINANT: Final = 0.6
"""Share of the joints' axes that must lie along one direction for it to be the normal of the mechanism's plane."""
ALONG: Final = 0.9
"""Cosine from which on two directions are taken for one: without gravity a plane across z is drawn as on paper."""
ASIDE: Final = 0.1
"""Cosine below which a direction points neither to the right nor to the left."""
X, Y, Z = np.eye(3)


def gravity_of(model: Model) -> np.ndarray:
    """The acceleration of gravity (3,), m/s²."""
    return np.array([model.number(item) for item in model.gravity])


def picture_axes(model: Model, turns: np.ndarray) -> np.ndarray:
    """Right, away and up (3, 3) of the picture as rows, in the world's axes: it turns the world into the picture.

    Up is −g, or z without gravity; there a mechanism in the plane of x and y is drawn as on paper, with y up. The
    camera of the front stands along the horizontal normal of the mechanism's plane, or else along −y, on that side
    from which x points to the right. ``turns`` (bodies, 3, 3) are the bodies' at the start.
    """
    axes = _axes_of_rotation(model, turns)
    up = _upward(gravity_of(model), axes)
    level = np.eye(3) - np.outer(up, up)
    toward = _dominant(level @ axes @ level, float(np.trace(axes)))
    if toward is None:
        toward = level @ (-Y if abs(up @ Y) < ALONG else Z)
    toward = unit_vector(toward - (toward @ up) * up)
    right = np.cross(up, toward)
    sign = next((np.sign(right @ axis) for axis in (X, Y, Z) if abs(right @ axis) > ASIDE), 1.0)
    return np.array([sign * right, -sign * toward, up])


def orient_plane_figure(upright: np.ndarray, first: int, second: int) -> tuple[tuple[int, int], bool]:
    """How a figure in the plane of two of x, y, z is laid to have the stage's directions, as nearly as can be.

    The order of the two, and whether the first of them points down and the second to the right; if not, the first
    points to the right and the second up.
    """
    high = max((first, second), key=lambda axis: abs(upright[2, axis]))
    wide = first + second - high
    return ((high, wide), True) if upright[2, high] < 0 else ((wide, high), False)


def _upward(gravity: np.ndarray, axes: np.ndarray) -> np.ndarray:
    strength = float(np.linalg.norm(gravity))
    if np.isfinite(strength) and strength > 0:
        return np.asarray(-gravity / strength)
    normal = _dominant(axes, float(np.trace(axes)))
    return Y if normal is not None and abs(normal @ Z) > ALONG else Z


def _dominant(tensor: np.ndarray, whole: float) -> np.ndarray | None:
    """The direction along which most of the axes lie, if there is one."""
    shares, directions = np.linalg.eigh(tensor)
    return np.asarray(directions[:, 2]) if shares[2] > DOMINANT * whole else None


def _axes_of_rotation(model: Model, turns: np.ndarray) -> np.ndarray:
    """Σ e eᵀ over the axes e of all joints and the normals of circles, in the world's axes; a ball has every axis."""
    total = np.zeros((3, 3))
    for axis in _directions(model, turns):
        total += np.outer(axis, axis) if axis is not None else np.eye(3) / 3
    return total


def _directions(model: Model, turns: np.ndarray) -> Iterator[np.ndarray | None]:
    for body, parent in zip(model.bodies, model.parents, strict=True):
        for column in body.joint.columns():
            if column.kind == "ball":
                yield None
            elif column.kind == "rotation":
                axis = unit_vector([model.number(item) for item in column.axis])
                yield axis if parent < 0 else turns[parent] @ axis
    for item in model.constraints:
        if item.type == "on_circle":
            yield unit_vector([model.number(part) for part in item.normal])
