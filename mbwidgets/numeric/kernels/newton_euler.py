"""Inverse dynamics and joint reactions by recursive Newton-Euler, in world axes at the points O*."""

from __future__ import annotations

from ..engines.jit import kernel
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
    along,
    cross,
    dot,
    get,
    increase,
    put,
    rotation,
    scale,
    subtract,
    symmetric,
    turn,
    world_inertia,
)


@kernel
def transmit(body):
    """Wrench of the parent on each body at its O*: F_tot, M_tot of all that it carries, less the applied loads.

    Each body needs m a_C and dL_C/dt + ρ_C × m a_C.
    """
    n = body.shape[0]
    for i in range(n):
        A = rotation(body, i)
        lever, w, b = turn(A, get(body, i, COM)), get(body, i, SPIN), get(body, i, ACC + 3)
        J = world_inertia(body, i, A)
        a = add(add(get(body, i, ACC), cross(b, lever)), cross(w, cross(w, lever)))
        force = scale(body[i, MASS], a)
        moment = add(add(symmetric(J, b), cross(w, symmetric(J, w))), cross(lever, force))
        put(body, i, ART, subtract(force, get(body, i, LOAD)))
        put(body, i, ART + 3, subtract(moment, get(body, i, LOAD + 3)))
    for i in range(n - 1, -1, -1):
        parent = int(body[i, PARENT])
        if parent >= 0:
            force = get(body, i, ART)
            increase(body, parent, ART, force)
            increase(body, parent, ART + 3, add(get(body, i, ART + 3), cross(get(body, i, ARM), force)))


@kernel
def efforts(body, col, tau):
    """Q_k = e_k · F_tot or e_k · M_tot for every column, less the effort of the model's own forces."""
    for i in range(body.shape[0]):
        first = int(body[i, FIRST])
        for c in range(first, first + int(body[i, COUNT])):
            o = ART if col[c, KIND] == TRANSLATION else ART + 3
            tau[int(col[c, UI])] = dot(get(col, c, AXIS), get(body, i, o)) - col[c, EFFORT]


@kernel
def without(a, e):
    """a less its part along the unit vector e."""
    return along(a, -dot(a, e), e)


@kernel
def react(body, col, q, out):
    """Reactions at O_k, fixed in the parent: force, then moment, less the efforts along the free directions.

    F_R = F − (F·e) e over the translations, M_R = M − (M·e) e over the rotations; a ball has no moment. Where a
    joint turns about two axes, the second is first made orthogonal to the first: their span is what is taken out.
    """
    for i in range(body.shape[0]):
        force, moment = get(body, i, ART), get(body, i, ART + 3)
        first, last = int(body[i, FIRST]), int(body[i, FIRST]) + int(body[i, COUNT])
        for c in range(first, last):  # from O* back to O
            if col[c, KIND] == TRANSLATION:
                moment = add(moment, cross(scale(q[int(col[c, QI])], get(col, c, AXIS)), force))
        taken = (0.0, 0.0, 0.0)
        for c in range(first, last):
            e = get(col, c, AXIS)
            if col[c, KIND] == TRANSLATION:
                force = without(force, e)
            elif col[c, KIND] == ROTATION:
                e = without(e, taken)
                taken = scale(1.0 / dot(e, e) ** 0.5, e)
                moment = without(moment, taken)
            else:
                moment = (0.0, 0.0, 0.0)
        row = int(body[i, INDEX])
        put(out, row, 0, force)
        put(out, row, 3, moment)
