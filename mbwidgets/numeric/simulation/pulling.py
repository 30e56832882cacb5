"""A hand on a body: the pose that it pulls a mechanism to, and the spring by which it pulls one that moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...expressions import Expression, Symbol, Variable, as_scalar
from ...model.fields import map_scalars, symbols_in
from ...model.forces import Damper, Spring
from ...model.model import Model
from ..kernels import assembly, point_pull
from ..kernels import memory_layout as layout
from ..packing.pack import Packed, pack_model
from ..states.constraint_system import set_nearest_curve_parameters

__all__ = ["Grip", "Pulled", "delayed", "joint_limits", "pull_pose", "pulling_forces", "with_pose"]

NOTICED: Final = 0.05
"""Of the mechanism's length: how far from the hand a body must stay for it to be said."""
SAME: Final = 1e-12
"""Relative difference of coordinates that is rounding."""
FAR: Final = "out of reach by {0} m"
LIMITED: Final = "{0} is at its limit, {1}"
FIXED: Final = "{0} cannot be moved"


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


def _pull(
    model: Model, packed: Packed, q: np.ndarray, grip: Grip, hand: Any, turns: int, limits: np.ndarray
) -> np.ndarray:
    """Pull a point by the kernel, in place; returns what it found."""
    nv, width = model.nv, max(model.nv, model.nq)
    length = max(model.nq + nv + 1, nv + int(packed.model[layout.EQUATIONS]))
    more = 0 if model.constraints else 2 * nv * nv + layout.WORK_VECTORS * width
    rooms = np.zeros((assembly.SPARE_ROWS, length)), np.zeros((point_pull.LIMIT_ROWS + len(limits), width))
    arrays = packed.model, np.concatenate([packed.new_data(), np.zeros(more)]), packed.rows[grip.body]
    points, found = (np.array(grip.at, dtype=float), np.array(hand, dtype=float)), np.zeros(5)
    point_pull.pull_point(*arrays, *points, turns, limits, q, *rooms, found)
    return found


def pull_pose(model: Model, q: Any, grip: Grip, hand: Any) -> Pulled:
    """The pose in which a point of a body is nearest to a hand, reached from q along the mechanism's own ways.

    See `kernels.point_pull`; the page of a view calls the same kernel.
    """
    packed, q, bounds = pack_model(model), np.array(q, dtype=float), joint_limits(model)
    if model.constraints:
        set_nearest_curve_parameters(packed, q)
    limits = np.zeros((len(bounds), point_pull.LIMIT_SIZE))
    for row, (place, velocity, _, low, high) in zip(limits, bounds, strict=True):
        row[: point_pull.MET] = place, velocity, low, high
    left, reach, movable, *_ = map(float, _pull(model, packed, q, grip, hand, point_pull.TURNS, limits))
    words = [
        LIMITED.format(name, f"{q[place]:.3g}")
        for row, (place, _, name, *_) in zip(limits, bounds, strict=True)
        if row[point_pull.MET]
    ]
    said = "; ".join(words) or FAR.format(f"{left:.3g}")
    if not movable:
        said = FIXED.format(model.bodies[grip.body].name)
    return Pulled(q, left, said if left > NOTICED * reach else "")


def joint_limits(model: Model) -> list[tuple[int, int, str, float, float]]:
    """Coordinate, velocity, name, least and largest value of every joint that has limits."""
    found = []
    for index, body in enumerate(model.bodies):
        if (bounds := getattr(body.joint, "limits", None)) is not None:
            low, high = (model.number(item) for item in bounds)
            found.append((model.q_offsets[index], model.u_offsets[index], body.name, low, high))
    return found


def pulling_forces(model: Model, q: Any, grip: Grip, hand: Any) -> tuple[Spring, Damper]:
    """A spring and a damper from a hand to a point of a body, suited to the mass felt there and to the whole."""
    none = np.zeros((0, point_pull.LIMIT_SIZE))
    found = _pull(model, pack_model(model), np.array(q, dtype=float), grip, hand, 0, none)
    ends = (None, tuple(map(float, hand))), (model.bodies[grip.body].name, grip.at)
    spring = Spring(*ends, stiffness=float(found[point_pull.STIFFNESS]))
    return spring, Damper(*ends, damping=float(found[point_pull.DAMPING]))


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
