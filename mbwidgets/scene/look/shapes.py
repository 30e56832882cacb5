"""What a body looks like, as data: parts made of a unit geometry, placed, turned and scaled in body axes.

A part changes by its numbers alone, so that a slider never makes a new geometry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model import solids
from ...model.model import Model
from ...numeric.base.rotations import quaternion_from_y, quaternion_of_matrix

__all__ = [
    "THINNEST",
    "Part",
    "body_extent",
    "equivalent_ellipsoid",
    "model_size",
    "solid_parts",
    "triple_of",
]

THINNEST: Final = 0.006
"""Of the mechanism's size: the least semi-axis of an ellipsoid that can be seen."""

Quaternion = tuple[float, float, float, float]
STRAIGHT: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)
THIN: Final = 0.012
"""Radius of a rod or of a bone, half thickness of a disk, as a share of the model's size."""


@dataclass(frozen=True)
class Part:
    """A unit geometry (``box``, ``ball``, ``cylinder``, ``cone``, ``tube``) with its place, turn and scale.

    ``hollow`` is the inner radius of a tube over its outer one; ``ghost`` parts are see-through.
    """

    kind: str
    at: tuple[float, float, float]
    turn: Quaternion
    scale: tuple[float, float, float]
    hollow: float = 0.0
    ghost: bool = False


def model_size(model: Model) -> float:
    """A length that is typical of the whole mechanism, m."""
    reach = [0.0] * len(model.bodies)
    largest = 0.0
    for index in model.order:
        body, parent = model.bodies[index], model.parents[index]
        own = body_extent(model, index)
        reach[index] = float(np.linalg.norm(_vector(model, body.joint.at))) + (reach[parent] if parent >= 0 else 0.0)
        largest = max(largest, reach[index] + own)
    return largest if np.isfinite(largest) and largest > 1e-9 else 1.0


def equivalent_ellipsoid(model: Model, index: int, size: float) -> Part | None:
    """The uniform ellipsoid with the body's mass, mass centre and inertia, or None without mass.

    Semi-axes a₁² = 5 (J₂ + J₃ − J₁) / 2m along the principal axes.
    """
    body = model.bodies[index]
    mass = model.number(body.mass)
    if not mass > 0:
        return None
    tensor = np.array([_vector(model, row) for row in body.inertia])
    moments, axes = _principal(tensor)
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    radii = np.sqrt(np.maximum(squares, (THINNEST * size) ** 2))
    return Part("ball", _vector(model, body.com), quaternion_of_matrix(axes), triple_of(radii))


def _principal(tensor: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments, and a right-handed set of axes, each as near as can be to x, y, z."""
    moments, axes = np.linalg.eigh(tensor)
    left, order = {0, 1, 2}, []
    for row in range(3):
        best = max(left, key=lambda column: abs(axes[row, column]))
        order.append(best)
        left.remove(best)
    moments, axes = moments[order], axes[:, order]
    axes = axes * np.where(np.diag(axes) < 0, -1.0, 1.0)
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return moments, axes


def solid_parts(
    model: Model, solid: Any, size: float, thin: float | None = None, ghost: bool = False
) -> Iterator[Part]:
    """The parts of a solid; ``thin`` is the radius of what has none, m."""

    def number(value: Any) -> float:
        return abs(model.number(value))

    thin = THIN * size if thin is None else thin
    match solid:
        case solids.Composite(parts=parts, holes=holes):
            for part in parts:
                yield from solid_parts(model, part, size, thin, ghost)
            for hole in holes:
                yield from solid_parts(model, hole, size, thin, True)
            return
        case solids.Box(size=edges, rotation=turn):
            kind, turned, scale = "box", _quaternion(model, turn), triple_of([number(edge) for edge in edges])
        case solids.Ellipsoid(radii=radii, rotation=turn):
            kind, turned, scale = "ball", _quaternion(model, turn), triple_of([number(radius) for radius in radii])
        case solids.Sphere(radius=radius):
            kind, turned, scale = "ball", STRAIGHT, (number(radius),) * 3
        case solids.Point():
            kind, turned, scale = "ball", STRAIGHT, (2 * thin,) * 3
        case solids.Cylinder(radius=radius, length=length):
            kind, turned, scale = "cylinder", _along(model, solid), (number(radius), number(length), number(radius))
        case solids.Rod(length=length):
            kind, turned, scale = "cylinder", _along(model, solid), (thin, number(length), thin)
        case solids.Disk(radius=radius):
            kind, turned, scale = "cylinder", _along(model, solid), (number(radius), thin, number(radius))
        case solids.Tube(outer=outer, length=length):
            kind, turned, scale = "tube", _along(model, solid), (number(outer), number(length), number(outer))
        case solids.Cone(radius=radius, height=height):
            kind, turned, scale = "cone", _along(model, solid), (number(radius), number(height), number(radius))
        case _:
            return
    at = np.array(_vector(model, solid.at))
    if kind == "cone":  # three.js centres a cone between base and tip
        at = at + 0.5 * scale[1] * np.array(_vector(model, solid.axis))
    hollow = number(solid.inner) / number(solid.outer) if kind == "tube" else 0.0
    yield Part(kind, triple_of(at), turned, scale, hollow, ghost)


def _along(model: Model, solid: Any) -> Quaternion:
    return quaternion_from_y(_vector(model, solid.axis))


def _quaternion(model: Model, value: Any) -> Quaternion:
    q = np.array([model.number(item) for item in value])
    q /= np.linalg.norm(q)
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


def body_extent(model: Model, index: int) -> float:
    """How far the body, its solid or else its mass centre, reaches from O*."""
    body = model.bodies[index]
    if body.shape is None:
        return float(np.linalg.norm(_vector(model, body.com)))
    parts = [part for part in solid_parts(model, body.shape, 0.0) if not part.ghost]
    return max((float(np.linalg.norm(part.at)) + _radius(part) for part in parts), default=0.0)


def _radius(part: Part) -> float:
    """Of the ball about a part's middle that holds it."""
    a, b, c = part.scale
    if part.kind == "ball":
        return max(a, b, c)
    return float(np.linalg.norm(part.scale)) / 2 if part.kind == "box" else float(np.hypot(max(a, c), b / 2))


def _vector(model: Model, value: Any) -> tuple[float, float, float]:
    return triple_of([model.number(item) for item in value])


def triple_of(value: Any) -> tuple[float, float, float]:
    """Three numbers as three.js wants them."""
    return (float(value[0]), float(value[1]), float(value[2]))
