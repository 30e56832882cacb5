"""Colours: one for each quantity, the same in the formula, the arrow, the plot and the table.

The hues are those of Okabe and Ito, which colour-blind readers tell apart; where there are more quantities than
hues a darker shade of a hue is used, and every arrow carries its symbol besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["BLUE", "BODIES", "DARK", "LIGHT", "MUTED", "QUANTITY", "SERIES", "THEMES", "Theme", "body_colour"]

ORANGE: Final = "#E69F00"
SKY: Final = "#56B4E9"
GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
PURPLE: Final = "#CC79A7"
GREY: Final = "#6F7680"
MUTED: Final = "#5B6672"
"""Of words, and of letters of points, beside what has a colour."""

SERIES: Final = (BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY, "#8F3B6C", GREY)
"""Curves of a plot, in order."""

QUANTITY: Final = {
    "axis": GREY,
    "force": VERMILLION,
    "moment": PURPLE,
    "weight": "#8A6A2F",
    "acceleration": GREEN,
    "angular velocity": BLUE,
    "momentum": SKY,
    "angular momentum": "#004B7A",
    "static": ORANGE,
    "inertia": "#A39600",
    "deviation": "#8F3B6C",
    "static force": "#F0A05A",
    "kinetic force": "#A33F00",
    "applied force": "#E8836B",
    "pressure": "#7A2E00",
    "static reaction moment": "#DDA6C4",
    "kinetic moment": "#B0457F",
    "applied moment": "#9A7FB8",
    "pressure moment": "#6B2150",
    "effort": "#1B9AAA",
    "effort force": "#0F6B78",
    "rotator": "#5E4FA2",
    "coupled rotators": "#8FA0E0",
    "deviation rotator": "#9B4FD1",
    "constraint force": "#C62828",
    "constraint moment": "#D9486E",
    "carried force": "#CC5200",
    "load": "#C2185B",
}
"""The one table of colours of quantities, by their keys."""

BODIES: Final = ("#98B3D2", "#DFC89A", "#A3CAAE", "#CAAFCE")
"""Bodies are pale, so that arrows stand out, but of more colour than what carries them."""


def body_colour(index: int) -> str:
    """The colour of a body, by its place in the model."""
    return BODIES[index % len(BODIES)]


@dataclass(frozen=True)
class Theme:
    """What lies behind the mechanism.

    ``sky`` is the colour at the top and at the foot of the picture, ``background`` what lies between: labels are
    inked to be read on it. ``shade`` is how dark a shadow on the ground is at most. ``joints`` is the colour of axis
    lines, one for both: a page that turns dark by itself repaints no body. ``motion`` is that of
    what joints let bodies do.
    """

    background: str
    sky: tuple[str, str]
    lines: str
    ink: str
    joints: str
    selected: str
    motion: str
    shade: float


AXIS_LINES: Final = "#738090"
"""Contrast at least 3 with what is behind them, light or dark."""
LIGHT: Final = Theme(
    "#F4F6F8", ("#FFFFFF", "#E9EDF1"), "#B9C2CC", "#1F242B", AXIS_LINES, "#3D7EDB", "#0A7FCC", shade=0.34
)
DARK: Final = Theme(
    "#161B20", ("#0F1317", "#1C222A"), "#3C4650", "#E8ECF0", AXIS_LINES, "#6AA5F5", "#56B4E9", shade=0.62
)
THEMES: Final = {"light": LIGHT, "dark": DARK}
