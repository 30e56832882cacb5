"""Where the bodies are and how they move: poses, angular velocities, velocities, accelerations.

World axes throughout. For the body in row i: R_i turns body axes to world axes, P_i = O_i*, r_i = O*_parent → O_i*;
s_c is the axis of column c. Body frames are parallel to the world at q = 0.
"""

from __future__ import annotations

from ..engines.jit import kernel
from .memory_layout import (
    ACC,
    ARM,
    AT,
    AXIS,
    BALL,
    BIAS,
    COUNT,
    DIRECTION,
    FIRST,
    KIND,
    PARENT,
    POS,
    QI,
    ROT,
    ROTATION,
    SPIN,
    TRANSLATION,
    UI,
    VEL,
)
from .vector3 import add, along, cross, get, put, quaternion_rotation, rodrigues, rotation, scale, subtract, times, turn


@kernel
def place(body, col, q):
    """Poses R, P, levers r and axes s from the coordinates."""
    for i in range(body.shape[0]):
        parent = int(body[i, PARENT])
        A = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        origin = (0.0, 0.0, 0.0)
        if parent >= 0:
            A = rotation(body, parent)
            origin = get(body, parent, POS)
        B = A
        x = get(body, i, AT)
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            kind, k, e = col[c, KIND], int(col[c, QI]), get(col, c, DIRECTION)
            if kind == ROTATION:
                put(col, c, AXIS, turn(B, e))
                B = times(B, rodrigues(e, q[k]))
            elif kind == TRANSLATION:
                put(col, c, AXIS, turn(B, e))
                x = along(x, q[k], e)
            elif kind == BALL:
                B = times(B, quaternion_rotation(q[k], q[k + 1], q[k + 2], q[k + 3]))
                put(col, c, AXIS, (B[0], B[3], B[6]))
                put(col, c + 1, AXIS, (B[1], B[4], B[7]))
                put(col, c + 2, AXIS, (B[2], B[5], B[8]))
        r = turn(A, x)
        put(body, i, ARM, r)
        put(body, i, POS, add(origin, r))
        for k in range(9):
            body[i, ROT + k] = B[k]


@kernel
def spin(body, col, u):
    """Angular velocities ω, and the velocity products: accelerations of a body when q̈ and its parent's are 0.

    Linear: ω_p × (ω_p × r + 2 Σ s u) over the translations; angular: Σ ω × s u over the rotations.
    """
    for i in range(body.shape[0]):
        parent = int(body[i, PARENT])
        w = (0.0, 0.0, 0.0)
        if parent >= 0:
            w = get(body, parent, SPIN)
        outer, before = w, w
        slide, bias = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            kind, s = col[c, KIND], scale(u[int(col[c, UI])], get(col, c, AXIS))
            if kind == TRANSLATION:
                slide = add(slide, s)
            else:
                if kind == ROTATION:  # the axes of a ball turn with the body: all three see the ω before it
                    before = w
                bias = add(bias, cross(before, s))
                w = add(w, s)
        put(body, i, SPIN, w)
        put(body, i, BIAS, cross(outer, along(cross(outer, get(body, i, ARM)), 2.0, slide)))
        put(body, i, BIAS + 3, bias)


@kernel
def travel(body, col, u):
    """Velocities v of the points O*."""
    for i in range(body.shape[0]):
        parent = int(body[i, PARENT])
        v = (0.0, 0.0, 0.0)
        if parent >= 0:
            v = add(get(body, parent, VEL), cross(get(body, parent, SPIN), get(body, i, ARM)))
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            if col[c, KIND] == TRANSLATION:
                v = along(v, u[int(col[c, UI])], get(col, c, AXIS))
        put(body, i, VEL, v)


@kernel
def accelerate(body, col, ud, gravity):
    """Accelerations of O* and angular accelerations; the ground accelerates by −g, which is how weight enters."""
    for i in range(body.shape[0]):
        parent = int(body[i, PARENT])
        a, b = get(body, i, BIAS), get(body, i, BIAS + 3)
        if parent >= 0:
            outer = get(body, parent, ACC + 3)
            a = add(add(a, get(body, parent, ACC)), cross(outer, get(body, i, ARM)))
            b = add(b, outer)
        else:
            a = subtract(a, gravity)
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            value, s = ud[int(col[c, UI])], get(col, c, AXIS)
            if col[c, KIND] == TRANSLATION:
                a = along(a, value, s)
            else:
                b = along(b, value, s)
        put(body, i, ACC, a)
        put(body, i, ACC + 3, b)


@kernel
def coordinate_rates(col, q, u, qd):
    """q̇ from u: equal, but for a ball's quaternion, q̇ = ½ q ∘ (ω, 0) with ω in body axes."""
    for c in range(col.shape[0]):
        kind, k, m = col[c, KIND], int(col[c, QI]), int(col[c, UI])
        if kind == ROTATION or kind == TRANSLATION:
            qd[k] = u[m]
        elif kind == BALL:
            x, y, z, w = q[k], q[k + 1], q[k + 2], q[k + 3]
            a, b, d = 0.5 * u[m], 0.5 * u[m + 1], 0.5 * u[m + 2]
            qd[k] = w * a + y * d - z * b
            qd[k + 1] = w * b + z * a - x * d
            qd[k + 2] = w * d + x * b - y * a
            qd[k + 3] = -x * a - y * b - z * d
