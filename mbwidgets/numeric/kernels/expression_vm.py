"""Expressions of t, q and u as programs for a small stack machine that runs inside the kernels.

A new expression is new data, not new code: nothing is compiled when a user types one.
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

from ...errors import ExpressionError
from ...expressions import Call, Expression, Power, Product, Sum, Table, Variable
from ..engines.kernel import kernel
from .libm import acos, asin, atan, atan2, cos, exp, log, sin, sqrt, tan, tanh
from .memory_layout import AT_CONSTANTS, AT_LINES, AT_STARTS, STACK, program_stack

CONSTANT, TIME, COORDINATE, VELOCITY, ADD, MULTIPLY, POWER, SIN, COS, TAN, SQRT, EXP, LOG = range(13)
TANH, ATAN, ASIN, ACOS, ABS, SIGN, ATAN2, MIN, MAX, WHERE = range(13, 23)
TABLE = 23
CALLS = {
    "sin": SIN,
    "cos": COS,
    "tan": TAN,
    "sqrt": SQRT,
    "exp": EXP,
    "log": LOG,
    "tanh": TANH,
    "atan": ATAN,
    "asin": ASIN,
    "acos": ACOS,
    "abs": ABS,
    "sign": SIGN,
    "atan2": ATAN2,
    "min": MIN,
    "max": MAX,
    "where": WHERE,
}
JUMPS = frozenset({SIGN, ATAN2, WHERE})
"""Operations whose value jumps."""
TAKEN = {ADD: 2, MULTIPLY: 2, ATAN2: 2, MIN: 2, MAX: 2, WHERE: 3}
"""How many numbers an operation takes from the stack, where it is not one; it leaves one."""


class Assembler:
    """Collects programs; each part without a variable becomes one constant, a number or an expression of symbols."""

    def __init__(self) -> None:
        self.starts = [0]
        self.lines: list[tuple[int, int]] = []
        self.constants: list[Any] = []

    def add(self, value: Any) -> int:
        """Append the program of an expression; returns its number."""
        return self.end(self._emit(value))

    def end(self, depth: int) -> int:
        """End the program whose lines have been written, which needs a stack of this depth; returns its number."""
        if depth > STACK:
            raise ExpressionError("the expression is nested too deeply", remedy="write it in parts")
        self.starts.append(len(self.lines))
        return len(self.starts) - 2

    def _emit(self, value: Any) -> int:
        """Write the lines of a value; returns the stack depth that it needs."""
        if not isinstance(value, Expression) or not any(isinstance(leaf, Variable) for leaf in value.leaves()):
            self.lines.append((CONSTANT, len(self.constants)))
            self.constants.append(value)
            return 1
        match value:
            case Variable(kind=kind, index=index):
                self.lines.append(({"t": TIME, "q": COORDINATE, "u": VELOCITY}[kind], index))
                return 1
            case Sum(terms=parts) | Product(factors=parts):
                depth = self._emit(parts[0])
                for part in parts[1:]:
                    depth = max(depth, 1 + self._emit(part))
                    self.lines.append((ADD if isinstance(value, Sum) else MULTIPLY, 0))
                return depth
            case Power(base=base, exponent=exponent):
                depth = self._emit(base)
                self.lines.append((POWER, exponent))
                return depth
            case Table(argument=argument):
                depth = self._emit(argument)
                self.lines.append((TABLE, len(self.constants)))
                knots, coefficients = value.pieces
                self.constants += [len(coefficients), int(value.order > 0), *knots, *coefficients.ravel()]
                return depth
            case Call(name=name, arguments=arguments):
                depth = max(place + self._emit(argument) for place, argument in enumerate(arguments))
                self.lines.append((CALLS[name], 0))
                return depth
        raise ExpressionError(f"{value} cannot be compiled")


__all__ = ["Assembler", "function_program", "run_program", "table_value"]


@kernel
def run_program(model, data, program, t, q, u):
    """The value of one program at a state."""
    numbers, stack, top = model.buffer, program_stack(model, data), -1
    starts, lines, constants = int(numbers[AT_STARTS]), int(numbers[AT_LINES]), int(numbers[AT_CONSTANTS])
    for line in range(int(numbers[starts + program]), int(numbers[starts + program + 1])):
        operation, operand = int(numbers[lines + 2 * line]), int(numbers[lines + 2 * line + 1])
        if operation == CONSTANT:
            top += 1
            stack[top] = numbers[constants + operand]
        elif operation == TIME:
            top += 1
            stack[top] = t
        elif operation == COORDINATE:
            top += 1
            stack[top] = q[operand]
        elif operation == VELOCITY:
            top += 1
            stack[top] = u[operand]
        elif operation == ADD:
            top -= 1
            stack[top] += stack[top + 1]
        elif operation == MULTIPLY:
            top -= 1
            stack[top] *= stack[top + 1]
        elif operation == POWER:
            stack[top] = integer_power(stack[top], operand)
        elif operation == SIN:
            stack[top] = sin(stack[top])
        elif operation == COS:
            stack[top] = cos(stack[top])
        elif operation == TAN:
            stack[top] = tan(stack[top])
        elif operation == SQRT:
            stack[top] = sqrt(stack[top]) if stack[top] >= 0.0 else nan
        elif operation == EXP:
            stack[top] = exp(stack[top]) if stack[top] < 709.0 else inf
        elif operation == LOG:
            stack[top] = log(stack[top]) if stack[top] > 0.0 else nan
        elif operation == TANH:
            stack[top] = tanh(stack[top])
        elif operation == ATAN:
            stack[top] = atan(stack[top])
        elif operation == ASIN:
            stack[top] = asin(stack[top])
        elif operation == ACOS:
            stack[top] = acos(stack[top])
        elif operation == ABS:
            stack[top] = abs(stack[top])
        elif operation == SIGN:
            stack[top] = sign(stack[top])
        elif operation == ATAN2:
            top -= 1
            stack[top] = atan2(stack[top], stack[top + 1])
        elif operation == MIN:
            top -= 1
            stack[top] = smaller(stack[top], stack[top + 1])
        elif operation == MAX:
            top -= 1
            stack[top] = -smaller(-stack[top], -stack[top + 1])
        elif operation == WHERE:
            top -= 2
            stack[top] = choose(stack[top], stack[top + 1], stack[top + 2])
        elif operation == TABLE:
            stack[top] = table_value(numbers, constants + operand, stack[top])
    return stack[0]


@kernel
def table_value(numbers, place, x):
    """A table's value at x: how many pieces it has, whether it is a derivative, knots, coefficients of each piece.

    Beyond its ends it is what it is there, and its derivatives are zero.
    """
    if x - x != 0.0:
        return nan
    pieces, knots = int(numbers[place]), place + 2
    if x < numbers[knots] or x > numbers[knots + pieces]:
        if numbers[place + 1] != 0.0:
            return 0.0
        x = numbers[knots] if x < numbers[knots] else numbers[knots + pieces]
    low, high = 0, pieces
    while high - low > 1:
        middle = (low + high) // 2
        if numbers[knots + middle] <= x:
            low = middle
        else:
            high = middle
    d, c = x - numbers[knots + low], knots + pieces + 1 + 4 * low
    return numbers[c] + d * (numbers[c + 1] + d * (numbers[c + 2] + d * numbers[c + 3]))


@kernel
def function_program(operation):
    """The number of an operation's own program in a machine that holds one of each function behind its first program.

    Kernels that need a function at few places run its program: so the machine holds all of them once.
    """
    return 1 + operation - SIN


@kernel
def sign(x):
    """−1, 0 or 1; NaN of what is none."""
    if x > 0.0:
        return 1.0
    return -1.0 if x < 0.0 else x


@kernel
def smaller(a, b):
    """The smaller of two numbers; NaN where one is none."""
    return a if a <= b or a != a else b


@kernel
def choose(x, a, b):
    """a where x ≥ 0, else b; NaN where x is none."""
    if x >= 0.0:
        return a
    return b if x < 0.0 else x


@kernel
def integer_power(base, exponent):
    """baseⁿ by repeated multiplication; a negative power of zero is infinite."""
    result = 1.0
    for _ in range(abs(exponent)):
        result *= base
    if exponent >= 0:
        return result
    return 1.0 / result if result != 0.0 else inf
