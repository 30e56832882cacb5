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
    F_PROGRAM,
    F_QI,
    F_UI,
    F_VALUES,
    FORCE,
    JOINT_DAMPER,
    JOINT_FRICTION,
    JOINT_LAW,
    JOINT_SPRING,
    L_MEASURE,
    L_RATE,
    LINE_LAW,
    LOAD,
    POS,
    SPIN,
    SPRING,
    VEL,
    force_table,
    law_table,
)
from .vector3 import add, add_to_vector, body_rotation, cross, dot, get_vector, rotate_vector, scale, subtract


@kernel
def point_lever(data, i, point):
    """A body's point from its O*, in world axes; for the ground (i < 0) the point itself."""
    return point if i < 0 else rotate_vector(body_rotation(data, i), point)


@kernel
def place_of(data, i, arm):
    """Where a point with a given lever is."""
    return arm if i < 0 else add(get_vector(data.body, i, POS), arm)


@kernel
def velocity_of(data, i, arm):
    """Velocity of a point with a given lever."""
    return (0.0, 0.0, 0.0) if i < 0 else add(get_vector(data.body, i, VEL), cross(get_vector(data.body, i, SPIN), arm))


@kernel
def add_force(data, i, arm, force):
    """Add a force at a lever from O* to a body's load."""
    if i >= 0:
        add_to_vector(data.body, i, LOAD, force)
        add_to_vector(data.body, i, LOAD + 3, cross(arm, force))


@kernel
def add_moment(data, i, moment):
    """Add a moment to a body's load."""
    if i >= 0:
        add_to_vector(data.body, i, LOAD + 3, moment)


@kernel
def law_pull(model, data, force, f, measure, rate):
    """dV/dx + R of a law at x and ẋ, and the power −R ẋ: what has a potential has no power."""
    law, program = law_table(model, data)[f], int(force[f, F_PROGRAM])
    law[L_MEASURE], law[L_RATE] = measure, rate
    resistance = run_program(model, data, program + 2, 0.0, law, law)
    return run_program(model, data, program + 1, 0.0, law, law) + resistance, -resistance * rate


@kernel
def law_energy(model, data, force, f, measure):
    """V of a law at x."""
    law = law_table(model, data)[f]
    law[L_MEASURE] = measure
    return run_program(model, data, int(force[f, F_PROGRAM]), 0.0, law, law)


@kernel
def line_force(model, data, force, f, t, q, u):
    """Apply the tension of a spring, a damper or a law of the length to both ends; returns its power.

    A spring or a damper with a program is multiplied by what that gives at t, q, u, and has no potential.
    """
    a, b, o = int(force[f, F_A]), int(force[f, F_B]), F_VALUES
    arm_a, arm_b = point_lever(data, a, get_vector(force, f, o)), point_lever(data, b, get_vector(force, f, o + 3))
    d = subtract(place_of(data, b, arm_b), place_of(data, a, arm_a))
    distance = sqrt(dot(d, d))
    program = int(force[f, F_PROGRAM])
    factor = run_program(model, data, program, t, q, u) if program >= 0 and force[f, F_KIND] != LINE_LAW else 1.0
    pull, power = 0.0, 0.0  # pull: force along d divided by its length
    if force[f, F_KIND] == SPRING:
        pull = force[f, o + 6]
        if force[f, o + 7] != 0.0:
            pull = pull * (1.0 - force[f, o + 7] / distance) if distance > 0.0 else 0.0
        if program >= 0:
            power = -pull * dot(d, subtract(velocity_of(data, b, arm_b), velocity_of(data, a, arm_a)))
    elif distance > 0.0:
        rate = dot(d, subtract(velocity_of(data, b, arm_b), velocity_of(data, a, arm_a))) / distance
        if force[f, F_KIND] == DAMPER:
            pull = force[f, o + 6] * rate / distance
            power = -force[f, o + 6] * rate * rate
        else:
            tension, power = law_pull(model, data, force, f, distance, rate)
            pull = tension / distance
    pull, power = factor * pull, factor * power
    add_force(data, a, arm_a, scale(pull, d))
    add_force(data, b, arm_b, scale(-pull, d))
    return power


@kernel
def load_body(model, data, force, f, t, q, u):
    """Apply an external force or torque; returns its power."""
    i, k, o = int(force[f, F_A]), int(force[f, F_PROGRAM]), F_VALUES
    value = (
        run_program(model, data, k, t, q, u),
        run_program(model, data, k + 1, t, q, u),
        run_program(model, data, k + 2, t, q, u),
    )
    if force[f, F_AXES] == 1:
        value = rotate_vector(body_rotation(data, i), value)
    if force[f, F_KIND] == FORCE:
        arm = point_lever(data, i, get_vector(force, f, o))
        add_force(data, i, arm, value)
        return dot(velocity_of(data, i, arm), value)
    add_moment(data, i, value)
    return dot(get_vector(data.body, i, SPIN), value)


@kernel
def clear_loads(data):
    """Forget the forces on the bodies."""
    for i in range(data.body.shape[0]):
        for k in range(6):
            data.body[i, LOAD + k] = 0.0


@kernel
def apply_forces(model, data, t, q, u):
    """Add every force to the bodies' loads and the columns' efforts; returns the power of those without a potential."""
    force = force_table(model)
    power, o = 0.0, F_VALUES
    for f in range(force.shape[0]):
        kind, c = force[f, F_KIND], int(force[f, F_COLUMN])
        if kind == SPRING or kind == DAMPER or kind == LINE_LAW:
            power += line_force(model, data, force, f, t, q, u)
        elif kind == JOINT_SPRING:
            data.column[c, EFFORT] -= force[f, o] * (q[int(force[f, F_QI])] - force[f, o + 1])
        elif kind == JOINT_DAMPER or kind == JOINT_FRICTION or kind == ACTUATOR:
            speed = u[int(force[f, F_UI])]
            if kind == ACTUATOR:
                value = run_program(model, data, int(force[f, F_PROGRAM]), t, q, u)
            else:
                value = -force[f, o] * speed
                if kind == JOINT_FRICTION:
                    value -= force[f, o + 1] * tanh(speed / force[f, o + 2])
            data.column[c, EFFORT] += value
            power += value * speed
        elif kind == ALIGNMENT:
            a, b = int(force[f, F_A]), int(force[f, F_B])
            outer, inner = (
                point_lever(data, a, get_vector(force, f, o)),
                point_lever(data, b, get_vector(force, f, o + 3)),
            )
            moment = scale(force[f, o + 6], cross(inner, outer))
            add_moment(data, b, moment)
            add_moment(data, a, scale(-1.0, moment))
        elif kind == JOINT_LAW:
            qi = int(force[f, F_QI])
            pull, lost = law_pull(model, data, force, f, q[qi] if qi >= 0 else 0.0, u[int(force[f, F_UI])])
            data.column[c, EFFORT] -= pull
            power += lost
        else:
            power += load_body(model, data, force, f, t, q, u)
    return power


@kernel
def spring_energy(model, data, q):
    """V of all forces that have one: springs, joint springs, elastic alignments and laws."""
    force = force_table(model)
    energy, o = 0.0, F_VALUES
    for f in range(force.shape[0]):
        kind, a, b = force[f, F_KIND], int(force[f, F_A]), int(force[f, F_B])
        if kind == SPRING and force[f, F_PROGRAM] >= 0.0:
            continue
        if kind == SPRING or kind == ALIGNMENT or kind == LINE_LAW:
            first, second = (
                point_lever(data, a, get_vector(force, f, o)),
                point_lever(data, b, get_vector(force, f, o + 3)),
            )
            d = subtract(place_of(data, b, second), place_of(data, a, first))
            if kind == SPRING:
                length = sqrt(dot(d, d)) - force[f, o + 7]
                energy += 0.5 * force[f, o + 6] * length * length
            elif kind == LINE_LAW:
                energy += law_energy(model, data, force, f, sqrt(dot(d, d)))
            else:
                energy += force[f, o + 6] * (1.0 - dot(first, second))
        elif kind == JOINT_SPRING:
            length = q[int(force[f, F_QI])] - force[f, o + 1]
            energy += 0.5 * force[f, o] * length * length
        elif kind == JOINT_LAW:
            qi = int(force[f, F_QI])
            energy += law_energy(model, data, force, f, q[qi] if qi >= 0 else 0.0)
    return energy
