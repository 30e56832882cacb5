"""Symbols of arrows, written into a picture of its final size, so that they are as sharp as its pixels."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from ...scene.look.ink import inked
from ...scene.stage.label_places import HEAD_BOX, Box, LabelItem, place_labels

__all__ = ["Lettering", "Surroundings", "letter_rows", "symbol_width", "write_labels", "write_symbol"]

SMALL: Final = 0.72
"""Letters of an index, over the others; ``LOWER`` and ``HIGHER`` are how far it stands from the line, in letters."""
LOWER, HIGHER = 0.23, 0.36
HIGH: Final = 20 / 17
"""A label over its letters, as in the page."""
BESIDE: Final = 0.12
"""Room to both sides of a label, in letters."""
PLATE, PLATED = 0.8, 0.12
"""How much of a body a plate behind a label covers, and the share of a label over bodies from which on it has one."""
INDEX: Final = re.compile("[\u2080-\u209c\u1d62-\u1d6a\u2c7c]")
POWER: Final = re.compile("[\u00b2\u00b3\u00b9\u02b0-\u02b8\u02e1-\u02e3\u2070-\u207f\u1d2c-\u1d61\u1d9c-\u1dbf]")
MARKED: Final = re.compile(r"([_^])(?:\{([^}]*)\}|([^_^]*))")
LETTER, PIN_BOX = 2, 14.0
"""The face of letters of points, and pixels of the pins there."""
BESIDE_PIN: Final = (np.sqrt(0.5), np.sqrt(0.5))
"""Where a letter stands of its point first: to the right and below."""
FACES: Final = {
    0: ("STIXGeneral:italic:bold", "STIXGeneral", "DejaVu Serif:italic:bold", "DejaVu Sans"),
    1: ("STIXGeneral", "DejaVu Serif", "DejaVu Sans"),
    2: ("STIXGeneral:italic", "DejaVu Serif:italic", "DejaVu Sans"),
}
"""Faces for letters on the line, of an index and of points, the first that has a letter; all come with matplotlib."""


@dataclass(frozen=True)
class Lettering:
    """A symbol in its colour at the tip of an arrow that begins at ``begin``, or at a place of its own; in pixels.

    The ``letter`` of a point is thinner than the symbol of a vector, and stands beside it.
    """

    tip: tuple[float, float]
    text: str
    colour: str
    begin: tuple[float, float] | None = None
    letter: bool = False


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What labels are not to cover: mass centres and scale bars, and the pixels (rows, columns) of bodies."""

    spots: Sequence[Box]
    bodies: np.ndarray

    def covered(self) -> Callable[[Box], float]:
        """A function that tells what share of a box is over bodies."""
        rows, columns = self.bodies.shape
        sums = np.zeros((rows + 1, columns + 1))
        sums[1:, 1:] = self.bodies.cumsum(axis=0).cumsum(axis=1)

        def share(box: Box) -> float:
            left, right = (int(np.clip(round(box.x + side * box.w / 2), 0, columns)) for side in (-1, 1))
            top, low = (int(np.clip(round(box.y + side * box.h / 2), 0, rows)) for side in (-1, 1))
            area = (right - left) * (low - top)
            inside = sums[low, right] - sums[top, right] - sums[low, left] + sums[top, left]
            return float(inside / area) if area else 0.0

        return share


def letter_rows(text: str) -> list[tuple[str, int]]:
    """Rows of letters with their level, −1 below the line, 1 above it; small letters of Unicode as the others are."""
    pieces, at = list[tuple[str, int]](), 0
    for found in MARKED.finditer(text):
        if found.start() > at:
            pieces.append((text[at : found.start()], 0))
        inner = found[2] if found[2] is not None else found[3]
        pieces.append((inner, -1 if found[1] == "_" else 1))
        at = found.end()
    pieces.append((text[at:], 0))
    rows: list[tuple[str, int]] = []
    for piece, level in pieces:
        for letter in piece:
            own = level or (-1 if INDEX.match(letter) else 1 if POWER.match(letter) else 0)
            plain = unicodedata.normalize("NFKC" if own else "NFC", letter)
            if rows and rows[-1][1] == own:
                rows[-1] = (rows[-1][0] + plain, own)
            else:
                rows.append((plain, own))
    return rows


def write_labels(picture: Any, labels: Sequence[Lettering], about: Surroundings, height: float, paper: str) -> None:
    """Put symbols of a height, pixels, next to the tips of their arrows, where they cover nothing that matters."""
    from PIL import Image, ImageDraw

    lines = [(label.begin, label.tip) for label in labels if label.begin is not None]
    labels = [label for label in labels if label.text.strip()]
    pen = ImageDraw.Draw(picture)
    items = [_item(label, height, picture.size) for label in labels]
    heads = [
        Box(item.tip[0] - HEAD_BOX / 2 * item.way[0], item.tip[1] - HEAD_BOX / 2 * item.way[1], HEAD_BOX, HEAD_BOX)
        for item in items
        if item.way is not None
    ]
    pins = [Box(*label.tip, PIN_BOX, PIN_BOX) for label in labels if label.letter]
    covered = about.covered()
    boxes = place_labels(items, lines, [*heads, *pins, *about.spots], picture.size, covered)
    for label, box in zip(labels, boxes, strict=True):
        edges = (box.x - box.w / 2, box.y - box.h / 2, box.x + box.w / 2, box.y + box.h / 2)
        corners = [round(edge) for edge in edges]
        if covered(box) > PLATED:
            under = picture.crop(corners)
            picture.paste(Image.blend(under, Image.new(under.mode, under.size, paper), PLATE), corners[:2])
        write_symbol(
            pen,
            corners[0] + BESIDE * height,
            round(box.y),
            label.text,
            inked(label.colour, paper),
            height,
            label.letter,
        )


def _item(label: Lettering, height: float, size: tuple[float, float]) -> LabelItem:
    wide = symbol_width(label.text, height) + 2 * BESIDE * height
    if label.letter:
        return LabelItem(label.tip, BESIDE_PIN, wide, HIGH * height)
    if label.begin is None:
        return LabelItem(label.tip, None, wide, HIGH * height)
    across, down = (label.tip[k] - label.begin[k] for k in range(2))
    length = float(np.hypot(across, down))
    outside = any(not 0 <= value <= whole for value, whole in zip(label.begin, size, strict=True))
    way = (across / length, down / length) if length > 0 else (0.0, -1.0)
    return LabelItem(label.tip, way, wide, HIGH * height, outside)


def symbol_width(text: str, height: float) -> float:
    """The width of a symbol of a height, pixels."""
    rows = letter_rows(text)
    widths = [_font(item, int(level != 0), height).getlength(item) for row, level in rows for item in _letters(row)]
    return float(sum(widths))


def _letters(row: str) -> list[str]:
    """Letters with the marks above or below them."""
    found: list[str] = []
    for letter in row:
        if found and unicodedata.combining(letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def write_symbol(pen: Any, left: float, middle: float, text: str, ink: str, height: float, thin: bool = False) -> None:
    """Write a symbol from a left edge on, about a height of the picture; ``thin`` as letters of points are."""
    line = middle + 0.32 * height
    for row, level in letter_rows(text):
        shift = LOWER if level < 0 else -HIGHER if level > 0 else 0.0
        for letter in _letters(row):
            font = _font(letter, LETTER if thin else int(level != 0), height)
            pen.text((left, line + shift * height), letter, fill=ink, font=font, anchor="ls")
            left += font.getlength(letter)


def _font(letter: str, kind: int, height: float) -> Any:
    return _face(letter, kind, max(round(height * (SMALL if kind == 1 else 1.0)), 1))


@cache
def _face(letter: str, kind: int, pixels: int) -> Any:
    """The first face that has a letter."""
    from matplotlib import font_manager
    from PIL import ImageFont

    found = ""
    for name in FACES[kind]:
        family, *style = name.split(":")
        wanted = font_manager.FontProperties(
            family=family, style="italic" if style else "normal", weight="bold" if "bold" in style else "normal"
        )
        found = font_manager.findfont(wanted)
        if all(font_manager.get_font(found).get_char_index(ord(part)) for part in letter):
            break
    return ImageFont.truetype(found, pixels)
