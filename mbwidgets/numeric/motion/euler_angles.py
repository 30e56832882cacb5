"""The 3-1-3 Euler angles Ψ, θ, φ of (37)-(40): a display of the quaternion, never a coordinate.

R₁₀ = [Ψ]₃ [θ]₁ [φ]₃: precession about z, nutation about the turned x, rotation about the body's z. At θ = 0 and θ = π
precession and rotation are about one axis and only Ψ ± φ is known: the very position of Tătaru's plane motion, where
his (61) holds only because Ψ is then taken as zero.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...errors import StateError
from ..base.brief import brief_text
from ..packing.traced_numbers import TracedNumber, greater, lengths_of, traced_where

__all__ = ["SINGULAR", "EulerAngles", "euler_angles", "quaternion_of_angles"]

SINGULAR = 1e-6
"""sin θ below which precession and rotation cannot be told apart, rad."""


class EulerAngles(NamedTuple):
    """Ψ, θ, φ in rad, each (…,); ``singular`` (…,) is True where θ is 0 or π: there Ψ = 0 and φ holds their sum.

    θ is between 0 and π, Ψ and φ between −π and π.
    """

    precession: np.ndarray
    nutation: np.ndarray
    rotation: np.ndarray
    singular: np.ndarray

    @property
    def words(self) -> str:
        """What a person should know of these angles."""
        if not np.any(self.singular):
            return "Ψ, θ, φ: precession, nutation, rotation (3-1-3)"
        flipped = np.any(self.nutation[self.singular] > 1) if self.nutation.ndim else bool(self.nutation > 1)
        place, known = ("π", "Ψ − φ") if flipped else ("0", "Ψ + φ")
        return f"θ = {place}: the 3-1-3 angles are singular, only {known} is known; shown with Ψ = 0"

    def __repr__(self) -> str:
        return brief_text(self)


def euler_angles(quaternion: Any) -> EulerAngles:
    """The 3-1-3 angles, rad, of quaternions x, y, z, w (…, 4), from body axes to world axes.

    >>> q = [np.sin(0.2), 0, 0, np.cos(0.2)]  # 0.4 rad about x
    >>> float(mb.euler_angles(q).nutation.round(6))
    0.4
    """
    given = np.asarray(quaternion)
    if given.shape[-1:] != (4,):
        raise StateError(f"a quaternion of shape {given.shape}", remedy="give x, y, z, w")
    if given.dtype != object or not isinstance(given.flat[0], TracedNumber):
        given = given.astype(float)
        if not np.isfinite(given).all() or not given.any(axis=-1).all():
            raise StateError("a quaternion is zero or not finite", remedy="give x, y, z, w of length 1")
    length = lengths_of(given)
    x, y, z, w = np.moveaxis(given / length[..., None], -1, 0)
    # x + iy = sin(θ/2) e^{i(Ψ−φ)/2}, w + iz = cos(θ/2) e^{i(Ψ+φ)/2}
    nutation = 2 * np.arctan2(np.hypot(x, y), np.hypot(z, w))
    difference, total = np.arctan2(y, x), np.arctan2(z, w)
    clear, upright = greater(np.hypot(x, y), SINGULAR / 2), greater(np.hypot(z, w), SINGULAR / 2)
    precession = traced_where(clear, traced_where(upright, total + difference, 0.0), 0.0)
    rotation = traced_where(clear, traced_where(upright, total - difference, -2 * difference), 2 * total)
    told = clear.dtype != object
    singular = ~(clear & upright) if told else np.zeros(clear.shape, dtype=bool)
    return EulerAngles(_wrapped(precession), nutation, _wrapped(rotation), singular)


def quaternion_of_angles(precession: Any, nutation: Any, rotation: Any) -> np.ndarray:
    """x, y, z, w (…, 4) of R₁₀ = [Ψ]₃ [θ]₁ [φ]₃   (37)-(40)"""
    psi, theta, phi = (np.asarray(angle, dtype=float) for angle in (precession, nutation, rotation))
    s, c = np.sin(theta / 2), np.cos(theta / 2)
    difference, total = (psi - phi) / 2, (psi + phi) / 2
    return np.stack([s * np.cos(difference), s * np.sin(difference), c * np.sin(total), c * np.cos(total)], axis=-1)


def _wrapped(angle: np.ndarray) -> np.ndarray:
    if angle.dtype == object:
        return np.asarray(np.arctan2(np.sin(angle), np.cos(angle)))
    return np.asarray(np.pi - (np.pi - angle) % (2 * np.pi))
