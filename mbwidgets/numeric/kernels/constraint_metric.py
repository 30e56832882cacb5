"""The constraints' rows in the metric of the kinetic energy: their rank, the shortest change that meets a right side,
and a direction that they leave free.

All work in W, which the linear system of `saddle_point` no longer needs: rows 0 … m − 1 are those of J L⁻ᵀ with
M = L Lᵀ, with one column beside; L stands below them.
"""

from __future__ import annotations

from ..base.tolerances import DEPENDENT_AT_START, JACOBIAN_BLURRED, LEFT_MASSLESS
from ..engines.kernel import kernel
from .libm import floor, sqrt, square
from .memory_layout import ANGLES, EXPRESSIONS, ROW_SCALE, SCALE, equation_groups
from .row_rotations import orthogonalise_rows, row_product
from .saddle_point import GOLDEN


@kernel
def weigh_velocities(work):
    """SCALE: √M_ii, by which velocities of different kinds are compared; of a massless one the smallest other."""
    M, weight, least = work.M, work.vector[SCALE], 0.0
    for i in range(M.shape[0]):
        weight[i] = sqrt(M[i, i]) if M[i, i] > 0.0 else 0.0
        if weight[i] > 0.0 and (least == 0.0 or weight[i] < least):
            least = weight[i]
    for i in range(M.shape[0]):
        if not weight[i] > 0.0:
            weight[i] = least if least > 0.0 else 1.0


@kernel
def factor_mass(work):
    """L with M = L Lᵀ below the rows; of the diagonal alone where M is singular, or would be but for rounding."""
    M, W, weight = work.M, work.W, work.vector[SCALE]
    m, nv = work.J.shape
    weigh_velocities(work)
    regular = True
    for i in range(nv):
        for j in range(i + 1):
            value = M[i, j] / (weight[i] * weight[j])
            for k in range(j):
                value -= W[m + i, k] * W[m + j, k]
            if j < i:
                W[m + i, j] = value / W[m + j, j]
            else:
                regular = regular and value >= LEFT_MASSLESS
                W[m + i, i] = sqrt(value) if value > 0.0 else 1.0
    for i in range(nv):
        for j in range(i + 1):
            W[m + i, j] = weight[i] * W[m + i, j] if regular else 0.0
        if not regular:
            W[m + i, i] = weight[i]


@kernel
def row_length(W, k, width):
    """The length of a row, of 1e-200 and of 1e200 too: their squares would be no floats."""
    largest, size = 0.0, 0.0
    for i in range(width):
        largest = max(largest, abs(W[k, i]))
    if largest > 0.0:
        for i in range(width):
            size += square(W[k, i] / largest)
    return largest * sqrt(size)


@kernel
def fill_metric_rows(model, work):
    """The rows of J L⁻ᵀ, of length one, shorter where they are blurred by rounding; ROW_SCALE: by what divided.

    After this M and J are as they were; what was factored is lost.
    """
    J, W, size, group = work.J, work.W, work.vector[ROW_SCALE], equation_groups(model)
    m, nv = J.shape
    factor_mass(work)
    length, angle = 0.0, 0.0
    for k in range(m):
        for i in range(nv):
            value = J[k, i]
            for j in range(i):
                value -= W[m + i, j] * W[k, j]
            W[k, i] = value / W[m + i, i]
        size[k] = row_length(W, k, nv)
        if group[k] == ANGLES:
            angle = max(angle, size[k])
        elif group[k] != EXPRESSIONS:
            length = max(length, size[k])
    for k in range(m):
        if group[k] != EXPRESSIONS:
            size[k] = max(size[k], JACOBIAN_BLURRED * (angle if group[k] == ANGLES else length))
        for i in range(nv):
            W[k, i] = W[k, i] / size[k] if size[k] > 0.0 else 0.0


@kernel
def leave_metric(work, x):
    """L⁻ᵀ x in place: a change in the metric as one of velocities."""
    W = work.W
    m, nv = work.J.shape
    for i in range(nv - 1, -1, -1):
        value = x[i]
        for j in range(i + 1, nv):
            value -= W[m + j, i] * x[j]
        x[i] = value / W[m + i, i]


@kernel
def solve_least(model, work, right, x):
    """The x with J x = right, as nearly as can be, that is shortest in the metric of the kinetic energy."""
    W, size = work.W, work.vector[ROW_SCALE]
    m, nv = work.J.shape
    fill_metric_rows(model, work)
    for k in range(m):
        W[k, nv] = right[k] / size[k] if size[k] > 0.0 else 0.0
    largest = orthogonalise_rows(W, m, nv, nv + 1)
    for i in range(nv):
        x[i] = 0.0
    for k in range(m):
        own = row_product(W, k, k, nv)
        if own > square(DEPENDENT_AT_START) * largest:
            for i in range(nv):
                x[i] += W[k, nv] / own * W[k, i]
    leave_metric(work, x)


@kernel
def count_independent(model, work):
    """The rank of J, its rows taken at equal length; leaves them orthogonal."""
    (m, nv), rank = work.J.shape, 0
    fill_metric_rows(model, work)
    largest = orthogonalise_rows(work.W, m, nv, nv)
    for k in range(m):
        rank += 1 if row_product(work.W, k, k, nv) > square(DEPENDENT_AT_START) * largest else 0
    return rank


@kernel
def free_direction(work, number, x):
    """One of the velocities that the constraints leave, without any symmetry, after `count_independent`."""
    W, largest = work.W, 0.0
    m, nv = work.J.shape
    for i in range(nv):
        part = GOLDEN * (i + 1) * (number + 1)
        x[i] = part - floor(part) - 0.5
    for k in range(m):
        largest = max(largest, row_product(W, k, k, nv))
    for _ in range(2):  # the second turn takes away what rounding has left
        for k in range(m):
            own, share = row_product(W, k, k, nv), 0.0
            if own > square(DEPENDENT_AT_START) * largest:
                for i in range(nv):
                    share += W[k, i] * x[i]
                for i in range(nv):
                    x[i] -= share / own * W[k, i]
    leave_metric(work, x)
