"""The directions of the world's axes, drawn into a corner of a picture beside gravity, as the camera sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...scene.look.ink import inked
from ...scene.stage.label_places import Box
from .lettering import symbol_width, write_symbol

__all__ = ["draw_triad"]

AXIS_LENGTH, AXIS_HEAD, AXIS_LETTER = 26.0, 7.0, 9.0
"""Pixels of an axis across the line of sight, of its head, and from its tip to its letter; in the page too."""
SIZE: Final = 2 * (AXIS_LENGTH + AXIS_LETTER) + 8
"""Pixels of the square that it takes."""
AXIS_RING: Final = 0.25
"""Part of its length below which an axis is seen end-on: a ring, with a dot if it comes."""
SYMBOL, LINE, TOP = 14.0, 2.0, 4.0
"""Pixels of a letter, of the lines, and from the upper edge."""


def draw_triad(
    picture: Any, directions: np.ndarray, names: Sequence[tuple[str, str]], left: float, paper: str
) -> list[Box]:
    """Draw the axes, their directions (3, 3) as rows in the camera's axes right, up and back; returns what they cover.

    ``names`` are the letters with their colours; ``left`` is how far from the edge the square begins, pixels.
    """
    from PIL import Image, ImageDraw

    finer, size = 4, round(SIZE)  # drawn larger and shrunk, so that edges are smooth
    layer = Image.new("RGBA", (size * finer, size * finer), (0, 0, 0, 0))
    pen, middle = ImageDraw.Draw(layer), np.array([SIZE / 2, SIZE / 2])
    letters = []
    for k in np.argsort(directions[:, 2]):  # the farthest first
        name, colour = names[k]
        ink = inked(colour, paper)
        across = np.array([directions[k, 0], -directions[k, 1]])
        length = float(np.linalg.norm(across))
        if length < AXIS_RING:
            _draw_ring(pen, finer * middle, bool(directions[k, 2] > 0), finer, ink)
            way = _away_from_others(directions, int(k))
            letters.append((name, ink, middle + (AXIS_LETTER + 3) * way))
            continue
        way = across / length
        side, tip = np.array([-way[1], way[0]]), AXIS_LENGTH * length
        neck = middle + max(tip - AXIS_HEAD, 0.0) * way
        pen.line([tuple(finer * middle), tuple(finer * neck)], fill=ink, width=round(LINE * finer))
        wings = [tuple(finer * (neck + s * side * AXIS_HEAD / 2.6)) for s in (-1, 1)]
        pen.polygon([tuple(finer * (middle + tip * way)), *wings], fill=ink)
        letters.append((name, ink, middle + (tip + AXIS_LETTER) * way))
    small = layer.resize((size, size), Image.Resampling.LANCZOS)
    picture.paste(small, (round(left), round(TOP)), small)
    pen = ImageDraw.Draw(picture)
    for name, ink, (x, y) in letters:
        write_symbol(pen, left + x - symbol_width(name, SYMBOL) / 2, TOP + y, name, ink, SYMBOL)
    return [Box(left + SIZE / 2, TOP + SIZE / 2, SIZE, SIZE)]


def _away_from_others(directions: np.ndarray, axis: int) -> np.ndarray:
    """The way (2,) in the picture, down counted, that leads away from the other axes."""
    right, up, _ = -np.delete(directions, axis, axis=0).sum(axis=0)
    return np.array([right, -up]) / (float(np.hypot(right, up)) or 1.0)


def _draw_ring(pen: Any, middle: np.ndarray, coming: bool, finer: int, ink: str) -> None:
    (x, y), r = middle, 4.5 * finer
    pen.ellipse([x - r, y - r, x + r, y + r], outline=ink, width=round(1.5 * finer))
    if coming:
        pen.ellipse([x - r / 3, y - r / 3, x + r / 3, y + r / 3], fill=ink)
