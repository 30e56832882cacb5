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
from .loads import apply_forces, clear_loads, spring_energy
from .memory_layout import (
    ACC,
    COM,
    COORDINATES,
    EFFORT,
    FORCES,
    INDEX,
    MASS,
    POS,
    SPIN,
    UI,
    VEL,
    VELOCITIES,
    body_and_column_tables,
    gravity_of,
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
def solve_forward_dynamics(memory, body, col, t, q, u, tau, ud):
    """Accelerations of a state; returns the status of `articulated_body_algorithm`, and the power of forces without a
    potential."""
    update_poses(body, col, q)
    update_angular_velocities(body, col, u)
    for c in range(col.shape[0]):
        col[c, EFFORT] = tau[int(col[c, UI])]
    power = 0.0
    if memory[FORCES] > 0:  # without forces the loads stay the zeros that they were made
        clear_loads(body)
        update_linear_velocities(body, col, u)
        power = apply_forces(memory, body, col, t, q, u)
    return articulated_body_algorithm(body, col, gravity_of(memory), ud), power


@entry_point
def forward_dynamics(memory: Vector, t: float, q: Vector, u: Vector, tau: Vector, ud: Vector) -> int:
    """Accelerations of a state; returns the status of the algorithm, or −2 when an array has the wrong length."""
    nv = memory[VELOCITIES]
    if q.shape[0] != memory[COORDINATES] or u.shape[0] != nv or tau.shape[0] != nv:
        return -2
    body, col = body_and_column_tables(memory)
    return solve_forward_dynamics(memory, body, col, t, q, u, tau, ud)[0]


@entry_point
def forward_dynamics_frames(memory: Vector, t: Vector, q: Table, u: Table, tau: Table, ud: Table) -> None:
    """Accelerations (frames, nv) of a whole motion under efforts tau (frames, nv) beyond the model's forces."""
    body, col = body_and_column_tables(memory)
    for k in range(t.shape[0]):
        solve_forward_dynamics(memory, body, col, t[k], q[k], u[k], tau[k], ud[k])


@derivative
def tree_derivative(memory, body, col, tau, t, y, dy):
    """d/dt of (q, u, work of tau and the forces without a potential); returns as `forward_dynamics`."""
    nq, nv = int(memory[COORDINATES]), int(memory[VELOCITIES])
    q, u = y[:nq], y[nq : nq + nv]
    coordinate_rates(col, q, u, dy)
    status, power = solve_forward_dynamics(memory, body, col, t, q, u, tau, dy[nq : nq + nv])
    for k in range(nv):
        power += tau[k] * u[k]
    dy[nq + nv] = power
    return status


@entry_point
def state_derivative(function: Kernel, memory: Vector, tau: Vector, t: float, y: Vector, dy: Vector) -> int:
    """d/dt of a state by one of the derivatives; returns its status. The state itself may be brought to constraints."""
    body, col = body_and_column_tables(memory)
    return function(memory, body, col, tau, t, y, dy)


@entry_point
def inverse_dynamics(memory: Vector, t: Vector, q: Table, u: Table, ud: Table, tau: Table, reactions: Cube) -> bool:
    """Efforts (frames, nv) beyond the model's forces, and reactions (frames, n, 6), of one or many states.

    Returns whether all efforts are finite.
    """
    body, col = body_and_column_tables(memory)
    lost = 0.0
    for k in range(t.shape[0]):
        update_poses(body, col, q[k])
        update_angular_velocities(body, col, u[k])
        clear_loads(body)
        for c in range(col.shape[0]):
            col[c, EFFORT] = 0.0
        if memory[FORCES] > 0:
            update_linear_velocities(body, col, u[k])
            apply_forces(memory, body, col, t[k], q[k], u[k])
        update_accelerations(body, col, ud[k], gravity_of(memory))
        propagate_wrenches(body)
        joint_efforts(body, col, tau[k])
        joint_reactions(body, col, q[k], reactions[k])
        for c in range(tau.shape[1]):
            lost += tau[k, c] - tau[k, c]
    return lost == 0.0


@entry_point
def fill_mass_matrix(memory: Vector, q: Vector, out: Table) -> bool:
    """The mass matrix a_αβ; returns whether it, and the coordinates themselves, are finite numbers.

    That of a slide does not depend on where it is: the matrix alone would not tell.
    """
    body, col = body_and_column_tables(memory)
    update_poses(body, col, q)
    update_composite_bodies(body)
    mass_matrix(body, col, out)
    lost = 0.0
    for i in range(q.shape[0]):
        lost += q[i] - q[i]
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            lost += out[i, j] - out[i, j]
    return lost == 0.0


@entry_point
def body_poses(memory: Vector, q: Table, position: Cube, quaternion: Cube) -> None:
    """O* (frames, n, 3) and quaternion x, y, z, w (frames, n, 4) of every body."""
    body, col = body_and_column_tables(memory)
    for k in range(q.shape[0]):
        update_poses(body, col, q[k])
        for i in range(body.shape[0]):
            row = int(body[i, INDEX])
            for j in range(3):
                position[k, row, j] = body[i, POS + j]
            value = quaternion_of(body_rotation(body, i))
            for j in range(4):
                quaternion[k, row, j] = value[j]


@entry_point
def energy_and_momenta(memory: Vector, q: Table, u: Table, out: Table) -> None:
    """out (frames, 8): kinetic, potential energy, momentum K (3), angular momentum L about the origin (3)."""
    body, col = body_and_column_tables(memory)
    gravity = gravity_of(memory)
    for k in range(q.shape[0]):
        update_poses(body, col, q[k])
        update_angular_velocities(body, col, u[k])
        update_linear_velocities(body, col, u[k])
        for j in range(8):
            out[k, j] = 0.0
        out[k, 1] = spring_energy(memory, body, q[k])
        for i in range(body.shape[0]):
            A, w, m = body_rotation(body, i), get_vector(body, i, SPIN), body[i, MASS]
            lever = rotate_vector(A, get_vector(body, i, COM))
            v, centre = add(get_vector(body, i, VEL), cross(w, lever)), add(get_vector(body, i, POS), lever)
            own = symmetric_times(world_inertia(body, i, A), w)
            out[k, 0] += 0.5 * (m * dot(v, v) + dot(own, w))
            out[k, 1] -= m * dot(gravity, centre)
            add_to_vector(out, k, 2, scale(m, v))
            add_to_vector(out, k, 5, add(own, cross(centre, scale(m, v))))


@entry_point
def point_kinematics(
    memory: Vector, i: int, x: float, y: float, z: float, q: Table, u: Table, ud: Table, out: Table
) -> None:
    """Position, velocity, acceleration (frames, 9) of a point of the body in row i."""
    body, col = body_and_column_tables(memory)
    for k in range(q.shape[0]):
        update_poses(body, col, q[k])
        update_angular_velocities(body, col, u[k])
        update_linear_velocities(body, col, u[k])
        update_accelerations(body, col, ud[k], (0.0, 0.0, 0.0))
        lever, w = rotate_vector(body_rotation(body, i), (x, y, z)), get_vector(body, i, SPIN)
        v = cross(w, lever)
        put_vector(out, k, 0, add(get_vector(body, i, POS), lever))
        put_vector(out, k, 3, add(get_vector(body, i, VEL), v))
        put_vector(
            out, k, 6, add(add(get_vector(body, i, ACC), cross(get_vector(body, i, ACC + 3), lever)), cross(w, v))
        )
