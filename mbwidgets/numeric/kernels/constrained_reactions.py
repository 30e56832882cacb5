"""Joint reactions under the forces of constraints."""

from __future__ import annotations

from ..engines.jit import entry
from .constrained_derivative import load
from .constraint_equations import press
from .kinematics import accelerate, place
from .memory_layout import C_KIND, C_VALUE, CURVE, constraint_table, gravity_of, tables
from .newton_euler import efforts, react, transmit


@entry
def bear(memory, t, q, u, ud, tau, multiplier, feet, effort, reactions):
    """Efforts (frames, nv) still missing, and reactions (frames, n, 6), of one or many states under λ (frames, m).

    ``feet`` (frames, rows): where on its curve each guided point is, by row of the constraint table.
    """
    body, col = tables(memory)
    rows = constraint_table(memory)
    for k in range(t.shape[0]):
        for r in range(rows.shape[0]):
            if rows[r, C_KIND] >= CURVE:
                rows[r, C_VALUE] = feet[k, r]
        place(body, col, q[k])
        load(memory, body, col, tau[k], t[k], q[k], u[k])
        press(memory, body, col, rows, t[k], q[k], u[k], multiplier[k])
        accelerate(body, col, ud[k], gravity_of(memory))
        transmit(body)
        efforts(body, col, effort[k])
        react(body, col, q[k], reactions[k])
