"""What is said of arrows, as data: how long one of a round value is where the camera looks, whose they are, their sum.

``page/scale_bars.js`` lays them over the stage by the same rule; a test holds its numbers to these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.ladder import rung_below
from ..look.palette import body_colour
from ..quantities.free_body_quantities import free_body_vectors
from ..quantities.motion_quantities import arrows_of, find_quantity
from .drawn_arrows import DrawnArrow

__all__ = [
    "WIDEST",
    "Owners",
    "ScaleBar",
    "acts_on",
    "arrow_owners",
    "force_sum",
    "forces_on",
    "owner_of",
    "scale_bars",
]

WIDEST: Final = 110.0
"""Pixels of the longest bar; the shortest has two fifths of it, a step of 1, 2 and 5 being no wider."""


NEUTRAL: Final = "#5B6672"
"""Of a bar for arrows of several colours."""
FORCES: Final = ("N", "N m")
"""Units of what acts on a body."""
MINUS: Final = "\u2212"
MOST: Final = 4
"""Bodies that are named; of more arrows the dots are told by their colours alone."""


ACCELERATION: Final = "acceleration"
TERMS: Final = 5
"""Forces whose sum is written out; of more it is Σ F."""
Piece = tuple[str, str]
"""A symbol of a formula with its colour; signs and numbers have none."""


class Owners(NamedTuple):
    """What is said of bodies that have arrows, and their names, each with its colour: that of the arrows' feet."""

    words: str
    bodies: tuple[tuple[str, str], ...]


class ScaleBar(NamedTuple):
    """A round value of a unit, the colours of the quantities that have this scale, and its length in pixels."""

    value: float
    unit: str
    colours: tuple[str, ...]
    pixels: float

    @property
    def ink(self) -> str:
        """The colour of the bar: that of its arrows, or none of theirs where they have several."""
        return self.colours[0] if len(self.colours) == 1 else NEUTRAL


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


def acts_on(arrow: DrawnArrow, model: Model) -> tuple[str, str]:
    """Name and colour of the body that an arrow belongs to; empty where it belongs to none."""
    return ("", "") if arrow.body is None else (model.bodies[arrow.body].name, body_colour(arrow.body))


def owner_of(arrow: DrawnArrow, model: Model) -> list[Any]:
    """What the player knows of an arrow: name, colour and index of its body, and whether it acts at a point of it that
    other arrows may share, from whose rim it may begin."""
    return [*acts_on(arrow, model), arrow.body, arrow.pin is not None]


def arrow_owners(arrows: Sequence[DrawnArrow], model: Model) -> Owners | None:
    """What bodies arrows act on, or belong to where none is a force; None where there is nothing to say."""
    drawn = [arrow for arrow in arrows if arrow.measure and arrow.body is not None]
    bodies = tuple(dict.fromkeys(acts_on(arrow, model) for arrow in drawn))
    if not 0 < len(bodies) <= MOST:
        return None
    return Owners("arrows act on" if any(arrow.unit in FORCES for arrow in drawn) else "arrows of", bodies)


def forces_on(motion: Motion, arrows: Sequence[DrawnArrow]) -> list[list[str]]:
    """For each body the keys of all forces on it, which add up to m a_C; none unless an acceleration is drawn."""
    if not any(arrow.key == ACCELERATION for arrow in arrows):
        return []
    keys = free_body_vectors(motion.model)
    return [
        [key for key in keys if arrows_of(find_quantity(key), motion, index)]
        for index in range(len(motion.model.bodies))
    ]


def force_sum(arrows: Sequence[DrawnArrow], forces: Sequence[Sequence[str]]) -> list[Piece]:
    """F_R + G = m a_C, where all forces on a body are drawn and the acceleration of its mass centre, and no other's."""
    owners = {arrow.body for arrow in arrows if arrow.unit == "N" or arrow.key == ACCELERATION}
    body = owners.pop() if len(owners) == 1 else None
    if body is None or body >= len(forces):
        return []
    wanted, drawn = forces[body], [arrow for arrow in arrows if arrow.body == body]
    moved = [arrow for arrow in drawn if arrow.key == ACCELERATION]
    terms = [arrow for arrow in drawn if arrow.key in wanted]
    if not moved or not wanted or {arrow.key for arrow in terms} != set(wanted):
        return []
    total: list[Piece] = []
    for arrow in terms:
        bare = arrow.label.removeprefix(MINUS)
        sign = f" {MINUS} " if bare != arrow.label else " + "
        total += [(sign if total else sign.strip().removeprefix("+"), ""), (bare, arrow.colour)]
    if len(terms) > TERMS:
        total = [("Σ ", ""), ("F", terms[0].colour)]
    return [piece for piece in (*total, (" = ", ""), ("m ", ""), (moved[0].label, moved[0].colour)) if piece[0]]
