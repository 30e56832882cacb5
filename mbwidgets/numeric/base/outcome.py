"""How a simulation ended, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from numbers import Real
from typing import Any

from ...errors import StateError, shorten

__all__ = ["Budget", "Outcome", "Result"]


class Result(Enum):
    """The ways in which a simulation ends; each value is a sentence.

    >>> mb.Result.EVENT.value
    'An event stopped the motion.'
    """

    COMPLETED = "The motion was computed to its end."
    EVENT = "An event stopped the motion."
    BUDGET = "The budget was used up before the end."
    CANCELLED = "The computation was cancelled before the end."
    STEP_TOO_SMALL = "The steps became too small to go on."
    NOT_FINITE = "The equations gave a value that is not a finite number."
    SINGULAR = "The mass matrix is singular: a joint moves nothing that has mass or inertia in its direction."
    CONTRADICTORY = "The constraints cannot be met together."
    DRIFTED = "The motion has left its constraints."
    UNDETERMINED = "The constraints leave the motion undetermined."
    UNRESOLVED = "An event's signal varies too fast to find its zeros."
    TOO_LARGE = "The motion has more frames than memory should hold."
    CONTROLLER = "A controller failed."
    FUNCTION = "A Python function failed."
    FAILED = "The implicit method did not converge."


@dataclass(frozen=True)
class Outcome:
    """How a simulation ended: ``ok``, ``result``, ``time`` reached, s, and a ``message`` with the details and a remedy.

    >>> str(mb.simulate(mb.library.pendulum(1), duration=1).outcome)
    'The motion was computed to its end. (t = 1 s)'
    """

    result: Result
    time: float
    details: str = ""

    @property
    def ok(self) -> bool:
        """Whether all that was asked for was computed (an event that stops the motion counts)."""
        return self.result in (Result.COMPLETED, Result.EVENT)

    @property
    def message(self) -> str:
        """A sentence or two that a person can read."""
        return f"{self.result.value} {self.details}".strip()

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return f"{self.message} (t = {self.time:.6g} s)"


@dataclass(frozen=True)
class Budget:
    """What a simulation may spend.

    Attributes
    ----------
    seconds : wall-clock time, s
    evaluations : of the right-hand side
    cancel : called now and then; a true answer ends the computation
    progress : called now and then with the part of the motion that is done, 0 … 1

    >>> mb.simulate(mb.library.pendulum(2), budget=mb.Budget(evaluations=100)).outcome.result
    <Result.BUDGET: 'The budget was used up before the end.'>
    """

    seconds: float = 60.0
    evaluations: int | None = None
    cancel: Callable[[], bool] | None = None
    progress: Callable[[float], Any] | None = None

    @classmethod
    def of(cls, value: Any) -> Budget:
        """A budget from None (the default), a number of seconds or a `Budget`."""
        if value is None:
            return cls()
        return value if isinstance(value, cls) else cls(seconds=value)

    def __post_init__(self) -> None:
        given: dict[str, Any] = {"seconds": self.seconds}
        if self.evaluations is not None:
            given["evaluations"] = self.evaluations
        for name, value in given.items():
            if isinstance(value, bool) or not isinstance(value, Real) or not float(value) > 0.0:
                raise StateError(f"budget: {name} = {shorten(value)}", remedy="give a number > 0")
