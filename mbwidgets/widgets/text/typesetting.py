"""Formulae as HTML with LaTeX: long ones broken into lines and folded, the longest give way to their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import MbwidgetsError
from ...expressions import Product, Sum
from ...model.model import Model
from ...numeric.packing.formula_programs import formula_program
from ...symbolic.code.infix import split_sign
from ...symbolic.code.latex import node_latex
from ..base.lifetime import escape
from .readable import Readable
from .readings import Group

__all__ = ["MODES", "SIZE_NOTE", "Instant", "aligned_lines", "formula_groups_html"]

READABLE: Final = 250
"""Terms of a group that are still shown."""
LINE: Final = 88
"""Letters in a line, about."""
FOLDED: Final = 7
"""Lines of a group from which on it is folded."""
SIZE_NOTE: Final = "terms are more than can be read"
DECIMAL_NOTE: Final = "The formula is exact; long fractions are shown with five digits."
FEW: Final = 8
"""Coordinates that are told by name beneath a formula; of more the first."""
INDEXED: Final = re.compile(r"q\^\{?(\d+)")
MODES: Final = ("symbols", "numbers", "both")


class Instant(NamedTuple):
    """A state that values are of, and how it is called."""

    q: Any
    u: Any
    ud: Any
    t: float
    words: str
    values: Mapping[str, Any]

    @classmethod
    def start(cls, model: Model) -> Instant:
        """The initial state, at rest in acceleration."""
        return cls(model.q0, model.u0, np.zeros(model.nv), 0.0, "at the start, with q̈ = 0", model.values)


def aligned_lines(name: str, tree: Any, width: int = LINE) -> str:
    """``name &= …`` for an aligned block, a long sum broken after about ``width`` letters."""
    text, used = f"{name} &= ", 0
    for number, term in enumerate(tree.terms if isinstance(tree, Sum) else (tree,)):
        sign, rest = split_sign(term)
        piece = node_latex(term) if number == 0 else f" {sign} {node_latex(rest, 1)}"
        letters = _letters(piece)
        if letters > width and (opened := _opened(rest, width)) is not None:
            head = sign if number or sign == "-" else ""
            text += (" \\\\ &\\quad " if used else "") + f" {head} {opened}"
            used = width
            continue
        if used and used + letters > width:
            text += " \\\\ &\\quad "
            used = 0
        text += piece
        used += letters
    return text


def _opened(term: Any, width: int) -> str | None:
    """A long product as its coefficient times a bracket that is broken into lines; None if it has no one sum."""
    if not isinstance(term, Product):
        return None
    sums = [factor for factor in term.factors if isinstance(factor, Sum)]
    if len(sums) != 1:
        return None
    others = tuple(factor for factor in term.factors if factor is not sums[0])
    coefficient = node_latex(others[0] if len(others) == 1 else Product(others), 2)
    inside = aligned_lines("", sums[0], width - 10).removeprefix(" &= ").replace("&\\quad ", "&\\qquad\\quad ")
    return f"{coefficient}\\,\\bigl( {inside} \\bigr)"


def _letters(latex: str) -> int:
    """About how many letters a piece of LaTeX takes."""
    return len(re.sub(r"\\[a-zA-Z]+|[{}^_ ]", lambda found: "x" if found[0].startswith("\\") else "", latex))


def formula_groups_html(
    found: Sequence[Group], instant: Instant, mode: str = "symbols", names: Sequence[str] = ()
) -> str:
    """Groups in LaTeX, folded where long.

    ``mode``: ``"symbols"``, ``"numbers"`` (the values at the instant), or ``"both"``, numbers beneath the symbols.
    ``names`` are those of the coordinates, which are told where they stand in it: an upper number is no power.
    """
    if not found:
        return "<p>This joint has no coordinate of its own.</p>"
    readable = Readable()
    blocks = [_block(group, number, readable, instant, mode) for number, group in enumerate(found)]
    notes = [f"Values {escape(instant.words)}."] if mode != "symbols" else []
    notes += [DECIMAL_NOTE] if readable.shortened else []
    notes += _index_note("".join(blocks), names)
    foot = f"<p class='mbw-foot'>{' '.join(notes)}</p>" if notes else ""
    return "".join(blocks) + foot


def _index_note(text: str, names: Sequence[str]) -> list[str]:
    """Whose coordinates q¹, q² … are, of those in a formula."""
    places = sorted({int(found) for found in INDEXED.findall(text)} & set(range(1, len(names) + 1)))
    told = [f"q<sup>{place}</sup> of {escape(names[place - 1])}" for place in places[:FEW]]
    return [f"Upper numbers are indices: {', '.join([*told, *(['…'] if len(places) > FEW else [])])}."] if told else []


def _block(group: Group, number: int, readable: Readable, instant: Instant, mode: str) -> str:
    """One group; its key lets the page light the arrow that it is about."""
    mark = f" data-key='{escape(group.key)}' tabindex='0'" if group.key else ""
    terms = group.formula.terms
    if terms == 0 and group.title:
        return f"<div class='mbw-lines'{mark}>{_aligned([f'{group.title} &= 0'])}</div>"
    if mode == "numbers" or terms > READABLE:
        note = ""
        if terms > READABLE:
            note = f"<p class='mbw-foot'>{terms:,} {SIZE_NOTE} ({READABLE}): the values {escape(instant.words)}.</p>"
        return f"<div class='mbw-lines'{mark}>{note}{_aligned(_values(group, instant))}</div>"
    trees = [readable.tree(tree) for tree in group.formula.trees.reshape(-1)]
    rows = [readable.latex(aligned_lines(name, tree)) for name, tree in zip(group.names, trees, strict=True)]
    if group.spins:
        rows = [row.replace("\\ddot q^", "\\dot u_").replace("\\dot q^", "u_") for row in rows]
    whole = ""
    if mode == "both":
        values = [value.partition(" &= ")[2] for value in _values(group, instant)]
        pairs = zip(rows, values, strict=True)
        rows = [row if row.endswith("&= 0") else f"{row} \\\\ &= {value}" for row, value in pairs]
        whole = " = (" + ",\\; ".join(values) + ")"
    block = _aligned(rows)
    if group.title and sum(row.count("\\\\") + 1 for row in rows) > FOLDED:
        head = f"${group.title}{whole}$ · {terms:,} terms"
        block = f"<details data-fold='{number}'><summary>{head}</summary>{block}</details>"
    return f"<div class='mbw-lines'{mark}>{block}</div>"


def _aligned(rows: Sequence[str]) -> str:
    block = " \\\\[4pt] ".join(rows)
    return f"$$\\begin{{aligned}}{block}\\end{{aligned}}$$"


def _values(group: Group, instant: Instant) -> list[str]:
    """``name &= value`` of each line."""
    given = {name: value for name, value in instant.values.items() if name in group.formula.values}
    found = np.ravel(group.formula.evaluate(q=instant.q, u=instant.u, ud=instant.ud, t=instant.t, **given))
    found = np.where(np.abs(found) <= _rounding(group, instant), 0.0, found)
    return [f"{name} &= {_number(value)}" for name, value in zip(group.names, found, strict=True)]


def _rounding(group: Group, instant: Instant) -> np.ndarray:
    """How large each value may be by rounding alone; zero where that is not known."""
    q, u, ud = (np.atleast_2d(np.asarray(part, dtype=float)) for part in (instant.q, instant.u, instant.ud))
    try:
        made = formula_program(group.formula, q.shape[1], u.shape[1], sized=True)
        values = {name: instant.values.get(name, group.formula.values.get(name)) for name in made.parameters}
        found = made.rounding(q, u, ud, np.array([instant.t], dtype=float), values)
        return np.asarray(np.nan_to_num(found[0]))
    except (MbwidgetsError, TypeError):  # too long to be shown, or a letter without a value
        return np.zeros(len(group.names))


def _number(value: float) -> str:
    """Six digits, a power of ten as one writes it."""
    mantissa, _, exponent = f"{float(value):.6g}".partition("e")
    return f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
