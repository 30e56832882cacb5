"""Joint reactions by releasing the joint, in numbers: one state, or every frame of a motion at once (Do Sanh).

`symbolic.papers.release` has the same matrices as formulae.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import ModelError, StateError
from ...model.model import Model
from ..base.brief import brief_text
from ..kernels.opened_joint import allocate_work_space, opened_joint_equations
from ..packing.pack import pack_model
from ..packing.traced_numbers import greater, traced_where

__all__ = ["ReleaseFrames", "opened_equations", "release_at", "release_of"]

DEPENDENT = 1e-20
"""Square of what is left of a unit vector that is in the span of others, but for rounding."""
Array = np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseFrames:
    """The freed system of a joint over frames; the last six rows are force and moment at O_k, world axes.

    ``A`` (frames, nv + 6, nv + 6), ``G``, ``Q`` (frames, nv + 6), ``ud`` (frames, nv), ``point`` O_k (frames, 3),
    ``slides``, ``turns`` (frames, k, 3): the joint's free directions. ``held`` = Φ_zᵀ λ (frames, 6): what closed loops
    do to all that the joint carries, zero for a tree.
    """

    A: Array
    G: Array
    Q: Array
    ud: Array
    point: Array
    slides: Array
    turns: Array
    held: Array

    def __repr__(self) -> str:
        return brief_text(self)

    @property
    def nv(self) -> int:
        return self.ud.shape[-1]

    @property
    def A0(self) -> Array:
        """(frames, nv, nv)   (3.7)"""
        return self.A[:, : self.nv, : self.nv]

    @property
    def B(self) -> Array:
        """(frames, 6, nv)   (3.23)"""
        return self.A[:, self.nv :, : self.nv]

    @property
    def G0(self) -> Array:
        """(frames, nv)   (3.20)"""
        return self.G[:, : self.nv]

    @property
    def G1(self) -> Array:
        """(frames, 6)   (3.24)"""
        return self.G[:, self.nv :]

    @property
    def Q0(self) -> Array:
        """(frames, nv)   (3.20)"""
        return self.Q[:, : self.nv]

    @property
    def Q1(self) -> Array:
        """(frames, 6)   (3.24)"""
        return self.Q[:, self.nv :]

    @cached_property
    def accelerations(self) -> Array:
        """A0⁻¹ (G0 + Q0) of the open tree, (frames, nv)   (3.27)"""
        return np.linalg.solve(self.A0, (self.G0 + self.Q0)[..., None])[..., 0]

    @cached_property
    def total(self) -> Array:
        """R1 = B q̈ − G1 − Q1 − Φ_zᵀ λ, (frames, 6): of the parent on the body, efforts included   (3.26)"""
        return np.asarray(np.einsum("fij,fj->fi", self.B, self.ud) - self.G1 - self.Q1 - self.held)

    @cached_property
    def reactions(self) -> Array:
        """R1 without the efforts, (frames, 6): what the bearing carries, as `Motion.reactions`."""
        return np.concatenate([_across(self.total[:, :3], self.slides), _across(self.total[:, 3:], self.turns)], axis=1)

    @property
    def efforts(self) -> Array:
        """What R1 leaves in the free directions, (frames, 6): the joint's actuator, spring and friction."""
        return self.total - self.reactions


def _across(v: Array, directions: Array) -> Array:
    """v (frames, 3) less its part in the span of the directions (frames, k, 3)."""
    if not directions.shape[1]:
        return v
    if v.dtype == object:
        return _traced_across(v, directions)
    inverse = np.linalg.pinv(directions)
    return np.asarray(v - np.einsum("fij,fjk,fk->fi", inverse, directions, v))


def _traced_across(v: Array, directions: Array) -> Array:
    """The same in traced numbers, by Gram and Schmidt; of a direction that is in the span of others nothing is left."""
    taken: list[Array] = []
    for k in range(directions.shape[1]):
        e = directions[:, k]
        for t in taken:
            e = e - (e * t).sum(axis=1)[:, None] * t
        square = (e * e).sum(axis=1)
        length = np.sqrt(traced_where(greater(square, DEPENDENT), square, 1.0))
        e = e / length[:, None]
        taken.append(e)
        v = v - (v * e).sum(axis=1)[:, None] * e
    return v


def release_at(
    model: Model, joint: str | int, q: Any, u: Any, ud: Any = None, t: Any = 0.0, held: Any = None
) -> ReleaseFrames:
    """The freed system at states q (frames, nq), u (frames, nv); one state may be given flat.

    ``ud``: accelerations of the motion; those of the model's own forces (3.27) where none are given. ``held``: the
    wrench of closed loops on all that the joint carries, function of O_k; `release_of` takes it from a motion.
    """
    k = model.index(joint)
    if model.constraints and held is None:
        raise ModelError(
            "the model has constraints, whose forces follow from its motion",
            where=f"joint {model.bodies[k].name!r}",
            remedy="use release_of(motion, joint)",
        )
    q, u = _frames(q, model.nq, "q"), _frames(u, model.nv, "u")
    count = max(len(q), len(u))
    q, u = (np.ascontiguousarray(np.broadcast_to(x, (count, x.shape[1]))) for x in (q, u))
    times = np.ascontiguousarray(np.broadcast_to(np.asarray(t, dtype=float), (count,)))
    A, G, Q, points, axes = opened_equations(model, k, times, q, u)
    slides, turns = _free(model, k, axes)
    if ud is None:
        n0 = model.nv
        ud = np.linalg.solve(A[:, :n0, :n0], (G + Q)[:, :n0, None])[..., 0]
    ud = np.broadcast_to(_frames(ud, model.nv, "ud"), u.shape)
    wrench = np.zeros((count, 6)) if held is None else held(points)
    return ReleaseFrames(A, G, Q, ud, points, slides, turns, wrench)


def opened_equations(model: Model, k: int, times: Array, q: Array, u: Array) -> tuple[Array, ...]:
    """A, G, Q of the freed system over the frames, O_k (frames, 3), and the axes of all joints (frames, nv, 3)."""
    packed, count, n = pack_model(model), len(times), model.nv + 6
    A, G, Q = np.zeros((count, n, n)), np.zeros((count, n)), np.zeros((count, n))
    points, axes = np.zeros((count, 3)), np.zeros((count, model.nv, 3))
    opened_joint_equations(
        packed.model,
        packed.new_data(),
        packed.rows[k],
        times,
        q,
        u,
        A,
        G,
        Q,
        points,
        axes,
        *allocate_work_space(model.nv),
    )
    return A, G, Q, points, axes


def release_of(motion: Any, joint: str | int) -> ReleaseFrames:
    """The freed system of a joint in every frame of a motion, the forces of closed loops included.

    Of a traced motion it is traced.
    """
    model = motion.model
    carried = {model.bodies[i].name for i in model.subtree(joint)}

    def held(points: Array) -> Array:
        total = np.zeros((len(motion.t), 6))
        for action in motion.constraint_forces:
            if action.body in carried:
                moment = action.moment + np.cross(action.point - points, action.force)
                total = total + np.concatenate([action.force, moment], axis=1)
        return total

    if (opened := getattr(motion, "opened_joint", None)) is not None:
        A, G, Q, points, axes = opened(joint)
        return ReleaseFrames(A, G, Q, motion.ud, points, *_free(model, model.index(joint), axes), held(points))
    return release_at(model, joint, motion.q, motion.u, motion.ud, motion.t, held)


def _free(model: Model, k: int, axes: Array) -> tuple[Array, Array]:
    """The joint's free directions of translation and of rotation."""
    kinds: list[str] = []
    for column in model.bodies[k].joint.columns():
        kinds += ["rotation"] * 3 if column.kind == "ball" else [column.kind]
    first = model.u_offsets[k]
    slides = [first + j for j, kind in enumerate(kinds) if kind == "translation"]
    turns = [first + j for j, kind in enumerate(kinds) if kind == "rotation"]
    return axes[:, slides], axes[:, turns]


def _frames(values: Any, size: int, what: str) -> Array:
    array = np.atleast_2d(np.asarray(values, dtype=float))
    if array.ndim != 2 or array.shape[1] != size:
        raise StateError(f"{what} has shape {np.shape(values)}", remedy=f"give (frames, {size}) or ({size},)")
    return array
