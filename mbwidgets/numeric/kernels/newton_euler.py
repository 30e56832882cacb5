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
def propagate_wrenches(body):
    """Wrench of the parent on each body at its O*: F_tot, M_tot of all that it carries, less the applied loads.

    Each body needs m a_C and dL_C/dt + ρ_C × m a_C.
    """
    n = body.shape[0]
    for i in range(n):
        A = body_rotation(body, i)
        lever, w, b = (
            rotate_vector(A, get_vector(body, i, COM)),
            get_vector(body, i, SPIN),
            get_vector(body, i, ACC + 3),
        )
        J = world_inertia(body, i, A)
        a = add(add(get_vector(body, i, ACC), cross(b, lever)), cross(w, cross(w, lever)))
        force = scale(body[i, MASS], a)
        moment = add(add(symmetric_times(J, b), cross(w, symmetric_times(J, w))), cross(lever, force))
        put_vector(body, i, ART, subtract(force, get_vector(body, i, LOAD)))
        put_vector(body, i, ART + 3, subtract(moment, get_vector(body, i, LOAD + 3)))
    for i in range(n - 1, -1, -1):
        parent = int(body[i, PARENT])
        if parent >= 0:
            force = get_vector(body, i, ART)
            add_to_vector(body, parent, ART, force)
            add_to_vector(
                body, parent, ART + 3, add(get_vector(body, i, ART + 3), cross(get_vector(body, i, ARM), force))
            )


@kernel
def joint_efforts(body, col, tau):
    """Q_k = e_k · F_tot or e_k · M_tot for every column, less the effort of the model's own forces."""
    for i in range(body.shape[0]):
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            o = ART if col[c, KIND] == TRANSLATION else ART + 3
            tau[int(col[c, UI])] = dot(get_vector(col, c, AXIS), get_vector(body, i, o)) - col[c, EFFORT]


@kernel
def reject(a, e):
    """a less its part along the unit vector e."""
    return add_scaled(a, -dot(a, e), e)


@kernel
def joint_reactions(body, col, q, out):
    """Reactions at O_k, fixed in the parent: force, then moment, less the efforts along the free directions.

    F_R = F − (F·e) e over the translations, M_R = M − (M·e) e over the rotations; a ball has no moment. Where a
    joint turns about two axes, the second is first made orthogonal to the first: their span is what is taken out.
    """
    for i in range(body.shape[0]):
        force, moment = get_vector(body, i, ART), get_vector(body, i, ART + 3)
        first, last = int(body[i, FIRST]), int(body[i, FIRST]) + int(body[i, COUNT])
        for c in range(first, last):  # from O* back to O
            if col[c, KIND] == TRANSLATION:
                moment = add(moment, cross(scale(q[int(col[c, QI])], get_vector(col, c, AXIS)), force))
        taken = (0.0, 0.0, 0.0)
        for c in range(first, last):
            e = get_vector(col, c, AXIS)
            if col[c, KIND] == TRANSLATION:
                force = reject(force, e)
            elif col[c, KIND] == ROTATION:
                e = reject(e, taken)
                taken = scale(1.0 / sqrt(dot(e, e)), e)
                moment = reject(moment, taken)
            else:
                moment = (0.0, 0.0, 0.0)
        row = int(body[i, INDEX])
        put_vector(out, row, 0, force)
        put_vector(out, row, 3, moment)
