"""SciPy's integrators on the compiled right-hand side: Radau and BDF for stiff systems, DOP853 for Python functions."""

from __future__ import annotations

import itertools
import time
from typing import Any, Final

import numpy as np

from ..errors import MbwidgetsError
from .dynamics import as_array
from .layout import UNMET, tables_of
from .outcome import Outcome, Result
from .problem import CREEP, MANY, Problem, Run
from .stepper import LOOKS, read_signals

DIFFERENCE: Final = 1e-3
"""The largest step of a difference quotient, as a part of the coordinate's size."""


class _Stop(Exception):
    """Leaves the integrator from inside the right-hand side."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class _Broken(Exception):
    """An event's own function failed: the user's error goes on as it is."""


class _Side:
    """The right-hand side: counts evaluations, watches the budget, remembers the body at fault."""

    def __init__(self, problem: Problem, method: str) -> None:
        self.problem = problem
        self.method = method
        self.memory = problem.packed.memory.copy()
        self.tables = tables_of(self.memory)
        self.zero = np.zeros(problem.model.nv)
        self.evaluations = 0
        self.fault = 0
        self.finite = True
        self.reached = 0.0
        self.frames = 0
        self._look = time.monotonic()
        self.state = problem.state
        self._mark = (0.0, 0)

    def creeps(self) -> bool:
        """Whether a constrained motion nears a singular position in steps that shrink without end."""
        if not self.problem.model.constraints or self.evaluations - self._mark[1] < MANY:
            return False
        before, self._mark = self._mark[0], (self.reached, self.evaluations)
        return self.reached - before < CREEP * self.problem.duration

    def __call__(self, t: float, y: np.ndarray) -> np.ndarray:
        self.evaluations += 1
        limit = self.problem.budget.evaluations
        now = time.monotonic()
        if now - self._look > 0.02 or (limit is not None and self.evaluations > limit):
            self._look = now
            outcome = self.problem.spent(self.evaluations, self.reached, self.frames)
            if outcome is not None:
                raise _Stop(outcome)
        dy = np.empty_like(y)
        y = np.array(y, dtype=float)
        status = self.problem.derivative(self.memory, *self.tables, self.effort(t, y), float(t), y, dy)
        self.fault = max(0, status)
        if status < 0:
            dy[:] = np.nan
        self.finite = self.finite and bool(np.isfinite(dy).all())
        return dy

    def stuck(self, at: float) -> Outcome:
        """The outcome when a constrained motion cannot go on from the last step's end."""
        unmet, method = int(self.memory[UNMET]), None if self.method == "dop853" else self.method
        return self.problem.stuck(at, self.state, unmet, method)

    def effort(self, t: float, y: np.ndarray) -> np.ndarray:
        if self.problem.effort is None:
            return self.zero
        q, u = self.problem.split(y)
        return as_array(self.problem.effort(t, q, u), self.problem.model.velocity_names, "tau")


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
            solver = solvers[method](side, start, y, problem.duration, rtol=max(problem.rtol, 3e-14), atol=problem.atol)
            watch = _Watch(problem, solver)
            while solver.status == "running":
                side.finite = True
                message = solver.step()
                _tame(solver)
                if solver.status == "failed":
                    raise _Stop(_fault(side, float(solver.t), message or ""))
                side.reached, side.state = float(solver.t), solver.y.copy()
                if side.creeps():
                    raise _Stop(side.stuck(side.reached))
                dense = solver.dense_output()
                stop = watch.look(dense, run)
                counter.take(dense, solver.t if stop is None else stop, stop is not None, blocks)
                if stop is not None:
                    run.outcome, run.last_time = Outcome(Result.EVENT, stop), stop
                    break
                outcome = problem.spent(side.evaluations, side.reached, counter.frame)
                if outcome is not None:
                    raise _Stop(outcome)
    except _Stop as stopped:
        run.outcome = stopped.outcome
    except KeyboardInterrupt:
        run.outcome = problem.interrupted(side.reached)
    except _Broken as broken:
        raise broken.args[0] from None
    except MbwidgetsError:
        raise
    except (ValueError, ArithmeticError, np.linalg.LinAlgError, RuntimeError) as error:
        run.outcome = _fault(side, side.reached, str(error))
    run.evaluations = side.evaluations
    run.rows = np.vstack(blocks)
    return run


def _tame(solver: Any) -> None:
    """Keep SciPy's step of difference quotients small: of a coordinate on which nothing depends it grows tenfold each
    time, until the state beside is past all numbers."""
    factor = getattr(solver, "jac_factor", None)
    if factor is not None:
        np.minimum(factor, DIFFERENCE, out=factor)


def _fault(side: _Side, at: float, message: str = "") -> Outcome:
    """Which fault made a step fail."""
    if side.problem.model.constraints and (not side.finite or "step size" in message):
        return side.stuck(at)
    if side.fault:
        return side.problem.singular(at, side.state, side.fault - 1)
    if "step size" in message and side.finite:
        return Outcome(Result.STEP_TOO_SMALL, at, "Soften what is stiff or loosen rtol.")
    if message and side.finite and "infs or NaNs" not in message:
        return Outcome(Result.FAILED, at, message)
    return side.problem.not_finite(at)


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
        if stopped and until * spacing >= end:
            until -= 1
        while self.frame <= until:
            block = np.arange(self.frame, min(self.frame + 1024, until + 1))
            times = np.minimum(block * spacing, end)
            blocks.append(dense(times).T)
            self.frame += len(block)
            self.side.frames = self.frame
            outcome = problem.spent(self.side.evaluations, self.side.reached, self.frame)
            if outcome is not None:
                raise _Stop(outcome)
        if stopped:
            blocks.append(dense(end)[None])


class _Watch:
    """Finds zeros of the events' signals inside each step."""

    def __init__(self, problem: Problem, solver: Any) -> None:
        self.problem = problem
        self.memory = problem.packed.memory.copy()
        self.before = self._signals(solver.t, solver.y)

    def _signals(self, t: float, y: np.ndarray) -> list[float]:
        nq, nv = self.problem.model.nq, self.problem.model.nv
        if self.problem.signals is not None:
            from ..expressions import as_scalar, evaluate

            def value(signal: Any) -> float:
                if callable(signal):
                    try:
                        return float(signal(t, *self.problem.split(y)))
                    except Exception as error:
                        raise _Broken(error) from error
                state: dict[str, Any] = {"t": [t], "q": y[:nq], "u": y[nq : nq + nv]}
                values = self.problem.model.values
                return evaluate(as_scalar(signal), values, lambda leaf: float(state[leaf.kind][leaf.index]))

            return [value(signal) for signal in self.problem.signals]
        out = np.zeros(len(self.problem.rules))
        read_signals(self.memory, float(t), np.ascontiguousarray(y), len(out), out)
        return [float(item) for item in out]

    def look(self, dense: Any, run: Run) -> float | None:
        """Record what crosses zero in a step; returns when an event that ends the motion did."""
        if not self.problem.rules:
            return None
        found = []
        times = np.linspace(dense.t_old, dense.t, LOOKS + 1)
        for low, high in itertools.pairwise(times):
            after = self._signals(high, dense(high))
            for number, (direction, terminal) in enumerate(self.problem.rules):
                first, second = self.before[number], after[number]
                rises, falls = first < 0 <= second, first > 0 >= second
                if (rises and direction >= 0) or (falls and direction <= 0):
                    found.append((self._bisect(dense, number, low, high), number, terminal))
            self.before = after
        stop = min((when for when, _, terminal in found if terminal), default=None)
        for when, number, _ in sorted(found):
            if stop is None or when <= stop:
                run.events.append(self.problem.event(number, when, dense(when)))
        return stop

    def _bisect(self, dense: Any, number: int, low: float, high: float) -> float:
        negative = self.before[number] < 0
        for _ in range(55):
            middle = 0.5 * (low + high)
            value = self._signals(middle, dense(middle))[number]
            if (value < 0) == negative and value != 0:
                low = middle
            else:
                high = middle
        return float(high)
