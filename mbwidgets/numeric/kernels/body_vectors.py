"""The vectors of every body that a picture draws, in every frame."""

from __future__ import annotations

from ..engines.kernel import Cube, Table, Vector, entry_point, kernel
from .kinematics import update_accelerations, update_angular_velocities, update_linear_velocities, update_poses
from .libm import sqrt
from .memory_layout import (
    ACC,
    AXIS,
    BALL,
    COM,
    COUNT,
    FIRST,
    INDEX,
    KIND,
    MASS,
    POS,
    QI,
    SPIN,
    TRANSLATION,
    VEL,
    gravity_of,
    tables_of,
)
from .vector3 import (
    add,
    add_scaled,
    body_rotation,
    cross,
    dot,
    get_vector,
    put_vector,
    rotate_vector,
    scale,
    subtract,
    symmetric_times,
    world_inertia,
)

O_IN_PARENT, O_STAR, C, E, G, A_C, OMEGA, K, L_C, S, J_N, D_N = range(0, 36, 3)
"""Columns of the vectors: joint's point in the parent and in the body, mass centre, joint's axis, weight, acceleration
of C, angular velocity, momentum, angular momentum about C; for the pole O* and the joint's axis n the static, inertia
and deviation moment."""
WIDTH = 36


@entry_point
def body_vectors(model: Vector, data: Vector, q: Table, u: Table, ud: Table, out: Cube) -> None:
    """out (frames, n, 36): the vectors of every body, in the model's order, world axes."""
    m, d = tables_of(model, data)
    gravity = gravity_of(m)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        update_angular_velocities(m, d, u[k])
        update_linear_velocities(m, d, u[k])
        update_accelerations(m, d, ud[k], (0.0, 0.0, 0.0))
        rows = out[k]
        for i in range(m.body.shape[0]):
            row, mass, w = int(m.body[i, INDEX]), m.body[i, MASS], get_vector(d.body, i, SPIN)
            R, n = body_rotation(d, i), own_axis(m, d, i)
            lever, tensor = rotate_vector(R, get_vector(m.body, i, COM)), world_inertia(m, i, R)
            v = cross(w, lever)
            put_vector(rows, row, O_IN_PARENT, point_in_parent(m, d, i, q[k]))
            put_vector(rows, row, O_STAR, get_vector(d.body, i, POS))
            put_vector(rows, row, C, add(get_vector(d.body, i, POS), lever))
            put_vector(rows, row, E, n)
            put_vector(rows, row, G, scale(mass, gravity))
            carried = add(get_vector(d.body, i, ACC), cross(get_vector(d.body, i, ACC + 3), lever))
            put_vector(rows, row, A_C, add(carried, cross(w, v)))
            put_vector(rows, row, OMEGA, w)
            put_vector(rows, row, K, scale(mass, add(get_vector(d.body, i, VEL), v)))
            put_vector(rows, row, L_C, symmetric_times(tensor, w))
            put_vector(rows, row, S, scale(mass, cross(n, lever)))
            # 𝔍_n = J_C n + m (ρ·ρ n − (ρ·n) ρ)
            carried = subtract(scale(dot(lever, lever), n), scale(dot(lever, n), lever))
            inertia = add(symmetric_times(tensor, n), scale(mass, carried))
            put_vector(rows, row, J_N, inertia)
            put_vector(rows, row, D_N, add_scaled(inertia, -dot(n, inertia), n))


@kernel
def own_axis(model, data, i):
    """*The* axis of a body's joint: of several the last; the direction of ω where there is none, zero where ω is."""
    last = int(model.body[i, FIRST]) + int(model.body[i, COUNT]) - 1
    if model.body[i, COUNT] > 0.0 and model.column[last, KIND] < BALL:
        return get_vector(data.column, last, AXIS)
    w = get_vector(data.body, i, SPIN)
    length = sqrt(dot(w, w))
    if length > 0.0:
        return w[0] / length, w[1] / length, w[2] / length
    return 0.0, 0.0, 0.0


@kernel
def point_in_parent(model, data, i, q):
    """O: O* without the slides of the joint."""
    x, y, z = get_vector(data.body, i, POS)
    for c in range(int(model.body[i, FIRST]), int(model.body[i, FIRST]) + int(model.body[i, COUNT])):
        if model.column[c, KIND] == TRANSLATION:
            x, y, z = add_scaled((x, y, z), -q[int(model.column[c, QI])], get_vector(data.column, c, AXIS))
    return x, y, z
