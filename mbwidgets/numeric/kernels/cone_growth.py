"""The arcs of a Staude cone for a map, and whether small motions of the body by itself grow about its axes.

Source: Staude 1894; Chebanov, Khlistunova, section 4 (iv). `permanent.cone_curves` has the same rates as eigenvalues.
"""

from __future__ import annotations

from math import nan

from ..engines.kernel import Cube, Table, Vector, entry_point, kernel
from .libm import sqrt
from .memory_layout import model_tables
from .staude_cone import (
    COUNT,
    FASTEST,
    FASTEST_SPEED,
    MOMENTS,
    NUMBERS,
    PARTS,
    WEIGHT,
    along_body,
    arc_parameter,
    cone_vector,
    fill_cone,
    pick,
    speed_at,
    unit,
)
from .vector3 import cross, dot, get_vector, scale

THIN = 1e-9
"""Part of the largest moment below which the least one is zero."""
NO_GROWTH = 1e-5
"""Part of ω, or of the natural speed, below which a growth rate is zero: its square is known to rounding."""


@kernel
def det_of_rows(p, q, r):
    """The determinant of three rows."""
    return dot(p, cross(q, r))


@kernel
def skew_row(v, i):
    """Row i of [v], for which [v] x = v × x."""
    return (0.0, -v[2], v[1]) if i == 0 else ((v[2], 0.0, -v[0]) if i == 1 else (-v[1], v[0], 0.0))


@kernel
def small_motion_row(cone, nu, speed, rate, i):
    """Row i of I λ² + D λ + K along the principal axes, in axes that turn with the body; see `growth_at`."""
    moment = pick(get_vector(cone, MOMENTS, 0), i)
    spin, momentum = scale(speed, nu), angular_momentum(cone, nu, speed)
    spun, gained, turned = skew_row(spin, i), skew_row(momentum, i), skew_row(cross(spin, momentum), i)
    static = get_vector(cone, PARTS, 0)
    weight = row_times_skew(skew_row(nu, i), static)
    own = (
        change_entry(cone, spun[0], gained[0], moment, 0),
        change_entry(cone, spun[1], gained[1], moment, 1),
        change_entry(cone, spun[2], gained[2], moment, 2),
    )
    bent, twice = row_times_skew(own, spin), row_times_skew(spun, spin)
    g = cone[NUMBERS, WEIGHT]
    square = rate * rate
    return (
        (moment * square if i == 0 else 0.0)
        + rate * (own[0] + 2.0 * moment * spun[0])
        - turned[0]
        - g * weight[0]
        + bent[0]
        + moment * twice[0],
        (moment * square if i == 1 else 0.0)
        + rate * (own[1] + 2.0 * moment * spun[1])
        - turned[1]
        - g * weight[1]
        + bent[1]
        + moment * twice[1],
        (moment * square if i == 2 else 0.0)
        + rate * (own[2] + 2.0 * moment * spun[2])
        - turned[2]
        - g * weight[2]
        + bent[2]
        + moment * twice[2],
    )


@kernel
def angular_momentum(cone, nu, speed):
    """ω A*ν."""
    return speed * cone[MOMENTS, 0] * nu[0], speed * cone[MOMENTS, 1] * nu[1], speed * cone[MOMENTS, 2] * nu[2]


@kernel
def change_entry(cone, spun, gained, moment, j):
    """An entry of [ω] A* − A* [ω] − [A*ω] in a row with this moment."""
    return spun * cone[MOMENTS, j] - moment * spun - gained


@kernel
def row_times_skew(row, v):
    """x [v], which is x × v."""
    return cross(row, v)


@kernel
def small_motion_polynomial(cone, nu, speed, rate):
    """det(A* λ² + D λ + K) / (λ² det A*)."""
    p = small_motion_row(cone, nu, speed, rate, 0)
    q = small_motion_row(cone, nu, speed, rate, 1)
    r = small_motion_row(cone, nu, speed, rate, 2)
    moments = get_vector(cone, MOMENTS, 0)
    return det_of_rows(p, q, r) / (rate * rate * moments[0] * moments[1] * moments[2])


@kernel
def growth_at(cone, nu, speed):
    """The largest growth rate, 1/s, of small motions of the augmented body by itself about an axis of its cone.

    A* θ̈ + D θ̇ + K θ = 0 in axes that turn with it: D = [ω]A* − A*[ω] − [A*ω] + 2 A*[ω], K = −[ω × A*ω] − g [ν][a] +
    ([ω]A* − A*[ω] − [A*ω]) [ω] + A*[ω]². Nothing is lost and a turn about ν changes nothing, so that the
    characteristic polynomial is λ² (λ⁴ + b λ² + c), and two of its values tell b and c. nan for a body without
    thickness, some turn of which moves no mass.
    """
    moments, size = get_vector(cone, MOMENTS, 0), max(speed, cone[NUMBERS, FASTEST_SPEED] / FASTEST)
    if not moments[0] > THIN * moments[2] or not size > 0.0:
        return nan
    x1, x2 = size * size, 4.0 * size * size
    y1 = small_motion_polynomial(cone, nu, speed, size) - x1 * x1
    y2 = small_motion_polynomial(cone, nu, speed, 2.0 * size) - x2 * x2
    b = (y2 - y1) / (x2 - x1)
    c = y1 - b * x1
    inside = 0.25 * b * b - c
    # of a pair of complex squares: Re √x = √((|x| + Re x) / 2)
    square = 0.5 * (sqrt(c) - 0.5 * b) if inside < 0.0 else sqrt(inside) - 0.5 * b
    return sqrt(square) if square > (NO_GROWTH * size) * (NO_GROWTH * size) else 0.0


@entry_point
def cone_growth(model: Vector, axis: Vector, speed: float, cone: Table, room: Table) -> float:
    """`growth_at` an axis of the first body, of length one."""
    fill_cone(model_tables(model), cone, room)
    w = (axis[0], axis[1], axis[2])
    nu = dot(w, get_vector(cone, 0, 0)), dot(w, get_vector(cone, 1, 0)), dot(w, get_vector(cone, 2, 0))
    return growth_at(cone, nu, speed)


@entry_point
def cone_arcs(model: Vector, points: Cube, speeds: Table, growth: Table, cone: Table, room: Table) -> int:
    """Axes (arc, k, 3) along the arcs of the first body's cone, body axes, their speeds and `growth_at`.

    Returns how many arcs there are; others are left alone. Shares of an arc are equally spaced, its poles left out; the
    outer ends, where the body stands and hangs at rest, are there.
    """
    fill_cone(model_tables(model), cone, room)
    poles, count = int(cone[NUMBERS, COUNT]), speeds.shape[1]
    arcs = poles + 1 if poles > 0 else 0
    for arc in range(arcs):
        for k in range(count):
            first, last = (0 if arc == 0 else 1), (0 if arc == poles else 1)
            mu = arc_parameter(cone, arc, (k + first) / (count - 1 + first + last))
            nu = unit(cone_vector(cone, mu))
            points[arc, k, 0], points[arc, k, 1], points[arc, k, 2] = along_body(cone, nu)
            speeds[arc, k] = speed_at(cone, mu)
            growth[arc, k] = growth_at(cone, nu, speeds[arc, k])
    return arcs
