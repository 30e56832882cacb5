"""Small exact linear algebra on tuples: numbers that are exact stay exact, expressions stay expressions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from ..expressions import MAX_BITS

Vector = tuple[Any, Any, Any]
Tensor = tuple[Vector, Vector, Vector]
IDENTITY: Tensor = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
ROTATIONS = 36
"""Jacobi's rotations converge quadratically: some fifteen make any tensor diagonal to the last digit."""
DIAGONAL = 1e-18
"""Part of the diagonal that the other components have together at most where the tensor counts as diagonal."""


class MassProperties(NamedTuple):
    """Mass, mass centre ρ_C and inertia tensor at the mass centre, in body axes."""

    mass: Any
    com: Vector
    inertia: Tensor


def add_vectors(a: Any, b: Any) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def add_tensors(a: Tensor, b: Tensor) -> Tensor:
    return (add_vectors(a[0], b[0]), add_vectors(a[1], b[1]), add_vectors(a[2], b[2]))


def scale_tensor(tensor: Tensor, factor: Any) -> Tensor:
    return tuple(tuple(item * factor for item in row) for row in tensor)  # type: ignore[return-value]


def diagonal_tensor(x: Any, y: Any, z: Any) -> Tensor:
    return ((x, 0, 0), (0, y, 0), (0, 0, z))


def axisymmetric_tensor(direction: Vector, along: Any, across: Any) -> Tensor:
    """``across`` (I − a aᵀ) + ``along`` a aᵀ."""

    def component(i: int, j: int) -> Any:
        product = direction[i] * direction[j]
        return across * ((1 if i == j else 0) - product) + along * product

    return tuple(tuple(component(i, j) for j in range(3)) for i in range(3))  # type: ignore[return-value]


def exact_quotient(numerator: Any, denominator: Any) -> Any:
    if isinstance(numerator, int) and isinstance(denominator, int):
        return Fraction(numerator, denominator)
    return numerator / denominator


def float_if_too_long(value: Any) -> Any:
    """An exact number that has grown absurd goes on as a float."""
    if isinstance(value, int | Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
            return float(value)
        return value.numerator if value.denominator == 1 else value
    return value


def rotation_matrix(q: Any) -> Tensor:
    """The rotation of a quaternion x, y, z, w of any length."""
    x, y, z, w = q
    return quaternion_matrix(q, exact_quotient(2, x * x + y * y + z * z + w * w))


def quaternion_matrix(q: Any, two_over_square: Any) -> Tensor:
    """The rotation of a quaternion x, y, z, w, ``two_over_square`` = 2/|q|², of anything that adds and multiplies."""
    x, y, z, w = q
    return (
        (1 - two_over_square * (y * y + z * z), two_over_square * (x * y - w * z), two_over_square * (x * z + w * y)),
        (two_over_square * (x * y + w * z), 1 - two_over_square * (x * x + z * z), two_over_square * (y * z - w * x)),
        (two_over_square * (x * z - w * y), two_over_square * (y * z + w * x), 1 - two_over_square * (x * x + y * y)),
    )


def quaternion_rate(q: Any, half_omega: Any) -> tuple[Any, Any, Any, Any]:
    """q̇ = ½ q ∘ (ω, 0) of a unit quaternion x, y, z, w, ``half_omega`` = ½ ω in body axes, likewise."""
    x, y, z, w = q
    a, b, c = half_omega
    return (w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c)


def rotate_tensor(tensor: Tensor, rotation: Any) -> Tensor:
    """R T Rᵀ; the upper triangle is mirrored so that the result is symmetric to the last digit."""
    if rotation == (0, 0, 0, 1):
        return tensor
    r = rotation_matrix(rotation)

    def component(i: int, j: int) -> Any:
        i, j = min(i, j), max(i, j)
        return sum(r[i][a] * tensor[a][b] * r[j][b] for a in range(3) for b in range(3))

    return tuple(tuple(component(i, j) for j in range(3)) for i in range(3))  # type: ignore[return-value]


def parallel_axis_shift(piece: MassProperties, pole: Any) -> Tensor:
    """Inertia of a piece at another pole, by the parallel-axis theorem: J + m (d·d I − d dᵀ)."""
    d = tuple(piece.com[i] - pole[i] for i in range(3))
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    return tuple(  # type: ignore[return-value]
        tuple(piece.inertia[i][j] + piece.mass * ((square if i == j else 0) - d[i] * d[j]) for j in range(3))
        for i in range(3)
    )


def principal_values(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> tuple[float, float, float]:
    """The principal values of a symmetric tensor by Jacobi's rotations, increasing.

    As a page has them, to the bit. Each turn makes xy vanish and goes on to the next pair of axes.
    """
    for _ in range(ROTATIONS):
        if abs(xy) + abs(xz) + abs(yz) <= DIAGONAL * (abs(xx) + abs(yy) + abs(zz)):
            break
        if xy != 0.0:
            ratio = (yy - xx) / (2.0 * xy)
            tangent = 1.0 / (abs(ratio) + math.sqrt(1.0 + ratio * ratio))
            if ratio < 0.0:
                tangent = -tangent
            cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
            sine = tangent * cosine
            xx, yy = xx - tangent * xy, yy + tangent * xy
            xz, yz = cosine * xz - sine * yz, sine * xz + cosine * yz
        xx, yy, zz, xy, xz, yz = yy, zz, xx, yz, 0.0, xz
    least, largest = min(xx, min(yy, zz)), max(xx, max(yy, zz))
    return least, max(min(xx, yy), min(max(xx, yy), zz)), largest
