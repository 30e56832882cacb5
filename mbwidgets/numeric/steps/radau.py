"""Radau IIA of order 5, for stiff systems: a step by simplified Newton iterations, and what the next one should be.

After Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8: the three stages' system of 3 n equations is
made one real and one complex system of n by the eigenvectors of the method's matrix; matrices are kept from step to
step while the iterations converge fast.

Why the Jacobian is made of differences, though derivatives exist over dual numbers: exact columns, tried on the motions
of this method's tests and on ten more (long chains, hard springs, sharp friction, closed loops), hardly save a step.
Accepted with differences and with duals: governor 634 and 634, six-axis arm 1081 and 1081, hard chain 159 and 158,
sharp friction 98 and 96, harder slides 1490 and 1507, squeezer 677 and 682; most, a four-bar on a hard spring, 390 and
377. A Jacobian serves for three to a thousand steps: its columns are at most a fifth of all evaluations (28 % of the
governor's), and a dual column costs about two. Asked of the caller, each Jacobian is a pause of 33 µs besides: by these
costs the governor would take 17 ms instead of 5, the hard four-bar 25 instead of 18, the six-axis arm 10 instead of
8.5. Inside the module duals would make it larger by three quarters. On constraints they need care, too: a state that
meets them is not moved by the projection, whose slope duals then do not see (the hard four-bar: 502 steps; the figures
above are of a state moved off by 1e-9), while a difference leaves the constraints and does. And the engine "python" has
no duals: its motions would be others.
"""

from __future__ import annotations

import numpy as np

from ..engines.kernel import kernel
from ..kernels.libm import sqrt, square
from ..kernels.memory_layout import RATES, TASK
from ..kernels.saddle_point import factor_banded, solve_banded
from .complex_matrix import factor_complex, solve_complex
from .error_scale import ABSOLUTE, GROUP, note_sizes
from .step_reach import CUT_SHORT
from .stepper_state import (
    ATOL,
    EVALUATIONS,
    EXTRAPOLATES,
    FACTORED_STEP,
    FAULT,
    FORMER_ERROR,
    FORMER_STEP,
    ITERATIONS,
    JACOBIAN,
    OLD_STEP,
    OLD_TIME,
    RTOL,
    STEP,
    TIME,
)

ROOT6 = 2.449489742783178
FIRST, SECOND = (4.0 - ROOT6) / 10.0, (4.0 + ROOT6) / 10.0
"""Where the first two stages stand; the third is the end of the step."""
REAL = 3.6378342527444957
ALPHA, BETA = 2.6810828736277521, -3.0504301992474105
"""The eigenvalues of the inverse of the method's matrix: REAL, ALPHA ± i BETA; the basis below belongs to the plus."""
TO_STAGES = np.array(
    [
        [0.09443876248897524, -0.14125529502095421, 0.03002919410514742],
        [0.25021312296533332, 0.20412935229379994, -0.38294211275726192],
        [1.0, 1.0, 0.0],
    ]
)
FROM_STAGES = np.array(
    [
        [4.17871859155190428, 0.32768282076106237, 0.52337644549944951],
        [-4.17871859155190428, -0.32768282076106237, 0.47662355450055044],
        [0.50287263494578682, -2.57192694985560522, 0.59603920482822492],
    ]
)
"""The eigenvectors, and their inverse."""
ERROR = ((-13.0 - 7.0 * ROOT6) / 3.0, (-13.0 + 7.0 * ROOT6) / 3.0, -1.0 / 3.0)
"""Weights of the stages in the error of the embedded method."""
TURNS = 6
"""Of Newton's iteration; a step that needs more is made smaller."""
FAST = 1e-3
"""Rate of convergence below which the Jacobian is kept for the next step."""
DIFFERENCE = 1.5e-8
"""Of a Jacobian, relative to a number's size: the root of the rounding error."""
WITHIN, SHORTEST = 1e-4, 1e-12
"""Of the tolerance, how much a difference is at most; and of a number's size at least, where rounding leaves four
digits of the quotient: enough, since the matrix is kept for many steps anyway."""
KEEP = 1.2
"""A step that could grow by less stays as it is, so that the matrices serve again."""

NONE, OLD, CURRENT = 0, 1, 2
"""What the Jacobian is: not there, of an earlier state, of this one."""

# rows of the work space, each as long as the state: displacements of the stages (3), the same in the basis of
# eigenvectors (3), rates of the stages (3), corrections (3), error, scale of errors, spare (2), pivots of both systems
MOVED, SHIFTED, RATE, CHANGE, ERR, SCALE, SPARE, PIVOTS, COMPLEX_PIVOTS = 0, 3, 6, 9, 12, 13, 14, 16, 17
ROWS = 18
MATRICES = 4
"""The Jacobian, the real system, and the real and the imaginary part of the complex one."""
NEWTON_TOLERANCE = 0.03


@kernel
def rate_at(derivative, model, data, zero, counters, t, y, spare, out):
    """ẏ at a state, which stays as it is where constraints move it; False where it has no value."""
    for k in range(y.shape[0]):
        spare[k] = y[k]
    counters[EVALUATIONS] += 1
    data.buffer[TASK] = RATES
    status = derivative(model, data, zero, t, spare, out)
    counters[FAULT] = max(status, 0)
    total = 0.0
    for k in range(y.shape[0]):
        total += out[k]
    return status == 0 and total - total == 0.0


@kernel
def fill_jacobian(derivative, model, data, zero, control, counters, y, rate, sizes, J, rows):
    """∂ẏ/∂y by differences as large as the motion's numbers ask for; False where one has no value.

    They stay well within the tolerance: what happens there, as where friction changes its sign, the iterations must
    know.
    """
    n, point, moved = y.shape[0], rows[SPARE + 1], rows[CHANGE]
    for k in range(n):
        point[k] = y[k]
    for k in range(n):
        tolerance = sizes[ABSOLUTE, int(sizes[GROUP, k])] / control[RTOL]
        size = max(abs(y[k]), min(1.0, tolerance) if control[ATOL] == 0.0 else 1.0)
        tolerance = sizes[ABSOLUTE, int(sizes[GROUP, k])]
        step = max(DIFFERENCE * abs(y[k]), min(DIFFERENCE * size, WITHIN * tolerance), SHORTEST * size)
        point[k] = y[k] + step
        step = point[k] - y[k]
        if not rate_at(derivative, model, data, zero, counters, control[TIME], point, rows[SPARE], moved):
            return False
        for i in range(n):
            J[i, k] = (moved[i] - rate[i]) / step
        point[k] = y[k]
    return True


@kernel
def factor_systems(h, matrices, rows):
    """Factor REAL/h − J and (ALPHA + i BETA)/h − J."""
    J, A, B, C = matrices[0], matrices[1], matrices[2], matrices[3]
    n = J.shape[0]
    for i in range(n):
        for j in range(n):
            A[i, j] = B[i, j] = -J[i, j]
            C[i, j] = 0.0
        A[i, i] += REAL / h
        B[i, i] += ALPHA / h
        C[i, i] = BETA / h
    return factor_banded(A, rows[PIVOTS], n - 1) and factor_complex(B, C, rows[COMPLEX_PIVOTS])


@kernel
def extrapolate_stages(control, counters, F, base, y, rows):
    """Begin the iterations on the polynomial of the last step, or at rest where there is none."""
    h, n = control[STEP], y.shape[0]
    for s in range(3):
        place = FIRST if s == 0 else SECOND if s == 1 else 1.0
        x = (control[TIME] + place * h - control[OLD_TIME]) / control[OLD_STEP] if counters[EXTRAPOLATES] == 1 else 0.0
        for k in range(n):
            value = 0.0
            if counters[EXTRAPOLATES] == 1:
                value = base[k] + x * (F[0, k] + (1.0 - x) * (F[1, k] + x * F[2, k])) - y[k]
            rows[MOVED + s, k] = value
    for s in range(3):
        for k in range(n):
            total = 0.0
            for j in range(3):
                total += FROM_STAGES[s, j] * rows[MOVED + j, k]
            rows[SHIFTED + s, k] = total


@kernel
def newton_correction(h, matrices, rows):
    """The corrections of the displacements in the basis of eigenvectors, from the stages' rates; returns their size."""
    n, total = matrices.shape[1], 0.0
    for k in range(n):
        real, re, im = 0.0, 0.0, 0.0
        for j in range(3):
            real += FROM_STAGES[0, j] * rows[RATE + j, k]
            re += FROM_STAGES[1, j] * rows[RATE + j, k]
            im += FROM_STAGES[2, j] * rows[RATE + j, k]
        a, b = rows[SHIFTED + 1, k], rows[SHIFTED + 2, k]
        rows[CHANGE, k] = real - REAL / h * rows[SHIFTED, k]
        rows[CHANGE + 1, k] = re - (ALPHA * a - BETA * b) / h
        rows[CHANGE + 2, k] = im - (ALPHA * b + BETA * a) / h
    solve_banded(matrices[1], rows[PIVOTS], n - 1, rows[CHANGE])
    solve_complex(matrices[2], matrices[3], rows[COMPLEX_PIVOTS], rows[CHANGE + 1], rows[CHANGE + 2])
    for s in range(3):
        for k in range(n):
            total += square(rows[CHANGE + s, k] / rows[SCALE, k])
    return sqrt(total / (3 * n))


@kernel
def iterate_stages(derivative, model, data, zero, control, counters, y, matrices, rows):
    """Newton's iterations for the stages; returns the rate of convergence, −1 where they do not converge."""
    h, t, n = control[STEP], control[TIME], y.shape[0]
    before, rate = 0.0, 0.0
    most = max(10.0 * 2.3e-16 / control[RTOL], min(NEWTON_TOLERANCE, sqrt(control[RTOL])))
    for turn in range(TURNS):
        for s in range(3):
            for k in range(n):
                rows[SPARE + 1, k] = y[k] + rows[MOVED + s, k]
            at = t + (FIRST if s == 0 else SECOND if s == 1 else 1.0) * h
            if not rate_at(derivative, model, data, zero, counters, at, rows[SPARE + 1], rows[SPARE], rows[RATE + s]):
                return -1.0
        size = newton_correction(h, matrices, rows)
        if turn > 0:
            rate = size / before if before > 0.0 else 0.0
            left = rate
            for _ in range(TURNS - turn - 1):
                left *= rate
            if not rate < 1.0 or left / (1.0 - rate) * size > most:
                return -1.0
        elif not size < 1e300:
            return -1.0
        for s in range(3):
            for k in range(n):
                rows[SHIFTED + s, k] += rows[CHANGE + s, k]
        for s in range(3):
            for k in range(n):
                total = 0.0
                for j in range(3):
                    total += TO_STAGES[s, j] * rows[SHIFTED + j, k]
                rows[MOVED + s, k] = total
        counters[ITERATIONS] = turn + 1
        if size == 0.0 or (turn > 0 and rate / (1.0 - rate) * size < most):
            return rate
        before = size
    return -1.0


@kernel
def fill_scale(y, new, control, sizes, rows):
    """What errors are measured by."""
    note_sizes(y, new, control, sizes)
    for k in range(y.shape[0]):
        largest = max(abs(y[k]), abs(new[k]))
        rows[SCALE, k] = sizes[ABSOLUTE, int(sizes[GROUP, k])] + control[RTOL] * largest


@kernel
def embedded_error(h, rate, matrices, rows):
    """The error of a step by the embedded method of order 3, filtered by the real system; in tolerances."""
    n, total = matrices.shape[1], 0.0
    for k in range(n):
        value = 0.0
        for s in range(3):
            value += ERROR[s] * rows[MOVED + s, k]
        rows[ERR, k] = rate[k] + value / h
    solve_banded(matrices[1], rows[PIVOTS], n - 1, rows[ERR])
    for k in range(n):
        total += square(rows[ERR, k] / rows[SCALE, k])
    return sqrt(total / n)


@kernel
def radau_step(derivative, model, data, zero, control, counters, y, base, new, end, rate, F, sizes, matrices, rows):
    """Try the step from y, where ẏ is ``rate``: its error in tolerances, the state at its end in ``new``, ẏ there in
    ``end``; −1 where it cannot be made."""
    h, n = control[STEP], y.shape[0]
    fill_scale(y, y, control, sizes, rows)
    extrapolate_stages(control, counters, F, base, y, rows)
    speed = -1.0
    for _ in range(2):
        if counters[JACOBIAN] == NONE:
            if not fill_jacobian(derivative, model, data, zero, control, counters, y, rate, sizes, matrices[0], rows):
                return -1.0
            counters[JACOBIAN], control[FACTORED_STEP] = CURRENT, 0.0
        if control[FACTORED_STEP] != h:
            if not factor_systems(h, matrices, rows):
                control[FACTORED_STEP] = 0.0
                return -1.0
            control[FACTORED_STEP] = h
        speed = iterate_stages(derivative, model, data, zero, control, counters, y, matrices, rows)
        if speed >= 0.0 or counters[JACOBIAN] == CURRENT:
            break
        counters[JACOBIAN] = NONE
        counters[EXTRAPOLATES] = 0
        extrapolate_stages(control, counters, F, base, y, rows)
    if speed < 0.0:
        return -1.0
    for k in range(n):
        new[k] = y[k] + rows[MOVED + 2, k]
    fill_scale(y, new, control, sizes, rows)
    error = embedded_error(h, rate, matrices, rows)
    if error > 1.0 and control[FORMER_STEP] <= 0.0:  # the first step, or one after a rejection: filtered once more
        for k in range(n):
            rows[SPARE + 1, k] = y[k] + rows[ERR, k]
        if rate_at(derivative, model, data, zero, counters, control[TIME], rows[SPARE + 1], rows[SPARE], rows[CHANGE]):
            error = embedded_error(h, rows[CHANGE], matrices, rows)
    if error <= 1.0:
        counters[EVALUATIONS] += 1
        data.buffer[TASK] = RATES
        status = derivative(model, data, zero, control[TIME] + h, new, end)
        counters[FAULT] = max(status, 0)
        total = 0.0
        for k in range(n):
            total += end[k]
        if status != 0 or total - total != 0.0:
            return -1.0
        counters[FAULT] = -1
        counters[JACOBIAN] = OLD if counters[ITERATIONS] <= 2 or speed <= FAST else NONE
    return error


@kernel
def radau_next_step(control, counters, wanted, error, last):
    """The step to try after one with a given error, by the errors of the last two (Gustafsson)."""
    h = control[STEP]
    if not error >= 0.0:
        control[FORMER_STEP] = 0.0
        return 0.5 * h
    if (last or h < CUT_SHORT * wanted) and error <= 1.0:
        return max(wanted, h)
    factor, safety = 10.0, 0.9 * (2 * TURNS + 1) / (2 * TURNS + counters[ITERATIONS])
    if error > 0.0:
        multiplier = 1.0
        if control[FORMER_STEP] > 0.0 and control[FORMER_ERROR] > 0.0:
            multiplier = h / control[FORMER_STEP] * sqrt(sqrt(control[FORMER_ERROR] / error))
        factor = safety * min(1.0, multiplier) / sqrt(sqrt(error))
    if error > 1.0:
        control[FORMER_STEP] = 0.0
        return h * max(0.2, factor)
    control[FORMER_STEP], control[FORMER_ERROR] = h, error
    factor = min(10.0, factor)
    if factor < KEEP and counters[JACOBIAN] != NONE:
        return h
    return h * max(0.2, factor)


@kernel
def radau_dense(y, new, rows, F):
    """Coefficients of the polynomial through the stages, in the form of `interpolate_state`."""
    for k in range(y.shape[0]):
        change = new[k] - y[k]
        one = (rows[MOVED, k] / FIRST - change) / (1.0 - FIRST)
        two = (rows[MOVED + 1, k] / SECOND - change) / (1.0 - SECOND)
        slope = (two - one) / (SECOND - FIRST)
        F[0, k], F[1, k], F[2, k] = change, one - FIRST * slope, slope
        for j in range(3, 7):
            F[j, k] = 0.0
