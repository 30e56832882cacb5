"""Frames of a constrained motion, each brought to the constraints."""

from __future__ import annotations

import numpy as np

from .jit import entry, settle
from .layout import tables

SMALL = 1e-5
"""A correction larger than this part of the state is none: the frame stays as it was interpolated."""


@entry
def settle_frames(derivative, memory, zero, t, rows, before, rest):
    """Bring rows (frames, state) to the constraints in place; ``memory`` asks for SETTLE, before and rest are spare."""
    body, col = tables(memory)
    for k in range(t.shape[0]):
        y = rows[k]
        for i in range(y.shape[0]):
            before[i] = y[i]
        fine = derivative(memory, body, col, zero, t[k], y, rest) == 0
        for i in range(y.shape[0]):
            fine = fine and abs(y[i] - before[i]) <= SMALL * (1.0 + abs(before[i]))
        if not fine:
            for i in range(y.shape[0]):
                y[i] = before[i]


def ready() -> None:
    """Compile `settle_frames` where that has not been done."""
    one = np.zeros(1)
    settle(settle_frames, one, one, one, np.zeros((1, 1)), one, one)
