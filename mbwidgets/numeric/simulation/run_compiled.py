"""The compiled integrators, driven from Python: budget, frames, events, and the change to an implicit method."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..base.outcome import Outcome, Result
from ..base.tolerances import NEAR_SINGULARITY, STALLED
from ..engines.desk import Desk
from ..kernels.memory_layout import CLEAR, EQUATIONS, LENGTH, UNMET
from ..motion.motion import EventFound
from ..steps import stepper, stepper_state
from ..steps.error_scale import sizes_of
from .initial_value_problem import MANY, Problem, Run
from .run_scipy import run_scipy

BUFFER: Final = 2048
"""Frames written before Python looks at the clock."""
NAMES: Final = {"auto": "dop853", "dop853": "dop853", "rk4": "rk4", "radau": "radau", "bdf": "radau"}
"""The method that serves each that can be asked for."""
LARGE_STATE: Final = 300
"""Numbers of a state beyond which SciPy's implicit methods serve: they solve dense systems by LAPACK, where the kernels
would be seconds away from the clock."""
PATIENCE: Final = 300
"""What a stiff system may still take before the implicit method is tried, in paces: some three seconds.

Counted in evaluations, not read from a clock: a motion is the same on every machine.
"""


def run_compiled(problem: Problem, method: str) -> Run:
    """Integrate with DOP853 (``"auto"``, ``"dop853"``), RK4, or Radau IIA (``"radau"``, ``"bdf"``)."""
    return CompiledSteps(problem, method).run()


class CompiledSteps:
    """The arrays of the compiled stepper, and what it has written so far."""

    def __init__(self, problem: Problem, method: str) -> None:
        self.problem = problem
        self.method = method
        self.state = problem.state.copy()
        self.control, self.counters = _start(problem, method)
        self.arrays = stepper.fresh_arrays(
            len(self.state),
            len(problem.rules),
            min(BUFFER, problem.frames),
            problem.limits.table,
            sizes_of(problem.model, problem.packed.model[LENGTH]),
            problem.signal_limits.table,
        )
        if self.counters[stepper_state.METHOD] == stepper_state.RADAU:
            self.arrays |= stepper.implicit_arrays(len(self.state))
        self.switched = False
        self.arrays["rules"][:] = np.array(problem.rules, dtype=float).reshape(-1, 2)
        self.data, self.zero = problem.packed.new_data(), np.zeros(problem.model.nv)
        self.blocks = [self.state[None].copy()]
        self.events: list[EventFound] = []
        self.mark = (0.0, 0, 1.0)
        size = len(self.state) + int(problem.packed.model[EQUATIONS])
        self.pace = max(100, 100_000 // (size * size if problem.model.constraints else size))
        """Evaluations of some ten milliseconds: each call of compiled code costs a look-up of the derivative."""

    def lay_on_desk(self) -> Callable[..., Any]:
        """Let the arrays stay where the kernel runs; returns a call of `advance_steps` that moves none of them.

        For those who call it after every step or two.
        """
        own = {"model": self.problem.packed.model, "data": self.data, "zero": self.zero, "control": self.control}
        own |= {"counters": self.counters, "state": self.state}
        self.desk = Desk(own | self.arrays)
        self.data, self.zero, self.state = self.desk["data"], self.desk["zero"], self.desk["state"]
        self.control, self.counters = self.desk["control"], self.desk["counters"]
        return self.desk.bind(stepper.advance_steps, *own, *self.arrays, kernels=(self.problem.derivative,))

    def arrays_now(self, name: str) -> np.ndarray:
        """An array as the kernel has it."""
        return self.desk[name]

    def go_on_implicitly_on_desk(self) -> None:
        """Take the next steps by the implicit method; the arrays are to be laid on the desk anew."""
        for name in self.arrays:
            self.arrays[name] = self.desk[name].copy()
        self.data, self.zero, self.state = self.data.copy(), self.zero.copy(), self.state.copy()
        self.control, self.counters = self.control.copy(), self.counters.copy()
        self._go_on_implicitly()

    def run(self) -> Run:
        """Go on until there is an outcome; Ctrl-C is one, and keeps what was computed."""
        outcome, chunk = None, self.pace
        while outcome is None:
            try:
                code, chunk = self._advance(chunk)
                outcome = self._judge(code)
                if outcome is None and code == stepper_state.STIFF:
                    if self._remaining() > PATIENCE * self.pace:
                        if len(self.state) > LARGE_STATE:
                            return self._hand_over()
                        self._go_on_implicitly()
                    self.counters[stepper_state.WATCH] = 0
            except KeyboardInterrupt:
                outcome = self.problem.interrupted(float(self.control[stepper_state.TIME]))
        return self.finished(outcome)

    def finished(self, outcome: Outcome) -> Run:
        """What has been computed until an outcome."""
        self.events.sort(key=lambda found: found.time)
        if outcome.result is Result.EVENT:
            self.events = [found for found in self.events if found.time <= outcome.time * (1 + 1e-12)]
        return Run(
            rows=np.vstack(self.blocks),
            outcome=outcome,
            method="dop853, then radau" if self.switched else NAMES[self.method],
            evaluations=int(self.counters[stepper_state.EVALUATIONS]),
            events=self.events,
            last_time=float(self.control[stepper_state.END]) if outcome.ok else None,
        )

    def _advance(self, chunk: int) -> tuple[int, int]:
        """Run compiled for about 50 ms, so that a budget or a cancellation is noticed in time."""
        counters, arrays, limit = self.counters, self.arrays, self.problem.budget.evaluations
        done = int(counters[stepper_state.EVALUATIONS])
        counters[stepper_state.PAUSE] = done + (chunk if limit is None else max(1, min(chunk, limit - done)))
        before = time.monotonic()
        code = stepper.advance_steps(
            self.problem.derivative,
            self.problem.packed.model,
            self.data,
            self.zero,
            self.control,
            counters,
            self.state,
            *arrays.values(),
        )
        seconds = time.monotonic() - before
        for row in range(counters[stepper_state.EVENTS]):
            number, when = arrays["found"][row]
            self.events.append(self.problem.event(number, when, arrays["found_y"][row]))
        self.blocks.append(arrays["frames"][: counters[stepper_state.WRITTEN]].copy())
        counters[stepper_state.EVENTS] = counters[stepper_state.WRITTEN] = 0
        return int(code), int(min(1e7, max(100, chunk * min(4.0, max(0.25, 0.05 / max(seconds, 1e-4))))))

    def _judge(self, code: int) -> Outcome | None:
        """The outcome of a code of the stepper, or of a budget that is used up; None to go on."""
        now, problem = float(self.control[stepper_state.TIME]), self.problem
        implicit = self.method if NAMES[self.method] == "radau" else None
        match code:
            case stepper_state.DONE:
                return Outcome(Result.COMPLETED, now)
            case stepper_state.EVENT:
                return Outcome(Result.EVENT, now)
            case stepper_state.TOO_SMALL | stepper_state.NOT_FINITE if problem.model.constraints:
                return problem.diagnose_stall(now, self.state, int(self.data[UNMET]), implicit)
            case stepper_state.TOO_SMALL:
                rate, step = self.arrays["K"][0], float(self.control[stepper_state.OLD_STEP])
                return problem.too_small(now, self.state, rate, step, 'try method="radau", or soften what is stiff.')
            case stepper_state.NOT_FINITE:
                return problem.not_finite(now)
            case stepper_state.SINGULAR:
                return problem.singular(now, self.state, int(self.counters[stepper_state.FAULT]) - 1)
            case stepper_state.UNRESOLVED:
                return problem.unresolved(
                    float(self.control[stepper_state.OLD_TIME]), int(self.counters[stepper_state.SIGNAL])
                )
        if self._stalled():
            return problem.diagnose_stall(now, self.state, int(self.data[UNMET]), implicit)
        return problem.budget_outcome(
            int(self.counters[stepper_state.EVALUATIONS]), now, int(self.counters[stepper_state.FRAME])
        )

    def _stalled(self) -> bool:
        """Whether a constrained motion nears a singular position in steps that shrink without end, or stays in one."""
        now, done = float(self.control[stepper_state.TIME]), int(self.counters[stepper_state.EVALUATIONS])
        if not self.problem.model.constraints or done - self.mark[1] < MANY:
            return False
        before, _, clear = self.mark
        self.mark = now, done, float(self.data[CLEAR])
        return now - before < STALLED * self.problem.duration or max(clear, self.mark[2]) < NEAR_SINGULARITY

    def _remaining(self) -> float:
        """Evaluations that the explicit method would still need at its present step."""
        return float(
            12
            * (self.control[stepper_state.END] - self.control[stepper_state.TIME])
            / max(self.control[stepper_state.STEP], 1e-300)
        )

    def _hand_over(self) -> Run:
        """Let SciPy's implicit method compute the rest."""
        control, counters = self.control, self.counters
        start, frame = float(control[stepper_state.TIME]), int(counters[stepper_state.FRAME])
        rest = run_scipy(self.problem, "radau", start=start, state=self.state, frame=frame)
        rest.rows = np.vstack([*self.blocks, rest.rows])
        rest.events = self.events + rest.events
        rest.evaluations += int(counters[stepper_state.EVALUATIONS])
        rest.method = "dop853, then radau"
        return rest

    def _go_on_implicitly(self) -> None:
        """Take the next steps by the implicit method; all else goes on as it stands."""
        self.arrays |= stepper.implicit_arrays(len(self.state))
        self.counters[stepper_state.METHOD] = stepper_state.RADAU
        self.switched = True


def _start(problem: Problem, method: str) -> tuple[np.ndarray, np.ndarray]:
    control, counters = np.zeros(stepper_state.CONTROL_SIZE), np.zeros(stepper_state.COUNTER_SIZE, dtype=np.int64)
    control[stepper_state.END], control[stepper_state.SPACING] = problem.duration, problem.spacing
    control[stepper_state.SLACK] = control[stepper_state.BLUR] = 1.0
    control[stepper_state.RTOL], control[stepper_state.ATOL] = problem.rtol, problem.atol or 0.0
    counters[stepper_state.FRAME], counters[stepper_state.LAST_FRAME], counters[stepper_state.FAULT] = (
        1,
        problem.frames,
        -1,
    )
    counters[stepper_state.METHOD] = {"dop853": stepper_state.DOP853, "rk4": stepper_state.RK4}.get(
        NAMES[method], stepper_state.RADAU
    )
    counters[stepper_state.WATCH] = int(method == "auto")
    if method == "rk4":
        control[stepper_state.STEP] = problem.spacing / math.ceil(problem.spacing / problem.step - 1e-9)
    return control, counters
