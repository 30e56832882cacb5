"""Steps through time inside compiled code: DOP853 with dense output and events, and Runge-Kutta 4 for comparison.

`advance` runs until the motion ends, an event stops it, the buffer of frames is full or a number of evaluations is
spent; then Python looks at the clock and calls again. All that must survive between calls stands in the arrays.
"""

from __future__ import annotations

import numpy as np

from .control import (
    ACCEPTED,
    ATOL,
    CALM_SIGNS,
    COUNTER_SIZE,
    CROSSING,
    DONE,
    DOP853,
    END,
    EVALUATIONS,
    EVENT,
    EVENTS,
    FAULT,
    FRAME,
    FRESH,
    FULL,
    LAST_FRAME,
    METHOD,
    NOT_FINITE,
    OLD_STEP,
    OLD_TIME,
    PAUSE,
    PAUSED,
    PENDING,
    REFUSED,
    REJECTED,
    RK4,
    RTOL,
    SINGULAR,
    SLACK,
    SPACING,
    START,
    STEP,
    STIFF,
    STIFF_SIGNS,
    TIME,
    TOO_SMALL,
    WATCH,
    WRITTEN,
)
from .crossing import allowance, at_ease, foresee, leap
from .dop853 import STAGES, A, C, D, E
from .jit import entry, kernel, settle
from .layout import CLEAR, COORDINATES, EQUATIONS, RATES, STAGE, TASK, VELOCITIES, tables
from .programs import run

SAFETY, SHRINK, GROW = 0.9, 0.2, 10.0
SMALLEST = 1e-9  # part of a motion that its first step has at least: a dozen rejections lead to any other
LOOKS = 8  # how often a signal is looked at within a step
TREMBLE, UNSEEN = 10.0, 1e-3  # tolerances that a trembling state moves by; an error below which a step could double
STIFFNESS_LIMIT = 6.1  # boundary of DOP853's stability region on the negative axis, as in Hairer's program


CLASSICAL, CLASSICAL_C = np.zeros((13, 12)), np.zeros(13)
"""The Runge-Kutta method of order 4, its end as stage 12 like DOP853's."""
CLASSICAL[1, 0] = CLASSICAL[2, 1] = 0.5
CLASSICAL[3, 2] = 1.0
CLASSICAL[STAGES, :4] = 1 / 6, 1 / 3, 1 / 3, 1 / 6
CLASSICAL_C[[1, 2, 3, STAGES]] = 0.5, 0.5, 1.0, 1.0


@kernel
def stages(derivative, memory, body, col, zero, control, counters, y, K, Y, first, last):
    """Evaluate the stages first … last − 1 into K; returns False where one is not finite, and notes why.

    Stage s stands at Y[s % 2]; stage 12 is the end of the step. RK4 uses stages 0 … 3 and 12. Where constraints are
    clear of a singular position, only the step's ends are brought to them.
    """
    t, h, n = control[TIME], control[STEP], y.shape[0]
    free = memory[EQUATIONS] > 0 and at_ease(control)
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
        memory[TASK] = STAGE if free and s % STAGES != 0 else RATES
        status = derivative(memory, body, col, zero, t + (CLASSICAL_C[s] if classical else C[s]) * h, at, K[s])
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
def scaled_error(y, new, h, rtol, atol, K):
    """Size of the error of a step by the estimates of order 5 and 3: below 1 it is accepted."""
    n = y.shape[0]
    five, three = 0.0, 0.0
    for k in range(n):
        e5, e3 = 0.0, 0.0
        for j in range(STAGES + 1):
            e3 += E[0, j] * K[j, k]
            e5 += E[1, j] * K[j, k]
        size = atol + rtol * max(abs(y[k]), abs(new[k]))
        five += (e5 / size) ** 2
        three += (e3 / size) ** 2
    if five == 0.0 and three == 0.0:
        return 0.0
    return abs(h) * five / ((five + 0.01 * three) * n) ** 0.5


@kernel
def scaled_change(y, new, rtol, atol):
    """How many tolerances a step moves the state by."""
    n, total = y.shape[0], 0.0
    for k in range(n):
        total += ((new[k] - y[k]) / (atol + rtol * max(abs(y[k]), abs(new[k])))) ** 2
    return (total / n) ** 0.5


@kernel
def note_stiffness(counters, h, K, Y, error, moved):
    """Count steps at the edge of stability (Hairer): fifteen, not broken by six calm ones, mean a stiff system.

    So does a step that cannot grow though all that it moves is a few tolerances: a state that trembles at the edge,
    as smoothed friction makes it, has no slope from stage to stage that would tell.
    """
    above, below = 0.0, 0.0
    for k in range(Y.shape[1]):
        above += (K[STAGES, k] - K[STAGES - 1, k]) ** 2
        below += (Y[0, k] - Y[1, k]) ** 2
    trembles = error > UNSEEN and moved < TREMBLE
    if trembles or (below > 0.0 and abs(h) * (above / below) ** 0.5 > STIFFNESS_LIMIT):
        counters[CALM_SIGNS] = 0
        counters[STIFF_SIGNS] += 1
    else:
        counters[CALM_SIGNS] += 1
        if counters[CALM_SIGNS] == 6:
            counters[STIFF_SIGNS] = 0


@kernel
def interpolant(h, y, new, K, dense, F):
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
def interpolate(F, y, x, out):
    """The state at part x of the step that began at y."""
    for k in range(y.shape[0]):
        value = 0.0
        for j in range(7):
            value += F[6 - j, k]
            value *= x if j % 2 == 0 else 1.0 - x
        out[k] = y[k] + value


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
        interpolate(F, y, min((t - start) / h, 1.0), frames[counters[WRITTEN]])
        counters[WRITTEN] += 1
        counters[FRAME] += 1
    return True


@kernel
def signals(memory, t, y, count, out):
    """Values of the first ``count`` programs."""
    nq, nv = int(memory[COORDINATES]), int(memory[VELOCITIES])
    for k in range(count):
        out[k] = run(k, memory, t, y[:nq], y[nq : nq + nv])


@kernel
def crosses(before, after, direction):
    """Does a signal pass through zero the wanted way?"""
    rises = before < 0.0 and after >= 0.0
    falls = before > 0.0 and after <= 0.0
    return (rises and direction >= 0) or (falls and direction <= 0)


@kernel
def find_events(memory, control, counters, rules, before, after, y, F, point, found, found_y):
    """Locate the zeros of signals inside the last step; returns where the first that stops lies, else 2.

    The step is looked at in eighths, so that two crossings within one step are both seen; each is found by bisection.
    rules (count, 2): direction, stops. found (rows, 2): signal, time; found_y: state there.
    """
    nq, nv = int(memory[COORDINATES]), int(memory[VELOCITIES])
    start, h = control[OLD_TIME], control[OLD_STEP]
    stop = 2.0
    for k in range(rules.shape[0]):
        left = before[k]
        for part in range(LOOKS):
            low, high = part / LOOKS, (part + 1) / LOOKS
            right = after[k]
            if part < LOOKS - 1:
                interpolate(F, y, high, point)
                right = run(k, memory, start + high * h, point[:nq], point[nq : nq + nv])
            first, left = left, right
            if not crosses(first, right, rules[k, 0]):
                continue
            for _ in range(55):
                middle = 0.5 * (low + high)
                interpolate(F, y, middle, point)
                value = run(k, memory, start + middle * h, point[:nq], point[nq : nq + nv])
                if (value < 0.0) == (first < 0.0) and value != 0.0:
                    low = middle
                else:
                    high = middle
            if rules[k, 1] != 0 and high < stop:
                stop = high
            if counters[EVENTS] < found.shape[0]:
                row = counters[EVENTS]
                found[row, 0], found[row, 1] = k, start + high * h
                interpolate(F, y, high, found_y[row])
                counters[EVENTS] += 1
    return stop


@kernel
def first_step(control, y, K):
    """A careful initial step; K[0] holds the derivative at the start. The error control mends it at once."""
    value, slope = 0.0, 0.0
    for k in range(y.shape[0]):
        size = control[ATOL] + control[RTOL] * abs(y[k])
        value += (y[k] / size) ** 2
        slope += (K[0, k] / size) ** 2
    h = 1e-4 if value < 1e-10 or slope < 1e-10 else 0.01 * (value / slope) ** 0.5
    left = control[END] - control[TIME]
    return max(min(h, 0.01, left), SMALLEST * left)


@kernel
def stop_at(control, counters, part, y, new, F):
    """End the motion at part of the last step: the state there, and the frames that are left."""
    control[END] = control[OLD_TIME] + part * control[OLD_STEP]
    interpolate(F, y, part, new)
    while counters[LAST_FRAME] > 0 and control[START] + (counters[LAST_FRAME] - 1) * control[SPACING] >= control[END]:
        counters[LAST_FRAME] -= 1


@kernel
def next_step(control, counters, wanted, error, rejected, last):
    """The step to try after one with a given error: by the error of order 8, never larger right after a rejection."""
    h = control[STEP]
    if counters[METHOD] == RK4:
        return wanted
    if last and 0.0 <= error <= 1.0:
        return max(wanted, h)
    if not error >= 0.0:
        return h * SHRINK
    factor = GROW if error == 0.0 else SAFETY * error**-0.125
    if error > 1.0:
        return h * max(SHRINK, factor)
    return h * min(1.0 if rejected else GROW, factor)


@kernel
def fault(counters):
    """Why a stage could not be evaluated."""
    return SINGULAR if counters[FAULT] > 0 else NOT_FINITE


@entry
def advance(
    derivative, memory, zero, control, counters, y, base, new, Y, K, F, frames, rules, before, after, found, found_y
):
    """Step on from y; returns one of DONE, PAUSED, FULL, EVENT, STIFF, TOO_SMALL, NOT_FINITE, SINGULAR."""
    end, n, count = control[END], y.shape[0], rules.shape[0]
    body, col = tables(memory)
    if counters[PENDING] != 0:
        if not write_frames(control, counters, base, F, frames):
            return FULL
        if counters[PENDING] == 2:
            return EVENT
        counters[PENDING] = 0
    while control[TIME] < end:
        if counters[EVALUATIONS] >= counters[PAUSE]:
            return PAUSED
        t, wanted = control[TIME], control[STEP]
        fresh = counters[FRESH] == 0
        last = not fresh and t + 1.000001 * wanted >= end
        if last:
            control[STEP] = end - t
        if not fresh and wanted < 4e-16 * max(abs(t), 1e-3):
            return fault(counters) if counters[FAULT] >= 0 else TOO_SMALL
        first, past = (0, 1) if fresh else (1, STAGES + 1)
        fine = stages(derivative, memory, body, col, zero, control, counters, y, K, Y, first, past)
        if fresh:  # the first stage of all stands alone: it serves the choice of the step
            if not fine:
                return fault(counters)
            counters[FRESH] = 1
            signals(memory, t, y, count, before)
            if wanted <= 0.0:
                control[STEP] = first_step(control, y, K)
            continue
        h, error, clear = control[STEP], -1.0, memory[CLEAR]
        if fine:
            error = 0.0
            if counters[METHOD] == DOP853:
                error = scaled_error(y, Y[0], h, control[RTOL], control[ATOL], K)
                if error > 1.0 and memory[EQUATIONS] > 0 and error <= allowance(control):
                    error = 1.0
                if counters[WATCH] == 1:
                    moved = scaled_change(y, Y[0], control[RTOL], control[ATOL])
                    note_stiffness(counters, h, K, Y, error, moved)
        if not 0.0 <= error <= 1.0:
            counters[REJECTED] += 1
            if counters[METHOD] == RK4:
                return fault(counters)
            if memory[EQUATIONS] > 0 and t < control[CROSSING] < t + h:
                control[SLACK] *= 10.0
            control[STEP] = next_step(control, counters, wanted, error, True, last)
            if memory[EQUATIONS] > 0:
                control[STEP] = leap(control, control[STEP])
            counters[REFUSED] += 1
            continue
        counters[ACCEPTED] += 1
        for k in range(n):
            base[k], new[k] = y[k], Y[0, k]
        control[OLD_TIME], control[OLD_STEP] = t, h
        due = control[START] + counters[FRAME] * control[SPACING] <= t + h or last
        if due or count > 0:
            dense = counters[METHOD] == DOP853
            if dense:
                dense = stages(derivative, memory, body, col, zero, control, counters, y, K, Y, past, past + 3)
            interpolant(h, y, new, K, dense, F)
        stop = 2.0
        if count > 0:
            signals(memory, t + h, new, count, after)
            stop = find_events(memory, control, counters, rules, before, after, y, F, Y[0], found, found_y)
            for k in range(count):
                before[k] = after[k]
            if stop <= 1.0:
                stop_at(control, counters, stop, y, new, F)
        control[TIME] = control[END] if stop <= 1.0 or last else t + h
        control[STEP] = next_step(control, counters, wanted, error, counters[REFUSED] > 0, last)
        if memory[EQUATIONS] > 0 and counters[METHOD] == DOP853:
            foresee(control, clear)
            control[SLACK] = 1.0
            control[STEP] = leap(control, control[STEP])
        counters[REFUSED] = 0
        for k in range(n):
            y[k], K[0, k] = new[k], K[STAGES, k]
        if (due or stop <= 1.0) and not write_frames(control, counters, base, F, frames):
            counters[PENDING] = 2 if stop <= 1.0 else 1
            return FULL
        if stop <= 1.0:
            return EVENT
        if 2 * counters[EVENTS] > found.shape[0]:
            return PAUSED
        if counters[STIFF_SIGNS] >= 15 and counters[WATCH] == 1:
            return STIFF
    return DONE


@entry
def read_signals(memory, t, y, count, out):
    """`signals` for Python."""
    signals(memory, t, y, count, out)


def ready() -> None:
    """Compile `advance` where that has not been done: once, whatever is integrated."""
    one, counters = np.zeros(1), np.zeros(COUNTER_SIZE, dtype=np.int64)
    settle(advance, one, one, one, counters, one, *fresh_arrays(1, 1, 1).values())


def fresh_arrays(size: int, events: int, frames: int) -> dict[str, np.ndarray]:
    """The arrays of `advance` for a state of this size, in its order."""
    return {
        "base": np.zeros(size),
        "new": np.zeros(size),
        "Y": np.zeros((2, size)),
        "K": np.zeros((16, size)),
        "F": np.zeros((7, size)),
        "frames": np.zeros((frames, size)),
        "rules": np.zeros((events, 2)),
        "before": np.zeros(events),
        "after": np.zeros(events),
        "found": np.zeros((64 * events, 2)),
        "found_y": np.zeros((64 * events, size)),
    }
