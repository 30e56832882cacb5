"""Where the ends of springs, dampers and rods stand in a model's packed numbers, for a page that draws them."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import memory_layout as layout
from ..packing.pack import Packed

__all__ = ["End", "line_ends"]

End = tuple[int, int]
"""A body, −1 for the ground, and the first of three numbers in the model's array: a point in the body's axes."""
LINES: Final = (layout.SPRING, layout.DAMPER, layout.LINE_LAW)


def line_ends(packed: Packed) -> tuple[list[tuple[End, End]], list[tuple[End, End]]]:
    """The ends of the forces along lines, and those of constraints of a distance, in the model's order."""
    array, tables = packed.model, packed.tables
    start = int(array[layout.AT_FORCES])
    table = array[start : start + int(array[layout.FORCES]) * layout.FORCE_SIZE].reshape(-1, layout.FORCE_SIZE)
    bodies = [int(row) for row in tables.body[:, layout.INDEX]]
    forces = [
        _pair(bodies, row, layout.F_A, start + k * layout.FORCE_SIZE, layout.F_VALUES)
        for k, row in enumerate(table)
        if row[layout.F_KIND] in LINES and not (k and _second_half(table[k - 1], row))
    ]
    rods = [
        _pair(bodies, row, layout.C_A, int(array[layout.AT_ROWS]) + k * layout.ROW_SIZE, layout.C_FIRST)
        for k, row in enumerate(layout.constraint_table(tables))
        if row[layout.C_KIND] == layout.DISTANCE
    ]
    return forces, rods


def _second_half(before: np.ndarray, row: np.ndarray) -> bool:
    """Whether a row is the rest of the spring of varying length before it (`model.force_primitives`): drawn once."""
    numbers = slice(layout.F_VALUES + 6, layout.F_VALUES + 8)
    halves = (before[numbers] == (1.0, 0.0)).all() and (row[numbers] == (1.0, 1.0)).all()
    if not halves or row[layout.F_KIND] != layout.SPRING or row[layout.F_PROGRAM] != before[layout.F_PROGRAM] + 1:
        return False
    same = [layout.F_KIND, layout.F_A, layout.F_B, *range(layout.F_VALUES, layout.F_VALUES + 6)]
    return bool((row[same] == before[same]).all())


def _pair(bodies: list[int], row: np.ndarray, first: int, start: int, points: int) -> tuple[End, End]:
    owners = [-1 if row[first + k] < 0 else bodies[int(row[first + k])] for k in (0, 1)]
    return (owners[0], start + points), (owners[1], start + points + 3)
