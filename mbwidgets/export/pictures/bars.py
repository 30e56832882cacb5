"""Words in a corner of a picture of its final size: scale bars, whose arrows they are, tails, what is not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...scene.look.ink import inked
from ...scene.look.palette import MUTED
from ...scene.stage.label_places import Box
from ...scene.stage.scale_bars import Owners, ScaleBar
from .lettering import symbol_width, write_symbol

__all__ = ["CORNERS", "WHY_UNSEEN", "Tail", "Told", "Unseen", "amount", "bars_box", "draw_bars"]

INSET, TICK, LINE, LETTER, ROW, GAP = 12.0, 8.0, 2.0, 12.0, 20.0, 8.0
"""Pixels: from the edges, height of the ends, width of the lines, height of the text, of a row, and between things."""
SYMBOL: Final = 15.0
"""Pixels of a symbol in a row of words."""
PLATE: Final = 0.7
"""How much of what is behind a bar is covered, so that it can be read over a body."""
WHY_UNSEEN: Final = {"short": "too short to see:", "end-on": "seen end-on:"}
"""What is said of arrows that cannot be told from a dot; in the page too."""
DISC: Final = "\u25cf"
Unseen = Mapping[str, Sequence[tuple[str, str, str]]]
"""Symbols, colours and amounts of such arrows, by the reason."""
CORNERS: Final = (0, 2, 1)
"""The lower left one, the upper left one, ``BENEATH`` the world's axes, and the lower right one: the best first."""
LOWER_RIGHT, UPPER_LEFT = 1, 2
BENEATH: Final = 78.0
APART, WIDE = 16.0, 340.0
"""Between two scale bars in a row, and the width of a row of them, at most, pixels."""
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


@cache
def small_font() -> Any:
    return _font().font_variant(size=round(0.72 * LETTER))


def _text(bar: ScaleBar) -> str:
    return f"{np.format_float_positional(bar.value, trim='-')} {bar.unit}"


class Told(NamedTuple):
    """All that is in the corner, from the top: scale bars, whose arrows they are, their sum, tails, what is unseen."""

    bars: Sequence[ScaleBar]
    owners: Owners | None
    past: Sequence[Tail]
    unseen: Unseen
    total: Sequence[tuple[str, str]] = ()


def _rows(told: Told) -> list[tuple[float, Callable[..., None]]]:
    """Of every row, from the top, its width and what draws it: with a pen, from the left, at a height, on a paper."""
    font = _font()
    found: list[tuple[float, Callable[..., None]]] = [
        (sum(map(_width_of_bar, row)) + (len(row) - 1) * APART, partial(_draw_bars, row))
        for row in _bar_rows(told.bars)
    ]
    if told.owners is not None:
        wide = _width_of_owners(told.owners) + sum(_width_of_piece(*piece) for piece in told.total)
        found.append((wide + (2 * GAP if told.total else 0.0), partial(_say_owners, told.owners, told.total)))
    if told.past:
        found.append((sum(_width_of_tail(tail) for tail in told.past), partial(_say_past, told.past)))
    for why, arrows in told.unseen.items():
        symbols = sum(GAP + symbol_width(text, SYMBOL) + GAP / 2 + font.getlength(much) for text, _, much in arrows)
        wide = font.getlength(WHY_UNSEEN[why]) + symbols
        found.append((wide, partial(_say_unseen, WHY_UNSEEN[why], arrows)))
    return found


def _width_of_bar(bar: ScaleBar) -> float:
    return float(bar.pixels + GAP + _font().getlength(_text(bar)))


def _bar_rows(bars: Sequence[ScaleBar]) -> list[list[ScaleBar]]:
    """The bars in rows of a width."""
    rows: list[list[ScaleBar]] = []
    for bar in bars:
        if rows and sum(map(_width_of_bar, [*rows[-1], bar])) + len(rows[-1]) * APART <= WIDE:
            rows[-1].append(bar)
        else:
            rows.append([bar])
    return rows


def _draw_bars(bars: Sequence[ScaleBar], pen: Any, left: float, middle: float, paper: str) -> None:
    for bar in bars:
        _draw_bar(bar, pen, left, middle, paper)
        left += _width_of_bar(bar) + APART


def bars_box(told: Told, size: tuple[int, int], corner: int = 0) -> Box | None:
    """What bars and words cover of a picture of a size, in one of its `CORNERS`."""
    rows = _rows(told)
    if not rows:
        return None
    wide, high = max(wide for wide, _ in rows) + TICK, ROW * len(rows)
    middle = size[0] - INSET - wide / 2 if corner == LOWER_RIGHT else INSET + wide / 2 - TICK / 2
    return Box(middle, BENEATH + high / 2 if corner == UPPER_LEFT else size[1] - INSET - high / 2, wide, high)


def draw_bars(picture: Any, told: Told, paper: str, corner: int = 0) -> None:
    """Put bars and words into one of the `CORNERS` of a picture."""
    from PIL import ImageDraw

    box = bars_box(told, picture.size, corner)
    if box is None:
        return
    pen, left = ImageDraw.Draw(picture), box.x - box.w / 2 + TICK / 2
    for row, (wide, draw) in enumerate(_rows(told)):
        middle = box.y - box.h / 2 + ROW * (row + 0.5)
        _lay_plate(picture, (left - TICK / 2, middle - TICK, left + wide + TICK / 2, middle + TICK), paper)
        draw(pen, left, middle, paper)


def _lay_plate(picture: Any, corners: tuple[float, ...], paper: str) -> None:
    from PIL import Image

    box = tuple(round(value) for value in corners)
    under = picture.crop(box)
    picture.paste(Image.blend(under, Image.new(under.mode, under.size, paper), PLATE), box[:2])


def _draw_bar(bar: ScaleBar, pen: Any, left: float, middle: float, paper: str) -> None:
    ink, wide, right, half = bar.ink, round(LINE), left + bar.pixels, TICK / 2
    step = bar.pixels / len(bar.colours)
    for k, colour in enumerate(bar.colours):
        pen.line([(left + k * step, middle), (left + (k + 1) * step, middle)], fill=colour, width=wide)
    for end in (left, right):
        pen.line([(end, middle - half), (end, middle + half)], fill=ink, width=wide)
    pen.text((right + GAP, middle), _text(bar), fill=inked(ink, paper), font=_font(), anchor="lm")


def _width_of_owners(owners: Owners) -> float:
    font = _font()
    return float(font.getlength(owners.words) + sum(2 * GAP + TICK + font.getlength(name) for name, _ in owners.bodies))


def _say_owners(
    owners: Owners, total: Sequence[tuple[str, str]], pen: Any, left: float, middle: float, paper: str
) -> None:
    ink, at = inked(MUTED, paper), left
    pen.text((at, middle), owners.words, fill=ink, font=_font(), anchor="lm")
    at += _font().getlength(owners.words)
    for name, colour in owners.bodies:
        # a letter has smooth edges, which a drawn disc has not
        pen.text((at + GAP, middle), DISC, fill=ink, font=_font(), anchor="lm")
        pen.text((at + GAP + _font().getlength(DISC) / 2, middle), DISC, fill=colour, font=small_font(), anchor="mm")
        at += GAP + TICK + GAP
        pen.text((at, middle), f"{name}:" if total else name, fill=ink, font=_font(), anchor="lm")
        at += _font().getlength(name)
    _say_total(total, pen, at + 1.5 * GAP, middle, paper)


def _say_unseen(
    words: str, arrows: Sequence[tuple[str, str, str]], pen: Any, left: float, middle: float, paper: str
) -> None:
    pen.text((left, middle), words, fill=inked(MUTED, paper), font=_font(), anchor="lm")
    at = left + _font().getlength(words)
    for text, colour, much in arrows:
        at += GAP
        write_symbol(pen, at, middle, text, inked(colour, paper), SYMBOL)
        at += symbol_width(text, SYMBOL) + GAP / 2
        pen.text((at, middle), much, fill=inked(colour, paper), font=_font(), anchor="lm")
        at += _font().getlength(much)


def _width_of_piece(text: str, colour: str) -> float:
    return symbol_width(text, SYMBOL) if colour else float(_font().getlength(text))


def _say_total(total: Sequence[tuple[str, str]], pen: Any, left: float, middle: float, paper: str) -> None:
    for text, colour in total:
        if colour:
            write_symbol(pen, left, middle, text, inked(colour, paper), SYMBOL)
        else:
            pen.text((left, middle), text, fill=inked(MUTED, paper), font=_font(), anchor="lm")
        left += _width_of_piece(text, colour)


def _width_of_tail(tail: Tail) -> float:
    return float(SWATCH + 3 * GAP + _font().getlength(tail.words) + symbol_width(tail.symbol, SYMBOL))


def _say_past(past: Sequence[Tail], pen: Any, left: float, middle: float, paper: str) -> None:
    for tail in past:
        pen.line([(left, middle), (left + SWATCH, middle)], fill=tail.colour, width=round(2 * LINE))
        at = left + SWATCH + GAP
        pen.text((at, middle), tail.words, fill=inked(MUTED, paper), font=_font(), anchor="lm")
        at += _font().getlength(tail.words) + GAP / 2
        write_symbol(pen, at, middle, tail.symbol, inked(tail.colour, paper), SYMBOL)
        left += _width_of_tail(tail)
