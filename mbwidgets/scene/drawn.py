"""A picture whose arrows are given as numbers: for vectors that belong to one view and not to every model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..numeric.motion import Motion
from .arrows import Arrow
from .picture import LONGEST, Picture

__all__ = ["TRUE", "Drawn", "DrawnPicture"]

TRUE = "m"
"""The scale of lengths: drawn as long as they are."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A vector over the frames of a motion, to be drawn as an arrow.

    Attributes
    ----------
    key : its name; an arrow of the same name is kept from motion to motion
    label, colour, double : of the arrow
    at : (frames, 3) m, where it begins
    value : (frames, 3) in its own unit
    scale : arrows of one scale have the same metres for one unit, so that they can be added by eye;
        `TRUE` is that of lengths
    offset : (frames, 3) in the same unit: the arrow begins at the tip of this one, drawn from ``at``
    longest : length of the longest arrow of the scale, as a share of the model's size
    """

    key: str
    label: str
    colour: str
    at: np.ndarray
    value: np.ndarray
    scale: str
    double: bool = False
    offset: np.ndarray | None = None
    longest: float = LONGEST


class DrawnPicture(Picture):
    """A `Picture` that draws arrows given as `Drawn`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._drawn: dict[str, Drawn] = {}
        self._magnify = 1.0

    def draw(self, motion: Motion, arrows: Sequence[Drawn], selected: int | None = None, magnify: float = 1.0) -> None:
        """Show a motion with these arrows; the selected body is marked."""
        self._drawn = {arrow.key: arrow for arrow in arrows}
        self._magnify = magnify
        self.show(motion, tuple(self._drawn), (0,), selected, magnify)

    def _arrow(self, key: str, slot: int) -> Arrow:
        item = self._drawn[key]
        if (key, slot) not in self._pool:
            arrow = Arrow(self.stage.geometries, item.colour, item.label, item.double, self.stage.size)
            self._pool[key, slot] = arrow
            self.stage.add(*arrow.objects)
        return self._pool[key, slot]

    def _values(self, motion: Motion) -> np.ndarray:
        self.scales = _scales(self._drawn.values(), self.stage.size * self._magnify)
        out = np.zeros((len(motion), len(self._drawn), 6))
        for column, item in enumerate(self._drawn.values()):
            out[:, column, :3] = item.at
            out[:, column, 3:] = item.value
            if item.offset is not None:
                out[:, column, :3] += self.scales[item.scale] * item.offset
        return out

    def _lengths(self, values: np.ndarray, magnify: float) -> list[float]:
        return [self.scales[item.scale] for item in self._drawn.values()]


def _scales(items: Any, size: float) -> dict[str, float]:
    """Metres for one unit of each scale: its longest arrow, and its farthest tip, have the length wanted."""
    longest: dict[str, float] = {}
    wanted: dict[str, float] = {}
    for item in items:
        ends = [item.value] if item.offset is None else [item.value, item.value + item.offset]
        sizes = np.concatenate([np.linalg.norm(end, axis=1) for end in ends])
        longest[item.scale] = max(longest.get(item.scale, 0.0), float(sizes[np.isfinite(sizes)].max(initial=0.0)))
        wanted[item.scale] = item.longest
    scales = {key: wanted[key] * size / value if value > 0 else 0.0 for key, value in longest.items()}
    return {key: 1.0 if key == TRUE else scale for key, scale in scales.items()}
