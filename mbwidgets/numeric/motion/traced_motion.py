"""A motion whose numbers are traced: what is computed of it is a program, for motions that a page will solve.

It has one frame, and what tables and arrows ask a `Motion` for. The tables that its numbers stand in are those that the
page observes of a motion (`scene/page/live/frames.js`); the model's numbers are those of its array.
"""

from __future__ import annotations

import copy
from functools import cached_property
from typing import Any, Final

import numpy as np

from ...errors import ModelError
from ...expressions import Expression
from ...model.force_primitives import acts_inside_joints
from ...model.model import Model
from ...symbolic.formula.formula import Formula
from ..base.rotations import rotate_vectors, rotation_matrices
from ..kernels import body_vectors as columns
from ..kernels import memory_layout as layout
from ..packing.pack import lettered_recipe
from ..packing.traced_numbers import TracedNumber, Tracer
from .constraint_forces import ConstraintForce
from .mass_moments import MassMomentFrames, mass_moments_of, moments_about, moments_in_columns
from .motion import Motion, PointMotion
from .reaction_parts import ReactionFrames
from .release import opened_equations
from .rotators import RotatorsFrames, rotators_of

__all__ = ["TracedMotion", "evaluated", "observed_tables", "parameters_of", "present_of"]

PARTS: Final = ("static", "kinetic", "applied")
TENSOR: Final = ((0, 3, 4), (3, 1, 5), (4, 5, 2))
"""Where the entries of a tensor stand among xx, yy, zz, xy, xz, yz."""


class TracedModel(Model):
    """A model whose masses, mass centres, tensors, places and axes are traced, and whatever parameters stand in."""

    def number(self, scalar: Any) -> Any:
        """As `Model.number`; what is traced stays so, and an expression of parameters becomes it."""
        if isinstance(scalar, TracedNumber):
            return scalar
        if isinstance(scalar, Expression):
            tracer: Tracer = self.__dict__["tracer"]
            return TracedNumber(tracer.trace.tree(scalar))
        return super().number(scalar)


def _traced_model(tracer: Tracer, motion: Motion) -> TracedModel:
    packed = motion.packed
    first = int(packed.model[layout.AT_COLUMNS])

    def numbers(slot: int, count: int = 3) -> tuple[TracedNumber, ...]:
        return tuple(tracer.number("numbers", slot + k) for k in range(count))

    bodies = []
    for index, given in enumerate(motion.model.bodies):
        slot = layout.HEADER + packed.rows[index] * layout.BODY_SIZE
        joint, place = copy.copy(given.joint), first + int(packed.model[slot + layout.FIRST]) * layout.COLUMN_SIZE
        steps = [place + k * layout.COLUMN_SIZE + layout.DIRECTION for k in range(len(given.joint.columns()))]
        turned = [
            column if column.kind == "ball" else column._replace(axis=numbers(step))
            for column, step in zip(given.joint.columns(), steps, strict=True)
        ]
        tensor = numbers(slot + layout.INERTIA, 6)
        bodies.append(
            _changed(
                given,
                joint=_changed(joint, at=numbers(slot + layout.AT), columns=lambda turned=tuple(turned): turned),
                mass=tracer.number("numbers", slot + layout.MASS),
                com=numbers(slot + layout.COM),
                inertia=tuple(tuple(tensor[k] for k in row) for row in TENSOR),
            )
        )
    changes = {"bodies": tuple(bodies), "gravity": numbers(layout.GRAVITY), "reductions": {}, "tracer": tracer}
    model = object.__new__(TracedModel)
    model.__dict__.update({**motion.model.__dict__, **changes})
    return model


def _changed(given: Any, **changes: Any) -> Any:
    """A copy with other values, which nobody looks at: they are no numbers yet."""
    made = copy.copy(given)
    for name, value in changes.items():
        object.__setattr__(made, name, value)
    return made


class TracedMotion:
    """One frame of a motion like ``present``, in traced numbers; ``own`` are the names of numbers besides."""

    def __init__(self, present: Motion, tracer: Tracer, own: tuple[str, ...] = ()) -> None:
        self.present, self.tracer, self.own = present, tracer, own
        self.model = _traced_model(tracer, present)
        nq, nv, n = present.model.nq, present.model.nv, len(present.model.bodies)
        self.q, self.u, self.ud = tracer.array("q", nq), tracer.array("u", nv), tracer.array("ud", nv)
        self.t = np.array([TracedNumber(tracer.trace.input("t", 0))], dtype=object)
        self.poses = tracer.array("position", 3 * n, n, 3), tracer.array("quaternion", 4 * n, n, 4)
        self.body_vectors = tracer.array("vectors", columns.WIDTH * n, n, columns.WIDTH)
        self.packed = present.packed

    def __len__(self) -> int:
        return 1

    @cached_property
    def rotations(self) -> np.ndarray:
        """As `Motion.rotations`."""
        return rotation_matrices(self.poses[1])

    @cached_property
    def angular_velocities(self) -> np.ndarray:
        """As `Motion.angular_velocities`."""
        return self.body_vectors[:, :, columns.OMEGA : columns.OMEGA + 3]

    def reactions(self, joint: str | int) -> np.ndarray:
        """As `Motion.reactions`."""
        return self._wrench("reactions", joint)

    def reaction_parts(self, joint: str | int) -> ReactionFrames:
        """As `Motion.reaction_parts`."""
        k = self.model.index(joint)
        own = range(self.model.u_offsets[k], self.model.u_offsets[k + 1])
        static, kinetic, forces = (self._wrench(name, joint) for name in PARTS)
        loads = any(not acts_inside_joints(self.present.model, force) for force in self.present.model.forces)
        if self.model.constraints:
            if loads:
                raise ModelError("in a closed loop with loads the page does not tell the parts of a reaction")
            nothing, unknown = 0.0 * static, np.full((1, len(own)), np.nan)  # nor what a drive has of each
            held = self.reactions(joint) - static - kinetic
            return ReactionFrames(static, kinetic, nothing, unknown, unknown, unknown, held, unknown)
        applied = np.full((1, len(own)), np.nan if loads else 0.0)  # a page does not tell what loads do to a drive
        still, moving = (self.tracer.array(f"{name} effort", own) for name in PARTS[:2])
        return ReactionFrames(static, kinetic, forces, still, moving, applied)

    def _wrench(self, table: str, joint: str | int) -> np.ndarray:
        k = self.model.index(joint)
        return self.tracer.array(table, range(6 * k, 6 * k + 6))

    def mass_moments(self, body: str | int, axis: Any = None, pole: Any = None) -> MassMomentFrames:
        """As `Motion.mass_moments`; axis and pole may both be traced, n of unit length and in body axes."""
        index = self.model.index(body)
        if np.array(axis).dtype == np.array(pole).dtype == object and pole is not None:
            turns = self.rotations[:, index]
            return moments_about(self.model, turns, index, turns @ np.array(axis), np.array(pole))
        if axis is None and pole is None:
            return moments_in_columns(self.model.bodies[index].mass, self.body_vectors[:, index])
        return mass_moments_of(self.model, self.rotations, self.angular_velocities, body, axis, pole)

    def rotators(self, joint: str | int) -> RotatorsFrames:
        """As `Motion.rotators`."""
        return rotators_of(self.model, joint, self.q, self.u, self.ud)

    def opened_joint(self, joint: str | int) -> tuple[np.ndarray, ...]:
        """A, G, Q of the system with this joint opened, O_k and the axes of all joints, as `opened_equations`."""
        nv, row = self.model.nv, self.packed.rows[self.model.index(joint)]
        n = nv + 6
        shapes = {"A": (n, n), "G": (n,), "Q": (n,), "opened point": (3,), "opened axes": (nv, 3)}
        return tuple(self.tracer.array(f"{name} {row}", int(np.prod(shape)), *shape) for name, shape in shapes.items())

    def point(self, body: str | int, at: Any = (0, 0, 0)) -> PointMotion:
        """As `Motion.point`; only the place is told."""
        index = self.model.index(body)
        place = np.array([self.model.number(item) for item in at])
        there = self.poses[0][:, index] + rotate_vectors(self.rotations[:, index], place)
        return PointMotion(there, np.full((1, 3), np.nan), np.full((1, 3), np.nan))

    @property
    def jacobian(self) -> np.ndarray:
        """As `Closure.jacobian`."""
        equations, nv = self.present.closure.equations, self.present.model.nv
        return self.tracer.array("jacobian", equations * nv, equations, nv)

    @property
    def multipliers(self) -> np.ndarray:
        """As `Motion.multipliers`."""
        return self.tracer.array("multiplier", self.present.multipliers.shape[1])

    @property
    def constraint_forces(self) -> tuple[ConstraintForce, ...]:
        """As `Motion.constraint_forces`, of those that act on bodies."""
        return tuple(self._action(item) for item in self.present.constraint_forces)

    def _action(self, item: ConstraintForce) -> ConstraintForce:
        if item.body is None:
            return item._replace(effort=np.full((1, self.present.model.nv), np.nan))
        table = f"action {item.constraint} {self.present.model.index(item.body)}"
        point, force, moment = (self.tracer.array(table, range(k, k + 3)) for k in (0, 3, 6))
        return item._replace(point=point, force=force, moment=moment, effort=np.zeros((1, self.present.model.nv)))


def evaluated(formula: Formula, motion: Any) -> np.ndarray:
    """The numbers of an exact formula along a motion (frames, shape…), traced ones of a traced motion."""
    if isinstance(motion, TracedMotion):
        return motion.tracer.formula(formula)
    found = np.asarray(formula.evaluate(q=motion.q, u=motion.u, ud=motion.ud, t=motion.t, **motion.model.values))
    return np.broadcast_to(found, (len(motion), *formula.shape))


def present_of(motion: Any) -> Motion:
    """The motion by whose numbers it is decided what is shown: itself, or the one that a traced motion is like."""
    return motion.present if isinstance(motion, TracedMotion) else motion


def parameters_of(model: Model) -> list[str]:
    """The names of a page's numbers, in the order of their table: the parameters come first."""
    return list(lettered_recipe(model)[0].recipe.names)


def observed_tables(motion: Motion) -> dict[str, np.ndarray]:
    """The tables that the numbers of a traced motion stand in, (frames or 1, …): as a page observes them."""
    tables = {
        "numbers": motion.packed.model[None],
        "parameters": np.array([list(motion.model.values.values())]),
        "q": motion.q,
        "u": motion.u,
        "ud": motion.ud,
        "position": motion.poses[0],
        "quaternion": motion.poses[1],
        "vectors": motion.body_vectors,
        "reactions": np.stack([motion.reactions(k) for k in range(len(motion.model.bodies))], axis=1),
    }
    for k, row in enumerate(motion.packed.rows):
        names = ("A", "G", "Q", "opened point", "opened axes")
        found = opened_equations(motion.model, k, motion.t, motion.q, motion.u)
        tables.update({f"{name} {row}": value for name, value in zip(names, found, strict=True)})
    if motion.model.constraints:
        tables["multiplier"], tables["jacobian"] = motion.multipliers, motion.closure.jacobian
        for item in motion.constraint_forces:
            if item.body is not None:
                name = f"action {item.constraint} {motion.model.index(item.body)}"
                tables[name] = np.hstack([item.point, item.force, item.moment])
    for name in PARTS:
        parts = [getattr(motion.reaction_parts(k), name) for k in range(len(motion.model.bodies))]
        tables[name] = np.stack(parts, axis=1)
        if not motion.model.constraints:
            efforts = [getattr(motion.reaction_parts(k), f"{name}_effort") for k in range(len(motion.model.bodies))]
            tables[f"{name} effort"] = np.hstack(efforts)
    return tables
