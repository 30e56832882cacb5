"""A signal between the frames: polynomials in pieces that are halved until they are the signal.

In each piece of a motion, at first its steps, the signal is read at Chebyshev's places, and the piece is halved while
the last coefficients of its polynomial are not small. So a rotor that turns a hundred times in one step is seen, and
what is found does not depend on the frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...errors import StateError
from .dense_output import resampled
from .joined import Joined, belonging
from .motion import Motion
from .signals import Signal, lengths

__all__ = ["Resolved", "frames_of_signal", "lengths_at", "read_at", "resolve_signal", "values_at"]

ORDER: Final = 16
"""Degree of a piece's polynomial."""
NODES: Final = (1.0 - np.cos(np.pi * np.arange(ORDER + 1) / ORDER)) / 2
"""Parts of a piece at which the signal is read, both ends among them."""
TAIL: Final = 4
"""The last coefficients, which tell whether a polynomial is the signal."""
SMALL: Final = 1e-9
"""Part of the signal's largest value that they may have: their sum bounds the error."""
NOISE: Final = 1e-12
"""Part of the terms that cancel in a signal which is rounding: some thousand roundings of a long recursion."""
NARROWEST: Final = 2.0**-36
"""Part of the motion: a narrower piece has a kink or a jump, or rounding is what is seen."""
MOST: Final = 2_000_000
"""Readings at most, some seconds: a signal that needs more is told."""
FINE: Final = 8 * ORDER
"""Parts of a piece among which an extremum or a zero is looked for before it is refined."""


def _coefficients() -> np.ndarray:
    """From values at the nodes to coefficients of Chebyshev's polynomials (ORDER + 1, ORDER + 1)."""
    basis = np.polynomial.chebyshev.chebvander(2 * NODES - 1, ORDER)
    return np.asarray(np.linalg.inv(basis))


TO_COEFFICIENTS: Final = _coefficients()
SLOPES: Final = 2 * np.polynomial.chebyshev.chebder(np.eye(ORDER + 1), axis=0)
"""Coefficients of the derivative by the part of the piece, from those of the polynomial."""


def values_at(coefficients: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Polynomials (pieces, components, ORDER + 1) at parts x (pieces, k) of their pieces: (pieces, components, k)."""
    basis = np.polynomial.chebyshev.chebvander(2 * x - 1, coefficients.shape[2] - 1)
    return np.asarray(np.einsum("pcj,pkj->pck", coefficients, basis))


@dataclass(frozen=True, eq=False)
class Resolved:
    """A signal over a motion: pieces by their beginnings and widths (p,), coefficients (p, components, ORDER + 1).

    ``scale`` is its largest length, ``noise`` what rounding may make of it; ``scalar`` whether it is a number.
    """

    begins: np.ndarray
    widths: np.ndarray
    coefficients: np.ndarray
    scale: float
    noise: float
    scalar: bool

    def lengths(self, x: np.ndarray) -> np.ndarray:
        """The number, or the vector's length, at the same parts x (k,) of all pieces (p, k)."""
        basis = np.polynomial.chebyshev.chebvander(2 * x - 1, ORDER)
        return self.length_of(np.einsum("pcj,kj->pck", self.coefficients, basis))

    def length_of(self, values: np.ndarray) -> np.ndarray:
        """Of values (p, components, k) the number, or the length (p, k)."""
        return np.asarray(values[:, 0] if self.scalar else np.linalg.norm(values, axis=1))


def read_at(motion: Motion, t: np.ndarray, signal: Signal) -> np.ndarray:
    """A signal at times (frames,): (frames,) or (frames, components)."""
    if not isinstance(motion, Joined):
        return np.asarray(signal.read(resampled(motion, t)), dtype=float)
    owner, found = belonging(motion, t), list[tuple[np.ndarray, np.ndarray]]()
    for number, (piece, shift) in enumerate(zip(motion.pieces, motion.shifts, strict=True)):
        if (here := owner == number).any():
            inside = np.clip(t[here] - shift, piece.t[0], piece.t[-1])
            found.append((here, np.asarray(signal.read(resampled(piece, inside)), dtype=float)))
    out = np.empty((len(t), *found[0][1].shape[1:]))
    for here, values in found:
        out[here] = values
    return out


def signal_size(motion: Motion, signal: Signal) -> float:
    """The largest terms that cancel in a signal."""
    shown = motion.shown if isinstance(motion, Joined) else (motion,)
    return max(signal.size(piece) for piece in shown)


def frames_of_signal(motion: Motion, signal: Signal) -> np.ndarray:
    """A signal in every frame of a motion."""
    shown = motion.shown if isinstance(motion, Joined) else (motion,)
    return np.concatenate([np.asarray(signal.read(piece), dtype=float) for piece in shown])


def resolve_signal(motion: Motion, signal: Signal) -> Resolved:
    """The signal in pieces that it is a polynomial in, as far as rounding lets it be one."""
    begins, widths = _first_pieces(motion)
    narrowest = NARROWEST * float(motion.t[-1] - motion.t[0])
    done: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    noise = NOISE * signal_size(motion, signal)
    scale, readings, scalar = 0.0, 0, True
    while len(begins):
        readings += len(begins) * (ORDER + 1)
        if readings > MOST:
            raise StateError(
                f"it varies too fast to be followed: {readings:,} readings were not enough",
                where=f"signal {signal.name}",
                remedy="ask for a slice of the motion, motion[a:b]",
            )
        t = np.minimum(begins[:, None] + widths[:, None] * NODES, motion.t[-1])
        values = read_at(motion, t.ravel(), signal)
        scalar = values.ndim == 1
        values = values.reshape(len(begins), ORDER + 1, -1)
        if not values.shape[2]:
            raise StateError("it has no components", where=f"signal {signal.name}", remedy="name a joint that moves")
        _refuse_no_numbers(values, t, signal)
        scale = max(scale, float(abs(values).max(initial=0.0)))
        coefficients = np.einsum("jk,pkc->pcj", TO_COEFFICIENTS, values)
        tail = abs(coefficients[:, :, -TAIL:]).sum(axis=2).max(axis=1)
        smooth = tail <= max(SMALL * scale, noise)
        coefficients[~smooth] = _chords(values[~smooth])
        fine = smooth | (widths <= narrowest)
        done.append((begins[fine], widths[fine], coefficients[fine]))
        begins, widths = begins[~fine], widths[~fine] / 2
        begins, widths = np.concatenate([begins, begins + widths]), np.concatenate([widths, widths])
    begins, widths, coefficients = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(begins, kind="stable")
    return Resolved(begins[order], widths[order], coefficients[order], scale, noise, scalar)


def _chords(values: np.ndarray) -> np.ndarray:
    """Coefficients of the straight lines between the ends of pieces (p, places, components): a polynomial through a
    jump would rise above both its sides."""
    found = np.zeros((len(values), values.shape[2], ORDER + 1))
    found[:, :, 0], found[:, :, 1] = (values[:, -1] + values[:, 0]) / 2, (values[:, -1] - values[:, 0]) / 2
    return found


def _first_pieces(motion: Motion) -> tuple[np.ndarray, np.ndarray]:
    """The steps of a motion, or where nobody knows them the times between its frames."""
    ends = []
    pieces = zip(motion.pieces, motion.shifts, strict=True) if isinstance(motion, Joined) else [(motion, 0.0)]
    for piece, shift in pieces:
        source = piece.source
        output = None if source is None else source.output
        inner = piece.t if source is None or output is None else source.begin + output.begins
        ends.append(np.concatenate([piece.t[[0]], inner, piece.t[[-1]]]) + shift)
    found = np.concatenate(ends)
    found = found[(found >= motion.t[0]) & (found <= motion.t[-1])]
    ends_of_all = np.unique(np.append(found, motion.t[[0, -1]]))
    return ends_of_all[:-1], np.diff(ends_of_all)


def _refuse_no_numbers(values: np.ndarray, t: np.ndarray, signal: Signal) -> None:
    bad = ~np.isfinite(values).all(axis=2)
    if bad.any():
        raise StateError(
            f"it has no value at t = {t[bad][0]:g} s",
            where=f"signal {signal.name}",
            remedy="ask for a slice before that",
        )


def lengths_at(motion: Motion, t: np.ndarray, signal: Signal) -> np.ndarray:
    """The signal itself, not its polynomial, at times (frames,): numbers, or the lengths of vectors."""
    return lengths(read_at(motion, t, signal))
