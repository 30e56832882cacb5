"""Determinant and adjugate without any division, so that they are exact in a ring with relations.

Laplace's expansion over sets of columns: minors of the first rows from above, minors of the last rows
from below, each computed once (2ⁿ of them), then every cofactor as a sum of products of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .backend import Poly
from .ring import Ring

__all__ = ["determinant_and_adjugate"]

Minors = dict[int, Poly]


def determinant_and_adjugate(r: Ring, a: Sequence[Sequence[Poly]]) -> tuple[Poly, list[list[Poly]]]:
    """det a and adj a of a symmetric matrix: a⁻¹ = adj a / det a."""
    n = len(a)
    above = [_initial(r)]
    for row in a:
        above.append(_extended(r, above[-1], row, last=True))
    below = [_initial(r)]
    for row in reversed(a):
        below.append(_extended(r, below[-1], row, last=False))
    below.reverse()
    full = (1 << n) - 1
    result = [[r.zero] * n for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            minor = _minor(r, above[i], below[i + 1], full & ~(1 << j), i)
            result[i][j] = result[j][i] = minor if (i + j) % 2 == 0 else -minor
    return above[n].get(full, r.zero), result


def _initial(r: Ring) -> Minors:
    return {0: r.one}


def _extended(r: Ring, minors: Minors, row: Sequence[Poly], last: bool) -> Minors:
    """Minors with one more row, expanded along it; ``last``: the row stands below the others."""
    sums: dict[int, list[tuple[Poly, Poly]]] = {}
    for columns, minor in minors.items():
        size = columns.bit_count()
        for j, entry in enumerate(row):
            if entry and not columns >> j & 1:
                before = (columns & ((1 << j) - 1)).bit_count()
                negative = (size - before if last else before) % 2
                sums.setdefault(columns | 1 << j, []).append((-entry if negative else entry, minor))
    found = {columns: r.dot([x for x, _ in pairs], [y for _, y in pairs]) for columns, pairs in sums.items()}
    return {columns: minor for columns, minor in found.items() if minor}


def _minor(r: Ring, above: Minors, below: Minors, columns: int, i: int) -> Poly:
    """The minor on all rows but i and on these columns."""
    places = [j for j in range(columns.bit_length()) if columns >> j & 1]
    left, right = [], []
    for chosen in combinations(range(len(places)), i):
        top = sum(1 << places[k] for k in chosen)
        if top in above and columns & ~top in below:
            negative = (sum(chosen) - i * (i - 1) // 2) % 2
            left.append(-above[top] if negative else above[top])
            right.append(below[columns & ~top])
    return r.dot(left, right)
