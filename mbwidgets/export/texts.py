"""Motions as CSV and formulae as LaTeX files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np

from ..files.whole import writable_path, write_whole
from ..numeric.base.table import Table
from ..numeric.motion.motion import Motion
from ..symbolic.formula.formula import Formula

__all__ = ["csv", "tex"]

SPECIAL: Final = {
    "\\": r"\textbackslash{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
"""Letters that LaTeX would obey."""
HEAD: Final = r"""\documentclass[a4paper]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{amsmath,amssymb}
\usepackage[T1]{fontenc}
\allowdisplaybreaks
\begin{document}
"""


def csv(motion: Motion, path: str | Path, *, reactions: bool = False) -> Path:
    """Write a motion as a table: time, coordinates, velocities, energies and, if asked for, all joint reactions.

    One row a frame, one heading a column, numbers with all their digits; reactions are force, N, and moment, N m,
    of the parent on the body, at the joint, in world axes.
    """
    writable_path(path)
    table = motion.table()
    names, columns = list(table.names), [np.asarray(table.values)]
    if reactions:
        for body in motion.model.bodies:
            names += [f"{letter}{axis} {body.name}" for letter in "FM" for axis in "xyz"]
            columns.append(motion.reactions(body.name))
    Table(tuple(names), np.hstack(columns)).to_csv(path)
    return Path(path)


def tex(formulae: Formula | Mapping[str, Formula], path: str | Path, *, title: str = "") -> Path:
    """Write formulae as a LaTeX document; the keys of a mapping are headings, as plain text."""
    writable_path(path)
    named = {"": formulae} if isinstance(formulae, Formula) else formulae
    parts = [f"\\section*{{{_text(title)}}}"] if title else []
    for name, formula in named.items():
        if name:
            parts.append(f"\\subsection*{{{_text(name)}}}")
        parts.append(f"\\begin{{equation*}}\n{formula.latex()}\n\\end{{equation*}}")
    write_whole(path, HEAD + "\n".join(parts) + "\n\\end{document}\n")
    return Path(path)


def _text(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)
