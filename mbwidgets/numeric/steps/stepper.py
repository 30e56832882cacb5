"""Steps through time inside compiled code, with dense output and events: DOP853, Radau IIA for stiff systems, and
Runge-Kutta 4 for comparison.

`advance_steps` runs until the motion ends, an event stops it, the buffer of frames is full or a number of evaluations
is spent; then Python looks at the clock and calls again. All that must survive between calls stands in the arrays.
"""

from __future__ import annotations

from math import inf

import numpy as np

from ..engines.kernel import Counters, Cube, Kernel, Table, Vector, entry_point, kernel
from ..kernels.expression_vm import run_program
from ..kernels.libm import ceil, floor, sqrt, square
from ..kernels.memory_layout import (
    CLEAR,
    COORDINATES,
    EQUATIONS,
    RATES,
    STAGE,
    TASK,
    VELOCITIES,
    tables_of,
)
from .dop853 import STAGES, A, C, D
from .error_scale import NOISE, is_strict, keep_sizes, measure_step
from .event_search import NO_ROOM, ROOM, SEARCHED, interpolate_state, search_events, search_space, without_rounding
from .radau import MATRICES, ROWS, radau_dense, radau_next_step, radau_step
from .singular_crossing import (
    error_allowance_across,
    far_from_singularity,
    predict_singular_time,
    step_across_singularity,
)
from .step_reach import ACROSS, CUT_SHORT, largest_step, next_row
from .stepper_state import (
    ACCEPTED,
    ATOL,
    BLUR,
    CALM_SIGNS,
    CROSSING,
    DONE,
    DOP853,
    END,
    EVALUATIONS,
    EVENT,
    EXTRAPOLATES,
    FAULT,
    FRAME,
    FRESH,
    FULL,
    LARGEST,
    LAST_FRAME,
    METHOD,
    NOT_FINITE,
    NOTHING,
    OLD_STEP,
    OLD_TIME,
    PAUSE,
    PAUSED,
    PENDING,
    PLACE,
    RADAU,
    REFUSED,
    REJECTED,
    RK4,
    ROW,
    RTOL,
    SEARCH,
    SIGNAL,
    SIGNAL_ROW,
    SINGULAR,
    SLACK,
    SPACING,
    START,
    STEP,
    STIFF,
    STIFF_SIGNS,
    STOP,
    TIME,
    TOO_SMALL,
    TRIED_ERROR,
    TRIED_STEP,
    UNRESOLVED,
    WATCH,
    WIDTH,
    WRITE,
    WRITE_AND_STOP,
    WRITTEN,
)

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
"""Part of the step that the error allows, and bounds of its change: those of Hairer's DOPRI5, and of scipy's DOP853."""
SMALLEST = 1e-9  # part of a motion that its first step has at least: a dozen rejections lead to any other
TREMBLE, UNSEEN = 10.0, 1e-3  # tolerances that a trembling state moves by; an error below which a step could double
SAME_TIME = 1e-9  # part of the time between frames: an event so near a frame happens in it
STIFFNESS_LIMIT = 6.1  # boundary of DOP853's stability region on the negative axis, as in Hairer's program


CLASSICAL, CLASSICAL_C = np.zeros((13, 12)), np.zeros(13)
"""The Runge-Kutta method of order 4, its end as stage 12 like DOP853's."""
CLASSICAL[1, 0] = CLASSICAL[2, 1] = 0.5
CLASSICAL[3, 2] = 1.0
CLASSICAL[STAGES, :4] = 1 / 6, 1 / 3, 1 / 3, 1 / 6
CLASSICAL_C[[1, 2, 3, STAGES]] = 0.5, 0.5, 1.0, 1.0


@kernel
def evaluate_stages(derivative, model, data, zero, control, counters, y, K, Y, first, last):
    """Evaluate the stages first … last − 1 into K; returns False where one is not finite, and notes why.

    Stage s stands at Y[s % 2]; stage 12 is the end of the step. RK4 uses stages 0 … 3 and 12. Where constraints are
    clear of a singular position, only the step's ends are brought to them.
    """
    t, h, n = control[TIME], control[STEP], y.shape[0]
    free = model.buffer[EQUATIONS] > 0 and far_from_singularity(control)
    for s in range(first, last):
        classical = counters[METHOD] == RK4
        if classical and 4 <= s < STAGES:
            continue
        at = Y[s % 2]
        for k in range(n):
            at[k] = 0.0
        for j in range(s):
            w = CLASSICAL[s, j] if classical else A[s, j]
            if w != 0.0:
                for k in range(n):
                    at[k] += w * K[j, k]
        for k in range(n):
            at[k] = y[k] + h * at[k]
        counters[EVALUATIONS] += 1
        data.buffer[TASK] = STAGE if free and s % STAGES != 0 else RATES
        status = derivative(model, data, zero, t + (CLASSICAL_C[s] if classical else C[s]) * h, at, K[s])
        counters[FAULT] = max(status, 0)
        if status != 0:
            return False
        total = 0.0
        for k in range(n):
            total += K[s, k]
        if total - total != 0.0:
            return False
    counters[FAULT] = -1
    return True


@kernel
def note_stiffness(counters, h, K, Y, trembles):
    """Count steps at the edge of stability (Hairer): fifteen, not broken by six calm ones, mean a stiff system.

    So does a step that cannot grow though all that it moves is a few tolerances: a state that trembles at the edge,
    as smoothed friction makes it, has no slope from stage to stage that would tell.
    """
    above, below = 0.0, 0.0
    for k in range(Y.shape[1]):
        above += square(K[STAGES, k] - K[STAGES - 1, k])
        below += square(Y[0, k] - Y[1, k])
    if trembles or (below > 0.0 and abs(h) * sqrt(above / below) > STIFFNESS_LIMIT):
        counters[CALM_SIGNS] = 0
        counters[STIFF_SIGNS] += 1
    else:
        counters[CALM_SIGNS] += 1
        if counters[CALM_SIGNS] == 6:
            counters[STIFF_SIGNS] = 0


@kernel
def dense_coefficients(h, y, new, K, dense, F):
    """Coefficients of the polynomial through the step: of order 7 where the extra stages are there, else cubic."""
    for k in range(y.shape[0]):
        change = new[k] - y[k]
        F[0, k] = change
        F[1, k] = h * K[0, k] - change
        F[2, k] = 2.0 * change - h * (K[STAGES, k] + K[0, k])
        for j in range(4):
            value = 0.0
            if dense:
                for s in range(16):
                    value += D[j, s] * K[s, k]
            F[3 + j, k] = h * value


@kernel
def write_frames(control, counters, y, F, frames):
    """Write the frames inside the last step, which began at y; False when the buffer is full before the end."""
    start, h = control[OLD_TIME], control[OLD_STEP]
    while counters[FRAME] <= counters[LAST_FRAME]:
        t = control[START] + counters[FRAME] * control[SPACING]
        if counters[FRAME] == counters[LAST_FRAME]:
            t = control[END]
        if t - start > 1.0000001 * h:
            return True
        if counters[WRITTEN] == frames.shape[0]:
            return False
        interpolate_state(F, y, min((t - start) / h, 1.0), frames[counters[WRITTEN]])
        counters[WRITTEN] += 1
        counters[FRAME] += 1
    return True


@kernel
def signal_values(model, data, t, y, count, out):
    """Values of the first ``count`` programs."""
    nq, nv = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES])
    for k in range(count):
        out[k] = run_program(model, data, k, t, y[:nq], y[nq : nq + nv])


@kernel
def first_step(control, y, K):
    """A careful initial step; K[0] holds the derivative at the start. The error control mends it at once."""
    value, slope = 0.0, 0.0
    for k in range(y.shape[0]):
        size = (control[ATOL] if control[ATOL] > 0.0 else control[RTOL]) + control[RTOL] * abs(y[k])
        value += square(y[k] / size)
        slope += square(K[0, k] / size)
    usual = 1e-10 <= value < inf and 1e-10 <= slope < inf
    h = 0.01 * sqrt(value / slope) if usual else 1e-4
    left = control[END] - control[TIME]
    return max(min(h, 0.01, left), SMALLEST * left)


@kernel
def stop_at(control, counters, part, base, y, F):
    """End the motion at part of the last step: the state there, and the frames that are left.

    A frame that falls on the end but for rounding is the end.
    """
    control[END] = control[TIME] = control[OLD_TIME] + part * control[OLD_STEP]
    interpolate_state(F, base, part, y)
    end = control[END] - SAME_TIME * control[SPACING]
    while counters[LAST_FRAME] > 0 and control[START] + (counters[LAST_FRAME] - 1) * control[SPACING] >= end:
        counters[LAST_FRAME] -= 1


@kernel
def next_step(control, counters, wanted, error, rejected, last):
    """The step to try after one with a given error: by the error of order 8, never larger right after a rejection."""
    h = control[STEP]
    if counters[METHOD] == RK4:
        return wanted
    if counters[METHOD] == RADAU:
        return radau_next_step(control, counters, wanted, error, last)
    if (last or h < CUT_SHORT * wanted) and 0.0 <= error <= 1.0:
        return max(wanted, h)
    if not error >= 0.0:
        return h * SHRINK
    factor = GROW if error == 0.0 else SAFETY / sqrt(sqrt(sqrt(error)))
    if error > 1.0:
        return h * max(SHRINK, factor)
    return h * min(1.0 if rejected else GROW, factor)


@kernel
def stage_fault(counters):
    """Why a stage could not be evaluated."""
    return SINGULAR if counters[FAULT] > 0 else NOT_FINITE


@kernel
def note_rejection(control, error):
    """Where a smaller step errs no less, rounding is what is seen: the scale of errors grows."""
    h = control[STEP]
    if error > 0.0 and control[TRIED_STEP] > 0.0:
        shrunk = h / control[TRIED_STEP]
        if error > control[TRIED_ERROR] * shrunk * shrunk:
            control[BLUR] = min(NOISE * control[BLUR], 1e300)
    control[TRIED_STEP], control[TRIED_ERROR] = (h, error) if error > 0.0 else (0.0, 0.0)


@kernel
def step_within(control, counters, limits, wanted):
    """The step to try where ``wanted`` is: one that sees the inputs of time; RK4 stays on the grid of its steps."""
    t = control[TIME]
    counters[ROW] = next_row(limits, counters[ROW], t)
    most = largest_step(limits, counters[ROW], t)
    if counters[METHOD] != RK4:
        return min(wanted, most)
    rest = (floor(t / wanted + 1e-6) + 1.0) * wanted - t
    if most >= wanted and rest > 0.999 * wanted:
        return wanted
    return rest / max(1.0, ceil(rest / most))


@entry_point
def advance_steps(
    derivative: Kernel,
    model: Vector,
    data: Vector,
    zero: Vector,
    control: Vector,
    counters: Counters,
    y: Vector,
    base: Vector,
    new: Vector,
    Y: Table,
    K: Table,
    F: Table,
    frames: Table,
    limits: Table,
    sizes: Table,
    rules: Table,
    signal_limits: Table,
    before: Vector,
    samples: Vector,
    series: Table,
    places: Vector,
    found: Table,
    found_y: Table,
    matrices: Cube,
    newton: Table,
) -> int:
    """Step on from y; returns one of the codes in `control`, DONE … UNRESOLVED."""
    n, count = y.shape[0], rules.shape[0]
    m, d = tables_of(model, data)
    while True:
        if counters[PENDING] == SEARCH:
            searched = search_events(
                m,
                d,
                control,
                counters,
                rules,
                signal_limits,
                before,
                base,
                F,
                Y[0],
                samples,
                series,
                places,
                found,
                found_y,
            )
            if searched != SEARCHED:
                return PAUSED if searched == NO_ROOM else UNRESOLVED
            if control[STOP] <= 1.0:
                stop_at(control, counters, control[STOP], base, y, F)
            counters[PENDING] = WRITE_AND_STOP if control[STOP] <= 1.0 else WRITE
        if counters[PENDING] != NOTHING:
            if not write_frames(control, counters, base, F, frames):
                return FULL
            if counters[PENDING] == WRITE_AND_STOP:
                return EVENT
            counters[PENDING] = NOTHING
        if control[TIME] >= control[END]:
            return DONE
        if counters[STIFF_SIGNS] >= 15 and counters[WATCH] == 1:
            return STIFF
        if counters[EVALUATIONS] >= counters[PAUSE]:
            return PAUSED
        t, wanted, end = control[TIME], control[STEP], control[END]
        fresh = counters[FRESH] == 0
        if not fresh:
            if not wanted >= 4e-16 * max(abs(t), 1e-3):  # NaN, too
                return stage_fault(counters) if counters[FAULT] >= 0 else TOO_SMALL
            if limits.shape[0] > 1 or counters[METHOD] == RK4:
                control[STEP] = step_within(control, counters, limits, wanted)
            else:
                control[STEP] = min(wanted, limits[0, 1])
        last = not fresh and t + 1.000001 * control[STEP] >= end
        if last:
            control[STEP] = end - t
        first, past = (0, 1) if fresh else (1, STAGES + 1)
        # a step across a jump is some roundings long: explicit, and not measured, since to a motion from rest it is all
        across = not fresh and limits[counters[ROW], 2] == ACROSS
        implicit, solved = counters[METHOD] == RADAU and not fresh and not across, -1.0
        if implicit:
            solved = radau_step(
                derivative,
                m,
                d,
                zero,
                control,
                counters,
                y,
                base,
                Y[0],
                K[STAGES],
                K[0],
                F,
                sizes,
                matrices,
                newton,
            )
            fine = solved >= 0.0
        else:
            fine = evaluate_stages(derivative, m, d, zero, control, counters, y, K, Y, first, past)
        if fresh:  # the first stage of all stands alone: it serves the choice of the step
            if not fine:
                return stage_fault(counters)
            counters[FRESH] = 1
            signal_values(m, d, t, y, count, before)
            for k in range(count):
                before[k] = without_rounding(m, d, k, t, y, before[k])
            if wanted <= 0.0:
                control[STEP] = first_step(control, y, K)
            continue
        h, error, clear = control[STEP], -1.0, data[CLEAR]
        if fine:
            error = solved if implicit else 0.0
            if counters[METHOD] == DOP853 and not across:
                error, moved = measure_step(y, Y[0], control, sizes, K)
                trembles = error > UNSEEN and moved < TREMBLE
                if trembles and is_strict(y, control, sizes):
                    control[BLUR] *= NOISE
                elif counters[WATCH] == 1:
                    note_stiffness(counters, h, K, Y, trembles)
            if error > 1.0 and model[EQUATIONS] > 0 and error <= error_allowance_across(control):
                error = 1.0
        if not 0.0 <= error <= 1.0:
            counters[REJECTED] += 1
            if counters[METHOD] == RK4:
                return stage_fault(counters)
            note_rejection(control, error)
            if model[EQUATIONS] > 0 and t < control[CROSSING] < t + h:
                control[SLACK] *= 10.0
            control[STEP] = next_step(control, counters, wanted, error, True, last)
            if model[EQUATIONS] > 0:
                control[STEP] = step_across_singularity(control, control[STEP])
            counters[REFUSED] += 1
            continue
        counters[ACCEPTED] += 1
        keep_sizes(sizes)
        control[TRIED_STEP] = 0.0
        for k in range(n):
            base[k], new[k] = y[k], Y[0, k]
        control[OLD_TIME], control[OLD_STEP] = t, h
        if implicit:
            radau_dense(y, new, newton, F)
        counters[EXTRAPOLATES] = 1 if implicit else 0
        due = control[START] + counters[FRAME] * control[SPACING] <= t + h or last
        if not implicit and (due or count > 0):
            dense = counters[METHOD] == DOP853
            if dense:
                dense = evaluate_stages(derivative, m, d, zero, control, counters, y, K, Y, past, past + 3)
            dense_coefficients(h, y, new, K, dense, F)
        control[TIME] = end if last else t + h
        control[STEP] = next_step(control, counters, wanted, error, counters[REFUSED] > 0, last)
        if model[EQUATIONS] > 0 and counters[METHOD] != RK4:
            predict_singular_time(control, clear)
            control[SLACK] = 1.0
            control[STEP] = step_across_singularity(control, control[STEP])
        counters[REFUSED] = 0
        for k in range(n):
            y[k], K[0, k] = new[k], K[STAGES, k]
        if count > 0:
            counters[PENDING] = SEARCH
            counters[SIGNAL], counters[SIGNAL_ROW] = 0, next_row(signal_limits, counters[SIGNAL_ROW], t)
            control[PLACE], control[WIDTH], control[STOP], control[LARGEST] = 0.0, inf, 2.0, 0.0
        elif due:
            counters[PENDING] = WRITE


@entry_point
def read_signals(model: Vector, data: Vector, t: float, y: Vector, count: int, out: Vector) -> None:
    """`signal_values` for Python."""
    m, d = tables_of(model, data)
    signal_values(m, d, t, y, count, out)


def implicit_arrays(size: int) -> dict[str, np.ndarray]:
    """The arrays that the implicit method needs besides, for a state of this size."""
    return {"matrices": np.zeros((MATRICES, size, size)), "newton": np.zeros((ROWS, size))}


def fresh_arrays(
    size: int, events: int, frames: int, limits: np.ndarray, sizes: np.ndarray, signal_limits: np.ndarray
) -> dict[str, np.ndarray]:
    """The arrays of `advance_steps` for a state of this size, in its order; the three tables are given.

    The implicit method's are empty: see `implicit_arrays`.
    """
    rows = ROOM + 64 * events if events else 0
    return {
        "base": np.zeros(size),
        "new": np.zeros(size),
        "Y": np.zeros((2, size)),
        "K": np.zeros((16, size)),
        "F": np.zeros((7, size)),
        "frames": np.zeros((frames, size)),
        "limits": limits,
        "sizes": sizes,
        "rules": np.zeros((events, 2)),
        "signal_limits": signal_limits,
        "before": np.zeros(events),
        **search_space(),
        "found": np.zeros((rows, 2)),
        "found_y": np.zeros((rows, size)),
        **implicit_arrays(0),
    }
