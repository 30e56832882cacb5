"""The compiled integrators, driven from Python: budget, frames, events, and the change to an implicit method."""

from __future__ import annotations

import math
import time
from typing import Final

import numpy as np

from . import control as at
from . import stepper
from .error_scale import sizes_of
from .implicit import run_scipy
from .layout import CLEAR, EQUATIONS, LENGTH, UNMET
from .motion import EventFound
from .outcome import Outcome, Result
from .problem import CREEP, MANY, Problem, Run

BUFFER: Final = 2048
"""Frames written before Python looks at the clock."""
FLAT: Final = 1e-9
"""Clearance of a singular position: of accelerations in the constraints' directions no seven digits are left."""
PATIENCE: Final = 300
"""What a stiff system may still take before the implicit method is tried, in paces: some three seconds.

Counted in evaluations, not read from a clock: a motion is the same on every machine.
"""


def run_explicit(problem: Problem, method: str) -> Run:
    """Integrate with DOP853 (``"auto"``, ``"dop853"``) or RK4."""
    return _Explicit(problem, method).run()


class _Explicit:
    """The arrays of the compiled stepper, and what it has written so far."""

    def __init__(self, problem: Problem, method: str) -> None:
        stepper.ready()
        self.problem = problem
        self.method = method
        self.state = problem.state.copy()
        self.control, self.counters = _start(problem, method)
        self.arrays = stepper.fresh_arrays(
            len(self.state),
            len(problem.rules),
            min(BUFFER, problem.frames),
            problem.limits.table,
            sizes_of(problem.model, problem.packed.memory[LENGTH]),
            problem.signal_limits.table,
        )
        self.arrays["rules"][:] = np.array(problem.rules, dtype=float).reshape(-1, 2)
        self.memory, self.zero = problem.packed.memory.copy(), np.zeros(problem.model.nv)
        self.blocks = [self.state[None].copy()]
        self.events: list[EventFound] = []
        self.mark = (0.0, 0, 1.0)
        size = len(self.state) + int(self.memory[EQUATIONS])
        self.pace = max(100, 100_000 // (size * size if problem.model.constraints else size))
        """Evaluations of some ten milliseconds: each call of compiled code costs a look-up of the derivative."""

    def run(self) -> Run:
        """Go on until there is an outcome; Ctrl-C is one, and keeps what was computed."""
        outcome, chunk = None, self.pace
        while outcome is None:
            try:
                code, chunk = self._advance(chunk)
                outcome = self._judge(code)
                if outcome is None and code == at.STIFF:
                    if self._remaining() > PATIENCE * self.pace:
                        return self._go_on_implicitly()
                    self.counters[at.WATCH] = 0
            except KeyboardInterrupt:
                outcome = self.problem.interrupted(float(self.control[at.TIME]))
        self.events.sort(key=lambda found: found.time)
        if outcome.result is Result.EVENT:
            self.events = [found for found in self.events if found.time <= outcome.time * (1 + 1e-12)]
        return Run(
            rows=np.vstack(self.blocks),
            outcome=outcome,
            method="rk4" if self.method == "rk4" else "dop853",
            evaluations=int(self.counters[at.EVALUATIONS]),
            events=self.events,
            last_time=float(self.control[at.END]) if outcome.ok else None,
        )

    def _advance(self, chunk: int) -> tuple[int, int]:
        """Run compiled for about 50 ms, so that a budget or a cancellation is noticed in time."""
        counters, arrays, limit = self.counters, self.arrays, self.problem.budget.evaluations
        done = int(counters[at.EVALUATIONS])
        counters[at.PAUSE] = done + (chunk if limit is None else max(1, min(chunk, limit - done)))
        before = time.monotonic()
        code = stepper.advance(
            self.problem.derivative, self.memory, self.zero, self.control, counters, self.state, **arrays
        )
        seconds = time.monotonic() - before
        for row in range(counters[at.EVENTS]):
            number, when = arrays["found"][row]
            self.events.append(self.problem.event(number, when, arrays["found_y"][row]))
        self.blocks.append(arrays["frames"][: counters[at.WRITTEN]].copy())
        counters[at.EVENTS] = counters[at.WRITTEN] = 0
        return int(code), int(min(1e7, max(100, chunk * min(4.0, max(0.25, 0.05 / max(seconds, 1e-4))))))

    def _judge(self, code: int) -> Outcome | None:
        """The outcome of a code of the stepper, or of a budget that is used up; None to go on."""
        now, problem = float(self.control[at.TIME]), self.problem
        match code:
            case at.DONE:
                return Outcome(Result.COMPLETED, now)
            case at.EVENT:
                return Outcome(Result.EVENT, now)
            case at.TOO_SMALL | at.NOT_FINITE if problem.model.constraints:
                return problem.stuck(now, self.state, int(self.memory[UNMET]))
            case at.TOO_SMALL:
                rate, step = self.arrays["K"][0], float(self.control[at.OLD_STEP])
                return problem.too_small(now, self.state, rate, step, 'try method="radau", or soften what is stiff.')
            case at.NOT_FINITE:
                return problem.not_finite(now)
            case at.SINGULAR:
                return problem.singular(now, self.state, int(self.counters[at.FAULT]) - 1)
            case at.UNRESOLVED:
                return problem.unresolved(float(self.control[at.OLD_TIME]), int(self.counters[at.SIGNAL]))
        if self._creeps():
            return problem.stuck(now, self.state, int(self.memory[UNMET]))
        return problem.spent(int(self.counters[at.EVALUATIONS]), now, int(self.counters[at.FRAME]))

    def _creeps(self) -> bool:
        """Whether a constrained motion nears a singular position in steps that shrink without end, or stays in one."""
        now, done = float(self.control[at.TIME]), int(self.counters[at.EVALUATIONS])
        if not self.problem.model.constraints or done - self.mark[1] < MANY:
            return False
        before, _, clear = self.mark
        self.mark = now, done, float(self.memory[CLEAR])
        return now - before < CREEP * self.problem.duration or max(clear, self.mark[2]) < FLAT

    def _remaining(self) -> float:
        """Evaluations that the explicit method would still need at its present step."""
        return float(12 * (self.control[at.END] - self.control[at.TIME]) / max(self.control[at.STEP], 1e-300))

    def _go_on_implicitly(self) -> Run:
        control, counters = self.control, self.counters
        rest = run_scipy(
            self.problem, "radau", start=float(control[at.TIME]), state=self.state, frame=int(counters[at.FRAME])
        )
        rest.rows = np.vstack([*self.blocks, rest.rows])
        rest.events = self.events + rest.events
        rest.evaluations += int(counters[at.EVALUATIONS])
        rest.method = "dop853, then radau"
        return rest


def _start(problem: Problem, method: str) -> tuple[np.ndarray, np.ndarray]:
    control, counters = np.zeros(at.CONTROL_SIZE), np.zeros(at.COUNTER_SIZE, dtype=np.int64)
    control[at.END], control[at.SPACING] = problem.duration, problem.spacing
    control[at.SLACK] = control[at.BLUR] = 1.0
    control[at.RTOL], control[at.ATOL] = problem.rtol, problem.atol or 0.0
    counters[at.FRAME], counters[at.LAST_FRAME], counters[at.FAULT] = 1, problem.frames, -1
    counters[at.METHOD] = at.RK4 if method == "rk4" else at.DOP853
    counters[at.WATCH] = int(method == "auto")
    if method == "rk4":
        control[at.STEP] = problem.spacing / math.ceil(problem.spacing / problem.step - 1e-9)
    return control, counters
