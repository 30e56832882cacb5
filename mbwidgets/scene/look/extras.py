"""What a view adds to the picture, as data: parts in one colour, a fan of triangles, words; fixed in a body or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import numpy as np

from .shapes import Part

__all__ = ["WORLD", "Adornment", "Extra", "Fan", "Word"]

WORLD: Final = -1
"""In the place of a body: fixed in the world."""


@dataclass(frozen=True, eq=False)
class Fan:
    """Triangles (k, 3, 3) with a colour 0 … 1 at each corner (k, 3, 3), not shaded, seen from both sides."""

    corners: np.ndarray
    tints: np.ndarray


@dataclass(frozen=True)
class Word:
    """A symbol at a place."""

    text: str
    place: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Extra:
    """Parts in one colour in the axes of a body, or of the `WORLD`.

    ``through``: seen through what is nearer; ``lit``: shaded by the lights.
    """

    body: int
    colour: str
    parts: Sequence[Part] = ()
    opacity: float = 1.0
    through: bool = False
    lit: bool = False
    fan: Fan | None = None
    words: Sequence[Word] = field(default=())


class Adornment(Protocol):
    """Something on the stage that belongs to a view."""

    def extras(self, groups: Sequence[Any]) -> list[Extra]:
        """What it shows now; ``groups`` are those of the bodies, in their order."""
