"""How large the terms of an expression are: what its value is rounded by, in parts of the last digit of one.

A value of zero that 10⁹ − 10⁹ makes is known to 10⁻⁷, one that 10⁻⁹ − 10⁻⁹ makes to 10⁻²⁵. Each operation hands on the
sizes of its operands by its slope and adds that of its own result.
"""

from __future__ import annotations

from ..engines.kernel import kernel
from .expression_vm import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    CONSTANT,
    COORDINATE,
    COS,
    EXP,
    LOG,
    MAX,
    MIN,
    MULTIPLY,
    POWER,
    SIGN,
    SIN,
    SQRT,
    TABLE,
    TAN,
    TANH,
    TIME,
    VELOCITY,
    WHERE,
    choose,
    integer_power,
    sign,
    table_value,
)
from .libm import acos, asin, atan, atan2, exp, log, sin_cos, sqrt, tan, tanh
from .memory_layout import AT_CONSTANTS, AT_LINES, AT_STARTS, STACK, program_stack

LARGE = 1e300
"""The size where an expression has no value."""
SMALLEST_SLOPE = 1e-16
"""Of the cosine of an angle, squared: nearer to ±1 than one rounding no sine is known."""


@kernel
def apply_operation(operation, operand, x, size):
    """Value of a function or power at x, and the size of its terms."""
    if operation == POWER:
        value = integer_power(x, operand)
        return value, abs(operand * integer_power(x, operand - 1)) * size + abs(value)
    if operation == SIN:
        s, c = sin_cos(x)
        return s, abs(c) * size + abs(s)
    if operation == COS:
        s, c = sin_cos(x)
        return c, abs(s) * size + abs(c)
    if operation == TAN:
        value = tan(x)
        return value, (1.0 + value * value) * size + abs(value)
    if operation == SQRT and x > 0.0:
        return sqrt(x), 0.5 * size / sqrt(x) + sqrt(x)
    if operation == EXP and x < 709.0:
        return exp(x), exp(x) * (size + 1.0)
    if operation == LOG and x > 0.0:
        return log(x), size / x + abs(log(x))
    if operation == TANH:
        value = tanh(x)
        return value, (1.0 - value * value) * size + abs(value)
    if operation == ATAN:
        return atan(x), size / (1.0 + x * x) + abs(atan(x))
    if operation == ABS:
        return abs(x), size
    if operation == SIGN:
        return sign(x), abs(sign(x))
    if (operation == ASIN or operation == ACOS) and abs(x) <= 1.0:
        value = asin(x) if operation == ASIN else acos(x)
        # at ±1, where the slope has no bound, a rounding ε of x turns the angle by √2ε
        return value, size / sqrt(max(1.0 - x * x, SMALLEST_SLOPE)) + abs(value)
    return 0.0, 0.0 if operation == SQRT and x == 0.0 else LARGE


@kernel
def join_operands(operation, a, b, size, other):
    """Value of an operation on a and b, and the size of its terms."""
    if operation == ADD:
        return a + b, size + other
    if operation == MULTIPLY:
        return a * b, abs(a) * other + abs(b) * size
    if operation == ATAN2:
        value, square = atan2(a, b), a * a + b * b
        return value, (abs(a) * other + abs(b) * size) / square + abs(value) if square > 0.0 else LARGE
    first = (a <= b) == (operation == MIN)
    return (a, size) if first else (b, other)


@kernel
def terms_magnitude(model, data, program, t, q, u):
    """The size of the terms of one program at a state; zero only where all of them are."""
    numbers, stack, top = model.buffer, program_stack(model, data), -1
    starts, lines, constants = int(numbers[AT_STARTS]), int(numbers[AT_LINES]), int(numbers[AT_CONSTANTS])
    for line in range(int(numbers[starts + program]), int(numbers[starts + program + 1])):
        operation, operand = int(numbers[lines + 2 * line]), int(numbers[lines + 2 * line + 1])
        if operation == ADD or operation == MULTIPLY or ATAN2 <= operation <= MAX:
            top -= 1
            stack[top], stack[top + STACK] = join_operands(
                operation, stack[top], stack[top + 1], stack[top + STACK], stack[top + 1 + STACK]
            )
            continue
        if operation == WHERE:
            top -= 2
            chosen = top + 1 if stack[top] >= 0.0 else top + 2
            stack[top + STACK] = stack[chosen + STACK] if stack[top] == stack[top] else LARGE
            stack[top] = choose(stack[top], stack[top + 1], stack[top + 2])
            continue
        if operation == TABLE:
            stack[top] = table_value(numbers, constants + operand, stack[top])
            stack[top + STACK] = abs(stack[top])
            continue
        if operation == CONSTANT or operation == TIME or operation == COORDINATE or operation == VELOCITY:
            top += 1
            if operation == CONSTANT:
                stack[top] = numbers[constants + operand]
            elif operation == TIME:
                stack[top] = t
            else:
                stack[top] = q[operand] if operation == COORDINATE else u[operand]
            stack[top + STACK] = abs(stack[top])
            continue
        stack[top], stack[top + STACK] = apply_operation(operation, operand, stack[top], stack[top + STACK])
    size = stack[STACK]
    return size if size < LARGE else LARGE
