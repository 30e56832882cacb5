"""Inverse dynamics and joint reactions by recursive Newton-Euler, in world axes at the points O*."""

from __future__ import annotations

from ..engines.kernel import kernel
from .libm import sqrt
from .memory_layout import (
    ACC,
    ARM,
    ART,
    AXIS,
    COM,
    COUNT,
    EFFORT,
    FIRST,
    INDEX,
    KIND,
    LOAD,
    MASS,
    PARENT,
    QI,
    ROTATION,
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
def propagate_wrenches(model, data):
    """Wrench of the parent on each body at its O*: F_tot, M_tot of all that it carries, less the applied loads.

    Each body needs m a_C and dL_C/dt + ρ_C × m a_C.
    """
    n = model.body.shape[0]
    for i in range(n):
        A = body_rotation(data, i)
        lever, w, b = (
            rotate_vector(A, get_vector(model.body, i, COM)),
            get_vector(data.body, i, SPIN),
            get_vector(data.body, i, ACC + 3),
        )
        J = world_inertia(model, i, A)
        a = add(add(get_vector(data.body, i, ACC), cross(b, lever)), cross(w, cross(w, lever)))
        force = scale(model.body[i, MASS], a)
        moment = add(add(symmetric_times(J, b), cross(w, symmetric_times(J, w))), cross(lever, force))
        put_vector(data.body, i, ART, subtract(force, get_vector(data.body, i, LOAD)))
        put_vector(data.body, i, ART + 3, subtract(moment, get_vector(data.body, i, LOAD + 3)))
    for i in range(n - 1, -1, -1):
        parent = int(model.body[i, PARENT])
        if parent >= 0:
            force = get_vector(data.body, i, ART)
            add_to_vector(data.body, parent, ART, force)
            add_to_vector(
                data.body,
                parent,
                ART + 3,
                add(get_vector(data.body, i, ART + 3), cross(get_vector(data.body, i, ARM), force)),
            )


@kernel
def joint_efforts(model, data, tau):
    """Q_k = e_k · F_tot or e_k · M_tot for every column, less the effort of the model's own forces."""
    for i in range(model.body.shape[0]):
        first = int(model.body[i, FIRST])
        for c in range(first, first + int(model.body[i, COUNT])):
            o = ART if model.column[c, KIND] == TRANSLATION else ART + 3
            tau[int(model.column[c, UI])] = (
                dot(get_vector(data.column, c, AXIS), get_vector(data.body, i, o)) - data.column[c, EFFORT]
            )


@kernel
def reject(a, e):
    """a less its part along the unit vector e."""
    return add_scaled(a, -dot(a, e), e)


@kernel
def joint_reactions(model, data, q, out):
    """Reactions at O_k, fixed in the parent: force, then moment, less the efforts along the free directions.

    F_R = F − (F·e) e over the translations, M_R = M − (M·e) e over the rotations; a ball has no moment. Where a
    joint turns about two axes, the second is first made orthogonal to the first: their span is what is taken out.
    """
    for i in range(model.body.shape[0]):
        force, moment = get_vector(data.body, i, ART), get_vector(data.body, i, ART + 3)
        first, last = int(model.body[i, FIRST]), int(model.body[i, FIRST]) + int(model.body[i, COUNT])
        for c in range(first, last):  # from O* back to O
            if model.column[c, KIND] == TRANSLATION:
                moment = add(moment, cross(scale(q[int(model.column[c, QI])], get_vector(data.column, c, AXIS)), force))
        taken = (0.0, 0.0, 0.0)
        for c in range(first, last):
            e = get_vector(data.column, c, AXIS)
            if model.column[c, KIND] == TRANSLATION:
                force = reject(force, e)
            elif model.column[c, KIND] == ROTATION:
                e = reject(e, taken)
                taken = scale(1.0 / sqrt(dot(e, e)), e)
                moment = reject(moment, taken)
            else:
                moment = (0.0, 0.0, 0.0)
        row = int(model.body[i, INDEX])
        put_vector(out, row, 0, force)
        put_vector(out, row, 3, moment)
