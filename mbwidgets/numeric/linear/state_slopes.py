"""How accelerations follow small changes of a state: the kernels over dual numbers, no differences.

A change of pose is a vector δξ (nv,): q moves by N(q) δξ, with q̇ = N(q) u. It is δq for one-axis joints, a small
turn in body axes for a ball.
"""

from __future__ import annotations

import math

import numpy as np

from ...errors import StateError
from ...model.model import Model
from ..base.rotations import quaternion_product, skew_matrix
from ..engines.engine import dual_kernels
from ..kernels import memory_layout as layout
from ..kernels.constrained_derivative import constrained_derivative
from ..kernels.entry_points import state_derivative, tree_derivative
from ..packing.pack import pack_model
from ..states.constraint_routes import ConstrainedSystem
from ..states.constraint_system import Constraints
from ..states.dynamics import Dynamics

__all__ = ["Slopes", "change_names", "coordinate_directions", "moved_coordinates", "turning_of_changes"]


def coordinate_directions(model: Model, q: np.ndarray) -> np.ndarray:
    """N(q) (nq, nv) of q̇ = N(q) u: one for one-axis joints, ½ q∘(u, 0) for a ball."""
    out = np.zeros((model.nq, model.nv))
    for kind, i, j in _columns(model):
        if kind != "ball":
            out[i, j] = 1.0
            continue
        x, y, z, w = q[i : i + 4]
        out[i : i + 4, j : j + 3] = 0.5 * np.array([[w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z]])
    return out


def moved_coordinates(model: Model, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """q after a finite change δξ: added, but for a ball, which turns by that vector about its body axes."""
    out = q + coordinate_directions(model, q) @ change
    for kind, i, j in _columns(model):
        if kind == "ball":
            vector = change[j : j + 3]
            angle = float(np.linalg.norm(vector))
            turn = np.append(0.5 * np.sinc(0.5 * angle / np.pi) * vector, math.cos(0.5 * angle))
            turned = quaternion_product(q[i : i + 4], turn)
            out[i : i + 4] = turned / np.linalg.norm(turned)
    return out


def turning_of_changes(model: Model, u: np.ndarray) -> np.ndarray:
    """W (nv, nv) of d/dt δξ = δu + W δξ: −ω × for a ball, whose small turn is told in axes that turn; else zero."""
    out = np.zeros((model.nv, model.nv))
    for kind, _, j in _columns(model):
        if kind == "ball":
            out[j : j + 3, j : j + 3] = -skew_matrix(u[j : j + 3])
    return out


def change_names(model: Model) -> tuple[str, ...]:
    """A name for each δξ: that of the coordinate; ``θx`` … for the small turns of a ball about body axes."""
    names = []
    for kind, i, j in _columns(model):
        if kind == "ball":
            names += [name.replace("ω", "θ") for name in model.velocity_names[j : j + 3]]
        else:
            names.append(model.coordinate_names[i])
    return tuple(names)


def _columns(model: Model) -> list[tuple[str, int, int]]:
    """Kind of each column of the joints, where it begins in q and in u."""
    found, i, j = [], 0, 0
    for body in model.bodies:
        for column in body.joint.columns():
            found.append((column.kind, i, j))
            i, j = (i + 4, j + 3) if column.kind == "ball" else (i + 1, j + 1)
    return found


class Slopes:
    """A model at a state: what its constraints leave free, its mass matrix there, and how u̇ follows the state.

    Attributes
    ----------
    free : L (nv, k), the velocities that are left; the identity without constraints
    mass : M (nv, nv)
    ud : u̇ (nv,)
    """

    def __init__(self, model: Model, q: np.ndarray, u: np.ndarray, tau: np.ndarray, t: float) -> None:
        self.model, self.q, self.u, self.tau, self.t = model, q, u, tau, t
        self.directions = coordinate_directions(model, q)
        self._system: Constraints | None = None
        self._tangents = dual_kernels()
        if model.constraints:
            held = ConstrainedSystem(model)
            state = held.state(q, u, tau, t)
            self._system, self.packed = held.system, held.packed
            self._jacobian, self._multipliers = state.L_lambda, state.multipliers
            self.ud, self.free = state.accelerations, state.L_tau
            self.mass = held.system.mass.copy()
        else:
            dynamics = Dynamics(model)
            self.packed = pack_model(model)
            self.ud, self.mass = dynamics.forward(q, u, tau, t), dynamics.mass_matrix(q)
            self.free = np.eye(model.nv)
        self._lower = np.linalg.cholesky(self.reduced_mass) if self.free.size else self.reduced_mass

    @property
    def reduced_mass(self) -> np.ndarray:
        """Lᵀ M L (k, k)."""
        return self.free.T @ self.mass @ self.free

    def along(self, turned: np.ndarray, faster: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """δu̇ (nv, c) and δ(J u + Φ_t) (m, c) for changes δξ, δu (nv, c) of the state, a column each.

        Under constraints the changes must be tangent to them: J δξ = 0 and J δu + δJ u + δΦ_t = 0. Then, with
        M u̇ − Jᵀ λ = f and J u̇ = γ,

            Lᵀ (δM u̇ + M δu̇ − δf − δJᵀ λ) = 0,    J δu̇ = δγ − δJ u̇
        """
        found = [self._along(way, rate) for way, rate in zip(turned.T, faster.T, strict=True)]
        rows = 0 if self._system is None else len(self._jacobian)
        accelerations, rates = (np.array([one[part] for one in found]) for part in (0, 1))
        return accelerations.reshape(len(found), self.model.nv).T, rates.reshape(len(found), rows).T

    def _along(self, turned: np.ndarray, faster: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        model, nq, nv = self.model, self.model.nq, self.model.nv
        state, way = np.zeros((2, nq + nv + 1))
        state[:nq], state[nq:-1] = self.q, self.u
        way[:nq], way[nq:-1] = self.directions @ turned, faster
        data = self.packed.new_data() if self._system is None else self._system.data.copy()
        data[layout.TASK] = layout.OBSERVE
        data_way, out, slope = np.zeros_like(data), np.zeros_like(state), np.zeros_like(state)
        derivative = constrained_derivative if model.constraints else tree_derivative
        self._tangents.tangent(
            f"{state_derivative.name}:{derivative.__name__}",
            [self.packed.model, data, self.tau.copy(), self.t, state, out],
            [None, data_way, np.zeros(nv), 0.0, way, slope],
        )
        if self._system is None:
            return self._finite(slope[nq : nq + nv]), np.zeros(0)
        tables = layout.tables_of(self.packed.model, data_way)
        J, M, _, vector = layout.constraint_workspace(*tables)
        m = len(J)
        force, gamma, rate = vector[layout.PUSH, :nv], vector[layout.SECOND, :m], vector[layout.RATE, :m]
        across = np.linalg.lstsq(self._jacobian, gamma - J @ self.ud, rcond=None)[0]
        pull = self.free.T @ (force + J.T @ self._multipliers - M @ self.ud - self.mass @ across)
        return self._finite(across + self.free @ self.solve(pull)), rate.copy()

    def solve(self, pull: np.ndarray) -> np.ndarray:
        """(Lᵀ M L)⁻¹ times something (k,) or (k, c)."""
        return np.asarray(np.linalg.solve(self._lower.T, np.linalg.solve(self._lower, pull)))

    def _finite(self, values: np.ndarray) -> np.ndarray:
        if not np.isfinite(values).all():
            raise StateError(
                "the accelerations have no finite slope at this state",
                remedy="move it away from where a force has a kink, such as a spring of no length",
            )
        return values

    def dependent_velocities(self, chosen: np.ndarray, turned: np.ndarray) -> np.ndarray:
        """δu (nv, c) that changes of pose δξ (nv, c) ask for beside the ``chosen`` velocities, which stay.

        J δu = −δ(J u + Φ_t), δu = 0 in the rows chosen.
        """
        out = np.zeros_like(turned)
        if self._system is None:
            return out
        rate = self.along(turned, np.zeros_like(turned))[1]
        rest = np.setdiff1d(np.arange(self.model.nv), chosen)
        out[rest] = np.linalg.lstsq(self._jacobian[:, rest], -rate, rcond=None)[0]
        return out
