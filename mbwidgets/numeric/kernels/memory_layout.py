"""The flat form of a model and of the work at its states: which number stands where.

Two arrays. ``model`` is what a mechanism is, and no kernel writes to it: a header, then tables of bodies, columns
(velocities), forces, programs, constraints, and the order in which their linear system is eliminated. ``data`` is what
a state needs: a header, then the kernels' work space by body, by column, by force, by constraint. The model's header
says where the tables of both begin and how long a data is; `reset_data` makes one as new. Bodies stand parents first.
Small integers are stored as floats and read with ``int``. A change of a value changes numbers only, so nothing is ever
compiled again. Many datas can share a model: a thread needs one of its own.

What a kernel finds in a data it has computed itself in the same call, but for what is kept on purpose: by the caller
TASK; by the constraints CLEAR, which equations are USED, how LONGEST the row of an expression has been, the
WEAKEST_DIRECTION, and the feet of curves, where the next search begins.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..engines.kernel import Table, Vector, entry_point, kernel

# header of the model: counts of bodies, velocities, coordinates, forces, programs, then where its tables begin, then g
BODIES, VELOCITIES, COORDINATES, FORCES, PROGRAMS = 0, 1, 2, 3, 4
AT_COLUMNS, AT_FORCES, AT_STARTS, AT_LINES, AT_CONSTANTS, AT_ROWS, AT_ORDER, AT_GROUPS = 5, 6, 7, 8, 9, 10, 11, 12
GRAVITY = 13
# constraints: equations m, rows of their table, half width of the band of their linear system; is drift projected away,
# Baumgarte's rate; the longest length of the mechanism, which tells what is rounding; and how many equations are
# independent (0: nobody has counted them)
EQUATIONS, ROWS, BAND, PROJECTED, FEEDBACK, LENGTH, RANK = 16, 17, 18, 19, 20, 21, 22
# where the tables of a data begin, and how long it is
DATA_COLUMNS, DATA_LAWS, DATA_STACK, DATA_FEET, DATA_WORK, DATA_SIZE = 23, 24, 25, 26, 27, 28
HEADER: Final = 29

# header of the data: what the constraints' kernel is asked for, the equation that is not met (−1: all are), how far the
# equations are from being dependent: 0 in a singular position
TASK, UNMET, CLEAR = 0, 1, 2
DATA_HEADER: Final = 3

# bodies, in the model: parent's row (−1 ground), first column, number of columns, index in the model, r_in (3), mass,
# ρ_C (3), tensor at the mass centre (xx, yy, zz, xy, xz, yz)
PARENT, FIRST, COUNT, INDEX, AT, MASS, COM, INERTIA = 0, 1, 2, 3, 4, 7, 8, 11
BODY_SIZE: Final = 17
# bodies, in the data, world axes: R (9), O* (3), r = O*_parent → O* (3), ω (3), v (3), velocity products (6),
# acceleration (6), applied load (6), articulated force or transmitted wrench (6), articulated or composite inertia (21)
ROT, POS, ARM, SPIN, VEL, BIAS, ACC, LOAD, ART, INE = 0, 9, 12, 15, 18, 21, 27, 33, 39, 45
BODY_WORK: Final = 66

# columns, in the model: kind, index in q, index in u, axis in zero-pose axes (3)
KIND, QI, UI, DIRECTION = 0, 1, 2, 3
COLUMN_SIZE: Final = 6
ROTATION, TRANSLATION, BALL, BALL_NEXT = 0, 1, 2, 3  # a ball is BALL followed by two BALL_NEXT
# columns, in the data: axis in the world (3), U = IA S (6), 1/D with D = S·IA S, reduced effort, effort
AXIS, GAIN, PIVOT, REDUCED, EFFORT = 0, 3, 9, 10, 11
COLUMN_WORK: Final = 12

# forces, in the model: kind, body a, body b, column, its index in u, in q, first program, axes (0 world, 1 body),
# values (8)
F_KIND, F_A, F_B, F_COLUMN, F_UI, F_QI, F_PROGRAM, F_AXES, F_VALUES = 0, 1, 2, 3, 4, 5, 6, 7, 8
FORCE_SIZE: Final = 16
SPRING, DAMPER, JOINT_SPRING, JOINT_DAMPER, JOINT_FRICTION, ACTUATOR, FORCE, TORQUE, ALIGNMENT = range(9)
LINE_LAW, JOINT_LAW = 9, 10
L_MEASURE, L_RATE = 0, 1
"""Forces, in the data: x and ẋ of a LINE_LAW or JOINT_LAW, from which its programs V, dV/dx and R are run."""
LAW_SIZE: Final = 2

# constraints, in the model: kind, body a, body b, first program, index in u, number of the constraint, then the points
# or vectors in a (3) and in b (3), world direction (3), value: of a curve the s where the first search for its foot
# begins, of a slope 1 where its velocity is a slide's
C_KIND, C_A, C_B, C_PROGRAM, C_UI, C_OWNER, C_FIRST, C_SECOND, C_NORMAL, C_VALUE = 0, 1, 2, 3, 4, 5, 6, 9, 12, 15
ROW_SIZE: Final = 16
SEPARATION, DISTANCE, ANGLE, EQUATION, SLOPE, CURVE, CURVE_NEXT = range(7)
"""An EQUATION is followed by a SLOPE for each of its ∂/∂u, a CURVE by one CURVE_NEXT."""
CURVE_PROGRAMS: Final = 9
"""Of a CURVE: x, x′, x″, three components each, as functions of s."""

RATES, SETTLE, OBSERVE, STAGE = range(4)
"""What the constraints' kernel can be asked for."""

# constraints, vectors in the data: Φ, Φ̇, Φ̈, Φ_t, size of the terms in Φ, scale of the equation, is the equation used,
# λ, then by velocity: scale, force; and right side, pivots, the direction in which the linear system is weakest; and by
# equation: what its row is compared with, the longest of its group or, for an expression, that it has been itself
PHI, RATE, SECOND, PHI_T, SIZE, ROW_SCALE, USED, MULTIPLIER, SCALE, PUSH, RIGHT, PIVOTS, WEAKEST_DIRECTION, LONGEST = (
    range(14)
)
WORK_VECTORS: Final = 14

LENGTHS, ANGLES, EXPRESSIONS = range(3)
"""Groups of equations, whose rows are compared by length; the size of an expression is the user's choice: its row is
compared with itself alone."""

STACK: Final = 64
"""Depth of the expression machine's stack; a data has two of them."""


class ModelTables(NamedTuple):
    """What a mechanism is: the whole array, and its tables of bodies and of columns."""

    buffer: Any
    body: Any
    column: Any


class DataTables(NamedTuple):
    """What a state needs: the whole array, and its tables of bodies and of columns."""

    buffer: Any
    body: Any
    column: Any


class ConstraintWork(NamedTuple):
    """Work space of the constraints: J (m, nv), M (nv, nv), W (n, n) with n = nv + m, and vectors."""

    J: Any
    M: Any
    W: Any
    vector: Any


@kernel
def model_tables(model: Vector) -> ModelTables:
    """The tables of a model's array: views."""
    n, nv, o = int(model[BODIES]), int(model[VELOCITIES]), int(model[AT_COLUMNS])
    return ModelTables(
        model,
        model[HEADER:o].reshape((n, BODY_SIZE)),
        model[o : o + nv * COLUMN_SIZE].reshape((nv, COLUMN_SIZE)),
    )


@kernel
def data_tables(model: Vector, data: Vector) -> DataTables:
    """The tables of a data's array: views."""
    n, nv, o = int(model[BODIES]), int(model[VELOCITIES]), int(model[DATA_COLUMNS])
    return DataTables(
        data,
        data[DATA_HEADER:o].reshape((n, BODY_WORK)),
        data[o : o + nv * COLUMN_WORK].reshape((nv, COLUMN_WORK)),
    )


@kernel
def tables_of(model: Vector, data: Vector) -> tuple[ModelTables, DataTables]:
    """Both, as kernels hand them about; whoever calls many makes them once."""
    return model_tables(model), data_tables(model, data)


@kernel
def force_table(model: ModelTables) -> Table:
    """The forces."""
    numbers = model.buffer
    return numbers[int(numbers[AT_FORCES]) : int(numbers[AT_STARTS])].reshape((int(numbers[FORCES]), FORCE_SIZE))


@kernel
def law_table(model: ModelTables, data: DataTables) -> Table:
    """The measures of the forces that are laws, by force."""
    o, count = int(model.buffer[DATA_LAWS]), int(model.buffer[FORCES])
    return data.buffer[o : o + LAW_SIZE * count].reshape((count, LAW_SIZE))


@kernel
def program_stack(model: ModelTables, data: DataTables) -> Vector:
    """The stacks of the expression machine: of values, then of the sizes of their terms."""
    o = int(model.buffer[DATA_STACK])
    return data.buffer[o : o + 2 * STACK]


@kernel
def constraint_table(model: ModelTables) -> Table:
    """The rows of the constraints."""
    numbers = model.buffer
    return numbers[int(numbers[AT_ROWS]) : int(numbers[AT_ORDER])].reshape((int(numbers[ROWS]), ROW_SIZE))


@kernel
def curve_feet(model: ModelTables, data: DataTables) -> Vector:
    """Where on its curve each guided point is, by row of the constraints."""
    o = int(model.buffer[DATA_FEET])
    return data.buffer[o : o + int(model.buffer[ROWS])]


@kernel
def elimination_order(model: ModelTables) -> Vector:
    """The place of each velocity, then of each equation, in the constraints' linear system."""
    return model.buffer[int(model.buffer[AT_ORDER]) : int(model.buffer[AT_GROUPS])]


@kernel
def equation_groups(model: ModelTables) -> Vector:
    """The group of each equation."""
    o = int(model.buffer[AT_GROUPS])
    return model.buffer[o : o + int(model.buffer[EQUATIONS])]


@kernel
def constraint_workspace(model: ModelTables, data: DataTables) -> ConstraintWork:
    """Work space of the constraints."""
    m, nv, o = int(model.buffer[EQUATIONS]), int(model.buffer[VELOCITIES]), int(model.buffer[DATA_WORK])
    n = nv + m
    a = o + m * nv
    b = a + nv * nv
    c = b + n * n
    width = max(n, int(model.buffer[COORDINATES]))
    return ConstraintWork(
        data.buffer[o:a].reshape((m, nv)),
        data.buffer[a:b].reshape((nv, nv)),
        data.buffer[b:c].reshape((n, n)),
        data.buffer[c : c + WORK_VECTORS * width].reshape((WORK_VECTORS, width)),
    )


@kernel
def gravity_of(model: ModelTables) -> tuple[float, float, float]:
    """g in world axes."""
    return model.buffer[GRAVITY], model.buffer[GRAVITY + 1], model.buffer[GRAVITY + 2]


@entry_point
def reset_data(model: Vector, data: Vector) -> None:
    """Make a data as new."""
    data[:] = 0.0
    data[UNMET], data[CLEAR] = -1.0, 1.0
    m, d = tables_of(model, data)
    if model[EQUATIONS] > 0:
        rows, feet, vector = constraint_table(m), curve_feet(m, d), constraint_workspace(m, d).vector
        for r in range(rows.shape[0]):
            feet[r] = rows[r, C_VALUE]
        vector[USED, :] = 1.0
        vector[WEAKEST_DIRECTION, :] = 1.0
