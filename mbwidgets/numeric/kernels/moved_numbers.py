"""What a slider does to numbers that belong together: unit vectors, quaternions, inertias stay what they are.

Python and a page call the same kernels, so that a slider leaves the same bits in both.
"""

from __future__ import annotations

from math import pi

from ..engines.kernel import Vector, entry_point, kernel
from .expression_vm import ATAN2, COS, SIN, function_program, run_program
from .libm import nearest, sqrt
from .memory_layout import tables_of
from .recipe_steps import make_unit

POLE = 1e-9
"""A vector this close to the pole has no azimuth of its own."""
DIGITS = 1e12
"""Components are rounded to twelve decimals: cos 90° is not quite zero in floats, and vectors that are meant to be
exact become so."""
DEGREE = pi / 180.0
PHYSICAL = 1e-9
"""Part of the trace that the least value of ½ tr J − J has at least: a plate is the limit, which sliders stay short of.
The model's own check allows as much beyond it."""
HALVINGS = 40
"""Of the way that is physical: to a part of 1e-12."""
ROTATIONS = 36
"""Jacobi's rotations converge quadratically: some fifteen make any tensor diagonal to the last digit."""
DIAGONAL = 1e-18
"""Part of the diagonal that the other components have together at most where the tensor counts as diagonal."""


@entry_point
def unit_vector_at_angles(machine: Vector, data: Vector, angles: Vector, vector: Vector) -> None:
    """The vector of unit length, but for twelve decimals, with this azimuth and elevation, degrees.

    ``machine``: programs of single functions, see `function_program`.
    """
    m, d = tables_of(machine, data)
    for k in range(2):
        vector[0] = angles[k] * DEGREE
        sine = run_program(m, d, function_program(SIN), 0.0, vector, vector)
        cosine = run_program(m, d, function_program(COS), 0.0, vector, vector)
        if k == 0:
            vector[1], vector[2] = cosine, sine
        else:
            vector[0], vector[1], vector[2] = rounded(cosine * vector[1]), rounded(cosine * vector[2]), rounded(sine)


@entry_point
def azimuth_and_elevation(machine: Vector, data: Vector, vector: Vector, remembered: float, angles: Vector) -> None:
    """Azimuth and elevation, degrees; at a pole the azimuth is the remembered one. ``machine`` likewise."""
    m, d = tables_of(machine, data)
    level = sqrt(vector[0] * vector[0] + vector[1] * vector[1])
    angles[0], angles[1] = vector[2], level
    elevation = run_program(m, d, function_program(ATAN2), 0.0, angles, angles)
    angles[0], angles[1] = vector[1], vector[0]
    azimuth = run_program(m, d, function_program(ATAN2), 0.0, angles, angles) / DEGREE
    angles[0], angles[1] = azimuth if level > POLE else remembered, elevation / DEGREE


@entry_point
def unit_vector_with_component(vector: Vector, k: int, value: float, found: Vector) -> None:
    """The unit vector, of three numbers or a quaternion, with component k as wanted; the others keep their proportions.

    It is of unit length but for the twelve decimals that are kept.
    """
    size = vector.shape[0]
    wanted = min(1.0, max(-1.0, value))
    square = 0.0
    for j in range(size):
        if j != k:
            square += vector[j] * vector[j]
    others, rest = sqrt(square), sqrt(max(0.0, 1.0 - wanted * wanted))
    for j in range(size):
        if j == k:
            found[j] = rounded(wanted)
        elif others > POLE:
            found[j] = rounded(vector[j] * rest / others)
        else:  # nothing to keep: the next component takes it all
            found[j] = rounded(rest) if j == (k + 1 if k + 1 < size else 0) else 0.0


@entry_point
def unit_axis(vector: Vector) -> None:
    """v/|v| in place of three numbers v."""
    make_unit(vector, 0)


@kernel
def rounded(x):
    """x to twelve decimals; zero has no sign."""
    return nearest(x * DIGITS) / DIGITS + 0.0


@entry_point
def inertia_component_within_reach(tensor: Vector, place: int, value: float) -> float:
    """A component of an inertia (Jx, Jy, Jz, Jxy, Jxz, Jyz) on its way to a value, as far as the tensor stays a body's.

    It may go all the way where the tensor is none to begin with.
    """
    old, low, high = tensor[place], 0.0, 1.0
    for turn in range(HALVINGS + 2):  # all the way, none of it, then halves
        share = 0.5 * (low + high) if turn > 1 else 1.0 - float(turn)
        physical = is_physical(tensor, place, old + share * (value - old) if turn > 0 else value)
        if (turn == 0 and physical) or (turn == 1 and not physical):
            return value
        if physical:
            low = share
        else:
            high = share
    return old + low * (value - old)


@kernel
def is_physical(tensor, place, value):
    """Whether the planar tensor ½ tr J − J has no negative value, with a component replaced."""
    xx = value if place == 0 else tensor[0]
    yy = value if place == 1 else tensor[1]
    zz = value if place == 2 else tensor[2]
    xy = value if place == 3 else tensor[3]
    xz = value if place == 4 else tensor[4]
    yz = value if place == 5 else tensor[5]
    trace = xx + yy + zz
    _, _, largest = principal_values(xx, yy, zz, xy, xz, yz)
    return 0.5 * trace - largest >= PHYSICAL * max(trace, 1e-300)


@entry_point
def principal_moments(tensor: Vector, moments: Vector) -> None:
    """The principal values of a symmetric tensor (Jx, Jy, Jz, Jxy, Jxz, Jyz), increasing."""
    moments[0], moments[1], moments[2] = principal_values(
        tensor[0], tensor[1], tensor[2], tensor[3], tensor[4], tensor[5]
    )


@kernel
def principal_values(xx, yy, zz, xy, xz, yz):
    """The principal values of a symmetric tensor by Jacobi's rotations, increasing.

    To the bit those of `model.tensors`. Each turn makes xy vanish and goes on to the next pair of axes.
    """
    for _ in range(ROTATIONS):
        if abs(xy) + abs(xz) + abs(yz) <= DIAGONAL * (abs(xx) + abs(yy) + abs(zz)):
            break
        if xy != 0.0:
            ratio = (yy - xx) / (2.0 * xy)
            tangent = 1.0 / (abs(ratio) + sqrt(1.0 + ratio * ratio))
            if ratio < 0.0:
                tangent = -tangent
            cosine = 1.0 / sqrt(1.0 + tangent * tangent)
            sine = tangent * cosine
            xx, yy = xx - tangent * xy, yy + tangent * xy
            xz, yz = cosine * xz - sine * yz, sine * xz + cosine * yz
        xx, yy, zz, xy, xz, yz = yy, zz, xx, yz, 0.0, xz
    least, largest = min(xx, min(yy, zz)), max(xx, max(yy, zz))
    return least, max(min(xx, yy), min(max(xx, yy), zz)), largest
