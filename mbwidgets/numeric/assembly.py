"""The start of a constrained motion: a state that meets the constraints, their rank, and what stands in the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..errors import MbwidgetsError
from ..expressions import evaluate
from ..model.model import Model
from . import layout as at
from . import settling
from .holding import hold
from .outcome import Outcome, Result
from .pack import Packed

TRIES: Final = 60
MET: Final = 1e-10
"""The largest residual of a closed loop, m or rad."""
NEAR: Final = 1e-14
"""The largest residual of a start that is left as it is."""
DEPENDENT: Final = 1e-7
"""Singular values below this part of the largest count as zero."""
MASSLESS: Final = 1e-14
"""A part of the largest inertia that counts as none."""
ENDLESS: Final = 1e8
"""What a prescribed motion asks for, SI, beyond which it is taken to grow without bound where a motion cannot go on."""
NUDGE: Final = 1e-2
"""How far from the start the rank is looked at once more, rad or m."""


@dataclass(frozen=True)
class Assembly:
    """A consistent state; ``moved`` names the coordinates and velocities that had to change, ``fault`` is why it
    cannot be."""

    q: np.ndarray
    u: np.ndarray
    equations: int = 0
    rank: int = 0
    moved: tuple[str, ...] = ()
    fault: Outcome | None = None

    @property
    def details(self) -> str:
        """What was changed, in words."""
        if not self.moved:
            return ""
        return f"To meet the constraints the start was moved: {', '.join(self.moved)}."


def equation_names(model: Model, packed: Packed) -> list[str]:
    """For each equation the constraint that it belongs to."""
    return [f"constraint {owner} ({model.constraints[owner].type})" for owner in equation_owners(packed)]


def equation_owners(packed: Packed) -> list[int]:
    """For each equation the number of its constraint."""
    return [int(row[at.C_OWNER]) for row in constraint_table_of(packed.memory) if row[at.C_KIND] != at.SLOPE]


def constraint_table_of(memory: np.ndarray) -> np.ndarray:
    """The constraint table, a view."""
    return memory[int(memory[at.AT_ROWS]) : int(memory[at.AT_WORK])].reshape(-1, at.ROW_SIZE)


class Constraints:
    """Φ, Φ̇, J and M of a packed model at a state; the arrays are overwritten by the next call."""

    def __init__(self, model: Model, packed: Packed) -> None:
        self.model = model
        self.memory = packed.memory.copy()
        self.equations = m = int(self.memory[at.EQUATIONS])
        self._tables = at.tables_of(self.memory)
        self.jacobian, self.mass, _, vectors = at.workspace_of(self.memory)
        self.phi, self.rate, self.multiplier = (vectors[k, :m] for k in (at.PHI, at.RATE, at.MULTIPLIER))
        self.table = constraint_table_of(self.memory)
        self.used = vectors[at.USED, :m]
        self.force, self.gamma = vectors[at.PUSH, : model.nv], vectors[at.SECOND, :m]
        self._size, self._zero = model.nq + model.nv + 1, np.zeros(model.nv)
        self.derivative = np.zeros(self._size)

    def observe(self, t: float, q: np.ndarray, u: np.ndarray, tau: Any = None) -> bool:
        """Evaluate at a state; returns whether the accelerations, in ``derivative``, are determined."""
        self.memory[at.TASK] = at.OBSERVE
        state, effort = np.concatenate([q, u, [0.0]]), self._zero if tau is None else tau
        return bool(hold(self.memory, *self._tables, effort, float(t), state, self.derivative) == 0)

    def settle(self, t: np.ndarray, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Rows (q, u, 0) of frames near to the constraints, brought there; as they were where that is not possible."""
        settling.ready()
        self.memory[at.TASK] = at.SETTLE
        rows = np.hstack([q, u, np.zeros((len(q), 1))])
        settling.settle_frames(hold, self.memory, self._zero, t, rows, np.zeros(self._size), self.derivative)
        return rows

    def residual(self, t: float, q: np.ndarray) -> np.ndarray:
        """Φ at a position."""
        self.observe(t, q, self._zero)
        return self.phi.copy()

    def metric(self) -> np.ndarray:
        """J L⁻ᵀ with M = L Lᵀ: J in the metric of the kinetic energy, of the state last observed."""
        return np.asarray(np.linalg.solve(self._lower(), self.jacobian.T).T)

    def least(self, right: np.ndarray) -> np.ndarray:
        """The x with J x = right, as nearly as can be, that is shortest in the metric of the kinetic energy."""
        short = np.linalg.lstsq(self.metric(), right, rcond=DEPENDENT)[0]
        return np.asarray(np.linalg.solve(self._lower().T, short))

    def _lower(self) -> np.ndarray:
        """L with M = L Lᵀ; the unit matrix where M is singular, or would be but for rounding."""
        try:
            lower = np.linalg.cholesky(self.mass)
        except np.linalg.LinAlgError:
            return np.eye(len(self.mass))
        pivots = lower.diagonal() ** 2
        return lower if pivots.min(initial=1.0) > MASSLESS * pivots.max(initial=0.0) else np.eye(len(lower))

    def _unit_rows(self) -> np.ndarray:
        """J in that metric, its rows of length one, or zero where they are rounding only."""
        metric = self.metric()
        size = np.linalg.norm(metric, axis=1, keepdims=True)
        return np.divide(metric, size, out=np.zeros_like(metric), where=size > 1e-11 * size.max(initial=0.0))

    def endless(self, t: float, q: np.ndarray) -> int | None:
        """The equation that has no finite value or slope at a position, or whose rate with time has none; if any."""
        feedback, self.memory[at.FEEDBACK] = self.memory[at.FEEDBACK], 0.0
        self.observe(t, q, self._zero)
        self.memory[at.FEEDBACK] = feedback
        if not np.isfinite(q).all():
            return None  # it is the state that has been lost
        finite = np.isfinite(self.jacobian).all(axis=1) & np.isfinite(self.phi)
        sizes = abs(np.stack([self.rate, self.gamma]))  # at u = 0: Φ_t, −Φ_tt
        bad = np.flatnonzero(~(finite & (sizes < ENDLESS).all(axis=0)))
        return int(bad[0]) if len(bad) else None

    def idle(self) -> int | None:
        """The velocity of the state last observed that the constraints leave free and that moves no mass; if any."""
        free = np.linalg.svd(self.jacobian)[2][np.linalg.matrix_rank(self.jacobian) :].T
        if not free.shape[1]:
            return None
        sizes, axes = np.linalg.eigh(free.T @ self.mass @ free)
        if sizes[0] > MASSLESS * max(abs(self.mass).max(), 1e-300):
            return None
        return int(abs(free @ axes[:, 0]).argmax())

    def rank(self, t: float, q: np.ndarray) -> int:
        """Rank of J, its rows taken at equal length."""
        self.observe(t, q, self._zero)
        found = np.linalg.svd(self._unit_rows(), compute_uv=False)
        return int((found > DEPENDENT * found.max(initial=0.0)).sum())

    def use_independent(self, rank: int, t: float, q: np.ndarray, u: np.ndarray) -> bool:
        """Where equations are redundant, use as many as the rank, which are independent; returns whether some are."""
        if not 0 < rank < self.equations:
            return False
        self.observe(t, q, u)
        if not self.redundant(rank):
            return False
        self.used[:] = self.independent(rank)
        return True

    def redundant(self, rank: int) -> bool:
        """Whether there are more equations than independent ones, those that hold by themselves not counted."""
        return bool(np.count_nonzero(self._unit_rows().any(axis=1)) > rank)

    def independent(self, rank: int) -> np.ndarray:
        """As many equations as the rank, 1 for each that is used: those in use while they are independent enough."""
        from scipy.linalg import qr

        rows = self._unit_rows()
        present = np.linalg.svd(rows[self.used > 0], compute_uv=False)
        _, triangle, order = qr(rows.T, mode="economic", pivoting=True)
        weakest = abs(triangle[rank - 1, rank - 1]) if rank else 0.0
        if np.count_nonzero(self.used) == rank and 10 * present[-1] > weakest:
            return self.used.copy()
        chosen = np.zeros(len(rows))
        chosen[order[:rank]] = 1
        return chosen

    def moved(self, q: np.ndarray, change: np.ndarray) -> np.ndarray:
        """q after a change that is written like a velocity; quaternions keep their length."""
        result = q.copy()
        for body, qi, ui in zip(self.model.bodies, self.model.q_offsets, self.model.u_offsets, strict=False):
            for column in body.joint.columns():
                if column.kind == "ball":
                    result[qi : qi + 4] = _turned(q[qi : qi + 4], change[ui : ui + 3])
                    qi, ui = qi + 4, ui + 3
                else:
                    result[qi] += change[ui]
                    qi, ui = qi + 1, ui + 1
        return result

    def close(self, t: float, q: np.ndarray) -> np.ndarray:
        """The nearest q on the constraints by Newton's method with bounded, halved steps, as far as it gets."""
        phi = self.residual(t, q)
        for _ in range(TRIES):
            if abs(phi).max() < NEAR:
                break
            change = self.least(-phi)
            change *= min(1.0, 0.5 / max(abs(change).max(initial=0.0), 1e-300))
            for _ in range(12):
                nearer = self.moved(q, change)
                new = self.residual(t, nearer)
                if np.linalg.norm(new) < np.linalg.norm(phi):
                    break
                change = change / 2
            else:
                break
            q, phi = nearer, new
        return q


def _turned(quaternion: np.ndarray, change: np.ndarray) -> np.ndarray:
    x, y, z, w = quaternion
    a, b, c = change / 2
    step = np.array([w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c])
    new = quaternion + step
    return np.asarray(new / np.linalg.norm(new))


def assemble(model: Model, packed: Packed, q: np.ndarray, u: np.ndarray) -> Assembly:
    """Consistent coordinates and velocities near those given, and the rank of the constraints."""
    seek_curves(model, packed, q)
    system, names = Constraints(model, packed), equation_names(model, packed)
    system.observe(0.0, q, u)
    unknown = ~(np.isfinite(system.phi) & np.isfinite(system.rate) & np.isfinite(system.jacobian).all(axis=1))
    if unknown.any():
        details = f"At the start {names[int(unknown.argmax())]} has no finite value or slope: change it, or the start."
        return Assembly(q, u, system.equations, 0, fault=Outcome(Result.NOT_FINITE, 0.0, details))
    closed = system.close(0.0, q)
    system.observe(0.0, closed, u)
    count, phi, rate = system.equations, system.phi.copy(), system.rate.copy()
    if not abs(phi).max() < MET:
        worst = int(abs(phi).argmax())
        fault = _contradiction(f"At the start {names[worst]} is off by {abs(phi[worst]):.3g}", "the positions")
        return Assembly(q, u, count, 0, fault=fault)
    if (turned := _half_turn(model, packed, closed)) is not None:
        details = (
            f"At the start {turned} holds with its bodies half a turn apart, not in their zero-pose orientation: "
            "start nearer to it."
        )
        return Assembly(closed, u, count, 0, fault=Outcome(Result.CONTRADICTORY, 0.0, details))
    started = u
    if abs(rate).max() > NEAR * (1 + abs(u).max()):
        started = u + system.least(-rate)
    system.observe(0.0, closed, started)
    rate = system.rate.copy()
    if not abs(rate).max() < MET * (1 + abs(started).max()):
        worst = int(abs(rate).argmax())
        fault = _contradiction(
            f"At the start {names[worst]} asks for a velocity that is off by {rate[worst]:.3g}", "the velocities"
        )
        return Assembly(closed, u, count, 0, fault=fault)
    here = system.rank(0.0, closed)
    rank = max(here, *(system.rank(0.0, near) for near in _nearby(system, closed)))
    singular: Outcome | None = None
    if here < rank:
        singular = Outcome(
            Result.UNDETERMINED,
            0.0,
            f"The start is a singular position, rank {here} instead of {rank}, which more than one motion can leave: "
            "start beside it.",
        )
    moved = _differences(model, q, closed, u, started)
    return Assembly(closed, started, count, rank, moved, singular)


def seek_curves(model: Model, packed: Packed, q: np.ndarray) -> None:
    """Give every guided point the parameter, of many from −10 to 10, of the curve's point that is nearest to it."""
    table = constraint_table_of(packed.memory)
    for row in table:
        if row[at.C_KIND] < at.CURVE:
            continue
        guide: Any = model.constraints[int(row[at.C_OWNER])]
        best, least = 0.0, math.inf
        where = _world_point(model, packed, q, guide)
        for s in np.linspace(-10, 10, 801):
            try:
                values = {**model.values, guide.parameter: float(s)}
                distance = math.dist([evaluate(item, values) for item in guide.curve], where)
            except MbwidgetsError:
                continue
            if distance < least:
                best, least = float(s), distance
        row[at.C_VALUE] = best


def _half_turn(model: Model, packed: Packed, q: np.ndarray) -> str | None:
    """The weld or orientation whose equations x·y′ = y·z′ = z·x′ = 0 are met with x′ = −x or the like; if any."""
    kept = [(k, item) for k, item in enumerate(model.constraints) if item.type in ("weld", "orientation")]
    if not kept:
        return None
    _, R = _poses(model, packed, q)
    for owner, item in kept:
        a, b = (np.eye(3) if end.body is None else R[model.index(end.body)] for end in (item.a, item.b))
        if np.trace(a.T @ b) < 2.0:
            return f"constraint {owner} ({item.type})"
    return None


def _world_point(model: Model, packed: Packed, q: np.ndarray, guide: Any) -> np.ndarray:
    position, R = _poses(model, packed, q)
    index = model.index(guide.body)
    point = np.array([model.number(item) for item in guide.at])
    return np.asarray(position[index] + R[index] @ point)


def _poses(model: Model, packed: Packed, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (n, 3) and turns (n, 3, 3) of the bodies."""
    from . import entries
    from .reactions import rotations_of

    n = len(model.bodies)
    position, quaternion = np.empty((1, n, 3)), np.empty((1, n, 4))
    entries.poses(packed.memory.copy(), q[None].copy(), position, quaternion)
    return position[0], rotations_of(quaternion[0])


def _nearby(system: Constraints, q: np.ndarray) -> list[np.ndarray]:
    """Two positions on the constraints beside q, where a singular position shows that it is one."""
    jacobian = system.jacobian.copy()
    basis = np.linalg.svd(jacobian)[2]
    random = np.random.default_rng(0)
    places = []
    for _ in range(2):
        direction = random.normal(size=len(basis))
        free = basis.T @ (direction * (np.linalg.norm(jacobian @ basis.T, axis=0) < 1e-6))
        size = abs(free).max(initial=0.0)
        near = system.close(0.0, system.moved(q, free * (NUDGE / size if size > 0 else 0.0)))
        places.append(near if abs(system.residual(0.0, near)).max() < 1e-8 else q)
    return places


def _contradiction(what: str, which: str) -> Outcome:
    return Outcome(Result.CONTRADICTORY, 0.0, f"{what}: change it, or {which} that the others ask for.")


def _differences(model: Model, q: np.ndarray, new_q: np.ndarray, u: np.ndarray, new_u: np.ndarray) -> tuple[str, ...]:
    changes = [
        (f"{kind} of {name!r} by {after - before:.3g}", abs(after - before) / (1 + abs(before)))
        for kind, names, old, new in (
            ("q", model.coordinate_names, q, new_q),
            ("u", model.velocity_names, u, new_u),
        )
        for name, before, after in zip(names, old, new, strict=True)
    ]
    return tuple(text for text, size in changes if size > 1e-9)
