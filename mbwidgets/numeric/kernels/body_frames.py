"""A frame that is fixed in a body, at many states: its Jacobian, and how it moves."""

from __future__ import annotations

from ..engines.kernel import Cube, Table, Vector, entry_point
from .kinematics import update_accelerations, update_angular_velocities, update_linear_velocities, update_poses
from .memory_layout import (
    ACC,
    AXIS,
    COUNT,
    FIRST,
    KIND,
    PARENT,
    POS,
    SPIN,
    TRANSLATION,
    UI,
    VEL,
    tables_of,
)
from .vector3 import add, body_rotation, cross, get_vector, put_vector, quaternion_of, rotate_vector, subtract

FRAME_COLUMNS = 19
"""Of `frame_motion`: position (3), quaternion x, y, z, w (4), velocity (6), acceleration (6), linear then angular."""


@entry_point
def frame_jacobians(model: Vector, data: Vector, i: int, x: float, y: float, z: float, q: Table, out: Cube) -> None:
    """J (frames, 6, nv) with (v, ω) = J u of the point x, y, z of the body in row i, world axes."""
    m, d = tables_of(model, data)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        for j in range(out.shape[2]):
            for a in range(6):
                out[k, a, j] = 0.0
        place = add(get_vector(d.body, i, POS), rotate_vector(body_rotation(d, i), (x, y, z)))
        row = i
        while row >= 0:
            first = int(m.body[row, FIRST])
            arm = subtract(place, get_vector(d.body, row, POS))
            for c in range(first, first + int(m.body[row, COUNT])):
                axis, j = get_vector(d.column, c, AXIS), int(m.column[c, UI])
                moved, turned = axis, (0.0, 0.0, 0.0)
                if m.column[c, KIND] != TRANSLATION:
                    moved, turned = cross(axis, arm), axis
                out[k, 0, j], out[k, 1, j], out[k, 2, j] = moved
                out[k, 3, j], out[k, 4, j], out[k, 5, j] = turned
            row = int(m.body[row, PARENT])


@entry_point
def frame_motion(
    model: Vector, data: Vector, i: int, x: float, y: float, z: float, q: Table, u: Table, ud: Table, out: Table
) -> None:
    """The columns of FRAME_COLUMNS for the point x, y, z of the body in row i, world axes."""
    m, d = tables_of(model, data)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        update_angular_velocities(m, d, u[k])
        update_linear_velocities(m, d, u[k])
        update_accelerations(m, d, ud[k], (0.0, 0.0, 0.0))
        A, w, turn = body_rotation(d, i), get_vector(d.body, i, SPIN), get_vector(d.body, i, ACC + 3)
        lever = rotate_vector(A, (x, y, z))
        moved, orientation = cross(w, lever), quaternion_of(A)
        put_vector(out, k, 0, add(get_vector(d.body, i, POS), lever))
        out[k, 3], out[k, 4], out[k, 5], out[k, 6] = orientation
        put_vector(out, k, 7, add(get_vector(d.body, i, VEL), moved))
        put_vector(out, k, 10, w)
        put_vector(out, k, 13, add(add(get_vector(d.body, i, ACC), cross(turn, lever)), cross(w, moved)))
        put_vector(out, k, 16, turn)
