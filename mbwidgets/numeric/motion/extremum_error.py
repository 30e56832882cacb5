"""How exact an extremum is: the same question asked of the same motion, solved again with another tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ...errors import StateError
from ..base.outcome import Result
from .signals import Signal

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["error_of_extremum"]

FINER: Final = 1e-2
"""Part of its tolerance with which a motion is solved again."""
FINEST: Final = 1e-14
"""Some ten roundings: with a tolerance below it steps are no better. A motion that is so exact itself is compared with
a coarser one, whose error bounds its own."""
SAME: Final = 1e-9
"""Part of a motion by which a time may differ from its end and be it."""


def error_of_extremum(motion: Motion, signal: Signal, sign: float, value: float) -> float:
    """|value − the one of the motion solved again with rtol/100|, in the signal's unit.

    Raises
    ------
    StateError : it cannot be solved again, or not to its end
    """
    from .extrema import extremum_of

    other = _solved_again(motion)
    return abs(value - extremum_of(other, signal, sign).value)


def _solved_again(motion: Motion) -> Motion:
    """The motion with another tolerance, over the same time, or to its own event where an event ended the motion."""
    again = motion.again
    if again is None or again.solve is None:
        reason = "nothing tells how it was made" if again is None else again.reason
        raise StateError(
            f"the error is not known: the motion is not solved again, as {reason}",
            where="extremum",
            remedy="compare with that of a motion of smaller rtol",
        )
    rtol = again.rtol * FINER if again.rtol * FINER >= FINEST else again.rtol / FINER
    other = again.solve(**again.arguments, rtol=rtol, events=again.events)
    first, last = float(motion.t[0]), float(motion.t[-1])
    near = SAME * max(last - first, abs(last))
    stopped = motion.outcome.result is Result.EVENT and abs(motion.outcome.time - last) <= near
    if stopped and other.outcome.result is Result.EVENT:
        last = float(other.t[-1])
    elif other.t[-1] < last - near:
        raise StateError(
            f"the error is not known: the motion was solved again to {other.t[-1]:g} s only: {other.outcome.message}",
            where="extremum",
            remedy="ask a slice of the motion, motion[a:b]",
        )
    last = min(last, float(other.t[-1]))
    if last <= first:
        return other.at([first])
    return other.at(np.append(motion.t[motion.t < last - near], last))
