"""What one free body may not do, and what it may, at the body: λ with bars at both ends, τ with heads   (42), (64)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...scene.look.arrow_bands import BARRED, BARRED_TURN
from ...scene.look.palette import BLUE, GREEN
from ...scene.quantities.registry import as_subscript
from ...scene.stage.drawn_arrows import NUMBER
from ...scene.stage.own_arrows import OwnArrow
from ..parts.matrices import Matrix

__all__ = ["WAYS", "way_arrows"]

WAYS: Final = {
    "forbidden and left": ("λ", "τ"),
    "forbidden": ("λ",),
    "left": ("τ",),
    "neither": (),
}
"""What can be drawn at the body, and the letters of it."""
THERE: Final = 1e-9
"""A part of a row smaller than this, of rows whose largest entry is about 1, is rounding."""
SHARE: Final = 0.6
"""How long they are, of what directions may be: each goes both ways from its point."""


def way_arrows(
    motion: Any, pair: Sequence[Matrix], present: Sequence[Matrix], letters: Sequence[str]
) -> list[OwnArrow]:
    """Rows of L_λ and columns of L_τ, both on (v of O₁, ω) in body axes, as directions at the body, each way.

    What moves O₁ begins there, what turns the body at its mass centre: so they are told apart. ``present`` are the
    matrices of the present motion, by which it is known what is zero throughout.
    """
    body = motion.model.bodies[0]
    turns, point = motion.rotations[:, 0], motion.poses[0][:, 0]
    centre = motion.point(0, body.com).position
    found: list[OwnArrow] = []
    for letter, way, shown in _ways(pair, present):
        if letter[0] not in letters:
            continue
        for part, at in ((slice(0, 3), point), (slice(3, 6), centre)):
            if np.abs(np.nan_to_num(shown[:, part])).max(initial=0.0) <= THERE:
                continue
            value = np.einsum("fij,fj->fi", turns, way[:, part])
            found += _both_ways(letter, at, value, turning=part.start == 3)
    return found


def _ways(pair: Sequence[Matrix], present: Sequence[Matrix]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Each row of the first matrix, each column of the second: its letter, over the frames, and at present."""
    (across, along), (rows, columns) = (tuple(item.values for item in both) for both in (pair, present))
    for k in range(across.shape[1]):
        yield f"λ{k + 1}", across[:, k], rows[:, k]
    for k in range(along.shape[2]):
        yield f"τ{k + 1}", along[:, :, k], columns[:, :, k]


def _both_ways(letter: str, at: np.ndarray, value: np.ndarray, turning: bool) -> Iterator[OwnArrow]:
    """A direction and its opposite, with one name: a row of the matrices lights both."""
    barred, colour = letter.startswith("λ"), GREEN if letter.startswith("λ") else BLUE
    pattern = (BARRED_TURN if turning else BARRED) if barred else ""
    name = letter[0] + as_subscript(letter[1:])
    for label, vector in ((name, value), (" ", -value)):
        yield OwnArrow(letter, label, colour, at, vector, "way", turning, magnify=SHARE, unit=NUMBER, pattern=pattern)
