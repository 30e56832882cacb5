"""Forward dynamics by articulated bodies (Featherstone), in world axes at the points O*.

For each node the articulated inertia maps (a_O*, α) to (force, moment at O*):
    F = M a + Hᵀ α + p_F,   N = H a + I α + p_N.
A joint's columns are eliminated one after the other, which is a block elimination and needs no small inverses.
"""

from __future__ import annotations

from ..base.tolerances import PIVOT_MASSLESS
from ..engines.kernel import kernel
from .memory_layout import (
    ACC,
    ARM,
    ART,
    AXIS,
    BIAS,
    COM,
    COUNT,
    EFFORT,
    FIRST,
    GAIN,
    INE,
    KIND,
    LOAD,
    MASS,
    PARENT,
    PIVOT,
    REDUCED,
    SPIN,
    TRANSLATION,
    UI,
)
from .vector3 import (
    add,
    add_scaled,
    add_to_vector,
    body_rotation,
    cross,
    dot,
    get_vector,
    put_vector,
    rotate_vector,
    scale,
    subtract,
    symmetric_times,
    world_inertia,
)


@kernel
def start_inertia(model, data, i):
    """Rigid-body inertia of body i at O*, and its velocity-product force less the applied load."""
    A = body_rotation(data, i)
    m, lever, w = model.body[i, MASS], rotate_vector(A, get_vector(model.body, i, COM)), get_vector(data.body, i, SPIN)
    x, y, z = lever
    a, b, c = scale(m, lever)
    J = world_inertia(model, i, A)
    J = (
        J[0] + b * y + c * z,
        J[1] - a * y,
        J[2] - a * z,
        J[3] + a * x + c * z,
        J[4] - b * z,
        J[5] + a * x + b * y,
    )
    rows = (m, 0.0, 0.0, m, 0.0, m, 0.0, -c, b, c, 0.0, -a, -b, a, 0.0)
    for k in range(15):
        data.body[i, INE + k] = rows[k]
    for k in range(6):
        data.body[i, INE + 15 + k] = J[k]
    put_vector(data.body, i, ART, subtract(cross(w, cross(w, (a, b, c))), get_vector(data.body, i, LOAD)))
    put_vector(data.body, i, ART + 3, subtract(cross(w, symmetric_times(J, w)), get_vector(data.body, i, LOAD + 3)))


@kernel
def inertia_along_joint(Q, kind, s):
    """U = IA S (force, moment), D = S·U, and the trace of the block that D belongs to."""
    x, y, z = s
    if kind == TRANSLATION:
        force = (Q[0] * x + Q[1] * y + Q[2] * z, Q[1] * x + Q[3] * y + Q[4] * z, Q[2] * x + Q[4] * y + Q[5] * z)
        moment = (Q[6] * x + Q[7] * y + Q[8] * z, Q[9] * x + Q[10] * y + Q[11] * z, Q[12] * x + Q[13] * y + Q[14] * z)
        return force, moment, dot(s, force), Q[0] + Q[3] + Q[5]
    force = (Q[6] * x + Q[9] * y + Q[12] * z, Q[7] * x + Q[10] * y + Q[13] * z, Q[8] * x + Q[11] * y + Q[14] * z)
    moment = (Q[15] * x + Q[16] * y + Q[17] * z, Q[16] * x + Q[18] * y + Q[19] * z, Q[17] * x + Q[19] * y + Q[20] * z)
    return force, moment, dot(s, moment), Q[15] + Q[18] + Q[20]


@kernel
def reduced_inertia(Q, f, m, k):
    """IA − k U Uᵀ with U = (f, m)."""
    a, b, c = scale(k, f)
    d, e, g = scale(k, m)
    return (
        Q[0] - a * f[0],
        Q[1] - a * f[1],
        Q[2] - a * f[2],
        Q[3] - b * f[1],
        Q[4] - b * f[2],
        Q[5] - c * f[2],
        Q[6] - a * m[0],
        Q[7] - b * m[0],
        Q[8] - c * m[0],
        Q[9] - a * m[1],
        Q[10] - b * m[1],
        Q[11] - c * m[1],
        Q[12] - a * m[2],
        Q[13] - b * m[2],
        Q[14] - c * m[2],
        Q[15] - d * m[0],
        Q[16] - d * m[1],
        Q[17] - d * m[2],
        Q[18] - e * m[1],
        Q[19] - e * m[2],
        Q[20] - g * m[2],
    )


@kernel
def inertia_times(Q, a, b):
    """IA (a, b): the force and moment of an acceleration a and an angular acceleration b."""
    force = (
        Q[0] * a[0] + Q[1] * a[1] + Q[2] * a[2] + Q[6] * b[0] + Q[9] * b[1] + Q[12] * b[2],
        Q[1] * a[0] + Q[3] * a[1] + Q[4] * a[2] + Q[7] * b[0] + Q[10] * b[1] + Q[13] * b[2],
        Q[2] * a[0] + Q[4] * a[1] + Q[5] * a[2] + Q[8] * b[0] + Q[11] * b[1] + Q[14] * b[2],
    )
    moment = (
        Q[6] * a[0] + Q[7] * a[1] + Q[8] * a[2] + Q[15] * b[0] + Q[16] * b[1] + Q[17] * b[2],
        Q[9] * a[0] + Q[10] * a[1] + Q[11] * a[2] + Q[16] * b[0] + Q[18] * b[1] + Q[19] * b[2],
        Q[12] * a[0] + Q[13] * a[1] + Q[14] * a[2] + Q[17] * b[0] + Q[19] * b[1] + Q[20] * b[2],
    )
    return force, moment


@kernel
def add_to_parent(data, p, Q, r):
    """Add an articulated inertia, moved by r to the parent's O*, to the parent's.

    H' = H + [r] M,   I' = I − H [r] + [r] H'ᵀ.
    """
    x, y, z = r
    G = (
        Q[6] - z * Q[1] + y * Q[2],
        Q[7] - z * Q[3] + y * Q[4],
        Q[8] - z * Q[4] + y * Q[5],
        Q[9] + z * Q[0] - x * Q[2],
        Q[10] + z * Q[1] - x * Q[4],
        Q[11] + z * Q[2] - x * Q[5],
        Q[12] - y * Q[0] + x * Q[1],
        Q[13] - y * Q[1] + x * Q[3],
        Q[14] - y * Q[2] + x * Q[4],
    )
    for k in range(6):
        data.body[p, INE + k] += Q[k]
    for k in range(9):
        data.body[p, INE + 6 + k] += G[k]
    data.body[p, INE + 15] += Q[15] - (Q[7] * z - Q[8] * y) + (y * G[2] - z * G[1])
    data.body[p, INE + 16] += Q[16] - (Q[8] * x - Q[6] * z) + (y * G[5] - z * G[4])
    data.body[p, INE + 17] += Q[17] - (Q[6] * y - Q[7] * x) + (y * G[8] - z * G[7])
    data.body[p, INE + 18] += Q[18] - (Q[11] * x - Q[9] * z) + (z * G[3] - x * G[5])
    data.body[p, INE + 19] += Q[19] - (Q[9] * y - Q[10] * x) + (z * G[6] - x * G[8])
    data.body[p, INE + 20] += Q[20] - (Q[12] * y - Q[13] * x) + (x * G[7] - y * G[6])


@kernel
def inertia_of(data, i):
    """Articulated inertia of body i: M (xx, xy, xz, yy, yz, zz), H (9), I (6)."""
    return (
        data.body[i, INE],
        data.body[i, INE + 1],
        data.body[i, INE + 2],
        data.body[i, INE + 3],
        data.body[i, INE + 4],
        data.body[i, INE + 5],
        data.body[i, INE + 6],
        data.body[i, INE + 7],
        data.body[i, INE + 8],
        data.body[i, INE + 9],
        data.body[i, INE + 10],
        data.body[i, INE + 11],
        data.body[i, INE + 12],
        data.body[i, INE + 13],
        data.body[i, INE + 14],
        data.body[i, INE + 15],
        data.body[i, INE + 16],
        data.body[i, INE + 17],
        data.body[i, INE + 18],
        data.body[i, INE + 19],
        data.body[i, INE + 20],
    )


@kernel
def articulated_body_algorithm(model, data, gravity, ud):
    """Accelerations ud from the efforts in the column table.

    Returns 0, 1 + the row of the body whose joint moves nothing that has mass, or −1 when a value is not finite.
    """
    n = model.body.shape[0]
    for i in range(n):
        start_inertia(model, data, i)
    for i in range(n - 1, -1, -1):
        p, first = int(model.body[i, PARENT]), int(model.body[i, FIRST])
        Q = inertia_of(data, i)
        f, m = inertia_times(Q, get_vector(data.body, i, BIAS), get_vector(data.body, i, BIAS + 3))
        f, m = add(f, get_vector(data.body, i, ART)), add(m, get_vector(data.body, i, ART + 3))
        for c in range(first + int(model.body[i, COUNT]) - 1, first - 1, -1):
            kind, s = model.column[c, KIND], get_vector(data.column, c, AXIS)
            force, moment, d, size = inertia_along_joint(Q, kind, s)
            if not d > PIVOT_MASSLESS * size:
                ud[:] = float("nan")
                return i + 1 if d == d else -1
            effort = data.column[c, EFFORT] - dot(s, f if kind == TRANSLATION else m)
            put_vector(data.column, c, GAIN, force)
            put_vector(data.column, c, GAIN + 3, moment)
            data.column[c, PIVOT], data.column[c, REDUCED] = 1.0 / d, effort
            if p >= 0 or c > first:
                Q = reduced_inertia(Q, force, moment, 1.0 / d)
                f, m = add_scaled(f, effort / d, force), add_scaled(m, effort / d, moment)
        if p >= 0:
            r = get_vector(data.body, i, ARM)
            add_to_parent(data, p, Q, r)
            add_to_vector(data.body, p, ART, f)
            add_to_vector(data.body, p, ART + 3, add(m, cross(r, f)))
    total = 0.0
    for i in range(n):
        p = int(model.body[i, PARENT])
        a, b = scale(-1.0, gravity), (0.0, 0.0, 0.0)
        if p >= 0:
            b = get_vector(data.body, p, ACC + 3)
            a = add(get_vector(data.body, p, ACC), cross(b, get_vector(data.body, i, ARM)))
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            resisted = dot(get_vector(data.column, c, GAIN), a) + dot(get_vector(data.column, c, GAIN + 3), b)
            value = (data.column[c, REDUCED] - resisted) * data.column[c, PIVOT]
            ud[int(model.column[c, UI])] = value
            if model.column[c, KIND] == TRANSLATION:
                a = add_scaled(a, value, get_vector(data.column, c, AXIS))
            else:
                b = add_scaled(b, value, get_vector(data.column, c, AXIS))
        put_vector(data.body, i, ACC, add(a, get_vector(data.body, i, BIAS)))
        put_vector(data.body, i, ACC + 3, add(b, get_vector(data.body, i, BIAS + 3)))
        total += dot(a, a) + dot(b, b)
    return 0 if total - total == 0.0 else -1
