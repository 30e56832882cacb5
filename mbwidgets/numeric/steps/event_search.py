"""All zeros of the events' signals inside a step: each signal is resolved on the dense output, piece by piece."""

from __future__ import annotations

from math import inf

import numpy as np

from ..engines.kernel import kernel
from ..kernels.expression_vm import run_program
from ..kernels.memory_layout import COORDINATES, VELOCITIES
from ..kernels.term_magnitude import terms_magnitude
from .chebyshev import MOST_PLACES, NODES, ORDER, SAMPLES, largest_of, zero_search_places
from .step_reach import largest_step
from .stepper_state import (
    END,
    EVENTS,
    LARGEST,
    OLD_STEP,
    OLD_TIME,
    PIECES,
    PLACE,
    SIGNAL,
    SIGNAL_ROW,
    STOP,
    TIME,
    WIDTH,
)

NARROWEST = 2.0**-24
"""The narrowest piece of a step: one that is not resolved then holds a kink or a jump, and is looked at sample by
sample. Two crossings closer than a fiftieth of this would be lost, as they would to rounding of the time itself."""
MOST_PIECES = 30_000
"""Pieces of a step for one signal, a tenth of a second of work; a signal that needs more is told as unresolved."""
ROUNDING = 2e-15
"""Of a signal, in parts of its terms: the state that it is made of is interpolated, a sum of eight numbers."""
HALVINGS = 55
"""Of a bracket: to the last digit of the time."""
ROOM = MOST_PLACES + 1
"""Rows for events that must be free before a piece is searched: it may have a crossing before each of its places."""

SEARCHED, NO_ROOM, UNRESOLVED_SIGNAL = range(3)
"""What `search_events` returns."""


@kernel
def interpolate_state(F, y, x, out):
    """The state at part x of the step that began at y."""
    for k in range(y.shape[0]):
        value = 0.0
        for j in range(7):
            value += F[6 - j, k]
            value *= x if j % 2 == 0 else 1.0 - x
        out[k] = y[k] + value


@kernel
def signal_at(model, data, k, control, y, F, x, point):
    """Signal k at part x of the last step, which began at y; ``point`` gets the state there."""
    nq, nv = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES])
    interpolate_state(F, y, x, point)
    return run_program(model, data, k, control[OLD_TIME] + x * control[OLD_STEP], point[:nq], point[nq : nq + nv])


@kernel
def without_rounding(model, data, k, t, state, value):
    """A signal's value at a state, zero where rounding alone decides on its sign.

    At the two ends of a motion: what begins at zero has not crossed it, and what ends there has.
    """
    nq, nv = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES])
    return (
        0.0 if abs(value) <= ROUNDING * terms_magnitude(model, data, k, t, state[:nq], state[nq : nq + nv]) else value
    )


@kernel
def crosses_zero(before, after, direction):
    """Does a signal pass through zero the wanted way?"""
    rises = before < 0.0 and after >= 0.0
    falls = before > 0.0 and after <= 0.0
    return (rises and direction >= 0) or (falls and direction <= 0)


@kernel
def find_zero(model, data, k, control, y, F, low, high, first, last, point):
    """Where between low and high signal k leaves the sign of ``first``; −1 where it does so through a pole."""
    near_low, near_high = first, last
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        value = signal_at(model, data, k, control, y, F, middle, point)
        if (value < 0.0) == (first < 0.0) and value != 0.0:
            low, near_low = middle, value
        else:
            high, near_high = middle, value
    if min(abs(near_low), abs(near_high)) > max(abs(first), abs(last)):
        return -1.0
    return high


@kernel
def resolve_piece(model, data, k, control, limits, row, y, F, point, samples, series, places):
    """Choose the next piece of the step, from PLACE on with width WIDTH; returns how many places to look at there.

    −2: nobody can tell where the signal crosses zero there.
    """
    nq, nv = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES])
    start, h, left = control[OLD_TIME], control[OLD_STEP], control[PLACE]
    width = min(2.0 * control[WIDTH], 1.0 - left, largest_step(limits, row, start + left * h) / h)
    while True:
        narrow = width <= NARROWEST
        numbers, floor = 0, 0.0
        for j in range(SAMPLES):
            x = left + width * NODES[j]
            samples[j] = signal_at(model, data, k, control, y, F, x, point)
            if samples[j] - samples[j] == 0.0:
                numbers += 1
            if width < 0.05 and j % ORDER == 0:  # wider pieces are halved without asking whether rounding is to blame
                terms = terms_magnitude(model, data, k, start + x * h, point[:nq], point[nq : nq + nv])
                floor = max(floor, ROUNDING * terms)
        control[WIDTH] = width
        count = -1
        if numbers == SAMPLES:
            count = zero_search_places(samples, floor, control[LARGEST], narrow, series, places)
            if count >= 0:
                control[LARGEST] = largest_of(samples, floor, control[LARGEST])
        elif numbers == 0:
            places[0] = 1.0
            count = 1
        if count != -1:
            return count
        if narrow:
            for j in range(ORDER):
                places[j] = NODES[j + 1]
            return ORDER
        width *= 0.5


@kernel
def search_events(
    model, data, control, counters, rules, limits, before, y, F, point, samples, series, places, found, found_y
):
    """Find what is left of the zeros of signals inside the last step, which began at y.

    rules (count, 2): direction, stops. found (rows, 2): signal, time; found_y: state there. STOP becomes the part of
    the step at which the first event that stops lies, else stays 2. Returns NO_ROOM to be called again with an empty
    list of found events.
    """
    start, h = control[OLD_TIME], control[OLD_STEP]
    at_end = control[TIME] >= control[END]
    while counters[SIGNAL] < rules.shape[0]:
        k = counters[SIGNAL]
        while control[PLACE] < 1.0:
            if counters[EVENTS] + ROOM > found.shape[0]:
                return NO_ROOM
            if counters[PIECES] == MOST_PIECES:
                return UNRESOLVED_SIGNAL
            left = control[PLACE]
            count = resolve_piece(
                model, data, k, control, limits, counters[SIGNAL_ROW], y, F, point, samples, series, places
            )
            if count < 0:
                return UNRESOLVED_SIGNAL
            width, low = control[WIDTH], left
            for i in range(count):
                high = left + width * places[i]
                value = signal_at(model, data, k, control, y, F, high, point)
                if at_end and high >= 1.0:
                    value = without_rounding(model, data, k, start + h, point, value)
                if crosses_zero(before[k], value, rules[k, 0]):
                    zero = find_zero(model, data, k, control, y, F, low, high, before[k], value, point)
                    if zero >= 0.0:
                        if rules[k, 1] != 0.0:
                            control[STOP] = min(control[STOP], zero)
                        row = counters[EVENTS]
                        found[row, 0], found[row, 1] = k, start + zero * h
                        interpolate_state(F, y, zero, found_y[row])
                        counters[EVENTS] += 1
                before[k], low = value, high
            counters[PIECES] += 1
            control[PLACE] = left + width
        counters[SIGNAL] += 1
        counters[PIECES] = 0
        control[PLACE], control[WIDTH], control[LARGEST] = 0.0, inf, 0.0
    return SEARCHED


def search_space() -> dict[str, np.ndarray]:
    """Work space of `search_events`: samples, series, places."""
    return {"samples": np.zeros(SAMPLES), "series": np.zeros((2, SAMPLES)), "places": np.zeros(MOST_PLACES)}
