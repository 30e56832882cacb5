"""The compiled integrators, driven from Python: budget, frames, events, and the change to an implicit method."""

from __future__ import annotations

import math
import time
from typing import Final

import numpy as np

from . import stepper as at
from .outcome import Outcome, Result
from .problem import Problem, Run

BUFFER: Final = 2048
"""Frames written before Python looks at the clock."""
PATIENCE: Final = 3.0
"""Seconds that a stiff system may still take before the implicit method is tried."""


def run_explicit(problem: Problem, method: str) -> Run:
    """Integrate with DOP853 (``"auto"``, ``"dop853"``) or RK4."""
    state = problem.state.copy()
    control, counters = _start(problem, method)
    buffer = min(BUFFER, problem.frames)
    arrays = at.fresh_arrays(len(state), len(problem.rules), buffer)
    arrays["rules"][:] = np.array(problem.rules, dtype=float).reshape(-1, 2)
    memory, zero = problem.packed.memory.copy(), np.zeros(problem.model.nv)
    blocks, events = [state[None].copy()], []
    chunk, outcome = 2000, None
    while outcome is None:
        counters[at.PAUSE] = counters[at.EVALUATIONS] + _allowance(problem, counters, chunk)
        before = time.monotonic()
        code = at.advance(memory, zero, control, counters, state, **arrays)
        chunk = _adapted(chunk, time.monotonic() - before)
        for row in range(counters[at.EVENTS]):
            events.append(problem.event(arrays["found"][row, 0], arrays["found"][row, 1], arrays["found_y"][row]))
        counters[at.EVENTS] = 0
        blocks.append(arrays["frames"][: counters[at.WRITTEN]].copy())
        counters[at.WRITTEN] = 0
        now = float(control[at.TIME])
        outcome = _outcome(problem, code, counters, now)
        if outcome is None:
            outcome = problem.spent(int(counters[at.EVALUATIONS]), now, int(counters[at.FRAME]))
        if outcome is None and code == at.STIFF:
            if _remaining(control, counters, time.monotonic() - problem.started) > PATIENCE:
                return _go_on_implicitly(problem, np.vstack(blocks), state, control, counters, events)
            counters[at.WATCH] = 0
    rows = np.vstack(blocks)
    events.sort(key=lambda found: found.time)
    if outcome.result is Result.EVENT:
        events = [found for found in events if found.time <= outcome.time * (1 + 1e-12)]
    return Run(
        rows=rows,
        outcome=outcome,
        method="rk4" if method == "rk4" else "dop853",
        evaluations=int(counters[at.EVALUATIONS]),
        events=events,
        last_time=float(control[at.END]) if outcome.ok else None,
    )


def _start(problem: Problem, method: str) -> tuple[np.ndarray, np.ndarray]:
    control, counters = np.zeros(at.CONTROL_SIZE), np.zeros(at.COUNTER_SIZE, dtype=np.int64)
    control[at.END], control[at.SPACING] = problem.duration, problem.spacing
    control[at.RTOL], control[at.ATOL] = problem.rtol, problem.atol
    counters[at.FRAME], counters[at.LAST_FRAME], counters[at.FAULT] = 1, problem.frames, -1
    counters[at.METHOD] = at.RK4 if method == "rk4" else at.DOP853
    counters[at.WATCH] = int(method == "auto")
    if method == "rk4":
        control[at.STEP] = problem.spacing / math.ceil(problem.spacing / problem.step - 1e-9)
    return control, counters


def _allowance(problem: Problem, counters: np.ndarray, chunk: int) -> int:
    limit = problem.budget.evaluations
    return chunk if limit is None else max(1, min(chunk, limit - int(counters[at.EVALUATIONS])))


def _adapted(chunk: int, seconds: float) -> int:
    """Evaluations that take about 50 ms, so that a budget or a cancellation is noticed in time."""
    return int(min(1e7, max(100, chunk * min(4.0, max(0.25, 0.05 / max(seconds, 1e-4))))))


def _outcome(problem: Problem, code: int, counters: np.ndarray, now: float) -> Outcome | None:
    match code:
        case at.DONE:
            return Outcome(Result.COMPLETED, now)
        case at.EVENT:
            return Outcome(Result.EVENT, now)
        case at.TOO_SMALL:
            return Outcome(Result.STEP_TOO_SMALL, now, 'Try method="radau", or soften what is stiff.')
        case at.NOT_FINITE:
            return problem.not_finite(now)
        case at.SINGULAR:
            return problem.singular(now, int(counters[at.FAULT]) - 1)
    return None


def _remaining(control: np.ndarray, counters: np.ndarray, elapsed: float) -> float:
    """Seconds that the explicit method would still take at its present step."""
    steps = (control[at.END] - control[at.TIME]) / max(control[at.STEP], 1e-300)
    return float(steps * 12 * elapsed / max(1, counters[at.EVALUATIONS]))


def _go_on_implicitly(
    problem: Problem,
    rows: np.ndarray,
    state: np.ndarray,
    control: np.ndarray,
    counters: np.ndarray,
    events: list,
) -> Run:
    from .implicit import run_scipy

    rest = run_scipy(problem, "radau", start=float(control[at.TIME]), state=state, frame=int(counters[at.FRAME]))
    rest.rows = np.vstack([rows, rest.rows]) if len(rest.rows) else rows
    rest.events = events + rest.events
    rest.evaluations += int(counters[at.EVALUATIONS])
    rest.method = "dop853, then radau"
    return rest
