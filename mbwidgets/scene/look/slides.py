"""What a body slides on: twin rails with bearings, under a level carriage or on both sides of an upright one.

What is itself a column along its upright way slides in a sleeve.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import farthest_axis, unit_vector
from .body_shells import Anatomy
from .forms import ONE, cylinder_outline, revolved
from .nodes import numbers_of
from .shell import NOTHING, Role, Shell, join_shells

__all__ = ["BEARING", "RAIL", "Slide", "Travel", "across_axis", "slide_of", "slide_parts"]

RAIL, BEARING = 0.2, 0.36
"""Radius of each of two rails, and of the bearings on them, in the slide's scale."""
BLOCK: Final = 1.3
"""Half the width and half the length of the carriage of a body without a solid, in radii of its link; ``LOW`` is half
its height."""
LOW: Final = 1.1
STEEP: Final = 0.5
"""Cosine to the vertical from which on a slide is upright, and its rails stand on both sides."""
APART: Final = 0.62
"""How far the rails under a carriage are from its middle, over half its width."""
WIDE, BROAD = 0.42, 2.4
"""Scale of a slide over half the width of what it carries, and at most over the radius of its link."""
SPARE: Final = 0.9
"""How far rails go on beyond the carriage at the end of its way, in the slide's scale."""
COLUMN: Final = 6.0
"""Length over half the width of what is a column."""
INNER: Final = 0.85
"""How far rails that another body carries are from the joint's axis, in radii: they are inside of both."""

Travel = tuple[float, float]
"""From where to where a coordinate goes, m."""


@dataclass(frozen=True, eq=False)
class Slide:
    """A pair of rails along an axis (3,), each so far aside (3,) of the joint, and so far below it (3,), m.

    ``scale`` is what its parts are drawn in, m; ``ends`` are the ends of the carriage on the axis, m from O*, and
    ``span`` those of the rails, or of the way in a sleeve, from the joint. ``sleeve`` is half the width of a column
    that slides in one, m, and zero of what has rails.
    """

    axis: np.ndarray
    aside: np.ndarray
    below: np.ndarray
    scale: float
    ends: tuple[float, float]
    span: tuple[float, float]
    sleeve: float = 0.0


def across_axis(axis: np.ndarray, up: np.ndarray) -> np.ndarray:
    """A direction across an axis and across ``up``, where it can be."""
    level = np.cross(axis, up)
    return unit_vector(level if np.linalg.norm(level) > 0.1 else np.cross(axis, farthest_axis(axis)))


def slide_of(model: Model, index: int, anatomy: Anatomy, own: Shell, travel: Travel) -> Slide | None:
    """How a body slides, whose shell is ``own``; None where it does not."""
    body, parent = model.bodies[index], model.parents[index]
    if body.joint.type != "prismatic":
        return None
    axis, up = unit_vector(numbers_of(model, body.joint.axis)), anatomy.up
    radius = anatomy.radii[index] if parent < 0 else min(anatomy.radii[index], anatomy.radii[parent])
    side = across_axis(axis, up)
    down = np.cross(side, axis)
    down = -down if down @ up > 0 else down
    wide, deep, ends = BLOCK * radius, LOW * radius, (-BLOCK * radius, BLOCK * radius)
    if body.shape is not None and len(own):
        wide, deep = float(np.abs(own.points @ side).max()), float((own.points @ down).max())
        ends = float((own.points @ axis).min()), float((own.points @ axis).max())
    if parent >= 0:
        ends = (-BLOCK * radius, BLOCK * radius)
        aside, below, scale = INNER * radius * side, np.zeros(3), radius
    else:
        scale = float(np.clip(WIDE * wide, radius, BROAD * radius))
        upright = abs(axis @ up) > STEEP
        aside = (wide + BEARING * scale if upright else max(APART * wide, BEARING * scale)) * side
        below = np.zeros(3) if upright else (deep + BEARING * scale) * down
    if parent < 0 and abs(axis @ up) > STEEP and ends[1] - ends[0] > COLUMN * wide:
        return Slide(axis, aside, below, scale, ends, travel, wide)
    span = travel[0] + ends[0] - SPARE * scale, travel[1] + ends[1] + SPARE * scale
    return Slide(axis, aside, below, scale, ends, span)


def slide_parts(slide: Slide, at: np.ndarray) -> tuple[Shell, Shell]:
    """Rails where the joint is ``at``, and the bearings that go with the body, in its axes."""
    if slide.sleeve > 0:
        return NOTHING, NOTHING
    (low, high), scale = slide.span, slide.scale
    rail = revolved(cylinder_outline(RAIL * scale, high - low, 0.05 * scale, (low + high) / 2, ONE), 14, Role.STEEL)
    collar = revolved(cylinder_outline(BEARING * scale, 0.7 * scale, 0.08 * scale, steps=ONE), 16, Role.PIN)
    middle, half = sum(slide.ends) / 2, (slide.ends[1] - slide.ends[0]) / 2
    apart = max(half - 0.45 * scale, 0.5 * half)
    rails, bearings = [], []
    for sign in (-1.0, 1.0):
        place = sign * slide.aside + slide.below
        rails.append(rail.along(slide.axis, at + place))
        bearings += [collar.along(slide.axis, place + (middle + s * apart) * slide.axis) for s in (-1.0, 1.0)]
    return join_shells(rails), join_shells(bearings)
