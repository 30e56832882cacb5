"""The mechanism with one joint opened, in numbers: its matrices of inertia, of velocities and of forces.

World axes. Every body gives m and J along the displacements that move it: those of the joints before it and, where the
opened joint carries it, three slides and three turns at O_k. Nothing is transmitted from body to body, as Newton and
Euler do, so that the two check each other.
"""

from __future__ import annotations

import numpy as np

from ..engines.kernel import Cube, Table, Vector, entry_point, kernel
from .kinematics import update_accelerations, update_angular_velocities, update_linear_velocities, update_poses
from .loads import apply_forces, clear_loads
from .memory_layout import (
    ACC,
    AXIS,
    COM,
    COUNT,
    EFFORT,
    FIRST,
    FORCES,
    KIND,
    LOAD,
    MASS,
    PARENT,
    POS,
    QI,
    SPIN,
    TRANSLATION,
    UI,
    gravity_of,
    tables_of,
)
from .vector3 import (
    add,
    body_rotation,
    cross,
    dot,
    get_vector,
    rotate_vector,
    scale,
    subtract,
    symmetric_times,
    world_inertia,
)

UNITS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""World axes, along and about which the opened joint moves."""


@kernel
def joint_carries(model, k, i):
    """Whether the joint of row k carries row i."""
    while i > k:
        i = int(model.body[i, PARENT])
    return i == k


@kernel
def opened_at(model, data, k, q):
    """O_k, fixed in the parent: O_k* less the joint's slides."""
    point = get_vector(data.body, k, POS)
    first = int(model.body[k, FIRST])
    for c in range(first, first + int(model.body[k, COUNT])):
        if model.column[c, KIND] == TRANSLATION:
            point = subtract(point, scale(q[int(model.column[c, QI])], get_vector(data.column, c, AXIS)))
    return point


@kernel
def moved_by(model, data, i, centre, column, shift, turning):
    """Fill the displacements of the joints before row i: index in u, ∂r_C and ∂ϑ of each; returns how many."""
    count = 0
    while i >= 0:
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            e = get_vector(data.column, c, AXIS)
            slide = model.column[c, KIND] == TRANSLATION
            v = e if slide else cross(e, subtract(centre, get_vector(data.body, i, POS)))
            column[count] = model.column[c, UI]
            for j in range(3):
                shift[count, j] = v[j]
                turning[count, j] = 0.0 if slide else e[j]
            count += 1
        i = int(model.body[i, PARENT])
    return count


@kernel
def freed_by(point, centre, column, shift, turning, count, nv):
    """Add the six displacements of the opened joint."""
    arm = subtract(centre, point)
    for j in range(6):
        e = UNITS[j % 3]
        v = e if j < 3 else cross(e, arm)
        column[count + j] = nv + j
        for p in range(3):
            shift[count + j, p] = v[p]
            turning[count + j, p] = 0.0 if j < 3 else e[p]
    return count + 6


@kernel
def freed_body(model, data, i, count, gravity, column, shift, turning, A, G, Q):
    """Add the share of row i to A, G and Q."""
    R, m = body_rotation(data, i), model.body[i, MASS]
    lever, w, b = (
        rotate_vector(R, get_vector(model.body, i, COM)),
        get_vector(data.body, i, SPIN),
        get_vector(data.body, i, ACC + 3),
    )
    J = world_inertia(model, i, R)
    a = add(add(get_vector(data.body, i, ACC), cross(b, lever)), cross(w, cross(w, lever)))
    push, spun = scale(m, a), add(symmetric_times(J, b), cross(w, symmetric_times(J, w)))
    force = add(get_vector(data.body, i, LOAD), scale(m, gravity))
    moment = subtract(get_vector(data.body, i, LOAD + 3), cross(lever, get_vector(data.body, i, LOAD)))  # from O* to C
    for s in range(count):
        x, v, e = int(column[s]), get_vector(shift, s, 0), get_vector(turning, s, 0)
        G[x] -= dot(v, push) + dot(e, spun)
        Q[x] += dot(v, force) + dot(e, moment)
        linear, angular = scale(m, v), symmetric_times(J, e)
        for r in range(count):
            A[x, int(column[r])] += dot(linear, get_vector(shift, r, 0)) + dot(angular, get_vector(turning, r, 0))


@entry_point
def opened_joint_equations(
    model: Vector,
    data: Vector,
    k: int,
    t: Vector,
    q: Table,
    u: Table,
    A: Cube,
    G: Table,
    Q: Table,
    points: Table,
    axes: Cube,
    column: Vector,
    shift: Table,
    turning: Table,
    rest: Vector,
) -> None:
    """A (frames, nv + 6, nv + 6), G, Q (frames, nv + 6) of the system with the joint of row k opened at O_k.

    ``points`` (frames, 3) is O_k, ``axes`` (frames, nv, 3) the directions of all joints. Spare: ``column`` (nv + 6),
    ``shift`` and ``turning`` (nv + 6, 3), ``rest`` (nv) zeros.
    """
    m, d = tables_of(model, data)
    nv = u.shape[1]
    for f in range(t.shape[0]):
        update_poses(m, d, q[f])
        update_angular_velocities(m, d, u[f])
        clear_loads(d)
        for c in range(m.column.shape[0]):
            d.column[c, EFFORT] = 0.0
        if m.buffer[FORCES] > 0:
            update_linear_velocities(m, d, u[f])
            apply_forces(m, d, t[f], q[f], u[f])
        update_accelerations(m, d, rest, (0.0, 0.0, 0.0))
        point = opened_at(m, d, k, q[f])
        for c in range(m.column.shape[0]):
            Q[f, int(m.column[c, UI])] += d.column[c, EFFORT]
            for j in range(3):
                axes[f, int(m.column[c, UI]), j] = d.column[c, AXIS + j]
        for j in range(3):
            points[f, j] = point[j]
        for i in range(m.body.shape[0]):
            centre = add(get_vector(d.body, i, POS), rotate_vector(body_rotation(d, i), get_vector(m.body, i, COM)))
            count = moved_by(m, d, i, centre, column, shift, turning)
            if joint_carries(m, k, i):
                count = freed_by(point, centre, column, shift, turning, count, nv)
            freed_body(m, d, i, count, gravity_of(m), column, shift, turning, A[f], G[f], Q[f])


def allocate_work_space(nv: int) -> tuple[np.ndarray, ...]:
    """Work space of `opened_joint_equations`: column, shift, turning, rest."""
    return np.zeros(nv + 6), np.zeros((nv + 6, 3)), np.zeros((nv + 6, 3)), np.zeros(nv)
