"""What a joint lets its body do, as arrows to be drawn: an arc both ways about each axis, a straight one along a slide.

They stand in the axes of the body, about where it is; the first axis of a universal joint is its parent's.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import farthest_axis, unit_vector
from .body_shells import Anatomy
from .forms import revolved
from .joints import Fitting
from .keeping import bytes_of, keep
from .nodes import numbers_of
from .shell import NOTHING, Role, Shell, join_shells
from .sweeps import swept

__all__ = ["freedom_arrows", "with_freedoms"]

WIRE, HEAD, CONE = 0.17, 1.5, 0.5
"""Radius of a shaft, and length and radius of a head, in radii of the link."""
OUT: Final = (3.4, 7.0)
"""Radius of an arc about an axis, in radii of the link: as far as the mass centre and half as far again, in these."""
BEYOND: Final = 1.5
SPREAD: Final = np.radians(52.0)
"""Half of an arc, which says that a body turns both ways; an arc about a body's own length is wider, ``AROUND``."""
AROUND: Final = np.radians(125.0)
OVER: Final = 1.5
"""How far over a body its straight arrows stand, and ``GAP`` how far each begins from the middle, in radii."""
GAP, LONG = 1.0, 4.2
"""``LONG`` is how far they go from the middle."""
STEPS: Final = 24
LEVEL: Final = 0.5
"""Sine between an axis and the vertical below which it is upright."""
ALONG: Final = 0.9
"""Cosine between an axis and the way to the mass centre from which on the body lies along the axis."""


def with_freedoms(model: Model, index: int, anatomy: Anatomy, own: Shell, outer: Shell) -> Fitting:
    """What the parent has of the joint, and the body, with the arrows: the same objects for the same numbers."""
    body = model.bodies[index]
    columns = body.joint.columns() if body.joint.type != "free" else ()
    axes = tuple((column.kind, bytes_of(numbers_of(model, column.axis))) for column in columns if column.kind != "ball")
    numbers = bytes_of(numbers_of(model, body.com)), bytes_of(numbers_of(model, body.joint.at)), bytes_of(anatomy.up)

    def make() -> Fitting:
        told = freedom_arrows(model, index, anatomy, own)
        return Fitting(join_shells([outer, told.outer]), join_shells([own, told.inner]))

    return keep(("freedoms", body.joint.type, axes, numbers, anatomy.radii[index], own, outer), make)


def freedom_arrows(model: Model, index: int, anatomy: Anatomy, own: Shell) -> Fitting:
    """What the parent of a body has of the arrows, in its axes, and what the body has; ``own`` is its shell."""
    body, radius = model.bodies[index], anatomy.radii[index]
    com, at = numbers_of(model, body.com), numbers_of(model, body.joint.at)
    outer, inner = [], []
    joint = body.joint.type
    for place, column in enumerate(body.joint.columns() if joint != "free" else ()):
        if column.kind == "ball":
            way = unit_vector(com) if np.linalg.norm(com) > 0 else anatomy.up
            inner += [_turn(axis, com, radius, own) for axis in (way, np.cross(way, farthest_axis(way)))]
            continue
        axis = unit_vector(numbers_of(model, column.axis))
        if column.kind == "translation":
            inner.append(_slide(axis, com, radius, own, anatomy.up))
        elif joint == "universal" and place == 0:
            outer.append(_turn(axis, com, radius, own).moved(at))
        else:
            inner.append(_turn(axis, com, radius, own))
    return Fitting(join_shells(outer) if outer else NOTHING, join_shells(inner) if inner else NOTHING)


def _turn(axis: np.ndarray, com: np.ndarray, radius: float, own: Shell) -> Shell:
    """An arc both ways about an axis through the joint, the mass centre in its middle; or about the body."""
    height = float(com @ axis)
    across = com - height * axis
    far = float(np.linalg.norm(across))
    lengthwise = far < np.sqrt(1 - ALONG**2) * float(np.linalg.norm(com)) or far < radius
    if lengthwise:
        heights = own.points @ axis
        near = own.points[np.abs(heights - height) < 1.5 * radius]
        around = np.linalg.norm(near - np.outer(near @ axis, axis), axis=1)
        wide, half = max(OUT[0] * radius, float(around.max(initial=0.0)) + OVER * radius), AROUND
        first = unit_vector(np.cross(axis, farthest_axis(axis)))
    else:
        wide, half, first, height = float(np.clip(BEYOND * far, *np.multiply(OUT, radius))), SPREAD, across / far, 0.0
    other, angle = np.cross(axis, first), np.linspace(-half, half, STEPS)
    path = wide * (np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * other) + height * axis
    ends = [(path[k], sign * (other * np.cos(a) - first * np.sin(a))) for k, sign, a in ((0, -1, -half), (-1, 1, half))]
    return join_shells([swept(path, WIRE * radius, Role.MOTION), *(_head(end, way, radius) for end, way in ends)])


def _slide(axis: np.ndarray, com: np.ndarray, radius: float, own: Shell, up: np.ndarray) -> Shell:
    """Two straight arrows along an axis, away from each other, over the body; where the axis is upright they stand on
    the other side of it than the mass centre."""
    side, across = up - (up @ axis) * axis, (com @ axis) * axis - com
    if np.linalg.norm(side) < LEVEL:
        side = across if np.linalg.norm(across) > radius else np.cross(axis, farthest_axis(axis))
    side = unit_vector(side)
    top = float((own.points @ side).max(initial=0.0)) + OVER * radius
    parts = []
    for way in (axis, -axis):
        begin, end = top * side + GAP * radius * way, top * side + LONG * radius * way
        parts += [swept(np.linspace(begin, end, 2), WIRE * radius, Role.MOTION), _head(end, way, radius)]
    return join_shells(parts)


def _head(place: np.ndarray, way: np.ndarray, radius: float) -> Shell:
    line = [(0.0, 0.0), (CONE * radius, 0.0), (0.0, HEAD * radius)]
    return revolved(line, 16, Role.MOTION).along(way, place)
