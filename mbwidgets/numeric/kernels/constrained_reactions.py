"""Joint reactions under the forces of constraints."""

from __future__ import annotations

from ..engines.kernel import Cube, Table, Vector, entry_point
from .constrained_derivative import assemble_loads
from .constraint_equations import apply_multipliers
from .kinematics import update_accelerations, update_poses
from .memory_layout import C_KIND, CURVE, constraint_table, curve_feet, gravity_of, tables_of
from .newton_euler import joint_efforts, joint_reactions, propagate_wrenches


@entry_point
def constrained_reactions(
    model: Vector,
    data: Vector,
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
    m, d = tables_of(model, data)
    rows, places = constraint_table(m), curve_feet(m, d)
    for k in range(t.shape[0]):
        for r in range(rows.shape[0]):
            if rows[r, C_KIND] >= CURVE:
                places[r] = feet[k, r]
        update_poses(m, d, q[k])
        assemble_loads(m, d, tau[k], t[k], q[k], u[k])
        apply_multipliers(m, d, t[k], q[k], u[k], multiplier[k])
        update_accelerations(m, d, ud[k], gravity_of(m))
        propagate_wrenches(m, d)
        joint_efforts(m, d, effort[k])
        joint_reactions(m, d, q[k], reactions[k])
