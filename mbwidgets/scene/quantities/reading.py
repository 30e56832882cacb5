"""Kinematics of every body over the frames of a motion, computed once a motion and shared by all quantities."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...numeric.base.rotations import rotate_vectors
from ...numeric.motion.body_axes import free_directions
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

    def free_directions(self, index: int) -> list[tuple[str, np.ndarray]]:
        """Kind (``rotation``, ``translation``, ``ball``) and axis (frames, 3) of each velocity u of a joint."""
        return free_directions(self.model, self.rotations, index)

    def vector(self, value: Any) -> tuple[float, ...]:
        """Three scalars of the model as numbers."""
        return tuple(self.model.number(item) for item in value)

    def rotators(self, motion: Motion, index: int) -> RotatorsFrames:
        """The rotators of all that a joint carries."""
        if index not in self._rotators:
            self._rotators[index] = motion.rotators(index)
        return self._rotators[index]
