"""Exact formulae of a view's own, typeset: vectors as columns, long fractions as decimals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..symbolic.formula import Formula
from ..symbolic.latex import node_latex
from .paragraphs import note
from .readable import Readable
from .typesetting import DECIMAL_NOTE

__all__ = ["block", "vector_latex"]

READABLE = 120
"""Terms of a formula that are still shown."""


def vector_latex(formula: Formula, readable: Readable) -> str:
    """A scalar, or a vector as a column."""
    if formula.terms > READABLE:
        return f"\\text{{{formula.terms:,} terms}}"
    trees: Any = formula.trees
    parts = [readable.latex(node_latex(readable.tree(tree))) for tree in trees.reshape(-1)]
    if len(parts) == 1:
        return parts[0]
    return "\\begin{pmatrix}" + "\\\\ ".join(parts) + "\\end{pmatrix}"


def block(lines: Sequence[tuple[str, str, Formula, str]]) -> str:
    """Lines ``(number)  left = formula unit``, the number that of the paper, as HTML for MathJax."""
    readable = Readable()
    rows = [
        f"{number}\\quad {left} &= {vector_latex(formula, readable)}\\;\\text{{{unit}}}"
        for number, left, formula, unit in lines
    ]
    text = "\\begin{aligned}" + " \\\\[3pt] ".join(rows) + "\\end{aligned}"
    return f"$${text}$$" + (note(DECIMAL_NOTE) if readable.shortened else "")
