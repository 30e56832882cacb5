"""The equations of every body about a pole of its own, in body axes, as numbers: Tătaru's form for any model.

For all bodies together v = (v_1, ω_1, v_2, ω_2, …), M = diag(M_O1, …), and L_τ is how v follows from the velocities
that joints and constraints leave: L_λ, all that they forbid, is its complement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ModelError
from ...model.model import Model
from ..base.rotations import parallel_axes, rotation_matrices, skew_matrix
from ..base.tolerances import DEPENDENT
from ..kernels import entry_points
from ..kernels import memory_layout as layout
from ..kernels.opened_joint import allocate_work_space, opened_joint_equations
from ..packing.pack import Packed, pack_model
from .constraint_routes import ConstrainedSystem

__all__ = ["BodyEquationFrames", "body_equations"]

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class BodyEquationFrames:
    """M v̇ = Q^g + Q + L_λᵀ λ for n bodies, body axes, each about its pole.

    Attributes
    ----------
    M, Omega : (6n, 6n)   (2), (11) with + [ω][J]
    S, J : (n, 3, 3), S_O1 = m [O₁C] and the tensor at the pole   (4), (6)
    v, Qg, Q : (6n,), velocities, −Ω v, weight and loads   (12), (10), (16)
    L_tau : (6n, freedom), orthonormal columns; L_lambda : (6n − freedom, 6n), orthonormal rows   (43), (48)
    right : (6n − freedom,), −L̇_λ v   (50)
    """

    M: Array
    S: Array
    J: Array
    Omega: Array
    v: Array
    Qg: Array
    Q: Array
    L_tau: Array
    L_lambda: Array
    right: Array

    @property
    def rank(self) -> int:
        """Independent constraints of joints and loops together."""
        return len(self.L_lambda)

    def solve(self) -> tuple[Array, Array]:
        """v̇ (6n,) and the constraints' wrench L_λᵀ λ (6n,) of each body   (49), (50)"""
        forces = self.Qg + self.Q
        matrix = np.concatenate([self.L_tau.T @ self.M, self.L_lambda])
        vd = np.linalg.solve(matrix, np.concatenate([self.L_tau.T @ forces, self.right]))
        return vd, self.M @ vd - forces


def body_equations(model: Model, q: Any, u: Any, poles: Any = None, t: float = 0.0) -> BodyEquationFrames:
    """The equations of all bodies at one state; ``poles`` (n, 3), m, in body axes, O* of each unless told.

    >>> model = mb.library.body_on_circle()
    >>> mb.body_equations(model, model.q0, model.u0).M.shape
    (6, 6)
    """
    n = len(model.bodies)
    where = np.zeros((n, 3)) if poles is None else np.broadcast_to(np.asarray(poles, dtype=float), (n, 3))
    packed = pack_model(model)
    position, R = _poses(model, packed, np.asarray(q, dtype=float))
    axes, loads = _axes_and_loads(model, packed, q, u, t, position)
    V = _partial_velocities(model, axes, position, R, where)
    v = V @ np.asarray(u, dtype=float)
    bias = _bias(model, packed, q, u, where, R, v)
    mass = np.array([model.number(body.mass) for body in model.bodies])
    arms = np.array([[model.number(x) for x in body.com] for body in model.bodies]) - where
    central = np.array([[[model.number(x) for x in row] for row in body.inertia] for body in model.bodies])
    S = mass[:, None, None] * skew_matrix(arms)
    J = parallel_axes(central, mass, arms)
    w = skew_matrix(v.reshape(n, 6)[:, 3:])
    m = mass[:, None, None] * np.eye(3)
    M, Omega = _diagonal(m, -S, S, J), _diagonal(w @ m, -w @ S, S @ w, w @ J)
    Qg = -Omega @ v
    left, particular = _left(model, q, u, t)
    L_tau, L_lambda = _complement(V @ left)
    right = L_lambda @ (V @ particular + bias)
    g = np.array([model.number(x) for x in model.gravity])
    Q = _seen(loads + _weights(mass, g, R, arms + where), R, where)
    return BodyEquationFrames(M, S, J, Omega, v, Qg, Q, L_tau, L_lambda, right)


def _diagonal(a: Array, b: Array, c: Array, d: Array) -> Array:
    n = len(a)
    out = np.zeros((6 * n, 6 * n))
    for i in range(n):
        out[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.block([[a[i], b[i]], [c[i], d[i]]])
    return out


def _poses(model: Model, packed: Packed, q: Array) -> tuple[Array, Array]:
    n = len(model.bodies)
    position, quaternion = np.empty((1, n, 3)), np.empty((1, n, 4))
    entry_points.body_poses(packed.model, packed.new_data(), q[None], position, quaternion)
    return position[0], rotation_matrices(quaternion[0])


def _partial_velocities(model: Model, axes: Array, position: Array, R: Array, where: Array) -> Array:
    """V (6n, nv): velocities of the poles and ω, body axes, for each u."""
    n = len(model.bodies)
    V = np.zeros((n, 6, model.nv))
    for i in range(n):
        point = position[i] + R[i] @ where[i]
        for j in model.path(i):
            k = model.u_offsets[j]
            for column in model.bodies[j].joint.columns():
                for _ in range(3 if column.kind == "ball" else 1):
                    slide = column.kind == "translation"
                    V[i, :3, k] = R[i].T @ (axes[k] if slide else np.cross(axes[k], point - position[j]))
                    V[i, 3:, k] = 0.0 if slide else R[i].T @ axes[k]
                    k += 1
    return V.reshape(6 * n, model.nv)


def _bias(model: Model, packed: Packed, q: Any, u: Any, where: Array, R: Array, v: Array) -> Array:
    """v̇ (6n,) in body axes at u̇ = 0, from the accelerations of four points of each body."""
    out = np.zeros((len(model.bodies), 6))
    state = [np.asarray(x, dtype=float)[None] for x in (q, u, np.zeros(model.nv))]
    arrays = packed.model, packed.new_data()
    for i in range(len(model.bodies)):
        found = np.empty((4, 9))
        for row, shift in enumerate((np.zeros(3), *np.eye(3))):
            x, y, z = where[i] + shift
            entry_points.point_kinematics(*arrays, packed.rows[i], x, y, z, *state, found[row : row + 1])
        a = found[:, 6:] @ R[i]
        speed, omega = v[6 * i : 6 * i + 3], v[6 * i + 3 : 6 * i + 6]
        out[i, :3] = a[0] - np.cross(omega, speed)
        for unit, there in zip(np.eye(3), a[1:], strict=True):
            out[i, 3:] += 0.5 * np.cross(unit, there - a[0] - np.cross(omega, np.cross(omega, unit)))
    return out.reshape(-1)


def _left(model: Model, q: Any, u: Any, t: float) -> tuple[Array, Array]:
    """What the constraints leave of u (nv, freedom), and one u̇ that they allow."""
    if not model.constraints:
        return np.eye(model.nv), np.zeros(model.nv)
    return ConstrainedSystem(model).null_space(np.asarray(q, dtype=float), np.asarray(u, dtype=float), t)


def _complement(span: Array) -> tuple[Array, Array]:
    """Orthonormal columns of what is left, and orthonormal rows of all that is forbidden."""
    left, sizes, _ = np.linalg.svd(span)
    if span.shape[1] and not (sizes > DEPENDENT * sizes.max()).all():
        raise ModelError("a joint moves nothing", remedy="leave it out")
    return left[:, : span.shape[1]], left[:, span.shape[1] :].T


def _axes_and_loads(model: Model, packed: Packed, q: Any, u: Any, t: float, position: Array) -> tuple[Array, Array]:
    """Directions of all joints (nv, 3), and loads (n, 6) at O* of each body, world axes.

    What acts inside a joint acts on its body and, reversed, on the parent.
    """
    size = model.nv + 6
    arrays = packed.model, packed.new_data()
    axes = np.zeros((1, model.nv, 3))
    state = np.array([float(t)]), np.asarray(q, dtype=float)[None], np.asarray(u, dtype=float)[None]
    spare = np.zeros((1, size, size)), np.zeros((1, size)), np.zeros((1, size)), np.zeros((1, 3))
    opened_joint_equations(*arrays, 0, *state, *spare, axes, *allocate_work_space(model.nv))
    given, found = layout.tables_of(*arrays)
    loads = found.body[list(packed.rows), layout.LOAD : layout.LOAD + 6].copy()
    for i, parent in enumerate(model.parents):
        for slide, part in ((True, slice(0, 3)), (False, slice(3, 6))):
            own = [
                (int(column[layout.UI]), effort)
                for column, effort in zip(given.column, found.column[:, layout.EFFORT], strict=True)
                if model.u_offsets[i] <= column[layout.UI] < model.u_offsets[i + 1]
                and (column[layout.KIND] == layout.TRANSLATION) == slide
            ]
            if not own:
                continue
            # the efforts are the components of one vector in the span of the axes, which need not be orthogonal
            directions = axes[0, [ui for ui, _ in own]]
            push = np.linalg.pinv(directions) @ [effort for _, effort in own]
            loads[i, part] += push
            if parent >= 0:
                loads[parent, part] -= push
                if slide:
                    loads[parent, 3:] -= np.cross(position[i] - position[parent], push)
    return axes[0], loads


def _weights(mass: Array, g: Array, R: Array, com: Array) -> Array:
    """Weights (n, 6) at O*, world axes."""
    force = mass[:, None] * g
    return np.concatenate([force, np.cross(np.einsum("nij,nj->ni", R, com), force)], axis=1)


def _seen(loads: Array, R: Array, where: Array) -> Array:
    """Wrenches (n, 6) at O*, world axes, about the poles in body axes, (6n,)."""
    force, moment = (np.einsum("nji,nj->ni", R, part) for part in (loads[:, :3], loads[:, 3:]))
    return np.concatenate([force, moment - np.cross(where, force)], axis=1).reshape(-1)
