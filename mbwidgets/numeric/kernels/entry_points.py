"""The kernels that Python calls: one state at a time, or every frame of a motion."""

from __future__ import annotations

from ..engines.jit import entry, function, kernel
from .articulated import articulate
from .composite import compose, mass_matrix
from .kinematics import accelerate, coordinate_rates, place, spin, travel
from .loads import apply_forces, spring_energy
from .memory_layout import (
    ACC,
    COM,
    COORDINATES,
    EFFORT,
    FORCES,
    INDEX,
    LOAD,
    MASS,
    POS,
    SPIN,
    UI,
    VEL,
    VELOCITIES,
    gravity_of,
    tables,
)
from .newton_euler import efforts, react, transmit
from .vector3 import add, cross, dot, get, increase, put, quaternion_of, rotation, scale, symmetric, turn, world_inertia


@kernel
def unload(body):
    """Forget the forces on the bodies."""
    for i in range(body.shape[0]):
        for k in range(6):
            body[i, LOAD + k] = 0.0


@kernel
def solve(memory, body, col, t, q, u, tau, ud):
    """Accelerations of a state; returns the status of `forward`, and the power of forces without a potential."""
    place(body, col, q)
    spin(body, col, u)
    for c in range(col.shape[0]):
        col[c, EFFORT] = tau[int(col[c, UI])]
    power = 0.0
    if memory[FORCES] > 0:  # without forces the loads stay the zeros that they were made
        unload(body)
        travel(body, col, u)
        power = apply_forces(memory, body, col, t, q, u)
    return articulate(body, col, gravity_of(memory), ud), power


@entry
def forward(memory, t, q, u, tau, ud):
    """Accelerations of a state; returns the status of `articulate`, or −2 when an array has the wrong length."""
    nv = memory[VELOCITIES]
    if q.shape[0] != memory[COORDINATES] or u.shape[0] != nv or tau.shape[0] != nv:
        return -2
    body, col = tables(memory)
    return solve(memory, body, col, t, q, u, tau, ud)[0]


@entry
def accelerations(memory, t, q, u, tau, ud):
    """Accelerations (frames, nv) of a whole motion under efforts tau (frames, nv) beyond the model's forces."""
    body, col = tables(memory)
    for k in range(t.shape[0]):
        solve(memory, body, col, t[k], q[k], u[k], tau[k], ud[k])


@function
def derivative(memory, body, col, tau, t, y, dy):
    """d/dt of (q, u, work of tau and the forces without a potential); returns as `forward`."""
    nq, nv = int(memory[COORDINATES]), int(memory[VELOCITIES])
    q, u = y[:nq], y[nq : nq + nv]
    coordinate_rates(col, q, u, dy)
    status, power = solve(memory, body, col, t, q, u, tau, dy[nq : nq + nv])
    for k in range(nv):
        power += tau[k] * u[k]
    dy[nq + nv] = power
    return status


@entry
def inverse(memory, t, q, u, ud, tau, reactions):
    """Efforts (frames, nv) beyond the model's forces, and reactions (frames, n, 6), of one or many states."""
    body, col = tables(memory)
    for k in range(t.shape[0]):
        place(body, col, q[k])
        spin(body, col, u[k])
        unload(body)
        for c in range(col.shape[0]):
            col[c, EFFORT] = 0.0
        if memory[FORCES] > 0:
            travel(body, col, u[k])
            apply_forces(memory, body, col, t[k], q[k], u[k])
        accelerate(body, col, ud[k], gravity_of(memory))
        transmit(body)
        efforts(body, col, tau[k])
        react(body, col, q[k], reactions[k])


@entry
def mass(memory, q, out):
    """The mass matrix a_αβ."""
    body, col = tables(memory)
    place(body, col, q)
    compose(body)
    mass_matrix(body, col, out)


@entry
def poses(memory, q, position, quaternion):
    """O* (frames, n, 3) and quaternion x, y, z, w (frames, n, 4) of every body."""
    body, col = tables(memory)
    for k in range(q.shape[0]):
        place(body, col, q[k])
        for i in range(body.shape[0]):
            row = int(body[i, INDEX])
            for j in range(3):
                position[k, row, j] = body[i, POS + j]
            value = quaternion_of(rotation(body, i))
            for j in range(4):
                quaternion[k, row, j] = value[j]


@entry
def totals(memory, q, u, out):
    """out (frames, 8): kinetic, potential energy, momentum K (3), angular momentum L about the origin (3)."""
    body, col = tables(memory)
    gravity = gravity_of(memory)
    for k in range(q.shape[0]):
        place(body, col, q[k])
        spin(body, col, u[k])
        travel(body, col, u[k])
        for j in range(8):
            out[k, j] = 0.0
        out[k, 1] = spring_energy(memory, body, q[k])
        for i in range(body.shape[0]):
            A, w, m = rotation(body, i), get(body, i, SPIN), body[i, MASS]
            lever = turn(A, get(body, i, COM))
            v, centre = add(get(body, i, VEL), cross(w, lever)), add(get(body, i, POS), lever)
            own = symmetric(world_inertia(body, i, A), w)
            out[k, 0] += 0.5 * (m * dot(v, v) + dot(own, w))
            out[k, 1] -= m * dot(gravity, centre)
            increase(out, k, 2, scale(m, v))
            increase(out, k, 5, add(own, cross(centre, scale(m, v))))


@entry
def points(memory, i, x, y, z, q, u, ud, out):
    """Position, velocity, acceleration (frames, 9) of a point of the body in row i."""
    body, col = tables(memory)
    for k in range(q.shape[0]):
        place(body, col, q[k])
        spin(body, col, u[k])
        travel(body, col, u[k])
        accelerate(body, col, ud[k], (0.0, 0.0, 0.0))
        lever, w = turn(rotation(body, i), (x, y, z)), get(body, i, SPIN)
        v = cross(w, lever)
        put(out, k, 0, add(get(body, i, POS), lever))
        put(out, k, 3, add(get(body, i, VEL), v))
        put(out, k, 6, add(add(get(body, i, ACC), cross(get(body, i, ACC + 3), lever)), cross(w, v)))
