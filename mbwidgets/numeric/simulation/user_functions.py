"""Functions that users give: called with copies; what they raise ends the motion in words, or reaches the user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...errors import StateError, shorten
from ...expressions import Expression
from ..base.arguments import as_array
from ..base.call_signatures import takes_time_alone

__all__ = [
    "CalledEfforts",
    "FunctionFailed",
    "SummedEfforts",
    "as_effort_function",
    "as_signal_function",
    "is_function",
    "user_errors_unchanged",
]


class FunctionFailed(Exception):
    """A user's function failed: no solver may take its error for one of its own. ``told``: which, when, and why."""

    def __init__(self, error: Exception, where: str, time: float) -> None:
        kind = "" if isinstance(error, StateError) else f"{type(error).__name__}: "
        self.error, self.time = error, time
        self.told = f"It is {where} at t = {time:g} s: {kind}{str(error).removeprefix(f'{where}: ')}"
        super().__init__(self.told)


@contextmanager
def user_errors_unchanged() -> Iterator[None]:
    """Inside, whatever a user's function raises passes every handler; it leaves as it was raised."""
    try:
        yield
    except FunctionFailed as failed:
        raise failed.error from None


def is_function(value: Any) -> bool:
    """Whether a value is called, rather than written."""
    return callable(value) and not isinstance(value, Expression)


def as_effort_function(
    function: Any, names: tuple[str, ...], where: str = "tau"
) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
    """Efforts from a function of t or of (t, q, u): numbers in the order of the velocities, or one where one is."""
    of_time = takes_time_alone(function, where)

    def effort(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        try:
            found = function(float(t)) if of_time else function(float(t), q.copy(), u.copy())
        except Exception as error:
            raise FunctionFailed(error, where, t) from error
        try:
            if found is None:
                raise StateError("the function gave None", where=where, remedy="return numbers")
            return as_array(np.atleast_1d(found) if len(names) == 1 else found, names, where)
        except StateError as error:
            raise FunctionFailed(error, where, t) from error

    return effort


class CalledEfforts:
    """Efforts over frames (frames, nv) by calling a function in each; its own time is counted from ``begin``."""

    called = True

    def __init__(self, function: Callable[..., Any], begin: float) -> None:
        self.function, self.begin = function, begin

    def __call__(self, t: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        with user_errors_unchanged():
            rows = [self.function(*frame) for frame in zip(t - self.begin, q, u, strict=True)]
        return np.array(rows, dtype=float).reshape(u.shape)


class SummedEfforts:
    """The sum of several efforts over frames; ``called``: Python functions are among them."""

    def __init__(self, parts: tuple[Callable[..., np.ndarray], ...]) -> None:
        self.parts = parts
        self.called = any(getattr(part, "called", False) for part in parts)

    def __call__(self, t: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        return np.asarray(sum(part(t, q, u) for part in self.parts))


def as_signal_function(function: Any) -> Callable[[float, np.ndarray, np.ndarray], float]:
    """An event's signal from a function of t or of (t, q, u)."""
    of_time = takes_time_alone(function, "event")

    def signal(t: float, q: np.ndarray, u: np.ndarray) -> float:
        try:
            found = function(float(t)) if of_time else function(float(t), q.copy(), u.copy())
        except Exception as error:
            raise FunctionFailed(error, "event", t) from error
        try:
            return float(found)
        except (TypeError, ValueError) as error:
            said = StateError(f"the function gave {shorten(found)}", where="event", remedy="return one number")
            raise FunctionFailed(said, "event", t) from error

    return signal
