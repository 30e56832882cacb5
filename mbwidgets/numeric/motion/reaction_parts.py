"""Reactions of a motion with their parts, as arrays over the frames.

The parts come from the compiled kernel: without weight and loads it gives the kinetic part, at rest the static one,
without masses the applied one. So all joints have them, balls too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model.force_primitives import acts_inside_joints
from ...model.model import Model
from ..base.brief import brief_text
from ..kernels import entry_points
from ..kernels import memory_layout as layout
from ..packing.pack import Packed, pack_model

__all__ = ["ReactionFrames", "static_kinetic_applied_parts"]


@dataclass(frozen=True, eq=False)
class ReactionFrames:
    """Force and moment of one joint (frames, 6) at O_k, world axes, parent on body, and their parts.

    ``effort`` (frames, k): what acts along the joint's k free directions, and its parts. ``constraints`` is what closed
    loops and guides add, zero in a tree.
    """

    static: np.ndarray
    kinetic: np.ndarray
    applied: np.ndarray
    static_effort: np.ndarray
    kinetic_effort: np.ndarray
    applied_effort: np.ndarray
    constraints: np.ndarray | float = 0.0
    constraints_effort: np.ndarray | float = 0.0

    @property
    def total(self) -> np.ndarray:
        """All parts together (frames, 6)."""
        return self.static + self.kinetic + self.applied + self.constraints

    @property
    def pressure(self) -> np.ndarray:
        """Kinetic pressures, −kinetic (frames, 6)   (Cajić-Lazarević, section 3.5)"""
        return -self.kinetic

    @property
    def effort(self) -> np.ndarray:
        """What actuators, springs and friction in the joint supply together (frames, k)."""
        return self.static_effort + self.kinetic_effort + self.applied_effort + self.constraints_effort

    def __repr__(self) -> str:
        return brief_text(self)


Parts = dict[str, tuple[np.ndarray, np.ndarray]]


def static_kinetic_applied_parts(
    model: Model, packed: Packed, t: np.ndarray, q: np.ndarray, u: np.ndarray, ud: np.ndarray
) -> Parts:
    """Efforts (frames, nv) and reactions (frames, n, 6) of all joints: static, kinetic, applied."""

    def run(packed: Packed, u: np.ndarray, ud: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        tau, out = np.empty_like(u), np.empty((len(t), len(model.bodies), 6))
        entry_points.inverse_dynamics(packed.model, packed.new_data(), t, q, u, ud, tau, out)
        return tau, out

    still = np.zeros_like(u)
    weight = packed._replace(model=packed.model.copy())
    weight.model[layout.FORCES] = 0
    light = packed._replace(model=weight.model.copy())
    light.model[layout.GRAVITY : layout.GRAVITY + 3] = 0
    found = {"static": run(weight, still, still.copy()), "kinetic": run(light, u, ud)}
    loads = [force for force in model.forces if not acts_inside_joints(model, force)]
    if not loads:
        return {**found, "applied": (still, np.zeros_like(found["static"][1]))}
    massless = pack_model(model.replace(forces=loads))
    table = massless.tables.body
    table[:, layout.MASS] = 0
    table[:, layout.INERTIA :] = 0
    return {**found, "applied": run(massless, u, ud)}
