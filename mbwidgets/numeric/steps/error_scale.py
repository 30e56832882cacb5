"""What an error is measured by: the size of the motion itself, so that a nanometre is as exact as a metre.

Numbers of the same kind (lengths, angles, their rates, work) share one size, the largest seen so far. A relative
tolerance alone would ask for ever smaller steps where a number passes through zero: the size stands in for it there.
"""

from __future__ import annotations

import numpy as np

from ...model.model import Model
from ..engines.kernel import kernel
from ..kernels.libm import sqrt, square
from .dop853 import STAGES, E
from .stepper_state import ATOL, BLUR, RTOL, STEP

SMALL = 30.0
"""Times its own size is what a motion's absolute tolerance is relative to, up to 1: motions of a thirtieth of a metre
or a radian and more are computed with the tolerance that they were given, to the bit."""
LARGE = 1e-3
"""The same for motions beyond a thousand: an absolute 1e-10 would be below the rounding of 1e6."""
NOISE = 10.0
"""By how much the scale grows when smaller steps err no less: what is left then is rounding of forces in balance."""

LEAST = 1e-15
"""The least size of a motion, in metres, radians and their rates; of work its square. What is smaller is not at rest by
rounding alone, or is the far tail of something that is still to come."""
COUPLED = 1e-4
"""Part of the lengths that angles count at least, and the other way round: joints that move metres leave the rounding
of metres in joints that turn by nothing."""
LEAST_MASS = 1e-6
"""Work that is less than the energy of so small a mass or moment of inertia may be rounding of forces that do none."""

LENGTH, ANGLE, SPEED, TURNING, UNIT, WORK = range(6)
"""Kinds of numbers: angles stand behind their lengths; a UNIT is the scalar part of a quaternion."""
KINDS = 6
GROUP, SEEN, TRIED, ABSOLUTE, RADIUS = range(5)
"""Rows of the table of sizes: the kind of each number of the state; by kind, the largest accepted, the largest of the
step that is tried and the absolute tolerance; then a length of the mechanism, by which lengths and angles compare."""


_COORDINATES = {"translation": (LENGTH,), "rotation": (ANGLE,), "ball": (ANGLE, ANGLE, ANGLE, UNIT)}
_VELOCITIES = {"translation": (SPEED,), "rotation": (TURNING,), "ball": (TURNING, TURNING, TURNING)}


def sizes_of(model: Model, radius: float) -> np.ndarray:
    """The table of sizes for the state (q, u, work) of a model; ``radius``: a length of it, m, 0 where it has none."""
    columns = [column.kind for body in model.bodies for column in body.joint.columns()]
    kinds = [kind for column in columns for kind in _COORDINATES[column]]
    kinds += [kind for column in columns for kind in _VELOCITIES[column]] + [WORK]
    table = np.zeros((5, max(len(kinds), KINDS)))
    table[RADIUS, 0] = radius or 1.0
    table[GROUP, : len(kinds)] = kinds
    table[SEEN, :KINDS] = LEAST
    table[SEEN, WORK] = LEAST**2
    return table


@kernel
def absolute(size, blur):
    """What the absolute tolerance of a kind of numbers is relative to."""
    return min(1.0, SMALL * size * blur) if size < 1.0 else max(1.0, LARGE * size)


@kernel
def keep_sizes(sizes):
    """The step was accepted."""
    for kind in range(KINDS):
        sizes[SEEN, kind] = sizes[TRIED, kind]


@kernel
def is_strict(y, control, sizes):
    """Whether the size of a motion makes a tolerance smaller than it would be by itself."""
    for k in range(y.shape[0]):
        if control[ATOL] == 0.0 and sizes[ABSOLUTE, int(sizes[GROUP, k])] < control[RTOL]:
            return True
    return False


@kernel
def note_sizes(y, new, control, sizes):
    """The largest number of each kind, the step that is tried included, and the absolute tolerances that follow."""
    for kind in range(KINDS):
        sizes[TRIED, kind] = sizes[SEEN, kind]
    for k in range(y.shape[0]):
        kind = int(sizes[GROUP, k])
        sizes[TRIED, kind] = max(sizes[TRIED, kind], abs(y[k]), abs(new[k]))
    radius = sizes[RADIUS, 0]
    for straight in range(LENGTH, SPEED + 1, 2):
        # neither lengths nor angles are smaller than the rounding that the others leave in them
        sizes[TRIED, straight] = max(sizes[TRIED, straight], COUPLED * radius * sizes[TRIED, straight + 1])
        sizes[TRIED, straight + 1] = max(sizes[TRIED, straight + 1], COUPLED * sizes[TRIED, straight] / radius)
    speeds = square(sizes[TRIED, SPEED]) + square(sizes[TRIED, TURNING])
    sizes[TRIED, WORK] = max(sizes[TRIED, WORK], LEAST_MASS * speeds)
    for kind in range(KINDS):
        sizes[ABSOLUTE, kind] = control[ATOL]
        if control[ATOL] == 0.0:
            sizes[ABSOLUTE, kind] = control[RTOL] * absolute(sizes[TRIED, kind], control[BLUR])


@kernel
def measure_step(y, new, control, sizes, K):
    """The error of a step by the estimates of order 5 and 3, below 1 it is accepted, and how far it moves the state.

    Both in tolerances, absolute and relative together; the root of the mean square over the numbers of the state.
    """
    n, rtol = y.shape[0], control[RTOL]
    note_sizes(y, new, control, sizes)
    five, three, moved = 0.0, 0.0, 0.0
    for k in range(n):
        e5, e3 = 0.0, 0.0
        for j in range(STAGES + 1):
            e3 += E[0, j] * K[j, k]
            e5 += E[1, j] * K[j, k]
        part = 1.0 / (sizes[ABSOLUTE, int(sizes[GROUP, k])] + rtol * max(abs(y[k]), abs(new[k])))
        five += square(e5 * part)
        three += square(e3 * part)
        moved += square((new[k] - y[k]) * part)
    moved = sqrt(moved / n)
    if five == 0.0 and three == 0.0:
        return 0.0, moved
    return abs(control[STEP]) * five / sqrt((five + 0.01 * three) * n), moved
