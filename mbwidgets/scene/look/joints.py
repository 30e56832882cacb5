"""Joints by their kind, in the scale of the links: what the parent has of each, in its axes, and what the body has.

A turn has a pin through what it joins, a slide its rails, both at once a rod with a collar, two turns a cross, three a
ball in its cup, a plane its frame with a puck, a weld its flange with bolts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import farthest_axis, unit_vector
from .body_shells import Anatomy
from .forms import FEW, ONE, ball, cylinder_outline, limb, revolved, rounded_box
from .forms import cylinder as rounded_cylinder
from .links import BOSS, cup
from .nodes import numbers_of
from .piercing import Interval, nearest_intervals, pierced
from .shell import NOTHING, Role, Shell, join_shells
from .slides import STEEP, Slide, Travel, across_axis, slide_of, slide_parts

__all__ = ["FORK", "PIN", "Fitting", "axis_line", "joint_fitting", "pin_between"]

PIN: Final = 0.38
"""Radius of a pin, in radii of the link."""
HEAD: Final = 0.22
"""How far a pin stands out, in radii."""
LINE: Final = 0.035
"""Radius of a dash-dot line, in radii; ``BEYOND`` is how far it goes on past the pin's ends."""
BEYOND: Final = 1.7
DASHES: Final = ((0.0, 0.34), (0.46, 0.54), (0.66, 1.0))
"""Of the line on each side: a dash, a dot, a dash, as shares of it."""
FORK: Final = (1.15, 1.5, 0.3, 0.85)
"""Of a universal joint's fork, in radii: from the middle to a cheek's outer face, how deep it is, its thickness, its
width: the other fork's cheeks, which turn between, must not meet the bridge."""
SHORT: Final = 1e-6
"""A direction, or a share of a radius, that is too short to tell a way."""
FAR: Final = 11.5
"""Radii that a pin goes at most to reach what is on one side only."""


class Fitting(NamedTuple):
    """What belongs to the parent, in its axes, and what belongs to the body, in its own."""

    outer: Shell = NOTHING
    inner: Shell = NOTHING


def joint_fitting(
    model: Model,
    index: int,
    anatomy: Anatomy,
    own: Shell,
    carrier: Shell,
    travel: Travel = (0.0, 0.0),
    slide: Slide | None = None,
) -> Fitting:
    """The joint that carries a body; ``own`` and ``carrier`` are the shells of the body and of its parent.

    ``slide`` are the rails of a prismatic one, where they are known.
    """
    joint, parent = model.bodies[index].joint, model.parents[index]
    radius = anatomy.radii[index] if parent < 0 else min(anatomy.radii[index], anatomy.radii[parent])
    at = numbers_of(model, joint.at)
    axis = numbers_of(model, joint.axis) if hasattr(joint, "axis") else None
    match joint.type:
        case "revolute":
            return Fitting(_pin(own, carrier, at, unit_vector(axis), radius))
        case "prismatic":
            rails = slide or slide_of(model, index, anatomy, own, travel)
            return Fitting() if rails is None else Fitting(*slide_parts(rails, at))
        case "cylindrical":
            return _rod(at, unit_vector(axis), radius, travel)
        case "universal":
            return _cross(model, index, radius, anatomy.up)
        case "planar":
            # on level ground there is a table, which the ground has
            table = parent < 0 and abs(unit_vector(axis) @ anatomy.up) > STEEP
            return _plane(at, unit_vector(axis), radius, anatomy.up, table)
        case "spherical":
            return _ball(own, carrier, at, radius)
        case "fixed":
            return Fitting(_flange(at, numbers_of(model, model.bodies[index].com), radius))
    return Fitting()


def pin_between(low: float, high: float, radius: float, axis: np.ndarray, at: np.ndarray) -> Shell:
    """A pin of a radius along an axis from one place to another, with round heads."""
    outline = cylinder_outline(radius, high - low, min(0.4 * radius, 0.4 * (high - low)), (low + high) / 2, FEW)
    return revolved(outline, 16, Role.PIN).along(axis, at)


def axis_line(low: float, high: float, radius: float, axis: np.ndarray, at: np.ndarray) -> Shell:
    """The dash-dot line of an axis beyond the ends of its pin."""
    thin, length = LINE * radius, BEYOND * radius
    dashes = [
        revolved([(thin, begin), (thin, end)], 5, Role.AXIS)
        for start, way in ((high, 1.0), (low, -1.0))
        for begin, end in ((min(s, e), max(s, e)) for s, e in _dashes(start, way * length))
    ]
    return join_shells(dashes).along(axis, at)


def _dashes(start: float, length: float) -> Iterator[Interval]:
    for begin, end in DASHES:
        yield start + begin * length, start + end * length


def _pin(own: Shell, carrier: Shell, at: np.ndarray, axis: np.ndarray, radius: float) -> Shell:
    """Pins through body and parent: one through both, or one on each side where rings lie about the place."""
    close = 1.2 * radius
    inner, here = nearest_intervals(pierced(own, np.zeros(3), axis, radius), close)
    outer, there = nearest_intervals(pierced(carrier, at, axis, radius), close)
    outer = [item for item in outer if len(outer) == 2 or there or min(map(abs, item)) < FAR * radius]
    if inner and outer and not here and not there:
        spans = _trunnions(inner, outer)
    elif inner and not outer and not here:
        spans = inner
    else:
        every = [*inner, *outer]
        low, high = min((item[0] for item in every), default=0.0), max((item[1] for item in every), default=0.0)
        spans = [(low, high)]
    head, thick = HEAD * radius, PIN * radius
    spans = [(low - head, high + head) for low, high in spans]
    pins = [pin_between(low, high, thick, axis, at) for low, high in spans]
    line = axis_line(min(low for low, _ in spans), max(high for _, high in spans), radius, axis, at)
    return join_shells([*pins, line])


def _trunnions(inner: list[Interval], outer: list[Interval]) -> list[Interval]:
    """On each side from the one ring to the other."""
    found = []
    for side in (-1.0, 1.0):
        pair = [item for item in (*inner, *outer) if side * item[0] > 0]
        if pair:
            found.append((min(low for low, _ in pair), max(high for _, high in pair)))
    return found


def rail_span(travel: Travel, radius: float) -> Interval:
    """From where to where a rod goes, so that all of the travel is on it."""
    return travel[0] - 2.6 * radius, travel[1] + 2.6 * radius


def _rod(at: np.ndarray, axis: np.ndarray, radius: float, travel: Travel) -> Fitting:
    """A rod, and the collar that turns and slides on it."""
    low, high = rail_span(travel, radius)
    rod = revolved(cylinder_outline(PIN * radius, high - low, 0.1 * radius, (low + high) / 2), 16, Role.STEEL)
    collar = rounded_cylinder(BOSS * radius, 1.9 * radius)
    return Fitting(join_shells([rod.along(axis, at), axis_line(low, high, radius, axis, at)]), collar.along(axis))


def _cross(model: Model, index: int, radius: float, up: np.ndarray) -> Fitting:
    """The cross, and a fork on each side: each holds the pin that is fixed in it."""
    joint, ground = model.bodies[index].joint, model.parents[index] < 0
    at, axis = numbers_of(model, joint.at), unit_vector(numbers_of(model, joint.axis))
    second, com = unit_vector(numbers_of(model, joint.second)), numbers_of(model, model.bodies[index].com)
    upward = up if com @ up >= 0 else -up
    toward = unit_vector(com) if np.linalg.norm(com) > SHORT * radius else upward
    reach, thick, origin = FORK[0] * radius, 0.3 * radius, np.zeros(3)
    middle = ball(0.45 * radius, Role.STEEL, 16).moved(at)
    outer = [
        pin_between(-reach, reach, thick, axis, at),
        middle,
        axis_line(-reach, reach, radius, axis, at),
        _fork(axis, -(upward if ground else toward), radius, Role.GROUND if ground else Role.BODY).moved(at),
    ]
    inner = [
        pin_between(-reach, reach, thick, second, origin),
        axis_line(-reach, reach, radius, second, origin),
        _fork(second, toward, radius, Role.BODY),
    ]
    return Fitting(join_shells(outer), join_shells(inner))


def _fork(axis: np.ndarray, back: np.ndarray, radius: float, role: Role) -> Shell:
    """Two cheeks about the ends of a pin along ``axis``, and the bridge that joins them behind it."""
    reach, depth, thick, wide = (part * radius for part in FORK)
    across = back - (back @ axis) * axis
    if np.linalg.norm(across) < SHORT:
        across = farthest_axis(axis) - (farthest_axis(axis) @ axis) * axis
    across = unit_vector(across)
    turn = np.column_stack([axis, across, np.cross(axis, across)])
    long = depth + 0.55 * wide
    cheek = rounded_box((thick, long, wide), 0.3 * thick, role)
    bridge = rounded_box((2 * reach, thick, wide), 0.3 * thick, role)
    places = [(cheek, s * (reach - thick / 2), depth - long / 2) for s in (-1.0, 1.0)]
    return join_shells(
        shell.moved(turn @ np.array([along, behind, 0.0]), turn)
        for shell, along, behind in (*places, (bridge, 0.0, depth - thick / 2))
    )


def plane_corners(at: np.ndarray, axis: np.ndarray, radius: float, up: np.ndarray) -> list[np.ndarray]:
    """The corners of the frame of a plane."""
    side = across_axis(axis, up)
    other, half = np.cross(axis, side), 3.2 * radius
    return [at + half * (a * side + b * other) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _plane(at: np.ndarray, axis: np.ndarray, radius: float, up: np.ndarray, table: bool) -> Fitting:
    """The frame of the plane, unless there is a table, and the puck that goes in it."""
    corners = [] if table else plane_corners(at, axis, radius, up)
    sides = zip(corners, [*corners[1:], *corners[:1]], strict=True)
    frame = [limb(a, b, 0.12 * radius, 0.12 * radius, Role.GROUND) for a, b in sides]
    puck = rounded_cylinder(0.8 * radius, 0.4 * radius, Role.PIN)
    return Fitting(join_shells(frame), puck.along(axis))


def _ball(own: Shell, carrier: Shell, at: np.ndarray, radius: float) -> Fitting:
    """A ball of the body in a cup of the parent, which is open towards the body."""
    knob = ball(0.82 * radius)
    if not len(carrier):
        return Fitting(inner=knob)
    middle = 0.5 * (carrier.points.min(axis=0) + carrier.points.max(axis=0)) - at
    if not np.linalg.norm(middle) > 1e-9 * radius:
        middle = -0.5 * (own.points.min(axis=0) + own.points.max(axis=0)) if len(own) else -np.eye(3)[2]
    way = -middle if np.linalg.norm(middle) > 1e-9 * radius else np.eye(3)[2]
    return Fitting(cup(1.08 * radius).along(way, at), knob)


def _flange(at: np.ndarray, toward: np.ndarray, radius: float) -> Shell:
    """A flange across the way to the body's mass centre, with six bolts."""
    axis = unit_vector(toward) if np.linalg.norm(toward) > 1e-4 * radius else np.eye(3)[2]
    plate = rounded_cylinder(1.0 * radius, 0.3 * radius)
    bolts = []
    for k in range(6):
        angle = np.pi / 3 * k
        bolt = revolved(cylinder_outline(0.13 * radius, 0.5 * radius, 0.04 * radius, steps=ONE), 8, Role.STEEL)
        bolts.append(bolt.moved((0.74 * radius * np.cos(angle), 0.0, 0.74 * radius * np.sin(angle))))
    return join_shells([plate, *bolts]).along(axis, at)
