"""Motion under constraints: one kernel, `constrained_derivative`, projects a state on them and differentiates it.

The end of a step is first brought to the constraints, M-orthogonally, then differentiated: d/dt y = F(P(y)). Next to a
singular position, where a state beside the constraints would be amplified without bound, so are the stages within a
step: they stay on their branch. Elsewhere these are taken as they are, F(y), at a third of the cost: on the constraints
F and F∘P are the same, and a method of Runge and Kutta keeps its order.
"""

from __future__ import annotations

from ..base.tolerances import RESIDUAL_MET, RESIDUAL_ROUNDING, RESIDUAL_STAGNATES
from ..engines.kernel import derivative, kernel
from .composite import mass_matrix, update_composite_bodies
from .constraint_equations import evaluate_constraints
from .kinematics import (
    coordinate_rates,
    update_accelerations,
    update_angular_velocities,
    update_linear_velocities,
    update_poses,
)
from .loads import apply_forces, clear_loads
from .memory_layout import (
    BAND,
    CLEAR,
    COORDINATES,
    EFFORT,
    EQUATIONS,
    FEEDBACK,
    FORCES,
    MULTIPLIER,
    PHI,
    PHI_T,
    PROJECTED,
    PUSH,
    RANK,
    RATE,
    RATES,
    RIGHT,
    SECOND,
    SETTLE,
    SIZE,
    STAGE,
    TASK,
    UI,
    UNMET,
    VELOCITIES,
    constraint_table,
    constraint_workspace,
    gravity_of,
)
from .newton_euler import joint_efforts, propagate_wrenches
from .saddle_point import factor_kkt, smallest_singular_value, solve_kkt

UNABLE = -3
"""Status: the constraints cannot be met here, or leave the accelerations open."""


@kernel
def worst_residual(vector, m):
    """The largest |Φ| relative to the size of its terms, and its equation."""
    size, worst = 0.0, 0
    for k in range(m):
        if vector[PHI, k] != 0.0:
            value = abs(vector[PHI, k]) / vector[SIZE, k]
            if not value <= size:
                size, worst = value, k
    return size, worst


@kernel
def to_choose(memory):
    """How many equations the kernels choose anew here; 0: all are independent, or those in use are kept."""
    rank = int(memory[RANK])
    return rank if rank < memory[EQUATIONS] and memory[TASK] != STAGE else 0


@kernel
def prepare_kkt(memory, body, col, J, M, W, vector):
    """Mass matrix and factors at the bodies' places; False where accelerations are not determined."""
    update_composite_bodies(body)
    mass_matrix(body, col, M)
    return factor_kkt(J, M, W, vector, int(memory[BAND]), to_choose(memory))


@kernel
def project_positions(memory, body, col, rows, J, M, W, vector, t, q, u):
    """Newton's method for Φ(t, q) = 0, M-orthogonal, the factors kept while it converges fast; q changes in place.

    Leaves the bodies in place and J at the end; returns whether the constraints are met.
    """
    m, nv, band = J.shape[0], J.shape[1], int(memory[BAND])
    size, before, worst = 0.0, 0.0, 0
    for turn in range(12):
        update_poses(body, col, q)
        evaluate_constraints(memory, body, col, rows, J, vector, t, q, u, gravity_of(memory))
        size, worst = worst_residual(vector, m)
        if size <= RESIDUAL_ROUNDING * min(1.0, 10.0 * memory[CLEAR]) or (
            turn > 1 and size < RESIDUAL_STAGNATES and size > 0.5 * before
        ):
            break
        if (turn == 0 or not size < 0.1 * before) and not prepare_kkt(memory, body, col, J, M, W, vector):
            break
        before = size
        for i in range(nv):
            vector[PUSH, i] = 0.0
        for k in range(m):
            vector[PHI, k] = -vector[PHI, k]
        solve_kkt(W, vector, band, nv, vector[PUSH], vector[PHI], vector[PUSH], vector[MULTIPLIER])
        coordinate_rates(col, q, vector[PUSH], vector[RIGHT])
        for i in range(q.shape[0]):
            q[i] += vector[RIGHT, i]
    memory[UNMET] = worst if not size <= RESIDUAL_MET else -1
    return size <= RESIDUAL_MET


@kernel
def project_velocities(J, W, vector, band, u):
    """Make velocities meet J u + Φ_t = 0, M-orthogonally, after `prepare_kkt`."""
    m, nv = J.shape
    for k in range(m):
        value = vector[PHI_T, k]
        for i in range(nv):
            value += J[k, i] * u[i]
        vector[RATE, k] = -value
    for i in range(nv):
        vector[PUSH, i] = 0.0
    solve_kkt(W, vector, band, nv, vector[PUSH], vector[RATE], vector[PUSH], vector[MULTIPLIER])
    for i in range(nv):
        u[i] += vector[PUSH, i]


@kernel
def assemble_loads(memory, body, col, tau, t, q, u):
    """Velocities, loads and efforts of the model's forces and tau; returns the power of those without a potential."""
    update_angular_velocities(body, col, u)
    update_linear_velocities(body, col, u)
    for c in range(col.shape[0]):
        col[c, EFFORT] = tau[int(col[c, UI])]
    clear_loads(body)
    power = apply_forces(memory, body, col, t, q, u) if memory[FORCES] > 0 else 0.0
    for i in range(tau.shape[0]):
        power += tau[i] * u[i]
    return power


@kernel
def assemble_rhs(memory, body, col, rows, J, vector, tau, t, q, u, rest):
    """J, the force f and γ of M u̇ − Jᵀ λ = f, J u̇ = γ at bodies in place; returns the power of the forces.

    ``rest`` (nv) is spare.
    """
    power = assemble_loads(memory, body, col, tau, t, q, u)
    for i in range(rest.shape[0]):
        rest[i] = 0.0
    update_accelerations(body, col, rest, gravity_of(memory))
    evaluate_constraints(memory, body, col, rows, J, vector, t, q, u, gravity_of(memory))
    propagate_wrenches(body)
    joint_efforts(body, col, vector[PUSH])
    for i in range(J.shape[1]):
        vector[PUSH, i] = -vector[PUSH, i]
    rate = memory[FEEDBACK]
    for k in range(J.shape[0]):
        vector[SECOND, k] = -vector[SECOND, k] - rate * (2.0 * vector[RATE, k] + rate * vector[PHI, k])
    return power


@kernel
def solve_accelerations(W, vector, band, ud):
    """Accelerations and multipliers, after `assemble_rhs` and `prepare_kkt`.

    Returns the power of moving constraints.
    """
    nv, power = ud.shape[0], 0.0
    solve_kkt(W, vector, band, nv, vector[PUSH], vector[SECOND], ud, vector[MULTIPLIER])
    for k in range(W.shape[0] - nv):
        power -= vector[MULTIPLIER, k] * vector[PHI_T, k]
    return power


@derivative
def constrained_derivative(memory, body, col, tau, t, y, dy):
    """Do what ``memory[TASK]`` asks for at the state y = (q, u, …); returns 0, or a status below it.

    RATES: d/dt of (q, u, work) into dy, after the state itself has been brought to the constraints, and how clear
    they are of a singular position. SETTLE: bring the state to the constraints. OBSERVE: d/dt at the state as it is;
    Φ, Φ̇, J, M, f, γ, λ stand in the work space. STAGE: the same inside a step, where the choice among redundant
    equations is kept.
    """
    rows, band = constraint_table(memory), int(memory[BAND])
    J, M, W, vector = constraint_workspace(memory)
    nq, nv, task = int(memory[COORDINATES]), int(memory[VELOCITIES]), int(memory[TASK])
    q, u, ud = y[:nq], y[nq : nq + nv], dy[nq : nq + nv]
    if task == SETTLE or (task == RATES and memory[PROJECTED] == 1):
        if not project_positions(memory, body, col, rows, J, M, W, vector, t, q, u):
            return UNABLE
        if not prepare_kkt(memory, body, col, J, M, W, vector):
            memory[UNMET] = -2
            return UNABLE
        project_velocities(J, W, vector, band, u)
        if task == SETTLE:
            return 0
        determined = True
        power = assemble_rhs(memory, body, col, rows, J, vector, tau, t, q, u, ud)
    else:
        update_poses(body, col, q)
        power = assemble_rhs(memory, body, col, rows, J, vector, tau, t, q, u, ud)
        determined = prepare_kkt(memory, body, col, J, M, W, vector)
        if not determined:
            memory[UNMET] = -2
            if task == RATES:
                return UNABLE
    if task == RATES:
        memory[CLEAR] = smallest_singular_value(W, vector, band, J.shape[0])
    coordinate_rates(col, q, u, dy)
    dy[nq + nv] = power + solve_accelerations(W, vector, band, ud)
    return 0 if determined else UNABLE
