"""Scale bars of arrows, drawn into a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...scene.stage.scale_bars import ScaleBar

__all__ = ["draw_bars"]

INSET, TICK, LINE, LETTER, ROW, GAP = 12.0, 8.0, 1.5, 12.0, 20.0, 8.0
"""Pixels: from the edges, height of the ends, width of the lines, height of the text, of a row, and between things."""
PLATE: Final = 0.7
"""How much of what is behind a bar is covered, so that it can be read over a body."""


def draw_bars(picture: Any, bars: Sequence[ScaleBar], fine: int, paper: str) -> None:
    """Put the bars into the lower left corner of a picture that is so many times finer than its pixels."""
    if not bars:
        return
    from matplotlib import font_manager
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans"), round(LETTER * fine))
    pen, wide = ImageDraw.Draw(picture), round(LINE * fine)
    for row, bar in enumerate(reversed(bars)):
        middle = picture.height - fine * (INSET + ROW * (row + 0.5))
        left, right, half = fine * INSET, fine * (INSET + bar.pixels), fine * TICK / 2
        ink, text = bar.colours[0], f"{np.format_float_positional(bar.value, trim='-')} {bar.unit}"
        end = right + fine * GAP * 2 * len(bar.colours) + font.getlength(text)
        box = (round(left - half), round(middle - 2 * half), round(end), round(middle + 2 * half))
        under = picture.crop(box)
        picture.paste(Image.blend(under, Image.new(under.mode, under.size, paper), PLATE), box[:2])
        pen.line([(left, middle), (right, middle)], fill=ink, width=wide)
        for end in (left, right):
            pen.line([(end, middle - half), (end, middle + half)], fill=ink, width=wide)
        at = right + fine * GAP
        pen.text((at, middle), text, fill=ink, font=font, anchor="lm")
        at += font.getlength(text)
        for colour in bar.colours[1:]:
            at += fine * GAP
            pen.ellipse([at, middle - half, at + 2 * half, middle + half], fill=colour)
            at += 2 * half
