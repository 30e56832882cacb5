"""The vectors of the Rodrigues approach over a motion, as arrays; `symbolic.papers.motion_vectors` is exact."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...symbolic.mechanics.rodrigues import Rodrigues
from ...symbolic.ring.algebra import Vector
from .array_algebra import stack_components

__all__ = ["MotionVectorFrames"]


class MotionVectorFrames:
    """T, Γ, ω, ε, v_C, a_C, dL_C/dt (Cajić-Lazarević, section 2) at every frame, world axes; one-axis joints.

    f frames, N coordinates, n bodies in the model's order.
    """

    def __init__(self, rodrigues: Rodrigues, frames: int) -> None:
        self.rodrigues = rodrigues
        self.frames = frames
        last = {s.body: i for i, s in enumerate(rodrigues.segments)}
        self._bodies = [last[body] for body in sorted(last)]
        self._joints = rodrigues.mechanism.joints

    def _array(self, nested: Any, depth: int) -> np.ndarray:
        """The frames first, then the indices in their order."""
        if depth == 0:
            return stack_components(nested, self.frames)
        if not nested:  # bodies on welds alone
            return np.zeros((self.frames, *(0,) * depth, 3))
        return np.stack([self._array(part, depth - 1) for part in nested], axis=1)

    def _of_bodies(self, vector: Callable[[int], Vector]) -> np.ndarray:
        return self._array([vector(i) for i in self._bodies], 1)

    @cached_property
    def axes(self) -> np.ndarray:
        """e_a (f, N, 3)"""
        return self._array([self.rodrigues.axis(j) for j in self._joints], 1)

    @cached_property
    def centres(self) -> np.ndarray:
        """C_i (f, n, 3)"""
        return self._of_bodies(lambda i: self.rodrigues.centres[i])

    @cached_property
    def quasibase(self) -> np.ndarray:
        """T_a(i) (f, N, n, 3)   (11)"""
        rows = [[self.rodrigues.quasibase(j, i) for i in self._bodies] for j in self._joints]
        return self._array(rows, 2)

    @cached_property
    def gamma(self) -> np.ndarray:
        """Γ_ab(i) (f, N, N, n, 3)   (5)"""
        joints, r = self._joints, self.rodrigues
        return self._array([[[r.gamma(a, b, i) for i in self._bodies] for b in joints] for a in joints], 3)

    @cached_property
    def joint_velocities(self) -> np.ndarray:
        """v_Oi of the joints' points in the parents (f, n, 3)   (15)"""
        first: dict[int, int] = {}
        for i, s in enumerate(self.rodrigues.segments):
            first.setdefault(s.body, i)
        return self._array([self.rodrigues.joint_velocity(first[body]) for body in sorted(first)], 1)

    @cached_property
    def velocities(self) -> np.ndarray:
        """v_Ci (f, n, 3)   (4)"""
        return self._of_bodies(self.rodrigues.velocity)

    @cached_property
    def accelerations(self) -> np.ndarray:
        """a_Ci (f, n, 3)   (4)"""
        return self._of_bodies(lambda i: self.rodrigues.accelerations[i])

    @cached_property
    def omega(self) -> np.ndarray:
        """ω_i (f, n, 3)   (21)"""
        return self._of_bodies(self.rodrigues.omega)

    @cached_property
    def epsilon(self) -> np.ndarray:
        """ε_i (f, n, 3)   (23)"""
        return self._of_bodies(self.rodrigues.epsilon)

    @cached_property
    def momentum_rates(self) -> np.ndarray:
        """dL_Ci/dt (f, n, 3)   (20)"""
        return self._of_bodies(lambda i: self.rodrigues.momentum_rates[i])
