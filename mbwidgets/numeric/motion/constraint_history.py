"""What the constraints do in every frame of a motion: drift, accelerations, multipliers, forces, rank."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ...model.levels import row_divisors
from ..base.tolerances import FRAMES_PARTED
from ..kernels import constraint_frames
from ..kernels import memory_layout as layout
from ..states.constraint_system import Constraints, equation_names
from .constraint_forces import ConstraintForce, constraint_forces_of

if TYPE_CHECKING:
    from .motion import Motion


RESTING: Final = 1e-3
"""Part of the usual accelerations below which those of one frame are nothing: it stands still there."""


def relative_constraint_residuals(motion: Motion, project: bool) -> np.ndarray:
    """How far each frame is from the constraints, relative to the terms in them; 0 where it has been brought to them.

    ``project``: bring them there, in place; a correction that is no small one is left out: next to a singular position
    rounding decides on its direction, and the frame is better as it was interpolated.
    """
    rows, off = Constraints(motion.model, motion.packed).settle(motion.t, motion.q, motion.u, project)
    if project:
        nq = motion.model.nq
        motion.q[:], motion.u[:] = rows[:, :nq], rows[:, nq:-1]
    return off


class Closure:
    """The constraints over a motion.

    Attributes
    ----------
    equations : how many there are
    rank : how many of them are independent; where it is smaller the multipliers are not unique
    freedom : degrees of freedom that are left
    unique : whether the multipliers are
    """

    def __init__(self, motion: Motion) -> None:
        self._motion = motion
        self._system = Constraints(motion.model, motion.packed)
        self.equations = self._system.equations
        self.rank = motion.assembly.rank if motion.assembly is not None else 0
        self.freedom = motion.model.nv - self.rank
        self.unique = self.equations == self.rank

    @cached_property
    def names(self) -> list[str]:
        """For each equation the constraint that it belongs to."""
        return equation_names(self._motion.model, self._motion.packed)

    @cached_property
    def _frames(self) -> dict[str, np.ndarray]:
        motion, m = self._motion, self.equations
        nq, nv, count = motion.model.nq, motion.model.nv, len(motion.t)
        states = np.hstack([motion.q, motion.u, np.zeros((count, 1))])
        tau = np.zeros_like(motion.u) if motion.efforts is None else np.ascontiguousarray(motion.efforts)
        found, rates = np.empty((count, 4 * m + len(self._system.feet))), np.empty_like(states)
        jacobian = np.empty((count, m, nv))
        arrays = motion.packed.model, self._system.data
        constraint_frames.observe_frames(*arrays, motion.t, states, tau, found, jacobian, rates)
        phi, rate, gamma, multiplier, feet = np.split(found, [m, 2 * m, 3 * m, 4 * m], axis=1)
        return {
            "phi": phi,
            "rate": rate,
            "jacobian": jacobian,
            "ud": np.ascontiguousarray(rates[:, nq : nq + nv]),
            "multiplier": multiplier,
            "parameter": np.ascontiguousarray(feet),
            "gamma": gamma,
        }

    @property
    def values(self) -> np.ndarray:
        """Φ (frames, m)."""
        return self._frames["phi"]

    @property
    def rates(self) -> np.ndarray:
        """Φ̇ (frames, m)."""
        return self._frames["rate"]

    @property
    def jacobian(self) -> np.ndarray:
        """J = L_λ (frames, m, nv), acting on u."""
        return self._frames["jacobian"]

    @property
    def ud(self) -> np.ndarray:
        """Accelerations (frames, nv)."""
        return self._frames["ud"]

    def parted(self) -> tuple[int, int] | None:
        """The first frame whose accelerations miss an equation that the others should imply, and that equation."""
        J, ud, gamma = self.jacobian, self.ud, self._frames["gamma"]
        size = np.einsum("fmv,fv->fm", abs(J), abs(ud)) + abs(gamma)
        size += RESTING * row_divisors(abs(J) @ self._usual(ud), self._system.expressed)
        missed = abs(np.einsum("fmv,fv->fm", J, ud) - gamma) > FRAMES_PARTED * size
        frames = np.flatnonzero(missed.any(axis=1))
        return None if not len(frames) else (int(frames[0]), int(missed[frames[0]].argmax()))

    def _usual(self, ud: np.ndarray) -> np.ndarray:
        """Accelerations (nv,) that this motion has, or weight could give it: those of a frame at rest are rounding."""
        system, motion = self._system, self._motion
        gravity = float(np.linalg.norm(system.packed.model[layout.GRAVITY : layout.EQUATIONS]))
        slides = system.slides.u
        along, about = (np.nanmax(abs(ud[:, which]), initial=0.0) for which in (slides, ~slides))
        return np.where(slides, along + gravity, about + gravity / system.reach(motion.q))

    @property
    def residual(self) -> np.ndarray:
        """The largest |Φ| of each frame, m or rad (frames,)."""
        return abs(self.values).max(axis=1, initial=0.0)

    @cached_property
    def wrench(self) -> np.ndarray:
        """Jᵀ λ (frames, nv), the constraints' force on each velocity: unique even where λ is not."""
        return np.asarray(np.einsum("fmv,fm->fv", self.jacobian, self._frames["multiplier"]))

    @cached_property
    def multipliers(self) -> np.ndarray:
        """λ (frames, m), the shortest where redundant constraints leave a choice: λ = (J Jᵀ)⁺ J (Jᵀ λ)."""
        found = self._frames["multiplier"]
        if self.unique:
            return found
        fine, nv = np.isfinite(found).all(axis=1), self._motion.model.nv
        result, shortest = np.full_like(found, np.nan), np.ascontiguousarray(found[fine])
        room, spare = np.zeros((self.equations, nv + self.equations)), np.zeros(nv + 2 * self.equations)
        jacobian = np.ascontiguousarray(self.jacobian[fine])
        constraint_frames.shortest_multipliers(self._motion.packed.model, shortest, jacobian, self.rank, room, spare)
        result[fine] = shortest
        return result

    @cached_property
    def reactions(self) -> np.ndarray:
        """Joint reactions (frames, n, 6) under the constraints' forces."""
        from ..kernels.constrained_reactions import constrained_reactions

        motion = self._motion
        out, effort = np.empty((len(motion.t), len(motion.model.bodies), 6)), np.empty_like(motion.u)
        tau = np.zeros_like(motion.u) if motion.efforts is None else motion.efforts
        state = motion.t, motion.q, motion.u, self.ud
        feet = self._frames["parameter"]
        constrained_reactions(
            motion.packed.model,
            self._system.data,
            *state,
            tau,
            np.ascontiguousarray(self.multipliers),
            feet,
            effort,
            out,
        )
        return out

    @cached_property
    def forces(self) -> tuple[ConstraintForce, ...]:
        """The action of every constraint on its bodies."""
        return constraint_forces_of(self._motion, self.multipliers, self.jacobian, self._frames["parameter"])
