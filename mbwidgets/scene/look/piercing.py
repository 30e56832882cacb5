"""What a straight line goes through: where a pin finds the material of the bodies that it joins."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...numeric.base.rotations import farthest_axis, unit_vector
from .shell import Shell

__all__ = ["Interval", "nearest_intervals", "pierced"]

Interval = tuple[float, float]
ASIDE: Final = (0.00317, 0.00243)
"""Of the line, in radii: one that goes exactly through corners would count them twice, or not at all."""


def pierced(shell: Shell, place: Any, axis: np.ndarray, radius: float) -> list[Interval]:
    """From where to where along an axis through a place a line is inside closed surfaces, m, in rising order."""
    if not len(shell):
        return []
    first = unit_vector(np.cross(axis, farthest_axis(axis)))
    start = np.asarray(place, dtype=float) + radius * (ASIDE[0] * first + ASIDE[1] * np.cross(axis, first))
    a, b, c = np.moveaxis(shell.corners, 1, 0)
    edge, other = b - a, c - a
    across = np.cross(axis, other)
    size = (edge * across).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        away = start - a
        u = (away * across).sum(axis=1) / size
        turned = np.cross(away, edge)
        v = (turned @ axis) / size
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (size != 0)
        places = ((other * turned).sum(axis=1) / size)[hit]
    order = np.argsort(places)
    found, depth, begin = list[Interval](), 0, 0.0
    # the sign of ``size`` tells whether the line comes in or goes out
    for t, way in zip(places[order], np.sign(size[hit])[order], strict=True):
        if depth == 0:
            begin = float(t)
        depth += 1 if way > 0 else -1
        if depth <= 0:
            depth = 0
            if t > begin:
                found.append((begin, float(t)))
    return found


def nearest_intervals(found: list[Interval], close: float) -> tuple[list[Interval], bool]:
    """Those about the place itself, within ``close``, or else the nearest on either side; and whether they are."""
    here = [item for item in found if item[0] <= close and item[1] >= -close]
    if here:
        return [(min(low for low, _ in here), max(high for _, high in here))], True
    below, above = [item for item in found if item[1] < 0], [item for item in found if item[0] > 0]
    return [*below[-1:], *above[:1]], False
