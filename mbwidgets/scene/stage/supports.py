"""What carries a mechanism: posts and columns with hatched feet on the floor, or brackets from above, in world axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...numeric.base.rotations import unit_vector
from ...numeric.motion.motion import Motion
from ..look.forms import extruded, hull_outline, limb, revolved, rounded_box
from ..look.joints import GAP, PIN, across_axis, pin_between, plane_corners, rail_span
from ..look.links import cup, plate_axis
from ..look.nodes import numbers_of, plane_bodies
from ..look.piercing import pierced
from ..look.shell import Role, Shell, join_shells
from .mechanism import Mechanism
from .spans import spans_of

__all__ = ["Ground", "stand_under", "support_shell"]

FOOT: Final = (4.6, 0.5, 3.6)
"""Width, height and depth of a foot, in radii of the link that it carries."""
POST: Final = 0.9
"""Thickness of a post along the axis of its pin, in radii."""
SHAFT: Final = 6.0
"""Length, in radii, from which on a shaft has a post at either end."""
BRACKET: Final = 3.6
"""Height of a bracket from above, in radii."""
HANGS: Final = -0.3
"""Mean height of what a joint carries over it, in its reach, below which it hangs."""
STRIPES: Final = 7
"""Of the hatching of a foot."""
LEVEL: Final = 0.5
"""Cosine to the vertical below which an axis is level."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The way up (3,), the way away from the camera of the front (3,), and the height of the floor, if there is one."""

    up: np.ndarray
    away: np.ndarray
    floor: float | None

    def height(self, place: np.ndarray) -> float | None:
        """Of a place over the floor, m."""
        return None if self.floor is None else float(self.up @ place) - self.floor


def support_shell(motion: Motion, seen: Mechanism, ground: Ground) -> Shell:
    """All that stands on the ground under the joints which it carries."""
    model = motion.model
    parts = [_support(motion, seen, ground, index) for index, parent in enumerate(model.parents) if parent < 0]
    return join_shells(part for found in (*parts, _closed_on_ground(motion, seen, ground)) for part in found)


def _closed_on_ground(motion: Motion, seen: Mechanism, ground: Ground) -> Iterator[Shell]:
    """A stand where a loop closes on the ground, and a plate where a spring, a damper or a rod is fixed to it."""
    model, gauge = motion.model, seen.anatomy.gauge
    for item in model.constraints:
        ends = [getattr(item, "a", None), getattr(item, "b", None)]
        fixed = [end for end in ends if end is not None and end.body is None]
        held = [end for end in ends if end is not None and end.body is not None]
        if item.type not in ("point", "weld") or not fixed or not held:
            continue
        index, at = model.index(held[0].body), numbers_of(model, fixed[0].at)
        axis = plate_axis(seen.anatomy.nodes[index])
        # elsewhere the axis turns with the body
        if axis is not None and abs(axis @ ground.up) < LEVEL and index in plane_bodies(model, axis):
            place = numbers_of(model, held[0].at)
            yield from _posts(motion, seen, ground, index, axis, at, seen.anatomy.radii[index], place)
        else:
            yield from stand_under(ground, at, 0.8 * gauge)
    for span in spans_of(motion, seen.anatomy):
        for end, other in ((0, 1), (1, 0)):
            way = span.ends[0, other] - span.ends[0, end]
            still = np.ptp(span.ends[:, end], axis=0).max() == 0
            if still and np.linalg.norm(way) > 0 and np.isfinite(way).all():
                plate = rounded_box((2.4 * gauge, 0.4 * gauge, 2.4 * gauge), 0.1 * gauge, Role.GROUND)
                yield plate.along(way, span.ends[0, end] - 0.3 * gauge * unit_vector(way))


def _support(motion: Motion, seen: Mechanism, ground: Ground, index: int) -> Iterator[Shell]:
    model = motion.model
    joint, radius = model.bodies[index].joint, max(seen.anatomy.radii[index], 0.7 * seen.anatomy.gauge)
    at = numbers_of(model, joint.at)
    axis = unit_vector(numbers_of(model, joint.axis)) if hasattr(joint, "axis") else None
    if joint.type == "planar" and axis is not None and abs(axis @ ground.up) > LEVEL:
        for corner in plane_corners(at, axis, seen.anatomy.radii[index], seen.anatomy.up):
            yield from stand_under(ground, corner, 0.3 * radius)
    if joint.type in ("free", "planar"):
        return
    if joint.type in ("prismatic", "cylindrical") and axis is not None:
        yield from _rail_stands(ground, at, axis, radius, rail_span(seen.travels[index], radius), joint.type)
    elif axis is not None and abs(axis @ ground.up) < LEVEL:
        yield from _posts(motion, seen, ground, index, axis, at, radius)
    else:
        yield from _column(motion, seen, ground, index, at, radius)


def _posts(
    motion: Motion,
    seen: Mechanism,
    ground: Ground,
    index: int,
    axis: np.ndarray,
    at: np.ndarray,
    radius: float,
    place: Any = (0.0, 0.0, 0.0),
) -> Iterator[Shell]:
    """A post behind a level pin, or one at either end of a shaft; ``place`` is that of the pin in the body."""
    away = axis if axis @ ground.away > 0 else -axis
    spans = pierced(seen.bodies[index], place, away, radius) or [(0.0, 0.0)]
    low, high = spans[0][0], spans[-1][1]
    ends = [(max(_back(motion, seen, index, away, at), high), 1.0)]
    if high - low > SHAFT * radius:
        ends = [(high, 1.0), (-low, -1.0)]
    for far, sign in ends:
        way = sign * away
        begin = far + 0.12 * radius
        yield pin_between(
            min(far, high if sign > 0 else -low) - 0.3 * radius, begin + POST * radius, PIN * radius, way, at
        )
        yield from _post(ground, at + (begin + POST * radius / 2) * way, way, radius)


def _back(motion: Motion, seen: Mechanism, index: int, away: np.ndarray, at: np.ndarray) -> float:
    """How far behind a joint anything is that goes round with it across its axis."""
    model, farthest = motion.model, -np.inf
    flat = plane_bodies(model, away)
    for body in flat if index in flat else [index]:
        shell = seen.bodies[body]
        if len(shell):
            heights = shell.points @ (motion.rotations[0, body].T @ away) + motion.poses[0][0, body] @ away
            farthest = max(farthest, float(heights.max()))
    return farthest - float(at @ away) if np.isfinite(farthest) else 0.0


def _post(ground: Ground, top: np.ndarray, way: np.ndarray, radius: float) -> Iterator[Shell]:
    """A post across a level direction, from the floor to the place where it holds a pin."""
    up = unit_vector(ground.up - (ground.up @ way) * way)
    side = np.cross(up, way)
    height = ground.height(top)
    drop = BRACKET * radius if height is None else height
    turn = np.column_stack([side, way, -up])  # x across, y along the pin, −z up
    if drop > 0.6 * radius:
        base = 0.3 * radius - drop
        circles = [(0.0, 0.0), (-0.75 * radius, base), (0.75 * radius, base)]
        outline = hull_outline(circles, [radius, 0.3 * radius, 0.3 * radius])
        thickness = POST * radius
        # extruded has its plane's second axis along −z
        yield extruded(*outline, thickness, 0.18 * thickness, Role.GROUND).moved(top, turn)
    yield _foot(radius).moved(top - drop * up, np.column_stack([side, up, np.cross(side, up)]))


def stand_under(ground: Ground, place: np.ndarray, radius: float) -> Iterator[Shell]:
    """A thin round post from the floor to a place of something that stands still; none without a floor."""
    height = ground.height(place)
    if height is None or height < radius:
        return
    across = across_axis(ground.up, ground.away)
    turn = np.column_stack([across, ground.up, np.cross(across, ground.up)])
    radius = max(radius, 0.018 * height)  # what is taller stands on more
    yield limb(place - (height - 0.8 * radius) * ground.up, place, 0.8 * radius, 0.6 * radius, Role.GROUND)
    yield _foot(radius).moved(place - height * ground.up, turn)


def _foot(radius: float) -> Shell:
    """A hatched plate that lies on y = 0, under what stands on it."""
    wide, high, deep = (item * radius for item in FOOT)
    plate = rounded_box((wide, high, deep), 0.3 * high, Role.GROUND).moved((0.0, high / 2, 0.0))
    stripes = []
    for k in range(STRIPES):
        middle = (k - (STRIPES - 1) / 2) * 0.8 * wide / STRIPES
        stripe = rounded_box((0.05 * radius, 0.02 * radius, 0.86 * deep), 0.0, Role.HATCH)
        angle = 0.35
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        stripes.append(stripe.moved((middle, high + 0.012 * radius, 0.0), turn))
    return join_shells([plate, *stripes])


def _column(
    motion: Motion, seen: Mechanism, ground: Ground, index: int, at: np.ndarray, radius: float
) -> Iterator[Shell]:
    """A column under an upright shaft, a ball or a weld; a bracket over it where the body hangs."""
    model, up = motion.model, ground.up
    joint = model.bodies[index].joint.type
    hangs = _hangs(motion, index, at, up)
    way = -up if hangs else up
    spans = pierced(seen.bodies[index], np.zeros(3), way, radius)
    low = min(0.0, spans[0][0]) if spans and joint != "spherical" else 0.0
    neck = 0.95 * radius if joint == "spherical" else -low + 0.05 * radius
    top = at - neck * way
    if joint == "spherical":
        yield cup(1.05 * radius, Role.GROUND).along(way, at)
    height = ground.height(top)
    long = BRACKET * radius if hangs or height is None else max(height, 0.3 * radius)
    across = across_axis(way, ground.away)
    turn = np.column_stack([across, way, np.cross(across, way)])
    high = FOOT[1] * radius
    if long > high:
        line = [(0.0, 0.0), (1.25 * radius, 0.0), (1.2 * radius, high)]
        line += [(0.95 * radius, 1.6 * high), (0.72 * radius, 3.2 * high)] if long > 4 * high else []
        line += [(0.62 * radius, max(long - 1.4 * high, 0.6 * long)), (0.9 * radius, long - 0.2 * high)]
        line += [(0.85 * radius, long), (0.0, long)]
        yield revolved(line, role=Role.GROUND).moved(top - long * way, turn)
    yield _foot(radius).moved(top - long * way, turn)


def _hangs(motion: Motion, index: int, at: np.ndarray, up: np.ndarray) -> bool:
    """Whether what a joint carries is below it, on average over the motion."""
    model = motion.model
    frames = np.unique(np.linspace(0, len(motion) - 1, 12).astype(int))
    heights, reach = [], 0.0
    for body in model.subtree(index):
        mass = model.number(model.bodies[body].mass)
        if mass > 0:
            com = numbers_of(model, model.bodies[body].com)
            arms = motion.poses[0][frames, body] + motion.rotations[frames, body] @ com - at
            heights.append((mass, float(np.nanmean(arms @ up))))
            reach = max(reach, float(np.nanmax(np.linalg.norm(arms, axis=1))))
    whole = sum(mass for mass, _ in heights)
    return whole > 0 and sum(mass * height for mass, height in heights) / whole < HANGS * reach


def _rail_stands(
    ground: Ground, at: np.ndarray, axis: np.ndarray, radius: float, span: tuple[float, float], kind: str
) -> Iterator[Shell]:
    """A stand under each end of level rails; under upright ones a column."""
    low, high = span
    if abs(axis @ ground.up) > LEVEL:
        way = axis if axis @ ground.up > 0 else -axis
        foot = at + (low if axis @ ground.up > 0 else -high) * way
        height = ground.height(foot)
        down = 0.0 if height is None else max(0.0, height)
        across = across_axis(way, ground.away)
        turn = np.column_stack([across, way, np.cross(across, way)])
        if down > 0.8 * radius:
            yield limb(foot - (down - 0.8 * radius) * way, foot, 0.8 * radius, 0.7 * radius, Role.GROUND)
        yield _foot(radius).moved(foot - down * way, turn)
        return
    wide = 0.35 if kind == "cylindrical" else GAP + 0.35
    across = across_axis(axis, ground.up)
    up = unit_vector(ground.up - (ground.up @ axis) * axis)
    for place in (low, high):
        end = at + place * axis
        block = rounded_box((2 * wide * radius, 0.7 * radius, 0.9 * radius), 0.15 * radius, Role.GROUND)
        yield block.moved(end, np.column_stack([across, axis, np.cross(across, axis)]))
        height = ground.height(end)
        if height is None:
            continue
        post = rounded_box((0.9 * radius, height, 0.55 * radius), 0.12 * radius, Role.GROUND)
        turn = np.column_stack([across, up, np.cross(across, up)])
        if height > FOOT[1] * radius:
            yield post.moved(end - height / 2 * up, turn)
        yield _foot(0.8 * radius).moved(end - height * up, turn)
