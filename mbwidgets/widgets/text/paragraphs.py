"""Entries, vectors and equations as LaTeX in HTML: fractions in two parts, long formulae told by their size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...symbolic.code.latex import node_latex
from ...symbolic.formula.formula import Formula
from .readable import Readable
from .typesetting import DECIMAL_NOTE, READABLE, aligned_lines

__all__ = [
    "BAD",
    "GOOD",
    "INK",
    "MUTED",
    "aligned_formulae",
    "displayed_formula",
    "heading_html",
    "ink_colour",
    "note_html",
    "numbered_equations",
    "verdict_html",
]

MUTED: Final = "color:var(--jp-ui-font-color2,#5b626c)"
INK: Final = "var(--jp-ui-font-color1,#23272e)"
GOOD: Final = f"color-mix(in srgb,#009E73 74%,{INK})"
BAD: Final = f"color-mix(in srgb,#D55E00 80%,{INK})"
"""Green and vermillion, darker on a light page and lighter on a dark one."""
SHORT: Final = 120
"""Terms of a vector that is still shown as a column."""
WIDE: Final = 98
"""Letters in a line of a formula that has the whole width."""


def ink_colour(colour: str) -> str:
    """A quantity's colour for letters: darker on a light page, lighter on a dark one."""
    return f"color-mix(in srgb,{colour} 62%,{INK})"


def aligned_formulae(names: Sequence[str], formulae: Sequence[Formula], width: int = WIDE) -> str:
    """``name = formula`` for each scalar formula, aligned; where they are too long to be read, their size."""
    size = sum(item.terms for item in formulae)
    if size > READABLE:
        return note_html(f"{size:,} terms are more than can be read ({READABLE}).")
    readable = Readable()
    rows = [row for name, item in zip(names, formulae, strict=True) for row in _rows(name, item, readable, width)]
    text = " \\\\[5pt] ".join(rows)
    return displayed_formula(f"\\begin{{aligned}}{text}\\end{{aligned}}") + (
        note_html(DECIMAL_NOTE) if readable.shortened else ""
    )


def _rows(name: str, formula: Formula, readable: Readable, width: int) -> list[str]:
    whole, below = formula.trees.item(), formula.denominator
    if below == 1 or formula.terms <= 6:
        return [_line(name, whole, readable, width)]
    parts = (("N", formula.numerator.expanded()), ("\\Delta", below.expanded()))
    return [
        f"{name} &= \\frac{{N}}{{\\Delta}}",
        *(_line(letter, part.trees.item(), readable, width) for letter, part in parts),
    ]


def _line(name: str, tree: Any, readable: Readable, width: int) -> str:
    return readable.latex(aligned_lines(name, readable.tree(tree), width))


def numbered_equations(rows: Sequence[tuple[str, str, Formula, str]]) -> str:
    """Lines ``(number)  left = formula unit``, the number that of the paper, a vector as a column."""
    readable = Readable()
    text = " \\\\[3pt] ".join(
        f"{number}\\quad {left} &= {_column(value, readable)}\\;\\text{{{unit}}}" for number, left, value, unit in rows
    )
    return f"$$\\begin{{aligned}}{text}\\end{{aligned}}$$" + (note_html(DECIMAL_NOTE) if readable.shortened else "")


def _column(value: Formula, readable: Readable) -> str:
    """A scalar, or a vector as a column."""
    if value.terms > SHORT:
        return f"\\text{{{value.terms:,} terms}}"
    parts = [readable.latex(node_latex(readable.tree(tree))) for tree in value.trees.reshape(-1)]
    return parts[0] if len(parts) == 1 else "\\begin{pmatrix}" + "\\\\ ".join(parts) + "\\end{pmatrix}"


def displayed_formula(latex: str) -> str:
    """A displayed formula that begins at the left, as the text does."""
    return f"<div style='margin:7px 13px;overflow-x:auto;overflow-y:hidden'>$\\displaystyle {latex}$</div>"


def note_html(text: str) -> str:
    """A quiet remark; ``text`` is HTML."""
    return f"<p style='margin:3px 13px;line-height:1.45;{MUTED}'>{text}</p>"


def heading_html(text: str, aside: str = "", colour: str = "") -> str:
    """A line that names what follows, with a remark after it; both are HTML."""
    mark = f"border-left:5px solid {colour};padding-left:8px;" if colour else ""
    aside = f" <span style='font-weight:400;{MUTED}'>{aside}</span>" if aside else ""
    return f"<div style='font-weight:600;margin:8px 0 2px;{mark}'>{text}{aside}</div>"


def verdict_html(good: bool, text: str) -> str:
    """A tick or a cross with words, never by colour alone; ``text`` is HTML."""
    mark, colour = ("✓", GOOD) if good else ("✗", BAD)
    return f"<p role='status' style='margin:4px 0;line-height:1.45;color:{colour}'><b>{mark}</b> {text}</p>"
