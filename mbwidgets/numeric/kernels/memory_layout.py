"""The flat form of a model: which number stands where.

One array, ``memory``, holds a whole model and the kernels' work space: a header, then tables of bodies, columns
(velocities), forces and programs. Bodies stand parents first. Small integers are stored as floats and read with
``int``. A change of a value changes numbers only, so nothing is ever compiled again; a thread needs its own copy.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..engines.kernel import kernel

# header: counts of bodies, velocities, coordinates, forces, programs, then where the tables begin, then g
BODIES, VELOCITIES, COORDINATES, FORCES, PROGRAMS = 0, 1, 2, 3, 4
AT_COLUMNS, AT_FORCES, AT_STARTS, AT_LINES, AT_CONSTANTS, AT_STACK, AT_ROWS, AT_WORK = 5, 6, 7, 8, 9, 10, 11, 12
GRAVITY = 13
# constraints: equations m, rows of their table, half width of the band of their linear system, what is asked for,
# is drift projected away, Baumgarte's rate, the equation that is not met (−1: all are), how far the equations are from
# being dependent: 0 in a singular position; the longest length of the mechanism, which tells what is rounding; and how
# many equations are independent (0: nobody has counted them)
EQUATIONS, ROWS, BAND, TASK, PROJECTED, FEEDBACK, UNMET, CLEAR, LENGTH, RANK = 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
HEADER: Final = 26

# body table, what is given: parent's row (−1 ground), first column, number of columns, index in the model,
# r_in (3), mass, ρ_C (3), tensor at the mass centre (xx, yy, zz, xy, xz, yz)
PARENT, FIRST, COUNT, INDEX, AT, MASS, COM, INERTIA = 0, 1, 2, 3, 4, 7, 8, 11
BODY_GIVEN: Final = 17
# body table, work space, world axes: R (9), O* (3), r = O*_parent → O* (3), ω (3), v (3), velocity products (6),
# acceleration (6), applied load (6), articulated force or transmitted wrench (6), articulated or composite inertia (21)
ROT, POS, ARM, SPIN, VEL, BIAS, ACC, LOAD, ART, INE = 17, 26, 29, 32, 35, 38, 44, 50, 56, 62
BODY_SIZE: Final = 83

# column table, what is given: kind, index in q, index in u, axis in zero-pose axes (3)
KIND, QI, UI, DIRECTION = 0, 1, 2, 3
COLUMN_GIVEN: Final = 6
ROTATION, TRANSLATION, BALL, BALL_NEXT = 0, 1, 2, 3  # a ball is BALL followed by two BALL_NEXT
# column table, work space: axis in the world (3), U = IA S (6), 1/D with D = S·IA S, reduced effort, effort
AXIS, GAIN, PIVOT, REDUCED, EFFORT = 6, 9, 15, 16, 17
COLUMN_SIZE: Final = 18

# force table: kind, body a, body b, column, its index in u, in q, first program, axes (0 world, 1 body), values (8)
F_KIND, F_A, F_B, F_COLUMN, F_UI, F_QI, F_PROGRAM, F_AXES, F_VALUES = 0, 1, 2, 3, 4, 5, 6, 7, 8
FORCE_SIZE: Final = 16
SPRING, DAMPER, JOINT_SPRING, JOINT_DAMPER, JOINT_FRICTION, ACTUATOR, FORCE, TORQUE, ALIGNMENT = range(9)
LINE_LAW, JOINT_LAW = 9, 10
F_MEASURE, F_RATE = 14, 15
"""Of a LINE_LAW or JOINT_LAW, work space: x and ẋ, from which its programs V, dV/dx and R are run."""

# constraint table: kind, body a, body b, first program, index in u, constraint in the model, then the points or
# vectors in a (3) and in b (3), world direction (3), value
C_KIND, C_A, C_B, C_PROGRAM, C_UI, C_OWNER, C_FIRST, C_SECOND, C_NORMAL, C_VALUE = 0, 1, 2, 3, 4, 5, 6, 9, 12, 15
ROW_SIZE: Final = 16
SEPARATION, DISTANCE, ANGLE, EQUATION, SLOPE, CURVE, CURVE_NEXT = range(7)
"""An EQUATION is followed by a SLOPE for each of its ∂/∂u, a CURVE by one CURVE_NEXT."""
CURVE_PROGRAMS: Final = 9
"""Of a CURVE: x, x′, x″, three components each, as functions of s."""

RATES, SETTLE, OBSERVE, STAGE = range(4)
"""What the constraints' kernel can be asked for."""

# vectors of the constraints' work space: Φ, Φ̇, Φ̈, Φ_t, size of the terms in Φ, scale of the equation, is the equation
# used, λ, then by velocity: scale, force; and right side, pivots, place in the order of elimination,
# the direction in which the linear system is weakest; and by equation: its group, whose rows are compared by length,
# and the longest that its row has been
PHI, RATE, SECOND, PHI_T, SIZE, ROW_SCALE, USED, MULTIPLIER, SCALE, PUSH, RIGHT, PIVOTS, PLACE, WEAKEST_DIRECTION = (
    range(14)
)
GROUP, LONGEST = 14, 15
WORK_VECTORS: Final = 16

LENGTHS, ANGLES, EXPRESSIONS = range(3)
"""Groups of equations; the size of an expression is the user's choice: its row is compared with itself alone."""

STACK: Final = 64
"""Depth of the expression machine's stack; memory has two of them."""


@kernel
def body_and_column_tables(memory):
    """The body table and the column table."""
    n, nv, o = int(memory[BODIES]), int(memory[VELOCITIES]), int(memory[AT_COLUMNS])
    return (
        memory[HEADER:o].reshape((n, BODY_SIZE)),
        memory[o : o + nv * COLUMN_SIZE].reshape((nv, COLUMN_SIZE)),
    )


@kernel
def force_table(memory):
    """The force table."""
    o = int(memory[AT_FORCES])
    return memory[o : int(memory[AT_STARTS])].reshape((int(memory[FORCES]), FORCE_SIZE))


@kernel
def constraint_table(memory):
    """The constraint table."""
    o = int(memory[AT_ROWS])
    return memory[o : int(memory[AT_WORK])].reshape((int(memory[ROWS]), ROW_SIZE))


@kernel
def constraint_workspace(memory):
    """Work space of the constraints: J (m, nv), M (nv, nv), W (n, n) with n = nv + m, vectors."""
    m, nv, o = int(memory[EQUATIONS]), int(memory[VELOCITIES]), int(memory[AT_WORK])
    n = nv + m
    a = o + m * nv
    b = a + nv * nv
    c = b + n * n
    width = max(n, int(memory[COORDINATES]))
    return (
        memory[o:a].reshape((m, nv)),
        memory[a:b].reshape((nv, nv)),
        memory[b:c].reshape((n, n)),
        memory[c : c + WORK_VECTORS * width].reshape((WORK_VECTORS, width)),
    )


def tables_of(memory: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`body_and_column_tables` for Python: the same views of the memory, without a call of compiled code."""
    return getattr(body_and_column_tables, "py_func", body_and_column_tables)(memory)


def workspace_of(memory: np.ndarray) -> tuple[np.ndarray, ...]:
    """`constraint_workspace` for Python, likewise."""
    return getattr(constraint_workspace, "py_func", constraint_workspace)(memory)


@kernel
def gravity_of(memory):
    """g in world axes."""
    return memory[GRAVITY], memory[GRAVITY + 1], memory[GRAVITY + 2]
