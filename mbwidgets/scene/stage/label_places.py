"""Where the labels of arrows stand: beyond the tip if they can, where they cover nothing that matters. All in pixels.

``page/label_places.js`` places those of the page by the same rule; a test holds the two to the same places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

__all__ = ["CLEAR", "DOT", "HEAD_BOX", "MARK_BOX", "Box", "LabelItem", "how_seen", "label_candidates", "place_labels"]

BEYOND: Final = 6.0
"""Pixels between a tip and its label."""
FROM_EDGE: Final = 3.0
"""Pixels from the edges of the picture."""
TURNS: Final = (0, 25, -25, 50, -50, 75, -75, 105, -105, 140, -140, 180)
"""Degrees about the tip from the arrow's own way, the best first; then farther away along those of ``FARTHER``."""
FARTHER: Final = (0, 50, -50, 105, -105, 180)
ONE_FARTHER: Final = 20.0
"""Pixels farther away."""
ON_LABEL, ON_SPOT, ON_SHAFT, ON_BODY = 100.0, 40.0, 30.0, 5.0
"""What it costs to cover the whole of a label, a head or a mass centre, a shaft across, a body."""
RANK, APART = 0.3, 4.0
"""What each place costs more than the one before it; and one farther away, which could be taken for another's."""
CLEAR: Final = 5.0
"""Pixels between a label and the shaft of another arrow, by which it could be taken for that one's: of one that neither
begins nor ends at its place."""
DOT: Final = 10.0
"""Pixels of a head that is small: a shorter arrow is a dot, and its label would be a letter by itself."""
END_ON: Final = 1.5
"""Times as long that it would be if seen from the side, where it only points at the camera."""
HEAD_BOX, MARK_BOX = 12.0, 14.0
"""Pixels of a head with a little room, and of the mark of a mass centre."""


class Box(NamedTuple):
    """The middle, width and height of a rectangle."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True)
class LabelItem:
    """A label of a width and a height at a tip that is reached along a way, or without one at a place of its own.

    ``loose``: its arrow begins outside the picture, and so may the label stand.
    """

    tip: tuple[float, float]
    way: tuple[float, float] | None
    w: float
    h: float
    loose: bool = False


def how_seen(begin: np.ndarray, tip: np.ndarray, length: float) -> str:
    """Whether an arrow can be told from a dot, or why not: ``"seen"``, ``"short"``, or ``"end-on"`` to the camera."""
    if np.hypot(*(tip - begin)) >= DOT:
        return "seen"
    return "end-on" if length > END_ON * DOT else "short"


def label_candidates(item: LabelItem) -> list[tuple[float, float]]:
    """Middles of the boxes about the tip, the best first."""
    x, y = item.way or (0.0, -1.0)

    def at(degrees: float, far: float) -> tuple[float, float]:
        cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        ux, uy = x * cosine - y * sine, x * sine + y * cosine
        # from the middle of a box to its side, along the way
        side = min(item.w / 2 / max(abs(ux), 1e-9), item.h / 2 / max(abs(uy), 1e-9))
        return float(item.tip[0] + ux * (far + side)), float(item.tip[1] + uy * (far + side))

    places = [*(at(turn, BEYOND) for turn in TURNS), *(at(turn, BEYOND + ONE_FARTHER) for turn in FARTHER)]
    return places if item.way is not None else [item.tip, *places]


def place_labels(
    items: Sequence[LabelItem],
    lines: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    spots: Sequence[Box],
    size: tuple[float, float],
    covered: Callable[[Box], float] = lambda _: 0.0,
) -> list[Box]:
    """The best box of each label in a picture of a size, in the order of the items.

    ``lines`` are the shafts of arrows, ``spots`` what is not to be covered; ``covered`` tells what share of a box is
    over bodies.
    """
    taken: list[Box] = []
    for item in items:
        found = [_rated(item, k, place, lines, spots, taken, size) for k, place in enumerate(label_candidates(item))]
        rated = [(cost + ON_BODY * covered(box), box) for cost, box in found]
        taken.append(min(rated, key=lambda pair: pair[0])[1])
    return taken


def _rated(
    item: LabelItem,
    number: int,
    place: tuple[float, float],
    lines: Sequence[tuple[tuple[float, float], tuple[float, float]]],
    spots: Sequence[Box],
    taken: Sequence[Box],
    size: tuple[float, float],
) -> tuple[float, Box]:
    """What a place costs, without bodies, and the box there."""
    w, h = item.w, item.h
    x, y = place if item.loose else (_within(place[0], w, size[0]), _within(place[1], h, size[1]))
    box = Box(x, y, w, h)
    nearby = len(TURNS) + (item.way is None)
    cost = RANK * number + (APART if number >= nearby else 0.0)
    # a place that was pushed in from the edge is none of its own
    cost += ON_LABEL * float(np.hypot(x - place[0], y - place[1])) / (w + h)
    cost += sum(ON_LABEL * _overlap(box, other) / (w * h) for other in taken)
    cost += sum(ON_SPOT * _overlap(box, spot) / (spot.w * spot.h) for spot in spots)
    clear = Box(x, y, w + 2 * CLEAR, h + 2 * CLEAR)
    cost += sum(ON_SHAFT * _length_inside(*line, box if _is_own(line, item) else clear) / w for line in lines)
    return cost, box


def _is_own(line: tuple[tuple[float, float], tuple[float, float]], item: LabelItem) -> bool:
    return any(float(np.hypot(x - item.tip[0], y - item.tip[1])) <= BEYOND for x, y in line)


def _within(value: float, length: float, whole: float) -> float:
    return min(max(value, length / 2 + FROM_EDGE), whole - length / 2 - FROM_EDGE)


def _overlap(a: Box, b: Box) -> float:
    right = min(a.x + a.w / 2, b.x + b.w / 2) - max(a.x - a.w / 2, b.x - b.w / 2)
    down = min(a.y + a.h / 2, b.y + b.h / 2) - max(a.y - a.h / 2, b.y - b.h / 2)
    return max(right, 0.0) * max(down, 0.0)


def _length_inside(p: tuple[float, float], q: tuple[float, float], box: Box) -> float:
    """The length of a line inside a box."""
    start, end = 0.0, 1.0
    for k, (middle, length) in enumerate(((box.x, box.w), (box.y, box.h))):
        way, low, high = q[k] - p[k], middle - length / 2 - p[k], middle + length / 2 - p[k]
        if abs(way) < 1e-12:
            if low > 0 or high < 0:
                return 0.0
            continue
        start, end = max(start, min(low / way, high / way)), min(end, max(low / way, high / way))
    return (end - start) * float(np.hypot(q[0] - p[0], q[1] - p[1])) if end > start else 0.0
