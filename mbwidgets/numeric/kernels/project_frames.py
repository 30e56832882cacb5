"""Frames of a constrained motion: each brought to the constraints, and how far it is from them in the end."""

from __future__ import annotations

from ..base.tolerances import FRAME_CORRECTION
from ..engines.kernel import Kernel, Table, Vector, entry_point
from .constrained_derivative import worst_residual
from .memory_layout import EQUATIONS, OBSERVE, SETTLE, TASK, body_and_column_tables, constraint_workspace


@entry_point
def settle_frames(
    derivative: Kernel,
    memory: Vector,
    zero: Vector,
    t: Vector,
    rows: Table,
    scale: Vector,
    before: Vector,
    rest: Vector,
    off: Vector,
) -> None:
    """Bring rows (frames, state) to the constraints in place where ``memory`` asks for SETTLE.

    ``scale`` (state,) is what corrections are measured by; ``off`` (frames,) becomes the largest residual of each frame
    that is not brought to them, relative to the size of its terms; before and rest are spare.
    """
    body, col = body_and_column_tables(memory)
    vector, task, m = constraint_workspace(memory)[3], memory[TASK], int(memory[EQUATIONS])
    for k in range(t.shape[0]):
        y = rows[k]
        for i in range(y.shape[0]):
            before[i] = y[i]
        off[k], fine = 0.0, task == SETTLE
        if fine:
            fine = derivative(memory, body, col, zero, t[k], y, rest) == 0
            for i in range(y.shape[0]):
                fine = fine and abs(y[i] - before[i]) <= FRAME_CORRECTION * scale[i]
        if not fine:
            for i in range(y.shape[0]):
                y[i] = before[i]
            memory[TASK] = OBSERVE
            derivative(memory, body, col, zero, t[k], y, rest)
            off[k] = worst_residual(vector, m)[0]
            memory[TASK] = task
