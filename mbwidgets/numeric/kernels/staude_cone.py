"""The Staude cone of the first augmented body of a chain on balls: the axes about which it can turn for ever.

Source: Staude 1894; Chebanov, Khlistunova, section 4 (iv). With a and A* of the augmented body and ν down, (2.2) is
(A* − μ) ν = −(g/ω²) a: away from the principal moments A_k an axis for each real μ, ν(μ) = −(A* − μ)⁻¹a / |·| with
ω² = g |(A* − μ)⁻¹a|; at a moment in whose eigenspace a has no part, ν = −(g/ω²) p + τ with p = (A* − A_k)⁺a and τ in
that space. `permanent.staude` says the same in arrays, and more; `nearest_cone_axis` is what a slider snaps to, in
Python and in a page.

All is done along the principal axes. A cone is a table (7, 3): their components in body axes (rows 0 … 2); the moments,
equal ones made so; a along them, small parts made zero; the moments at which ν(μ) has a pole; and how many these are,
the speed up to which axes are followed, g.
"""

from __future__ import annotations

from math import inf, nan, pi

from ..engines.kernel import Table, Vector, entry_point, kernel
from .libm import cos, sqrt
from .memory_layout import AT, COM, GRAVITY, INERTIA, MASS, model_tables
from .vector3 import dot, get_vector, scale
from .vertical_rotation import read_vertical_axis, read_vertical_speeds, turn_axis_down, write_vertical_speeds

MOMENTS, PARTS, POLES, NUMBERS = 3, 4, 5, 6
"""Rows of a cone's table, which has CONE_ROWS."""
CONE_ROWS = 7
COUNT, FASTEST_SPEED, WEIGHT = 0, 1, 2
"""Columns of its last row."""
ZERO = 1e-12
"""A component of a, or a difference of moments, below this part of the whole is zero."""
FASTEST = 8.0
"""Times the natural speed: at the principal axes ω → ∞, and beyond this nobody looks."""
SWEEPS = 30
"""Jacobi's rotations converge quadratically: five sweeps make any tensor diagonal to the last digit."""
DIAGONAL = 1e-18
"""Part of the diagonal that the other components have together at most where the tensor counts as diagonal."""
SAMPLES = 201
"""Axes of an arc among which the nearest is looked for, before it is found to the last digit."""
EDGE = 1e-3
"""Share of an arc that is left out at its poles, where ω → ∞."""
HALVINGS = 70
"""Of the piece of an arc in which the nearest axis is: to the last digit."""
INSIDE = 1e-6
"""Share of that piece at whose ends it is asked where the nearest axis lies: at μ = ±∞ there is no slope."""
RIM = 1e-4
"""Least part along −p of an axis at a principal moment: at the rim ω → ∞."""


@kernel
def diagonalise(A, V):
    """Make a symmetric 3 × 3 table diagonal by Jacobi's rotations, moments increasing; rows of V: the axes."""
    for i in range(3):
        for j in range(3):
            V[i, j] = 1.0 if i == j else 0.0
    for _ in range(SWEEPS):
        if abs(A[0, 1]) + abs(A[0, 2]) + abs(A[1, 2]) <= DIAGONAL * (abs(A[0, 0]) + abs(A[1, 1]) + abs(A[2, 2])):
            break
        for p in range(2):
            for r in range(p + 1, 3):
                if A[p, r] != 0.0:
                    ratio = (A[r, r] - A[p, p]) / (2.0 * A[p, r])
                    tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
                    if ratio < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                    rotate_rows(A, p, r, cosine, tangent * cosine)
                    rotate_rows(V, p, r, cosine, tangent * cosine)
                    for i in range(3):
                        x, y = A[i, p], A[i, r]
                        A[i, p], A[i, r] = (
                            cosine * x - tangent * cosine * y,
                            tangent * cosine * x + cosine * y,
                        )
    for p in range(2):
        for r in range(p + 1, 3):
            if A[r, r] < A[p, p]:
                A[p, p], A[r, r] = A[r, r], A[p, p]
                for i in range(3):
                    V[p, i], V[r, i] = V[r, i], V[p, i]


@kernel
def rotate_rows(A, p, r, cosine, sine):
    """Two rows, turned."""
    for i in range(3):
        x, y = A[p, i], A[r, i]
        A[p, i], A[r, i] = cosine * x - sine * y, sine * x + cosine * y


@kernel
def augmented_body(model, A):
    """Write A* of the first body, at O₁; returns a = m c + m* s."""
    body, n = model.body, model.body.shape[0]
    xx, yy, zz = get_vector(body, 0, INERTIA)
    xy, xz, yz = get_vector(body, 0, INERTIA + 3)
    A[0, 0], A[1, 1], A[2, 2] = xx, yy, zz
    A[0, 1], A[0, 2], A[1, 2], A[1, 0], A[2, 0], A[2, 1] = xy, xz, yz, xy, xz, yz
    below, a = 0.0, (0.0, 0.0, 0.0)
    for i in range(1, n):
        below += body[i, MASS]
    for part in range(2 if n > 1 else 1):
        mass = body[0, MASS] if part == 0 else below
        v = get_vector(body, 0, COM) if part == 0 else get_vector(body, 1, AT)
        square = dot(v, v)
        for i in range(3):
            for j in range(3):
                A[i, j] += mass * ((square if i == j else 0.0) - pick(v, i) * pick(v, j))
        a = a[0] + mass * v[0], a[1] + mass * v[1], a[2] + mass * v[2]
    return a


@kernel
def pick(v, i):
    """A component of a vector."""
    return v[0] if i == 0 else (v[1] if i == 1 else v[2])


@kernel
def fill_cone(model, cone, room):
    """Write the table of the first body's cone; ``room`` is spoilt."""
    a, g = augmented_body(model, room), get_vector3(model.buffer, GRAVITY)
    diagonalise(room, cone)
    size, weight, mean = sqrt(dot(a, a)), sqrt(dot(g, g)), (room[0, 0] + room[1, 1] + room[2, 2]) / 3.0
    cone[NUMBERS, WEIGHT] = weight
    cone[NUMBERS, FASTEST_SPEED] = FASTEST * sqrt(weight * size / max(mean, 1e-300))
    first, poles = 0, 0
    while first < 3:
        past, total, square = first, 0.0, 0.0
        while past < 3 and room[past, past] - room[first, first] <= ZERO * room[2, 2]:
            part = dot(a, get_vector(cone, past, 0))
            cone[PARTS, past] = part
            total += room[past, past]
            square += part * part
            past += 1
        for k in range(first, past):
            cone[MOMENTS, k] = total / (past - first)
            if sqrt(square) <= ZERO * size:
                cone[PARTS, k] = 0.0
        if sqrt(square) > ZERO * size and weight > 0.0:
            cone[POLES, poles] = cone[MOMENTS, first]
            poles += 1
        first = past
    cone[NUMBERS, COUNT] = poles


@kernel
def get_vector3(numbers, o):
    """Three numbers."""
    return numbers[o], numbers[o + 1], numbers[o + 2]


@kernel
def arc_parameter(cone, arc, x):
    """μ at a share x of an arc between poles, ±∞ at its outer ends; closer where ν turns faster."""
    poles = int(cone[NUMBERS, COUNT])
    reach = max(cone[MOMENTS, 2], 1e-300)
    if arc > 0 and arc < poles:
        low, high = cone[POLES, arc - 1], cone[POLES, arc]
        return low + (high - low) * (1.0 - cos(pi * x)) / 2.0
    if arc > 0:
        return inf if x == 1.0 else cone[POLES, arc - 1] + reach * x * x / (1.0 - x)
    return -inf if x == 0.0 else cone[POLES, 0] - reach * (1.0 - x) * (1.0 - x) / x


@kernel
def cone_vector(cone, mu):
    """−(A* − μ)⁻¹a along the principal axes; at μ = ±∞ its direction ±a."""
    gap0, gap1, gap2 = cone[MOMENTS, 0] - mu, cone[MOMENTS, 1] - mu, cone[MOMENTS, 2] - mu
    if abs(mu) == inf:
        gap0 = -1.0 if mu > 0.0 else 1.0
        gap1, gap2 = gap0, gap0
    # where a has no part the axis is kept out, at its own moment too
    return (
        -cone[PARTS, 0] / gap0 if cone[PARTS, 0] != 0.0 else 0.0,
        -cone[PARTS, 1] / gap1 if cone[PARTS, 1] != 0.0 else 0.0,
        -cone[PARTS, 2] / gap2 if cone[PARTS, 2] != 0.0 else 0.0,
    )


@kernel
def speed_at(cone, mu):
    """ω(μ) = √( g |(A* − μ)⁻¹a| )."""
    v = cone_vector(cone, mu)
    return 0.0 if abs(mu) == inf else sqrt(cone[NUMBERS, WEIGHT] * sqrt(dot(v, v)))


@kernel
def unit(v):
    """v/|v|."""
    return scale(1.0 / sqrt(dot(v, v)), v)


@kernel
def square_distance(cone, mu, wanted):
    """|ν(μ) − w|², which grows with the angle and, unlike its cosine, has all digits near zero."""
    v = unit(cone_vector(cone, mu))
    x, y, z = v[0] - wanted[0], v[1] - wanted[1], v[2] - wanted[2]
    return x * x + y * y + z * z


@kernel
def leaving(cone, mu, wanted):
    """The sign of the rate at which ν(μ) leaves w as μ grows."""
    v = unit(cone_vector(cone, mu))
    gap0, gap1, gap2 = cone[MOMENTS, 0] - mu, cone[MOMENTS, 1] - mu, cone[MOMENTS, 2] - mu
    rate = (
        v[0] / gap0 if v[0] != 0.0 else 0.0,
        v[1] / gap1 if v[1] != 0.0 else 0.0,
        v[2] / gap2 if v[2] != 0.0 else 0.0,
    )
    rate = unit(rate)
    return dot(v, wanted) * dot(v, rate) - dot(rate, wanted)


@kernel
def nearest_share(cone, arc, wanted):
    """The share of an arc at which its slow enough axis nearest to w stands; −1 where all of them are too fast."""
    poles, fastest = int(cone[NUMBERS, COUNT]), cone[NUMBERS, FASTEST_SPEED]
    start, end = EDGE if arc > 0 else 0.0, 1.0 - EDGE if arc < poles else 1.0
    step = (end - start) / (SAMPLES - 1)
    best, least = -1.0, inf
    for k in range(SAMPLES):
        x = end if k == SAMPLES - 1 else start + step * k
        mu = arc_parameter(cone, arc, x)
        if speed_at(cone, mu) <= fastest:
            distance = square_distance(cone, mu, wanted)
            if distance < least:
                best, least = x, distance
    if best < 0.0:
        return best
    low, high = max(best - step, start) + INSIDE * step, min(best + step, end) - INSIDE * step
    found = best
    nears = leaving(cone, arc_parameter(cone, arc, low), wanted) < 0.0
    leaves = leaving(cone, arc_parameter(cone, arc, high), wanted) > 0.0
    if nears and leaves:
        for _ in range(HALVINGS):
            found = 0.5 * (low + high)
            if leaving(cone, arc_parameter(cone, arc, found), wanted) < 0.0:
                low = found
            else:
                high = found
    elif nears and speed_at(cone, arc_parameter(cone, arc, high)) > fastest:
        found = high
    elif leaves and speed_at(cone, arc_parameter(cone, arc, low)) > fastest:
        found = low
    if speed_at(cone, arc_parameter(cone, arc, found)) > fastest:  # the way there ends at the fastest axis
        slow, fast = best, found
        for _ in range(HALVINGS):
            found = 0.5 * (slow + fast)
            if speed_at(cone, arc_parameter(cone, arc, found)) > fastest:
                fast = found
            else:
                slow = found
        found = slow
    return found


@kernel
def nearest_at_moment(cone, k, wanted):
    """ν along the principal axes, and ω, of the axes at a moment where a has no part; ω = −1 where all are too fast."""
    moment = cone[MOMENTS, k]
    inside = (
        wanted[0] if cone[MOMENTS, 0] == moment else 0.0,
        wanted[1] if cone[MOMENTS, 1] == moment else 0.0,
        wanted[2] if cone[MOMENTS, 2] == moment else 0.0,
    )
    across = sqrt(dot(inside, inside))
    if cone[NUMBERS, COUNT] == 0.0:  # any axis in this space, at any speed
        if across > 0.0:
            return unit(inside), nan
        return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0), nan
    foot = (
        cone[PARTS, 0] / (cone[MOMENTS, 0] - moment) if cone[PARTS, 0] != 0.0 else 0.0,
        cone[PARTS, 1] / (cone[MOMENTS, 1] - moment) if cone[PARTS, 1] != 0.0 else 0.0,
        cone[PARTS, 2] / (cone[MOMENTS, 2] - moment) if cone[PARTS, 2] != 0.0 else 0.0,
    )
    size = sqrt(dot(foot, foot))
    foot = scale(1.0 / size, foot)
    slowest = cone[NUMBERS, WEIGHT] * size
    depth = max(-dot(foot, wanted), RIM)
    share = slowest / (cone[NUMBERS, FASTEST_SPEED] * cone[NUMBERS, FASTEST_SPEED])
    if share >= 1.0:
        return inside, -1.0
    if depth < share * sqrt(depth * depth + across * across):
        depth = share * across / sqrt(1.0 - share * share)
    length = sqrt(depth * depth + across * across)
    nu = (
        (inside[0] - depth * foot[0]) / length,
        (inside[1] - depth * foot[1]) / length,
        (inside[2] - depth * foot[2]) / length,
    )
    return nu, sqrt(slowest * length / depth)


@kernel
def along_body(cone, v):
    """A vector along the principal axes in those of the body."""
    return (
        v[0] * cone[0, 0] + v[1] * cone[1, 0] + v[2] * cone[2, 0],
        v[0] * cone[0, 1] + v[1] * cone[1, 1] + v[2] * cone[2, 1],
        v[0] * cone[0, 2] + v[1] * cone[1, 2] + v[2] * cone[2, 2],
    )


@kernel
def apart(v, wanted):
    """|v − w|²."""
    x, y, z = v[0] - wanted[0], v[1] - wanted[1], v[2] - wanted[2]
    return x * x + y * y + z * z


@entry_point
def nearest_cone_axis(model: Vector, axis: Vector, cone: Table, room: Table) -> float:
    """Write into ``axis``, a unit vector of the first body, the axis of its cone nearest to it; returns its speed.

    The speed is nan where any will do. Of axes faster than FASTEST times √(g|a| / mean moment) the nearest slower one
    is taken: at the principal axes ω → ∞. ``cone`` (7, 3) is filled, ``room`` (3, 3) spoilt.
    """
    fill_cone(model_tables(model), cone, room)
    w = (axis[0], axis[1], axis[2])
    wanted = dot(w, get_vector(cone, 0, 0)), dot(w, get_vector(cone, 1, 0)), dot(w, get_vector(cone, 2, 0))
    poles, least, best, speed = int(cone[NUMBERS, COUNT]), inf, wanted, nan
    for arc in range(poles + 1 if poles > 0 else 0):
        share = nearest_share(cone, arc, wanted)
        if share >= 0.0:
            mu = arc_parameter(cone, arc, share)
            nu = unit(cone_vector(cone, mu))
            distance = apart(nu, wanted)
            if distance < least:  # where ν(μ) stays the same a is along a principal axis: any speed will do
                least, best, speed = distance, nu, nan if poles == 1 else speed_at(cone, mu)
    for k in range(3):
        if cone[PARTS, k] == 0.0 or poles == 0:
            nu, found = nearest_at_moment(cone, k, wanted)
            distance = apart(nu, wanted)
            if found != -1.0 and distance < least:
                least, best, speed = distance, nu, found
    axis[0], axis[1], axis[2] = along_body(cone, best)
    return speed


@entry_point
def snap_to_cone(model: Vector, q: Vector, u: Vector, speeds: Vector, axis: Vector, cone: Table, room: Table) -> None:
    """Turn the first body of a rotation about the vertical to the nearest axis of its cone, at that axis' speed.

    It turns by the smallest rotation, and in the sense in which it turned; the other bodies keep their directions in
    space and their speeds. ``speeds`` (n,) and ``axis`` (3,) become those of the rotation; the rest as in
    `nearest_cone_axis`.
    """
    gravity = model[GRAVITY : GRAVITY + 3]
    read_vertical_speeds(gravity, q, u, speeds)
    read_vertical_axis(gravity, q, axis)
    speed = nearest_cone_axis(model, axis, cone, room)
    turn_axis_down(gravity, q, axis)
    if speed >= 0.0:
        speeds[0] = -speed if speeds[0] < 0.0 else speed
    write_vertical_speeds(gravity, q, speeds, u)
