"""How fast a motion plays at first."""

from __future__ import annotations

import math
from typing import Final

__all__ = ["slow_motion"]

SHORT: Final = 2.0
"""Seconds that a motion is seen at least: a shorter one is over before it is understood."""


def slow_motion(duration: float) -> float:
    """A power of ten, at most 1, at which a motion of this duration, s, is seen long enough.

    >>> from mbwidgets.widgets.base.pace import slow_motion
    >>> slow_motion(10), slow_motion(0.6), slow_motion(0.03)
    (1.0, 0.1, 0.01)
    """
    return 1.0 if duration >= SHORT else 10.0 ** math.floor(math.log10(duration / SHORT))
