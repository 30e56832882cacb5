"""Spectrum of the kinetic pressures over a motion, with the shaft's eigenfrequency marked.

Cajić-Lazarević, section 3.5: where the period of a kinetic pressure meets that of the joint's shaft, resonance damages
the system.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import ModelError
from ..model.model import Model

__all__ = ["PressureSpectrum", "shaft_frequency", "spectrum_of"]

LEAST_FRAMES = 8


@dataclass(frozen=True, eq=False, repr=False)
class PressureSpectrum:
    """Amplitudes of the kinetic pressures of one joint against frequency.

    Attributes
    ----------
    frequency : (k,) Hz
    amplitude : (k, 6) of force (N) and moment (N m), world axes: a sine of amplitude A shows as a peak of height A
    eigenfrequencies : marks, Hz
    """

    joint: str
    frequency: np.ndarray
    amplitude: np.ndarray
    eigenfrequencies: tuple[float, ...]

    @property
    def resolution(self) -> float:
        """Half the width of a peak, Hz: two steps of a Hann window."""
        return float(2 * self.frequency[1])

    @property
    def force(self) -> np.ndarray:
        """|amplitude| of the force (k,), N."""
        return np.asarray(np.linalg.norm(self.amplitude[:, :3], axis=1))

    @property
    def moment(self) -> np.ndarray:
        """|amplitude| of the moment (k,), N m."""
        return np.asarray(np.linalg.norm(self.amplitude[:, 3:], axis=1))

    def peaks(self, part: str = "force", least: float = 0.05) -> tuple[float, ...]:
        """Frequencies of the local maxima above ``least`` of the largest, Hz, the highest first."""
        if part not in ("force", "moment"):
            raise ModelError(f"no part {part!r}", remedy='use "force" or "moment"')
        values = self.force if part == "force" else self.moment
        inner = values[1:-1]
        tops = np.flatnonzero((inner >= values[:-2]) & (inner > values[2:]) & (inner > least * values.max())) + 1
        return tuple(float(self.frequency[i]) for i in sorted(tops, key=lambda i: -values[i]))

    def resonances(self, part: str = "force", least: float = 0.05) -> tuple[float, ...]:
        """The marked eigenfrequencies that a peak of the spectrum covers, Hz."""
        peaks = self.peaks(part, least)
        return tuple(f for f in self.eigenfrequencies if any(abs(f - peak) <= self.resolution for peak in peaks))

    def __repr__(self) -> str:
        marks = ", ".join(f"{f:.4g}" for f in self.eigenfrequencies) or "none"
        band = f"0 … {self.frequency[-1]:g} Hz"
        return f"<kinetic pressure spectrum of joint {self.joint!r}: {band}, eigenfrequencies {marks}>"


def shaft_frequency(model: Model, joint: str | int, stiffness: Any) -> float:
    """√(c/m)/2π, Hz: the shaft's bending stiffness c (N/m) against the mass m of all that the joint carries."""
    index = model.index(joint)
    value = model.number(stiffness)
    mass = sum(model.number(model.bodies[i].mass) for i in model.subtree(index))
    name = model.bodies[index].name
    if not (math.isfinite(value) and value > 0):
        raise ModelError(f"stiffness {value:g} is not positive", where=f"joint {name!r}", remedy="give N/m > 0")
    if mass <= 0:
        raise ModelError("the joint carries no mass", where=f"joint {name!r}", remedy="give a body some mass")
    return math.sqrt(value / mass) / (2 * math.pi)


def spectrum_of(joint: str, t: np.ndarray, pressure: np.ndarray, marks: Sequence[float]) -> PressureSpectrum:
    """The one-sided amplitude spectrum of (frames, 6) pressures at equal steps; mean removed, Hann window."""
    frames = len(t)
    if frames < LEAST_FRAMES:
        raise ModelError(
            f"a motion of {frames} frames has no spectrum", where=f"joint {joint!r}", remedy="simulate longer"
        )
    for mark in marks:
        if not (math.isfinite(mark) and mark > 0):
            raise ModelError(f"eigenfrequency {mark} is not positive", where=f"joint {joint!r}", remedy="give Hz > 0")
    step = (t[-1] - t[0]) / (frames - 1)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(frames) / frames)
    waves = np.fft.rfft((pressure - pressure.mean(axis=0)) * window[:, None], axis=0)
    amplitude = 2 * np.abs(waves) / window.sum()
    return PressureSpectrum(joint, np.fft.rfftfreq(frames, step), amplitude, tuple(float(mark) for mark in marks))
