"""Kinematics of every body over the frames of a motion, computed once a motion and shared by all quantities."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...numeric.base.rotations import rotate_vectors, rotation_matrices
from ...numeric.motion.mass_moments import MassMomentFrames, moments_about
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
        self.q, self.u = motion.q, motion.u
        self.positions, self.quaternions = motion.poses
        self._points: dict[int, Any] = {}
        self._moments: dict[int, MassMomentFrames] = {}
        self._rotators: dict[int, RotatorsFrames] = {}

    @cached_property
    def rotations(self) -> np.ndarray:
        """A_0i, (frames, n, 3, 3)."""
        return rotation_matrices(self.quaternions)

    def _parent(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        parent = self.model.parents[index]
        if parent >= 0:
            return self.positions[:, parent], self.rotations[:, parent]
        frames = len(self.u)
        return np.zeros((frames, 3)), np.broadcast_to(np.eye(3), (frames, 3, 3))

    def joint_point(self, index: int) -> np.ndarray:
        """O_k, fixed in the parent."""
        place, turn = self._parent(index)
        return np.asarray(place + rotate_vectors(turn, self.vector(self.model.bodies[index].joint.at)))

    def mass_centre(self, index: int) -> np.ndarray:
        """C_i."""
        return np.asarray(self.positions[:, index] + self.lever(index))

    def lever(self, index: int) -> np.ndarray:
        """ρ_iC in world axes."""
        return rotate_vectors(self.rotations[:, index], self.vector(self.model.bodies[index].com))

    def axis(self, index: int) -> np.ndarray:
        """e_k, the joint's own axis; for joints that have none the direction of ω_k, zero where that is zero."""
        own = self.model.bodies[index].joint.own_axis
        if own is not None:
            axis = np.array(self.vector(own))
            return rotate_vectors(self.rotations[:, index], axis / np.linalg.norm(axis))
        spin = self.angular_velocities[:, index]
        length = np.linalg.norm(spin, axis=1, keepdims=True)
        return np.asarray(np.divide(spin, length, out=np.zeros_like(spin), where=length > 0))

    @cached_property
    def angular_velocities(self) -> np.ndarray:
        """ω_i = Σ ξ̄_a e_a q̇_a over the path, (frames, n, 3)   (Cajić-Lazarević (21))."""
        out = np.zeros_like(self.positions)
        for index in self.model.order:
            parent = self.model.parents[index]
            if parent >= 0:
                out[:, index] = out[:, parent]
            at = self.model.u_offsets[index]
            for k, (kind, axis) in enumerate(self.free_directions(index)):
                if kind != "translation":
                    out[:, index] += axis * self.u[:, at + k, None]
        return out

    def free_directions(self, index: int) -> list[tuple[str, np.ndarray]]:
        """Kind (``rotation``, ``translation``, ``ball``) and axis (frames, 3) of each velocity u of a joint."""
        _, before = self._parent(index)
        after = self.rotations[:, index]
        found: list[tuple[str, np.ndarray]] = []
        for column in self.model.bodies[index].joint.columns():
            if column.kind == "ball":
                found += [("ball", after[:, :, k]) for k in range(3)]
                continue
            axis = np.array(self.vector(column.axis))
            # the first axis is fixed in the parent, a second one in the body
            turned = column.kind == "rotation" and any(kind == "rotation" for kind, _ in found)
            found.append((column.kind, rotate_vectors(after if turned else before, axis / np.linalg.norm(axis))))
        return found

    def inertia(self, index: int) -> np.ndarray:
        """Inertia tensor in world axes about C, (frames, 3, 3)."""
        tensor = np.array([self.vector(row) for row in self.model.bodies[index].inertia])
        turn = self.rotations[:, index]
        return np.asarray(turn @ tensor @ np.swapaxes(turn, -1, -2))

    def mass_moments(self, index: int) -> MassMomentFrames:
        """Mass moments of a body for its joint's axis, pole O*."""
        if index not in self._moments:
            turn, n = self.rotations[:, index], self.axis(index)
            self._moments[index] = moments_about(self.model, turn, index, n, np.zeros(3))
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
