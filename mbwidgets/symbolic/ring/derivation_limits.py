"""How large and how long a derivation may grow before it answers instead of freezing the kernel.

Every product of the ring passes through `Budget.charge`, a long one in pieces, so that a limit or Ctrl-C acts between
two of them, never after minutes inside one.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from ...errors import ExpressionError, SizeError, shorten

__all__ = ["Budget", "SizeError", "current_budget", "limited"]

TERMS: Final = 2_000_000
SECONDS: Final = 20.0
REMEDY: Final = (
    "give numbers for some parameters, raise the limits (with mb.limited(terms=..., seconds=...): around the call), "
    "or use the compiled numbers, which have no such limit: mb.Dynamics(model), mb.simulate(model)"
)


class Budget:
    """What one derivation may use: terms of one polynomial, and seconds in all."""

    __slots__ = ("_ends", "_since", "largest", "seconds", "terms")

    def __init__(self, terms: int = TERMS, seconds: float = SECONDS) -> None:
        self.terms = _limit(terms, "terms")
        self.seconds = _limit(seconds, "seconds")
        self.largest = 0
        self._since = time.monotonic()
        self._ends = self._since + self.seconds

    def charge(self, left: int, right: int) -> None:
        """Account for a product of polynomials with ``left`` and ``right`` terms, before it is made.

        The product has at most left·right terms; a hundred times that many are allowed, since most collect.
        """
        if left * right > 100 * self.terms:
            raise self._passed(f"a product of {left:,} by {right:,} terms")
        if time.monotonic() > self._ends:
            raise SizeError(
                f"the derivation took longer than {self.seconds:g} s and reached {self.largest:,} terms "
                "in one expression",
                remedy=REMEDY,
            )

    def note(self, size: int) -> None:
        """Account for a result of ``size`` terms."""
        if size > self.largest:
            self.largest = size
            if size > self.terms:
                raise self._passed(f"an expression of {size:,} terms")

    def _passed(self, what: str) -> SizeError:
        return SizeError(
            f"{what} passes the limit of {self.terms:,} terms, after {time.monotonic() - self._since:.1f} s",
            remedy=REMEDY,
        )


def is_nonnegative_below(value: Any, end: float) -> bool:
    """Whether a value is a number of at least 0 and less than ``end``, or infinite as it."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and (0 <= value < end or value == end == math.inf)


def _limit(value: Any, name: str) -> Any:
    """A limit that can be compared with: NaN would never be passed."""
    if not is_nonnegative_below(value, math.inf):
        raise ExpressionError(f"{name} = {shorten(value)}", where="limit", remedy="give a number of at least 0")
    return value


_budget: ContextVar[Budget | None] = ContextVar("mbwidgets_budget", default=None)


def current_budget() -> Budget | None:
    """The budget of the derivation under way, if one was set."""
    return _budget.get()


@contextmanager
def limited(terms: int = TERMS, seconds: float = SECONDS) -> Iterator[Budget]:
    """Everything derived inside stays within the limits, or raises `SizeError` with the size reached.

    Inside another such block the outer limits hold.

    >>> with mb.limited(seconds=10):
    ...     shape = mb.covariant(mb.library.pendulum(2)).metric.shape
    >>> shape
    (2, 2)
    """
    outer = current_budget()
    if outer is not None:
        yield outer
        return
    budget = Budget(terms, seconds)
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)
