"""Linear algebra over the fractions of the ring: null space and inverse, exactly."""

from __future__ import annotations

from .elements import Element, number
from .limits import SizeError

__all__ = ["inverse", "null_space"]

Vec = list[Element]


def _reduced(rows: list[Vec], width: int) -> tuple[list[Vec], list[int]]:
    """Reduced row echelon form, and the pivots' columns; the shortest pivot of a column is taken."""
    rows, pivots, top = [list(row) for row in rows], [], 0
    for column in range(width):
        found = [i for i in range(top, len(rows)) if rows[i][column]]
        if not found:
            continue
        best = min(found, key=lambda i: sum(rows[i][column].terms))
        rows[top], rows[best] = rows[best], rows[top]
        over = rows[top][column].inverse()
        rows[top] = [entry * over if entry else entry for entry in rows[top]]
        for i, row in enumerate(rows):
            factor = row[column]
            if i != top and factor:
                rows[i] = [x - factor * y if y else x for x, y in zip(row, rows[top], strict=True)]
        pivots.append(column)
        top += 1
    return rows, pivots


def null_space(rows: list[Vec], width: int) -> list[Vec]:
    """A basis of the vectors that all rows map to zero, cleared of denominators."""
    reduced, pivots = _reduced(rows, width)
    basis = []
    for free in (column for column in range(width) if column not in pivots):
        vector = [number(int(column == free)) for column in range(width)]
        for row, pivot in zip(reduced, pivots, strict=False):
            vector[pivot] = -row[free]
        basis.append(_cleared(vector))
    return basis


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


def inverse(matrix: list[Vec]) -> list[Vec]:
    """The inverse by Gauss and Jordan."""
    n = len(matrix)
    wide = [[*row, *(number(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    reduced, pivots = _reduced(wide, n)
    if len(pivots) < n:
        raise SizeError("the matrix is singular for every q", remedy="use the numbers: .solve(q, u)")
    return [row[n:] for row in reduced[:n]]
