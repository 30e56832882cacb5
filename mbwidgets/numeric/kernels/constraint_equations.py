"""Constraint equations at a state: Φ, Φ̇ = J u + Φ_t, J and Φ̈, all from the bodies' world kinematics."""

from __future__ import annotations

from math import inf

from ..engines.kernel import Vector, entry_point, kernel
from .expression_vm import run_program
from .libm import sqrt, square
from .loads import add_force, add_moment, place_of, point_lever, velocity_of
from .memory_layout import (
    ACC,
    ANGLE,
    AXIS,
    C_A,
    C_B,
    C_FIRST,
    C_KIND,
    C_NORMAL,
    C_PROGRAM,
    C_SECOND,
    C_UI,
    C_VALUE,
    COUNT,
    CURVE,
    CURVE_NEXT,
    DISTANCE,
    EFFORT,
    FIRST,
    KIND,
    LENGTH,
    PARENT,
    PHI,
    PHI_T,
    POS,
    RATE,
    SECOND,
    SEPARATION,
    SIZE,
    SLOPE,
    SPIN,
    TRANSLATION,
    UI,
    constraint_table,
    curve_feet,
    tables_of,
)
from .term_magnitude import terms_magnitude
from .vector3 import add, add_scaled, cross, dot, get_vector, scale, subtract

NOTHING = (0.0, 0.0, 0.0)


@kernel
def acceleration_of(data, i, arm, gravity):
    """Acceleration of a point with a given lever; the table holds accelerations less g."""
    if i < 0:
        return NOTHING
    w = get_vector(data.body, i, SPIN)
    a = add(get_vector(data.body, i, ACC), gravity)
    return add(a, add(cross(get_vector(data.body, i, ACC + 3), arm), cross(w, cross(w, arm))))


@kernel
def add_jacobian_row(model, data, i, force, moment, sign, row):
    """Add to a row of J what a wrench on body i, its moment about the world's origin, does along each column."""
    while i >= 0:
        here = subtract(moment, cross(get_vector(data.body, i, POS), force))
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            felt = force if model.column[c, KIND] == TRANSLATION else here
            row[int(model.column[c, UI])] += sign * dot(get_vector(data.column, c, AXIS), felt)
        i = int(model.body[i, PARENT])


@kernel
def separation_constraint(model, data, rows, r, gravity, row):
    """Φ, Φ̇, Φ̈ of a separation n·d − c or a distance |d| − c, d = p_a − p_b, and the size of d; J into ``row``."""
    a, b = int(rows[r, C_A]), int(rows[r, C_B])
    arm_a, arm_b = (
        point_lever(data, a, get_vector(rows, r, C_FIRST)),
        point_lever(data, b, get_vector(rows, r, C_SECOND)),
    )
    p, o = place_of(data, a, arm_a), place_of(data, b, arm_b)
    d = subtract(p, o)
    v = subtract(velocity_of(data, a, arm_a), velocity_of(data, b, arm_b))
    bend = subtract(acceleration_of(data, a, arm_a, gravity), acceleration_of(data, b, arm_b, gravity))
    n, turning = get_vector(rows, r, C_NORMAL), 0.0
    if rows[r, C_KIND] == DISTANCE:
        length = sqrt(dot(d, d))
        if length > 0.0:
            n = scale(1.0 / length, d)
            turning = (dot(v, v) - square(dot(n, v))) / length
    add_jacobian_row(model, data, a, n, cross(p, n), 1.0, row)
    add_jacobian_row(model, data, b, n, cross(o, n), -1.0, row)
    size = sqrt(dot(p, p) + dot(o, o)) + abs(rows[r, C_VALUE])
    return dot(n, d) - rows[r, C_VALUE], dot(n, v), dot(n, bend) + turning, size


@kernel
def vector_derivatives(data, i, x):
    """A vector of a body in world axes, with its first and second derivative."""
    x = point_lever(data, i, x)
    if i < 0:
        return x, NOTHING, NOTHING
    w = get_vector(data.body, i, SPIN)
    first = cross(w, x)
    return x, first, add(cross(get_vector(data.body, i, ACC + 3), x), cross(w, first))


@kernel
def orientation_constraint(model, data, rows, r, row):
    """Φ, Φ̇, Φ̈ of x·y − c, x fixed in body a and y in body b, and the size 1; J into ``row``."""
    a, b = int(rows[r, C_A]), int(rows[r, C_B])
    x, x1, x2 = vector_derivatives(data, a, get_vector(rows, r, C_FIRST))
    y, y1, y2 = vector_derivatives(data, b, get_vector(rows, r, C_SECOND))
    moment = cross(x, y)
    add_jacobian_row(model, data, a, NOTHING, moment, 1.0, row)
    add_jacobian_row(model, data, b, NOTHING, moment, -1.0, row)
    second = dot(x2, y) + 2.0 * dot(x1, y1) + dot(x, y2)
    return dot(x, y) - rows[r, C_VALUE], dot(x1, y) + dot(x, y1), second, 1.0


@kernel
def curve_point(model, data, program, s, q):
    """One of x(s), x′(s), x″(s): three programs from ``program`` on, which read s as their time."""
    return (
        run_program(model, data, program, s, q, q),
        run_program(model, data, program + 1, s, q, q),
        run_program(model, data, program + 2, s, q, q),
    )


BESIDE = 1e-6
"""Of a curve's parameter: where its domain ends no nearer, a mechanism stops at the end and not for another reason."""


@kernel
def nearest_parameter(model, data, program, s, p, q):
    """The s of the curve's point nearest to p, by Newton's method from s; x′·(p − x) = 0 there.

    A step out of the curve's domain is halved until it stays inside.
    """
    x = curve_point(model, data, program, s, q)
    for _ in range(20):
        slope, away = curve_point(model, data, program + 3, s, q), subtract(p, x)
        steep = dot(slope, slope)
        bend = steep - dot(curve_point(model, data, program + 6, s, q), away)
        if bend < 0.5 * steep:
            bend = steep
        change = dot(slope, away) / bend if bend > 0.0 else 0.0
        x = curve_point(model, data, program, s + change, q)
        for _ in range(60):
            if dot(x, x) < inf:
                break
            change *= 0.5
            x = curve_point(model, data, program, s + change, q)
        s += change
        if change * change * steep <= 1e-32 * (dot(p, p) + dot(x, x)):
            break
    return s


@kernel
def curve_normal(along_it, other):
    """A unit vector across a unit vector t: the first of a frame that turns smoothly, or the second."""
    x, y, z = along_it
    sign = 1.0 if z >= 0.0 else -1.0
    share = -1.0 / (sign + z)
    if other:
        return x * y * share, sign + y * y * share, -y
    return 1.0 + sign * x * x * share, sign * x * y * share, -sign * x


@entry_point
def curve_normal_at(model: Vector, data: Vector, program: int, s: float, second: bool, out: Vector) -> bool:
    """The direction across a curve at s, the first or the second, for Python; returns whether the curve goes on there.

    ``program``: the first of its nine. It goes on where it has a place on both sides of s.
    """
    m, d = tables_of(model, data)
    q = out[:0]
    slope = curve_point(m, d, program + 3, s, q)
    out[0], out[1], out[2] = curve_normal(scale(1.0 / sqrt(dot(slope, slope)), slope), second)
    near = BESIDE * max(1.0, abs(s))
    before, after = curve_point(m, d, program, s - near, q), curve_point(m, d, program, s + near, q)
    return dot(before, before) + dot(after, after) < inf


@kernel
def curve_constraint(model, data, rows, r, gravity, q, row):
    """Φ = n·(p − x(s)), Φ̇, Φ̈ at the foot point s, n one of two directions across the curve; J into ``row``.

    On the curve p̈ = x′ s̈ + x″ ṡ², so that n·p̈ = n·x″ ṡ² with ṡ = x′·v / x′·x′.
    """
    a, program = int(rows[r, C_A]), int(rows[r, C_PROGRAM])
    arm = point_lever(data, a, get_vector(rows, r, C_FIRST))
    p, v = place_of(data, a, arm), velocity_of(data, a, arm)
    feet = curve_feet(model, data)
    s = nearest_parameter(model, data, program, feet[r], p, q)
    slope = curve_point(model, data, program + 3, s, q)
    steep = dot(slope, slope)
    if steep < inf:  # where the curve has no tangent the next search begins at the last place that had one
        feet[r] = s
    n = curve_normal(scale(1.0 / sqrt(steep), slope), rows[r, C_KIND] == CURVE_NEXT)
    x, bend = curve_point(model, data, program, s, q), curve_point(model, data, program + 6, s, q)
    speed = dot(slope, v) / steep
    add_jacobian_row(model, data, a, n, cross(p, n), 1.0, row)
    second = dot(n, add_scaled(acceleration_of(data, a, arm, gravity), -speed * speed, bend))
    size = sqrt(dot(p, p))
    for j in range(3):
        size += abs(n[j]) * terms_magnitude(model, data, program + j, s, q, q)
    return dot(n, subtract(p, x)), dot(n, v), second, size


@kernel
def evaluate_constraints(model, data, work, t, q, u, gravity):
    """Fill J and Φ, Φ̇, Φ_t, Φ̈ (at u̇ = 0) and the size of the terms in Φ, which tells what in it is rounding.

    The body table holds velocities, and accelerations less g.
    """
    rows, J, vector, k = constraint_table(model), work.J, work.vector, -1
    for r in range(rows.shape[0]):
        kind, program = int(rows[r, C_KIND]), int(rows[r, C_PROGRAM])
        if kind == SLOPE:
            ui = int(rows[r, C_UI])
            J[k, ui] = run_program(model, data, program, t, q, u)
            vector[RATE, k] += J[k, ui] * u[ui]
            # terms may all be zero where the equation is met, as in q = 0: what one radian or length changes counts too
            length = model.buffer[LENGTH] if rows[r, C_VALUE] == 1.0 and model.buffer[LENGTH] > 0.0 else 1.0
            vector[SIZE, k] = max(vector[SIZE, k], abs(J[k, ui]) * length)
            continue
        k += 1
        J[k, :] = 0.0
        slow = 0.0
        if kind == SEPARATION or kind == DISTANCE:
            value, rate, second, size = separation_constraint(model, data, rows, r, gravity, J[k])
            size = max(size, model.buffer[LENGTH])
        elif kind == ANGLE:
            value, rate, second, size = orientation_constraint(model, data, rows, r, J[k])
        elif kind == CURVE or kind == CURVE_NEXT:
            value, rate, second, size = curve_constraint(model, data, rows, r, gravity, q, J[k])
            size = max(size, model.buffer[LENGTH])
        else:
            slow = run_program(model, data, program + 1, t, q, u)
            value, rate, second = (
                run_program(model, data, program, t, q, u),
                slow,
                run_program(model, data, program + 2, t, q, u),
            )
            size = terms_magnitude(model, data, program, t, q, u)
        vector[PHI, k], vector[RATE, k], vector[SECOND, k] = value, rate, second
        vector[PHI_T, k], vector[SIZE, k] = slow, size


@kernel
def apply_multipliers(model, data, t, q, u, multiplier):
    """Add the forces Jᵀ λ to the bodies' loads and the columns' efforts."""
    rows, feet, k = constraint_table(model), curve_feet(model, data), -1
    for r in range(rows.shape[0]):
        kind, a, b = int(rows[r, C_KIND]), int(rows[r, C_A]), int(rows[r, C_B])
        if kind != SLOPE:
            k += 1
        x, y = point_lever(data, a, get_vector(rows, r, C_FIRST)), point_lever(data, b, get_vector(rows, r, C_SECOND))
        value = multiplier[k]
        if kind == SEPARATION or kind == DISTANCE or kind == CURVE or kind == CURVE_NEXT:
            n = get_vector(rows, r, C_NORMAL)
            if kind == DISTANCE:
                d = subtract(place_of(data, a, x), place_of(data, b, y))
                length = sqrt(dot(d, d))
                n = scale(1.0 / length, d) if length > 0.0 else n
            elif kind != SEPARATION:
                slope = curve_point(model, data, int(rows[r, C_PROGRAM]) + 3, feet[r], q)
                n = curve_normal(scale(1.0 / sqrt(dot(slope, slope)), slope), kind == CURVE_NEXT)
            add_force(data, a, x, scale(value, n))
            add_force(data, b, y, scale(-value, n))
        elif kind == ANGLE:
            add_moment(data, a, scale(value, cross(x, y)))
            add_moment(data, b, scale(-value, cross(x, y)))
        elif kind == SLOPE:
            for c in range(model.column.shape[0]):
                if model.column[c, UI] == rows[r, C_UI]:
                    data.column[c, EFFORT] += value * run_program(model, data, int(rows[r, C_PROGRAM]), t, q, u)
