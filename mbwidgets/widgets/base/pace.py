"""How long the motion of a view lasts, how fast it plays at first, and what holds a machine without its drives."""

from __future__ import annotations

import math
from typing import Any, Final

from ...model.model import Model
from ...numeric.simulation.holding import drives_of, undriven_slides
from ...numeric.simulation.time_span import USUAL_DURATION, USUAL_RATE, default_duration, default_rate

__all__ = ["Paced", "slow_motion"]

SHORT: Final = 2.0
"""Seconds that a motion is seen at least: a shorter one is over before it is understood."""


class Paced:
    """A view's motion: duration and rate as the user gave them, or else as the model says, or else the usual ones."""

    model: Model
    held: Any
    usual_duration: float = USUAL_DURATION
    usual_rate: float = USUAL_RATE
    """Of the motion, s and frames per second, where neither the user nor the model says."""

    _duration: float | None = None
    _rate: float | None = None

    @property
    def duration(self) -> float:
        """Of the motion, s."""
        return default_duration(self.model, self.usual_duration) if self._duration is None else self._duration

    @duration.setter
    def duration(self, value: float | None) -> None:
        self._duration = value

    @property
    def rate(self) -> float:
        """Frames per second of the motion."""
        return default_rate(self.model, self.duration, self.usual_rate) if self._rate is None else self._rate

    @rate.setter
    def rate(self, value: float | None) -> None:
        self._rate = value

    def play_speed(self) -> float:
        """How fast the motion plays at first: one that is short by itself is played in slow motion."""
        return 1.0 if self._duration is not None or self.model.duration is None else slow_motion(self.duration)

    @property
    def holdable(self) -> tuple[str, ...]:
        """Joints that must be held, or the machine falls for ever."""
        return undriven_slides(self.model)

    def options(self) -> dict[str, Any]:
        """Keywords of `simulate` for the present model."""
        drives = drives_of(self.model) if self.held else None
        return {"duration": self.duration, "rate": self.rate, **({} if drives is None else {"tau": drives})}


def slow_motion(duration: float) -> float:
    """A power of ten, at most 1, at which a motion of this duration, s, is seen long enough.

    >>> from mbwidgets.widgets.base.pace import slow_motion
    >>> slow_motion(10), slow_motion(0.6), slow_motion(0.03)
    (1.0, 0.1, 0.01)
    """
    return 1.0 if duration >= SHORT else 10.0 ** math.floor(math.log10(duration / SHORT))
