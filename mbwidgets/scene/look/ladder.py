"""Round numbers: 1, 2 and 5 of every decade."""

from __future__ import annotations

import math
from typing import Final

__all__ = ["rung_above", "rung_below", "step_below"]

RUNGS: Final = (1, 2, 5, 10)
STEPS: Final = (1, 1.5, 2, 3, 5, 7, 10)
"""Finer ones, for what is not read: of what is allowed two thirds are used at least."""
ROUNDING: Final = 1e-9
"""Relative: a rung that is reached up to rounding is reached."""


def rung_below(value: float) -> float:
    """The largest round number that is not above a positive one."""
    decade = math.floor(math.log10(value))
    found = max(step for step in (0.5, *RUNGS) if step <= value / 10.0**decade * (1 + ROUNDING))
    return float(f"{found:g}e{decade}")


def step_below(value: float) -> float:
    """The largest of the finer round numbers that is not above a positive one."""
    decade = math.floor(math.log10(value))
    found = max(step for step in (0.7, *STEPS) if step <= value / 10.0**decade * (1 + ROUNDING))
    return float(f"{found:g}e{decade}")


def rung_above(value: float) -> float:
    """The least round number that is not below a positive one."""
    decade = math.floor(math.log10(value))
    found = min(step for step in (*RUNGS, 20) if step >= value / 10.0**decade * (1 - ROUNDING))
    return float(f"{found:g}e{decade}")
