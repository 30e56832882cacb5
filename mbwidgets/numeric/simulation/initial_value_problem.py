"""What an integrator is given, and what it gives back."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...model.forces import Effort
from ...model.model import Model
from ..base.outcome import Budget, Outcome, Result
from ..kernels import entry_points
from ..motion.motion import EventFound
from ..packing.pack import Packed
from ..states.unresisted_motion import explain_unresisted_motion, massless_velocities
from ..steps.step_limits import StepLimits, input_programs, limits_of
from .controllers import Sampled

MANY: Final = 3000
"""Evaluations in which a constrained motion must get on by STALLED of its duration; else it is stuck."""
MAX_NUMBERS: Final = 10_000_000
"""Frames times the length of the state: 80 MB."""


@dataclass
class Problem:
    """An initial value problem: the state is (q, u, work).

    Its time is counted from ``begin``: the programs of ``packed`` add it to their t, Python functions get the sum.
    """

    model: Model
    packed: Packed
    state: np.ndarray
    duration: float
    frames: int
    rtol: float
    atol: float | None
    step: float
    largest_step: float
    rules: Sequence[tuple[int, bool]]
    signals: Sequence[Callable[..., float]] | None
    effort: Callable[..., Any] | None
    budget: Budget
    drives: Sequence[Effort] = ()
    rank: int = 0
    begin: float = 0.0
    keep_steps: bool = False
    sampled: Sampled | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def derivative(self) -> Any:
        """The kernel that differentiates the state."""
        if not self.model.constraints:
            return entry_points.tree_derivative
        from ..kernels.constrained_derivative import constrained_derivative

        return constrained_derivative

    @cached_property
    def limits(self) -> StepLimits:
        """The largest steps that see the inputs of time."""
        model = self.packed.model
        return limits_of(model, input_programs(model, self._compiled_signals), self.duration, self.largest_step)

    @cached_property
    def signal_limits(self) -> StepLimits:
        """The widest pieces that see how the events' signals depend on time."""
        return limits_of(self.packed.model, range(self._compiled_signals), self.duration)

    @property
    def _compiled_signals(self) -> int:
        return len(self.rules) if self.signals is None else 0

    @property
    def spacing(self) -> float:
        """Time between frames."""
        return self.duration / self.frames

    @property
    def capacity(self) -> int:
        """How many frames memory should hold."""
        return MAX_NUMBERS // len(self.state)

    def event(self, number: float, when: float, state: np.ndarray) -> EventFound:
        """An event's record from a state."""
        nq, nv = self.model.nq, self.model.nv
        return EventFound(int(number), float(when), state[:nq].copy(), state[nq : nq + nv].copy())

    def budget_outcome(self, evaluations: int, at: float, frames: int) -> Outcome | None:
        """The outcome when the budget is used up, None while there is some left; reports progress."""
        budget = self.budget
        if budget.progress is not None:
            budget.progress(min(1.0, at / self.duration))
        if budget.cancel is not None and budget.cancel():
            return Outcome(Result.CANCELLED, at)
        if time.monotonic() - self.started > budget.seconds:
            return Outcome(Result.BUDGET, at, f"{budget.seconds:g} s were allowed: give budget=… a larger number.")
        if budget.evaluations is not None and evaluations >= budget.evaluations:
            return Outcome(Result.BUDGET, at, f"{budget.evaluations} evaluations were allowed.")
        if frames >= self.capacity:
            return Outcome(Result.TOO_LARGE, at, "Give a lower rate or a shorter duration.")
        return None

    def unresolved(self, at: float, signal: int) -> Outcome:
        """The outcome when an event's signal varies too fast."""
        return Outcome(
            Result.UNRESOLVED, at, f"It is event {signal}: write a slower signal, or give max_step=… a smaller number."
        )

    def interrupted(self, at: float) -> Outcome:
        """The outcome of Ctrl-C."""
        return Outcome(Result.CANCELLED, at, "It was interrupted from the keyboard.")

    def not_finite(self, at: float) -> Outcome:
        """The outcome when the right-hand side gave NaN or infinity."""
        return Outcome(
            Result.NOT_FINITE,
            at,
            "Look for a force that has no value here, or a velocity that grows without bound.",
        )

    def too_small(self, at: float, state: np.ndarray, rate: np.ndarray, step: float, remedy: str) -> Outcome:
        """The outcome when a step has become too small: a rate grows without bound, or the system is stiff."""
        moved = abs(rate) * step  # a stiff system moves by next to nothing in so short a step
        if (moved > self.rtol * np.maximum(1.0, abs(state))).any():
            told = "A velocity or a force grows without bound here: look for a pole, and end the motion before it."
            return Outcome(Result.STEP_TOO_SMALL, at, told)
        return Outcome(
            Result.STEP_TOO_SMALL, at, f"The system is too stiff for this method, or the motion jumps: {remedy}"
        )

    def diagnose_stall(self, at: float, state: np.ndarray, equation: int, method: str | None = None) -> Outcome:
        """The outcome when a constrained motion cannot go on; ``method``: one that singular positions stop, if it was
        one, which the method by default may cross.
        """
        from ..states.constraint_system import Constraints, equation_names

        nq, nv = self.model.nq, self.model.nv
        names = equation_names(self.model, self.packed)
        system = Constraints(self.model, self.packed)
        if (endless := system.nonfinite_equation(at, state[:nq], min(self.duration, 1.0))) is not None:
            return Outcome(
                Result.NOT_FINITE,
                at,
                f"It is {names[endless]}: its expression or a derivative of it grows without bound here. "
                "Change it, or end the motion before.",
            )
        system.observe(at, state[:nq], state[nq : nq + nv])
        if (lack := explain_unresisted_motion(self.model, system.massless_free_velocities())) is not None:
            return Outcome(Result.SINGULAR, at, f"The constraints leave such a motion free. {lack.details}")
        rank = system.rank(at, state[:nq])
        if equation >= 0 and rank >= self.rank:
            return Outcome(Result.CONTRADICTORY, at, f"It is {names[equation]}: it cannot be met any further.")
        listed = ", ".join(dict.fromkeys(names))
        other = "" if method is None else 'try method="dop853", which may, or '
        return Outcome(
            Result.UNDETERMINED,
            at,
            f"The mechanism is in a singular position that {method or 'it'} cannot pass, held by {listed}: "
            f"{other}change a length, a prescribed motion or the start.",
        )

    def singular(self, at: float, state: np.ndarray, row: int) -> Outcome:
        """The outcome when the body in a row has a joint that moves nothing."""
        M = np.empty((self.model.nv, self.model.nv))
        entry_points.fill_mass_matrix(self.packed.model, self.packed.new_data(), state[: self.model.nq].copy(), M)
        index = self.packed.order[row]
        lack = explain_unresisted_motion(self.model, massless_velocities(M), index)
        told = f"It is joint {self.model.bodies[index].name!r}." if lack is None else lack.details
        return Outcome(Result.SINGULAR, at, told)


@dataclass
class Run:
    """Frames (rows of the state), and how the integrator ended; ``last_time`` where the last frame is off the grid;
    ``steps`` where they are kept, see `motion.dense_output`."""

    rows: np.ndarray
    outcome: Outcome
    method: str
    evaluations: int = 0
    events: list[EventFound] = field(default_factory=list)
    last_time: float | None = None
    steps: list[tuple[float, float, np.ndarray, np.ndarray]] = field(default_factory=list)
