"""Programs that belong to no model, in the form that the expression machine reads."""

from __future__ import annotations

import numpy as np

from ...expressions import evaluate
from ..kernels import memory_layout as layout
from ..kernels.expression_vm import Assembler

__all__ = ["machine_data", "machine_of"]


def machine_of(assembler: Assembler) -> np.ndarray:
    """A model's array that holds these programs alone, and their constants, which are numbers here."""
    header, constants = np.zeros(layout.HEADER), [evaluate(item) for item in assembler.constants]
    flat = [np.asarray(part, dtype=float).ravel() for part in (assembler.starts, assembler.lines, constants)]
    starts = layout.HEADER + np.cumsum([0, *(len(part) for part in flat)])
    header[layout.PROGRAMS] = len(assembler.starts) - 1
    header[layout.AT_COLUMNS : layout.AT_STARTS] = layout.HEADER
    header[layout.AT_STARTS : layout.AT_ROWS], header[layout.AT_ROWS : layout.GRAVITY] = starts[:-1], starts[-1]
    header[layout.DATA_COLUMNS : layout.DATA_FEET] = layout.DATA_HEADER
    header[layout.DATA_FEET : layout.HEADER] = layout.DATA_HEADER + 2 * layout.STACK
    return np.concatenate([header, *flat])


def machine_data(machine: np.ndarray) -> np.ndarray:
    """What its programs need to run."""
    return np.zeros(int(machine[layout.DATA_SIZE]))
