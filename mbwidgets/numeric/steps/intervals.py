"""Programs of t: their values, and bounds of values and slopes over intervals of time, for many at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from ..kernels import expression_vm
from ..kernels import memory_layout as layout
from . import interval_bounds

__all__ = ["Bounds", "Line", "bent_at", "program_bounds", "sample"]

Line = tuple[int, float]


class Bounds(NamedTuple):
    """Over each interval: the value lies in low … high, its slope is at most ``slope`` in size; steady: never zero."""

    low: np.ndarray
    high: np.ndarray
    slope: np.ndarray
    steady: np.ndarray


def bent_at(lines: Sequence[Line]) -> list[tuple[Line, ...]]:
    """The parts at whose zeros a program has kinks or jumps.

    x of |x|, also written √(x²), and of sign x; a − b of the smaller and the larger of a and b; y of an angle; x of
    a choice by x ≥ 0.
    """
    found, starts = [], list[int]()
    for k, (operation, operand) in enumerate(lines):
        if operation in (expression_vm.CONSTANT, expression_vm.TIME):
            starts.append(k)
            continue
        first = starts[-expression_vm.TAKEN.get(operation, 1) :]
        match operation:
            case expression_vm.ABS | expression_vm.SIGN:
                found.append(tuple(lines[first[0] : k]))
            case expression_vm.ATAN2 | expression_vm.WHERE:
                found.append(tuple(lines[first[0] : first[1]]))
            case expression_vm.MIN | expression_vm.MAX:
                found.append((*lines[first[0] : k], *_MINUS))
            case expression_vm.POWER if _is_root_of_square(lines, k) and operand % 4 == 2:
                found.append(tuple(lines[first[0] : k]))
        del starts[len(starts) - len(first) + 1 :]
    return found


_MINUS: Final = ((expression_vm.CONSTANT, -1.0), (expression_vm.MULTIPLY, 0.0), (expression_vm.ADD, 0.0))
"""What makes a − b of a and b on the stack."""


def _is_root_of_square(lines: Sequence[Line], k: int) -> bool:
    """Whether line k is an even power of which the next takes the root."""
    operation, operand = lines[k]
    if operation != expression_vm.POWER or operand <= 0 or operand % 2 or k + 1 == len(lines):
        return False
    return lines[k + 1][0] == expression_vm.SQRT


def program_bounds(lines: Sequence[Line], start: np.ndarray, end: np.ndarray, *, across: bool = False) -> Bounds:
    """Bounds of a program of t alone over the intervals start … end; infinite where there are none.

    ``across``: whether a jump counts as an infinite slope. It does not for steps, which end where a jump is.
    """
    found = np.empty((len(start), 4))
    machine, data = machine_of_lines(lines)
    first, last = (np.ascontiguousarray(item, dtype=float) for item in (start, end))
    interval_bounds.bound_program(machine, data, first, last, across, np.empty((layout.STACK, 4)), np.empty(2), found)
    low, high, least, most = found.T
    return Bounds(low, high, np.maximum(abs(least), abs(most)), (least > 0.0) | (most < 0.0))


def sample(lines: Sequence[Line], t: np.ndarray) -> np.ndarray:
    """Values of a program of t alone."""
    values = np.empty(t.size)
    machine, data = machine_of_lines(lines)
    interval_bounds.sample_program(machine, data, np.ascontiguousarray(t, dtype=float).ravel(), values)
    return values.reshape(t.shape)


FUNCTIONS: Final = range(expression_vm.SIN, expression_vm.ATAN2 + 1)
"""Operations that have programs of their own behind a program of lines, of q[0] and, an angle, q[1]."""


def machine_of_lines(lines: Sequence[Line]) -> tuple[np.ndarray, np.ndarray]:
    """A machine whose first program has these lines, with a program of each function behind it; and its data."""
    constants = [operand for operation, operand in lines if operation == expression_vm.CONSTANT]
    places = iter(range(len(constants)))
    own = [(op, next(places) if op == expression_vm.CONSTANT else operand) for op, operand in lines]
    programs: list[list[tuple[int, float]]] = [own]
    for function in FUNCTIONS:
        given = range(2 if function == expression_vm.ATAN2 else 1)
        programs.append([*((expression_vm.COORDINATE, k) for k in given), (function, 0)])
    starts = np.cumsum([0, *map(len, programs)])
    flat = [line for part in programs for line in part]
    header = np.zeros(layout.HEADER)
    header[layout.PROGRAMS] = len(programs)
    begin = layout.HEADER + len(starts)
    header[layout.AT_COLUMNS : layout.AT_STARTS + 1] = layout.HEADER
    header[layout.AT_LINES], header[layout.AT_CONSTANTS] = begin, begin + 2 * len(flat)
    header[layout.AT_ROWS : layout.GRAVITY] = begin + 2 * len(flat) + len(constants)
    header[layout.DATA_COLUMNS : layout.DATA_FEET] = layout.DATA_HEADER
    header[layout.DATA_FEET : layout.HEADER] = size = layout.DATA_HEADER + 2 * layout.STACK
    return np.concatenate([header, starts, np.ravel(flat), constants]), np.zeros(size)
