"""Frames of a constrained motion: each brought to the constraints, and how far it is from them in the end."""

from __future__ import annotations

from ..base.tolerances import FRAME_CORRECTION
from ..engines.kernel import Kernel, Table, Vector, entry_point
from .constrained_derivative import worst_residual
from .memory_layout import OBSERVE, SETTLE, TASK, constraint_workspace, tables_of


@entry_point
def settle_frames(
    derivative: Kernel,
    model: Vector,
    data: Vector,
    zero: Vector,
    t: Vector,
    rows: Table,
    scale: Vector,
    before: Vector,
    rest: Vector,
    off: Vector,
) -> None:
    """Bring rows (frames, state) to the constraints in place where TASK is SETTLE.

    ``scale`` (state,) is what corrections are measured by; ``off`` (frames,) becomes the largest residual of each frame
    that is not brought to them, relative to the size of its terms; before and rest are spare.
    """
    m, d = tables_of(model, data)
    work, task = constraint_workspace(m, d), data[TASK]
    for k in range(t.shape[0]):
        y = rows[k]
        for i in range(y.shape[0]):
            before[i] = y[i]
        off[k], fine = 0.0, task == SETTLE
        if fine:
            fine = derivative(m, d, zero, t[k], y, rest) == 0
            for i in range(y.shape[0]):
                fine = fine and abs(y[i] - before[i]) <= FRAME_CORRECTION * scale[i]
        if not fine:
            for i in range(y.shape[0]):
                y[i] = before[i]
            data[TASK] = OBSERVE
            derivative(m, d, zero, t[k], y, rest)
            off[k] = worst_residual(work)[0]
            data[TASK] = task
