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

from ...errors import ModelError
from ...model.model import Model
from .between_frames import too_many_turns

__all__ = ["PressureSpectrum", "page_words", "refuse_aliases", "shaft_frequency", "spectrum_of"]

LEAST_FRAMES = 8
"""A wave is four lines wide through a Hann window, and eight frames give five lines: fewer tell no two waves apart."""
SAME_SPACING = 1e-6
"""Part by which the last frame may be off the grid of the others by rounding."""
NYQUIST = 0.95
"""Part of half the frame rate up to which a wave shows: beyond, the window's width folds it back."""
MISSED = 0.05
"""Part of the largest wave from which one counts, as `PressureSpectrum.peaks` does."""


@dataclass(frozen=True, eq=False, repr=False)
class PressureSpectrum:
    """Amplitudes of the kinetic pressures of one joint against frequency.

    Attributes
    ----------
    frequency : (k,) Hz
    phasor : (k, 6) complex, of force (N) and moment (N m), world axes: Re(phasor e^{2πi f t}) is the wave
    eigenfrequencies : marks, Hz
    frames : how many it was made of
    """

    joint: str
    frequency: np.ndarray
    phasor: np.ndarray
    eigenfrequencies: tuple[float, ...]
    frames: int

    @property
    def amplitude(self) -> np.ndarray:
        """(k, 6), N and N m: a sine of amplitude A shows as a peak of height A."""
        return np.abs(self.phasor)

    @property
    def resolution(self) -> float:
        """Half the width of a peak, Hz: two steps of a Hann window."""
        return float(2 * self.frequency[1])

    @property
    def force(self) -> np.ndarray:
        """The largest length that the wave of the force has at each frequency (k,), N."""
        return largest_length(self.phasor[:, :3])

    @property
    def moment(self) -> np.ndarray:
        """The largest length that the wave of the moment has at each frequency (k,), N m."""
        return largest_length(self.phasor[:, 3:])

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


def largest_length(phasor: np.ndarray) -> np.ndarray:
    """Half the major axis of the ellipse that Re(a e^{iφ}) runs on: √((|a|² + |a·a|)/2).

    The length of the components' amplitudes, |a|, would be √2 times too large for a vector that turns.
    """
    squares = (abs(phasor) ** 2).sum(axis=1)
    return np.asarray(np.sqrt((squares + abs((phasor**2).sum(axis=1))) / 2))


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
    """The one-sided spectrum of (frames, 6) pressures at equal steps; mean removed, Hann window.

    A last frame that an event has put off the grid is left out.
    """
    if len(t) > 2 and abs((t[-1] - t[-2]) / (t[1] - t[0]) - 1) > SAME_SPACING:
        t, pressure = t[:-1], pressure[:-1]
    frames = len(t)
    if frames < LEAST_FRAMES:
        raise too_short(joint, str(frames))
    for mark in marks:
        if not (math.isfinite(mark) and mark > 0):
            raise ModelError(f"eigenfrequency {mark} is not positive", where=f"joint {joint!r}", remedy="give Hz > 0")
    step = (t[-1] - t[0]) / (frames - 1)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(frames) / frames)
    waves = np.fft.rfft((pressure - pressure.mean(axis=0)) * window[:, None], axis=0)
    return PressureSpectrum(
        joint, np.fft.rfftfreq(frames, step), 2 * waves / window.sum(), tuple(float(mark) for mark in marks), frames
    )


def refuse_aliases(joint: str, t: np.ndarray, waves: PressureSpectrum, finer: PressureSpectrum) -> None:
    """Refuse a spectrum whose frames miss waves: ``finer`` is that of more frames of the same motion."""
    limit = 0.5 / (t[1] - t[0])
    for part in ("force", "moment"):
        seen, all_of_it = getattr(waves, part), getattr(finer, part)
        beyond = finer.frequency > NYQUIST * limit
        largest = max(seen.max(initial=0.0), all_of_it.max(initial=0.0))
        missed = np.flatnonzero(beyond & (all_of_it > MISSED * largest))
        if largest > 0.0 and len(missed):
            highest = finer.frequency[missed[-1]]
            raise aliased(joint, f"{2 * limit:.4g}", f"{highest:.4g}", str(math.ceil(2.5 * highest)))


def aliased(joint: str, rate: str, highest: str, wanted: str) -> ModelError:
    """What is said of frames, so many a second, that miss waves of a frequency, Hz; another frame rate would do."""
    return ModelError(
        f"at {rate} frames a second waves of {highest} Hz look like slower ones",
        where=f"spectrum of joint {joint!r}",
        remedy=f"simulate with rate={wanted} or more",
    )


def too_short(joint: str, frames: str) -> ModelError:
    """What is said of a motion of so few frames."""
    return ModelError(
        f"a motion of {frames} frames has no spectrum", where=f"joint {joint!r}", remedy="simulate longer"
    )


def page_words(joint: str) -> dict[str, str]:
    """What a page says where there is no spectrum, with places for its numbers."""
    return {
        "alias": str(aliased(joint, "{0}", "{1}", "{2}")),
        "short": str(too_short(joint, "{0}")),
        "turns": str(too_many_turns("{0}", "{1}")),
    }
