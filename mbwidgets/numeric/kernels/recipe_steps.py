"""The steps of a recipe: from the values of a model's parameters to the numbers that the kernels read.

A step is a row of four small integers: its kind, the slot that it fills, an operand and a count. Kinds:

- `PROGRAM`: the value of a program of the recipe, whose coordinates are the parameters; the operand is its number;
- `COPY`: the number in the slot that is the operand;
- `UNIT`: three numbers from the slot on, made a vector of length 1;
- `ACROSS`: the unit vector from the slot on gives way to the first or second vector across it, by the operand;
- `LARGEST`: the largest absolute value of the slot and of ``count`` numbers from the operand on.
"""

from __future__ import annotations

from ..engines.kernel import Table, Vector, entry_point, kernel
from .expression_vm import run_program
from .libm import sqrt
from .memory_layout import tables_of

PROGRAM, COPY, UNIT, ACROSS, LARGEST = range(5)

HALVES = 134217729.0
"""2²⁷ + 1, by which Veltkamp splits a number into two halves whose products are exact."""
SAFE = 1e140
"""Between 1/SAFE and SAFE squares neither overflow nor lose digits."""
FAR = 2.0**600
"""A power of two, by which nothing is rounded, that brings all others there."""


@entry_point
def follow_recipe(machine: Vector, data: Vector, steps: Table, values: Vector, numbers: Vector) -> int:
    """Carry out the steps; returns the number of the first that has no finite value, −1 where all have one."""
    m, d = tables_of(machine, data)
    for k in range(steps.shape[0]):
        kind, slot, operand = int(steps[k, 0]), int(steps[k, 1]), int(steps[k, 2])
        if kind == PROGRAM:
            numbers[slot] = run_program(m, d, operand, 0.0, values, values)
        elif kind == COPY:
            numbers[slot] = numbers[operand]
        elif kind == UNIT:
            make_unit(numbers, slot)
        elif kind == ACROSS:
            turn_across(numbers, slot, operand)
        else:
            for place in range(operand, operand + int(steps[k, 3])):
                numbers[slot] = max(numbers[slot], abs(numbers[place]))
        if numbers[slot] - numbers[slot] != 0.0:
            return k
    return -1


@kernel
def make_unit(numbers, slot):
    """v/|v| in place of v; no numbers where v is zero."""
    length = vector_length(numbers[slot], numbers[slot + 1], numbers[slot + 2])
    for j in range(3):
        numbers[slot + j] /= length


@kernel
def vector_length(x, y, z):
    """√(x² + y² + z²), its last digit right but for one case in some hundreds; NaN of the zero vector."""
    largest = max(abs(x), max(abs(y), abs(z)))
    if not largest > 0.0:
        return largest / largest
    factor = 1.0
    if largest >= SAFE:
        factor = FAR
    elif largest <= 1.0 / SAFE:
        factor = 1.0 / FAR
    a, b, c = x / factor, y / factor, z / factor
    whole = a * a + b * b + c * c
    root = sqrt(whole)
    # Newton's correction, with what the squares and their sum lost
    lost = square_rest(a) + square_rest(b) + square_rest(c) - square_rest(root)
    left = ((a * a - root * root) + b * b) + c * c
    if abs(b) > abs(a) and abs(b) >= abs(c):
        left = ((b * b - root * root) + a * a) + c * c
    elif abs(c) > abs(a):
        left = ((c * c - root * root) + a * a) + b * b
    return factor * (root + (left + lost) / (2.0 * root))


@kernel
def square_rest(x):
    """What rounding took from x·x."""
    high = HALVES * x - (HALVES * x - x)
    low = x - high
    return ((high * high - x * x) + 2.0 * high * low) + low * low


@kernel
def turn_across(numbers, slot, which):
    """The first or second of x and y, turned as z is to the unit vector n, in place of n.

    Rodrigues' rotation z → n: R = I + [v] + [v]²/(1 + n·z), v = z × n; near −z its quotient loses no digits as
    (1 − n·z)/|v|².
    """
    a, b, c = -numbers[slot + 1], numbers[slot], numbers[slot + 2]
    aside = a * a + b * b
    x, y, z = 1.0 - float(which), float(which), 0.0
    if aside == 0.0 and c < 0.0:
        y = -y
    elif aside > 0.0:
        quotient = (1.0 - c) / aside if c < 0.0 else 1.0 / (1.0 + c)
        x, y, z = 1.0 - b * b * quotient, a * b * quotient, -b
        if which == 1:
            x, y, z = a * b * quotient, 1.0 - a * a * quotient, a
    numbers[slot], numbers[slot + 1], numbers[slot + 2] = x, y, z
    make_unit(numbers, slot)
