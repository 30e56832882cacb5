"""Chains on balls that turn about the vertical ν = g/|g|, as states: speeds read and written, the first body turned.

A chain has four coordinates and three velocities a body: the quaternion x, y, z, w in the body before, and the relative
angular velocity in body axes. Python and a page call the same kernels, so that both begin a motion with the same bits.
"""

from __future__ import annotations

from ..engines.kernel import Vector, entry_point, kernel
from .libm import sin_cos, sqrt
from .vector3 import add, cross, dot, quaternion_rotation, rotate_vector, scale

OPPOSITE = 1e-14
"""1 + cos of the angle between two directions below which they are opposite: any half turn leads from one to the
other."""


@kernel
def vertical(gravity):
    """ν = g/|g|."""
    g = (gravity[0], gravity[1], gravity[2])
    return scale(1.0 / sqrt(dot(g, g)), g)


@kernel
def quaternion_product(p, q):
    """p ∘ q: first q, then p; x, y, z, w."""
    x, y, z, w = p
    return (
        w * q[0] + x * q[3] + y * q[2] - z * q[1],
        w * q[1] - x * q[2] + y * q[3] + z * q[0],
        w * q[2] + x * q[1] - y * q[0] + z * q[3],
        w * q[3] - x * q[0] - y * q[1] - z * q[2],
    )


@kernel
def get_quaternion(q, i):
    """The quaternion of body i in the body before, of length one."""
    x, y, z, w = q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]
    length = sqrt(x * x + y * y + z * z + w * w)
    return x / length, y / length, z / length, w / length


@kernel
def put_quaternion(q, i, p):
    """Write a quaternion, made as long as one."""
    length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3] = p[0] / length, p[1] / length, p[2] / length, p[3] / length


@kernel
def transposed_times(A, a):
    """Aᵀ a."""
    return (
        A[0] * a[0] + A[3] * a[1] + A[6] * a[2],
        A[1] * a[0] + A[4] * a[1] + A[7] * a[2],
        A[2] * a[0] + A[5] * a[1] + A[8] * a[2],
    )


@entry_point
def read_vertical_speeds(gravity: Vector, q: Vector, u: Vector, speeds: Vector) -> None:
    """Of each body the part of its angular velocity along ν, ω_i = ν · Σ_{j≤i} R_j u_j."""
    nu, turn, spin = vertical(gravity), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
    for i in range(speeds.shape[0]):
        turn = quaternion_product(turn, get_quaternion(q, i))
        A = quaternion_rotation(turn[0], turn[1], turn[2], turn[3])
        spin = add(spin, rotate_vector(A, (u[3 * i], u[3 * i + 1], u[3 * i + 2])))
        speeds[i] = dot(spin, nu)


@entry_point
def write_vertical_speeds(gravity: Vector, q: Vector, speeds: Vector, u: Vector) -> None:
    """u of bodies that turn at speeds ω_i about ν: u_i = R_iᵀ ν (ω_i − ω_{i−1})."""
    nu, turn, before = vertical(gravity), (0.0, 0.0, 0.0, 1.0), 0.0
    for i in range(speeds.shape[0]):
        turn = quaternion_product(turn, get_quaternion(q, i))
        A = quaternion_rotation(turn[0], turn[1], turn[2], turn[3])
        u[3 * i], u[3 * i + 1], u[3 * i + 2] = scale(speeds[i] - before, transposed_times(A, nu))
        before = speeds[i]


@entry_point
def read_vertical_axis(gravity: Vector, q: Vector, axis: Vector) -> None:
    """The axis of the first body that points along ν, in its axes."""
    p = get_quaternion(q, 0)
    A = quaternion_rotation(p[0], p[1], p[2], p[3])
    axis[0], axis[1], axis[2] = transposed_times(A, vertical(gravity))


@entry_point
def turn_axis_down(gravity: Vector, q: Vector, axis: Vector) -> None:
    """Turn the first body by the smallest rotation that brings an axis of its own, of any length, to ν.

    The other bodies keep their directions in space.
    """
    p, nu = get_quaternion(q, 0), vertical(gravity)
    a = (axis[0], axis[1], axis[2])
    a = rotate_vector(quaternion_rotation(p[0], p[1], p[2], p[3]), scale(1.0 / sqrt(dot(a, a)), a))
    v, w = cross(a, nu), 1.0 + dot(a, nu)
    if w < OPPOSITE:
        least = min(abs(nu[0]), min(abs(nu[1]), abs(nu[2])))
        x = (1.0, 0.0, 0.0) if abs(nu[0]) == least else ((0.0, 1.0, 0.0) if abs(nu[1]) == least else (0.0, 0.0, 1.0))
        v, w = cross(nu, x), 0.0
    turn_first_body(q, p, quaternion_product((v[0], v[1], v[2], w), p))


@entry_point
def tilt_first_body(gravity: Vector, q: Vector, angle: float) -> None:
    """Turn the first body by an angle, rad, about the horizontal at 45° to e1 and e2, the companions of ν.

    These are x and y turned by the smallest rotation that takes z to ν; for ν = −z they are x and −y.
    """
    x, y, z = vertical(gravity)
    across = x * x + y * y
    sign = 1.0 if z > 0.0 or across > 0.0 else -1.0
    share = 0.0 if across == 0.0 else (1.0 / (1.0 + z) if z > 0.0 else (1.0 - z) / across)
    e1, e2 = (1.0 - x * x * share, -x * y * share, -x), (-x * y * share, sign * (1.0 - y * y * share), -y)
    s, c = sin_cos(0.5 * angle)
    v = scale(s * sqrt(0.5), add(e1, e2))
    p = get_quaternion(q, 0)
    turn_first_body(q, p, quaternion_product((v[0], v[1], v[2], c), p))


@kernel
def turn_first_body(q, before, after):
    """Write another quaternion of the first body, which was ``before``; the others keep their directions in space."""
    put_quaternion(q, 0, after)
    if q.shape[0] > 4:
        x, y, z, w = get_quaternion(q, 0)
        second = quaternion_product(before, get_quaternion(q, 1))
        put_quaternion(q, 1, quaternion_product((-x, -y, -z, w), second))
