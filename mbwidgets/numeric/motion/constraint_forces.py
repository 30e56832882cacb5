"""What each constraint does to its bodies over a motion, from its multipliers: for arrows and for checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..base.brief import brief_text
from ..kernels import memory_layout as layout
from ..kernels.constraint_equations import curve_normal_at

if TYPE_CHECKING:
    from .motion import Motion


class ConstraintForce(NamedTuple):
    """The action of a constraint on one body over the frames, world axes.

    ``constraint`` its number, ``name`` in words; ``body`` None where it acts as an effort in joints; ``point``,
    ``force``, ``moment`` about the point, each (frames, 3); ``effort`` (frames, nv) of an equation or a prescribed
    motion.
    """

    constraint: int
    name: str
    body: str | None
    point: np.ndarray
    force: np.ndarray
    moment: np.ndarray
    effort: np.ndarray

    def __repr__(self) -> str:
        return brief_text(self)


def constraint_forces_of(
    motion: Motion, multipliers: np.ndarray, jacobian: np.ndarray, curve_parameters: np.ndarray
) -> tuple[ConstraintForce, ...]:
    """The actions of all constraints; ``curve_parameters`` (frames, rows) holds the curves' foot points."""
    reader = _Reader(motion, curve_parameters)
    found: dict[tuple[int, int], ConstraintForce] = {}
    k = -1
    for r, row in enumerate(reader.table):
        kind, owner = int(row[layout.C_KIND]), int(row[layout.C_OWNER])
        if kind == layout.SLOPE:
            continue
        k += 1
        value = multipliers[:, k : k + 1]
        if kind == layout.EQUATION:
            effort = value * jacobian[:, k]
            _collect(found, motion, owner, -1, reader.nothing, reader.nothing, reader.nothing, effort)
            continue
        force, moment = reader.action(r, kind)
        for sign, place, given in ((1.0, layout.C_A, layout.C_FIRST), (-1.0, layout.C_B, layout.C_SECOND)):
            body = int(row[place])
            if body >= 0:
                at_point = np.zeros(3) if kind == layout.ANGLE else row[given : given + 3]
                point = reader.point(body, at_point)
                effort = np.zeros_like(motion.u)
                _collect(found, motion, owner, body, point, sign * value * force, sign * value * moment, effort)
    return tuple(found.values())


def _collect(
    found: dict[tuple[int, int], ConstraintForce],
    motion: Motion,
    owner: int,
    body: int,
    point: np.ndarray,
    force: np.ndarray,
    moment: np.ndarray,
    effort: np.ndarray,
) -> None:
    """Add an action to that of the same constraint on the same body, at the point that was named first."""
    before = found.get((owner, body))
    if before is not None:
        moment = before.moment + moment + np.cross(point - before.point, force)
        force, effort, point = before.force + force, before.effort + effort, before.point
    name = f"constraint {owner} ({motion.model.constraints[owner].type})"
    carried = None if body < 0 else str(motion.model.bodies[motion.packed.order[body]].name)
    found[owner, body] = ConstraintForce(owner, name, carried, point, force, moment, effort)


class _Reader:
    """Points and directions of the constraint table's rows over the frames."""

    def __init__(self, motion: Motion, parameter: np.ndarray) -> None:
        self.motion = motion
        self.table = layout.constraint_table(motion.packed.tables)
        self.data = motion.packed.new_data()
        self.parameter = parameter
        self.nothing = np.zeros((len(motion.t), 3))

    def turned(self, body: int, vector: np.ndarray) -> np.ndarray:
        """A body's vector in world axes."""
        if body < 0:
            return self.nothing + vector
        return np.asarray(self.motion.rotations[:, self.motion.packed.order[body]] @ vector)

    def point(self, body: int, place: np.ndarray) -> np.ndarray:
        """Where a body's point is."""
        lever = self.turned(body, place)
        return lever if body < 0 else self.motion.poses[0][:, self.motion.packed.order[body]] + lever

    def action(self, r: int, kind: int) -> tuple[np.ndarray, np.ndarray]:
        """Force and moment on the first body for λ = 1."""
        row = self.table[r]
        a, b = int(row[layout.C_A]), int(row[layout.C_B])
        first, second = row[layout.C_FIRST : layout.C_FIRST + 3], row[layout.C_SECOND : layout.C_SECOND + 3]
        if kind == layout.ANGLE:
            return self.nothing, np.cross(self.turned(a, first), self.turned(b, second))
        if kind == layout.SEPARATION:
            return self.nothing + row[layout.C_NORMAL : layout.C_NORMAL + 3], self.nothing
        if kind == layout.DISTANCE:
            d = self.point(a, first) - self.point(b, second)
            length = np.linalg.norm(d, axis=1, keepdims=True)
            return d / np.where(length > 0, length, 1.0), self.nothing  # points on each other have no direction
        return np.array([self._across(r, s) for s in self.parameter[:, r]]), self.nothing

    def _across(self, r: int, s: float) -> np.ndarray:
        """The direction across a curve at s that belongs to the row."""
        model, row, out = self.motion.packed.model, self.table[r], np.zeros(3)
        second = bool(row[layout.C_KIND] == layout.CURVE_NEXT)
        curve_normal_at(model, self.data, int(row[layout.C_PROGRAM]), float(s), second, out)
        return out
