"""Formulae as programs, in every frame of a motion."""

from __future__ import annotations

from ..engines.kernel import Table, Vector, entry_point
from .expression_vm import run_program
from .memory_layout import PROGRAMS, tables_of


@entry_point
def run_formula(machine: Vector, data: Vector, t: Vector, numbers: Table, first: int) -> None:
    """Run all programs of a machine in their order, their values written from column ``first`` on.

    ``numbers`` (frames, …): what stands before is given; a program reads it, and the values of those before it.
    """
    m, d = tables_of(machine, data)
    for k in range(t.shape[0]):
        for program in range(int(machine[PROGRAMS])):
            numbers[k, first + program] = run_program(m, d, program, t[k], numbers[k], numbers[k])
