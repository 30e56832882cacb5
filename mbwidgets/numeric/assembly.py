"""The start of a constrained motion: a state that meets the constraints, their rank, and what stands in the way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..errors import MbwidgetsError
from ..expressions import evaluate
from ..model.displacement import displaced
from ..model.model import Model
from . import layout as at
from . import settling
from .constraints import across_curve
from .holding import hold
from .massless import lack_of, unresisted
from .outcome import Outcome, Result
from .pack import Packed

TRIES: Final = 100
MET: Final = 1e-10
"""The largest residual of a closed loop, relative to the terms in it."""
NEAR: Final = 1e-14
"""The largest residual of a start that is left as it is, likewise."""
BLURRED: Final = 1e-5
"""A row of J shorter than this part of the longest of its group is blurred by rounding: ten digits of it are left."""
DEPENDENT: Final = 1e-7
"""Singular values below this part of the largest count as zero."""
MASSLESS: Final = 1e-14
"""A part of its own inertia that, left to a velocity when others are held, counts as none."""
ENDLESS: Final = 1e8
"""Radians or lengths of the mechanism, in the motion's time, beyond which what a prescribed motion asks for is taken to
grow without bound where the motion cannot go on."""
MOVED: Final = 1e-9
"""What a start is moved by, in parts of the mechanism's length or of one radian, that is worth a word."""
NOTHING: Final = 1e-24
"""A change, SI, that no mechanism is small enough to notice."""
NUDGE: Final = 1e-2
"""How far from the start the rank is looked at once more, in radians and in lengths of the mechanism."""


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
        self.size, self.slow, self._group = (vectors[k, :m] for k in (at.SIZE, at.SLOW, at.GROUP))
        self.expressed = self._group == at.EXPRESSIONS
        self.table = constraint_table_of(self.memory)
        self.force, self.gamma = vectors[at.PUSH, : model.nv], vectors[at.SECOND, :m]
        self._length, self._zero = model.nq + model.nv + 1, np.zeros(model.nv)
        self.derivative = np.zeros(self._length)
        self.slides = Slides.of(model)

    def observe(self, t: float, q: np.ndarray, u: np.ndarray, tau: Any = None) -> bool:
        """Evaluate at a state; returns whether the accelerations, in ``derivative``, are determined."""
        self.memory[at.TASK] = at.OBSERVE
        state, effort = np.concatenate([q, u, [0.0]]), self._zero if tau is None else tau
        return bool(hold(self.memory, *self._tables, effort, float(t), state, self.derivative) == 0)

    def settle(self, t: np.ndarray, q: np.ndarray, u: np.ndarray, project: bool) -> tuple[np.ndarray, np.ndarray]:
        """Rows (q, u, 0) of frames, brought to the constraints where ``project`` asks for it and it is possible.

        Besides, for each frame that is not, the largest residual relative to the terms in it; else 0.
        """
        settling.ready()
        self.memory[at.TASK] = at.SETTLE if project else at.OBSERVE
        rows, off = np.hstack([q, u, np.zeros((len(q), 1))]), np.zeros(len(q))
        scale = np.concatenate([self.slides.largest(q, u, self.reach(q)), [1.0]])
        spare = np.zeros(self._length), self.derivative
        settling.settle_frames(hold, self.memory, self._zero, t, rows, scale, *spare, off)
        return rows, off

    def reach(self, q: np.ndarray) -> float:
        """A length that the mechanism is measured by: the longest given, or the longest slide at q; 1 without any."""
        return max(float(self.memory[at.LENGTH]), abs(q[..., self.slides.q]).max(initial=0.0)) or 1.0

    def residual(self, t: float, q: np.ndarray) -> np.ndarray:
        """Φ at a position."""
        self.observe(t, q, self._zero)
        return self.phi.copy()

    def off(self) -> np.ndarray:
        """|Φ| of the state last observed, relative to the size of the terms in it."""
        return _parts(self.phi, self.size)

    def rate_off(self, u: np.ndarray) -> np.ndarray:
        """|Φ̇| of the state last observed, relative to the size of the terms in it."""
        turning, sliding = (abs(u[which]).max(initial=0.0) for which in (~self.slides.u, self.slides.u))
        carried = np.select(
            [self._group == at.LENGTHS, self._group == at.ANGLES], [self.size * turning + sliding, turning], 0.0
        )
        return _parts(self.rate, abs(self.jacobian) @ abs(u) + abs(self.slow) + carried)

    def metric(self) -> np.ndarray:
        """J L⁻ᵀ with M = L Lᵀ: J in the metric of the kinetic energy, of the state last observed."""
        return np.asarray(np.linalg.solve(self._lower(), self.jacobian.T).T)

    def least(self, right: np.ndarray) -> np.ndarray:
        """The x with J x = right, as nearly as can be, that is shortest in the metric of the kinetic energy."""
        rows, size = self._unit_rows()
        short = np.linalg.lstsq(rows, _quotients(right, size), rcond=DEPENDENT)[0]
        return np.asarray(np.linalg.solve(self._lower().T, short))

    def weights(self) -> np.ndarray:
        """√M_ii, by which velocities of different kinds are compared; that of a massless one is the smallest other."""
        weights = np.sqrt(np.maximum(self.mass.diagonal(), 0.0))
        weights[weights == 0.0] = weights[weights > 0.0].min(initial=np.inf)
        return np.where(np.isfinite(weights), weights, 1.0)

    def _lower(self) -> np.ndarray:
        """L with M = L Lᵀ; of the diagonal alone where M is singular, or would be but for rounding."""
        weights = self.weights()
        try:
            lower = np.linalg.cholesky(self.mass / np.outer(weights, weights))
        except np.linalg.LinAlgError:
            return np.diag(weights)
        singular = (lower.diagonal() ** 2).min(initial=1.0) < MASSLESS
        return np.diag(weights) if singular else np.asarray(weights[:, None] * lower)

    def _unit_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """J in that metric, its rows of length one, shorter where they are blurred by rounding; and by what divided."""
        metric = self.metric()
        size = _lengths(metric)
        for group in (at.LENGTHS, at.ANGLES):
            rows = self._group == group
            size[rows] = np.maximum(size[rows], BLURRED * size[rows].max(initial=0.0))
        return _quotients(metric, size[:, None]), size

    def endless(self, t: float, q: np.ndarray, time: float) -> int | None:
        """The equation that has no finite value or slope at a position, or whose rate with time has none; if any."""
        feedback, self.memory[at.FEEDBACK] = self.memory[at.FEEDBACK], 0.0
        self.observe(t, q, self._zero)
        self.memory[at.FEEDBACK] = feedback
        if not np.isfinite(q).all():
            return None  # it is the state that has been lost
        finite = np.isfinite(self.jacobian).all(axis=1) & np.isfinite(self.phi) & self._goes_on()
        usual = abs(self.jacobian) @ np.where(self.slides.u, self.reach(q), 1.0)
        sizes = abs(np.stack([self.rate * time, self.gamma * time**2]))  # at u = 0: Φ_t, −Φ_tt
        bad = np.flatnonzero(~(finite & (sizes < ENDLESS * np.maximum(usual, 1e-300)).all(axis=0)))
        return int(bad[0]) if len(bad) else None

    def _goes_on(self) -> np.ndarray:
        """Whether the curve of each equation goes on beside the place last observed; true for those without one."""
        plain, out = self.table[self.table[:, at.C_KIND] != at.SLOPE], np.zeros(3)
        return np.array(
            [
                row[at.C_KIND] not in (at.CURVE, at.CURVE_NEXT)
                or across_curve(self.memory, int(row[at.C_PROGRAM]), float(row[at.C_VALUE]), False, out)
                for row in plain
            ],
            dtype=bool,
        )

    def idle(self) -> np.ndarray:
        """Velocities (nv, k) of the state last observed that the constraints leave free and that move no mass."""
        if not (np.isfinite(self.jacobian).all() and np.isfinite(self.mass).all()):
            return np.zeros((self.model.nv, 0))
        return unresisted(self.mass, self.free())

    def directionless(self) -> int | None:
        """The distance whose two points lie on each other at the state last observed; if any."""
        plain = self.table[self.table[:, at.C_KIND] != at.SLOPE]
        met = np.flatnonzero((plain[:, at.C_KIND] == at.DISTANCE) & (self.phi == -plain[:, at.C_VALUE]))
        return int(met[0]) if len(met) else None

    def rank(self, t: float, q: np.ndarray) -> int:
        """Rank of J, its rows taken at equal length."""
        self.observe(t, q, self._zero)
        found = np.linalg.svd(self._unit_rows()[0], compute_uv=False)
        return int((found > DEPENDENT * found.max(initial=0.0)).sum())

    def free(self) -> np.ndarray:
        """A basis (nv, freedom) of the velocities that the constraints leave at the state last observed."""
        _, sizes, axes = np.linalg.svd(self._unit_rows()[0])
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        return np.asarray(np.linalg.solve(self._lower().T, axes[rank:].T))

    def extent(self, change: np.ndarray, *places: np.ndarray) -> float:
        """The largest part of a change, in radians or lengths of the mechanism at these places."""
        reach = max(self.reach(q) for q in places)
        return max(float(abs(change / np.where(self.slides.u, reach, 1.0)).max(initial=0.0)), 1e-300)

    def close(self, t: float, q: np.ndarray) -> np.ndarray:
        """The nearest q on the constraints by Newton's method with bounded, halved steps, as far as it gets."""
        phi, start = self.residual(t, q), q
        for _ in range(TRIES):
            if self.off().max() < NEAR:
                break
            change, size = self.least(-phi), np.where(self.size > 0, self.size, 1.0)
            change *= min(1.0, 0.5 / self.extent(change, start, q))
            for _ in range(12):
                nearer = displaced(self.model, q, change)
                new = self.residual(t, nearer)
                if np.linalg.norm(new / size) < np.linalg.norm(phi / size):
                    break
                change = change / 2
            else:
                self.residual(t, q)
                break
            q, phi = nearer, new
        return q


class Slides(NamedTuple):
    """Which coordinates (nq,) and velocities (nv,) are lengths and speeds; the others are angles or quaternions."""

    q: np.ndarray
    u: np.ndarray

    @classmethod
    def of(cls, model: Model) -> Slides:
        """Those of a model."""
        kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
        q = [kind == "translation" for kind in kinds for _ in range(4 if kind == "ball" else 1)]
        u = [kind == "translation" for kind in kinds for _ in range(3 if kind == "ball" else 1)]
        return cls(np.array(q, dtype=bool), np.array(u, dtype=bool))

    def largest(self, q: np.ndarray, u: np.ndarray, reach: float) -> np.ndarray:
        """What numbers of states (…, nq), (…, nv) are measured by: lengths, angles, speeds, each by their largest."""

        def most(values: np.ndarray) -> float:
            return float(abs(values).max(initial=0.0)) or 1.0

        place = np.where(self.q, max(reach, most(q[..., self.q])), max(1.0, most(q[..., ~self.q])))
        speed = np.where(self.u, most(u[..., self.u]), most(u[..., ~self.u]))
        return np.concatenate([place, speed])


def _lengths(rows: np.ndarray) -> np.ndarray:
    """Lengths of rows, of 1e-200 and of 1e200 too: their squares would be no floats."""
    largest = abs(rows).max(axis=1, initial=0.0)
    return np.asarray(largest * np.linalg.norm(_quotients(rows, largest[:, None]), axis=1))


def _quotients(values: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Values over sizes; zero where the size is."""
    return np.divide(values, size, out=np.zeros_like(values), where=size > 0.0)


def _parts(values: np.ndarray, size: np.ndarray) -> np.ndarray:
    """|values| as parts of their terms; infinite where there are none."""
    sizes = abs(values)
    return np.divide(sizes, size, out=np.where(sizes == 0.0, 0.0, np.inf), where=size > 0.0)


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
    count, off = system.equations, system.off()
    if not off.max() < MET:
        worst = int(np.where(off < MET, 0.0, abs(system.phi)).argmax())
        fault = _contradiction(f"At the start {names[worst]} is off by {abs(system.phi[worst]):.3g}", "the positions")
        return Assembly(q, u, count, 0, fault=fault)
    if (turned := _half_turn(model, packed, closed)) is not None:
        details = (
            f"At the start {turned} holds with its bodies half a turn apart, not in their zero-pose orientation: "
            "start nearer to it."
        )
        return Assembly(closed, u, count, 0, fault=Outcome(Result.CONTRADICTORY, 0.0, details))
    started = u
    if system.rate_off(u).max() > NEAR:
        started = u + system.least(-system.rate)
    system.observe(0.0, closed, started)
    off = system.rate_off(np.maximum(abs(u), abs(started)))  # a mechanism that is locked keeps rounding of what it had
    if not off.max() < MET:
        worst = int(np.where(off < MET, 0.0, abs(system.rate)).argmax())
        fault = _contradiction(
            f"At the start {names[worst]} asks for a velocity that is off by {system.rate[worst]:.3g}",
            "the velocities",
        )
        return Assembly(closed, u, count, 0, fault=fault)
    here = system.rank(0.0, closed)
    rank = max(here, *(system.rank(0.0, near) for near in _nearby(system, closed)))
    singular: Outcome | None = None
    system.observe(0.0, closed, started)
    if here < rank and (lack := lack_of(model, system.idle())) is not None:
        singular = Outcome(Result.SINGULAR, 0.0, f"The constraints leave such a motion free. {lack.details}")
    elif here < rank:
        singular = Outcome(
            Result.UNDETERMINED,
            0.0,
            f"The start is a singular position, rank {here} instead of {rank}, which more than one motion can leave: "
            "start beside it.",
        )
    moved = _differences(system, q, closed, u, started)
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
    system.observe(0.0, q, np.zeros(system.model.nv))
    free = system.free()
    random = np.random.default_rng(0)
    places = []
    for _ in range(2):
        change = free @ random.normal(size=free.shape[1])
        near = system.close(0.0, displaced(system.model, q, change * (NUDGE / system.extent(change, q))))
        beside = system.extent(system.least(-system.phi), q)  # of a double root the residual itself does not tell
        places.append(near if min(system.off().max(), beside) < 1e-8 else q)
    return places


def _contradiction(what: str, which: str) -> Outcome:
    return Outcome(Result.CONTRADICTORY, 0.0, f"{what}: change it, or {which} that the others ask for.")


def _differences(
    system: Constraints, q: np.ndarray, new_q: np.ndarray, u: np.ndarray, new_u: np.ndarray
) -> tuple[str, ...]:
    """What was changed by more than rounding, in words."""
    model, reach = system.model, system.reach(new_q)
    scale = system.slides.largest(np.stack([q, new_q]), np.stack([u, new_u]), reach)
    scale[model.nq :] = np.maximum(scale[model.nq :], 1e-6 * np.where(system.slides.u, reach, 1.0))
    names = [f"q of {name!r}" for name in model.coordinate_names] + [f"u of {name!r}" for name in model.velocity_names]
    changes = np.concatenate([new_q - q, new_u - u])
    found = zip(names, changes, scale, strict=True)
    return tuple(f"{name} by {change:.3g}" for name, change, size in found if abs(change) > max(MOVED * size, NOTHING))
