"""The mass matrix by composite rigid bodies, in world axes at the points O*."""

from __future__ import annotations

from ..engines.kernel import kernel
from .memory_layout import ARM, AXIS, COM, COUNT, FIRST, INE, KIND, MASS, PARENT, TRANSLATION, UI
from .vector3 import (
    add,
    add_scaled,
    body_rotation,
    cross,
    dot,
    get_vector,
    rotate_vector,
    scale,
    symmetric_times,
    world_inertia,
)


@kernel
def update_composite_bodies(model, data):
    """Mass, first moment and inertia at O* of each body with all that it carries.

    They stand where forward dynamics keeps articulated inertias: m, m ρ (3), J (xx, xy, xz, yy, yz, zz).
    """
    n = model.body.shape[0]
    for i in range(n):
        A = body_rotation(data, i)
        lever, m = rotate_vector(A, get_vector(model.body, i, COM)), model.body[i, MASS]
        put_composite(
            data, i, m, scale(m, lever), shifted_inertia(world_inertia(model, i, A), m, (0.0, 0.0, 0.0), lever)
        )
    for i in range(n - 1, -1, -1):
        p = int(model.body[i, PARENT])
        if p >= 0:
            m, first, r = data.body[i, INE], get_vector(data.body, i, INE + 1), get_vector(data.body, i, ARM)
            J = shifted_inertia(composite_inertia(data, i), m, first, r)
            K = composite_inertia(data, p)
            total = (K[0] + J[0], K[1] + J[1], K[2] + J[2], K[3] + J[3], K[4] + J[4], K[5] + J[5])
            put_composite(
                data, p, data.body[p, INE] + m, add(get_vector(data.body, p, INE + 1), add_scaled(first, m, r)), total
            )


@kernel
def put_composite(data, i, m, first, J):
    """Write a composite."""
    data.body[i, INE] = m
    for k in range(3):
        data.body[i, INE + 1 + k] = first[k]
    for k in range(6):
        data.body[i, INE + 4 + k] = J[k]


@kernel
def composite_inertia(data, i):
    """Composite inertia at O*, as (xx, xy, xz, yy, yz, zz)."""
    body, o = data.body, INE + 4
    return body[i, o], body[i, o + 1], body[i, o + 2], body[i, o + 3], body[i, o + 4], body[i, o + 5]


@kernel
def shifted_inertia(J, m, first, r):
    """Inertia at a pole from which the old one stands at r; ``first`` is the first moment about the old pole.

    J' = J + 2 (r·s) I − r sᵀ − s rᵀ + m (r·r I − r rᵀ).
    """
    s, t = first, add_scaled(first, m, r)
    x, y, z = r[0] * (s[0] + t[0]), r[1] * (s[1] + t[1]), r[2] * (s[2] + t[2])
    return (
        J[0] + y + z,
        J[1] - r[0] * s[1] - r[1] * t[0],
        J[2] - r[0] * s[2] - r[2] * t[0],
        J[3] + x + z,
        J[4] - r[1] * s[2] - r[2] * t[1],
        J[5] + x + y,
    )


@kernel
def mass_matrix(model, data, out):
    """a_αβ: the wrench of a unit acceleration of column β, felt along column α inboard of it."""
    out[:, :] = 0.0
    for i in range(model.body.shape[0]):
        m, first, J = data.body[i, INE], get_vector(data.body, i, INE + 1), composite_inertia(data, i)
        start = int(model.body[i, FIRST])
        for c in range(start, start + int(model.body[i, COUNT])):
            e, row = get_vector(data.column, c, AXIS), int(model.column[c, UI])
            if model.column[c, KIND] == TRANSLATION:
                force, moment = scale(m, e), cross(first, e)
            else:
                force, moment = cross(e, first), symmetric_times(J, e)
            j = i
            while j >= 0:
                begin = int(model.body[j, FIRST])
                end = c + 1 if j == i else begin + int(model.body[j, COUNT])
                for k in range(begin, end):
                    felt = force if model.column[k, KIND] == TRANSLATION else moment
                    value = dot(get_vector(data.column, k, AXIS), felt)
                    out[row, int(model.column[k, UI])] = value
                    out[int(model.column[k, UI]), row] = value
                moment = add(moment, cross(get_vector(data.body, j, ARM), force))
                j = int(model.body[j, PARENT])
