"""Extrema, crossings and periods of a signal, between the frames too."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...errors import StateError, shorten
from .extremum_error import error_of_extremum
from .resolved_signal import (
    FINE,
    NOISE,
    ORDER,
    SLOPES,
    Resolved,
    frames_of_signal,
    lengths_at,
    read_at,
    resolve_signal,
    values_at,
)
from .signals import Signal, lengths, read_signal, refuse_vector

if TYPE_CHECKING:
    from .motion import Motion

__all__ = ["Extremum", "crossings_of", "extremum_of", "period_of", "warn_of_few_frames"]

HALVINGS: Final = 60
"""Of a bracket: to the last digit of a part of a piece."""
NEAR: Final = 1e-2
"""Part of the signal's size by which a peak may be lower on the grid of a piece than it is: three waves in a piece lose
a quarter of that between the grid's places."""
CLOSE: Final = 1e-7
"""Part of it within which refined peaks compete: of those the signal itself is read, not its polynomial."""
MOST_READ: Final = 1000
"""Peaks that are read, the highest first: a steady rotor has the same one in every turn."""
ROUNDING: Final = 1e-6
"""Part of a signal that frames may miss whatever its range: an energy that is kept varies by rounding."""
UNSEEN: Final = 0.01
"""Part of a signal's range that frames may miss before a person is told."""
AT_END: Final = 1e-9
"""Part of a motion within which an extremum that is no higher than the end, but for rounding, is at the end."""
SAME: Final = 1e-4
"""Part by which the turns of a periodic signal may differ."""


class _Values(NamedTuple):
    value: float
    time: float
    vector: np.ndarray | None = None
    note: str = ""


class Extremum(_Values):
    """A largest or smallest value of a signal.

    Attributes
    ----------
    value : in the signal's unit, as exact as the motion is
    time : s
    vector : (3,) where the signal is one, whose length is the value; else None
    note : what a curve of the frames shows less of it, in words; empty where it shows it
    """

    _question: Callable[[], float] | None = None

    @cached_property
    def error(self) -> float:
        """An estimate of the value's error, in its unit: its difference from that of the motion with rtol/100.

        Computed when it is asked for, for which the motion is solved once more; beyond its `horizon` a chaotic motion
        has errors as large as its values.

        Raises
        ------
        StateError : the motion cannot be solved again, as under efforts that are Python functions

        >>> motion = mb.simulate(mb.library.pendulum(2), duration=5)
        >>> found = motion.maximum("force[rod 1]")
        >>> 0.0 < found.error < 1e-5  # N
        True
        """
        if self._question is None:
            raise StateError(
                "the error is not known: a copy is not asked again", where="extremum", remedy="ask motion.maximum(…)"
            )
        return self._question()

    def __reduce__(self) -> tuple[Any, ...]:
        return Extremum, tuple(self)


def extremum_of(motion: Motion, given: Any, sign: float) -> Extremum:
    """The largest (sign 1) or smallest (−1) value of a signal, of a vector its length."""
    signal = read_signal(motion.model, given)
    frames = lengths(frames_of_signal(motion, signal))
    if len(motion.t) < 2:
        return _told(motion, signal, float(motion.t[0]), sign, frames)
    resolved = resolve_signal(motion, signal)
    first, last = motion.t[[0, -1]]
    peaks = np.append(_peaks(resolved, sign), motion.t[int((sign * frames).argmax())])
    t = np.concatenate([[first, last], np.clip(peaks, first, last)])
    found = sign * lengths_at(motion, t, signal)
    best = int(found.argmax())
    rounding = max(resolved.noise, NOISE * resolved.scale)
    for end in (0, 1):  # where the slope is zero at an end but for rounding, the peak may be found next to it
        if abs(t[best] - t[end]) <= AT_END * (last - first) and found[end] >= found[best] - rounding:
            best = end
    return _told(motion, signal, float(t[best]), sign, frames)


def _peaks(resolved: Resolved, sign: float) -> np.ndarray:
    """The times of the highest peaks, refined in their pieces."""
    x = np.linspace(0.0, 1.0, FINE + 1)
    values = sign * resolved.lengths(x)
    around = np.pad(values, ((0, 0), (1, 1)), constant_values=-np.inf)
    tops = (values >= around[:, :-2]) & (values >= around[:, 2:]) & (values >= values.max() - NEAR * resolved.scale)
    pieces, places = np.nonzero(tops)
    refined = _refined(resolved, pieces, x, places, sign)
    c = resolved.coefficients[pieces]
    found = sign * resolved.length_of(values_at(c, refined[:, None]))[:, 0]
    best = np.argsort(-found, kind="stable")[:MOST_READ]
    best = best[found[best] >= found.max() - CLOSE * resolved.scale]
    return np.asarray(resolved.begins[pieces[best]] + refined[best] * resolved.widths[pieces[best]])


def _told(motion: Motion, signal: Signal, t: float, sign: float, frames: np.ndarray) -> Extremum:
    value = read_at(motion, np.array([t]), signal)[0]
    number = float(np.linalg.norm(value)) if np.ndim(value) else float(value)
    size = max(abs(number), abs(frames).max(initial=0.0))
    missed = sign * number - float((sign * frames).max())
    note = ""
    if missed > UNSEEN * size:
        rate = _better_rate(motion, signal, t, size)
        note = (
            f"The value is right; a curve of these frames shows {100 * missed / size:.2g} % "
            f"{'less' if sign > 0.0 else 'more'}: for a curve that shows it, simulate with rate={rate} or more."
        )
    found = Extremum(number, t, np.array(value) if np.ndim(value) else None, note)
    found._question = partial(error_of_extremum, motion, signal, sign, number)
    return found


def _better_rate(motion: Motion, signal: Signal, t: float, size: float) -> int:
    """A frame rate that misses less than a part UNSEEN of an extremum at t: there the signal is a parabola."""
    first, last = float(motion.t[0]), float(motion.t[-1])
    rate = (len(motion.t) - 1) / (last - first)
    beside = min(max(t, first + 0.01 / rate), last - 0.01 / rate) + np.array([-0.01, 0.0, 0.01]) / rate
    low, middle, high = lengths_at(motion, beside, signal)
    bend = abs(low - 2.0 * middle + high) * (100.0 * rate) ** 2
    return math.ceil(max(2.0 * rate, math.sqrt(bend / (8.0 * UNSEEN * size))))


def _refined(resolved: Resolved, pieces: np.ndarray, x: np.ndarray, places: np.ndarray, sign: float) -> np.ndarray:
    """Where in pieces, near places of the grid x, the slope of the number, or of the squared length, is zero."""
    c = resolved.coefficients[pieces]
    slopes = np.einsum("kj,pcj->pck", SLOPES, c)
    low, high = x[np.maximum(places - 1, 0)], x[np.minimum(places + 1, len(x) - 1)]

    def slope(at: np.ndarray) -> np.ndarray:
        rate = values_at(slopes, at[:, None])[:, :, 0]
        if resolved.scalar:
            return np.asarray(sign * rate[:, 0])
        return np.asarray(sign * np.einsum("pc,pc->p", rate, values_at(c, at[:, None])[:, :, 0]))

    inner = (slope(low) > 0.0) & (slope(high) < 0.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        rises = slope(middle) > 0.0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return np.where(inner, 0.5 * (low + high), x[places])


def crossings_of(motion: Motion, given: Any, value: Any, direction: int) -> np.ndarray:
    """The times at which a signal passes a value: upwards (direction 1), downwards (−1), both (0)."""
    signal = read_signal(motion.model, given)
    refuse_vector(signal, frames_of_signal(motion, signal), "crossings")
    level = _as_level(value)
    if direction not in (-1, 0, 1):
        raise StateError(f"direction {direction!r}", where="crossings", remedy="give -1, 0 or 1")
    if len(motion.t) < 2:
        return np.empty(0)
    return _crossings(motion, signal, resolve_signal(motion, signal), level, direction)


def _as_level(value: Any) -> float:
    try:
        level = math.nan if isinstance(value, str | bytes) else float(value)
    except (TypeError, ValueError):
        level = math.nan
    if not math.isfinite(level):
        raise StateError(f"value {shorten(value)}", where="crossings", remedy='give a number, or ask "q[rod] - l/2"')
    return level


def _crossings(motion: Motion, signal: Signal, resolved: Resolved, level: float, direction: int) -> np.ndarray:
    x = np.linspace(0.0, 1.0, FINE + 1)
    values = resolved.lengths(x) - level
    count = len(values)
    flat = np.concatenate([values[:, :-1].ravel(), values[-1:, -1]])
    t = np.append((resolved.begins[:, None] + resolved.widths[:, None] * x[:-1]).ravel(), motion.t[-1])
    rounding = max(1e-12 * resolved.scale, resolved.noise)
    signs = np.sign(np.where(abs(flat) <= rounding, 0.0, flat))
    known = np.flatnonzero(signs)  # what touches the level and returns has not crossed it
    turns = np.flatnonzero(signs[known[1:]] != signs[known[:-1]])
    found = []
    for k in turns:
        before, after = known[k], known[k + 1]
        if direction in (0, signs[after]):
            piece = min(before // FINE, count - 1)
            found.append(_zero(motion, signal, level, float(t[before]), float(t[after]), resolved, int(piece)))
    return np.array(found)


def _zero(
    motion: Motion, signal: Signal, level: float, low: float, high: float, resolved: Resolved, piece: int
) -> float:
    """A crossing between two times: by the piece's polynomial, then by the signal itself."""
    begin, width, c = resolved.begins[piece], resolved.widths[piece], resolved.coefficients[piece][None]

    def model_of(t: float) -> float:
        return float(values_at(c, np.array([[(t - begin) / width]]))[0, 0, 0]) - level

    inside = high <= begin + width * (1 + 1e-12)
    rising = (lengths_at(motion, np.array([high]), signal)[0] - level) > 0.0
    left, right = low, high
    if inside:
        for _ in range(HALVINGS):
            middle = 0.5 * (left + right)
            if (model_of(middle) > 0.0) == rising:
                right = middle
            else:
                left = middle
        spread = 1e-8 * width  # the polynomial is the signal but for rounding: the zero is near
        left, right = max(low, left - spread), min(high, right + spread)
        ends = lengths_at(motion, np.array([left, right]), signal) - level
        if (ends[0] > 0.0) == rising or (ends[1] > 0.0) != rising:
            left, right = low, high
    while right - left > 4e-16 * max(abs(left), abs(right)):
        t = np.linspace(left, right, ORDER + 1)
        after = (lengths_at(motion, t, signal) - level > 0.0) == rising
        k = int(after.argmax()) if after.any() else ORDER
        if k == 0 or (t[k] - t[k - 1] >= right - left):
            break
        left, right = float(t[k - 1]), float(t[k])
    return 0.5 * (left + right)


def period_of(motion: Motion, given: Any) -> float:
    """The time after which a signal returns, upwards through zero, or else through the middle of its range."""
    signal = read_signal(motion.model, given)
    refuse_vector(signal, frames_of_signal(motion, signal), "the period")
    where = f"signal {signal.name}"
    if len(motion.t) < 2:
        raise StateError("a single frame has no period", where=where, remedy="simulate longer")
    resolved = resolve_signal(motion, signal)
    x = np.linspace(0.0, 1.0, FINE + 1)
    values = resolved.lengths(x)
    times = _crossings(motion, signal, resolved, 0.0, 1)
    if len(times) < 3:
        middle = _crossings(motion, signal, resolved, float(values.max() + values.min()) / 2, 1)
        times = middle if len(middle) > len(times) else times
    if len(times) < 2:
        raise StateError("it does not return within the motion", where=where, remedy="simulate longer")
    for turns in range(1, max(2, (len(times) - 1) // 2 + 1)):
        spans = times[turns:] - times[:-turns]
        if np.ptp(spans) <= SAME * spans.mean():
            whole = (len(times) - 1) // turns
            return float((times[whole * turns] - times[0]) / whole)
    spans = np.diff(times)
    raise StateError(
        f"it has no period: it returns after {spans.min():.4g} to {spans.max():.4g} s",
        where=where,
        remedy="look at motion.crossings(…)",
    )


class UndersampledWarning(UserWarning):
    """Frames are too few for what is asked of them.

    >>> issubclass(mb.UndersampledWarning, UserWarning)
    True
    """


def warn_of_few_frames(motion: Motion, signal: Signal, values: np.ndarray) -> None:
    """Say in words by how much the frames miss the extrema of a signal."""
    if len(motion.t) < 2 or not np.isfinite(values).all():
        return
    try:
        resolved = resolve_signal(motion, signal)
    except StateError:
        return
    x = np.linspace(0.0, 1.0, FINE + 1)
    fine, frames = resolved.lengths(x), lengths(values)
    missed, sign = max((fine.max() - frames.max(), 1.0), (frames.min() - fine.min(), -1.0))
    size = float(np.ptp(fine))
    if missed > UNSEEN * size and missed > max(ROUNDING * resolved.scale, 2.0 * resolved.noise):
        piece, place = np.unravel_index(int((sign * fine).argmax()), fine.shape)
        t = float(resolved.begins[piece] + x[place] * resolved.widths[piece])
        warnings.warn(
            f"{signal.name}: the frames miss {100 * missed / size:.2g} % of its range; read motion.maximum(…) and "
            f"motion.minimum(…), or simulate with rate={_better_rate(motion, signal, t, size)} or more",
            UndersampledWarning,
            stacklevel=5,  # past what reads the signal and what answers wrong arguments
        )
