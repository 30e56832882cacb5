"""A picture whose arrows are given as numbers: for vectors that belong to one view and not to every model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.arrows import Arrow
from .picture import Picture, Shown

__all__ = ["TRUE_LENGTH", "OwnArrow", "OwnArrowPicture"]

TRUE_LENGTH = "m"
"""The scale of lengths: drawn as long as they are."""


@dataclass(frozen=True, eq=False)
class OwnArrow:
    """A vector over the frames of a motion, to be drawn as an arrow.

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


class OwnArrowPicture(Picture):
    """A `Picture` that draws arrows given as `OwnArrow`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._own: dict[str, OwnArrow] = {}
        self._magnify = 1.0

    def draw(
        self, motion: Motion, arrows: Sequence[OwnArrow], selected: int | None = None, magnify: float = 1.0
    ) -> None:
        """Show a motion with these arrows; the selected body is marked."""
        self._own = {arrow.key: arrow for arrow in arrows}
        self._magnify = magnify
        self.show(motion, selected=selected, magnify=magnify)

    def _arrow(self, key: str, label: str) -> Arrow:
        if (key, label) not in self._pool:
            item = self._own[key]
            arrow = Arrow(self.stage.geometries, item.colour, label, item.double)
            self._pool[key, label] = arrow
            self.stage.add(*arrow.objects)
        return self._pool[key, label]

    def _values(self, motion: Motion, vectors: Sequence[str], indices: Sequence[int]) -> np.ndarray:
        items = list(self._own.values())
        self.shown = [Shown(item.key, 0, item.label) for item in items]
        self.scales = self._own_scales(items)
        out = np.zeros((len(motion), len(items), 6))
        for column, item in enumerate(items):
            out[:, column, :3], out[:, column, 3:] = item.at, item.value
            if item.offset is not None:
                out[:, column, :3] += self.scales[item.key] * item.offset
        return out

    def _lengths(self, values: np.ndarray, magnify: float, given: Mapping[str, float]) -> list[float]:
        return [self.scales[item.key] for item in self.shown]

    def _own_scales(self, items: Sequence[OwnArrow]) -> dict[str, float]:
        """Metres for one unit of each arrow; tips count where arrows stand on one another."""
        columns: dict[str, list[np.ndarray]] = {}
        for item in items:
            ends = [item.value] if item.offset is None else [item.value, item.value + item.offset]
            columns.setdefault(item.scale, []).extend(np.linalg.norm(end, axis=1) for end in ends)
        usual = {scale: 1.0 if scale == TRUE_LENGTH else self._scale(found) for scale, found in columns.items()}
        return {
            item.key: usual[item.scale] * (1.0 if item.scale == TRUE_LENGTH else item.magnify * self._magnify)
            for item in items
        }
