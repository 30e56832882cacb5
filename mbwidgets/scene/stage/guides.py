"""What constraints hold points to, as shells in the world's axes: circles, lines, planes, spheres, curves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ...expressions import Expression, evaluate
from ...model.model import Model
from ...numeric.base.rotations import unit_vector
from ...numeric.motion.motion import Motion
from ..look.joints import PIN, pin_between
from ..look.nodes import numbers_of
from ..look.shell import Role, Shell, join_shells
from ..look.slides import across_axis
from ..look.sweeps import ring, swept
from .feet import Ground
from .mechanism import Mechanism, ring_shift, wire_radius
from .supports import POST, post_under, stand_under

__all__ = ["guide_shell"]

HOLDER: Final = 0.85
"""Radius of the head of a post that holds a ring, in radii of a link."""
MARGIN: Final = 3.0
"""How far a line or a plane goes beyond the motion, in radii."""
SAMPLES: Final = 160
"""Of a curve."""
WIDE, COARSE = 20.0, 801
"""Values of a curve's parameter on either side of zero among which its point is looked for, and how many are tried."""


def guide_shell(motion: Motion, seen: Mechanism, ground: Ground) -> Shell:
    """All guides that stand still, with what carries the rings."""
    return join_shells(
        part
        for item in motion.model.constraints
        if item.type.startswith("on_")
        for part in _guide(motion, item, seen, ground)
    )


def _guide(motion: Motion, item: Any, seen: Mechanism, ground: Ground) -> Iterator[Shell]:
    model, gauge = motion.model, seen.anatomy.gauge
    wire = wire_radius(model, item, gauge)
    path = _followed(motion, item)
    match item.type:
        case "on_circle":
            centre, normal = numbers_of(model, item.centre), unit_vector(numbers_of(model, item.normal))
            radius = abs(model.number(item.radius))
            back = normal * np.sign(normal @ seen.away or 1.0)
            middle = centre + ring_shift(model, item, gauge, seen.away)
            yield ring(radius, wire).along(normal, middle)
            if abs(normal @ ground.up) < 0.5:
                side = unit_vector(np.cross(ground.up, normal))
                for sign in (-1.0, 1.0):
                    clamp, stem = middle + sign * radius * side, HOLDER * gauge
                    behind = wire + 0.2 * stem
                    yield pin_between(-0.6 * wire, behind + POST * stem, PIN * gauge, back, clamp)
                    yield from post_under(ground, clamp + (behind + POST * stem / 2) * back, back, stem)
        case "on_line":
            point, way = numbers_of(model, item.point), unit_vector(numbers_of(model, item.direction))
            along = (path - point) @ way
            low, high = float(along.min()) - MARGIN * gauge, float(along.max()) + MARGIN * gauge
            yield swept(np.array([point + low * way, point + high * way]), wire)
            for place in (low, high) if abs(way @ ground.up) < 0.5 else ():
                yield from stand_under(ground, point + place * way, 0.6 * gauge)
        case "on_plane":
            yield _frame(path, numbers_of(model, item.point), unit_vector(numbers_of(model, item.normal)), gauge)
        case "on_sphere":
            centre, radius = numbers_of(model, item.centre), abs(model.number(item.radius))
            for axis in np.eye(3):
                yield ring(radius, 0.4 * wire).along(axis, centre)
        case "on_curve":
            line = _curve(model, item, path)
            yield swept(line[np.isfinite(line).all(axis=1)], wire)


def _followed(motion: Motion, item: Any) -> np.ndarray:
    """Where the held point goes, (frames, 3), in the finite frames."""
    body = motion.model.index(item.body)
    path = motion.poses[0][:, body] + motion.rotations[:, body] @ numbers_of(motion.model, item.at)
    good = path[np.isfinite(path).all(axis=1)]
    return good if len(good) else np.zeros((1, 3))


def _frame(path: np.ndarray, point: np.ndarray, normal: np.ndarray, gauge: float) -> Shell:
    """The border of the part of a plane in which a point goes."""
    side = across_axis(normal, np.eye(3)[2])
    up = np.cross(normal, side)
    x, y = (path - point) @ side, (path - point) @ up
    margin = MARGIN * gauge
    corners = [
        point + a * side + b * up
        for a, b in (
            (x.min() - margin, y.min() - margin),
            (x.max() + margin, y.min() - margin),
            (x.max() + margin, y.max() + margin),
            (x.min() - margin, y.max() + margin),
        )
    ]
    return join_shells(swept(np.array([corners[k], corners[(k + 1) % 4]]), 0.12 * gauge, Role.GROUND) for k in range(4))


def _curve(model: Model, item: Any, path: np.ndarray) -> np.ndarray:
    """The part of a curve (k, 3) along which a point goes: about its path, and half as much beyond."""
    low, high = path.min(axis=0), path.max(axis=0)
    reach = 0.5 * float(np.linalg.norm(high - low)) + 1e-3 * float(np.abs(path).max(initial=1.0))
    coarse = np.linspace(-WIDE, WIDE, COARSE)
    points = _points(model, item, coarse)
    with np.errstate(invalid="ignore"):
        near = ((points > low - reach) & (points < high + reach)).all(axis=1)
        start = int(np.nanargmin(np.linalg.norm(points - path[0], axis=1)))
    begin = end = start
    while begin > 0 and near[begin - 1]:
        begin -= 1
    while end < COARSE - 1 and near[end + 1]:
        end += 1
    return _points(model, item, np.linspace(coarse[max(begin - 1, 0)], coarse[min(end + 1, COARSE - 1)], SAMPLES))


def _points(model: Model, item: Any, values: np.ndarray) -> np.ndarray:
    """x(s), y(s), z(s) (k, 3); not a number where they have none."""
    found = np.full((len(values), 3), np.nan)
    for k, s in enumerate(values):
        known = {**model.values, item.parameter: float(s)}
        try:
            found[k] = [evaluate(part, known) if isinstance(part, Expression) else float(part) for part in item.curve]
        except (MbwidgetsError, ArithmeticError, ValueError):
            continue
    return found
