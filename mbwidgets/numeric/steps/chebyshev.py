"""A signal on an interval as a Chebyshev series: is it resolved, and where must one look for its zeros.

Samples stand at the Chebyshev points of 0 … 1, ends included. A smooth signal has coefficients that decay; when they
have, the series is the signal to nine digits, and its sign changes and the extrema that point to zero tell where
crossings can be: two that lie close together have an extremum between them.
"""

from __future__ import annotations

from math import inf, pi

import numpy as np

from ..engines.kernel import Table, Vector, entry_point, kernel
from ..kernels.libm import cos

ORDER = 16
"""Even: every second sample makes a series of half the order, which is tried first."""
SAMPLES = ORDER + 1
"""Numbers that determine a polynomial of this order."""
GRID = 64
"""Parts in which the series is looked at, four between neighbouring samples: at most one extremum in each."""
MOST_PLACES = 2 * GRID + 2
"""Room for what `places_to_look` gives: two in each part of the grid at most, and the end."""
DECAYED = 1e-9
"""Last coefficients over the largest: what is left out of a series that is resolved."""
GOOD_PART = 1e-3
"""Of a signal's size: one that settles at zero trembles there by the rounding of its terms, 1e-12 of them or less."""

NODES = np.array([0.5 - 0.5 * cos(pi * j / ORDER) for j in range(SAMPLES)])
"""Where the samples stand: the Chebyshev points of 0 … 1, increasing."""
POLYNOMIALS = np.array([[cos(pi * k * (ORDER - j) / ORDER) for j in range(SAMPLES)] for k in range(SAMPLES)])
"""T_k at the samples."""


@kernel
def coefficients(samples, stride, series):
    """Chebyshev coefficients into series[0] from every ``stride``-th sample, slopes' into series[1]; returns the order.

    The slope is by z = 2x − 1, half of that by x.
    """
    order = ORDER if stride == 1 else ORDER // 2
    for k in range(order + 1):
        total = 0.0
        for j in range(order + 1):
            weight = 0.5 if j == 0 or j == order else 1.0
            total += weight * samples[stride * j] * POLYNOMIALS[k, stride * j]
        series[0, k] = total * (1.0 if k == 0 or k == order else 2.0) / order
    series[1, order] = 0.0
    series[1, order - 1] = 2.0 * order * series[0, order]
    for i in range(order - 1):
        k = order - 2 - i
        series[1, k] = series[1, k + 2] + 2.0 * (k + 1) * series[0, k + 1]
    series[1, 0] *= 0.5
    return order


@kernel
def decayed(series, order, floor):
    """Whether the last three coefficients are small beside the largest, or are rounding."""
    largest = 0.0
    for k in range(order + 1):
        largest = max(largest, abs(series[0, k]))
    tail = max(abs(series[0, order]), abs(series[0, order - 1]), abs(series[0, order - 2]))
    return tail <= max(DECAYED * largest, floor)


@kernel
def clenshaw(series, row, order, x):
    """The series in a row at x of 0 … 1."""
    z = 2.0 * x - 1.0
    one, two = 0.0, 0.0
    for i in range(order):
        one, two = series[row, order - i] + 2.0 * z * one - two, one
    return series[row, 0] + z * one - two


@kernel
def keeps_its_sign(series, order):
    """Whether the first coefficient outweighs all others: no zero inside, no need to look."""
    rest = 0.0
    for k in range(1, order + 1):
        rest += abs(series[0, k])
    return abs(series[0, 0]) > rest


@kernel
def places_to_look(series, order, places):
    """Where the signal must be looked at so that no crossing is lost, increasing, the end last; returns how many."""
    count, left, slope = 0, clenshaw(series, 0, order, 0.0), clenshaw(series, 1, order, 0.0)
    for i in range(GRID):
        x = (i + 1) / GRID
        right, next_slope = clenshaw(series, 0, order, x), clenshaw(series, 1, order, x)
        if left * right <= 0.0:
            if i > 0 and (count == 0 or places[count - 1] < i / GRID):
                places[count] = i / GRID
                count += 1
            if i < GRID - 1:
                places[count] = x
                count += 1
        elif left * slope < 0.0 and left * next_slope > 0.0:
            low, high = i / GRID, x
            for _ in range(45):
                middle = 0.5 * (low + high)
                if clenshaw(series, 1, order, middle) * left < 0.0:
                    low = middle
                else:
                    high = middle
            places[count] = high
            count += 1
        left, slope = right, next_slope
    places[count] = 1.0
    return count + 1


@kernel
def hides_crossings(samples, floor, largest):
    """Whether the samples cross zero more than once at a good part of the size ``largest`` that the signal had where it
    was resolved, and rounding, ``floor``, may have made each of them: there may be any number of crossings."""
    size, changes = 0.0, 0
    for j in range(SAMPLES):
        size = max(size, abs(samples[j]))
        if j > 0 and (samples[j] < 0.0) != (samples[j - 1] < 0.0):
            changes += 1
    return changes > 1 and size <= floor and 0.0 < GOOD_PART * largest <= size


@kernel
def zero_search_places(samples, floor, largest, narrow, series, places):
    """`places_to_look` for samples at NODES; −1 where they do not resolve the signal, which has to be halved.

    ``floor`` and ``largest`` as in `hides_crossings`; −2 where crossings are hidden. ``narrow``: it cannot be halved.
    """
    for turn in range(2):
        order = coefficients(samples, 2 - turn, series)
        if decayed(series, order, floor):
            if keeps_its_sign(series, order):
                places[0] = 1.0
                return 1
            return -2 if hides_crossings(samples, floor, largest) else places_to_look(series, order, places)
    return -2 if narrow and hides_crossings(samples, inf, largest) else -1


@kernel
def largest_of(samples, floor, largest):
    """The largest that a signal has been, these samples included where they are more than rounding."""
    for j in range(SAMPLES):
        if abs(samples[j]) > floor:
            largest = max(largest, abs(samples[j]))
    return largest


@entry_point
def zero_search_places_at(
    samples: Vector, floor: float, largest: float, narrow: bool, series: Table, places: Vector
) -> tuple[int, float]:
    """`zero_search_places` for Python, and what is then the largest."""
    count = zero_search_places(samples, floor, largest, narrow, series, places)
    return count, largest_of(samples, floor, largest) if count >= 0 else largest
