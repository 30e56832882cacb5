"""Where an input that depends on time alone changes its sign: there a function of it has a kink or jumps.

Intervals are halved until bounds tell that an input has no zero there, or that it rises or falls all the way and has
one at most. Two zeros however close are found so, where samples would step over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from .intervals import Line, program_bounds
from .program_samples import sample

__all__ = ["zeros_of"]

DEPTH: Final = 40
"""Halvings at most: a part of 1e-12 of the motion. An input that touches zero is halved so often beside it."""
MOST: Final = 1 << 15
"""Intervals at most, some 25 ms of work: an input that trembles about zero has no end of them."""


@lru_cache(maxsize=256)  # as of the table of steps
def zeros_of(lines: tuple[Line, ...], duration: float) -> tuple[float, ...]:
    """The first times, 0 … duration, at which the sign of a program is no longer what it was."""
    t = _borders(lines, duration)
    signs = np.sign(sample(lines, t))
    found = [float(when) for when, sign in zip(t, signs, strict=True) if sign == 0.0]
    found += [_first_after(lines, t[k], t[k + 1], signs[k]) for k in np.flatnonzero(signs[:-1] * signs[1:] < 0.0)]
    return tuple(sorted(found))


def _borders(lines: tuple[Line, ...], duration: float) -> np.ndarray:
    """Times between which the program changes its sign once at most."""
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
    return np.unique(np.concatenate(kept))


def _first_after(lines: Sequence[Line], low: float, high: float, sign: float) -> float:
    """The first float between two times at which a program has not the sign that it had."""
    while low < (middle := 0.5 * (low + high)) < high:
        low, high = (middle, high) if np.sign(sample(lines, np.array(middle))) == sign else (low, middle)
    return float(high)
