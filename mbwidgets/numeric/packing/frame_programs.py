"""Arrays of traced numbers as programs of the kernels' expression machine: what tables show of each frame of a motion.

A page runs them on the motions that it solves, so that its tables, plots and matrices are computed by the functions
that fill them in Python.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ExpressionError
from ...symbolic.code.codegen import Traced
from ..kernels import formula_frames
from .formula_programs import LARGEST, ProgramWriter
from .machine import machine_data, machine_of
from .traced_numbers import TracedNumber, Tracer

__all__ = ["FrameProgram", "frame_program", "program_operations"]


@dataclass(frozen=True, eq=False)
class FrameProgram:
    """A program of every frame: it reads ``inputs``, (table, place), and its ``results`` are among its values."""

    inputs: tuple[tuple[str, int], ...]
    machine: np.ndarray
    programs: int
    results: tuple[int, ...]

    def evaluate(self, tables: Mapping[str, np.ndarray], t: np.ndarray) -> np.ndarray:
        """(frames, results), from tables (frames, …) by their names."""
        frames, first = len(t), len(self.inputs)
        numbers = np.zeros((frames, first + self.programs))
        for k, (table, place) in enumerate(self.inputs):
            numbers[:, k] = np.broadcast_to(np.reshape(tables[table], (len(tables[table]), -1))[:, place], (frames,))
        formula_frames.run_formula(self.machine, machine_data(self.machine), np.asarray(t, dtype=float), numbers, first)
        return numbers[:, [first + place for place in self.results]]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        tables = list(dict.fromkeys(table for table, _ in self.inputs))
        return {
            "tables": tables,
            "inputs": [[tables.index(table), place] for table, place in self.inputs],
            "machine": base64.b64encode(self.machine.tobytes()).decode("ascii"),
            "programs": self.programs,
            "results": list(self.results),
        }


def frame_program(tracer: Tracer, numbers: Sequence[Any]) -> FrameProgram:
    """The program whose results are these numbers, traced or plain.

    Raises
    ------
    ExpressionError : it has more than `LARGEST` operations
    """
    traced = _checked(tracer, numbers)
    used = sorted({node.args[1] for node in traced.needed if node.op == "input"})
    place = {index: k for k, index in enumerate(used)}
    writer = ProgramWriter(traced, lambda _, index: place[index])
    results, assembler = writer.write(len(used)), writer.assembler
    inputs = tuple(tracer.places[index] for index in used)
    return FrameProgram(inputs, machine_of(assembler), len(assembler.starts) - 1, tuple(results))


def program_operations(tracer: Tracer, numbers: Sequence[Any]) -> int:
    """How many operations the program of these numbers has; raises where it is too long, as `frame_program` does."""
    return _checked(tracer, numbers).operations


def _checked(tracer: Tracer, numbers: Sequence[Any]) -> Traced:
    traced = Traced(tracer.trace, [_node(tracer, item) for item in numbers])
    if traced.operations > LARGEST:
        raise ExpressionError(
            f"it takes {traced.operations} operations a frame, more than {LARGEST}", remedy="look at it in the notebook"
        )
    return traced


def _node(tracer: Tracer, item: Any) -> Any:
    if isinstance(item, TracedNumber):
        return item.node
    if np.isfinite(item):
        return tracer.plain(item).node
    return tracer.nothing.node
