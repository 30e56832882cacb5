"""The spectrum of any signal of a motion, with amplitudes that can be read off.

A Hann window, and zeros behind the frames so that lines lie close: a peak between two lines of the usual spectrum would
show up to 15 % too little. The signal between the frames tells whether they are enough for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import ModelError
from .pressure_spectrum import LEAST_FRAMES, MISSED, NYQUIST, SAME_SPACING, largest_length
from .resolved_signal import NOISE, ORDER, Resolved, frames_of_signal, read_at, resolve_signal
from .signals import Signal, read_signal

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["Spectrum", "spectrum_of_signal"]

CLOSE: Final = 32
"""Lines for each line of the usual spectrum: the highest point of a peak is missed by 2e-4 at most."""
MOST: Final = 1 << 22
"""Lines at most."""
KINKS: Final = 0.02
"""Part of a motion that the pieces beside kinks last for together."""
FINEST: Final = 1 << 21
"""Samples at most by which it is decided whether the frames are enough."""


@dataclass(frozen=True, eq=False, repr=False)
class Spectrum:
    """Amplitudes of a signal against frequency.

    Attributes
    ----------
    signal : its name
    frequency : (k,) Hz
    amplitude : (k,) in the signal's unit: a sine of amplitude A shows A, of a vector the largest length that its wave
        has, so that one of length A which turns shows A
    phasor : (k,) or (k, 3), complex: Re(phasor e^{2πi f t}) is the wave, t from the first frame
    mean : of the signal, which is left out
    resolution : Hz, half the width of a peak
    noise : amplitude that rounding may have, in the signal's unit; a peak of no more is none
    """

    signal: str
    frequency: np.ndarray
    phasor: np.ndarray
    mean: np.ndarray | float
    resolution: float
    noise: float = 0.0

    @property
    def amplitude(self) -> np.ndarray:
        return abs(self.phasor) if self.phasor.ndim == 1 else largest_length(self.phasor)

    def peaks(self, least: float = MISSED) -> tuple[float, ...]:
        """Frequencies of the peaks above ``least`` of the largest, Hz, the highest first; none beside a higher one.

        Empty where all that there is is rounding of the mean, or of what cancels in the signal.
        """
        values = self.amplitude
        inner = values[1:-1]
        tops = (
            np.flatnonzero(
                (inner >= values[:-2]) & (inner > values[2:]) & (inner > max(least * values.max(), self.noise))
            )
            + 1
        )
        found: list[float] = []
        for k in sorted(tops, key=lambda k: -values[k]):
            f = float(self.frequency[k])
            if all(abs(f - other) > 2 * self.resolution for other in found):  # not the window's own side waves
                found.append(f)
        return tuple(found)

    def __repr__(self) -> str:
        k = int(self.amplitude.argmax())
        highest = f"the highest {self.amplitude[k]:.4g} at {self.frequency[k]:.4g} Hz"
        if self.amplitude[k] <= self.noise:
            highest = "no peak above rounding"
        return f"<spectrum of {self.signal}: 0 … {self.frequency[-1]:g} Hz, {highest}>"


def spectrum_of_signal(motion: Motion, given: Any) -> Spectrum:
    """The one-sided spectrum of a signal over the frames; refused where waves are too fast for them.

    Raises
    ------
    ModelError : the frames are too few, or too far apart
    """
    signal = read_signal(motion.model, given)
    where = f"spectrum of {signal.name}"
    if len(motion.t) < LEAST_FRAMES:
        raise ModelError(f"a motion of {len(motion.t)} frames has no spectrum", where=where, remedy="simulate longer")
    t, values = _even_frames(motion, signal)
    step = float((t[-1] - t[0]) / (len(t) - 1))
    values = values.reshape(len(t), -1)
    resolved = resolve_signal(motion, signal)
    _refuse_fast_waves(resolved, t, step, values, where)
    lines = min(MOST, CLOSE << math.ceil(math.log2(len(t))))
    phasor, mean = _phasors(values, max(lines, len(t)))
    scalar = signal_is_scalar(values, frames_of_signal(motion, signal))
    found = phasor[:, 0] if scalar else phasor
    return Spectrum(
        signal.name,
        np.fft.rfftfreq(max(lines, len(t)), step),
        found,
        float(mean[0]) if scalar else mean,
        2.0 / (len(t) * step),
        max(resolved.noise, NOISE * resolved.scale),
    )


def signal_is_scalar(columns: np.ndarray, frames: np.ndarray) -> bool:
    """Whether a signal is a number."""
    return frames.ndim == 1 and columns.shape[1] == 1


def _even_frames(motion: Motion, signal: Signal) -> tuple[np.ndarray, np.ndarray]:
    """Times at equal steps and the signal there: the frames, but for a last one off their grid; or as many others."""
    t = motion.t
    steps = np.diff(t)
    if abs(steps[:-1] / steps[0] - 1).max() <= SAME_SPACING:
        count = len(t) if abs(steps[-1] / steps[0] - 1) <= SAME_SPACING else len(t) - 1
        return t[:count], frames_of_signal(motion, signal)[:count]
    even = np.linspace(t[0], t[-1], len(t))
    return even, read_at(motion, even, signal)


def _phasors(values: np.ndarray, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Phasors (lines/2 + 1, components) of samples (frames, components), and their mean."""
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(len(values)) / len(values))
    mean = window @ values / window.sum()
    return 2 * np.fft.rfft((values - mean) * window[:, None], lines, axis=0) / window.sum(), mean


def _refuse_fast_waves(resolved: Resolved, t: np.ndarray, step: float, values: np.ndarray, where: str) -> None:
    """Refuse frames that miss waves of the signal, which is looked at between them."""
    times = max(8, math.ceil(2 * ORDER * step / _narrow(resolved)))
    times = max(2, min(times, FINEST // len(t)))
    fine = t[0] + np.arange(len(t) * times - times + 1) * (step / times)
    found, _ = _phasors(_interpolated(resolved, fine), len(fine))
    seen, _ = _phasors(values, len(values))
    frequency, waves = np.fft.rfftfreq(len(fine), step / times), largest_length(found)
    largest = max(waves.max(initial=0.0), largest_length(seen).max(initial=0.0))
    if largest <= max(1e-9 * resolved.scale, resolved.noise):  # rounding
        return
    missed = np.flatnonzero((frequency > NYQUIST * 0.5 / step) & (waves > MISSED * largest))
    if len(missed):
        highest = float(frequency[missed[-1]])
        raise ModelError(
            f"at {1 / step:.4g} frames a second waves of {highest:.4g} Hz look like slower ones",
            where=where,
            remedy=f"simulate with rate={math.ceil(2.5 * highest)} or more",
        )


def _narrow(resolved: Resolved) -> float:
    """The width of the narrow pieces, in which the fastest waves are resolved; those that together last for next to
    nothing are kinks or rounding, and no waves."""
    widths = np.sort(resolved.widths)
    lasting = np.cumsum(widths)
    return float(widths[np.searchsorted(lasting, KINKS * lasting[-1])])


def _interpolated(resolved: Resolved, t: np.ndarray) -> np.ndarray:
    """The signal by its polynomials at times (frames, components)."""
    piece = np.clip(np.searchsorted(resolved.begins, t, side="right") - 1, 0, None)
    out = np.empty((len(t), resolved.coefficients.shape[1]))
    for first in range(0, len(t), 1 << 15):
        part = slice(first, first + (1 << 15))
        k = piece[part]
        x = np.clip((t[part] - resolved.begins[k]) / resolved.widths[k], 0.0, 1.0)
        basis = np.polynomial.chebyshev.chebvander(2 * x - 1, ORDER)
        out[part] = np.einsum("fcj,fj->fc", resolved.coefficients[k], basis)
    return out
