"""`permanent_formulae(model)`: the conditions of permanent rotation about the vertical, exactly.

Source: Chebanov, Khlistunova, section 2. The speeds are the parameters omega_1, …, omega_n. Axes: e3 = ν = g/|g|
(down), e1 and e2 by the smallest rotation that takes z to ν (the half turn about x for ν = −z); every body in the
model's initial pose, A_k3 = −(tensor)_k3 = ∫ x_k z dm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import ModelError
from ...model.tensors import quaternion_matrix
from ..formula.formula import Formula
from ..ring import generators as letters
from ..ring.algebra import Matrix, Vector
from ..ring.derivation_limits import limited
from ..ring.element import Element, letter_element, rational_element
from ..ring.scalar_reader import Reader, function_of, square_root
from .augmented import AUGMENTED as R
from .augmented import augmented_inertia, exact_chain, refuse_all_but_weight, static_moment

__all__ = ["PermanentFormulae", "permanent_formulae"]


@dataclass(frozen=True)
class PermanentFormulae:
    """Exact coefficients of (2.4); made by `permanent_formulae`.

    ``alpha`` (n, 3), ``beta`` and ``gamma`` (n, n, 3)   (2.5)
    """

    alpha: Formula
    beta: Formula
    gamma: Formula

    @cached_property
    def residual(self) -> Formula:
        """(n, 3): α_i^k + Σ_{j≠i} ω_j² [ β_ij^k cos(ω_i − ω_j)t + γ_ij^k sin(ω_i − ω_j)t ]   (2.4)"""
        n = len(self.alpha)
        time = letter_element(letters.TIME)
        rows = []
        for i in range(n):
            row = [_entry(self.alpha[i, k]) for k in range(3)]
            for j in range(n):
                if j == i:
                    continue
                phase, square = (_speed(i) - _speed(j)) * time, _speed(j) * _speed(j)
                for k in range(3):
                    cosine = _entry(self.beta[i, j, k]) * function_of("cos", phase)
                    sine = _entry(self.gamma[i, j, k]) * function_of("sin", phase)
                    row[k] = row[k] + square * (cosine + sine)
            rows.append(row)
        return Formula(rows, self.alpha.values, labels="r_{%d}^{%d}")


def permanent_formulae(model: Any) -> PermanentFormulae:
    """α, β, γ of (2.5) for a chain on spherical joints, with letters for its parameters and for the speeds.

    >>> mb.permanent_formulae(mb.library.spherical_chain(2)).alpha.shape
    (2, 3)
    """
    bodies = exact_chain(model)
    refuse_all_but_weight(model)
    n = len(bodies)
    if taken := sorted({f"omega_{i + 1}" for i in range(n)} & set(model.parameters)):
        raise ModelError(f"{taken[0]!r} is the letter of a body's speed", where="parameters", remedy="rename it")
    with limited():
        basis, weight = _vertical(model)
        static, arms, tensors = [], [], []
        for i, turn in enumerate(_turns(model, n)):
            below = rational_element(0)
            for other in bodies[i + 1 :]:
                below = below + other.mass
            seen = R.matmul(_transposed(basis), turn)
            static.append(R.apply(seen, static_moment(bodies[i], below)))
            arms.append(R.apply(seen, bodies[i].arm))
            tensors.append(R.matmul(R.matmul(seen, augmented_inertia(bodies[i], below)), _transposed(seen)))
        alpha = [
            [*(-tensors[i][k][2] * _speed(i) ** 2 - weight * static[i][k] for k in range(2)), R.zero] for i in range(n)
        ]
        pairs = [[_pair(static, arms, i, j) for j in range(n)] for i in range(n)]
    values = {**model.values, **{f"omega_{i + 1}": None for i in range(len(model.bodies))}}
    return PermanentFormulae(
        alpha=Formula(alpha, values, "factored", labels="\\alpha_{%d}^{%d}"),
        beta=Formula([[pair[0] for pair in row] for row in pairs], values, labels="\\beta_{%d%d}^{%d}"),
        gamma=Formula([[pair[1] for pair in row] for row in pairs], values, labels="\\gamma_{%d%d}^{%d}"),
    )


def _pair(static: Sequence[Vector], arms: Sequence[Vector], i: int, j: int) -> tuple[list[Any], list[Any]]:
    """β_ij and γ_ij   (2.5)"""
    if i == j:
        return [R.zero] * 3, [R.zero] * 3
    own, other = (static[i], arms[j]) if j < i else (arms[i], static[j])
    x, y = own[2] * other[0], own[2] * other[1]
    turn, lever = own[1] * other[0] - own[0] * other[1], own[0] * other[0] + own[1] * other[1]
    return [x, y, turn], [y, -x, lever]


def _speed(i: int) -> Element:
    return letter_element(letters.parameter(f"omega_{i + 1}"))


def _entry(formula: Formula) -> Element:
    return formula.entries[0]


def _transposed(m: Matrix) -> Matrix:
    x, y, z = zip(*m, strict=True)
    return x, y, z


def _turns(model: Any, n: int) -> list[Matrix]:
    """World rotations of the bodies in the initial pose."""
    reader = Reader()
    given = [0, 0, 0, 1] * n if model.state.q is None else model.state.q
    turns: list[Matrix] = []
    last: Matrix = ((R.one, R.zero, R.zero), (R.zero, R.one, R.zero), (R.zero, R.zero, R.one))
    for i in range(n):
        x, y, z, w = (reader.read(part, "state") for part in given[4 * i : 4 * i + 4])
        square = x * x + y * y + z * z + w * w
        last = R.matmul(last, quaternion_matrix((x, y, z, w), rational_element(2) / square))
        turns.append(last)
    return turns


def _vertical(model: Any) -> tuple[Matrix, Element]:
    """The basis e1, e2, ν in columns, and g = |g|.

    Where gravity is along a coordinate axis its sign is read from the parameters' values, so that √(g²) is ±g.
    """
    reader = Reader()
    x, y, z = (reader.read(part, "gravity") for part in model.gravity)
    values = np.array([model.number(part) for part in model.gravity])
    if not values.any():
        raise ModelError("gravity is zero: there is no vertical", where="gravity", remedy="give g other than 0")
    along = [part for part in (x, y, z) if part]
    if len(along) == 1:
        weight = along[0] if values.sum() > 0 else -along[0]
    else:
        weight = square_root(R.dot((x, y, z), (x, y, z)), "gravity")
    nu = (x / weight, y / weight, z / weight)
    zero, one = R.zero, R.one
    if len(along) == 1 and values[2] < 0:
        return ((one, zero, zero), (zero, -one, zero), (zero, zero, -one)), weight
    # I + [w] + [w]²/(1 + ν_z) with w = z × ν = (−ν_y, ν_x, 0)
    p, q, r = nu
    share = one / (one + r)
    return ((one - p * p * share, -p * q * share, p), (-p * q * share, one - q * q * share, q), (-p, -q, r)), weight
