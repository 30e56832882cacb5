"""How far a step may reach so that it sees every input that depends on time.

An error estimate looks at a step's stages; a pulse between two of them does not exist for it. Before a motion begins
the programs of the inputs are evaluated over intervals of time, and each interval is halved until what an input can do
inside it is seen by samples as dense as the stages. Half an interval is then the largest step there. The table depends
on the inputs alone, never on frames, so a motion has the same states at every rate.

Intervals are not rounded outwards: a bound that is wrong in its sixteenth digit halves an interval once more or less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from ..kernels import expression_vm
from ..kernels.memory_layout import (
    AT_CONSTANTS,
    AT_LINES,
    AT_STARTS,
    C_KIND,
    C_PROGRAM,
    CURVE,
    CURVE_PROGRAMS,
    PROGRAMS,
    constraint_table,
    model_tables,
)
from . import intervals
from .dop853 import C
from .input_zeros import zeros_of
from .intervals import Line, sample
from .step_reach import ACROSS, ENDS

__all__ = ["StepLimits", "input_programs", "limits_of"]

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
JUMP: Final = 4e-15
"""Half of the step across a jump, in parts of the time: some roundings, so that its ends are floats of their own beside
the jump. A step that ended at the jump itself would take one of its stages from the other side."""
SMALLEST_JUMP: Final = 1e-10
"""Part of an input's size: what changes less within some roundings of the time is no jump, or none that is felt."""
SOON: Final = 1e-3
"""Seconds: earlier times are rounded as this one is, as in `step_reach`."""
DEGREE: Final = 8
"""Polynomials up to the order of the method are seen whole by a step of any size."""
SAMPLES: Final = tuple(np.unique(C).tolist())
"""Where the stages of a step stand."""


class StepLimits(NamedTuple):
    """Rows (from this time on, largest step, one of 0, ENDS, ACROSS), and whether some input is too fast."""

    table: np.ndarray
    too_fast: bool = False


class _Value(NamedTuple):
    """What is known of a number on the stack of a program: its lines, what it depends on, its degree in t."""

    lines: tuple[Line, ...]
    timely: bool = False
    state: bool = False
    degree: float = 0.0


def limits_of(model: np.ndarray, numbers: Sequence[int], duration: float, largest: float = math.inf) -> StepLimits:
    """The largest steps that see the programs with these numbers; ``largest``: a limit that holds everywhere."""
    inputs = {lines for number in numbers for lines in inputs_of(program(model, number))}
    bends, leaps = _knots(model, numbers, duration)
    if not inputs and not len(bends) and not len(leaps):
        return StepLimits(np.array([[-math.inf, largest, 0.0]]))
    bent = {lines for given in inputs for lines in intervals.bent_at(given)}
    found = [_resolve(lines, duration) for lines in sorted(inputs | bent)]
    kinks, jumps = _kinks_and_jumps(sorted(inputs), duration)
    kinks, jumps = np.append(kinks, bends), np.unique(np.append(jumps, leaps))
    beside = JUMP * np.maximum(jumps, SOON)
    ends = np.concatenate([kinks, np.maximum(jumps - beside, 0.0), jumps + beside])
    starts = np.unique(np.concatenate([[0.0], *(item.cells for item in found), ends]))
    limit = np.full(len(starts), largest)
    for item in found:
        limit = np.minimum(limit, item.limits[np.searchsorted(item.cells, starts, side="right") - 1])
    table = np.column_stack([starts, limit, np.where(np.isin(starts, ends), ENDS, 0.0)])
    table[np.searchsorted(starts, jumps, side="right") - 1, 2] = ACROSS
    table[0, 0] = -math.inf
    too_fast = any(item.too_fast for item in found) or any(zeros_of(lines, duration).too_fast for lines in bent)
    return StepLimits(_joined(table), too_fast)


def input_programs(model: np.ndarray, signals: int) -> list[int]:
    """Numbers of the programs that drive a motion: without its first ``signals``, and without curves' in their s."""
    table = constraint_table(model_tables(model))
    curves = {int(row[C_PROGRAM]) + j for row in table if row[C_KIND] == CURVE for j in range(CURVE_PROGRAMS)}
    return [number for number in range(signals, int(model[PROGRAMS])) if number not in curves]


def program(model: np.ndarray, number: int) -> list[Line]:
    """The lines (operation, operand) of a program; the operand of a constant is its value."""
    starts, lines, constants = (int(model[place]) for place in (AT_STARTS, AT_LINES, AT_CONSTANTS))
    if not 0 <= number < int(model[PROGRAMS]):
        raise IndexError(number)
    first, past = int(model[starts + number]), int(model[starts + number + 1])
    pairs = [(int(model[lines + 2 * k]), float(model[lines + 2 * k + 1])) for k in range(first, past)]
    return [
        (operation, float(model[constants + int(operand)]) if operation == expression_vm.CONSTANT else operand)
        for operation, operand in pairs
    ]


def inputs_of(lines: Sequence[Line]) -> set[tuple[Line, ...]]:
    """The largest parts of a program that depend on t and not on the state, without polynomials of low degree."""
    found: set[tuple[Line, ...]] = set()

    def note(*values: _Value) -> None:
        for value in values:
            tabled = any(operation == expression_vm.TABLE for operation, _ in value.lines)
            if value.timely and not value.state and value.degree > DEGREE and not tabled:
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
            case _ if operation in expression_vm.TAKEN:
                values = [stack.pop() for _ in range(expression_vm.TAKEN[operation])][::-1]
                if any(value.state for value in values):
                    note(*values)
                    choosing = values[0].timely and not values[0].state
                    tabled = any(op == expression_vm.TABLE for op, _ in values[0].lines)
                    if operation == expression_vm.WHERE and choosing and not tabled:
                        found.add((*values[0].lines, (expression_vm.SIGN, 0.0)))  # which jumps where the choice does
                stack.append(_joined_values(line, values))
            case expression_vm.TABLE:  # steps end at its knots
                value = stack.pop()
                stack.append(value._replace(lines=(*value.lines, line), degree=3.0 * value.degree))
            case _:
                value = stack.pop()
                power = operation == expression_vm.POWER and operand >= 0
                degree = value.degree * operand if power else math.inf
                stack.append(value._replace(lines=(*value.lines, line), degree=degree if value.timely else 0.0))
    note(stack[-1])
    return found


def _joined_values(line: Line, values: Sequence[_Value]) -> _Value:
    """What is known of the result of an operation on several numbers."""
    degrees = [value.degree for value in values]
    timely = any(value.timely for value in values)
    degree = math.inf if timely else 0.0
    if line[0] in (expression_vm.ADD, expression_vm.MULTIPLY):
        degree = max(degrees) if line[0] == expression_vm.ADD else sum(degrees)
    lines = (*(part for value in values for part in value.lines), line)
    return _Value(lines, timely, any(value.state for value in values), degree)


def _knots(model: np.ndarray, numbers: Sequence[int], duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times inside the motion at which tables of the time have knots, and those at which they jump."""
    kinks, jumps = [np.zeros(0)], [np.zeros(0)]
    constants = int(model[AT_CONSTANTS])
    for number in numbers:
        lines = program(model, number)
        for k, (operation, operand) in enumerate(lines):
            if operation != expression_vm.TABLE or (begin := _counted_from(lines[:k])) is None:
                continue
            place = constants + int(operand)
            pieces = int(model[place])
            knots = model[place + 2 : place + 3 + pieces]
            c = model[place + 3 + pieces : place + 3 + 5 * pieces].reshape(pieces, 4)
            d = np.diff(knots)
            ends = c[:, 0] + d * (c[:, 1] + d * (c[:, 2] + d * c[:, 3]))
            leaps = np.append(False, abs(c[1:, 0] - ends[:-1]) > SMALLEST_JUMP * abs(c[:, 0]).max())
            times = knots - begin
            inside = (times > 0.0) & (times < duration)
            leaps = np.append(leaps, False)
            jumps.append(times[inside & leaps])
            kinks.append(times[inside & ~leaps])
    return np.unique(np.concatenate(kinks)), np.unique(np.concatenate(jumps))


def _counted_from(lines: Sequence[Line]) -> float | None:
    """What is added to the time just before the end of these lines; None where something else stands there."""
    if lines and lines[-1][0] == expression_vm.TIME:
        return 0.0
    kinds = [operation for operation, _ in lines[-3:]]
    if kinds == [expression_vm.TIME, expression_vm.CONSTANT, expression_vm.ADD]:
        return float(lines[-2][1])
    return None


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
        values = sample(lines, low[:, None] + width * np.array(SAMPLES))
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


def _kinks_and_jumps(inputs: Sequence[tuple[Line, ...]], duration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times at which inputs have kinks, and those at which they may jump."""
    kinks, jumps = [np.zeros(0)], [np.zeros(0)]
    for lines in inputs:
        parts = [np.array(zeros_of(part, duration).times) for part in intervals.bent_at(lines)]
        times = np.concatenate([np.zeros(0), *parts])
        jump = _is_jump(lines, times, duration)
        kinks.append(times[~jump])
        jumps.append(times[jump])
    return np.concatenate(kinks), np.concatenate(jumps)


def _is_jump(lines: tuple[Line, ...], times: np.ndarray, duration: float) -> np.ndarray:
    """Whether an input jumps at these times: an angle does not where y changes its sign on the right."""
    if not len(times) or not any(operation in expression_vm.JUMPS for operation, _ in lines):
        return np.zeros(len(times), dtype=bool)
    beside = JUMP * np.maximum(times, SOON)
    around = sample(lines, np.stack([times - beside, times, times + beside]))
    usual = abs(sample(lines, np.append(times, duration * np.array(SAMPLES))))
    largest = usual.max(initial=0.0, where=np.isfinite(usual))
    return np.asarray(~(np.ptp(around, axis=0) <= SMALLEST_JUMP * largest))


def _joined(table: np.ndarray) -> np.ndarray:
    """The table without rows that say what the row before says."""
    keep = np.ones(len(table), dtype=bool)
    keep[1:] = (table[1:, 1] != table[:-1, 1]) | (table[1:, 2] > 0)
    return np.ascontiguousarray(table[keep])
