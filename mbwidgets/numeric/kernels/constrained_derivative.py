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
    constraint_workspace,
    gravity_of,
)
from .newton_euler import joint_efforts, propagate_wrenches
from .saddle_point import factor_kkt, smallest_singular_value, solve_kkt

UNABLE = -3
"""Status: the constraints cannot be met here, or leave the accelerations open."""


@kernel
def worst_residual(work):
    """The largest |Φ| relative to the size of its terms, and its equation; NaN where one is none."""
    vector, size, worst = work.vector, 0.0, 0
    for k in range(work.J.shape[0]):
        if vector[PHI, k] != 0.0:
            value = abs(vector[PHI, k]) / vector[SIZE, k]
            if not value <= size and size == size:
                size, worst = value, k
    return size, worst


@kernel
def to_choose(model, data):
    """How many equations the kernels choose anew here; 0: all are independent, or those in use are kept."""
    rank = int(model.buffer[RANK])
    return rank if rank < model.buffer[EQUATIONS] and data.buffer[TASK] != STAGE else 0


@kernel
def prepare_kkt(model, data, work):
    """Mass matrix and factors at the bodies' places; False where accelerations are not determined."""
    update_composite_bodies(model, data)
    mass_matrix(model, data, work.M)
    return factor_kkt(model, work, to_choose(model, data))


@kernel
def project_positions(model, data, work, t, q, u):
    """Newton's method for Φ(t, q) = 0, M-orthogonal, the factors kept while it converges fast; q changes in place.

    Leaves the bodies in place and J at the end; returns whether the constraints are met.
    """
    (m, nv), vector = work.J.shape, work.vector
    size, before, worst = 0.0, 0.0, 0
    for turn in range(12):
        update_poses(model, data, q)
        evaluate_constraints(model, data, work, t, q, u, gravity_of(model))
        size, worst = worst_residual(work)
        if size <= RESIDUAL_ROUNDING * min(1.0, 10.0 * data.buffer[CLEAR]) or (
            turn > 1 and size < RESIDUAL_STAGNATES and size > 0.5 * before
        ):
            break
        if (turn == 0 or not size < 0.1 * before) and not prepare_kkt(model, data, work):
            break
        before = size
        for i in range(nv):
            vector[PUSH, i] = 0.0
        for k in range(m):
            vector[PHI, k] = -vector[PHI, k]
        solve_kkt(model, work, vector[PUSH], vector[PHI], vector[PUSH], vector[MULTIPLIER])
        coordinate_rates(model, q, vector[PUSH], vector[RIGHT])
        for i in range(q.shape[0]):
            q[i] += vector[RIGHT, i]
    data.buffer[UNMET] = worst if not size <= RESIDUAL_MET else -1
    return size <= RESIDUAL_MET


@kernel
def project_velocities(model, work, u):
    """Make velocities meet J u + Φ_t = 0, M-orthogonally, after `prepare_kkt`."""
    J, vector = work.J, work.vector
    m, nv = J.shape
    for k in range(m):
        value = vector[PHI_T, k]
        for i in range(nv):
            value += J[k, i] * u[i]
        vector[RATE, k] = -value
    for i in range(nv):
        vector[PUSH, i] = 0.0
    solve_kkt(model, work, vector[PUSH], vector[RATE], vector[PUSH], vector[MULTIPLIER])
    for i in range(nv):
        u[i] += vector[PUSH, i]


@kernel
def assemble_loads(model, data, tau, t, q, u):
    """Velocities, loads and efforts of the model's forces and tau; returns the power of those without a potential."""
    update_angular_velocities(model, data, u)
    update_linear_velocities(model, data, u)
    for c in range(model.column.shape[0]):
        data.column[c, EFFORT] = tau[int(model.column[c, UI])]
    clear_loads(data)
    power = apply_forces(model, data, t, q, u) if model.buffer[FORCES] > 0 else 0.0
    for i in range(tau.shape[0]):
        power += tau[i] * u[i]
    return power


@kernel
def assemble_rhs(model, data, work, tau, t, q, u, rest):
    """J, the force f and γ of M u̇ − Jᵀ λ = f, J u̇ = γ at bodies in place; returns the power of the forces.

    ``rest`` (nv) is spare.
    """
    vector, power = work.vector, assemble_loads(model, data, tau, t, q, u)
    for i in range(rest.shape[0]):
        rest[i] = 0.0
    update_accelerations(model, data, rest, gravity_of(model))
    evaluate_constraints(model, data, work, t, q, u, gravity_of(model))
    propagate_wrenches(model, data)
    joint_efforts(model, data, vector[PUSH])
    for i in range(rest.shape[0]):
        vector[PUSH, i] = -vector[PUSH, i]
    rate = model.buffer[FEEDBACK]
    for k in range(work.J.shape[0]):
        vector[SECOND, k] = -vector[SECOND, k] - rate * (2.0 * vector[RATE, k] + rate * vector[PHI, k])
    return power


@kernel
def solve_accelerations(model, work, ud):
    """Accelerations and multipliers, after `assemble_rhs` and `prepare_kkt`.

    Returns the power of moving constraints.
    """
    vector, power = work.vector, 0.0
    solve_kkt(model, work, vector[PUSH], vector[SECOND], ud, vector[MULTIPLIER])
    for k in range(work.J.shape[0]):
        power -= vector[MULTIPLIER, k] * vector[PHI_T, k]
    return power


@derivative
def constrained_derivative(model, data, tau, t, y, dy):
    """Do what TASK asks for at the state y = (q, u, …); returns 0, or a status below it.

    RATES: d/dt of (q, u, work) into dy, after the state itself has been brought to the constraints, and how clear
    they are of a singular position. SETTLE: bring the state to the constraints. OBSERVE: d/dt at the state as it is;
    Φ, Φ̇, J, M, f, γ, λ stand in the work space. STAGE: the same inside a step, where the choice among redundant
    equations is kept.
    """
    work = constraint_workspace(model, data)
    nq, nv, task = int(model.buffer[COORDINATES]), int(model.buffer[VELOCITIES]), int(data.buffer[TASK])
    q, u, ud = y[:nq], y[nq : nq + nv], dy[nq : nq + nv]
    if task == SETTLE or (task == RATES and model.buffer[PROJECTED] == 1):
        if not project_positions(model, data, work, t, q, u):
            return UNABLE
        if not prepare_kkt(model, data, work):
            data.buffer[UNMET] = -2
            return UNABLE
        project_velocities(model, work, u)
        if task == SETTLE:
            return 0
        determined = True
        power = assemble_rhs(model, data, work, tau, t, q, u, ud)
    else:
        update_poses(model, data, q)
        power = assemble_rhs(model, data, work, tau, t, q, u, ud)
        determined = prepare_kkt(model, data, work)
        if not determined:
            data.buffer[UNMET] = -2
            if task == RATES:
                return UNABLE
    if task == RATES:
        data.buffer[CLEAR] = smallest_singular_value(model, work)
    coordinate_rates(model, q, u, dy)
    dy[nq + nv] = power + solve_accelerations(model, work, ud)
    return 0 if determined else UNABLE
