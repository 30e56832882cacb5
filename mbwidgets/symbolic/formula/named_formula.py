"""Formulae whose vectors have names of their own: \\vec T_{1(3)} = […], as the papers write them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..code.latex import formula_latex
from .formula import Formula

__all__ = ["Named"]


class Named(Formula):
    """An array of vectors or matrices, each with a LaTeX name.

    ``symbols`` has the leading dimensions of the array; what is left of an entry is shown as one vector or matrix.
    Indexing those dimensions keeps the names.
    """

    def __init__(self, entries: Any, values: Any = None, form: str = "factored", *, symbols: Any) -> None:
        super().__init__(entries, values, form)
        self.symbols = np.asarray(symbols, dtype=object)

    @classmethod
    def of(cls, formula: Formula, symbols: Any) -> Named:
        """A formula with names."""
        return cls(formula._array, formula.values, formula.form, symbols=symbols)

    def __getitem__(self, key: Any) -> Formula:
        found = super().__getitem__(key)
        depth = len(key) if isinstance(key, tuple) else 1
        if depth > self.symbols.ndim or (isinstance(key, tuple) and Ellipsis in key):
            return found
        return Named.of(found, self.symbols[key])

    def _in_form(self, form: str) -> Formula:
        return Named(self._array, self.values, form, symbols=self.symbols)

    def latex(self, limit: int | None = 2000, named: bool | None = None) -> str:
        """One line a vector, those that are zero left out; ``named=False`` gives the bare array."""
        if named is False or (limit is not None and self.terms > limit):
            return formula_latex(self, limit, False)
        lines = []
        for index in np.ndindex(self.symbols.shape):
            part = Formula(self._array[index], self.values, self.form)
            if part or not self.symbols.shape:
                lines.append(f"{self.symbols[index]} &= {formula_latex(part, None, False)}")
        if len(lines) == 1:
            return lines[0].replace(" &= ", " = ", 1)
        return "\\begin{aligned}" + " \\\\ ".join(lines or ["0"]) + "\\end{aligned}"
