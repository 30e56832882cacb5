"""What the constraints do in every frame of a motion."""

from __future__ import annotations

from math import nan

from ..base.tolerances import SINGULAR_FRAME
from ..engines.kernel import Cube, Table, Vector, entry_point, kernel
from .constrained_derivative import constrained_derivative
from .libm import sqrt, square
from .memory_layout import (
    EXPRESSIONS,
    MULTIPLIER,
    OBSERVE,
    PHI,
    RATE,
    SECOND,
    TASK,
    constraint_workspace,
    curve_feet,
    equation_groups,
    model_tables,
    tables_of,
)
from .row_rotations import orthogonalise_rows, row_product

VALUES, RATES, GAMMAS, MULTIPLIERS = range(4)
"""Blocks of m columns each in what `observe_frames` finds; the feet of the curves follow."""


@entry_point
def observe_frames(
    model: Vector,
    data: Vector,
    t: Vector,
    states: Table,
    tau: Table,
    found: Table,
    jacobian: Cube,
    rates: Table,
) -> None:
    """Φ, Φ̇, γ, λ, the curves' feet (frames, 4 m + rows), J (frames, m, nv) and d/dt of each state (q, u, work).

    λ and d/dt are NaN where the accelerations are not determined.
    """
    m, d = tables_of(model, data)
    work, feet = constraint_workspace(m, d), curve_feet(m, d)
    count, nv = work.J.shape
    data[TASK] = OBSERVE
    for k in range(t.shape[0]):
        determined = constrained_derivative(m, d, tau[k], t[k], states[k], rates[k]) == 0
        for i in range(rates.shape[1]):
            rates[k, i] = rates[k, i] if determined else nan
        for e in range(count):
            found[k, VALUES * count + e] = work.vector[PHI, e]
            found[k, RATES * count + e] = work.vector[RATE, e]
            found[k, GAMMAS * count + e] = work.vector[SECOND, e]
            found[k, MULTIPLIERS * count + e] = work.vector[MULTIPLIER, e] if determined else nan
            for i in range(nv):
                jacobian[k, e, i] = work.J[e, i]
        for r in range(feet.shape[0]):
            found[k, 4 * count + r] = feet[r]


@kernel
def divide_rows(model, J, room, divisor):
    """Rows of J at comparable lengths, an identity beside them, into the room.

    The longest divides; that of an expression, whose size is the user's choice, is divided by its own length.
    """
    group, (m, nv), longest = equation_groups(model), J.shape, 0.0
    for k in range(m):
        size = 0.0
        for i in range(nv):
            size += square(J[k, i])
        divisor[k] = sqrt(size)
        if group[k] != EXPRESSIONS:
            longest = max(longest, divisor[k])
    for k in range(m):
        divisor[k] = divisor[k] if group[k] == EXPRESSIONS else longest
        divisor[k] = divisor[k] if divisor[k] > 0.0 else 1.0
        for i in range(nv):
            room[k, i] = J[k, i] / divisor[k]
        for e in range(m):
            room[k, nv + e] = 1.0 if e == k else 0.0


@entry_point
def shortest_multipliers(
    model: Vector, multiplier: Table, jacobian: Cube, rank: int, room: Table, spare: Vector
) -> None:
    """The shortest λ (frames, m) that do what the given ones do, λ = (J Jᵀ)⁺ J (Jᵀ λ), in their place.

    ``rank`` singular values count. ``room`` (m, nv + m) and spare (nv + 2 m) are work space.
    """
    m, count, nv = model_tables(model), jacobian.shape[1], jacobian.shape[2]
    wrench, divisor, taken = spare[:nv], spare[nv : nv + count], spare[nv + count : nv + 2 * count]
    for k in range(multiplier.shape[0]):
        for i in range(nv):
            wrench[i] = 0.0
            for e in range(count):
                wrench[i] += jacobian[k, e, i] * multiplier[k, e]
        divide_rows(m, jacobian[k], room, divisor)
        largest = orthogonalise_rows(room, count, nv, nv + count)
        for e in range(count):
            multiplier[k, e], taken[e] = 0.0, 0.0
        for _ in range(rank):
            best, most = -1, square(SINGULAR_FRAME) * largest
            for e in range(count):
                size = row_product(room, e, e, nv)
                if taken[e] == 0.0 and size > most:
                    best, most = e, size
            if best < 0:
                break
            taken[best] = 1.0
            along = 0.0
            for i in range(nv):
                along += room[best, i] * wrench[i]
            for e in range(count):
                multiplier[k, e] += along / most * room[best, nv + e] / divisor[e]
