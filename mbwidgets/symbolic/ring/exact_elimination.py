"""Linear algebra over the fractions of the ring, by minors: null space and inverse, exactly."""

from __future__ import annotations

from .derivation_limits import SizeError
from .element import Element, rational_element

__all__ = ["cofactor_inverse", "null_space"]

Vec = list[Element]
SHARED_UP_TO = 2000
"""Terms of a vector whose common factor is still looked for."""


def null_space(rows: list[Vec], width: int) -> list[Vec]:
    """A basis of the vectors that all rows map to zero, without denominators: by minors (Cramer's rule).

    Columns that no row couples are taken apart, so that each vector is made of the rows that concern it.
    """
    rows = [_cleared(row) for row in rows if any(row)]
    found: dict[int, Vec] = {}
    for part, columns in _groups(rows, width):
        minors = _Minors([rows[i] for i in part])
        chosen: list[int] = []
        taken: list[int] = []
        for i in range(len(part)):
            for j in columns:
                if j not in taken and minors((*chosen, i), (*taken, j)):
                    chosen.append(i)
                    taken.append(j)
                    break
        for free in (column for column in columns if column not in taken):
            vector = [rational_element(0)] * width
            vector[free] = minors(tuple(chosen), tuple(taken))
            for k, column in enumerate(taken):
                vector[column] = -minors(tuple(chosen), (*taken[:k], free, *taken[k + 1 :]))
            found[free] = _stripped(vector)
    return [found[free] for free in sorted(found)]


def _groups(rows: list[Vec], width: int) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that hang together by entries that are not zero."""
    groups: list[tuple[list[int], list[int]]] = [([], [column]) for column in range(width)]
    for i, row in enumerate(rows):
        touched = [group for group in groups if any(row[column] for column in group[1])]
        groups = [group for group in groups if not any(group is other for other in touched)]
        joined = sorted(k for group in touched for k in group[0])
        groups.append(([*joined, i], sorted(column for group in touched for column in group[1])))
    return groups


class _Minors:
    """Determinants of some rows and columns, in the order given, each computed once."""

    def __init__(self, rows: list[Vec]) -> None:
        self.rows = rows
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], Element] = {}

    def __call__(self, rows: tuple[int, ...], columns: tuple[int, ...]) -> Element:
        if not rows:
            return rational_element(1)
        key = rows, columns
        if key not in self.known:
            total, last = rational_element(0), self.rows[rows[-1]]
            for k, column in enumerate(columns):
                if last[column]:
                    share = last[column] * self(rows[:-1], (*columns[:k], *columns[k + 1 :]))
                    total = total + share if (len(columns) - 1 - k) % 2 == 0 else total - share
            self.known[key] = total
        return self.known[key]


def _cleared(vector: Vec) -> Vec:
    """The vector times the product of its different denominators."""
    dens: list[Element] = []
    for entry in vector:
        if entry.den is not None:
            den = Element(entry.ring, entry.den)
            if not any(den == other for other in dens):
                dens.append(den)
    for den in dens:
        vector = [entry * den for entry in vector]
    return vector


def _stripped(vector: Vec) -> Vec:
    """The vector without factors that all its entries share, with which it would vanish where nothing is singular."""
    found = [entry for entry in vector if entry]
    if any(entry.den is not None for entry in found) or sum(sum(entry.terms) for entry in found) > SHARED_UP_TO:
        return vector
    home = found[0].ring
    for entry in found[1:]:
        home = home.union(entry.ring)
    common = found[0].into(home).num
    for entry in found[1:]:
        common = home.backend.gcd(common, entry.into(home).num)
    if common == home.one:
        return vector
    return [Element(home, home.backend.divide(e.into(home).num, common)) if e else e for e in vector]


def cofactor_inverse(matrix: list[Vec]) -> list[Vec]:
    """The inverse as cofactors over the determinant."""
    n, minors = len(matrix), _Minors(matrix)
    every = tuple(range(n))
    determinant = minors(every, every)
    if not determinant:
        raise SizeError("the matrix is singular for every q", remedy="use the numbers: .solve(q, u)")
    over = determinant.inverse()

    def entry(i: int, j: int) -> Element:
        cofactor = minors((*every[:j], *every[j + 1 :]), (*every[:i], *every[i + 1 :]))
        return cofactor * over if (i + j) % 2 == 0 else -cofactor * over

    return [[entry(i, j) for j in range(n)] for i in range(n)]
