"""The kernels that Python calls: one state at a time, or every frame of a motion."""

from __future__ import annotations

from ..engines.kernel import Cube, Kernel, Table, Vector, derivative, entry_point, kernel
from .articulated import articulated_body_algorithm
from .composite import mass_matrix, update_composite_bodies
from .kinematics import (
    coordinate_rates,
    update_accelerations,
    update_angular_velocities,
    update_linear_velocities,
    update_poses,
)
from .libm import sqrt
from .loads import apply_forces, clear_loads, spring_energy
from .memory_layout import (
    ACC,
    BALL,
    COM,
    COORDINATES,
    EFFORT,
    FORCES,
    INDEX,
    KIND,
    MASS,
    POS,
    QI,
    SPIN,
    UI,
    VEL,
    VELOCITIES,
    gravity_of,
    model_tables,
    tables_of,
)
from .newton_euler import joint_efforts, joint_reactions, propagate_wrenches
from .vector3 import (
    add,
    add_to_vector,
    body_rotation,
    cross,
    dot,
    get_vector,
    put_vector,
    quaternion_of,
    rotate_vector,
    scale,
    symmetric_times,
    world_inertia,
)


@kernel
def solve_forward_dynamics(model, data, t, q, u, tau, ud):
    """Accelerations of a state; returns the status of `articulated_body_algorithm`, and the power of forces without a
    potential."""
    clear_loads(data)
    return solve_cleared(model, data, t, q, u, tau, ud)


@kernel
def solve_cleared(model, data, t, q, u, tau, ud):
    """The same where nothing loads the bodies yet."""
    update_poses(model, data, q)
    update_angular_velocities(model, data, u)
    for c in range(model.column.shape[0]):
        data.column[c, EFFORT] = tau[int(model.column[c, UI])]
    power = 0.0
    if model.buffer[FORCES] > 0:
        update_linear_velocities(model, data, u)
        power = apply_forces(model, data, t, q, u)
    return articulated_body_algorithm(model, data, gravity_of(model), ud), power


@entry_point
def forward_dynamics(model: Vector, data: Vector, t: float, q: Vector, u: Vector, tau: Vector, ud: Vector) -> int:
    """Accelerations of a state; returns the status of the algorithm, or −2 when an array has the wrong length."""
    nv = model[VELOCITIES]
    if q.shape[0] != model[COORDINATES] or u.shape[0] != nv or tau.shape[0] != nv:
        return -2
    m, d = tables_of(model, data)
    return solve_forward_dynamics(m, d, t, q, u, tau, ud)[0]


@entry_point
def forward_dynamics_frames(model: Vector, data: Vector, t: Vector, q: Table, u: Table, tau: Table, ud: Table) -> int:
    """Accelerations (frames, nv) of a whole motion under efforts tau (frames, nv) beyond the model's forces.

    Returns 0, or one more than the first frame that has none.
    """
    m, d = tables_of(model, data)
    failed = 0
    for k in range(t.shape[0]):
        if k == 0 or m.buffer[FORCES] > 0:  # without forces nothing is loaded again
            clear_loads(d)
        status = solve_cleared(m, d, t[k], q[k], u[k], tau[k], ud[k])[0]
        if status != 0 and failed == 0:
            failed = k + 1
    return failed


@derivative
def tree_derivative(model, data, tau, t, y, dy):
    """d/dt of (q, u, work of tau and the forces without a potential); returns as `forward_dynamics`."""
    nq, nv = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES])
    q, u = y[:nq], y[nq : nq + nv]
    coordinate_rates(model, q, u, dy)
    status, power = solve_forward_dynamics(model, data, t, q, u, tau, dy[nq : nq + nv])
    for k in range(nv):
        power += tau[k] * u[k]
    dy[nq + nv] = power
    return status


@entry_point
def state_derivative(
    function: Kernel, model: Vector, data: Vector, tau: Vector, t: float, y: Vector, dy: Vector
) -> int:
    """d/dt of a state by one of the derivatives; returns its status. The state itself may be brought to constraints."""
    m, d = tables_of(model, data)
    return function(m, d, tau, t, y, dy)


@entry_point
def inverse_dynamics(
    model: Vector, data: Vector, t: Vector, q: Table, u: Table, ud: Table, tau: Table, reactions: Cube
) -> bool:
    """Efforts (frames, nv) beyond the model's forces, and reactions (frames, n, 6), of one or many states.

    Returns whether all efforts are finite.
    """
    m, d = tables_of(model, data)
    lost = 0.0
    for k in range(t.shape[0]):
        update_poses(m, d, q[k])
        update_angular_velocities(m, d, u[k])
        clear_loads(d)
        for c in range(m.column.shape[0]):
            d.column[c, EFFORT] = 0.0
        if m.buffer[FORCES] > 0:
            update_linear_velocities(m, d, u[k])
            apply_forces(m, d, t[k], q[k], u[k])
        update_accelerations(m, d, ud[k], gravity_of(m))
        propagate_wrenches(m, d)
        joint_efforts(m, d, tau[k])
        joint_reactions(m, d, q[k], reactions[k])
        for c in range(tau.shape[1]):
            lost += tau[k, c] - tau[k, c]
    return lost == 0.0


@entry_point
def fill_mass_matrix(model: Vector, data: Vector, q: Vector, out: Table) -> bool:
    """The mass matrix a_αβ; returns whether it, and the coordinates themselves, are finite numbers."""
    return fill_mass_matrix_of(model, data, q, out)


@kernel
def fill_mass_matrix_of(model, data, q, out):
    """As `fill_mass_matrix`. That of a slide does not depend on where it is: the matrix alone would not tell."""
    m, d = tables_of(model, data)
    update_poses(m, d, q)
    update_composite_bodies(m, d)
    mass_matrix(m, d, out)
    lost = 0.0
    for i in range(q.shape[0]):
        lost += q[i] - q[i]
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            lost += out[i, j] - out[i, j]
    return lost == 0.0


@entry_point
def mass_matrix_frames(model: Vector, data: Vector, q: Table, out: Cube) -> int:
    """The mass matrices (frames, nv, nv); returns 0, or one more than the first frame that has no finite one."""
    failed = 0
    for k in range(q.shape[0]):
        if not fill_mass_matrix_of(model, data, q[k], out[k]) and failed == 0:
            failed = k + 1
    return failed


@entry_point
def normalise_quaternions(model: Vector, q: Table) -> None:
    """Give every quaternion in the frames unit length."""
    m = model_tables(model)
    for c in range(m.column.shape[0]):
        if m.column[c, KIND] == BALL:
            o = int(m.column[c, QI])
            for k in range(q.shape[0]):
                length = sqrt(
                    q[k, o] * q[k, o]
                    + q[k, o + 1] * q[k, o + 1]
                    + q[k, o + 2] * q[k, o + 2]
                    + q[k, o + 3] * q[k, o + 3]
                )
                for j in range(4):
                    q[k, o + j] /= length


@entry_point
def body_poses(model: Vector, data: Vector, q: Table, position: Cube, quaternion: Cube) -> None:
    """O* (frames, n, 3) and quaternion x, y, z, w (frames, n, 4) of every body."""
    m, d = tables_of(model, data)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        for i in range(m.body.shape[0]):
            row = int(m.body[i, INDEX])
            for j in range(3):
                position[k, row, j] = d.body[i, POS + j]
            value = quaternion_of(body_rotation(d, i))
            for j in range(4):
                quaternion[k, row, j] = value[j]


@entry_point
def energy_and_momenta(model: Vector, data: Vector, q: Table, u: Table, out: Table) -> None:
    """out (frames, 8): kinetic, potential energy, momentum K (3), angular momentum L about the origin (3)."""
    m, d = tables_of(model, data)
    gravity = gravity_of(m)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        update_angular_velocities(m, d, u[k])
        update_linear_velocities(m, d, u[k])
        for j in range(8):
            out[k, j] = 0.0
        out[k, 1] = spring_energy(m, d, q[k])
        for i in range(m.body.shape[0]):
            A, w, mass = body_rotation(d, i), get_vector(d.body, i, SPIN), m.body[i, MASS]
            lever = rotate_vector(A, get_vector(m.body, i, COM))
            v, centre = add(get_vector(d.body, i, VEL), cross(w, lever)), add(get_vector(d.body, i, POS), lever)
            own = symmetric_times(world_inertia(m, i, A), w)
            out[k, 0] += 0.5 * (mass * dot(v, v) + dot(own, w))
            out[k, 1] -= mass * dot(gravity, centre)
            add_to_vector(out, k, 2, scale(mass, v))
            add_to_vector(out, k, 5, add(own, cross(centre, scale(mass, v))))


@entry_point
def point_kinematics(
    model: Vector, data: Vector, i: int, x: float, y: float, z: float, q: Table, u: Table, ud: Table, out: Table
) -> None:
    """Position, velocity, acceleration (frames, 9) of a point of the body in row i."""
    m, d = tables_of(model, data)
    for k in range(q.shape[0]):
        update_poses(m, d, q[k])
        update_angular_velocities(m, d, u[k])
        update_linear_velocities(m, d, u[k])
        update_accelerations(m, d, ud[k], (0.0, 0.0, 0.0))
        lever, w = rotate_vector(body_rotation(d, i), (x, y, z)), get_vector(d.body, i, SPIN)
        v = cross(w, lever)
        put_vector(out, k, 0, add(get_vector(d.body, i, POS), lever))
        put_vector(out, k, 3, add(get_vector(d.body, i, VEL), v))
        put_vector(
            out, k, 6, add(add(get_vector(d.body, i, ACC), cross(get_vector(d.body, i, ACC + 3), lever)), cross(w, v))
        )
