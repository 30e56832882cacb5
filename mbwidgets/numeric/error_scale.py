"""What an error is measured by: the size of the motion itself, so that a nanometre is as exact as a metre.

Numbers of the same kind (lengths, angles, their rates, work) share one size, the largest seen so far. A relative
tolerance alone would ask for ever smaller steps where a number passes through zero: the size stands in for it there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..model.model import Model
from .control import ATOL, BLUR, RTOL, STEP
from .dop853 import STAGES, E
from .jit import kernel

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

LENGTH, ANGLE, UNIT, SPEED, TURNING, WORK = range(6)
KINDS = 6
GROUP, SEEN, TRIED, RADIUS = range(4)
"""Rows of the table of sizes: the kind of each number of the state; by kind, the largest accepted and the largest of
the step that is tried; then a length of the mechanism, by which lengths and angles compare."""


def sizes_of(model: Model, radius: float) -> np.ndarray:
    """The table of sizes for the state (q, u, work) of a model; ``radius``: a length of it, m, 0 where it has none."""
    kinds = [*_coordinates(model), *_velocities(model), WORK]
    table = np.zeros((4, max(len(kinds), KINDS)))
    table[RADIUS, 0] = radius or 1.0
    table[GROUP, : len(kinds)] = kinds
    table[SEEN, :KINDS] = LEAST
    table[SEEN, WORK] = LEAST**2
    return table


def _columns(model: Model) -> Iterator[str]:
    return (column.kind for body in model.bodies for column in body.joint.columns())


def _coordinates(model: Model) -> Iterator[int]:
    for kind in _columns(model):
        yield from (ANGLE, ANGLE, ANGLE, UNIT) if kind == "ball" else (ANGLE if kind == "rotation" else LENGTH,)


def _velocities(model: Model) -> Iterator[int]:
    for kind in _columns(model):
        yield from (TURNING, TURNING, TURNING) if kind == "ball" else (TURNING if kind == "rotation" else SPEED,)


@kernel
def absolute(size, blur):
    """What the absolute tolerance of a kind of numbers is relative to."""
    return min(1.0, SMALL * size * blur) if size < 1.0 else max(1.0, LARGE * size)


@kernel
def couple(size, straight, round_, radius):
    """Let neither lengths nor angles be smaller than the rounding that the others leave in them."""
    size[straight] = max(size[straight], COUPLED * radius * size[round_])
    size[round_] = max(size[round_], COUPLED * size[straight] / radius)


@kernel
def note_sizes(y, new, sizes):
    """The largest number of each kind, the step that is tried included."""
    for kind in range(KINDS):
        sizes[TRIED, kind] = sizes[SEEN, kind]
    for k in range(y.shape[0]):
        kind = int(sizes[GROUP, k])
        sizes[TRIED, kind] = max(sizes[TRIED, kind], abs(y[k]), abs(new[k]))
    couple(sizes[TRIED], LENGTH, ANGLE, sizes[RADIUS, 0])
    couple(sizes[TRIED], SPEED, TURNING, sizes[RADIUS, 0])
    speeds = sizes[TRIED, SPEED] ** 2 + sizes[TRIED, TURNING] ** 2
    sizes[TRIED, WORK] = max(sizes[TRIED, WORK], LEAST_MASS * speeds)


@kernel
def keep_sizes(sizes):
    """The step was accepted."""
    for kind in range(KINDS):
        sizes[SEEN, kind] = sizes[TRIED, kind]


@kernel
def tolerance(y, new, k, control, sizes):
    """What number k of the state may err by in a step, after `note_sizes`; ATOL 0: by the sizes."""
    rtol, atol = control[RTOL], control[ATOL]
    size = atol + rtol * max(abs(y[k]), abs(new[k]))
    return size if atol > 0.0 else size + rtol * absolute(sizes[TRIED, int(sizes[GROUP, k])], control[BLUR])


@kernel
def is_strict(y, control, sizes):
    """Whether the size of a motion makes a tolerance smaller than it would be by itself."""
    for k in range(y.shape[0]):
        if control[ATOL] == 0.0 and absolute(sizes[TRIED, int(sizes[GROUP, k])], control[BLUR]) < 1.0:
            return True
    return False


@kernel
def scaled_change(y, new, control, sizes):
    """How many tolerances a step moves the state by, after `note_sizes`."""
    n, total = y.shape[0], 0.0
    for k in range(n):
        total += ((new[k] - y[k]) / tolerance(y, new, k, control, sizes)) ** 2
    return (total / n) ** 0.5


@kernel
def scaled_error(y, new, control, sizes, K):
    """Size of the error of a step by the estimates of order 5 and 3: below 1 it is accepted."""
    n = y.shape[0]
    note_sizes(y, new, sizes)
    five, three = 0.0, 0.0
    for k in range(n):
        e5, e3 = 0.0, 0.0
        for j in range(STAGES + 1):
            e3 += E[0, j] * K[j, k]
            e5 += E[1, j] * K[j, k]
        size = tolerance(y, new, k, control, sizes)
        five += (e5 / size) ** 2
        three += (e3 / size) ** 2
    if five == 0.0 and three == 0.0:
        return 0.0
    return abs(control[STEP]) * five / ((five + 0.01 * three) * n) ** 0.5
