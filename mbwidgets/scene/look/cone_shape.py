"""The Staude cone as data: a fan of axes fixed in a body, coloured by speed, the vertical beside it, barycentres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...numeric.base.rotations import quaternion_from_y
from ...numeric.permanent.cone_curves import ConeCurve
from .extras import Fan, Word
from .shapes import STRAIGHT, Part, triple_of

__all__ = ["ANY", "RAMP", "SpeedScale", "barycentre_parts", "cone_fan", "vertical_parts"]

MANY: Final = 10
RAMP: Final = ((226, 170, 52), (96, 172, 112), (24, 132, 168), (46, 58, 140))
"""Of speeds, slow to fast, red, green, blue: amber to indigo, darker as it goes, so that grey prints and colour-blind
readers tell it too, and none of its colours is as pale as the paper."""
ANY: Final = "#9AA1AA"
"""Colour of an axis at which any speed will do."""


@dataclass(frozen=True)
class SpeedScale:
    """Colours for speeds from ``low`` to ``high``, rad/s, by their logarithm; what lies beyond has the end's colour."""

    low: float
    high: float

    @classmethod
    def of(cls, natural: float) -> SpeedScale:
        """About a natural speed √(g|a|/A): a third of it to five times it."""
        return cls(natural / 3.0, natural * 5.0) if natural > 0.0 else cls(1.0, 10.0)

    def share(self, speeds: Any) -> np.ndarray:
        """0 at ``low``, 1 at ``high``."""
        with np.errstate(divide="ignore"):
            part = np.log(np.asarray(speeds, dtype=float) / self.low) / np.log(self.high / self.low)
        return np.asarray(np.clip(part, 0.0, 1.0))

    def rgb(self, speeds: Any) -> np.ndarray:
        """Colours (…, 3) in 0 … 1; grey for nan."""
        share = self.share(speeds)
        known = np.nan_to_num(share) * (len(RAMP) - 1)
        ramp = np.array(RAMP) / 255.0
        colour = np.stack([np.interp(known, np.arange(len(RAMP)), ramp[:, k]) for k in range(3)], axis=-1)
        grey = np.array([int(ANY[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
        return np.where(np.isnan(share)[..., None], grey, colour)

    def hexes(self, speeds: Any) -> list[str]:
        """Colours as text."""
        return ["#" + "".join(f"{round(255 * part):02X}" for part in colour) for colour in self.rgb(np.ravel(speeds))]

    @property
    def ticks(self) -> list[float]:
        """1, 2 and 5 of every decade between the ends."""
        decades = range(int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high))) + 1)
        values = [lead * 10.0**decade for decade in decades for lead in (1, 2, 5)]
        return [float(value) for value in values if self.low <= value <= self.high]


def cone_fan(curves: Sequence[ConeCurve], scale: SpeedScale, length: float) -> Fan:
    """A fan of triangles from the joint along the axes, of this length, m."""
    points, tints = [], []
    # of many rings some are enough: one cone inside the other hides what is between
    for curve in curves if len(curves) <= MANY else curves[MANY // 2 :: MANY // 2]:
        colours = scale.rgb(curve.speeds)
        ends = length * curve.axes
        for k in range(len(ends) - 1):
            points += [np.zeros(3), ends[k], ends[k + 1]]
            tints += [(colours[k] + colours[k + 1]) / 2, colours[k], colours[k + 1]]
    return Fan(np.array(points).reshape(-1, 3, 3), np.array(tints).reshape(-1, 3, 3))


def vertical_parts(at: Any, down: Any, length: float) -> tuple[tuple[Part, Part], Word]:
    """The vertical through a point, ``down`` a unit vector: its line, its tip, and ν at its lower end."""
    point, way, size = np.asarray(at, dtype=float), np.asarray(down, dtype=float), 0.011 * length
    turn = quaternion_from_y(way)
    line = Part("cylinder", triple_of(point + 0.25 * length * way), turn, (0.35 * size, 1.9 * length, 0.35 * size))
    tip = Part("cone", triple_of(point + 1.2 * length * way), turn, (1.6 * size, 5 * size, 1.6 * size))
    return (line, tip), Word("ν", triple_of(point + 1.32 * length * way))


def barycentre_parts(places: np.ndarray, masses: np.ndarray, size: float) -> list[Part]:
    """A ball for each augmented body, larger where more mass is counted: ``places`` (n, 3) in body axes."""
    radii = 0.032 * size * np.cbrt(masses / masses.max())
    return [
        Part("ball", triple_of(place), STRAIGHT, (float(radius),) * 3)
        for place, radius in zip(places, radii, strict=True)
    ]
