"""SciPy's integrators on the compiled right-hand side: Radau and BDF for stiff systems, DOP853 for Python functions."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError
from ..base.outcome import Outcome, Result
from ..base.tolerances import STALLED
from ..kernels import memory_layout
from ..kernels.entry_points import state_derivative
from ..kernels.memory_layout import UNMET
from ..steps.error_scale import (
    ANGLE,
    COUPLED,
    GROUP,
    KINDS,
    LARGE,
    LEAST_MASS,
    LENGTH,
    NOISE,
    RADIUS,
    SEEN,
    SMALL,
    SPEED,
    TURNING,
    WORK,
    sizes_of,
)
from ..steps.step_reach import largest_step_from
from ..steps.stepper import SAME_TIME
from .event_watch import SignalUnresolved, Watch
from .initial_value_problem import MANY, Problem, Run
from .user_functions import FunctionFailed

FIRST: Final = 0.01
"""Seconds in which the first rate tells how large a number that begins at zero will be."""
DIFFERENCE: Final = 1.5e-8
"""Of a Jacobian, relative to a number's size: the root of the rounding error."""


class _Stop(Exception):
    """Leaves the integrator from inside the right-hand side."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class _Side:
    """The right-hand side: counts evaluations, watches the budget, remembers the body at fault."""

    def __init__(self, problem: Problem, method: str) -> None:
        self.problem = problem
        self.method = method
        self.data = problem.packed.new_data()
        self.zero = np.zeros(problem.model.nv)
        self.evaluations = 0
        self.fault = 0
        self.finite = True
        self.reached = 0.0
        self.frames = 0
        self._look = time.monotonic()
        self.state = problem.state
        self._mark = (0.0, 0)

    def stalled(self) -> bool:
        """Whether a constrained motion nears a singular position in steps that shrink without end."""
        if not self.problem.model.constraints or self.evaluations - self._mark[1] < MANY:
            return False
        before, self._mark = self._mark[0], (self.reached, self.evaluations)
        return self.reached - before < STALLED * self.problem.duration

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        self.evaluations += 1
        limit = self.problem.budget.evaluations
        now = time.monotonic()
        if now - self._look > 0.02 or (limit is not None and self.evaluations > limit):
            self._look = now
            outcome = self.problem.budget_outcome(self.evaluations, self.reached, self.frames)
            if outcome is not None:
                raise _Stop(outcome)
        dy = np.empty_like(y)
        y = np.array(y, dtype=float)
        arrays = self.problem.packed.model, self.data, self.effort(t, y)
        status = state_derivative(self.problem.derivative, *arrays, float(t), y, dy)
        self.fault = max(0, status)
        if status < 0:
            dy[:] = np.nan
        self.finite = self.finite and bool(np.isfinite(dy).all())
        return dy

    def diagnose_stall(self, at: float) -> Outcome:
        """The outcome when a constrained motion cannot go on from the last step's end."""
        unmet, method = int(self.data[UNMET]), None if self.method == "dop853" else self.method
        return self.problem.diagnose_stall(at, self.state, unmet, method)

    def effort(self, t: float, y: np.ndarray) -> np.ndarray:
        if self.problem.effort is None:
            return self.zero
        nq, nv = self.problem.model.nq, self.problem.model.nv
        return np.asarray(self.problem.effort(t, y[:nq], y[nq : nq + nv]))


def run_scipy(
    problem: Problem, method: str, start: float = 0.0, state: np.ndarray | None = None, frame: int = 0
) -> Run:
    """Integrate with SciPy's ``method`` from ``start``; frames are counted from ``frame``."""
    from scipy import integrate

    solvers = {"radau": integrate.Radau, "bdf": integrate.BDF, "dop853": integrate.DOP853}
    side = _Side(problem, method)
    side.reached = start
    y = (problem.state if state is None else state).copy()
    side.state = y.copy()
    blocks = [y[None].copy() if frame == 0 else np.empty((0, len(y)))]
    run = Run(np.empty((0, len(y))), Outcome(Result.COMPLETED, problem.duration), method)
    counter = _Counter(side, max(frame, 1))
    try:
        if not np.all(np.isfinite(side(start, y))):
            raise _Stop(_fault(side, start))
        with np.errstate(all="ignore"):
            sizes = _Sizes(problem)
            given: dict[str, Any] = {} if method == "dop853" else {"jac": sizes.jacobian(side)}
            given |= {"rtol": max(problem.rtol, 3e-14), "atol": sizes.tolerances(y, side(start, y))}
            solver = solvers[method](side, start, y, problem.duration, **given)
            watch = Watch(problem, solver)
            while solver.status == "running":
                side.finite = True
                solver.max_step = largest_step_from(problem.limits.table, float(solver.t))
                solver.atol = sizes.tolerances(solver.y)
                message = solver.step()
                if solver.status == "failed":
                    raise _Stop(_fault(side, float(solver.t), message or ""))
                sizes.note(solver.h_abs)
                side.reached, side.state = float(solver.t), solver.y.copy()
                if side.stalled():
                    raise _Stop(side.diagnose_stall(side.reached))
                dense = solver.dense_output()
                if problem.keep_steps:
                    run.steps.append(polynomial_of(dense))
                stop = watch.look(dense, run)
                counter.take(dense, solver.t if stop is None else stop, stop is not None, blocks)
                if stop is not None:
                    run.outcome, run.last_time = Outcome(Result.EVENT, stop), stop
                    break
                outcome = problem.budget_outcome(side.evaluations, side.reached, counter.frame)
                if outcome is not None:
                    raise _Stop(outcome)
    except _Stop as stopped:
        run.outcome = stopped.outcome
    except KeyboardInterrupt:
        run.outcome = problem.interrupted(side.reached)
    except SignalUnresolved as unresolved:
        run.outcome = problem.unresolved(unresolved.args[1], unresolved.args[0])
    except FunctionFailed as failed:
        if side.reached == start:  # nothing is computed that could be kept
            raise
        last = min(side.reached, failed.time - problem.begin)  # an event's signal fails inside a step that is done
        run.outcome = Outcome(Result.FUNCTION, last, f"{failed.told}; what was computed until then is here.")
    except MbwidgetsError:
        raise
    except (ValueError, ArithmeticError, np.linalg.LinAlgError, RuntimeError) as error:
        run.outcome = _fault(side, side.reached, str(error))
    run.evaluations = side.evaluations
    run.rows = np.vstack(blocks)
    return run


def polynomial_of(dense: Any) -> tuple[float, float, np.ndarray, np.ndarray]:
    """A step of SciPy's as `motion.dense_output` keeps it: beginning, size, state, coefficients (7, n)."""
    begin, size = float(dense.t_old), float(dense.t - dense.t_old)
    if hasattr(dense, "F"):  # DOP853 has the same form
        return begin, size, np.array(dense.y_old), np.array(dense.F)
    base = dense(begin)
    moved = dense(begin + size * PLACES) - base[:, None]
    return begin, size, base, np.linalg.solve(FORM, moved.T)


def _form(x: np.ndarray) -> np.ndarray:
    """What each coefficient of a step's polynomial counts at parts x of the step, (len(x), 7)."""
    columns, value = [], np.ones_like(x)
    for j in range(len(x)):
        value = value * (x if j % 2 == 0 else 1.0 - x)
        columns.append(value)
    return np.column_stack(columns)


PLACES: Final = (1.0 - np.cos(np.pi * np.arange(1, 8) / 7)) / 2
"""Parts of a step at which a polynomial of degree 7 or less is read."""
FORM: Final = _form(PLACES)


def _fault(side: _Side, at: float, message: str = "") -> Outcome:
    """Which fault made a step fail."""
    if side.problem.model.constraints and (not side.finite or "step size" in message):
        return side.diagnose_stall(at)
    if side.fault:
        return side.problem.singular(at, side.state, side.fault - 1)
    if "step size" in message and side.finite:
        rate = side(at, side.state)
        return side.problem.too_small(at, side.state, rate, 1e-15 * at, "soften what is stiff, or loosen rtol.")
    if message and side.finite and "infs or NaNs" not in message:
        return Outcome(Result.FAILED, at, message)
    return side.problem.not_finite(at)


class _Sizes:
    """The absolute tolerances of a motion, by its own size; those that were given, where some were."""

    def __init__(self, problem: Problem) -> None:
        self.given, self.rtol = problem.atol, problem.rtol
        table = sizes_of(problem.model, problem.packed.model[memory_layout.LENGTH])
        self.radius = table[RADIUS, 0]
        self.group = table[GROUP, : len(problem.state)].astype(int)
        self.least = table[SEEN, :KINDS].copy()
        self.seen = self.least.copy()
        self.blur, self.step = 1.0, math.inf

    def tolerances(self, y: np.ndarray, rate: np.ndarray | None = None) -> float | np.ndarray:
        """Absolute tolerances at a state; ``rate``: of the first, whose numbers may be zero before they grow."""
        values = abs(y) if rate is None else np.maximum(abs(y), FIRST * abs(rate))
        np.maximum.at(self.seen, self.group, np.where(np.isfinite(values), values, 0.0))
        for straight, round_ in ((LENGTH, ANGLE), (SPEED, TURNING)):
            self.seen[straight] = max(self.seen[straight], COUPLED * self.radius * self.seen[round_])
            self.seen[round_] = max(self.seen[round_], COUPLED * self.seen[straight] / self.radius)
        self.seen[WORK] = max(self.seen[WORK], LEAST_MASS * (self.seen[SPEED] ** 2 + self.seen[TURNING] ** 2))
        if self.given is not None:
            return self.given
        small, large = np.minimum(1.0, SMALL * self.blur * self.seen), np.maximum(1.0, LARGE * self.seen)
        small[self.seen == self.least] = 1.0  # nothing is known
        return self.rtol * np.where(self.seen < 1.0, small, large)[self.group]

    def jacobian(self, side: _Side) -> Callable[[float, np.ndarray], np.ndarray]:
        """∂ẏ/∂y by differences as large as the motion's numbers ask for.

        SciPy's own take the tolerance for the size of a number that is zero: a coordinate on which nothing depends then
        has differences of rounding alone.
        """

        def matrix(t: float, y: np.ndarray) -> np.ndarray:
            rate, columns = side(t, y), np.empty((len(y), len(y)))
            sizes = np.maximum(abs(y), np.minimum(1.0, np.where(self.seen > self.least, self.seen, 1.0))[self.group])
            for k, size in enumerate(sizes):
                moved = y.copy()
                moved[k] += DIFFERENCE * size
                columns[:, k] = (side(t, moved) - rate) / (moved[k] - y[k])
            return columns

        return matrix

    def note(self, step: float) -> None:
        """Where steps shrink at once to a hundredth, rounding is what is seen, or a jump."""
        if step < 0.01 * self.step:
            self.blur *= NOISE
        self.step = step


class _Counter:
    """Takes the frames that lie inside each step, in blocks between which it looks at the budget."""

    def __init__(self, side: _Side, frame: int) -> None:
        self.side = side
        self.frame = frame

    def take(self, dense: Any, end: float, stopped: bool, blocks: list[np.ndarray]) -> None:
        """Append the frames up to ``end``; a motion that an event stops has its last frame there."""
        problem = self.side.problem
        spacing, last = problem.spacing, problem.frames
        until = last if end >= problem.duration else min(last, int(end / spacing + 1e-9))
        if stopped and until * spacing >= end - SAME_TIME * spacing:
            until -= 1
        while self.frame <= until:
            block = np.arange(self.frame, min(self.frame + 1024, until + 1))
            times = np.minimum(block * spacing, end)
            blocks.append(dense(times).T)
            self.frame += len(block)
            self.side.frames = self.frame
            outcome = problem.budget_outcome(self.side.evaluations, self.side.reached, self.frame)
            if outcome is not None:
                raise _Stop(outcome)
        if stopped:
            blocks.append(dense(end)[None])
