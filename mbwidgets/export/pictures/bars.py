"""What stands in a corner of a picture of its final size: scale bars, what arrows are too short, what tails are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from ...scene.look.ink import inked
from ...scene.stage.label_places import Box
from ...scene.stage.scale_bars import ScaleBar
from .lettering import symbol_width, write_symbol

__all__ = ["WHY_UNSEEN", "Tail", "Unseen", "amount", "bars_box", "draw_bars"]

INSET, TICK, LINE, LETTER, ROW, GAP = 12.0, 8.0, 1.5, 12.0, 20.0, 8.0
"""Pixels: from the edges, height of the ends, width of the lines, height of the text, of a row, and between things."""
SYMBOL: Final = 15.0
"""Pixels of a symbol in a row of words."""
PLATE: Final = 0.7
"""How much of what is behind a bar is covered, so that it can be read over a body."""
WHY_UNSEEN: Final = {"short": "too short to see:", "end-on": "seen end-on:"}
"""What is said of arrows that cannot be told from a dot; in the page too."""
DISC: Final = "\u25cf"
MUTED: Final = "#5B6672"
Unseen = Mapping[str, Sequence[tuple[str, str, str]]]
"""Symbols, colours and amounts of such arrows, by the reason."""
SWATCH: Final = 26.0
"""Pixels of the piece of a tail beside its words."""


class Tail(NamedTuple):
    """What a tail is: words, the symbol after them, its colour."""

    words: str
    symbol: str
    colour: str


def amount(value: float, unit: str) -> str:
    """A number with two digits and its unit; nothing for a direction."""
    return f"{np.format_float_positional(float(f'{value:.1e}'), trim='-')} {unit}" if unit else ""


@cache
def _font() -> Any:
    from matplotlib import font_manager
    from PIL import ImageFont

    return ImageFont.truetype(font_manager.findfont("DejaVu Sans"), round(LETTER))


def _text(bar: ScaleBar) -> str:
    return f"{np.format_float_positional(bar.value, trim='-')} {bar.unit}"


def _widths(bars: Sequence[ScaleBar], unseen: Unseen, past: Sequence[Tail]) -> list[float]:
    """Of every row, from the top."""
    font = _font()
    found = [bar.pixels + GAP * 2 * len(bar.colours) + font.getlength(_text(bar)) for bar in bars]
    if past:
        found.append(sum(_width_of_tail(tail) for tail in past))
    for why, arrows in unseen.items():
        symbols = sum(GAP + symbol_width(text, SYMBOL) + GAP / 2 + font.getlength(much) for text, _, much in arrows)
        found.append(font.getlength(WHY_UNSEEN[why]) + symbols)
    return found


def bars_box(
    bars: Sequence[ScaleBar], unseen: Unseen, past: Sequence[Tail], size: tuple[int, int], right: bool = False
) -> Box | None:
    """What bars and words cover of a picture of a size, in its lower left corner or in the right one."""
    widths = _widths(bars, unseen, past)
    if not widths:
        return None
    wide, high = max(widths) + TICK, ROW * len(widths)
    middle = size[0] - INSET - wide / 2 if right else INSET + wide / 2 - TICK / 2
    return Box(middle, size[1] - INSET - high / 2, wide, high)


def draw_bars(
    picture: Any,
    bars: Sequence[ScaleBar],
    unseen: Unseen,
    past: Sequence[Tail],
    paper: str,
    right: bool = False,
) -> None:
    """Put bars and words into a corner of a picture."""
    from PIL import ImageDraw

    box = bars_box(bars, unseen, past, picture.size, right)
    if box is None:
        return
    pen, left = ImageDraw.Draw(picture), box.x - box.w / 2 + TICK / 2
    for row, wide in enumerate(_widths(bars, unseen, past)):
        middle = box.y - box.h / 2 + ROW * (row + 0.5)
        _lay_plate(picture, (left - TICK / 2, middle - TICK, left + wide + TICK / 2, middle + TICK), paper)
        if row < len(bars):
            _draw_bar(pen, bars[row], left, middle, paper)
        elif past and row == len(bars):
            for k, tail in enumerate(past):
                _say_past(pen, tail, left + sum(_width_of_tail(item) for item in past[:k]), middle, paper)
        else:
            why = list(unseen)[row - len(bars) - bool(past)]
            _say_unseen(pen, WHY_UNSEEN[why], unseen[why], left, middle, paper)


def _lay_plate(picture: Any, corners: tuple[float, ...], paper: str) -> None:
    from PIL import Image

    box = tuple(round(value) for value in corners)
    under = picture.crop(box)
    picture.paste(Image.blend(under, Image.new(under.mode, under.size, paper), PLATE), box[:2])


def _draw_bar(pen: Any, bar: ScaleBar, left: float, middle: float, paper: str) -> None:
    ink, wide, right, half = bar.colours[0], round(LINE), left + bar.pixels, TICK / 2
    pen.line([(left, middle), (right, middle)], fill=ink, width=wide)
    for end in (left, right):
        pen.line([(end, middle - half), (end, middle + half)], fill=ink, width=wide)
    at = right + GAP
    pen.text((at, middle), _text(bar), fill=inked(ink, paper), font=_font(), anchor="lm")
    at += _font().getlength(_text(bar))
    for colour in bar.colours[1:]:  # a letter has smooth edges, which a drawn disc has not
        pen.text((at + GAP, middle), DISC, fill=inked(colour, paper), font=_font(), anchor="lm")
        at += GAP + TICK


def _say_unseen(
    pen: Any, words: str, arrows: Sequence[tuple[str, str, str]], left: float, middle: float, paper: str
) -> None:
    pen.text((left, middle), words, fill=inked(MUTED, paper), font=_font(), anchor="lm")
    at = left + _font().getlength(words)
    for text, colour, much in arrows:
        at += GAP
        write_symbol(pen, at, middle, text, inked(colour, paper), SYMBOL)
        at += symbol_width(text, SYMBOL) + GAP / 2
        pen.text((at, middle), much, fill=inked(colour, paper), font=_font(), anchor="lm")
        at += _font().getlength(much)


def _width_of_tail(tail: Tail) -> float:
    return float(SWATCH + 3 * GAP + _font().getlength(tail.words) + symbol_width(tail.symbol, SYMBOL))


def _say_past(pen: Any, tail: Tail, left: float, middle: float, paper: str) -> None:
    pen.line([(left, middle), (left + SWATCH, middle)], fill=tail.colour, width=round(2 * LINE))
    at = left + SWATCH + GAP
    pen.text((at, middle), tail.words, fill=inked(MUTED, paper), font=_font(), anchor="lm")
    at += _font().getlength(tail.words) + GAP / 2
    write_symbol(pen, at, middle, tail.symbol, inked(tail.colour, paper), SYMBOL)
