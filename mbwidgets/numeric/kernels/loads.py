"""What the model's forces do at a state: loads on bodies, efforts in joints, potential energy, power.

Their laws are those of `model.force_primitives`, whose fields are the values of a row.
"""

from __future__ import annotations

from ..engines.kernel import kernel
from .expression_vm import run_program
from .libm import sqrt, tanh
from .memory_layout import (
    ACTUATOR,
    ALIGNMENT,
    DAMPER,
    EFFORT,
    F_A,
    F_AXES,
    F_B,
    F_COLUMN,
    F_KIND,
    F_MEASURE,
    F_PROGRAM,
    F_QI,
    F_RATE,
    F_UI,
    F_VALUES,
    FORCE,
    JOINT_DAMPER,
    JOINT_FRICTION,
    JOINT_LAW,
    JOINT_SPRING,
    LINE_LAW,
    LOAD,
    POS,
    SPIN,
    SPRING,
    VEL,
    force_table,
)
from .vector3 import add, add_to_vector, body_rotation, cross, dot, get_vector, rotate_vector, scale, subtract


@kernel
def point_lever(body, i, point):
    """A body's point from its O*, in world axes; for the ground (i < 0) the point itself."""
    return point if i < 0 else rotate_vector(body_rotation(body, i), point)


@kernel
def place_of(body, i, arm):
    """Where a point with a given lever is."""
    return arm if i < 0 else add(get_vector(body, i, POS), arm)


@kernel
def velocity_of(body, i, arm):
    """Velocity of a point with a given lever."""
    return (0.0, 0.0, 0.0) if i < 0 else add(get_vector(body, i, VEL), cross(get_vector(body, i, SPIN), arm))


@kernel
def add_force(body, i, arm, force):
    """Add a force at a lever from O* to a body's load."""
    if i >= 0:
        add_to_vector(body, i, LOAD, force)
        add_to_vector(body, i, LOAD + 3, cross(arm, force))


@kernel
def add_moment(body, i, moment):
    """Add a moment to a body's load."""
    if i >= 0:
        add_to_vector(body, i, LOAD + 3, moment)


@kernel
def law_pull(memory, force, f, measure, rate):
    """dV/dx + R of a law at x and ẋ, and the power −R ẋ: what has a potential has no power."""
    force[f, F_MEASURE], force[f, F_RATE] = measure, rate
    row, program = force[f], int(force[f, F_PROGRAM])
    resistance = run_program(program + 2, memory, 0.0, row, row)
    return run_program(program + 1, memory, 0.0, row, row) + resistance, -resistance * rate


@kernel
def law_energy(memory, force, f, measure):
    """V of a law at x."""
    force[f, F_MEASURE] = measure
    return run_program(int(force[f, F_PROGRAM]), memory, 0.0, force[f], force[f])


@kernel
def line_force(memory, body, force, f):
    """Apply the tension of a spring, a damper or a law of the length to both ends; returns its power."""
    a, b, o = int(force[f, F_A]), int(force[f, F_B]), F_VALUES
    arm_a, arm_b = point_lever(body, a, get_vector(force, f, o)), point_lever(body, b, get_vector(force, f, o + 3))
    d = subtract(place_of(body, b, arm_b), place_of(body, a, arm_a))
    distance = sqrt(dot(d, d))
    pull, power = 0.0, 0.0  # pull: force along d divided by its length
    if force[f, F_KIND] == SPRING:
        pull = force[f, o + 6]
        if force[f, o + 7] != 0.0:
            pull = pull * (1.0 - force[f, o + 7] / distance) if distance > 0.0 else 0.0
    elif distance > 0.0:
        rate = dot(d, subtract(velocity_of(body, b, arm_b), velocity_of(body, a, arm_a))) / distance
        if force[f, F_KIND] == DAMPER:
            pull = force[f, o + 6] * rate / distance
            power = -force[f, o + 6] * rate * rate
        else:
            tension, power = law_pull(memory, force, f, distance, rate)
            pull = tension / distance
    add_force(body, a, arm_a, scale(pull, d))
    add_force(body, b, arm_b, scale(-pull, d))
    return power


@kernel
def load_body(memory, body, force, f, t, q, u):
    """Apply an external force or torque; returns its power."""
    i, k, o = int(force[f, F_A]), int(force[f, F_PROGRAM]), F_VALUES
    value = (run_program(k, memory, t, q, u), run_program(k + 1, memory, t, q, u), run_program(k + 2, memory, t, q, u))
    if force[f, F_AXES] == 1:
        value = rotate_vector(body_rotation(body, i), value)
    if force[f, F_KIND] == FORCE:
        arm = point_lever(body, i, get_vector(force, f, o))
        add_force(body, i, arm, value)
        return dot(velocity_of(body, i, arm), value)
    add_moment(body, i, value)
    return dot(get_vector(body, i, SPIN), value)


@kernel
def clear_loads(body):
    """Forget the forces on the bodies."""
    for i in range(body.shape[0]):
        for k in range(6):
            body[i, LOAD + k] = 0.0


@kernel
def apply_forces(memory, body, col, t, q, u):
    """Add every force to the bodies' loads and the columns' efforts; returns the power of those without a potential."""
    force = force_table(memory)
    power, o = 0.0, F_VALUES
    for f in range(force.shape[0]):
        kind, c = force[f, F_KIND], int(force[f, F_COLUMN])
        if kind == SPRING or kind == DAMPER or kind == LINE_LAW:
            power += line_force(memory, body, force, f)
        elif kind == JOINT_SPRING:
            col[c, EFFORT] -= force[f, o] * (q[int(force[f, F_QI])] - force[f, o + 1])
        elif kind == JOINT_DAMPER or kind == JOINT_FRICTION or kind == ACTUATOR:
            speed = u[int(force[f, F_UI])]
            if kind == ACTUATOR:
                value = run_program(int(force[f, F_PROGRAM]), memory, t, q, u)
            else:
                value = -force[f, o] * speed
                if kind == JOINT_FRICTION:
                    value -= force[f, o + 1] * tanh(speed / force[f, o + 2])
            col[c, EFFORT] += value
            power += value * speed
        elif kind == ALIGNMENT:
            a, b = int(force[f, F_A]), int(force[f, F_B])
            outer, inner = (
                point_lever(body, a, get_vector(force, f, o)),
                point_lever(body, b, get_vector(force, f, o + 3)),
            )
            moment = scale(force[f, o + 6], cross(inner, outer))
            add_moment(body, b, moment)
            add_moment(body, a, scale(-1.0, moment))
        elif kind == JOINT_LAW:
            qi = int(force[f, F_QI])
            pull, lost = law_pull(memory, force, f, q[qi] if qi >= 0 else 0.0, u[int(force[f, F_UI])])
            col[c, EFFORT] -= pull
            power += lost
        else:
            power += load_body(memory, body, force, f, t, q, u)
    return power


@kernel
def spring_energy(memory, body, q):
    """V of all forces that have one: springs, joint springs, elastic alignments and laws."""
    force = force_table(memory)
    energy, o = 0.0, F_VALUES
    for f in range(force.shape[0]):
        kind, a, b = force[f, F_KIND], int(force[f, F_A]), int(force[f, F_B])
        if kind == SPRING or kind == ALIGNMENT or kind == LINE_LAW:
            first, second = (
                point_lever(body, a, get_vector(force, f, o)),
                point_lever(body, b, get_vector(force, f, o + 3)),
            )
            d = subtract(place_of(body, b, second), place_of(body, a, first))
            if kind == SPRING:
                length = sqrt(dot(d, d)) - force[f, o + 7]
                energy += 0.5 * force[f, o + 6] * length * length
            elif kind == LINE_LAW:
                energy += law_energy(memory, force, f, sqrt(dot(d, d)))
            else:
                energy += force[f, o + 6] * (1.0 - dot(first, second))
        elif kind == JOINT_SPRING:
            length = q[int(force[f, F_QI])] - force[f, o + 1]
            energy += 0.5 * force[f, o] * length * length
        elif kind == JOINT_LAW:
            qi = int(force[f, F_QI])
            energy += law_energy(memory, force, f, q[qi] if qi >= 0 else 0.0)
    return energy
