"""Lights and surfaces as data: what falls on things, how much is seen through them, and what shines."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "ARROW_GLOW",
    "FAN",
    "FLOOR",
    "GHOST",
    "LIGHTS",
    "TRAIL",
    "Hemisphere",
    "selection_glow",
    "through_both_faces",
]


class Hemisphere(NamedTuple):
    """A light that shades by direction: colours from above and from below, strength, and the way up."""

    above: str
    below: str
    strength: float
    up: tuple[float, float, float]


LIGHTS: Final = (
    Hemisphere("#ffffff", "#8d8f96", 0.66, (0.25, -0.55, 0.8)),
    Hemisphere("#ffffff", "#5b5e66", 0.32, (0.9, 0.3, 0.2)),
)
GHOST: Final = 0.2
"""Opacity of what is see-through: holes, plates, the equivalent ellipsoid."""
FLOOR: Final = 0.2
"""Opacity of the ground between its lines."""
TRAIL: Final = 0.75
"""Opacity of paths and guides."""
FAN: Final = 0.62
"""Opacity of the Staude cone."""
ARROW_GLOW: Final = 0.12
"""How strongly an arrow shines by itself, so that its colour is its name on every side."""
SELECTED: Final = 0.32


def through_both_faces(opacity: float) -> float:
    """How strongly a closed see-through thing is seen, whose front and back are both drawn."""
    return 1.0 - (1.0 - opacity) ** 2


def selection_glow(mark: str) -> str:
    """What a selected body shines with, of the theme's colour for it."""
    values = (int(mark[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(value * SELECTED):02X}" for value in values)
