"""Symbols of arrows, written into a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["Lettering", "write_labels"]

Lettering = tuple[np.ndarray, str, str]
"""A pixel, a symbol and its colour."""


def write_labels(picture: Any, labels: Sequence[Lettering], height: int) -> None:
    """Put the arrows' symbols next to their tips; what follows ``_`` is a subscript."""
    if not labels:
        return
    from matplotlib import font_manager
    from PIL import ImageDraw, ImageFont

    # both come with matplotlib; only the second has 𝔍
    plain, letters, small = (
        ImageFont.truetype(font_manager.findfont(name), round(share * height))
        for name, share in (("DejaVu Sans", 1.0), ("STIXGeneral", 1.25), ("DejaVu Sans", 0.68))
    )
    pen = ImageDraw.Draw(picture)
    for (x, y), text, colour in labels:
        symbol, _, index = text.partition("_")
        font = letters if any(ord(letter) > 0xFFFF for letter in symbol) else plain
        left = float(x) - (font.getlength(symbol) + small.getlength(index)) / 2
        pen.text((left, float(y)), symbol, fill=colour, font=font, anchor="lm")
        pen.text((left + font.getlength(symbol), y + 0.34 * height), index, fill=colour, font=small, anchor="lm")
