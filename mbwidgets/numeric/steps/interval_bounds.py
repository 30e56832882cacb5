"""Programs of t alone as kernels: their values at times, and bounds of values and slopes over intervals of time.

A program is the first of a machine; behind it stand programs of single functions (`intervals.machine_of_lines`), which
give the values at the ends of an interval. Bounds are a pair low, high; where nothing is known they are infinite.
"""

from __future__ import annotations

from math import inf, pi

from ..engines.kernel import Table, Vector, entry_point, kernel
from ..kernels.expression_vm import (
    ABS,
    ACOS,
    ADD,
    ASIN,
    ATAN,
    ATAN2,
    CONSTANT,
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
    TAN,
    TANH,
    TIME,
    WHERE,
    function_program,
    integer_power,
    run_program,
    sign,
    smaller,
)
from ..kernels.libm import floor, sqrt
from ..kernels.memory_layout import AT_CONSTANTS, AT_LINES, AT_STARTS, tables_of

LOW, HIGH, LEAST, MOST = range(4)
"""Columns of the stack: bounds of a value, and of its slope."""


@entry_point
def sample_program(machine: Vector, data: Vector, t: Vector, values: Vector) -> None:
    """The values of a program at these times."""
    m, d = tables_of(machine, data)
    for i in range(t.shape[0]):
        values[i] = run_program(m, d, 0, t[i], t, t)


@entry_point
def bound_program(
    machine: Vector, data: Vector, start: Vector, end: Vector, across: bool, stack: Table, room: Vector, bounds: Table
) -> None:
    """Low, high, least and most slope of a program over each interval start … end.

    ``across``: whether a jump counts as an infinite slope. ``room``: for two numbers.
    """
    m, d = tables_of(machine, data)
    lines, constants, first = int(machine[AT_LINES]), int(machine[AT_CONSTANTS]), int(machine[AT_STARTS])
    count = int(machine[first + 1])
    for i in range(start.shape[0]):
        top, k = -1, 0
        while k < count:
            operation, operand = int(machine[lines + 2 * k]), int(machine[lines + 2 * k + 1])
            if operation == CONSTANT or operation == TIME:
                top += 1
                timely = operation == TIME
                stack[top, LOW] = start[i] if timely else machine[constants + operand]
                stack[top, HIGH] = end[i] if timely else machine[constants + operand]
                stack[top, LEAST] = stack[top, MOST] = 1.0 if timely else 0.0
            elif operation == POWER or operation == ABS:
                # |x|ⁿ is written as the root of a square, too
                root = operation == POWER and operand > 0 and operand % 2 == 0 and k + 1 < count
                root = root and int(machine[lines + 2 * k + 2]) == SQRT
                exponent = operand // 2 if root else operand
                bound_power(stack, top, 1 if operation == ABS else exponent, root or operation == ABS)
                k += 1 if root else 0
            elif operation == SIGN:
                low, high = stack[top, LOW], stack[top, HIGH]
                stack[top, LOW], stack[top, HIGH] = sign(low), sign(high)
                stack[top, LEAST], stack[top, MOST] = jump(low, high, across)
            elif operation == WHERE:
                top -= 2
                bound_choice(stack, top, across)
            elif operation == ATAN2:
                top -= 1
                bound_angle(m, d, stack, top, across, room)
            elif operation == ADD or operation == MULTIPLY or operation == MIN or operation == MAX:
                top -= 1
                bound_two(stack, top, operation)
            else:
                bound_call(m, d, stack, top, operation, room)
            k += 1
        for j in range(4):
            bounds[i, j] = stack[0, j]


@kernel
def larger(a, b):
    """The larger of two numbers; NaN where one is none."""
    return -smaller(-a, -b)


@kernel
def joined(operation, a, b):
    """Bounds of a sum, of a product, or of the whole power of a whose exponent is b's first."""
    n = abs(int(b[0])) if operation == POWER else 0
    low, high = inf, -inf
    for corner in range(2 if operation == POWER else 4):
        x, y = a[1] if corner % 2 == 1 else a[0], b[1] if corner > 1 else b[0]
        found = x + y
        if operation == MULTIPLY:
            found = x * y
        elif operation == POWER:
            found = integer_power(x, n)
        low, high = smaller(low, found), larger(high, found)
    if operation == POWER and n % 2 == 0 and a[0] < 0.0 and a[1] > 0.0:
        low = 1.0 if n == 0 else 0.0
    if low != low or high != high:
        return -inf, inf
    if operation == POWER and b[0] < 0.0:
        if low <= 0.0 and high >= 0.0:
            return (1.0 / high if low == 0.0 and high > 0.0 else -inf), inf
        return 1.0 / high, 1.0 / low
    return low, high


@kernel
def known(a):
    """Bounds of which none is not a number."""
    return (-inf, inf) if a[0] != a[0] or a[1] != a[1] else a


@kernel
def value_at(stack, top):
    """The bounds of a value."""
    return stack[top, LOW], stack[top, HIGH]


@kernel
def slope_at(stack, top):
    """The bounds of its slope."""
    return stack[top, LEAST], stack[top, MOST]


@kernel
def put(stack, top, value, slope):
    """Write the bounds of a value and of its slope."""
    stack[top, LOW], stack[top, HIGH] = value
    stack[top, LEAST], stack[top, MOST] = slope


@kernel
def jump(low, high, across):
    """The slope that a jump at the zeros of low … high adds."""
    height = inf if across and low <= 0.0 and high >= 0.0 else 0.0
    return -height, height


@kernel
def bound_two(stack, top, operation):
    """A sum, a product, the smaller or the larger of two numbers."""
    a, da, b, db = value_at(stack, top), slope_at(stack, top), value_at(stack, top + 1), slope_at(stack, top + 1)
    if operation == ADD:
        put(stack, top, joined(ADD, a, b), joined(ADD, da, db))
    elif operation == MULTIPLY:
        slope = joined(ADD, joined(MULTIPLY, da, b), joined(MULTIPLY, a, db))
        put(stack, top, joined(MULTIPLY, a, b), slope)
    else:
        value = smaller(a[0], b[0]), smaller(a[1], b[1])
        below, above = a[1] < b[0], b[1] < a[0]
        if operation == MAX:
            value = larger(a[0], b[0]), larger(a[1], b[1])
            below, above = above, below
        put(stack, top, value, one_of(below, above, da, db))


@kernel
def one_of(first, second, a, b):
    """The bounds of the first, of the second, or of both where it may be either."""
    if first:
        return a
    return b if second else (smaller(a[0], b[0]), larger(a[1], b[1]))


@kernel
def bound_choice(stack, top, across):
    """a where x ≥ 0, b where x < 0."""
    x, a, b = value_at(stack, top), value_at(stack, top + 1), value_at(stack, top + 2)
    first, second = x[0] >= 0.0, x[1] < 0.0
    slope = one_of(first, second, slope_at(stack, top + 1), slope_at(stack, top + 2))
    put(stack, top, one_of(first, second, a, b), joined(ADD, slope, jump(x[0], x[1], across)))


@kernel
def bound_power(stack, top, n, sized):
    """xⁿ and its slope n xⁿ⁻¹ ẋ; ``sized``: |x|ⁿ and n |x|ⁿ⁻¹ sign(x) ẋ."""
    a, da = value_at(stack, top), slope_at(stack, top)
    factor = float(n), float(n)
    if sized:
        factor = float(n) * sign(a[0]), float(n) * sign(a[1])
        low = 0.0 if a[0] < 0.0 and a[1] > 0.0 else smaller(abs(a[0]), abs(a[1]))
        a = low, larger(abs(a[0]), abs(a[1]))
    outer = 0.0, 0.0
    if n != 0:
        outer = joined(MULTIPLY, joined(POWER, a, (float(n - 1), 0.0)), factor)
    put(stack, top, joined(POWER, a, (float(n), 0.0)), joined(MULTIPLY, outer, da))


@kernel
def bound_angle(m, d, stack, top, across, room):
    """The angle of (x, y): extreme at corners, but for boxes that the negative half of the axis of x meets."""
    y, x, dy, dx = value_at(stack, top), value_at(stack, top + 1), slope_at(stack, top), slope_at(stack, top + 1)
    low, high = inf, -inf
    for corner in range(room.shape[0] * 2):
        room[0] = stack[top, LOW + corner % 2] + 0.0
        room[1] = stack[top + 1, LOW + corner // 2] + 0.0
        angle = run_program(m, d, function_program(ATAN2), 0.0, room, room)
        low, high = smaller(low, angle), larger(high, angle)
    around = y[0] <= 0.0 and y[1] >= 0.0 and x[0] <= 0.0
    if around or low != low or high != high:
        low, high = -pi, pi
    back = joined(MULTIPLY, joined(MULTIPLY, y, dx), (-1.0, -1.0))
    turned = joined(ADD, joined(MULTIPLY, x, dy), back)
    square = joined(ADD, joined(POWER, x, (2.0, 0.0)), joined(POWER, y, (2.0, 0.0)))
    slope = joined(MULTIPLY, turned, joined(POWER, square, (-1.0, 0.0)))
    put(stack, top, (low, high), joined(ADD, slope, jump(-1.0 if around else 1.0, 1.0, across)))


@kernel
def bound_call(m, d, stack, top, operation, room):
    """A function of one number, and its slope by the chain rule."""
    a, da = value_at(stack, top), slope_at(stack, top)
    periodic = operation == SIN or operation == COS
    if operation == SQRT or operation == LOG:
        a = max(a[0], 0.0), max(a[1], 0.0)
    elif operation == ASIN or operation == ACOS:
        a = min(1.0, max(-1.0, a[0])), min(1.0, max(-1.0, a[1]))
    value, outer = a, a
    for turn in range(room.shape[0]):  # of a cosine and a sine each is the other's slope
        ahead = 0.5 * pi * float(turn)
        found = bound_function(m, d, SIN if periodic else operation, a[0] + ahead, a[1] + ahead, room)
        if turn == 0:
            value = found
        else:
            outer = found
        if not periodic:
            break
    if operation == COS:
        value, outer = outer, (-value[1], -value[0])
    elif operation != SIN:
        outer = slope_of(operation, a, value)
    put(stack, top, known(value), joined(MULTIPLY, known(outer), da))


@kernel
def bound_function(m, d, operation, start, end, room):
    """Bounds of a function of one number: its values at the ends, by its own program, and what lies between."""
    low, high = 0.0, 0.0
    for side in range(room.shape[0]):
        room[0] = end if side == 1 else start
        if operation == EXP and room[0] == -inf:
            value = 0.0
        elif operation == LOG and room[0] <= 0.0:
            value = -inf
        else:
            value = run_program(m, d, function_program(operation), 0.0, room, room)
        if side == 0:
            low = value
        else:
            high = value
    if operation == ACOS:
        return high, low
    if operation == TAN and floor(start / pi + 0.5) != floor(end / pi + 0.5):
        return -inf, inf
    if operation != SIN:
        return low, high
    low, high = smaller(low, high), larger(low, high)
    whole = not (end - start) / (2.0 * pi) < 1.0
    first, last = start / (2.0 * pi), end / (2.0 * pi)
    if whole or floor(last + 0.25) > floor(first + 0.25):
        low = -1.0
    if whole or floor(last - 0.25) > floor(first - 0.25):
        high = 1.0
    return low, high


@kernel
def slope_of(operation, a, value):
    """Bounds of the derivative over a of a function with these values, other than sine and cosine."""
    if operation == EXP:
        return value
    if operation == SQRT:
        return 0.5 / value[1], 0.5 / value[0]
    if operation == LOG:
        return 1.0 / a[1], 1.0 / a[0]
    square = joined(POWER, value if operation == TAN or operation == TANH else a, (2.0, 0.0))
    if operation == TAN:
        return square[0] + 1.0, square[1] + 1.0
    if operation == TANH:
        return 1.0 - square[1], 1.0 - square[0]
    if operation == ATAN:
        return 1.0 / (1.0 + square[1]), 1.0 / (1.0 + square[0])
    least, most = 1.0 / sqrt(1.0 - square[0]), 1.0 / sqrt(1.0 - square[1])
    return (-most, -least) if operation == ACOS else (least, most)
