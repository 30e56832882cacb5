"""The start of a constrained motion: coordinates and velocities that meet the constraints, near those given."""

from __future__ import annotations

from ..base.tolerances import NUDGE, START_BESIDE, START_CLOSED, START_LEFT_ALONE
from ..engines.kernel import Table, Vector, entry_point, kernel
from .constrained_derivative import constrained_derivative, worst_residual
from .constraint_metric import count_independent, free_direction, solve_least
from .kinematics import coordinate_rates
from .libm import sqrt, square
from .memory_layout import (
    ANGLE,
    ANGLES,
    BALL,
    C_A,
    C_B,
    C_KIND,
    C_OWNER,
    COORDINATES,
    EXPRESSIONS,
    KIND,
    LENGTH,
    OBSERVE,
    PHI,
    PHI_T,
    QI,
    RATE,
    SIZE,
    TASK,
    TRANSLATION,
    UI,
    VELOCITIES,
    constraint_table,
    constraint_workspace,
    equation_groups,
    tables_of,
)
from .vector3 import body_rotation

ASSEMBLED, UNKNOWN, OPEN, HALF_TURNED, TOO_FAST = range(5)
"""Outcomes: consistent; an equation has no finite value or slope; one cannot be met; a weld or orientation is met with
its bodies half a turn apart; an equation asks for a velocity that the others forbid."""
ALIKE = 0.999999
"""Two equations contradict each other and miss by the same but for rounding: the later one is named."""
TRIES = 100
"""Steps of Newton's method, each ½ rad or half the mechanism's reach at most: a dozen lead anywhere, and at a double
root, a singular position, where a step halves the distance only, fifty more to the last digit."""
HALVINGS = 12
"""Halvings of a step that leads nowhere nearer."""
SPARE_ROWS = 9
"""Rows of the room that is given: state, its rate, zeros, residuals, their sizes, change, trial, begin, velocities."""
STATE, RATES_OF, ZEROS, OLD, OLD_SIZE, CHANGE, TRIAL, BEGIN, SPEEDS = range(SPARE_ROWS)


@kernel
def observe_position(model, data, t, q, spare):
    """Φ, J, M at a position, at rest."""
    for i in range(spare.shape[1]):
        spare[STATE, i] = 0.0
    for i in range(q.shape[0]):
        spare[STATE, i] = q[i]
    observe_state(model, data, t, spare)


@kernel
def observe_motion(model, data, t, q, u, spare):
    """Φ, Φ̇, J, M at a state."""
    nq = q.shape[0]
    for i in range(nq):
        spare[STATE, i] = q[i]
    for i in range(u.shape[0]):
        spare[STATE, nq + i] = u[i]
    observe_state(model, data, t, spare)


@kernel
def observe_state(model, data, t, spare):
    """Φ, Φ̇, J, M at the state in the first row."""
    size, nv = int(model.buffer[COORDINATES]) + int(model.buffer[VELOCITIES]) + 1, int(model.buffer[VELOCITIES])
    data.buffer[TASK] = OBSERVE
    constrained_derivative(model, data, spare[ZEROS][:nv], t, spare[STATE][:size], spare[RATES_OF][:size])


@kernel
def displace(model, q, change, moved):
    """q after a change that is written like a velocity; quaternions keep their length."""
    coordinate_rates(model, q, change, moved)
    for i in range(q.shape[0]):
        moved[i] += q[i]
    for c in range(model.column.shape[0]):
        if model.column[c, KIND] == BALL:
            o, size = int(model.column[c, QI]), 0.0
            for j in range(4):
                size += square(moved[o + j])
            size = sqrt(size)
            for j in range(4):
                moved[o + j] /= size


@kernel
def reach_of(model, q):
    """A length that the mechanism is measured by: the longest given, or the longest slide at q; 1 without any."""
    reach = model.buffer[LENGTH]
    for c in range(model.column.shape[0]):
        if model.column[c, KIND] == TRANSLATION:
            reach = max(reach, abs(q[int(model.column[c, QI])]))
    return reach if reach > 0.0 else 1.0


@kernel
def extent(model, change, reach):
    """The largest part of a change, in radians or lengths of the mechanism."""
    size = 1e-300
    for c in range(model.column.shape[0]):
        part = abs(change[int(model.column[c, UI])])
        part = part / reach if model.column[c, KIND] == TRANSLATION else part
        if not part <= size:
            size = part
    return size


@kernel
def relative_length(phi, size, count):
    """The length of Φ in the sizes of its terms."""
    total = 0.0
    for k in range(count):
        total += square(phi[k] / size[k])
    return sqrt(total)


@kernel
def close_positions(model, data, work, t, q, spare):
    """Bring q to the nearest place on the constraints by Newton's method with bounded, halved steps, as far as it gets.

    The state that is observed last is where it ends.
    """
    vector, m, nq, nv = work.vector, work.J.shape[0], q.shape[0], work.J.shape[1]
    old, size, change = spare[OLD], spare[OLD_SIZE], spare[CHANGE][:nv]
    trial, reach = spare[TRIAL][:nq], reach_of(model, q)
    observe_position(model, data, t, q, spare)
    for _ in range(TRIES):
        if worst_residual(work)[0] < START_LEFT_ALONE:
            break
        for k in range(m):
            old[k], size[k] = -vector[PHI, k], vector[SIZE, k] if vector[SIZE, k] > 0.0 else 1.0
        solve_least(model, work, old, change)
        part = 0.5 / extent(model, change, max(reach, reach_of(model, q)))
        if part < 1.0:
            for i in range(nv):
                change[i] *= part
        before, nearer = relative_length(old, size, m), False
        for _ in range(HALVINGS):
            displace(model, q, change, trial)
            observe_position(model, data, t, trial, spare)
            if relative_length(vector[PHI], size, m) < before:
                nearer = True
                break
            for i in range(nv):
                change[i] *= 0.5
        if not nearer:
            observe_position(model, data, t, q, spare)
            break
        for i in range(nq):
            q[i] = trial[i]


@kernel
def residual_part(work, k):
    """|Φ_k| relative to the size of its terms."""
    return abs(work.vector[PHI, k]) / work.vector[SIZE, k] if work.vector[PHI, k] != 0.0 else 0.0


@kernel
def rate_part(model, work, u, k):
    """|Φ̇_k| relative to the size of its terms at velocities u."""
    vector, group, turning, sliding = work.vector, equation_groups(model)[k], 0.0, 0.0
    for c in range(model.column.shape[0]):
        speed = abs(u[int(model.column[c, UI])])
        if model.column[c, KIND] == TRANSLATION:
            sliding = max(sliding, speed)
        else:
            turning = max(turning, speed)
    terms = abs(vector[PHI_T, k])
    for i in range(work.J.shape[1]):
        terms += abs(work.J[k, i] * u[i])
    if group == ANGLES:
        terms += turning
    elif group != EXPRESSIONS:
        terms += vector[SIZE, k] * turning + sliding
    return abs(vector[RATE, k]) / terms if vector[RATE, k] != 0.0 else 0.0


@kernel
def unknown_equation(work):
    """The first equation that has no finite value, rate or slope; −1 without."""
    for k in range(work.J.shape[0]):
        lost = (work.vector[PHI, k] - work.vector[PHI, k]) + (work.vector[RATE, k] - work.vector[RATE, k])
        for i in range(work.J.shape[1]):
            lost += work.J[k, i] - work.J[k, i]
        if lost != 0.0:
            return k
    return -1


@kernel
def rotation_of(data, row):
    """The rotation of the body in a row; the ground does not turn."""
    if row < 0:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    return body_rotation(data, row)


@kernel
def half_turned(model, data):
    """The constraint whose equations x·y′ = y·z′ = z·x′ = 0 are met with x′ = −x or the like; −1 without."""
    rows, r = constraint_table(model), 0
    while r < rows.shape[0] - 2:
        owner, square_to = rows[r, C_OWNER], True
        for j in range(3):
            square_to = square_to and rows[r + j, C_KIND] == ANGLE and rows[r + j, C_OWNER] == owner
        if square_to:
            a, b = rotation_of(data, int(rows[r, C_A])), rotation_of(data, int(rows[r, C_B]))
            trace = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]
            trace += a[6] * b[6] + a[7] * b[7] + a[8] * b[8]
            if trace < 2.0:
                return int(owner)
            r += 2
        r += 1
    return -1


@kernel
def rank_beside(model, data, work, t, q, number, spare):
    """The rank at a position on the constraints beside q, where a singular position shows that it is one."""
    nq, nv = q.shape[0], work.J.shape[1]
    near, change, begin = spare[BEGIN][:nq], spare[SPEEDS][:nv], spare[OLD]
    observe_position(model, data, t, q, spare)
    count_independent(model, work)
    free_direction(work, number, change)
    part = NUDGE / extent(model, change, reach_of(model, q))
    for i in range(nv):
        change[i] *= part
    displace(model, q, change, near)
    close_positions(model, data, work, t, near, spare)
    off = worst_residual(work)[0]
    for k in range(work.J.shape[0]):
        begin[k] = -work.vector[PHI, k]
    solve_least(model, work, begin, change)  # of a double root the residual itself does not tell
    if not min(off, extent(model, change, reach_of(model, q))) < START_BESIDE:
        return 0
    observe_position(model, data, t, near, spare)
    return count_independent(model, work)


@entry_point
def close_loops(model: Vector, data: Vector, t: float, q: Vector, spare: Table) -> float:
    """Bring q to the constraints; returns the largest residual that is left, relative to the terms in it."""
    m, d = tables_of(model, data)
    work = constraint_workspace(m, d)
    close_positions(m, d, work, t, q, spare)
    return worst_residual(work)[0]


@entry_point
def observed_rank(model: Vector, data: Vector) -> int:
    """The rank of J where it was observed last, its rows taken at equal length."""
    m, d = tables_of(model, data)
    return count_independent(m, constraint_workspace(m, d))


@entry_point
def assemble(model: Vector, data: Vector, q: Vector, u: Vector, spare: Table, found: Vector) -> int:
    """Consistent coordinates and velocities near those given, in their place; returns ASSEMBLED or what prevents it.

    ``found`` (4): the equation, or constraint, that prevents it, its residual; the rank of the constraints there, and
    the largest there and beside. ``spare`` has SPARE_ROWS rows of the length of the state, or of the linear system.
    """
    m, d = tables_of(model, data)
    work = constraint_workspace(m, d)
    vector, nv, largest = work.vector, u.shape[0], spare[SPEEDS][: u.shape[0]]
    for j in range(4):
        found[j] = 0.0
    for i in range(spare.shape[1]):
        spare[ZEROS, i] = 0.0
    observe_motion(m, d, 0.0, q, u, spare)
    unknown = unknown_equation(work)
    if unknown >= 0:
        found[0] = unknown
        return UNKNOWN
    close_positions(m, d, work, 0.0, q, spare)
    observe_motion(m, d, 0.0, q, u, spare)
    worst = -1
    for k in range(work.J.shape[0]):
        open_here = not residual_part(work, k) < START_CLOSED
        if open_here and (worst < 0 or not abs(vector[PHI, k]) <= abs(vector[PHI, worst])):
            worst = k
    if worst >= 0:
        found[0], found[1] = worst, vector[PHI, worst]
        return OPEN
    owner = half_turned(m, d)
    if owner >= 0:
        found[0] = owner
        return HALF_TURNED
    for i in range(nv):
        largest[i] = abs(u[i])
    moved = False
    for k in range(work.J.shape[0]):
        moved = moved or rate_part(m, work, u, k) > START_LEFT_ALONE
    if moved:
        for k in range(work.J.shape[0]):
            spare[OLD, k] = -vector[RATE, k]
        solve_least(m, work, spare[OLD], spare[CHANGE])
        for i in range(nv):
            u[i] += spare[CHANGE, i]
            largest[i] = max(largest[i], abs(u[i]))
        observe_motion(m, d, 0.0, q, u, spare)
    for k in range(work.J.shape[0]):  # a mechanism that is locked keeps rounding of what it had
        too_fast = not rate_part(m, work, largest, k) < START_CLOSED
        if too_fast and (worst < 0 or not abs(vector[RATE, k]) < ALIKE * abs(vector[RATE, worst])):
            worst = k
    if worst >= 0:
        found[0], found[1] = worst, vector[RATE, worst]
        return TOO_FAST
    observe_position(m, d, 0.0, q, spare)
    found[2] = count_independent(m, work)
    found[3] = found[2]
    for number in range(2):
        found[3] = max(found[3], float(rank_beside(m, d, work, 0.0, q, number, spare)))
    return ASSEMBLED
