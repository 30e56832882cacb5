"""The arrows of a picture as data: which there are, where they begin, and metres on the stage for one unit of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion
from ..quantities.motion_quantities import Drawn, Quantity, arrows_of, find_quantity
from ..quantities.registry import as_subscript

__all__ = [
    "LONGEST",
    "TRUE_LENGTH",
    "USUAL",
    "DrawnArrow",
    "OwnArrow",
    "arrow_scale",
    "quantity_arrows",
    "scaled_own_arrows",
]

USUAL, LONGEST = 0.38, 1.4
"""Length of an arrow in half of the frames, and in nine of ten, as shares of the radius of what is seen."""
TRUE_LENGTH: Final = "m"
"""The scale of lengths: drawn as long as they are."""


@dataclass(frozen=True, eq=False)
class DrawnArrow:
    """An arrow over the frames of a motion, as it stands on the stage.

    Attributes
    ----------
    key : its quantity, or its name
    body : the body that it belongs to, by its index
    label, colour, double : of the arrow
    begin : (frames, 3) m
    value : (frames, 3) in its own unit
    scale : metres for one unit
    """

    key: str
    body: int
    label: str
    colour: str
    double: bool
    begin: np.ndarray
    value: np.ndarray
    scale: float


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


def arrow_scale(lengths: Sequence[np.ndarray], radius: float) -> float:
    """Metres for one unit of arrows with these lengths (frames,) in a picture of what lies within a radius.

    It suits most frames: of a violent motion the few longest arrows leave the picture.
    """
    strongest = np.max([np.where(np.isfinite(column), column, 0.0) for column in lengths], axis=0)
    strongest = strongest[strongest > 0.0]
    if not strongest.size:
        return 0.0
    usual, long = np.quantile(strongest, [0.5, 0.9])
    return float(radius * min(USUAL / usual, LONGEST / long))


def quantity_arrows(
    motion: Motion,
    keys: Sequence[str],
    indices: Sequence[int],
    radius: float,
    magnify: float = 1.0,
    scales: Mapping[str, float] | None = None,
) -> tuple[list[DrawnArrow], dict[str, Exception]]:
    """Arrows of these quantities for these bodies, and by key why some are missing.

    ``magnify``: how much longer than usual all of them are; ``scales``: metres for one unit of those quantities whose
    arrows are not scaled automatically. The others of one unit share one scale, so that they can be compared.
    """
    found: list[tuple[Quantity, int, Drawn]] = []
    missing: dict[str, Exception] = {}
    for key in keys:
        item = find_quantity(key)
        for index in indices:
            try:
                found += [(item, index, arrow) for arrow in arrows_of(item, motion, index)]
            except Exception as error:  # whatever it is, the others are drawn
                missing[key] = error
    by_unit: dict[str, list[np.ndarray]] = {}
    for item, _, arrow in found:
        by_unit.setdefault(item.unit, []).append(np.linalg.norm(arrow.value, axis=1))
    usual = {unit: arrow_scale(lengths, radius) for unit, lengths in by_unit.items()}
    given, several = scales or {}, len(indices) > 1
    arrows = [
        DrawnArrow(
            item.key,
            index,
            arrow.label + (as_subscript(str(index + 1)) if several else ""),
            item.colour,
            item.double,
            arrow.begin,
            arrow.value,
            magnify * given.get(item.key, usual[item.unit]),
        )
        for item, index, arrow in found
    ]
    return arrows, missing


def scaled_own_arrows(items: Sequence[OwnArrow], radius: float, magnify: float = 1.0) -> list[DrawnArrow]:
    """Arrows of a view as they stand on the stage; where arrows stand on one another their tips count for the scale."""
    lengths: dict[str, list[np.ndarray]] = {}
    for item in items:
        ends = [item.value] if item.offset is None else [item.value, item.value + item.offset]
        lengths.setdefault(item.scale, []).extend(np.linalg.norm(end, axis=1) for end in ends)
    usual = {name: 1.0 if name == TRUE_LENGTH else arrow_scale(found, radius) for name, found in lengths.items()}
    out = []
    for item in items:
        scale = usual[item.scale] * (1.0 if item.scale == TRUE_LENGTH else item.magnify * magnify)
        begin = item.at if item.offset is None else item.at + scale * item.offset
        out.append(DrawnArrow(item.key, 0, item.label, item.colour, item.double, begin, item.value, scale))
    return out
