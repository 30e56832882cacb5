"""A point of a mechanism is pulled: the pose in which it is nearest to a hand, and a spring that suits what is felt.

All work is in the metric of the kinetic energy, M = L Lᵀ: A the Jacobian (3, nv) of the point, B = A L⁻ᵀ without what
the constraints and the limits of joints forbid, so that the mobility B Bᵀ tells how far a unit force moves the point.
What has no mass is given some.
"""

from __future__ import annotations

from ..base.tolerances import DEPENDENT_AT_START, START_CLOSED
from ..engines.kernel import Table, Vector, entry_point, kernel
from .assembly import close_positions, displace, extent, observe_position
from .constrained_derivative import worst_residual
from .constraint_metric import fill_metric_rows, leave_metric
from .entry_points import fill_mass_matrix_of
from .kinematics import update_angular_velocities, update_linear_velocities, update_poses
from .libm import sqrt, square
from .loads import place_of, point_lever, velocity_of
from .memory_layout import (
    MASS,
    POS,
    constraint_workspace,
    tables_of,
)
from .moved_numbers import principal_values
from .row_rotations import orthogonalise_rows, row_product
from .vector3 import dot, get_vector, subtract

TURNS = 60
"""Steps towards the hand at most; a drag asks again from where it was left."""
NEAR = 1e-6
"""Of the mechanism's length: how near to the hand is at the hand."""
STEP = 0.3
"""Radians, or lengths of the mechanism, of one step: along a longer one the point would leave its tangent."""
SOFT, HARDER, SOFTER, HARDEST = 1e-6, 10.0, 0.5, 1e6
"""Of the mobility: what is added to it at first and at least, times what where a step leads nowhere and where it leads
nearer, and how much tells that none does."""
STALLED = 1e-7
"""Part of the way that a step must gain, or the hand is out of reach."""
MASSLESS = 1e-8
"""Of the mean inertia, given to what has none: it follows the hand before all else."""
FORBIDDEN = 1e-16
"""Square of the part of a limited velocity that constraints leave, below which it is rounding."""
AT_LIMIT = 1e-12
"""Relative: nearer to its limit than this a joint is at it."""
FIRM = 3.0
"""Of the spring's own frequency over that of a pendulum as long as the mechanism: it follows within a second."""
STRONGEST = 4.0
"""Weights of the whole mechanism with which a hand pulls that is as far away as the mechanism is long."""
DAMPED = 0.25
"""Of critical damping: the hand takes the shake out of it, not the swing."""
STANDARD_GRAVITY = 9.80665
"""m/s²: sets how fast the spring is, with the weight or without it."""
PLACE, VELOCITY, LOWER, UPPER, MET = range(5)
"""A limit: its coordinate, its velocity, its bounds; whether it is met, in the end."""
LIMIT_SIZE = 5
LEFT, REACH, MOVABLE, STIFFNESS, DAMPING = range(5)
"""What is found: the distance that is left, the length of the mechanism, whether the point can move; a spring."""
FIRST_ROW, CHANGE_ROW, UNIT_ROW, TRIAL_ROW, LIMIT_ROWS = 0, 3, 4, 5, 6
"""Rows of the room: B, a change, a velocity, a pose, and one for each limit."""


@kernel
def observe_metric(model, data, work, q, spare):
    """L and the rows of J L⁻ᵀ at a pose, orthogonal; returns the square of the longest."""
    M, size = work.M, 0.0
    m, nv = work.J.shape
    if m > 0:
        observe_position(model, data, 0.0, q, spare)
    else:
        fill_mass_matrix_of(model.buffer, data.buffer, q, M)
    for i in range(nv):
        size += M[i, i] / nv
    for i in range(nv):
        M[i, i] += MASSLESS * (size if size > 0.0 else 1.0)
    fill_metric_rows(model, work)
    return orthogonalise_rows(work.W, m, nv, nv)


@kernel
def enter_metric(work, x):
    """L⁻¹ x in place: a row of a Jacobian in the metric."""
    W = work.W
    m, nv = work.J.shape
    for i in range(nv):
        value = x[i]
        for j in range(i):
            value -= W[m + i, j] * x[j]
        x[i] = value / W[m + i, i]


@kernel
def leave_out(x, rows, k, width):
    """Take from a vector what it has of a row."""
    own, share = row_product(rows, k, k, width), 0.0
    for i in range(width):
        share += rows[k, i] * x[i]
    for i in range(width):
        x[i] -= share / own * rows[k, i]


@kernel
def leave_out_constraints(work, longest, x):
    """Take from a vector in the metric what the constraints forbid."""
    m, nv = work.J.shape
    turn = 0
    while turn < 2:  # the second turn takes away what rounding has left
        turn += 1
        for k in range(m):
            if row_product(work.W, k, k, nv) > square(DEPENDENT_AT_START) * longest:
                leave_out(x, work.W, k, nv)


@kernel
def point_place(data, row, point):
    """Where a point of the body in a row is."""
    return place_of(data, row, point_lever(data, row, point))


@kernel
def fill_point_rows(model, data, work, q, row, point, longest, room):
    """B: ∂v/∂u of the point in the metric, without what the constraints forbid."""
    nv = work.J.shape[1]
    unit = room[UNIT_ROW][:nv]
    update_poses(model, data, q)
    lever = point_lever(data, row, point)
    for i in range(nv):
        unit[i] = 0.0
    for i in range(nv):
        unit[i] = 1.0
        update_angular_velocities(model, data, unit)
        update_linear_velocities(model, data, unit)
        v = velocity_of(data, row, lever)
        for j in range(3):
            room[FIRST_ROW + j, i] = v[j]
        unit[i] = 0.0
    j = FIRST_ROW
    while j < CHANGE_ROW:  # not written out three times, as a range would be
        enter_metric(work, room[j])
        leave_out_constraints(work, longest, room[j])
        j += 1


@kernel
def keep_to_limits(work, q, e, longest, limits, room):
    """Take from B what would push joints past limits at which they are; MET tells of which."""
    nv = work.J.shape[1]
    change = room[CHANGE_ROW][:nv]
    for k in range(limits.shape[0]):
        limits[k, MET] = 0.0
    for k in range(limits.shape[0]):
        for i in range(nv):
            change[i] = 0.0
            for j in range(3):
                change[i] += room[FIRST_ROW + j, i] * e[j]
        leave_metric(work, change)
        low, high = limits[k, LOWER], limits[k, UPPER]
        slack = AT_LIMIT * max(1.0, max(abs(low), abs(high)))
        place, along = q[int(limits[k, PLACE])], change[int(limits[k, VELOCITY])]
        if (place >= high - slack and along > 0.0) or (place <= low + slack and along < 0.0):
            limits[k, MET] = 1.0
            own = room[LIMIT_ROWS + k][:nv]
            for i in range(nv):
                own[i] = 0.0
            own[int(limits[k, VELOCITY])] = 1.0
            enter_metric(work, own)
            before = row_product(room, LIMIT_ROWS + k, LIMIT_ROWS + k, nv)
            leave_out_constraints(work, longest, own)
            for p in range(k):
                if limits[p, MET] == 1.0 and row_product(room, LIMIT_ROWS + p, LIMIT_ROWS + p, nv) > 0.0:
                    leave_out(own, room, LIMIT_ROWS + p, nv)
            if row_product(room, LIMIT_ROWS + k, LIMIT_ROWS + k, nv) > FORBIDDEN * before:
                j = FIRST_ROW
                while j < CHANGE_ROW:
                    leave_out(room[j], room, LIMIT_ROWS + k, nv)
                    j += 1
            else:
                for i in range(nv):
                    own[i] = 0.0


@kernel
def mobility_of(room, nv):
    """B Bᵀ: xx, yy, zz, xy, xz, yz."""
    return (
        row_product(room, 0, 0, nv),
        row_product(room, 1, 1, nv),
        row_product(room, 2, 2, nv),
        row_product(room, 0, 1, nv),
        row_product(room, 0, 2, nv),
        row_product(room, 1, 2, nv),
    )


@kernel
def solve_mobility(S, more, e):
    """y with (S + more 1) y = e, by Cholesky's factors."""
    a = sqrt(S[0] + more)
    b, c = S[3] / a, S[4] / a
    d = sqrt(S[1] + more - b * b)
    f = (S[5] - b * c) / d
    g = sqrt(S[2] + more - c * c - f * f)
    x = e[0] / a
    y = (e[1] - b * x) / d
    z = (e[2] - c * x - f * y) / g
    z = z / g
    y = (y - f * z) / d
    return (x - b * y - c * z) / a, y, z


@kernel
def mechanism_length(model, data, row, point):
    """How far the mechanism reaches, from the middle of its O*, of what is held and of the origin; 1 if nowhere."""
    n, held = model.body.shape[0], point_place(data, row, point)
    x, y, z = held[0], held[1], held[2]
    for i in range(n):
        at = get_vector(data.body, i, POS)
        x, y, z = x + at[0], y + at[1], z + at[2]
    middle = (x / (n + 2), y / (n + 2), z / (n + 2))
    away = subtract(held, middle)
    most = max(dot(middle, middle), dot(away, away))
    for i in range(n):
        away = subtract(get_vector(data.body, i, POS), middle)
        most = max(most, dot(away, away))
    return sqrt(most) if most > 0.0 else 1.0


@kernel
def within_limits(limits, q):
    """Bring coordinates back to their limits."""
    for k in range(limits.shape[0]):
        place = int(limits[k, PLACE])
        q[place] = min(max(q[place], limits[k, LOWER]), limits[k, UPPER])


@kernel
def distance_to_hand(model, data, q, row, point, hand):
    """From the point to the hand, and how far that is."""
    update_poses(model, data, q)
    e = subtract((hand[0], hand[1], hand[2]), point_place(data, row, point))
    return e[0], e[1], e[2], sqrt(dot(e, e))


@kernel
def pull(model, data, work, row, point, hand, turns, limits, q, spare, room, found):
    """As `pull_point`."""
    nq, nv = q.shape[0], work.J.shape[1]
    trial, change = room[TRIAL_ROW][:nq], room[CHANGE_ROW][:nv]
    x, y, z, left = distance_to_hand(model, data, q, row, point, hand)
    reach, soft = mechanism_length(model, data, row, point), SOFT
    found[REACH] = reach
    for turn in range(turns + 1):
        longest = observe_metric(model, data, work, q, spare)
        fill_point_rows(model, data, work, q, row, point, longest, room)
        part, S = 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        while part < 2:  # first without the limits
            S = mobility_of(room, nv)
            if part == 0 and turn == 0:
                suit_spring(model, data, row, point, S, found)
            if part == 0:
                keep_to_limits(work, q, (x, y, z), longest, limits, room)
            part += 1
        most = S[0] + S[1] + S[2]
        if turn == turns or left <= NEAR * reach or not most > 0.0 or soft > HARDEST:
            break
        force = solve_mobility(S, soft * most, (x, y, z))
        for i in range(nv):
            change[i] = room[0, i] * force[0] + room[1, i] * force[1] + room[2, i] * force[2]
        leave_metric(work, change)
        share = min(1.0, STEP / extent(model, change, reach))
        for i in range(nv):
            change[i] *= share
        displace(model, q, change, trial)
        within_limits(limits, trial)
        closed = True
        if work.J.shape[0] > 0:
            close_positions(model, data, work, 0.0, trial, spare)
            closed = worst_residual(work)[0] < START_CLOSED
        u, v, w, nearer = distance_to_hand(model, data, trial, row, point, hand)
        if closed and nearer < left:
            gained = left - nearer
            x, y, z, left = u, v, w, nearer
            for i in range(nq):
                q[i] = trial[i]
            soft = max(soft * SOFTER, SOFT)
            if gained < STALLED * left:
                break
        else:
            soft *= HARDER
    found[LEFT] = left


@kernel
def suit_spring(model, data, row, point, S, found):
    """STIFFNESS, N/m, and DAMPING, N s/m, of a spring to the point, suited to the mass felt there and to the whole."""
    _, _, most = principal_values(S[0], S[1], S[2], S[3], S[4], S[5])
    mass, whole = 1.0 / most if most > 0.0 else 0.0, 0.0
    for i in range(model.body.shape[0]):
        whole += model.body[i, MASS]
    stiffness = (
        min(mass * FIRM * FIRM, STRONGEST * whole) * STANDARD_GRAVITY / mechanism_length(model, data, row, point)
    )
    found[MOVABLE] = 1.0 if S[0] + S[1] + S[2] > 0.0 else 0.0
    found[STIFFNESS], found[DAMPING] = stiffness, 2.0 * DAMPED * sqrt(stiffness * mass)


@entry_point
def pull_point(
    model: Vector,
    data: Vector,
    row: int,
    at: Vector,
    hand: Vector,
    turns: int,
    limits: Table,
    q: Vector,
    spare: Table,
    room: Table,
    found: Vector,
) -> None:
    """Bring q to the pose in which a point of the body in a row is nearest to a hand, along the mechanism's own ways.

    Each of so many turns is the least step in the metric of the kinetic energy that the constraints and limits leave,
    by Levenberg and Marquardt: δ = L⁻ᵀ Bᵀ (B Bᵀ + λ 1)⁻¹ e, and is brought back to the constraints: of many poses
    that reach the hand it is that to which heavy things move little. ``found`` (5) tells besides of a spring from the
    hand to the point, at the pose that is given. ``limits`` (L, LIMIT_SIZE); ``spare`` as in `assemble`; ``room``
    (LIMIT_ROWS + L, max(nq, nv)). Of a mechanism without constraints, too, the data has the work space of
    `constraint_workspace`, beyond DATA_SIZE.
    """
    m, d = tables_of(model, data)
    pull(m, d, constraint_workspace(m, d), row, (at[0], at[1], at[2]), hand, turns, limits, q, spare, room, found)
