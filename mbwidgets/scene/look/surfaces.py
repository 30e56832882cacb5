"""Lights and surfaces as data: what falls on things, how much is seen through them, and what shines."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "ARROW_GLOW",
    "ARROW_HIDDEN",
    "ARROW_LIT",
    "BREATH",
    "BURIED",
    "FAN",
    "GHOST",
    "GLASS",
    "KEY",
    "OUTLINE",
    "SKYLIGHTS",
    "TRAIL",
    "Hemisphere",
    "Sun",
    "dimmed",
    "paled",
    "selection_glow",
    "through_both_faces",
]


class Hemisphere(NamedTuple):
    """A light that shades by direction: colours from above and from below, strength, and the way up."""

    above: str
    below: str
    strength: float
    up: tuple[float, float, float]


class Sun(NamedTuple):
    """A light with a direction: its colour, strength, and the way to it, in the picture's axes right, away and up."""

    colour: str
    strength: float
    towards: tuple[float, float, float]


KEY: Final = Sun("#ffffff", 0.44, (-0.46, -0.64, 1.3))
"""The light that casts shadows, from the front, the left and above."""
SKYLIGHTS: Final = (
    Hemisphere("#ffffff", "#8d939c", 0.70, (0.0, 0.0, 1.0)),
    Hemisphere("#ffffff", "#000000", 0.18, (0.85, -0.1, 0.35)),
)
"""From above; and from the right, which fills faces that the key light does not reach: as a hemisphere it costs no
shine."""
GHOST: Final = 0.2
"""Opacity of what is see-through: holes and plates."""
BREATH, OUTLINE = 0.055, 0.4
"""Opacity of the equivalent ellipsoid, which is seen beside the body in it, and of its lines."""
GLASS: Final = 0.4
"""Opacity of a body of glass, whose inside matters."""
BURIED: Final = 0.3
"""How strongly a joint is seen through the bodies that hide it."""
TRAIL: Final = 0.75
"""Opacity of paths and guides."""
FAN: Final = 0.62
"""Opacity of the Staude cone."""
ARROW_GLOW, ARROW_LIT = 0.74, 0.32
"""How strongly an arrow shines by itself, so that its colour is its name on every side, and how far light shapes it."""
ARROW_HIDDEN: Final = 0.5
"""How strongly an arrow is seen through a body; ``page/arrows.js`` has the same number."""
SELECTED: Final = 0.1
"""How strongly a selected body shines: it keeps the colour by which it is known."""


def dimmed(colour: str, share: float) -> str:
    """A share of a colour."""
    values = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(value * share):02X}" for value in values)


def paled(colour: str) -> str:
    """A colour two thirds of the way to white: the stripes of an arrow."""
    values = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(value + (255 - value) * 2 / 3):02X}" for value in values)


def through_both_faces(opacity: float) -> float:
    """How strongly a closed see-through thing is seen, whose front and back are both drawn."""
    return 1.0 - (1.0 - opacity) ** 2


def selection_glow(mark: str) -> str:
    """What a selected body shines with, of the theme's colour for it."""
    return dimmed(mark, SELECTED)
