"""What every oracle has in common: another engine's mechanics, read in our order and conventions.

A subclass brings an engine; this class adds the model's forces (evaluated in plain NumPy by `applied`) and
turns the wrench that a joint carries into the reaction F_R, M_R.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mbwidgets.model.model import Model
from tests.oracles.applied import Applied, applied, cross

Array = np.ndarray


class Kinematics(NamedTuple):
    """O_i* (n, 3), rotations (n, 3, 3), and Jacobians (n, 6, nv) of v_Oi* and ω_i in world axes."""

    positions: Array
    rotations: Array
    jacobians: Array


class Oracle:
    """Mechanics of a model by another engine. All arrays are in the model's own order."""

    def __init__(self, model: Model) -> None:
        self.model = model

    # What an engine brings.

    def kinematics(self, q: Array) -> Kinematics:
        raise NotImplementedError

    def mass_matrix(self, q: Array) -> Array:
        raise NotImplementedError

    def inverse_free(self, q: Array, u: Array, ud: Array) -> Array:
        """M u̇ + Γuu + ∂Π, without the model's forces."""
        raise NotImplementedError

    def forward_free(self, q: Array, u: Array, tau: Array) -> Array:
        """u̇ under gravity and tau, without the model's forces."""
        raise NotImplementedError

    def joint_wrenches(self, q: Array, u: Array, ud: Array, external: Array) -> Array:
        """(n, 6): all that the joint passes to its body, force then moment at O_k, world axes.

        ``external`` (n, 6) acts on the bodies at O_i*, in world axes.
        """
        raise NotImplementedError

    def energy_free(self, q: Array, u: Array) -> tuple[float, float]:
        """Kinetic energy, and the potential of gravity alone."""
        raise NotImplementedError

    # What follows from it.

    def applied(self, q: Array, u: Array, t: float = 0.0) -> tuple[Applied, Kinematics]:
        """The model's forces in this state, with the kinematics that they need."""
        motion = self.kinematics(q)
        return applied(self.model, q, u, t, motion.positions, motion.rotations, motion.jacobians @ u), motion

    def generalised(self, q: Array, u: Array, t: float = 0.0) -> tuple[Array, Array]:
        """The model's forces as efforts (nv,): those with a potential, and the others."""
        if not self.model.forces:
            return np.zeros(self.model.nv), np.zeros(self.model.nv)
        loads, motion = self.applied(q, u, t)
        held = loads.held_efforts + np.einsum("nij,ni->j", motion.jacobians, loads.held)
        other = loads.other_efforts + np.einsum("nij,ni->j", motion.jacobians, loads.other)
        return held, other

    def poses(self, q: Array) -> tuple[Array, Array]:
        motion = self.kinematics(q)
        return motion.positions, motion.rotations

    def inverse(self, q: Array, u: Array, ud: Array, t: float = 0.0) -> Array:
        return self.inverse_free(q, u, ud) - sum(self.generalised(q, u, t))

    def bias(self, q: Array, u: Array, t: float = 0.0) -> Array:
        return self.inverse(q, u, np.zeros_like(u), t)

    def forward(self, q: Array, u: Array, tau: Array, t: float = 0.0) -> Array:
        return self.forward_free(q, u, tau + sum(self.generalised(q, u, t)))

    def energy(self, q: Array, u: Array, t: float = 0.0) -> tuple[float, float]:
        kinetic, potential = self.energy_free(q, u)
        return kinetic, potential + self.applied(q, u, t)[0].potential

    def reactions(self, q: Array, u: Array, ud: Array, t: float = 0.0) -> Array:
        loads, motion = self.applied(q, u, t)
        wrenches = self.joint_wrenches(q, u, ud, loads.held + loads.other)
        return np.array([self._reaction(k, wrench, motion) for k, wrench in enumerate(wrenches)])

    def joint_point(self, k: int, motion: Kinematics) -> Array:
        """O_k, the joint's place fixed in the parent, in the world."""
        parent = self.model.parents[k]
        at = np.array([self.model.number(x) for x in self.model.bodies[k].joint.at])
        return at if parent < 0 else motion.positions[parent] + motion.rotations[parent] @ at

    def _reaction(self, k: int, wrench: Array, motion: Kinematics) -> Array:
        """F_R: the force without its part along the free translations; M_R: likewise for the rotations'
        axes."""
        parent = self.model.parents[k]
        before = np.eye(3) if parent < 0 else motion.rotations[parent]
        slides: list[Array] = []
        turns: list[Array] = []
        columns = self.model.bodies[k].joint.columns()
        for number, column in enumerate(columns):
            if column.kind == "ball":
                turns += list(np.eye(3))
                continue
            axis = unit(self.model, column.axis)
            last = number == len(columns) - 1
            world = (motion.rotations[k] if column.kind == "rotation" and last else before) @ axis
            (slides if column.kind == "translation" else turns).append(world)
        return np.concatenate([_across(slides) @ wrench[:3], _across(turns) @ wrench[3:]])


def _across(directions: list[Array]) -> Array:
    """The projector on what is orthogonal to all directions."""
    if len(directions) <= 1:
        return np.eye(3) - sum(np.outer(e, e) for e in directions)
    if len(directions) == 2:
        normal = cross(*directions)
        return np.outer(normal, normal) / (normal @ normal)
    return np.zeros((3, 3))


def numbers(model: Model, values: object) -> Array:
    """Floats of nested scalars at the parameters' values."""
    if isinstance(values, tuple | list):
        return np.array([numbers(model, value) for value in values])
    return np.array(model.number(values))


def unit(model: Model, axis: object) -> Array:
    """An axis as a unit vector of floats."""
    vector = numbers(model, axis)
    return vector / np.linalg.norm(vector)
