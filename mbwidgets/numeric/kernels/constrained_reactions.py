"""Joint reactions under the forces of constraints."""

from __future__ import annotations

from ..engines.kernel import Cube, Table, Vector, entry_point
from .constrained_derivative import assemble_loads
from .constraint_equations import apply_multipliers
from .kinematics import update_accelerations, update_poses
from .memory_layout import C_KIND, C_VALUE, CURVE, body_and_column_tables, constraint_table, gravity_of
from .newton_euler import joint_efforts, joint_reactions, propagate_wrenches


@entry_point
def constrained_reactions(
    memory: Vector,
    t: Vector,
    q: Table,
    u: Table,
    ud: Table,
    tau: Table,
    multiplier: Table,
    feet: Table,
    effort: Table,
    reactions: Cube,
) -> None:
    """Efforts (frames, nv) still missing, and reactions (frames, n, 6), of one or many states under λ (frames, m).

    ``feet`` (frames, rows): where on its curve each guided point is, by row of the constraint table.
    """
    body, col = body_and_column_tables(memory)
    rows = constraint_table(memory)
    for k in range(t.shape[0]):
        for r in range(rows.shape[0]):
            if rows[r, C_KIND] >= CURVE:
                rows[r, C_VALUE] = feet[k, r]
        update_poses(body, col, q[k])
        assemble_loads(memory, body, col, tau[k], t[k], q[k], u[k])
        apply_multipliers(memory, body, col, rows, t[k], q[k], u[k], multiplier[k])
        update_accelerations(body, col, ud[k], gravity_of(memory))
        propagate_wrenches(body)
        joint_efforts(body, col, effort[k])
        joint_reactions(body, col, q[k], reactions[k])
