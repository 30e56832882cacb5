"""A hand on a body: the pose that it pulls a mechanism to, and the spring by which it pulls one that moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...expressions import Expression, Symbol, Variable, as_scalar
from ...model.displacement import displaced_coordinates
from ...model.fields import map_scalars, symbols_in
from ...model.forces import Damper, Spring
from ...model.model import Model
from ..base.tolerances import START_CLOSED
from ..kernels import entry_points
from ..kernels import memory_layout as layout
from ..packing.pack import Packed, pack_model
from ..states.constraint_system import Constraints, Slides, set_nearest_curve_parameters
from ..states.dynamics import Dynamics

__all__ = ["Grip", "Pulled", "delayed", "pull_pose", "pulling_forces", "with_pose"]

TURNS: Final = 60
"""Steps towards the hand at most; a drag asks again from where it was left."""
NEAR: Final = 1e-6
"""Of the mechanism's length: how near to the hand is at the hand."""
STEP: Final = 0.3
"""Radians, or lengths of the mechanism, of one step: along a longer one the point would leave its tangent."""
SOFT, HARDER, SOFTER, HARDEST = 1e-6, 10.0, 0.5, 1e6
"""Of the mobility: what is added to it at first and at least, times what where a step leads nowhere and where it leads
nearer, and how much tells that none does."""
STALLED: Final = 1e-7
"""Part of the way that a step must gain, or the hand is out of reach."""
MASSLESS: Final = 1e-8
"""Of the mean inertia, given to what has none: it follows the hand before all else."""
FIRM: Final = 3.0
"""Of the spring's own frequency over that of a pendulum as long as the mechanism: it follows within a second."""
STRONGEST: Final = 4.0
"""Weights of the whole mechanism with which a hand pulls that is as far away as the mechanism is long."""
NOTICED: Final = 0.05
"""Of the mechanism's length: how far from the hand a body must stay for it to be said."""
DAMPED: Final = 0.25
"""Of critical damping: the hand takes the shake out of it, not the swing."""
STANDARD_GRAVITY: Final = 9.80665
"""m/s²: sets how fast the spring is, with the weight or without it."""
SAME: Final = 1e-12
"""Relative difference of coordinates that is rounding."""


@dataclass(frozen=True)
class Grip:
    """Where a body is held: its index, and a point in its axes from O*, m."""

    body: int
    at: tuple[float, float, float]


@dataclass(frozen=True)
class Pulled:
    """A pose (nq,), how far the point is from the hand there, m, and what is in the way, in words."""

    q: np.ndarray
    left: float
    words: str


class _Chain:
    """A mechanism that is pulled at one point."""

    def __init__(self, model: Model, grip: Grip) -> None:
        self.model, self.grip = model, grip
        self.packed: Packed = pack_model(model)
        self.dynamics = Dynamics(model)
        self.system = Constraints(model, self.packed) if model.constraints else None
        self.limits = _limits(model)

    def point(self, q: np.ndarray) -> np.ndarray:
        """Place (3,) of the point in the world."""
        return self._kinematics(q, np.zeros((1, self.model.nv)))[0, :3]

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """∂v/∂u (3, nv) of the point."""
        return self._kinematics(q, np.eye(self.model.nv))[:, 3:6].T

    def _kinematics(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        out = np.empty((len(u), 9))
        places = np.ascontiguousarray(np.broadcast_to(q, (len(u), len(q))))
        row = self.packed.rows[self.grip.body]
        arrays = self.packed.model, self.packed.new_data()
        entry_points.point_kinematics(*arrays, row, *self.grip.at, places, u, np.zeros_like(u), out)
        return out

    def free(self, q: np.ndarray) -> np.ndarray:
        """A basis (nv, freedom) of the velocities that the constraints leave."""
        if self.system is None:
            return np.eye(self.model.nv)
        self.system.observe(0.0, q, np.zeros(self.model.nv))
        return self.system.free()

    def closed(self, q: np.ndarray) -> np.ndarray | None:
        """The nearest pose on the constraints, or none."""
        if self.system is None:
            return q
        set_nearest_curve_parameters(self.packed, q)
        self.system.feet[:] = self.system.table[:, layout.C_VALUE]
        near = self.system.close(0.0, q)
        return near if self.system.off().max(initial=0.0) < START_CLOSED else None

    def mobility(self, q: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far a unit force at the point moves the coordinates (nv, 3) and the point (3, 3), in the metric of M."""
        mass = free.T @ self.dynamics.mass_matrix(q) @ free
        size = float(np.trace(mass)) / max(len(mass), 1)
        along = self.jacobian(q) @ free
        moved = np.linalg.solve(mass + MASSLESS * (size or 1.0) * np.eye(len(mass)), along.T)
        return free @ moved, along @ moved


def pull_pose(model: Model, q: Any, grip: Grip, hand: Any) -> Pulled:
    """The pose in which a point of a body is nearest to a hand, reached from q along the mechanism's own ways.

    Each step is the least in the metric of the kinetic energy, in the null space of the constraints, and is brought
    back to them: of many poses that reach the hand it is that to which heavy things move little.
    """
    chain, q, hand = _Chain(model, grip), np.array(q, dtype=float), np.array(hand, dtype=float)
    length, stopped, soft = _length(chain, q), list[str](), SOFT
    left = float(np.linalg.norm(hand - chain.point(q)))
    for _ in range(TURNS):
        free, stopped = _unlimited(chain, q, chain.free(q), hand)
        if left <= NEAR * length or not free.shape[1] or soft > HARDEST:
            break
        new = _step(chain, q, free, hand, length, soft)
        nearer = np.inf if new is None else float(np.linalg.norm(hand - chain.point(new)))
        if new is None or nearer >= left:
            soft *= HARDER
            continue
        gained, q, left, soft = left - nearer, new, nearer, max(soft * SOFTER, SOFT)
        if gained < STALLED * left:
            break
    words = "; ".join(stopped) or f"out of reach by {left:.3g} m"
    if not chain.mobility(q, chain.free(q))[1].any():
        words = f"{model.bodies[grip.body].name} cannot be moved"
    return Pulled(q, left, words if left > NOTICED * length else "")


def _step(
    chain: _Chain, q: np.ndarray, free: np.ndarray, hand: np.ndarray, length: float, soft: float
) -> np.ndarray | None:
    """A pose nearer to the hand, as far as the tangent goes; None where the constraints cannot be met there.

    By Levenberg and Marquardt: W⁻¹ Aᵀ (A W⁻¹ Aᵀ + λ 1)⁻¹ e, W the mass matrix, A the Jacobian of the point.
    """
    moved, mobility = chain.mobility(q, free)
    most = float(np.trace(mobility))
    if not most > 0.0:
        return None
    change = moved @ np.linalg.solve(mobility + soft * most * np.eye(3), hand - chain.point(q))
    scale = np.where(Slides.of(chain.model).u, length, 1.0)
    change *= min(1.0, STEP / max(float(abs(change / scale).max(initial=0.0)), 1e-300))
    return chain.closed(_limited(chain, displaced_coordinates(chain.model, q, change)))


def _limits(model: Model) -> list[tuple[int, int, str, float, float]]:
    """Coordinate, velocity, name, least and largest value of every joint that has limits."""
    found = []
    for index, body in enumerate(model.bodies):
        if (bounds := getattr(body.joint, "limits", None)) is not None:
            low, high = (model.number(item) for item in bounds)
            found.append((model.q_offsets[index], model.u_offsets[index], body.name, low, high))
    return found


def _limited(chain: _Chain, q: np.ndarray) -> np.ndarray:
    q = q.copy()
    for place, _, _, low, high in chain.limits:
        q[place] = min(max(q[place], low), high)
    return q


def _unlimited(chain: _Chain, q: np.ndarray, free: np.ndarray, hand: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Of a basis of velocities what does not push a joint past its limit, and which limits were met."""
    words = []
    for place, velocity, name, low, high in chain.limits:
        if not free.shape[1]:
            break
        change = chain.mobility(q, free)[0] @ (hand - chain.point(q))
        slack = SAME * max(1.0, abs(low), abs(high))
        if (q[place] >= high - slack and change[velocity] > 0) or (q[place] <= low + slack and change[velocity] < 0):
            _, sizes, axes = np.linalg.svd(free[velocity][None])
            free = free @ axes[int((sizes > 0).sum()) :].T
            words.append(f"{name} is at its limit, {q[place]:.3g}")
    return free, words


def pulling_forces(model: Model, q: Any, grip: Grip, hand: Any) -> tuple[Spring, Damper]:
    """A spring and a damper from a hand to a point of a body, suited to the mass felt there and to the whole."""
    chain, q = _Chain(model, grip), np.array(q, dtype=float)
    felt = chain.mobility(q, chain.free(q))[1]
    mass = 1.0 / float(np.linalg.eigvalsh(felt)[-1]) if felt.any() else 0.0
    slope = STANDARD_GRAVITY / _length(chain, q)
    whole = sum(model.number(body.mass) for body in model.bodies)
    stiffness = min(mass * FIRM**2, STRONGEST * whole) * slope
    ends = (None, tuple(map(float, hand))), (model.bodies[grip.body].name, grip.at)
    return Spring(*ends, stiffness=stiffness), Damper(*ends, damping=2.0 * DAMPED * math.sqrt(stiffness * mass))


def with_pose(model: Model, q: np.ndarray) -> Model:
    """A model that starts in a pose: an initial coordinate that is a parameter is moved by it, within its bounds.

    Where the parameter is the size of something, too, a number takes its place: a hand moves bodies and changes none.
    """
    given = model.state.q
    sizes = symbols_in((model.bodies, model.gravity, model.forces, model.constraints, model.state.u))
    values: dict[str, float] = {}
    for entry, value, turns in zip(given or (), q, _turning(model), strict=False):
        if (
            isinstance(entry, Symbol)
            and entry.name not in sizes
            and not math.isclose(model.number(entry), value, rel_tol=SAME, abs_tol=SAME)
        ):
            values[entry.name] = _within(model.parameters[entry.name], float(value), turns)
    moved = model.with_values(**values) if values else model
    entries = [
        entry if _same_place(moved.number(entry), value, turns) else float(value)
        for entry, value, turns in zip(given or moved.q0, q, _turning(model), strict=True)
    ]
    return moved.replace(state=moved.state.replace(q=entries))


def delayed(model: Model, seconds: float, tau: Any = None) -> tuple[Model, Any]:
    """A model, and efforts beside it, whose time began so long ago: t + seconds for t in all that depends on it."""

    def later(expression: Any) -> Any:
        scalar = as_scalar(expression, "tau") if isinstance(expression, str) else expression
        if not isinstance(scalar, Expression):
            return scalar
        if not any(isinstance(leaf, Variable) and leaf.kind == "t" for leaf in scalar.leaves()):
            return expression
        return scalar.replace(lambda leaf: leaf + seconds if getattr(leaf, "kind", "") == "t" else leaf)

    parts = {key: map_scalars(getattr(model, key), later) for key in ("forces", "constraints")}
    same = all(parts[key] == getattr(model, key) for key in parts)
    return (model if same else model.replace(**parts)), _each(tau, later)


def _each(tau: Any, change: Any) -> Any:
    if isinstance(tau, dict):
        return {joint: _each(value, change) for joint, value in tau.items()}
    if isinstance(tau, Sequence) and not isinstance(tau, str):
        return [_each(value, change) for value in tau]
    return change(tau)


def _within(parameter: Any, value: float, turns: bool) -> float:
    """The value, or for an angle one that is whole turns away, where that lies within a parameter's bounds."""
    low, high = (
        (-math.inf if parameter.min is None else parameter.min),
        (math.inf if parameter.max is None else parameter.max),
    )
    if turns and not low <= value <= high:
        rest = math.remainder(value, math.tau)
        return next((one for one in (rest, rest + math.tau, rest - math.tau) if low <= one <= high), value)
    return value


def _same_place(one: float, other: float, turns: bool) -> bool:
    away = math.remainder(one - other, math.tau) if turns else one - other
    return abs(away) <= SAME * max(1.0, abs(one), abs(other))


def _turning(model: Model) -> list[bool]:
    """Whether each coordinate is an angle, the same after a whole turn."""
    found = []
    for body in model.bodies:
        for column in body.joint.columns():
            found += [False] * 4 if column.kind == "ball" else [column.kind == "rotation"]
    return found


def _length(chain: _Chain, q: np.ndarray) -> float:
    """How far the mechanism reaches, m; 1 where it is a point."""
    points = np.concatenate([chain.dynamics.poses(q)[0], chain.point(q)[None], np.zeros((1, 3))])
    length = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
    return length if length > 0.0 else 1.0
