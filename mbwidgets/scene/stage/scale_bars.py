"""Scale bars: how long an arrow of a round value is at the depth of what is looked at, as data.

``page/scale_bars.js`` lays them over the stage by the same rule; a test holds its numbers to these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..look.ladder import rung_below
from .drawn_arrows import DrawnArrow

__all__ = ["WIDEST", "ScaleBar", "scale_bars"]

WIDEST: Final = 110.0
"""Pixels of the longest bar; the shortest has two fifths of it, a step of 1, 2 and 5 being no wider."""


class ScaleBar(NamedTuple):
    """A round value of a unit, the colours of the quantities that have this scale, and its length in pixels."""

    value: float
    unit: str
    colours: tuple[str, ...]
    pixels: float


def scale_bars(arrows: Sequence[DrawnArrow], pixels: float) -> list[ScaleBar]:
    """A bar for every scale of arrows that are drawn; ``pixels`` are those of a metre at the depth of the target."""
    colours: dict[tuple[str, float], dict[str, None]] = {}
    for arrow in arrows:
        if arrow.measure and arrow.scale > 0.0:
            colours.setdefault((arrow.measure, arrow.scale), {})[arrow.colour] = None
    bars = []
    for (unit, scale), found in colours.items():
        value = rung_below(WIDEST / (scale * pixels))
        bars.append(ScaleBar(value, unit, tuple(found), value * scale * pixels))
    return bars
