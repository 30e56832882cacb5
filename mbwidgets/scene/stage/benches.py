"""What carries rails on the ground: a bench on two legs under level ones, crossheads and a post for upright ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...numeric.base.rotations import unit_vector
from ..look.forms import limb, revolved, rounded_box
from ..look.shell import Role, Shell
from ..look.slides import BEARING, RAIL, STEEP, Slide, across_axis
from .feet import FOOT, Ground, flange, foot, stripe, turn_about_y

__all__ = ["bench_under"]

TOP: Final = 0.5
"""Thickness of a bench, in the slide's scale; its border goes ``BORDER`` beyond the rails."""
BORDER: Final = 0.75
LEG: Final = (1.5, 0.9)
"""Width along the rails and depth across them of a leg."""
INWARD: Final = 2.2
"""How far from the ends the legs stand."""
EDGE, BELOW = 2.6, 0.65
"""How far a table goes on beyond the path on it, and how far its top is below the joint, in radii of the link."""
FARTHEST: Final = 1.5
"""Sizes of the mechanism that a table goes from the joint, at most."""
BORE: Final = (1.04, 1.32)
"""Inner and outer radius of a sleeve over half the width of what slides in it; ``HELD`` is how much of that it holds at
least, in the same."""
HELD: Final = 0.9
STRIPE, EVERY = 0.04, 0.55
"""Width of the hatching's stripes on the bench's front, and the distance between two."""


def bench_under(ground: Ground, slide: Slide, at: np.ndarray) -> Iterator[Shell]:
    """What carries rails where the joint is ``at``."""
    if slide.sleeve > 0:
        yield from _sleeve(ground, slide, at)
        return
    if abs(slide.axis @ ground.up) > STEEP:
        yield from _crossheads(ground, slide, at)
        return
    axis, scale, (low, high) = slide.axis, slide.scale, slide.span
    side = unit_vector(slide.aside)
    up = np.cross(side, axis) if np.cross(side, axis) @ ground.up > 0 else np.cross(axis, side)
    turn = np.column_stack([axis, up, np.cross(axis, up)])
    middle = at + (low + high) / 2 * axis + slide.below - (BEARING + 0.1 + TOP / 2) * scale * up
    deep = 2 * (float(np.linalg.norm(slide.aside)) + BORDER * scale)
    yield rounded_box((high - low, TOP * scale, deep), 0.12 * scale, Role.GROUND).moved(middle, turn)
    for place in (low, high):
        end = at + (place - np.sign(place - (low + high) / 2) * 0.3 * scale) * axis + slide.below
        block = rounded_box((0.6 * scale, 0.9 * scale, deep), 0.12 * scale, Role.GROUND)
        yield block.moved(end - (BEARING - 0.2) * scale * up, turn)
    yield from _hatching(middle, turn, high - low, deep, scale, ground)
    for place in _legs(low, high, scale):
        head = at + place * axis + slide.below - (BEARING + 0.1 + TOP) * scale * up
        yield from _leg(ground, head, axis, scale)


def table_under(
    ground: Ground, at: np.ndarray, radius: float, path: np.ndarray, size: float, own: Shell
) -> Iterator[Shell]:
    """A table on one leg under what slides and turns on a level plane, as large as it and its path (frames, 3) ask for.

    ``own`` is the shell of what stands on it, which turns about the vertical.
    """
    heights = own.points @ ground.up
    around = np.linalg.norm(own.points - np.outer(heights, ground.up), axis=1)
    edge = max(EDGE * radius, float(around.max(initial=0.0)) + 0.8 * radius)
    below = max(BELOW * radius, 0.05 * radius - float(heights.min(initial=0.0)))
    side = across_axis(ground.up, ground.away)
    ahead = np.cross(side, ground.up)
    good = path[np.isfinite(path).all(axis=1)]
    ranges = []
    for way in (side, ahead):
        along = np.clip((good - at) @ way, -FARTHEST * size, FARTHEST * size)
        ranges.append((float(along.min(initial=0.0)) - edge, float(along.max(initial=0.0)) + edge))
    (left, right), (near, far) = ranges
    turn = np.column_stack([side, ground.up, ahead])
    middle = at + (left + right) / 2 * side + (near + far) / 2 * ahead - (below + TOP / 2 * radius) * ground.up
    yield rounded_box((right - left, TOP * radius, far - near), 0.15 * radius, Role.GROUND).moved(middle, turn)
    height = ground.height(middle)
    if height is not None and height > FOOT[1] * radius:
        leg, base = max(0.8 * radius, 0.06 * (right - left)), middle - height * ground.up
        yield limb(base + leg * ground.up, middle, leg, 0.8 * leg, Role.GROUND)
        yield foot(leg).moved(base, turn)


def _legs(low: float, high: float, scale: float) -> tuple[float, ...]:
    """Where legs stand along rails: one under a short bench."""
    inward = INWARD * scale
    return (low + inward, high - inward) if high - low > 4 * inward else ((low + high) / 2,)


def _leg(ground: Ground, head: np.ndarray, axis: np.ndarray, scale: float) -> Iterator[Shell]:
    height = ground.height(head)
    if height is None:
        return
    level = unit_vector(axis - (axis @ ground.up) * ground.up)
    turn = np.column_stack([level, ground.up, np.cross(level, ground.up)])
    if height > FOOT[1] * scale:
        leg = rounded_box((LEG[0] * scale, height, LEG[1] * scale), 0.15 * scale, Role.GROUND)
        yield leg.moved(head - height / 2 * ground.up, turn)
    yield foot(0.85 * scale).moved(head - height * ground.up, turn)


def _hatching(
    middle: np.ndarray, turn: np.ndarray, length: float, deep: float, scale: float, ground: Ground
) -> Iterator[Shell]:
    """Stripes on the face of a bench that the front camera sees: what is hatched does not move."""
    count = int(np.clip(length / (EVERY * scale), 2, 40))
    face = turn[:, 2] if turn[:, 2] @ ground.away < 0 else -turn[:, 2]
    # x along the bench, y out of its face
    upon = np.column_stack([turn[:, 0], face, np.cross(turn[:, 0], face)]) @ turn_about_y(0.5)
    line = stripe(STRIPE * scale, 0.8 * TOP * scale)
    for place in (np.arange(count) + 0.5) / count - 0.5:
        yield line.moved(middle + 0.95 * length * place * turn[:, 0] + (deep / 2 + 0.02 * scale) * face, upon)


def _sleeve(ground: Ground, slide: Slide, at: np.ndarray) -> Iterator[Shell]:
    """A sleeve from the floor about the lower end of a column, as high as that end comes and some more."""
    wide, rises = slide.sleeve, slide.axis @ ground.up > 0
    way = slide.axis if rises else -slide.axis
    lower = slide.span[1] + slide.ends[0] if rises else -(slide.span[0] + slide.ends[1])
    top = at + (lower + HELD * wide) * way
    height = ground.height(top)
    long = 3 * wide if height is None else max(height / float(way @ ground.up), 0.5 * wide)
    inner, outer, lip = BORE[0] * wide, BORE[1] * wide, 0.1 * wide
    line = [(inner, long), (inner, 0.0), (outer, 0.0), (outer, long - lip), (outer - lip, long), (inner, long)]
    across = across_axis(way, ground.away)
    turn = np.column_stack([across, way, np.cross(across, way)])
    for part in (revolved(line, 36, Role.GROUND), flange(1.9 * wide, min(0.3 * wide, long))):
        yield part.moved(top - long * way, turn)


def _crossheads(ground: Ground, slide: Slide, at: np.ndarray) -> Iterator[Shell]:
    """A beam across both ends of upright rails, and a post from the lower one to its foot on the floor."""
    scale, side = slide.scale, unit_vector(slide.aside)
    way = slide.axis if slide.axis @ ground.up > 0 else -slide.axis
    ends = sorted(float(place * (slide.axis @ way)) for place in slide.span)
    wide = 2 * (float(np.linalg.norm(slide.aside)) + 2.2 * RAIL * scale)
    turn = np.column_stack([side, way, np.cross(side, way)])
    for place in ends:
        beam = rounded_box((wide, 0.6 * scale, 0.9 * scale), 0.15 * scale, Role.GROUND)
        yield beam.moved(at + place * way, turn)
    low = at + ends[0] * way
    height = ground.height(low)
    down = 0.0 if height is None else max(0.0, height)
    level = across_axis(ground.up, ground.away)
    if down > 0.8 * scale:
        yield limb(low - (down - 0.8 * scale) * ground.up, low, 0.85 * scale, 0.7 * scale, Role.GROUND)
    yield foot(scale).moved(low - down * ground.up, np.column_stack([level, ground.up, np.cross(level, ground.up)]))
