"""How long a motion lasts and how finely it is told, where nobody says so."""

from __future__ import annotations

from typing import Final

from ...model.model import Model

__all__ = ["USUAL_DURATION", "USUAL_RATE", "default_duration", "default_rate"]

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
