"""Singular values of a few rows, by rotations among them (Hestenes' one-sided form of Jacobi's method).

Rotations G make the rows of A orthogonal: G A = Σ Vᵀ. Each row is then a singular value times a direction, and what
stands beside the rows is rotated along: the right side b of A x = b becomes G b, an identity becomes G.
"""

from __future__ import annotations

from ..engines.kernel import kernel
from .libm import sqrt

SWEEPS = 60
"""A dozen sweeps make any rows orthogonal; rows that rounding keeps turning are given up."""
ORTHOGONAL = 1e-15
"""Cosine of two rows that are as orthogonal as floats can be."""
ROUNDING = 1e-30
"""Square of the part of the longest row below which a row is rounding: its direction means nothing."""


@kernel
def row_product(A, p, r, width):
    """The product of two rows over their first columns."""
    total = 0.0
    for i in range(width):
        total += A[p, i] * A[r, i]
    return total


@kernel
def orthogonalise_rows(A, count, width, columns):
    """Rotate the first ``count`` rows until they are orthogonal over ``width`` columns; all ``columns`` are rotated.

    Returns the square of the longest.
    """
    largest = 0.0
    for _ in range(SWEEPS):
        largest, turned = 0.0, False
        for p in range(count):
            largest = max(largest, row_product(A, p, p, width))
        for p in range(count - 1):
            for r in range(p + 1, count):
                a, b, both = row_product(A, p, p, width), row_product(A, r, r, width), row_product(A, p, r, width)
                if min(a, b) > ROUNDING * largest and abs(both) > ORTHOGONAL * sqrt(a) * sqrt(b):
                    turned = True
                    ratio = (b - a) / (2.0 * both)
                    tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
                    if ratio < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                    sine = tangent * cosine
                    for i in range(columns):
                        x, y = A[p, i], A[r, i]
                        A[p, i], A[r, i] = cosine * x - sine * y, sine * x + cosine * y
        if not turned:
            break
    return largest
