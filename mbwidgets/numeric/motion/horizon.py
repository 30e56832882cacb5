"""The horizon of a motion: until when it is known.

Neighbouring motions of a chaotic mechanism part exponentially, and so do two solutions of one with different
tolerances, however small. Until they part they are the motion; beyond, each is one possible motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...errors import StateError
from ..base.outcome import Result
from ..kernels.memory_layout import LENGTH
from ..steps import error_scale

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["Again", "first_parting", "horizon_of"]

USUAL: Final = 1e-10
"""The tolerance of `simulate`, and that of the first solution."""
FINE: Final = 1e-12
"""Of the second: a hundredth, and still some hundred roundings."""
PARTED: Final = 1e-3
"""Part of a coordinate's range by which two motions differ where they part: what an eye begins to see."""
NO_RANGE: Final = 1e-9
"""Part of the largest range of its kind, angles or lengths, up to which a coordinate stands still but for rounding."""
STILL: Final = 1e-12
"""Radians, or parts of the mechanism's length, within which nothing moves at all."""


class Again(NamedTuple):
    """How a motion is solved again: what solves it, and its arguments but for rtol; or the reason why it is not.

    ``rtol`` is that of the motion itself, ``events`` those that it was given.
    """

    solve: Callable[..., Motion] | None
    arguments: Mapping[str, Any]
    reason: str = ""
    rtol: float = USUAL
    events: tuple[Any, ...] = ()


def horizon_of(motion: Motion) -> float:
    """The first frame's time at which solutions with rtol 1e-10 and 1e-12 have parted; ∞ where they do not.

    NaN where the motion has no second frame.

    Raises
    ------
    StateError : it cannot be solved again, or not to its end
    """
    again = motion.again
    if again is None or again.solve is None:
        reason = "nothing tells how it was made" if again is None else again.reason
        remedy = "ask a motion of mb.simulate" if again is None else "give tau as an expression"
        raise StateError(f"the motion is not solved again: {reason}", where="horizon", remedy=remedy)
    if len(motion.t) < 2:
        return math.nan
    one, other = (again.solve(**again.arguments, rtol=rtol) for rtol in (USUAL, FINE))
    count = min(len(one.t), len(other.t), int(np.count_nonzero(one.t <= motion.t[-1])))
    length = float(motion.packed.model[LENGTH])
    kinds = error_scale.sizes_of(motion.model, length)[error_scale.GROUP, : motion.model.nq]
    found = first_parting(one.t[:count], one.q[:count], other.q[:count], kinds == error_scale.LENGTH, length or 1.0)
    for solution in (one, other):
        if math.isinf(found) and solution.outcome.result in (Result.BUDGET, Result.CANCELLED):
            raise StateError(
                f"the motion was solved again to {solution.outcome.time:g} s only: {solution.outcome.message}",
                where="horizon",
                remedy="give a shorter duration",
            )
    return found


def first_parting(t: np.ndarray, one: np.ndarray, other: np.ndarray, slides: np.ndarray, length: float) -> float:
    """The first time at which coordinates (frames, nq) differ by a part of the other's range; ∞ if they never do.

    ``slides``: which of them are lengths; ``length``: one of the mechanism. A coordinate of no range has no part in it.
    """
    span = other.max(axis=0) - other.min(axis=0)
    least = np.empty_like(span)
    for kind, size in ((slides, length), (~slides, 1.0)):
        least[kind] = max(NO_RANGE * span[kind].max(initial=0.0), STILL * size)
    apart = ((abs(one - other) > PARTED * span) & (span > least)).any(axis=1)
    return float(t[apart.argmax()]) if apart.any() else math.inf
