"""Kinematics of every body over the frames of a motion, computed once a motion and shared by all quantities."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...numeric.base.rotations import rotate_vectors
from ...numeric.motion.body_axes import free_directions, joint_axis_or_omega_direction
from ...numeric.motion.mass_moments import MassMomentFrames
from ...numeric.motion.motion import Motion
from ...numeric.motion.rotators import RotatorsFrames

__all__ = ["Reading", "kinematics_of"]

_readings: WeakKeyDictionary[Motion, Reading] = WeakKeyDictionary()


def kinematics_of(motion: Motion) -> Reading:
    """The kinematics of a motion; the same object for the same motion."""
    found = _readings.get(motion)
    if found is None:
        found = _readings[motion] = Reading(motion)
    return found


class Reading:
    """Rotations, joint points, mass centres and angular velocities in world axes, (frames, …)."""

    def __init__(self, motion: Motion) -> None:
        # the motion itself is not kept: it is the key that this object lives as long as
        self.model = motion.model
        self.positions, _ = motion.poses
        self.rotations, self.angular_velocities = motion.rotations, motion.angular_velocities
        self._points: dict[int, Any] = {}
        self._moments: dict[int, MassMomentFrames] = {}
        self._rotators: dict[int, RotatorsFrames] = {}

    def joint_point(self, index: int) -> np.ndarray:
        """O_k, fixed in the parent."""
        at, parent = self.vector(self.model.bodies[index].joint.at), self.model.parents[index]
        if parent < 0:
            return np.tile(at, (len(self.positions), 1))
        return np.asarray(self.positions[:, parent] + rotate_vectors(self.rotations[:, parent], at))

    def mass_centre(self, index: int) -> np.ndarray:
        """C_i."""
        return np.asarray(self.positions[:, index] + self.lever(index))

    def lever(self, index: int) -> np.ndarray:
        """ρ_iC in world axes."""
        return rotate_vectors(self.rotations[:, index], self.vector(self.model.bodies[index].com))

    def axis(self, index: int) -> np.ndarray:
        """e_k, the joint's own axis; for joints that have none the direction of ω_k, zero where that is zero."""
        return joint_axis_or_omega_direction(self.model, self.rotations, index, self.angular_velocities)

    def free_directions(self, index: int) -> list[tuple[str, np.ndarray]]:
        """Kind (``rotation``, ``translation``, ``ball``) and axis (frames, 3) of each velocity u of a joint."""
        return free_directions(self.model, self.rotations, index)

    def inertia(self, index: int) -> np.ndarray:
        """Inertia tensor in world axes about C, (frames, 3, 3)."""
        tensor = np.array([self.vector(row) for row in self.model.bodies[index].inertia])
        turn = self.rotations[:, index]
        return np.asarray(turn @ tensor @ np.swapaxes(turn, -1, -2))

    def mass_moments(self, motion: Motion, index: int) -> MassMomentFrames:
        """Mass moments of a body for its joint's axis, pole O*."""
        if index not in self._moments:
            self._moments[index] = motion.mass_moments(index)
        return self._moments[index]

    def mass(self, index: int) -> float:
        """m_i."""
        return self.model.number(self.model.bodies[index].mass)

    def vector(self, value: Any) -> tuple[float, ...]:
        """Three scalars of the model as numbers."""
        return tuple(self.model.number(item) for item in value)

    def centre_motion(self, motion: Motion, index: int) -> Any:
        """Position, velocity and acceleration of C_i."""
        if index not in self._points:
            self._points[index] = motion.point(index, self.model.bodies[index].com)
        return self._points[index]

    def rotators(self, motion: Motion, index: int) -> RotatorsFrames:
        """The rotators of all that a joint carries."""
        if index not in self._rotators:
            self._rotators[index] = motion.rotators(index)
        return self._rotators[index]
