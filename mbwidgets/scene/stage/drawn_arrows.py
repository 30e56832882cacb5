"""The arrows of a picture as data: which there are, where they begin, and metres on the stage for one unit of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.arrow_bands import HEADLESS, PATTERN_OF
from ..look.ladder import step_below
from ..look.palette import QUANTITY
from ..quantities.motion_quantities import Drawn, Quantity, arrows_of, find_quantity
from ..quantities.registry import as_subscript
from .letters import lettered_pins
from .pin_feet import Feet, Pin

__all__ = [
    "FORCE",
    "LONGEST",
    "NUMBER",
    "SHORTEST",
    "TRUE_LENGTH",
    "DrawnArrow",
    "OwnArrow",
    "Scaled",
    "allowed_length",
    "arrow_scale",
    "distinct_labels",
    "laid_aside",
    "named_by_letters",
    "quantity_arrows",
    "scaled_own_arrows",
    "traced_arrows",
]

LONGEST: Final = 0.8
"""Length of the longest arrow over a motion, as a share of the radius of what is seen: no more than this,"""
SHORTEST: Final = 0.2
"""and no less than this share of it, or else the scale changes."""
DIRECTION: Final = 0.4
"""The same as `LONGEST` for unit vectors, whose lengths say nothing; ``NUMBER`` is their unit."""
NUMBER: Final = "1"
TAKEN: Final = ("x", "y", "z", "g")
"""Symbols of the world's axes and of gravity."""
FORCE: Final = "N"
WHOLE, CARRIED, CLOSING = "force", "carried force", "constraint force"
"""Quantities that are forces in joints, where a joint may be a loop's."""
HELD: Final = "reactions"
"""The table of what acts where joints hold their bodies."""
VARIES: Final = 0.01
"""Share of its largest value by which a force changes, and its trace is more than a dot."""
TRUE_LENGTH: Final = "m"
"""The scale of lengths: drawn as long as they are."""


@dataclass(frozen=True, eq=False)
class DrawnArrow:
    """An arrow over the frames of a motion, as it stands on the stage.

    Attributes
    ----------
    key : its quantity, or its name
    unit : of its value; arrows of one unit have one scale
    body : the body that it belongs to, by its index; None where it belongs to none
    label, colour, double : of the arrow
    begin : (frames, 3) m
    value : (frames, 3) in its own unit
    scale : metres for one unit
    pattern : rings, a bar or stripes on its shaft, one of `PATTERNS`, or none
    pin : what it acts at, where that may be a pin
    """

    key: str
    unit: str
    body: int | None
    label: str
    colour: str
    double: bool
    begin: np.ndarray
    value: np.ndarray
    scale: float
    pattern: str = ""
    pin: Pin | None = None

    @property
    def acts(self) -> bool:
        """Whether it is more than a direction or a line: then the point is marked where it begins."""
        return self.unit != NUMBER and self.pattern not in HEADLESS

    @property
    def measure(self) -> str:
        """The unit in which its length is read; none for directions, lines, and for what is zero in every frame."""
        return self.unit if self.acts and np.nan_to_num(self.value).any() else ""


@dataclass(frozen=True, eq=False)
class OwnArrow:
    """A vector over the frames of a motion that belongs to one view, to be drawn as an arrow.

    Attributes
    ----------
    key : its name; an arrow of the same name and label is kept from motion to motion
    label, colour, double : of the arrow
    at : (frames, 3) m, where it begins
    value : (frames, 3) in its own unit
    scale : arrows of one scale have the same metres for one unit, so that they can be added by eye; `TRUE_LENGTH` is
        that of lengths
    offset : (frames, 3) in the same unit: the arrow begins at the tip of this one, drawn from ``at``
    magnify : how much longer than usual; the same for all of one scale
    unit : of the value, where the scale is not called by it
    body : the one that it belongs to, by its index, where it begins at a body
    pattern : rings, a bar or stripes on its shaft, or a line of dashes
    ticks : the keys of the rows with which it is drawn, where that is not its own
    """

    key: str
    label: str
    colour: str
    at: np.ndarray
    value: np.ndarray
    scale: str
    double: bool = False
    offset: np.ndarray | None = None
    magnify: float = 1.0
    unit: str = ""
    body: int | None = None
    pattern: str = ""
    ticks: tuple[str, ...] = ()


class Scaled(NamedTuple):
    """Arrows on the stage; by key why some are missing; metres for one unit of each group of arrows, as usual."""

    arrows: list[DrawnArrow]
    missing: dict[str, Exception]
    scales: dict[str, float]


def arrow_scale(longest: float, allowed: float, before: float = 0.0) -> float:
    """Metres for one unit of arrows the longest of which is not to be longer than allowed, m: a round number.

    The scale before is kept as long as the longest arrow is not too long, nor shorter than a fifth of what is allowed.
    """
    if not (0.0 < longest < np.inf):
        return before
    if SHORTEST * allowed <= before * longest <= allowed:
        return before
    return step_below(allowed / longest)


def quantity_arrows(
    motion: Motion,
    keys: Sequence[str],
    indices: Sequence[int],
    radius: float,
    magnify: float = 1.0,
    given: Mapping[str, float] | None = None,
    kept: Mapping[str, float] | None = None,
) -> Scaled:
    """Arrows of these quantities for these bodies.

    ``magnify``: how much longer than usual all of them are; ``given``: metres for one unit of those quantities whose
    arrows are not scaled automatically. The others of one unit share one scale, so that they can be compared; it is
    that of all bodies, not only of those that are drawn, and the one that was ``kept`` as long as it will do.
    """
    found: list[tuple[Quantity, int, Drawn, Pin | None]] = []
    missing: dict[str, Exception] = {}
    longest: dict[str, float] = {}
    for key in keys:
        item = find_quantity(key)
        for index in range(len(motion.model.bodies)):
            try:
                arrows = arrows_of(item, motion, index)
            except Exception as error:  # whatever it is, the others are drawn
                if index in indices:
                    missing[key] = error
                continue
            longest[item.unit] = max(longest.get(item.unit, 0.0), _longest([arrow.value for arrow in arrows]))
            if index in indices:
                pins = pins_of(item, motion, index, len(arrows))
                found += [(item, index, arrow, pin) for arrow, pin in zip(arrows, pins, strict=True)]
    usual = {
        unit: arrow_scale(length, allowed_length(unit, radius), (kept or {}).get(unit, 0.0))
        for unit, length in longest.items()
    }
    by_hand, several = given or {}, len(indices) > 1
    drawn = [
        DrawnArrow(
            item.key,
            item.unit,
            index,
            arrow.label + (as_subscript(str(index + 1)) if several else ""),
            item.colour,
            item.double,
            arrow.begin,
            arrow.value,
            magnify * by_hand.get(item.key, usual[item.unit]),
            PATTERN_OF.get(item.key, ""),
            pin,
        )
        for item, index, arrow, pin in sorted(found, key=lambda row: (keys.index(row[0].key), indices.index(row[1])))
    ]
    return Scaled(distinct_labels(drawn), missing, {**(kept or {}), **usual})


def pins_of(item: Quantity, motion: Motion, index: int, count: int) -> list[Pin | None]:
    """What each of a body's arrows of a quantity acts at: its joint or another, a constraint, or none."""
    sources = item.page_sources(motion, index)
    if sources is None or len(sources) != count:
        return [_pin_at(item.at, index)] * count
    return [
        Pin("loop", source.owner)
        if source.owner >= 0
        else Pin("carrier", source.body)
        if item.key == CARRIED and source.at != "O*"
        else Pin("slide", source.body)
        if source.table == HELD and source.at == "O*"
        else _pin_at(source.at, source.body)
        for source in sources
    ]


def _pin_at(at: Any, index: int) -> Pin | None:
    """What is drawn at a body's point, which may have a name, or at that of its joint."""
    return Pin("joint", index) if at in ("O", "held") else Pin("centre", index) if at == "C" else None


def distinct_labels(arrows: Sequence[DrawnArrow]) -> list[DrawnArrow]:
    """The arrows, numbered where several of them, or one of the world's axes, would have the same symbol."""
    counts = Counter(arrow.label for arrow in arrows)
    seen: Counter[str] = Counter()
    out = []
    for arrow in arrows:
        label = arrow.label
        if label.strip() and (counts[label] > 1 or label in TAKEN):
            seen[label] += 1
            arrow = replace(arrow, label=label + as_subscript(str(seen[label])))
        out.append(arrow)
    return out


def laid_aside(arrows: Sequence[DrawnArrow], motion: Motion, feet: Feet) -> list[DrawnArrow]:
    """The arrows beginning where their bodies are drawn, or at the heads of their pins, by whose letters they go."""
    out = []
    for arrow in named_by_letters(arrows, motion.model, feet):
        shift = feet.shift(arrow.body, arrow.pin)
        moved = arrow.body is not None and bool(shift.any())
        out.append(replace(arrow, begin=arrow.begin + motion.rotations[:, arrow.body] @ shift) if moved else arrow)
    return out


def named_by_letters(arrows: Sequence[DrawnArrow], model: Model, feet: Feet) -> list[DrawnArrow]:
    """The arrows with the names that a figure with letters gives: F_A at the pin A, N where a slide is held.

    What closes a loop at a pin is a force in a joint like any other: it has the colour of these. F_A acts on the body
    that the joint carries, or that the loop names second; on the other one acts −F_A.
    """
    letters = lettered_pins(model, feet)
    return distinct_labels([_named(arrow, model, letters) for arrow in arrows]) if letters else list(arrows)


def _named(arrow: DrawnArrow, model: Model, letters: Mapping[Pin, str]) -> DrawnArrow:
    pin, minus = arrow.pin, "−" if arrow.key == CARRIED else ""
    if pin is None or arrow.key not in (WHOLE, CARRIED, CLOSING):
        return arrow
    if pin.kind == "slide" and arrow.key != CLOSING:
        return replace(arrow, label=f"{minus}N") if model.bodies[pin.number].joint.type == "prismatic" else arrow
    pin = Pin("joint", pin.number) if pin.kind == "carrier" else pin
    if pin not in letters:
        return arrow
    if arrow.key == CLOSING:
        first = model.constraints[pin.number].a.body
        minus = "−" if first is not None and model.index(first) == arrow.body else ""
    alike = CARRIED if minus else WHOLE
    label, colour, pattern = f"{minus}F_{letters[pin]}", QUANTITY[alike], PATTERN_OF.get(alike, "")
    return replace(arrow, label=label, colour=colour, pattern=pattern)


def traced_arrows(arrows: Sequence[DrawnArrow]) -> list[int]:
    """The places in the list of forces that change over the motion: those whose tips leave a trace."""
    found = []
    for place, arrow in enumerate(arrows):
        values = arrow.value[np.isfinite(arrow.value).all(axis=1)]
        if arrow.unit == FORCE and len(values) and np.ptp(values, axis=0).max() > VARIES * np.abs(values).max():
            found.append(place)
    return found


def allowed_length(unit: str, radius: float) -> float:
    """The longest that an arrow of a unit may be where so much is seen, m."""
    return radius * (DIRECTION if unit == NUMBER else LONGEST)


def _longest(values: Sequence[np.ndarray]) -> float:
    """The length of the longest of vectors (frames, 3) that are finite."""
    with np.errstate(over="ignore"):
        lengths = [np.linalg.norm(value, axis=1) for value in values]
    return max((float(np.max(item[np.isfinite(item)], initial=0.0)) for item in lengths), default=0.0)


def scaled_own_arrows(
    items: Sequence[OwnArrow], radius: float, magnify: float = 1.0, kept: Mapping[str, float] | None = None
) -> Scaled:
    """Arrows of a view as they stand on the stage; where arrows stand on one another their tips count for the scale."""
    longest: dict[str, float] = {}
    allowed: dict[str, float] = {}
    for item in items:
        ends = [item.value] if item.offset is None else [item.value, item.value + item.offset]
        longest[item.scale] = max(longest.get(item.scale, 0.0), _longest(ends))
        allowed[item.scale] = item.magnify * allowed_length(item.unit, radius)
    usual = {
        name: 1.0 if name == TRUE_LENGTH else arrow_scale(length, allowed[name], (kept or {}).get(name, 0.0))
        for name, length in longest.items()
    }
    out = []
    for item in items:
        scale = usual[item.scale] * (1.0 if item.scale == TRUE_LENGTH else magnify)
        begin = item.at if item.offset is None else item.at + scale * item.offset
        unit, value, pattern = item.unit or item.scale, item.value, item.pattern
        look = item.label, item.colour, item.double
        out.append(DrawnArrow(item.key, unit, item.body, *look, begin, value, scale, pattern))
    return Scaled(distinct_labels(out), {}, {**(kept or {}), **usual})
