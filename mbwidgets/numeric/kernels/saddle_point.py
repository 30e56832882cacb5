"""The linear system of constrained motion, M a − Jᵀ λ = f, J a = γ: built, factored and solved within its band.

Velocities and equations are scaled to size one, so that the pivots tell how independent the equations are. An
equation that others imply is left out: its multiplier is then zero.
"""

from __future__ import annotations

from ..base.tolerances import JACOBIAN_ROUNDING
from ..engines.kernel import kernel
from .libm import floor, sqrt, square
from .memory_layout import (
    ANGLES,
    BAND,
    EXPRESSIONS,
    LENGTHS,
    LONGEST,
    PIVOTS,
    RIGHT,
    ROW_SCALE,
    SCALE,
    USED,
    WEAKEST_DIRECTION,
    elimination_order,
    equation_groups,
)

GOLDEN = 0.6180339887498949
"""(√5 − 1)/2: the fractional parts of its multiples spread evenly and never repeat. A direction made of them has no
symmetry that could keep it at right angles to the weakest one of a symmetric mechanism."""
TURNS = 4
"""Turns of inverse iteration at a time."""


@kernel
def scale_kkt(model, work):
    """Scales: 1/√M_ii of each velocity, and 1/|J_k| of each equation in that measure, 0 where J_k is rounding only.

    LONGEST becomes what each row is compared with: the longest of its group, for an expression its own longest so far.
    """
    J, M, vector, group = work.J, work.M, work.vector, equation_groups(model)
    m, nv = J.shape
    for i in range(nv):
        vector[SCALE, i] = 1.0 / sqrt(M[i, i]) if M[i, i] > 0.0 else 1.0
    length, angle = 0.0, 0.0
    for k in range(m):
        size, largest = 0.0, 0.0
        for i in range(nv):
            largest = max(largest, abs(J[k, i] * vector[SCALE, i]))
        if largest > 0.0:  # squares of 1e-200 and of 1e200 are no floats
            for i in range(nv):
                size += square(J[k, i] * vector[SCALE, i] / largest)
        size = largest * sqrt(size)
        vector[ROW_SCALE, k] = size
        if group[k] == LENGTHS:
            length = max(length, size)
        elif group[k] == ANGLES:
            angle = max(angle, size)
        else:
            vector[LONGEST, k] = max(vector[LONGEST, k], size)
    for k in range(m):
        least = 0.0
        if group[k] != EXPRESSIONS:
            vector[LONGEST, k] = length if group[k] == LENGTHS else angle
            least = JACOBIAN_ROUNDING * vector[LONGEST, k]
        vector[ROW_SCALE, k] = 1.0 / vector[ROW_SCALE, k] if vector[ROW_SCALE, k] > least else 0.0


@kernel
def choose_independent_rows(work, rank):
    """Use as many equations as are independent, after `scale_kkt`: always the one next of which most is left that those
    before do not imply. W is spare.

    Which equations serve changes as the mechanism moves: of a planar loop's three the one across its plane does not.
    Rows keep their lengths here: of two that say the same the shorter one is blurred by rounding.
    """
    J, W, vector, present = work.J, work.W, work.vector, 0
    m, nv = J.shape
    for k in range(m):
        vector[USED, k] = 1.0
        present += 1 if vector[ROW_SCALE, k] > 0.0 else 0
    if present <= rank:
        return
    for k in range(m):
        vector[USED, k] = 0.0
        for i in range(nv):
            W[k, i] = J[k, i] * vector[SCALE, i] / vector[LONGEST, k] if vector[ROW_SCALE, k] > 0.0 else 0.0
    for _ in range(rank):
        best, longest = -1, 0.0
        for k in range(m):
            size = 0.0
            for i in range(nv):
                size += W[k, i] * W[k, i]
            if size > longest and vector[USED, k] == 0.0:
                best, longest = k, size
        if best < 0:
            return
        vector[USED, best] = 1.0
        for k in range(m):
            if vector[USED, k] == 0.0:
                share = 0.0
                for i in range(nv):
                    share += W[k, i] * W[best, i]
                share /= longest
                for i in range(nv):
                    W[k, i] -= share * W[best, i]


@kernel
def factor_kkt(model, work, rank):
    """Factor the scaled system by elimination with row interchanges; False where a pivot vanishes.

    ``rank``: how many equations to choose; 0 keeps those in use.
    """
    J, M, W, vector = work.J, work.M, work.W, work.vector
    m, nv, n, band, place = J.shape[0], J.shape[1], W.shape[0], int(model.buffer[BAND]), elimination_order(model)
    scale_kkt(model, work)
    if rank > 0:
        choose_independent_rows(work, rank)
    for i in range(n):
        for j in range(max(0, i - band), min(n, i + 2 * band + 1)):
            W[i, j] = 0.0
    for i in range(nv):
        row = int(place[i])
        for j in range(nv):
            if M[i, j] != 0.0:
                W[row, int(place[j])] = M[i, j] * vector[SCALE, i] * vector[SCALE, j]
    for k in range(m):
        row = int(place[nv + k])
        if vector[USED, k] == 0.0 or vector[ROW_SCALE, k] == 0.0:
            W[row, row] = 1.0
            continue
        for i in range(nv):
            if J[k, i] != 0.0:
                value = J[k, i] * vector[SCALE, i] * vector[ROW_SCALE, k]
                W[row, int(place[i])] = value
                W[int(place[i]), row] = value
    return factor_banded(W, vector[PIVOTS], band)


@kernel
def factor_banded(W, pivots, band):
    """W = P L U in place within the band; False where a pivot vanishes."""
    n = W.shape[0]
    for k in range(n):
        below, right = min(n, k + band + 1), min(n, k + 2 * band + 1)
        p = k
        for i in range(k + 1, below):
            if abs(W[i, k]) > abs(W[p, k]):
                p = i
        pivots[k] = p
        if not abs(W[p, k]) > 1e-300:
            return False
        if p != k:
            for j in range(k, right):
                W[k, j], W[p, j] = W[p, j], W[k, j]
        for i in range(k + 1, below):
            if W[i, k] != 0.0:
                share = W[i, k] / W[k, k]
                W[i, k] = share
                for j in range(k + 1, right):
                    W[i, j] -= share * W[k, j]
    return True


@kernel
def solve_banded(W, pivots, band, right):
    """Solve W x = right in place, after `factor_banded`."""
    n = W.shape[0]
    for k in range(n):
        p = int(pivots[k])
        value = right[p]
        right[p] = right[k]
        right[k] = value
        for i in range(k + 1, min(n, k + band + 1)):
            right[i] -= W[i, k] * value
    for k in range(n - 1, -1, -1):
        value = right[k]
        for j in range(k + 1, min(n, k + 2 * band + 1)):
            value -= W[k, j] * right[j]
        right[k] = value / W[k, k]


@kernel
def smallest_singular_value(model, work):
    """About the smallest singular value of the equations: that of the scaled ones, √|smallest eigenvalue of W| by
    inverse iteration, times the smallest of their lengths relative to what each is compared with.

    The direction is kept from call to call; a little of one without symmetry is mixed in, so that a new one is found.
    """
    W, vector, band = work.W, work.vector, int(model.buffer[BAND])
    n, size, weak = W.shape[0], 0.0, vector[WEAKEST_DIRECTION]
    for i in range(n):
        part = GOLDEN * (i + 1)
        weak[i] += 0.01 * (part - floor(part) - 0.5)
    for _ in range(TURNS):
        solve_banded(W, vector[PIVOTS], band, weak)
        size = 0.0
        for i in range(n):
            size += weak[i] * weak[i]
        size = sqrt(size)
        if not 0.0 < size < 1e300:
            for i in range(n):
                weak[i] = 1.0
            return 0.0
        for i in range(n):
            weak[i] /= size
    part = 1e300
    for k in range(work.J.shape[0]):
        if vector[USED, k] != 0.0 and vector[ROW_SCALE, k] > 0.0:
            part = min(part, 1.0 / (vector[ROW_SCALE, k] * vector[LONGEST, k]))
    return part / sqrt(size) if part < 1e300 else 0.0


@kernel
def solve_kkt(model, work, force, target, a, multiplier):
    """a and λ for a force f (nv) and a right side γ (m), after `factor_kkt`; λ of an equation that is left out is 0."""
    (m, nv), vector, place = work.J.shape, work.vector, elimination_order(model)
    right = vector[RIGHT]
    for i in range(nv):
        right[int(place[i])] = force[i] * vector[SCALE, i]
    for k in range(m):
        right[int(place[nv + k])] = target[k] * vector[ROW_SCALE, k] if vector[USED, k] != 0.0 else 0.0
    solve_banded(work.W, vector[PIVOTS], int(model.buffer[BAND]), right)
    for i in range(nv):
        a[i] = right[int(place[i])] * vector[SCALE, i]
    for k in range(m):
        multiplier[k] = -right[int(place[nv + k])] * vector[ROW_SCALE, k]
