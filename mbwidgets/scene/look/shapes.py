"""What a body looks like, as data: parts made of a unit geometry, placed, turned and scaled in body axes.

A part changes by its numbers alone, so that a slider never makes a new geometry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model import solids
from ...model.model import Model
from ...numeric.base.rotations import quaternion_from_y, quaternion_of_matrix, rotation_matrices

__all__ = [
    "Part",
    "body_balls",
    "body_extent",
    "body_parts",
    "body_spots",
    "equivalent_ellipsoid",
    "model_size",
    "part_spots",
    "triple_of",
]

Quaternion = tuple[float, float, float, float]
STRAIGHT: Final[Quaternion] = (0.0, 0.0, 0.0, 1.0)
CORNERS: Final = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
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


def body_parts(model: Model, index: int, size: float) -> list[Part]:
    """The parts of a body: its solid, or bones and the equivalent ellipsoid of its inertia."""
    body = model.bodies[index]
    if body.shape is not None:
        return list(_solid_parts(model, body.shape, size))
    parts = [_bone(end, THIN * size) for end in _ends(model, index) if np.linalg.norm(end) > 1e-9 * size]
    ball = equivalent_ellipsoid(model, index, size)
    return [*parts, ball] if ball is not None else parts


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
    radii = np.sqrt(np.maximum(squares, (0.006 * size) ** 2))
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


def _ends(model: Model, index: int) -> Iterator[np.ndarray]:
    """Points of a body that bones lead to: its mass centre and the joints that it carries."""
    if model.number(model.bodies[index].mass) > 0:
        yield np.array(_vector(model, model.bodies[index].com))
    for child, parent in enumerate(model.parents):
        if parent == index:
            yield np.array(_vector(model, model.bodies[child].joint.at))


def _bone(end: np.ndarray, radius: float) -> Part:
    return Part("cylinder", triple_of(end / 2), quaternion_from_y(end), (radius, float(np.linalg.norm(end)), radius))


def _solid_parts(model: Model, solid: Any, size: float, ghost: bool = False) -> Iterator[Part]:
    def number(value: Any) -> float:
        return abs(model.number(value))

    thin = THIN * size
    match solid:
        case solids.Composite(parts=parts, holes=holes):
            for part in parts:
                yield from _solid_parts(model, part, size, ghost)
            for hole in holes:
                yield from _solid_parts(model, hole, size, True)
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
    parts = [part for part in _solid_parts(model, body.shape, 0.0) if not part.ghost]
    return max((float(np.linalg.norm(part.at)) + _radius(part) for part in parts), default=0.0)


def body_balls(model: Model, index: int, size: float) -> list[tuple[np.ndarray, float]]:
    """Balls that hold the body's parts: middle in body axes from O*, radius."""
    solid = [part for part in body_parts(model, index, size) if not part.ghost]
    return [(np.zeros(3), 0.0), *((np.array(part.at), _radius(part)) for part in solid)]


def body_spots(model: Model, index: int, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Small balls that hold the corners of the body's parts: middles (k, 3) in body axes from O*, radii (k,).

    A long link is not as wide as it is long.
    """
    spots, radii = part_spots(body_parts(model, index, size))
    return np.concatenate([np.zeros((1, 3)), spots]), np.concatenate([[0.0], radii])


def part_spots(parts: Sequence[Part]) -> tuple[np.ndarray, np.ndarray]:
    """Small balls that hold the corners of parts that are not see-through: middles (k, 3), radii (k,)."""
    spots, radii = [np.zeros((0, 3))], list[float]()
    for part in parts:
        if part.ghost:
            continue
        a, b, c = part.scale
        if part.kind == "box":
            corners, radius = CORNERS * (a / 2, b / 2, c / 2), 0.0
        elif part.kind == "ball":
            corners, radius = np.zeros((1, 3)), max(a, b, c)
        else:
            corners, radius = np.array([[0.0, -b / 2, 0.0], [0.0, b / 2, 0.0]]), max(a, c)
        spots.append(corners @ rotation_matrices(np.array(part.turn)).T + part.at)
        radii += [radius] * len(corners)
    return np.concatenate(spots), np.array(radii)


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
