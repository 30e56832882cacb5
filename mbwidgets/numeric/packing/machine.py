"""Programs that belong to no model, in the form that the expression machine reads."""

from __future__ import annotations

import numpy as np

from ...expressions import evaluate
from ..kernels import memory_layout as layout
from ..kernels.expression_vm import Assembler

__all__ = ["machine_of"]


def machine_of(assembler: Assembler) -> np.ndarray:
    """A memory that holds these programs, their constants, which are numbers here, and the stack alone."""
    header, constants = np.zeros(layout.HEADER), [evaluate(item) for item in assembler.constants]
    parts = [header, assembler.starts, assembler.lines, constants, np.zeros(2 * layout.STACK)]
    flat = [np.asarray(part, dtype=float).ravel() for part in parts]
    header[layout.AT_STARTS : layout.AT_ROWS] = np.cumsum([len(part) for part in flat])[:-1]
    header[layout.PROGRAMS] = len(assembler.starts) - 1
    return np.concatenate([header, *flat[1:]])
