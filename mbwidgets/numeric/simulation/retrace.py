"""The steps of a motion, taken again: they are kept when somebody asks for them, and cost nothing before.

A step depends on the problem alone, never on frames, a clock or a budget, so that the steps are the same to the bit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from ..base.outcome import Budget
from ..motion.dense_output import DenseOutput, dense_of_steps
from ..steps import stepper_state
from .controllers import Held
from .initial_value_problem import Problem
from .run_compiled import LARGE_STATE, NAMES, PATIENCE, CompiledSteps
from .run_scipy import run_scipy

__all__ = ["Retrace"]

NEVER: Final = 1 << 62
"""A count that no motion reaches."""
Step = tuple[float, float, np.ndarray, np.ndarray]


class Retrace:
    """How the steps of a problem are taken again, until a time; a call gives them."""

    def __init__(self, problem: Problem, method: str, until: float) -> None:
        # the array of numbers goes on to serve the motion, which turns some of its switches
        packed = problem.packed._replace(model=problem.packed.model.copy())
        self.held = None if problem.sampled is None else problem.sampled.held()
        given: dict[str, Any] = {"budget": Budget(seconds=1e9), "rules": (), "keep_steps": True, "sampled": None}
        self.problem = replace(problem, packed=packed, **given)
        self.problem.__dict__["limits"] = problem.limits
        self.method, self.until = method, until

    def __call__(self) -> DenseOutput:
        """The steps of the motion."""
        if self.held is not None:
            steps = self._steps_under(self.held)
        elif len(self.problem.state) > LARGE_STATE and NAMES.get(self.method) == "radau":
            steps = run_scipy(self.problem, self.method).steps
        else:
            steps = _Recorder(self.problem, self.method).steps_until(self.until)
        return dense_of_steps(steps, len(self.problem.state))

    def _steps_under(self, held: Held) -> list[Step]:
        """The steps of a motion whose efforts were held from one instant to the next."""
        recorder, steps = _Recorder(self.problem, self.method), list[Step]()
        ends = [*held.times[1:], self.problem.duration]
        for row, end in zip(held.rows, ends, strict=True):
            recorder.zero[:] = row
            recorder.control[stepper_state.END] = end
            recorder.counters[stepper_state.FRESH] = 0
            steps += recorder.steps_until(min(float(end), self.until))
            if float(recorder.control[stepper_state.TIME]) >= self.until:
                break
        return steps


class _Recorder(CompiledSteps):
    """The compiled stepper, stopped after each accepted step; its arrays stay where the kernel runs."""

    def __init__(self, problem: Problem, method: str) -> None:
        super().__init__(problem, method)
        self.arrays["frames"] = np.zeros((0, len(self.state)))  # full at once: after each step, which is due
        self.counters[stepper_state.LAST_FRAME] = NEVER
        self.counters[stepper_state.PAUSE] = NEVER
        self.control[stepper_state.SPACING] = 0.0
        self.advance = self.lay_on_desk()

    def steps_until(self, end: float) -> list[Step]:
        """Steps up to the one that holds a time, or to where no step is possible."""
        control, counters, steps = self.control, self.counters, list[Step]()
        base, F = self.desk["base"], self.desk["F"]
        while control[stepper_state.TIME] < end:
            control[stepper_state.START] = control[stepper_state.TIME]
            code = self.advance()
            if code == stepper_state.FULL:
                counters[stepper_state.PENDING] = stepper_state.NOTHING
                begin, size = float(control[stepper_state.OLD_TIME]), float(control[stepper_state.OLD_STEP])
                steps.append((begin, size, base.copy(), F.copy()))
            elif code != stepper_state.STIFF:
                break
            elif self._remaining() > PATIENCE * self.pace and len(self.state) > LARGE_STATE:
                start = float(control[stepper_state.TIME])
                return steps + run_scipy(self.problem, "radau", start=start, state=self.state, frame=1).steps
            else:
                self.cope_with_stiffness()
                control, counters = self.control, self.counters
                base, F = self.desk["base"], self.desk["F"]
        return steps

    def cope_with_stiffness(self) -> None:
        """Go on by the implicit method where the motion did."""
        if self._remaining() > PATIENCE * self.pace:
            self.go_on_implicitly_on_desk()
            self.advance = self.lay_on_desk()
        self.counters[stepper_state.WATCH] = 0
