"""Where an input that depends on time alone changes its sign: there a function of it has a kink or jumps.

Intervals are halved until bounds tell that an input has no zero there, or that it rises or falls all the way and has
one at most. Two zeros however close are found so, where samples would step over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from .intervals import Line, program_bounds, sample

__all__ = ["Zeros", "zeros_of"]

DEPTH: Final = 40
"""Halvings at most: a part of 1e-12 of the motion. An input that touches zero is halved so often beside it."""
MOST: Final = 1 << 16
"""Intervals at most, some 50 ms of work: an input that trembles about zero has no end of them, which is told."""
HALVINGS: Final = 1100
"""From any two floats to neighbours."""


class Zeros(NamedTuple):
    """Times at which the sign of an input is no longer what it was, and whether some may be missing."""

    times: tuple[float, ...]
    too_fast: bool


@lru_cache(maxsize=256)  # as of the table of steps
def zeros_of(lines: tuple[Line, ...], duration: float) -> Zeros:
    """The first times, 0 … duration, at which the sign of a program is no longer what it was."""
    t, too_fast = _borders(lines, duration)
    signs = np.sign(sample(lines, t))
    k = np.flatnonzero(signs[:-1] * signs[1:] < 0.0)
    found = np.concatenate([t[signs == 0.0], _first_after(lines, t[k], t[k + 1], signs[k])])
    return Zeros(tuple(np.sort(found).tolist()), too_fast)


def _borders(lines: tuple[Line, ...], duration: float) -> tuple[np.ndarray, bool]:
    """Times between which the program changes its sign once at most, and whether there are too many of them."""
    low, width, count = np.array([0.0]), duration, 0
    kept = [np.array([0.0, duration])]
    for depth in range(DEPTH + 1):
        bounds = program_bounds(lines, low, low + width, across=True)
        near = (bounds.low <= 0.0) & (bounds.high >= 0.0) & ((bounds.low < 0.0) | (bounds.high > 0.0))
        count += len(low)
        done = near & (bounds.steady | (depth == DEPTH) | (count > MOST))
        kept += [low[done], low[done] + width]
        low = low[near & ~done]
        if not len(low):
            break
        width /= 2
        low = np.concatenate([low, low + width])
    return np.unique(np.concatenate(kept)), count > MOST


def _first_after(lines: Sequence[Line], low: np.ndarray, high: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """The first floats between pairs of times at which a program has not the sign that it had."""
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        between = (low < middle) & (middle < high)
        if not between.any():
            break
        same = np.sign(sample(lines, middle)) == sign
        low, high = np.where(between & same, middle, low), np.where(between & ~same, middle, high)
    return high
