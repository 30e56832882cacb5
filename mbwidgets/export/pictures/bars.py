"""Scale bars of arrows, drawn into a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...scene.stage.scale_bars import ScaleBar

__all__ = ["draw_bars"]

INSET, TICK, LINE, LETTER, ROW, GAP = 12.0, 8.0, 1.5, 12.0, 20.0, 8.0
"""Pixels: from the edges, height of the ends, width of the lines, height of the text, of a row, and between things."""


def draw_bars(picture: Any, bars: Sequence[ScaleBar], fine: int) -> None:
    """Put the bars into the lower left corner of a picture that is so many times finer than its pixels."""
    if not bars:
        return
    from matplotlib import font_manager
    from PIL import ImageDraw, ImageFont

    font = ImageFont.truetype(font_manager.findfont("DejaVu Sans"), round(LETTER * fine))
    pen, wide = ImageDraw.Draw(picture), round(LINE * fine)
    for row, bar in enumerate(reversed(bars)):
        middle = picture.height - fine * (INSET + ROW * (row + 0.5))
        left, right, half = fine * INSET, fine * (INSET + bar.pixels), fine * TICK / 2
        ink = bar.colours[0]
        pen.line([(left, middle), (right, middle)], fill=ink, width=wide)
        for end in (left, right):
            pen.line([(end, middle - half), (end, middle + half)], fill=ink, width=wide)
        text = f"{bar.value:g} {bar.unit}"
        at = right + fine * GAP
        pen.text((at, middle), text, fill=ink, font=font, anchor="lm")
        at += font.getlength(text)
        for colour in bar.colours[1:]:
            at += fine * GAP
            pen.ellipse([at, middle - half, at + 2 * half, middle + half], fill=colour)
            at += 2 * half
