"""When a motion begins, how long it lasts and how finely it is told."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ...errors import StateError, shorten
from ...model.model import Model

__all__ = ["USUAL_DURATION", "USUAL_RATE", "default_duration", "default_rate", "frame_times", "start_time"]

USUAL_DURATION: Final = 10.0
"""Seconds of the motion of a model that has no duration of its own."""
USUAL_RATE: Final = 60.0
"""Frames a second: as many as a screen shows."""
ENOUGH: Final = USUAL_DURATION * USUAL_RATE
"""Frames that a motion of a model's own duration has at least: as many as a usual one."""


def default_duration(model: Model, usual: float = USUAL_DURATION) -> float:
    """The model's own duration, s, or the usual one."""
    return usual if model.duration is None else model.duration


def default_rate(model: Model, duration: float, usual: float = USUAL_RATE) -> float:
    """Frames a second of a motion that lasts so long: the usual, or more for a model that says that it is fast."""
    if model.duration is None:
        return usual
    return max(usual, ENOUGH / max(duration, model.duration))


def start_time(start: Any) -> float:
    """The time at which a motion begins, 0 s unless told."""
    try:
        time = 0.0 if start is None else math.nan if isinstance(start, str | bytes | bool) else float(start)
    except (TypeError, ValueError, OverflowError):
        time = math.nan
    if not math.isfinite(time):
        raise StateError(f"start = {shorten(start)}", remedy="give a time in seconds")
    return time


def frame_times(times: Any, start: float, duration: Any, rate: Any) -> np.ndarray:
    """The times of a motion's frames, rising, none before its start."""
    if duration is not None or rate is not None:
        raise StateError(
            "times tell duration and rate themselves", where="times", remedy="give times, or duration and rate"
        )
    try:
        found = np.array(times, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"times = {shorten(times)}", remedy="give a list of seconds") from None
    if found.ndim != 1 or not len(found) or not np.isfinite(found).all():
        raise StateError(f"times = {shorten(times)}", remedy="give a list of finite seconds")
    falls = np.flatnonzero(np.diff(found) <= 0)
    if len(falls):
        k = int(falls[0])
        raise StateError(
            f"times[{k + 1}] = {found[k + 1]:g} does not rise above {found[k]:g}",
            remedy="give each time once, in rising order: numpy.unique(times)",
        )
    if found[0] < start or found[-1] <= start:
        raise StateError(
            f"times from {found[0]:g} to {found[-1]:g} s, and the motion begins at {start:g} s",
            where="times",
            remedy=f"give times from {start:g} s on, or start=… the first of them",
        )
    return found
