"""The direction of gravity, drawn into a corner of a picture as the camera sees it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...scene.look.ink import inked
from ...scene.stage.label_places import Box
from ...scene.stage.setting import GRAVITY
from .lettering import symbol_width, write_symbol

__all__ = ["LENGTH", "WIDE", "draw_gravity"]

LENGTH: Final = 34.0
"""Pixels of the arrow across the line of sight; in the page too."""
CORNER: Final = (30.0, 12.0)
"""Pixels from the left and from the top to the box about it."""
HEAD, LINE, SYMBOL, GAP = 10.0, 2.0, 16.0, 7.0
"""Pixels: of the head, of the line, of the symbol's height, between them."""
WIDE: Final = 58.0
"""Pixels from the left edge that gravity takes, its symbol with it."""
END_ON: Final = 0.25
"""Part of its length below which a direction is seen end-on: a ring, with a dot if it comes, a cross if it goes."""


def draw_gravity(picture: Any, direction: np.ndarray, paper: str) -> list[Box]:
    """Draw gravity, its direction (3,) in the camera's axes right, up and back; returns what it covers."""
    from PIL import Image, ImageDraw

    finer = 4  # drawn larger and shrunk, so that edges are smooth
    size = round(LENGTH + 2 * HEAD)
    layer = Image.new("RGBA", (size * finer, size * finer), (0, 0, 0, 0))
    pen, ink = ImageDraw.Draw(layer), inked(GRAVITY, paper)
    middle, across = np.array([size / 2, size / 2]) * finer, np.array([direction[0], -direction[1]])
    length = float(np.linalg.norm(across))
    if length < END_ON:
        _draw_ring(pen, middle, float(direction[2]) > 0.0, finer, ink)
    else:
        way = across / length
        side, tip = np.array([-way[1], way[0]]), middle + way * LENGTH / 2 * length * finer
        neck, begin = tip - way * HEAD * finer, middle - way * LENGTH / 2 * length * finer
        pen.line([tuple(begin), tuple(neck)], fill=ink, width=round(LINE * finer))
        pen.polygon([tuple(tip), *(tuple(neck + s * side * HEAD / 2.6 * finer) for s in (-1, 1))], fill=ink)
    left, top = round(CORNER[0] - size / 2), round(CORNER[1] - HEAD)
    small = layer.resize((size, size), Image.Resampling.LANCZOS)
    picture.paste(small, (left, top), small)
    write_symbol(ImageDraw.Draw(picture), CORNER[0] + HEAD + GAP / 2, top + size / 2, "g", ink, SYMBOL)
    wide = HEAD + GAP + symbol_width("g", SYMBOL)
    return [Box(CORNER[0] + wide / 2 - HEAD / 2, top + size / 2, wide + HEAD, float(size))]


def _draw_ring(pen: Any, middle: np.ndarray, coming: bool, finer: int, ink: str) -> None:
    x, y, r, wide = *middle, HEAD * 0.7 * finer, round(LINE * finer)
    pen.ellipse([x - r, y - r, x + r, y + r], outline=ink, width=wide)
    if coming:
        pen.ellipse([x - wide, y - wide, x + wide, y + wide], fill=ink)
        return
    for s in (-1, 1):
        pen.line([(x - 0.7 * r, y - 0.7 * s * r), (x + 0.7 * r, y + 0.7 * s * r)], fill=ink, width=wide)
