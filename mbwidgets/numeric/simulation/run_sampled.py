"""Motions under controllers: compiled steps from one instant to the next, with the efforts held between.

The arrays stay where the kernels run, so that a sample costs its own steps, one evaluation at the new efforts and the
call of the person's function.
"""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from ..base.outcome import Outcome, Result
from ..steps import stepper_state
from .controllers import SAME_INSTANT, ControllerFailed, Sampled
from .initial_value_problem import Problem, Run
from .run_compiled import LARGE_STATE, PATIENCE, CompiledSteps

__all__ = ["run_sampled"]

LOOK: Final = 0.02
"""Seconds between two looks at the clock's budget."""


def run_sampled(problem: Problem, method: str, sampled: Sampled) -> Run:
    """Integrate a problem whose efforts are those of controllers."""
    return _SampledSteps(problem, method, sampled).run()


class _SampledSteps(CompiledSteps):
    def __init__(self, problem: Problem, method: str, sampled: Sampled) -> None:
        super().__init__(problem, method)
        self.sampled = sampled
        self.advance = self.lay_on_desk()
        self.views = self._views()
        self.looked = time.monotonic()

    def run(self) -> Run:
        """Go from instant to instant until there is an outcome."""
        outcome, now = None, 0.0
        try:
            while outcome is None:
                outcome = self._sample(now)
                if outcome is None:
                    outcome = self._go_to(self._end())
                now = float(self.control[stepper_state.TIME])
        except KeyboardInterrupt:
            outcome = self.problem.interrupted(float(self.control[stepper_state.TIME]))
        self.take()
        return self.finished(outcome)

    def _sample(self, now: float) -> Outcome | None:
        """Call the controllers that are due; the outcome where one fails, and its error where nothing is computed."""
        try:
            self.zero[:] = self.sampled.call(now, *self.views)
        except ControllerFailed as failed:
            if now == 0.0:
                raise failed.error from None
            return Outcome(Result.CONTROLLER, now, f"{failed.told}; what was computed until then is here.")
        return None

    def _end(self) -> float:
        """Where the next steps end; the last instant and the end of the motion may be one but for rounding."""
        duration, instant = self.problem.duration, self.sampled.next_instant()
        return duration if instant > duration * (1 - SAME_INSTANT) else instant

    def _go_to(self, end: float) -> Outcome | None:
        """Steps up to a time; an outcome where the motion ends there or before."""
        control, counters, last = self.control, self.counters, end >= self.problem.duration
        control[stepper_state.END] = end
        # the last frame is at the end of the motion: before, it is one that is not reached, but near, because an event
        # that ends the motion counts down from it to the frames that are left
        counters[stepper_state.LAST_FRAME] = self.problem.frames if last else self.problem.frames + 1
        counters[stepper_state.FRESH] = 0
        limit = self.problem.budget.evaluations
        while True:
            done = int(counters[stepper_state.EVALUATIONS])
            counters[stepper_state.PAUSE] = done + self.pace if limit is None else min(done + self.pace, limit)
            code = int(self.advance())
            if code == stepper_state.DONE and not last:
                return self._looked()
            if code == stepper_state.STIFF:
                self._cope_with_stiffness()
                control, counters = self.control, self.counters
                continue
            self.take()
            outcome = self._judge(code)
            if outcome is not None:
                return outcome

    def _looked(self) -> Outcome | None:
        """The outcome of a budget that is used up, looked at now and then."""
        done, limit = int(self.counters[stepper_state.EVALUATIONS]), self.problem.budget.evaluations
        now = time.monotonic()
        if now - self.looked < LOOK and (limit is None or done < limit):
            return None
        self.looked = now
        at, frame = float(self.control[stepper_state.TIME]), int(self.counters[stepper_state.FRAME])
        return self.problem.budget_outcome(done, at, frame)

    def _cope_with_stiffness(self) -> None:
        if self._remaining() > PATIENCE * self.pace and len(self.state) <= LARGE_STATE:
            self.go_on_implicitly_on_desk()
            self.advance = self.lay_on_desk()
            self.views = self._views()
        self.counters[stepper_state.WATCH] = 0

    def _views(self) -> tuple[np.ndarray, np.ndarray]:
        """q and u in the state."""
        nq, nv = self.problem.model.nq, self.problem.model.nv
        return self.state[:nq], self.state[nq : nq + nv]

    def take(self) -> None:
        """Take frames and events from the arrays, and leave them empty."""
        counters: Any = self.counters
        for row in range(int(counters[stepper_state.EVENTS])):
            number, when = self.arrays_now("found")[row]
            self.events.append(self.problem.event(number, when, self.arrays_now("found_y")[row]))
        written = int(counters[stepper_state.WRITTEN])
        if written:
            self.blocks.append(self.arrays_now("frames")[:written].copy())
        counters[stepper_state.EVENTS] = counters[stepper_state.WRITTEN] = 0
