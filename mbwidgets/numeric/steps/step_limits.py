"""How far a step may reach so that it sees every input that depends on time.

An error estimate looks at a step's stages; a pulse between two of them does not exist for it. Before a motion begins
the programs of the inputs are evaluated over intervals of time, and each interval is halved until what an input can do
inside it is seen by samples as dense as the stages. Half an interval is then the largest step there. The table depends
on the inputs alone, never on frames, so a motion has the same states at every rate.

Intervals are not rounded outwards: a bound that is wrong in its sixteenth digit halves an interval once more or less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from ..kernels import expression_vm
from ..kernels.memory_layout import (
    AT_CONSTANTS,
    AT_LINES,
    AT_ROWS,
    AT_STARTS,
    AT_WORK,
    C_KIND,
    C_PROGRAM,
    CURVE,
    CURVE_PROGRAMS,
    PROGRAMS,
    ROW_SIZE,
)
from . import intervals
from .dop853 import C

__all__ = ["StepLimits", "input_programs", "limits_of"]

Line = tuple[int, float]

UNSEEN: Final = 8.0
"""By how much an input may vary more than its samples show. Beside an extremum, where bounds by the derivative are
coarsest, a parabola has four times the variation of its samples: less than that would halve for ever."""
NEGLIGIBLE: Final = 1e-13
"""Part of the largest impulse, max |f| times the duration, that an interval may hide: a thousandth of what the default
tolerance lets a step err."""
DEPTH: Final = 40
"""Halvings at most: a part of 1e-12 of the motion. Beside a pole there is no end of them."""
MOST: Final = 1 << 16
"""Intervals at most, some 50 ms of work; what they leave unresolved is told."""
DEGREE: Final = 8
"""Polynomials up to the order of the method are seen whole by a step of any size."""
_SAMPLES: Final = np.unique(C)


class StepLimits(NamedTuple):
    """Rows (from this time on, largest step, does a step have to end where the row begins), and what is too fast."""

    table: np.ndarray
    too_fast: bool = False


class _Value(NamedTuple):
    """What is known of a number on the stack of a program: its lines, what it depends on, its degree in t."""

    lines: tuple[Line, ...]
    timely: bool = False
    state: bool = False
    degree: float = 0.0


def limits_of(memory: np.ndarray, numbers: Sequence[int], duration: float, largest: float = math.inf) -> StepLimits:
    """The largest steps that see the programs with these numbers; ``largest``: a limit that holds everywhere."""
    inputs = {lines for number in numbers for lines in inputs_of(program(memory, number))}
    if not inputs:
        return StepLimits(np.array([[-math.inf, largest, 0.0]]))
    bent = {lines for given in inputs for lines in intervals.bent_at(given)}
    found = [_resolve(lines, duration) for lines in sorted(inputs | bent)]
    kinks = [kink for lines in sorted(bent) for kink in _zeros(lines, _resolve(lines, duration).cells, duration)]
    starts = np.unique(np.concatenate([[0.0], *(item.cells for item in found), kinks]))
    limit = np.full(len(starts), largest)
    for item in found:
        limit = np.minimum(limit, item.limits[np.searchsorted(item.cells, starts, side="right") - 1])
    table = np.column_stack([starts, limit, np.isin(starts, kinks)])
    table[0, 0] = -math.inf
    return StepLimits(_joined(table), any(item.too_fast for item in found))


def input_programs(memory: np.ndarray, signals: int) -> list[int]:
    """Numbers of the programs that drive a motion: without its first ``signals``, and without curves' in their s."""
    table = memory[int(memory[AT_ROWS]) : int(memory[AT_WORK])].reshape(-1, ROW_SIZE)
    curves = {int(row[C_PROGRAM]) + j for row in table if row[C_KIND] == CURVE for j in range(CURVE_PROGRAMS)}
    return [number for number in range(signals, int(memory[PROGRAMS])) if number not in curves]


def program(memory: np.ndarray, number: int) -> list[Line]:
    """The lines (operation, operand) of a program; the operand of a constant is its value."""
    starts, lines, constants = (int(memory[place]) for place in (AT_STARTS, AT_LINES, AT_CONSTANTS))
    if not 0 <= number < int(memory[PROGRAMS]):
        raise IndexError(number)
    first, past = int(memory[starts + number]), int(memory[starts + number + 1])
    pairs = [(int(memory[lines + 2 * k]), float(memory[lines + 2 * k + 1])) for k in range(first, past)]
    return [
        (operation, float(memory[constants + int(operand)]) if operation == expression_vm.CONSTANT else operand)
        for operation, operand in pairs
    ]


def inputs_of(lines: Sequence[Line]) -> set[tuple[Line, ...]]:
    """The largest parts of a program that depend on t and not on the state, without polynomials of low degree."""
    found: set[tuple[Line, ...]] = set()

    def note(*values: _Value) -> None:
        for value in values:
            if value.timely and not value.state and value.degree > DEGREE:
                found.add(value.lines)

    stack: list[_Value] = []
    for line in lines:
        operation, operand = line
        match operation:
            case expression_vm.CONSTANT:
                stack.append(_Value((line,)))
            case expression_vm.TIME:
                stack.append(_Value((line,), timely=True, degree=1.0))
            case expression_vm.COORDINATE | expression_vm.VELOCITY:
                stack.append(_Value((line,), state=True))
            case expression_vm.ADD | expression_vm.MULTIPLY:
                second, first = stack.pop(), stack.pop()
                if first.state or second.state:
                    note(first, second)
                join = max if operation == expression_vm.ADD else _total
                stack.append(
                    _Value(
                        (*first.lines, *second.lines, line),
                        first.timely or second.timely,
                        first.state or second.state,
                        join(first.degree, second.degree),
                    )
                )
            case _:
                value = stack.pop()
                power = operation == expression_vm.POWER and operand >= 0
                degree = value.degree * operand if power else math.inf
                stack.append(value._replace(lines=(*value.lines, line), degree=degree if value.timely else 0.0))
    note(stack[-1])
    return found


def _total(first: float, second: float) -> float:
    return first + second


class _Resolved(NamedTuple):
    """Where the intervals begin inside which an input is seen, the largest step in each, and whether some are left."""

    cells: np.ndarray
    limits: np.ndarray
    too_fast: bool


@lru_cache(maxsize=256)  # a slider that moves a mass leaves the inputs as they are
def _resolve(lines: tuple[Line, ...], duration: float) -> _Resolved:
    """Halve intervals until samples show what the input does in each of them."""
    low, width, unlimited = np.array([0.0]), duration, math.inf
    done: list[tuple[np.ndarray, np.ndarray]] = []
    largest, count = 0.0, 0
    for depth in range(DEPTH + 1):
        bounds = intervals.program_bounds(lines, low, low + width)
        values = sample(lines, low[:, None] + width * _SAMPLES)
        largest = max(largest, float(np.where(np.isfinite(values), abs(values), 0.0).max()))
        with np.errstate(invalid="ignore", over="ignore"):
            seen = values.max(axis=1) - values.min(axis=1)
            seen[~np.isfinite(seen)] = 0.0
            hidden = np.fmin(bounds.high - bounds.low, bounds.slope * width)
            resolved = (bounds.slope * width <= UNSEEN * seen) | (hidden * width <= NEGLIGIBLE * largest * duration)
        count += len(low)
        if depth == DEPTH or count > MOST:
            resolved[:] = True
        done.append((low[resolved], np.full(int(resolved.sum()), 0.5 * width if depth else unlimited)))
        low = low[~resolved]
        if not len(low):
            break
        width /= 2
        low = np.concatenate([low, low + width])
    cells, limits = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(cells)
    return _Resolved(cells[order], limits[order], count > MOST)


def _zeros(lines: Sequence[Line], cells: np.ndarray, duration: float) -> list[float]:
    """Where an input that has been resolved changes its sign."""
    ends = np.append(cells[1:], duration)
    t = np.unique(cells[:, None] + (ends - cells)[:, None] * _SAMPLES)
    signs = np.sign(sample(lines, t))
    found = [float(when) for when, sign in zip(t, signs, strict=True) if sign == 0.0]
    for k in np.flatnonzero(signs[:-1] * signs[1:] < 0.0):
        low, high = t[k], t[k + 1]
        while low < (middle := 0.5 * (low + high)) < high:
            low, high = (middle, high) if np.sign(sample(lines, middle)) == signs[k] else (low, middle)
        found.append(float(high))
    return found


def _joined(table: np.ndarray) -> np.ndarray:
    """The table without rows that say what the row before says."""
    keep = np.ones(len(table), dtype=bool)
    keep[1:] = (table[1:, 1] != table[:-1, 1]) | (table[1:, 2] > 0)
    return np.ascontiguousarray(table[keep])


_CALLS: Final[dict[int, Callable[[np.ndarray], np.ndarray]]] = {
    expression_vm.SIN: np.sin,
    expression_vm.COS: np.cos,
    expression_vm.TAN: np.tan,
    expression_vm.SQRT: np.sqrt,
    expression_vm.EXP: np.exp,
    expression_vm.LOG: np.log,
    expression_vm.TANH: np.tanh,
    expression_vm.ATAN: np.arctan,
    expression_vm.ASIN: np.arcsin,
    expression_vm.ACOS: np.arccos,
}


def sample(lines: Sequence[Line], t: np.ndarray) -> np.ndarray:
    """Values of a program of t alone."""
    stack: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for operation, operand in lines:
            match operation:
                case expression_vm.CONSTANT:
                    stack.append(np.full(t.shape, operand))
                case expression_vm.TIME:
                    stack.append(t)
                case expression_vm.ADD:
                    second = stack.pop()
                    stack[-1] = stack[-1] + second
                case expression_vm.MULTIPLY:
                    second = stack.pop()
                    stack[-1] = stack[-1] * second
                case expression_vm.POWER:
                    stack[-1] = stack[-1] ** int(operand)
                case _:
                    stack[-1] = _CALLS[operation](stack[-1])
    return stack[-1]
