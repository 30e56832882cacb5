"""What carries a mechanism: posts and columns with hatched feet on the floor, or brackets from above, in world axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...numeric.base.rotations import unit_vector
from ...numeric.motion.motion import Motion
from ..look.forms import extruded, hull_outline, limb, revolved, rounded_box
from ..look.joints import FORK, PIN, pin_between, rail_span
from ..look.links import cup, plate_axis
from ..look.nodes import numbers_of, plane_bodies
from ..look.piercing import pierced
from ..look.shell import Role, Shell, join_shells
from ..look.slides import across_axis
from .benches import bench_under, table_under
from .feet import FOOT, Ground, flange, foot
from .mechanism import Mechanism
from .spans import Hand, spans_of

__all__ = ["crosses_box", "post_under", "stand_under", "support_shell"]

POST: Final = 1.05
"""Thickness of a post along the axis of its pin, in radii."""
SHAFT: Final = 6.0
"""Length, in radii, from which on a shaft has a post at either end."""
BRACKET: Final = 3.6
"""Height of a bracket from above, in radii."""
HANGS: Final = -0.3
"""Mean height of what a joint carries over it, in its reach, below which it hangs."""
HEADS: Final = (0.9, 2.4)
"""Radius of a column's head, in radii of the link: as wide as what stands on it, within these."""
FLANGE: Final = 1.9
"""Radius of the flange under a column, over that of its head."""
LOW: Final = 4.0
"""Height over the floor, in radii of a link, from which on what is fixed in the air has a post."""
AROUND: Final = np.concatenate([np.eye(3), -np.eye(3)])
"""Directions in which the outermost points of a body are looked for."""
SIDES: Final = 24
"""Directions in which the outline of a post turns."""
TALL: Final = 0.026
"""Radius of a post over its height, at least: what is taller stands on more."""
WIDEST: Final = 1.63
"""Half the width of a post at its foot with a little room, in radii of a link: what comes so near is before it."""
FRAMES: Final = 12
"""Of a motion that are looked at for what comes before a post; the lines between a body's ``OUTMOST`` points are."""
OUTMOST: Final = np.array([way for way in np.ndindex(3, 3, 3) if way != (1, 1, 1)], dtype=float) - 1.0
LEVEL: Final = 0.5
"""Cosine to the vertical below which an axis is level."""


def support_shell(motion: Motion, seen: Mechanism, ground: Ground, hand: Hand | None = None) -> Shell:
    """All that stands on the ground under the joints which it carries; a ``hand`` in the air has no plate."""
    model = motion.model
    parts = [_support(motion, seen, ground, index) for index, parent in enumerate(model.parents) if parent < 0]
    return join_shells(part for found in (*parts, _closed_on_ground(motion, seen, ground, hand)) for part in found)


def _closed_on_ground(motion: Motion, seen: Mechanism, ground: Ground, hand: Hand | None) -> Iterator[Shell]:
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
    for span in spans_of(motion, seen.anatomy, hand):
        for end, other in ((0, 1), (1, 0)):
            way = span.ends[0, other] - span.ends[0, end]
            still = np.ptp(span.ends[:, end], axis=0).max() == 0
            if still and tuple(span.ends[0, end]) != hand and np.linalg.norm(way) > 0 and np.isfinite(way).all():
                plate = rounded_box((2.4 * gauge, 0.4 * gauge, 2.4 * gauge), 0.1 * gauge, Role.GROUND)
                place = span.ends[0, end] - 0.3 * gauge * unit_vector(way)
                yield plate.along(way, place)
                yield from _gallows(motion, seen, ground, place)


def _gallows(motion: Motion, seen: Mechanism, ground: Ground, place: np.ndarray) -> Iterator[Shell]:
    """A post behind all that moves with an arm to a place in the air; none where that is near the floor."""
    height, gauge = ground.height(place), seen.anatomy.gauge
    if height is None or height < LOW * gauge:
        return
    backs = [_farthest(motion, seen, body, ground.away) for body in range(len(seen.bodies))]
    radius = max(0.6 * gauge, TALL * height)
    away = max(0.0, max(backs, default=0.0) - float(place @ ground.away)) + gauge + 2.5 * radius
    corner = place + away * ground.away
    yield limb(place, corner, 0.7 * radius, 0.7 * radius, Role.GROUND)
    yield from stand_under(ground, corner, radius)


def _farthest(motion: Motion, seen: Mechanism, body: int, way: np.ndarray) -> float:
    """How far along a direction a body comes in some frames of a motion."""
    frames = np.unique(np.linspace(0, len(motion) - 1, 8).astype(int))
    corners = seen.bodies[body].support(AROUND)
    places = motion.poses[0][frames, body, None] + corners @ np.swapaxes(motion.rotations[frames, body], 1, 2)
    return float(np.nanmax(places @ way, initial=-np.inf))


def _support(motion: Motion, seen: Mechanism, ground: Ground, index: int) -> Iterator[Shell]:
    model = motion.model
    joint, radius = model.bodies[index].joint, max(seen.anatomy.radii[index], 0.9 * seen.anatomy.gauge)
    at = numbers_of(model, joint.at)
    axis = unit_vector(numbers_of(model, joint.axis)) if hasattr(joint, "axis") else None
    if joint.type == "planar" and axis is not None and abs(axis @ ground.up) > LEVEL:
        path, gauge, own = motion.poses[0][:, index], seen.anatomy.radii[index], seen.bodies[index]
        yield from table_under(ground, at, gauge, path, seen.anatomy.size, own)
    if joint.type in ("free", "planar"):
        return
    slide = seen.slides[index]
    if slide is not None:
        yield from bench_under(ground, slide, at)
    elif joint.type == "cylindrical" and axis is not None:
        yield from _rod_stands(ground, at, axis, radius, rail_span(seen.travels[index], radius))
    elif joint.type != "universal" and axis is not None and abs(axis @ ground.up) < LEVEL:
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
    ends = [(max(_back(motion, seen, ground, index, away, at), high), 1.0)]
    if high - low > SHAFT * radius:
        ends = [(high, 1.0), (-low, -1.0)]
    for far, sign in ends:
        way = sign * away
        begin = far + 0.12 * radius
        yield pin_between(
            min(far, high if sign > 0 else -low) - 0.3 * radius, begin + POST * radius, PIN * radius, way, at
        )
        yield from post_under(ground, at + (begin + POST * radius / 2) * way, way, radius)


def _back(motion: Motion, seen: Mechanism, ground: Ground, index: int, away: np.ndarray, at: np.ndarray) -> float:
    """How far behind a joint anything is that goes round with it across its axis and comes before its post."""
    flat = plane_bodies(motion.model, away)
    bodies = flat if index in flat else [index]
    return max((_back_of(motion, seen, ground, body, away, at) for body in bodies), default=-np.inf)


def _back_of(motion: Motion, seen: Mechanism, ground: Ground, body: int, away: np.ndarray, at: np.ndarray) -> float:
    """How far behind a place a body is, without pins, that is ever seen before a post under it, or beside it."""
    shell, frames = seen.bodies[body], np.unique(np.linspace(0, len(motion) - 1, FRAMES).astype(int))
    material = shell.points[~np.isin(shell.roles, (Role.AXIS, Role.PIN))]
    if not len(material):
        return -np.inf
    ends = material[np.unique(np.argmax(material @ OUTMOST.T, axis=0))]
    up = unit_vector(ground.up - (ground.up @ away) * away)
    plane, wide = np.column_stack([np.cross(up, away), up]), WIDEST * seen.anatomy.gauge
    places = (motion.poses[0][frames, body] - at) @ plane
    flat = ends @ (np.swapaxes(motion.rotations[frames, body], 1, 2) @ plane) + places[:, None]
    chords = np.stack(np.triu_indices(len(ends), 1), axis=1)
    height = ground.height(at)
    low = -BRACKET * wide if height is None else -height
    if not crosses_box(flat[:, chords], np.array([-wide, low]), np.array([wide, wide])).any():
        return -np.inf
    return float((material @ (motion.rotations[0, body].T @ away)).max() + (motion.poses[0][0, body] - at) @ away)


def crosses_box(lines: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Which straight lines (..., 2, 2) from point to point have a part in the rectangle between two corners (2,)."""
    begin, way = lines[..., 0, :], lines[..., 1, :] - lines[..., 0, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(low - begin) / way, (high - begin) / way])
    inside = (begin >= low) & (begin <= high)
    # along an axis in which a line does not go it is within for ever, or never
    still = way == 0
    first = np.where(still, np.where(inside, -np.inf, np.inf), ends.min(axis=0)).max(axis=-1)
    last = np.where(still, np.where(inside, np.inf, -np.inf), ends.max(axis=0)).min(axis=-1)
    return np.asarray((first <= last) & (last >= 0) & (first <= 1))


def post_under(ground: Ground, top: np.ndarray, way: np.ndarray, radius: float) -> Iterator[Shell]:
    """A post across a level direction, from the floor to the place where it holds a pin."""
    up = unit_vector(ground.up - (ground.up @ way) * way)
    side = np.cross(up, way)
    height = ground.height(top)
    drop = BRACKET * radius if height is None else height
    radius = max(radius, TALL * drop) if height is not None else radius
    turn = np.column_stack([side, way, -up])  # x across, y along the pin, −z up
    if drop > 0.6 * radius:
        base = 0.3 * radius - drop
        circles = [(0.0, 0.0), (-0.95 * radius, base), (0.95 * radius, base)]
        outline = hull_outline(circles, [radius, 0.3 * radius, 0.3 * radius], SIDES)
        thickness = POST * radius
        # extruded has its plane's second axis along −z
        yield extruded(*outline, thickness, 0.18 * thickness, Role.GROUND).moved(top, turn)
    yield foot(radius).moved(top - drop * up, np.column_stack([side, up, np.cross(side, up)]))


def stand_under(ground: Ground, place: np.ndarray, radius: float) -> Iterator[Shell]:
    """A thin round post from the floor to a place of something that stands still; none without a floor."""
    height = ground.height(place)
    if height is None or height < radius:
        return
    across = across_axis(ground.up, ground.away)
    turn = np.column_stack([across, ground.up, np.cross(across, ground.up)])
    radius = max(radius, TALL * height)
    yield limb(place - (height - 0.8 * radius) * ground.up, place, 0.8 * radius, 0.6 * radius, Role.GROUND)
    yield foot(radius).moved(place - height * ground.up, turn)


def _column(
    motion: Motion, seen: Mechanism, ground: Ground, index: int, at: np.ndarray, radius: float
) -> Iterator[Shell]:
    """A column under an upright shaft, a ball or a weld; a bracket over it where the body hangs."""
    model, up = motion.model, ground.up
    joint = model.bodies[index].joint.type
    hangs = _hangs(motion, index, at, up)
    way = -up if hangs else up
    spans = pierced(seen.bodies[index], np.zeros(3), way, radius)
    low = min(0.0, spans[0][0]) if spans and joint not in ("spherical", "universal") else 0.0
    neck = {"spherical": 0.95, "universal": FORK[1] - 0.1}.get(joint, 0.05) * radius
    neck -= 0.0 if joint in ("spherical", "universal") else low
    top = at - neck * way
    if joint == "spherical":
        yield cup(1.05 * radius, Role.GROUND).along(way, at)
    height = ground.height(top)
    long = BRACKET * radius if hangs or height is None else max(height, 0.3 * radius)
    across = across_axis(way, ground.away)
    turn = np.column_stack([across, way, np.cross(across, way)])
    head = 0.9 * radius if joint in ("spherical", "universal") else _width_at(seen.bodies[index], way, low, radius)
    wide, high = max(FLANGE * head, 2.0 * radius), FOOT[1] * radius
    if long > high:
        line = [(0.0, 0.0), (1.25 * head, 0.0), (1.25 * head, high)]
        if long > 5 * high:
            line += [(1.12 * head, 1.5 * high), (0.92 * head, 2.6 * high), (0.84 * head, 4 * high)]
        neck = max(long - 1.5 * high, 0.6 * long)
        line += [(0.78 * head, neck), (head, min(neck + 0.7 * high, 0.95 * long)), (head, 0.98 * long)]
        line += [(0.96 * head, long), (0.0, long)]
        yield revolved(line, 36, Role.GROUND).moved(top - long * way, turn)
    base = foot(radius, hangs=True) if hangs else flange(wide, min(high, long))
    yield base.moved(top - long * way, turn)


def _width_at(shell: Shell, way: np.ndarray, low: float, radius: float) -> float:
    """Half the width of a body near its lower end, m, which the column under it takes up."""
    heights = shell.points @ way
    near = shell.points[(heights < low + radius) & (heights > low - radius)]
    across = np.linalg.norm(near - np.outer(near @ way, way), axis=1)
    return float(np.clip(across.max(initial=0.0), HEADS[0] * radius, HEADS[1] * radius))


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


def _rod_stands(
    ground: Ground, at: np.ndarray, axis: np.ndarray, radius: float, span: tuple[float, float]
) -> Iterator[Shell]:
    """A post under each end of a level rod; under an upright one a column."""
    low, high = span
    if abs(axis @ ground.up) > LEVEL:
        way = axis if axis @ ground.up > 0 else -axis
        end = at + (low if axis @ ground.up > 0 else -high) * way
        height = ground.height(end)
        down = 0.0 if height is None else max(0.0, height)
        across = across_axis(way, ground.away)
        turn = np.column_stack([across, way, np.cross(across, way)])
        if down > 0.8 * radius:
            yield limb(end - (down - 0.8 * radius) * way, end, 0.8 * radius, 0.7 * radius, Role.GROUND)
        yield foot(radius).moved(end - down * way, turn)
        return
    for place in (low, high):
        yield from post_under(ground, at + place * axis, axis, radius)
