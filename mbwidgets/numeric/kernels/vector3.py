"""Small vector algebra for the kernels: vectors are tuples of three numbers, rotations tuples of nine, row by row."""

from __future__ import annotations

from ..engines.kernel import kernel
from .libm import sin_cos, sqrt
from .memory_layout import INERTIA, ROT


@kernel
def get_vector(table, i, o):
    """The vector that stands in row i from column o on."""
    return table[i, o], table[i, o + 1], table[i, o + 2]


@kernel
def put_vector(table, i, o, a):
    """Write a vector into row i from column o on."""
    table[i, o], table[i, o + 1], table[i, o + 2] = a[0], a[1], a[2]


@kernel
def add_to_vector(table, i, o, a):
    """Add a vector to the one in row i from column o on."""
    table[i, o] += a[0]
    table[i, o + 1] += a[1]
    table[i, o + 2] += a[2]


@kernel
def add(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def subtract(a, b):
    """a − b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel
def scale(k, a):
    """k a."""
    return k * a[0], k * a[1], k * a[2]


@kernel
def add_scaled(a, k, b):
    """a + k b."""
    return a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]


@kernel
def dot(a, b):
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def rotate_vector(A, a):
    """A a."""
    return (
        A[0] * a[0] + A[1] * a[1] + A[2] * a[2],
        A[3] * a[0] + A[4] * a[1] + A[5] * a[2],
        A[6] * a[0] + A[7] * a[1] + A[8] * a[2],
    )


@kernel
def symmetric_times(J, a):
    """J a for a symmetric J = (xx, xy, xz, yy, yz, zz)."""
    return (
        J[0] * a[0] + J[1] * a[1] + J[2] * a[2],
        J[1] * a[0] + J[3] * a[1] + J[4] * a[2],
        J[2] * a[0] + J[4] * a[1] + J[5] * a[2],
    )


@kernel
def body_rotation(data, i):
    """R_i: body axes to world axes."""
    return (
        data.body[i, ROT],
        data.body[i, ROT + 1],
        data.body[i, ROT + 2],
        data.body[i, ROT + 3],
        data.body[i, ROT + 4],
        data.body[i, ROT + 5],
        data.body[i, ROT + 6],
        data.body[i, ROT + 7],
        data.body[i, ROT + 8],
    )


@kernel
def rotation_product(a, b):
    """Product of two rotations."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@kernel
def rodrigues_rotation(e, angle):
    """A = I + (1 − cos q)[e]² + sin q [e]   (Cajić-Lazarević (7))."""
    x, y, z = e
    s, c = sin_cos(angle)
    k = 1.0 - c
    return (
        c + k * x * x,
        k * x * y - s * z,
        k * x * z + s * y,
        k * x * y + s * z,
        c + k * y * y,
        k * y * z - s * x,
        k * x * z - s * y,
        k * y * z + s * x,
        c + k * z * z,
    )


@kernel
def quaternion_rotation(x, y, z, w):
    """The rotation of a quaternion of any length."""
    k = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        1.0 - k * (y * y + z * z),
        k * (x * y - w * z),
        k * (x * z + w * y),
        k * (x * y + w * z),
        1.0 - k * (x * x + z * z),
        k * (y * z - w * x),
        k * (x * z - w * y),
        k * (y * z + w * x),
        1.0 - k * (x * x + y * y),
    )


@kernel
def quaternion_of(A):
    """The quaternion x, y, z, w of a rotation, its largest component positive."""
    if A[0] + A[4] + A[8] > 0.0:
        s = 2.0 * sqrt(1.0 + A[0] + A[4] + A[8])
        return (A[7] - A[5]) / s, (A[2] - A[6]) / s, (A[3] - A[1]) / s, 0.25 * s
    if A[0] > A[4] and A[0] > A[8]:
        s = 2.0 * sqrt(1.0 + A[0] - A[4] - A[8])
        return 0.25 * s, (A[1] + A[3]) / s, (A[2] + A[6]) / s, (A[7] - A[5]) / s
    if A[4] > A[8]:
        s = 2.0 * sqrt(1.0 + A[4] - A[0] - A[8])
        return (A[1] + A[3]) / s, 0.25 * s, (A[5] + A[7]) / s, (A[2] - A[6]) / s
    s = 2.0 * sqrt(1.0 + A[8] - A[0] - A[4])
    return (A[2] + A[6]) / s, (A[5] + A[7]) / s, 0.25 * s, (A[3] - A[1]) / s


@kernel
def world_inertia(model, i, A):
    """A J Aᵀ of body i at its mass centre, as (xx, xy, xz, yy, yz, zz)."""
    body, o = model.body, INERTIA
    J = (body[i, o], body[i, o + 3], body[i, o + 4], body[i, o + 1], body[i, o + 5], body[i, o + 2])
    x, y, z = (A[0], A[1], A[2]), (A[3], A[4], A[5]), (A[6], A[7], A[8])
    p, q, r = symmetric_times(J, x), symmetric_times(J, y), symmetric_times(J, z)
    return dot(p, x), dot(p, y), dot(p, z), dot(q, y), dot(q, z), dot(r, z)
