"""Small dense complex linear systems: factored with row interchanges, solved many times."""

from __future__ import annotations

from ..engines.kernel import kernel

SMALLEST = 1e-300
"""A pivot below it is none."""


@kernel
def complex_quotient(a, b, c, d):
    """(a + i b) / (c + i d)."""
    size = c * c + d * d
    return (a * c + b * d) / size, (b * c - a * d) / size


@kernel
def factor_complex(A, B, pivots):
    """A + i B = P L U in place; False where a pivot vanishes or is no number."""
    n = A.shape[0]
    for k in range(n):
        p, largest = k, 0.0
        for i in range(k, n):
            size = abs(A[i, k]) + abs(B[i, k])
            if size > largest:
                p, largest = i, size
        pivots[k] = p
        if not SMALLEST < largest < 1e300:
            return False
        if p != k:
            for j in range(n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
                B[k, j], B[p, j] = B[p, j], B[k, j]
        for i in range(k + 1, n):
            if A[i, k] != 0.0 or B[i, k] != 0.0:
                a, b = complex_quotient(A[i, k], B[i, k], A[k, k], B[k, k])
                A[i, k], B[i, k] = a, b
                for j in range(k + 1, n):
                    A[i, j] -= a * A[k, j] - b * B[k, j]
                    B[i, j] -= a * B[k, j] + b * A[k, j]
    return True


@kernel
def solve_complex(A, B, pivots, x, y):
    """Solve (A + i B)(x + i y) = x + i y in place, after `factor_complex`."""
    n = A.shape[0]
    for k in range(n):
        p = int(pivots[k])
        if p != k:
            x[k], x[p] = x[p], x[k]
            y[k], y[p] = y[p], y[k]
    for k in range(n):
        for j in range(k):
            re, im = x[j], y[j]
            x[k] -= A[k, j] * re - B[k, j] * im
            y[k] -= A[k, j] * im + B[k, j] * re
    for k in range(n - 1, -1, -1):
        re, im = x[k], y[k]
        for j in range(k + 1, n):
            re -= A[k, j] * x[j] - B[k, j] * y[j]
            im -= A[k, j] * y[j] + B[k, j] * x[j]
        x[k], y[k] = complex_quotient(re, im, A[k, k], B[k, k])
