"""Programs of t over intervals of time: bounds of their values and of their slopes, for many intervals at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from ..kernels import expression_vm

__all__ = ["Bounds", "bent_at", "program_bounds"]

Line = tuple[int, float]
Pair = tuple[np.ndarray, np.ndarray]


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
    stack: list[tuple[Pair, Pair]] = []
    zero = np.zeros_like(start)
    with np.errstate(all="ignore"):
        for k, (operation, operand) in enumerate(lines):
            if k and _is_root_of_square(lines, k - 1):
                continue
            if _is_root_of_square(lines, k):
                stack.append(_size_to(*stack.pop(), int(operand) // 2))
                continue
            match operation:
                case expression_vm.CONSTANT:
                    constant = np.full_like(start, operand)
                    stack.append(((constant, constant), (zero, zero)))
                case expression_vm.TIME:
                    stack.append(((start, end), (zero + 1.0, zero + 1.0)))
                case expression_vm.ADD:
                    (b, db), (a, da) = stack.pop(), stack.pop()
                    stack.append((_add(a, b), _add(da, db)))
                case expression_vm.MULTIPLY:
                    (b, db), (a, da) = stack.pop(), stack.pop()
                    stack.append((_multiply(a, b), _add(_multiply(da, b), _multiply(a, db))))
                case expression_vm.POWER:
                    a, da = stack.pop()
                    n = int(operand)
                    outer = _scaled(_power(a, n - 1), n) if n else (zero, zero)
                    stack.append((_power(a, n), _multiply(outer, da)))
                case expression_vm.ABS:
                    stack.append(_size_to(*stack.pop(), 1))
                case expression_vm.SIGN:
                    a, _ = stack.pop()
                    stack.append(((np.sign(a[0]), np.sign(a[1])), _jump(a, across)))
                case expression_vm.ATAN2:
                    (b, db), (a, da) = stack.pop(), stack.pop()
                    stack.append(_angle(a, b, da, db, across))
                case expression_vm.WHERE:
                    (b, db), (a, da), (x, _) = stack.pop(), stack.pop(), stack.pop()
                    slope = _add(_either(x, da, db), _jump(x, across))
                    stack.append((_either(x, a, b), slope))
                case expression_vm.MIN:
                    (b, db), (a, da) = stack.pop(), stack.pop()
                    stack.append(_smaller(a, b, da, db))
                case expression_vm.MAX:
                    (b, db), (a, da) = stack.pop(), stack.pop()
                    value, slope = _smaller(*(_scaled(item, -1) for item in (a, b, da, db)))
                    stack.append((_scaled(value, -1), _scaled(slope, -1)))
                case _:
                    a, da = stack.pop()
                    value, outer = _CALLS[operation](a)
                    stack.append((_known(value), _multiply(_known(outer), da)))
        (low, high), (least, most) = stack[-1]
        return Bounds(low, high, np.maximum(abs(least), abs(most)), (least > 0.0) | (most < 0.0))


def _known(pair: Pair) -> Pair:
    """Where a bound is not a number nothing is known."""
    low, high = pair
    bad = np.isnan(low) | np.isnan(high)
    return np.where(bad, -math.inf, low), np.where(bad, math.inf, high)


def _jump(a: Pair, across: bool) -> Pair:
    """The slope that a jump at the zeros of a adds."""
    height = np.where(across & (a[0] <= 0.0) & (a[1] >= 0.0), math.inf, 0.0)
    return -height, height


def _add(a: Pair, b: Pair) -> Pair:
    return _known((a[0] + b[0], a[1] + b[1]))


def _multiply(a: Pair, b: Pair) -> Pair:
    corners = np.array([a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]])
    return _known((corners.min(axis=0), corners.max(axis=0)))


def _scaled(a: Pair, factor: int) -> Pair:
    return (a[0] * factor, a[1] * factor) if factor > 0 else (a[1] * factor, a[0] * factor)


def _power(a: Pair, n: int) -> Pair:
    if n < 0:
        low, high = _power(a, -n)
        around = (low <= 0.0) & (high >= 0.0)
        least = np.where((low == 0.0) & (high > 0.0), 1.0 / high, -math.inf)
        return np.where(around, least, 1.0 / high), np.where(around, math.inf, 1.0 / low)
    first, second = a[0] ** n, a[1] ** n
    if n % 2:
        return _known((first, second))
    inside = (a[0] < 0.0) & (a[1] > 0.0)
    one = 1.0 if n == 0 else 0.0
    return _known((np.where(inside, one, np.minimum(first, second)), np.maximum(first, second)))


def _size_to(a: Pair, da: Pair, n: int) -> tuple[Pair, Pair]:
    """|x|ⁿ and its slope n |x|ⁿ⁻¹ sign(x) ẋ."""
    inside = (a[0] < 0.0) & (a[1] > 0.0)
    ends = abs(a[0]), abs(a[1])
    size = np.where(inside, 0.0, np.minimum(*ends)), np.maximum(*ends)
    sign = np.sign(a[0]), np.sign(a[1])
    return _power(size, n), _multiply(_multiply(_scaled(_power(size, n - 1), n), sign), da)


def _either(x: Pair, a: Pair, b: Pair) -> Pair:
    """a where x ≥ 0, b where x < 0, both where x may be either."""
    first, second = x[0] >= 0.0, x[1] < 0.0
    low = np.where(first, a[0], np.where(second, b[0], np.minimum(a[0], b[0])))
    return low, np.where(first, a[1], np.where(second, b[1], np.maximum(a[1], b[1])))


def _smaller(a: Pair, b: Pair, da: Pair, db: Pair) -> tuple[Pair, Pair]:
    """The smaller of a and b, and its slope: that of either where they may meet."""
    first, second = a[1] < b[0], b[1] < a[0]
    least = np.where(first, da[0], np.where(second, db[0], np.minimum(da[0], db[0])))
    most = np.where(first, da[1], np.where(second, db[1], np.maximum(da[1], db[1])))
    return (np.minimum(a[0], b[0]), np.minimum(a[1], b[1])), (least, most)


def _angle(y: Pair, x: Pair, dy: Pair, dx: Pair, across: bool) -> tuple[Pair, Pair]:
    """The angle of (x, y): extreme at corners, but for boxes that the negative half of the axis of x meets."""
    corners = np.array([np.arctan2(a + 0.0, b + 0.0) for a in y for b in x])
    around = (y[0] <= 0.0) & (y[1] >= 0.0) & (x[0] <= 0.0)
    value = np.where(around, -math.pi, corners.min(axis=0)), np.where(around, math.pi, corners.max(axis=0))
    turned = _add(_multiply(x, dy), _scaled(_multiply(y, dx), -1))
    slope = _multiply(turned, _power(_add(_power(x, 2), _power(y, 2)), -1))
    return value, _add(slope, _jump((np.where(around, -1.0, 1.0), np.ones_like(y[0])), across))


def _sine(a: Pair) -> Pair:
    low, high = a
    first, second = np.sin(low), np.sin(high)
    turns = (high - low) / (2 * math.pi)
    peak = np.floor(high / (2 * math.pi) - 0.25) > np.floor(low / (2 * math.pi) - 0.25)
    trough = np.floor(high / (2 * math.pi) + 0.25) > np.floor(low / (2 * math.pi) + 0.25)
    unknown = ~(turns < 1.0)
    return (
        np.where(trough | unknown, -1.0, np.minimum(first, second)),
        np.where(peak | unknown, 1.0, np.maximum(first, second)),
    )


def _cosine(a: Pair) -> Pair:
    return _sine((a[0] + math.pi / 2, a[1] + math.pi / 2))


def _sin(a: Pair) -> tuple[Pair, Pair]:
    return _sine(a), _cosine(a)


def _cos(a: Pair) -> tuple[Pair, Pair]:
    low, high = _sine(a)
    return _cosine(a), (-high, -low)


def _tan(a: Pair) -> tuple[Pair, Pair]:
    same = np.floor(a[0] / math.pi + 0.5) == np.floor(a[1] / math.pi + 0.5)
    value = np.where(same, np.tan(a[0]), -math.inf), np.where(same, np.tan(a[1]), math.inf)
    square = _power(value, 2)
    return value, (square[0] + 1.0, square[1] + 1.0)


def _sqrt(a: Pair) -> tuple[Pair, Pair]:
    low, high = np.sqrt(np.maximum(a[0], 0.0)), np.sqrt(np.maximum(a[1], 0.0))
    return (low, high), (0.5 / high, 0.5 / low)


def _exp(a: Pair) -> tuple[Pair, Pair]:
    value = np.exp(a[0]), np.exp(a[1])
    return value, value


def _log(a: Pair) -> tuple[Pair, Pair]:
    low, high = np.maximum(a[0], 0.0), np.maximum(a[1], 0.0)
    return (np.log(low), np.log(high)), (1.0 / high, 1.0 / low)


def _tanh(a: Pair) -> tuple[Pair, Pair]:
    low, high = np.tanh(a[0]), np.tanh(a[1])
    square = _power((low, high), 2)
    return (low, high), (1.0 - square[1], 1.0 - square[0])


def _atan(a: Pair) -> tuple[Pair, Pair]:
    square = _power(a, 2)
    return (np.arctan(a[0]), np.arctan(a[1])), (1.0 / (1.0 + square[1]), 1.0 / (1.0 + square[0]))


def _asin(a: Pair) -> tuple[Pair, Pair]:
    inside = np.clip(a[0], -1.0, 1.0), np.clip(a[1], -1.0, 1.0)
    square = _power(inside, 2)
    slope = 1.0 / np.sqrt(1.0 - square[0]), 1.0 / np.sqrt(1.0 - square[1])
    return (np.arcsin(inside[0]), np.arcsin(inside[1])), slope


def _acos(a: Pair) -> tuple[Pair, Pair]:
    (low, high), (least, most) = _asin(a)
    return (math.pi / 2 - high, math.pi / 2 - low), (-most, -least)


_CALLS: Final[dict[int, Callable[[Pair], tuple[Pair, Pair]]]] = {
    expression_vm.SIN: _sin,
    expression_vm.COS: _cos,
    expression_vm.TAN: _tan,
    expression_vm.SQRT: _sqrt,
    expression_vm.EXP: _exp,
    expression_vm.LOG: _log,
    expression_vm.TANH: _tanh,
    expression_vm.ATAN: _atan,
    expression_vm.ASIN: _asin,
    expression_vm.ACOS: _acos,
}
