"""Motions: from a model and a state to frames in time, always with an outcome that a person can read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from ...errors import StateError, UnknownNameError, shorten
from ...expressions import Expression
from ...model.arguments import as_model
from ...model.fields import suggest_name
from ...model.guesses import answer_arguments, answer_fields
from ...model.model import Model
from ..base.arguments import as_state, joint_with_zero_quaternion
from ..base.outcome import Budget, Outcome, Result
from ..base.tolerances import FRAMES_MET, FRAMES_PARTED
from ..kernels import entry_points, memory_layout
from ..motion.dense_output import Source, dense_of_steps, resampled
from ..motion.horizon import Again
from ..motion.motion import Motion
from ..packing.pack import Packed, pack_model, recipe_of
from ..packing.pack_efforts import effort_frames, without_drives
from ..packing.packed_places import counted_from
from ..states.constraint_system import set_nearest_curve_parameters
from .controllers import Sampled
from .initial_value_problem import Problem, Run
from .inputs import inputs_of, state_expression
from .retrace import Retrace
from .run_compiled import LARGE_STATE, run_compiled
from .run_sampled import run_sampled
from .run_scipy import run_scipy
from .table_ends import refuse_table_ends
from .time_span import USUAL_RATE, default_duration, default_rate, frame_times, start_time
from .user_functions import (
    CalledEfforts,
    SummedEfforts,
    as_signal_function,
    is_function,
    user_errors_unchanged,
)

__all__ = ["Event", "simulate"]

BAUMGARTE: Final = 10.0
"""Rate α, 1/s, of Φ̈ + 2 α Φ̇ + α² Φ = 0."""
HALF: Final = 0.5
"""Part of the tolerances that the steps of a constrained motion get; the projection of their ends has the rest."""
LOOSE: Final = 100.0
"""The same in relative tolerances, where a coarse one is asked for."""
LEAST_RTOL: Final = 1e-15
"""A few times what rounding does to a number."""
MOST_FRAMES: Final = 2**53
"""What can be counted in floats; a motion whose frames memory cannot hold ends with that reason."""
METHODS: Final = ("auto", "dop853", "rk4", "radau", "bdf")


@answer_fields
@dataclass(frozen=True)
class Event:
    """A moment to notice: when ``signal``, an expression of t, q[i], u[i] or a function of (t, q, u), crosses zero.

    Attributes
    ----------
    signal : for instance ``"q[0]"``; a Python function is possible and slower
    direction : 1 rising only, −1 falling only, 0 both
    terminal : whether the motion ends there

    >>> motion = mb.simulate(mb.library.pendulum(1), q=[1], u=[0], events=[mb.Event("q[0]", terminal=True)])
    >>> motion.outcome.result, round(float(motion.t[-1]), 6)  # a quarter of a period
    (<Result.EVENT: 'An event stopped the motion.'>, 0.43665)
    """

    signal: Any
    direction: int = 0
    terminal: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.direction, int) or self.direction not in (-1, 0, 1):
            raise StateError(f"direction {shorten(self.direction)}", where="event", remedy="give -1, 0 or 1")
        if self.terminal not in (True, False):
            remedy = "give True or False; the second passage is the second of the times that crossings gives"
            raise StateError(f"terminal = {shorten(self.terminal)}", where="event", remedy=remedy)


@answer_arguments
def simulate(
    model: Model,
    q: Any = None,
    u: Any = None,
    *,
    duration: float | None = None,
    rate: float | None = None,
    tau: Any = None,
    method: str = "auto",
    rtol: float = 1e-10,
    atol: float | None = None,
    step: float | None = None,
    events: Any = (),
    budget: Any = None,
    stabilise: str = "projection",
    max_step: float | None = None,
    times: Any = None,
    start: float | None = None,
) -> Motion:
    """The motion of a model from an initial state.

    Parameters
    ----------
    model : what moves
    q, u : initial state; by default the model's own; a dict by joint or coordinate, ``{"rod": 1.0}``, leaves the rest
    duration : s; by default the model's own, or 10 s
    rate : frames per second; by default 60, also of a short ``duration``, of which 0.1 s has 7 frames; only where a
        model's own duration is short as many as give 600 frames
    tau : efforts beyond the model's forces: numbers, expressions of t, q[rod], u[rod] and of points, x[rod] or
        vx[rod, 0, 0, 1], an `mb.Table` over t, a list of them in the order of u, or a dict by joint; a function of t or
        of (t, q, u), which is slower, as a whole or of one joint; an `mb.Controller`, a function that is called at
        instants, which is fast
    method : ``"auto"`` (DOP853, or Radau where the system turns out to be stiff), ``"dop853"``, ``"rk4"``,
        ``"radau"``, ``"bdf"``
    rtol, atol : tolerances of the adaptive methods, and so of all that is read from the motion; by default ``atol``
        follows from ``rtol`` and the size of the motion itself, so that a motion of nanometres is as exact as one of
        metres
    step : of ``"rk4"``, 1 ms by default; shortened so that frames fall on steps
    events : expressions or `Event` records
    budget : seconds, or a `Budget`; 60 s by default
    stabilise : drift control of constraints: ``"projection"``, ``"baumgarte"`` or ``"none"``
    max_step : s, no step is larger, whatever the method; for efforts that are functions, which can change between two
        steps and not be seen. What expressions of t do is seen without it
    times : s, the frames' own times, in rising order, instead of ``duration`` and ``rate``; the motion still begins
        with its state at ``start``
    start : s, the time of the initial state; 0 by default

    Returns
    -------
    Motion : always, after Ctrl-C and after the first step of a function that fails, too; its ``outcome`` says how the
        computation ended, and it holds all that was computed until then

    >>> motion = mb.simulate(mb.library.three_body_arm(), duration=2)
    >>> motion.outcome.ok, motion.drift < 1e-8
    (True, True)
    """
    as_model(model)
    method = _choose(str(method).lower(), METHODS, "method")
    if step is not None and method != "rk4":
        raise StateError(
            f"step = {shorten(step)} does nothing with method {method!r}, which chooses its steps",
            remedy='give max_step, or method="rk4"',
        )
    _choose(stabilise, ("projection", "baumgarte", "none"), "stabilise")
    state, begin = _state(model, q, u), start_time(start)
    if times is not None:
        times = frame_times(times, begin, duration, rate)
        duration = float(times[-1]) - begin
    duration, frames = _span(model, begin, duration, rate)
    inputs, rules = inputs_of(model, tau), _rules(events)
    extra, function = inputs.drives, inputs.function
    signals = [_signal(model, rule) for rule in rules]
    slow_events = any(is_function(signal) for signal in signals)
    problem = Problem(
        model=model,
        packed=pack_model(model, extra, [] if slow_events else signals, begin),
        state=state,
        duration=duration,
        frames=frames,
        rtol=_tolerance(rtol),
        atol=None if atol is None else _positive(atol, "atol"),
        step=_positive(1e-3 if step is None else step, "step"),
        largest_step=_largest_step(max_step, duration),
        rules=[(rule.direction, rule.terminal) for rule in rules],
        signals=[_since(begin, signal) for signal in signals] if slow_events else None,
        effort=function if function is None else _since(begin, function),
        drives=extra,
        budget=Budget.of(budget),
        begin=begin,
        keep_steps=slow_events or function is not None,
        sampled=Sampled(model, inputs.controllers, begin) if inputs.controllers else None,
    )
    if problem.sampled is not None and problem.keep_steps:
        raise StateError(
            "a controller beside another Python function", where="tau or events", remedy="write that as an expression"
        )
    again = _again(problem, tau, max_step, () if slow_events else tuple(rules))
    with user_errors_unchanged():
        motion = _solved(problem, method, stabilise)
        assert motion.source is not None
        motion.source.tau = tau
        motion = replace(motion, again=again)
        return motion if times is None else _at_times(motion, times)


def _span(model: Model, begin: float, duration: Any, rate: Any) -> tuple[float, int]:
    """How long the motion lasts, s, and how many frames it has beside the first."""
    usual = default_rate(model, default_duration(model)) if duration is None else USUAL_RATE
    length = _positive(default_duration(model) if duration is None else duration, "duration")
    refuse_table_ends(model, begin, begin + length)
    return length, _frames(length, _positive(usual if rate is None else rate, "rate"))


def _signal(model: Model, rule: Event) -> Any:
    """What an event watches: a function of (t, q, u), or an expression."""
    if is_function(rule.signal):
        return as_signal_function(rule.signal)
    return state_expression(model, rule.signal, "event")


def _solved(problem: Problem, method: str, stabilise: str) -> Motion:
    if problem.model.constraints and not _unfit(problem):
        return constrained_motion(problem, method, stabilise)
    run = _solve(problem, method)
    return _motion(problem, run, _source(problem, run, method))


def _at_times(motion: Motion, times: np.ndarray) -> Motion:
    """The motion at times of a person's own, as far as it goes; the instant of an event that stops it is there too."""
    whole = motion.outcome.result is Result.COMPLETED  # to the last time, but for its rounding
    reached = times if whole else times[times <= motion.t[-1]]
    if not len(reached) or (motion.outcome.result is Result.EVENT and reached[-1] < motion.t[-1]):
        reached = np.append(reached, motion.t[-1])
    return resampled(motion, reached)


def _since(begin: float, given: Any) -> Any:
    """A function of (t, q, u), or an expression, that counts its time from ``begin``."""
    if begin == 0.0:
        return given
    if not is_function(given):
        return counted_from(begin, given)
    return lambda t, q, u: given(t + begin, q, u)


def _again(problem: Problem, tau: Any, max_step: float | None, rules: tuple[Event, ...]) -> Again:
    """How to solve the same motion with another tolerance, by the usual method; events that are functions are left."""
    if problem.effort is not None or problem.sampled is not None:
        return Again(None, {}, "tau is a Python function")
    nq, frames = problem.model.nq, problem.frames / problem.duration
    arguments = {
        "model": problem.model,
        "q": problem.state[:nq].copy(),
        "u": problem.state[nq:-1].copy(),
        "duration": problem.duration,
        "rate": frames,
        "start": problem.begin,
        "tau": tau,
        "max_step": max_step,
    }
    return Again(simulate, arguments, "", problem.rtol, rules)


def constrained_motion(problem: Problem, method: str, stabilise: str) -> Motion:
    """The motion of a model with constraints: a consistent start, then frames that are brought to the constraints."""
    from ..motion.constraint_history import relative_constraint_residuals
    from .consistent_start import assemble_start

    settings, nq = problem.packed.model, problem.model.nq
    settings[memory_layout.PROJECTED] = float(stabilise == "projection")
    settings[memory_layout.FEEDBACK] = BAUMGARTE if stabilise == "baumgarte" else 0.0
    assembly = assemble_start(problem.model, problem.packed, problem.state[:nq], problem.state[nq:-1])
    problem.state[:nq], problem.state[nq:-1] = assembly.q, assembly.u
    problem.rank = settings[memory_layout.RANK] = assembly.rank
    problem.rtol, problem.atol = HALF * problem.rtol, problem.atol and HALF * problem.atol
    if assembly.fault is not None:
        run = Run(np.array([problem.state]), assembly.fault, method)
    else:
        run = _solve(problem, method)
    source = _source(problem, run, method, stabilise)
    if assembly.moved and assembly.fault is None:
        run.outcome = replace(run.outcome, details=f"{run.outcome.details} {assembly.details}".strip())
    settings[memory_layout.FEEDBACK] = 0.0
    motion = replace(_motion(problem, run, source), assembly=assembly)
    if assembly.fault is not None:
        return motion
    off = relative_constraint_residuals(motion, stabilise == "projection")
    if stabilise == "projection":
        return _until_off(motion, off, max(FRAMES_MET, LOOSE * problem.rtol), assembly.details)
    return _until_off(_until_parted(motion, assembly.details), off, FRAMES_PARTED, assembly.details)


def _until_parted(motion: Motion, moved: str) -> Motion:
    """A motion without projection up to where constraints contradict each other, which no projection has noticed."""
    if motion.closure.unique or (found := motion.closure.parted()) is None:
        return motion
    frame, equation = found
    details = f"It is {motion.closure.names[equation]}: it cannot be met any further. {moved}".strip()
    return _cut(motion, frame, Result.CONTRADICTORY, details)


def _until_off(motion: Motion, off: np.ndarray, most: float, moved: str) -> Motion:
    """A motion up to the first frame that misses its constraints by more than a part of their terms, if any."""
    if not motion.outcome.ok or (off <= min(most, FRAMES_MET)).all():
        return motion
    bad = ~(off <= most)
    # a constraint whose terms are still tiny, the tail of a pulse that is to come, is off by nothing that matters
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(off > 0.0, motion.closure.residual / off, 0.0)
    bad &= ~(motion.closure.residual <= most * np.nanmax(terms, initial=0.0))
    frame = int((bad if bad.any() else motion.closure.residual).argmax())
    phi = motion.closure.values[frame]
    told = f"{motion.closure.names[int(abs(phi).argmax())]} is off by {abs(phi).max():.3g}"
    if not bad.any():  # drift that nobody asked to have projected away
        return replace(motion, outcome=replace(motion.outcome, details=f"{told} at most. {moved}".strip()))
    return _cut(motion, frame, Result.DRIFTED, f"{told}: give smaller tolerances or steps. {moved}".strip())


def _cut(motion: Motion, frame: int, result: Result, details: str) -> Motion:
    """The frames before one where the constraints are no longer met, and an outcome that says so."""
    outcome = Outcome(result, float(motion.t[frame]), details)
    kept = slice(0, max(1, frame))
    return replace(
        motion,
        t=motion.t[kept],
        q=motion.q[kept],
        u=motion.u[kept],
        work=motion.work[kept],
        efforts=None if motion.efforts is None else motion.efforts[kept],
        events=tuple(event for event in motion.events if event.time <= outcome.time),
        outcome=outcome,
    )


def _solve(problem: Problem, method: str) -> Run:
    run = _integrate(problem, method)
    if run.outcome.result is Result.NOT_FINITE and problem.effort is not None and len(run.rows):
        run.outcome = replace(run.outcome, details=_spoilt_by_tau(problem, run) or run.outcome.details)
    if problem.limits.too_fast:
        said = "An input varies so fast that a step may miss part of it: give max_step=… and compare."
        run.outcome = replace(run.outcome, details=f"{run.outcome.details} {said}".strip())
    return run


def _spoilt_by_tau(problem: Problem, run: Run) -> str:
    """Where a Python function gives efforts that are not finite, at the last state or just after it."""
    assert problem.effort is not None
    state, nq = run.rows[-1], problem.model.nq
    for t in (run.outcome.time, run.outcome.time + 1e-9 * problem.duration):
        found = np.asarray(problem.effort(t, state[:nq], state[nq:-1]))
        if not np.isfinite(found).all():
            return f"tau gives {found.tolist()} at t = {problem.begin + t:g} s."
    return ""


def _integrate(problem: Problem, method: str) -> Run:
    if fault := _unfit(problem):
        return Run(np.array([problem.state]), Outcome(Result.NOT_FINITE, 0.0, fault), method)
    compiled = problem.effort is None and problem.signals is None
    large = len(problem.state) > LARGE_STATE and method in ("radau", "bdf") and problem.sampled is None
    if (not compiled and method != "rk4") or large:
        return run_scipy(problem, "dop853" if method == "auto" else method)
    if not compiled:
        raise StateError(
            "RK4 runs compiled and cannot call a Python function",
            remedy="write tau and events as expressions",
        )
    if problem.sampled is not None:
        return run_sampled(problem, method, problem.sampled)
    return run_compiled(problem, method)


def _source(problem: Problem, run: Run, method: str, stabilise: str = "none") -> Source:
    """How the motion's steps are found again, and its efforts between frames."""
    until = (len(run.rows) - 1) * problem.spacing if run.last_time is None else run.last_time
    if not problem.keep_steps:
        trace: Any = Retrace(problem, method, until)
    else:
        trace = partial(dense_of_steps, run.steps, len(problem.state))
    parts: list[Any] = [partial(effort_frames, problem.model, problem.drives)] if problem.drives else []
    if problem.effort is not None:
        parts.append(CalledEfforts(problem.effort, problem.begin))
    if problem.sampled is not None:
        parts.append(problem.sampled.held())
    efforts = None if not parts else parts[0] if len(parts) == 1 else SummedEfforts(tuple(parts))
    return Source(trace, simulate, efforts, problem.begin, stabilise == "projection")


def _motion(problem: Problem, run: Run, source: Source) -> Motion:
    nq, nv, begin = problem.model.nq, problem.model.nv, problem.begin
    rows = run.rows
    q, u = np.ascontiguousarray(rows[:, :nq]), np.ascontiguousarray(rows[:, nq : nq + nv])
    entry_points.normalise_quaternions(problem.packed.model, q)
    t = begin + np.arange(len(rows)) * problem.spacing
    if run.last_time is not None:
        t[-1] = begin + run.last_time
    packed = problem.packed if begin == 0.0 else _packed_for_all_times(problem, q[0])
    if problem.drives:
        packed = without_drives(packed, len(problem.drives))
    return Motion(
        problem.model,
        t,
        q,
        u,
        np.ascontiguousarray(rows[:, -1]),
        replace(run.outcome, time=begin + run.outcome.time),
        run.method,
        run.evaluations,
        tuple(event._replace(time=begin + event.time) for event in run.events),
        packed=packed,
        efforts=None if source.efforts is None else source.efforts(t, q, u),
        source=source,
    )


def _packed_for_all_times(problem: Problem, q: np.ndarray) -> Packed:
    """The model's array with programs of the time itself, and the switches of the one that was solved."""
    packed = pack_model(problem.model, problem.drives)
    for place in (memory_layout.PROJECTED, memory_layout.FEEDBACK, memory_layout.RANK):
        packed.model[place] = problem.packed.model[place]
    if problem.model.constraints:
        set_nearest_curve_parameters(packed, q)
    return packed


def _unfit(problem: Problem) -> str:
    """What makes the initial state useless, in words."""
    model = problem.model
    names = [f"q of {name!r}" for name in model.coordinate_names] + [f"u of {name!r}" for name in model.velocity_names]
    for name, value in zip(names, problem.state, strict=False):
        if not math.isfinite(value):
            return f"The initial {name} is {value}: give a finite number."
    return ""


def _state(model: Model, q: Any, u: Any) -> np.ndarray:
    own = recipe_of(model).start(model.values)
    q, u = as_state(model, q, own[0], "q"), as_state(model, u, own[1], "u")
    if joint := joint_with_zero_quaternion(model, q):
        raise StateError("the quaternion is zero", where=f"joint {joint!r}", remedy="give x, y, z, w = 0, 0, 0, 1")
    return np.concatenate([q, u, [0.0]])


def _frames(duration: float, rate: float) -> int:
    frames = duration * rate
    if frames > MOST_FRAMES:
        raise StateError(
            f"{duration:g} s at rate {rate:g} are {frames:g} frames",
            remedy=f"give a lower rate or a shorter duration: at most {MOST_FRAMES:g} can be counted",
        )
    return max(1, round(frames))


def _largest_step(max_step: Any, duration: float) -> float:
    if max_step is None:
        return math.inf
    number = _positive(max_step, "max_step")
    if number < (least := LEAST_RTOL * duration):
        raise StateError(
            f"max_step = {shorten(max_step)} is less than rounding of the time, {duration:g} s",
            remedy=f"give {least:.0e} or more",
        )
    return number


def _tolerance(rtol: Any) -> float:
    number = _positive(rtol, "rtol")
    if number < LEAST_RTOL:
        raise StateError(f"rtol = {shorten(rtol)} is less than rounding", remedy=f"give {LEAST_RTOL:g} or more")
    return number


def _positive(value: Any, name: str) -> float:
    try:
        number = math.nan if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (number > 0.0 and math.isfinite(number)):
        raise StateError(f"{name} = {shorten(value)}", remedy="give a number > 0")
    return number


def _choose(value: Any, options: Sequence[str], name: str) -> str:
    if value not in options:
        raise UnknownNameError(f"{name} {shorten(value)} is not known", remedy=suggest_name(str(value), options))
    return str(value)


def _rules(events: Any) -> list[Event]:
    """Events from a list, or from a single one."""
    if events is None:
        return []
    if isinstance(events, Event | str | Expression) or callable(events):
        events = [events]
    if not isinstance(events, Iterable):
        raise StateError(f"events = {shorten(events)}", remedy="give a list of expressions or mb.Event(…)")
    return [item if isinstance(item, Event) else Event(item) for item in events]
