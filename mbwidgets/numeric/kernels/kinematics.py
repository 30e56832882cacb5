"""Where the bodies are and how they move: poses, angular velocities, velocities, accelerations.

World axes throughout. For the body in row i: R_i turns body axes to world axes, P_i = O_i*, r_i = O*_parent → O_i*;
s_c is the axis of column c. Body frames are parallel to the world at q = 0.
"""

from __future__ import annotations

from ..engines.kernel import kernel
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
from .vector3 import (
    add,
    add_scaled,
    body_rotation,
    cross,
    get_vector,
    put_vector,
    quaternion_rotation,
    rodrigues_rotation,
    rotate_vector,
    rotation_product,
    scale,
    subtract,
)


@kernel
def update_poses(model, data, q):
    """Poses R, P, levers r and axes s from the coordinates."""
    for i in range(model.body.shape[0]):
        parent = int(model.body[i, PARENT])
        A = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        origin = (0.0, 0.0, 0.0)
        if parent >= 0:
            A = body_rotation(data, parent)
            origin = get_vector(data.body, parent, POS)
        B = A
        x = get_vector(model.body, i, AT)
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            kind, k, e = model.column[c, KIND], int(model.column[c, QI]), get_vector(model.column, c, DIRECTION)
            if kind == ROTATION:
                put_vector(data.column, c, AXIS, rotate_vector(B, e))
                B = rotation_product(B, rodrigues_rotation(e, q[k]))
            elif kind == TRANSLATION:
                put_vector(data.column, c, AXIS, rotate_vector(B, e))
                x = add_scaled(x, q[k], e)
            elif kind == BALL:
                B = rotation_product(B, quaternion_rotation(q[k], q[k + 1], q[k + 2], q[k + 3]))
                put_vector(data.column, c, AXIS, (B[0], B[3], B[6]))
                put_vector(data.column, c + 1, AXIS, (B[1], B[4], B[7]))
                put_vector(data.column, c + 2, AXIS, (B[2], B[5], B[8]))
        r = rotate_vector(A, x)
        put_vector(data.body, i, ARM, r)
        put_vector(data.body, i, POS, add(origin, r))
        for k in range(9):
            data.body[i, ROT + k] = B[k]


@kernel
def update_angular_velocities(model, data, u):
    """Angular velocities ω, and the velocity products: accelerations of a body when q̈ and its parent's are 0.

    Linear: ω_p × (ω_p × r + 2 Σ s u) over the translations; angular: Σ ω × s u over the rotations.
    """
    for i in range(model.body.shape[0]):
        parent = int(model.body[i, PARENT])
        w = (0.0, 0.0, 0.0)
        if parent >= 0:
            w = get_vector(data.body, parent, SPIN)
        outer, before = w, w
        slide, bias = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            kind, s = model.column[c, KIND], scale(u[int(model.column[c, UI])], get_vector(data.column, c, AXIS))
            if kind == TRANSLATION:
                slide = add(slide, s)
            else:
                if kind == ROTATION:  # the axes of a ball turn with the body: all three see the ω before it
                    before = w
                bias = add(bias, cross(before, s))
                w = add(w, s)
        put_vector(data.body, i, SPIN, w)
        put_vector(
            data.body, i, BIAS, cross(outer, add_scaled(cross(outer, get_vector(data.body, i, ARM)), 2.0, slide))
        )
        put_vector(data.body, i, BIAS + 3, bias)


@kernel
def update_linear_velocities(model, data, u):
    """Velocities v of the points O*."""
    for i in range(model.body.shape[0]):
        parent = int(model.body[i, PARENT])
        v = (0.0, 0.0, 0.0)
        if parent >= 0:
            v = add(
                get_vector(data.body, parent, VEL),
                cross(get_vector(data.body, parent, SPIN), get_vector(data.body, i, ARM)),
            )
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            if model.column[c, KIND] == TRANSLATION:
                v = add_scaled(v, u[int(model.column[c, UI])], get_vector(data.column, c, AXIS))
        put_vector(data.body, i, VEL, v)


@kernel
def update_accelerations(model, data, ud, gravity):
    """Accelerations of O* and angular accelerations; the ground accelerates by −g, which is how weight enters."""
    for i in range(model.body.shape[0]):
        parent = int(model.body[i, PARENT])
        a, b = get_vector(data.body, i, BIAS), get_vector(data.body, i, BIAS + 3)
        if parent >= 0:
            outer = get_vector(data.body, parent, ACC + 3)
            a = add(add(a, get_vector(data.body, parent, ACC)), cross(outer, get_vector(data.body, i, ARM)))
            b = add(b, outer)
        else:
            a = subtract(a, gravity)
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            value, s = ud[int(model.column[c, UI])], get_vector(data.column, c, AXIS)
            if model.column[c, KIND] == TRANSLATION:
                a = add_scaled(a, value, s)
            else:
                b = add_scaled(b, value, s)
        put_vector(data.body, i, ACC, a)
        put_vector(data.body, i, ACC + 3, b)


@kernel
def coordinate_rates(model, q, u, qd):
    """q̇ from u: equal, but for a ball's quaternion, q̇ = ½ q ∘ (ω, 0) with ω in body axes."""
    for c in range(model.column.shape[0]):
        kind, k, m = model.column[c, KIND], int(model.column[c, QI]), int(model.column[c, UI])
        if kind == ROTATION or kind == TRANSLATION:
            qd[k] = u[m]
        elif kind == BALL:
            x, y, z, w = q[k], q[k + 1], q[k + 2], q[k + 3]
            a, b, d = 0.5 * u[m], 0.5 * u[m + 1], 0.5 * u[m + 2]
            qd[k] = w * a + y * d - z * b
            qd[k + 1] = w * b + z * a - x * d
            qd[k + 2] = w * d + x * b - y * a
            qd[k + 3] = -x * a - y * b - z * d
