"""Formulae of the mechanism, exact and typeset; long ones are broken into lines, longer ones give way to numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import ipywidgets
import numpy as np

from ..errors import MbwidgetsError
from ..expressions import Product, Sum
from ..model.model import Model
from ..symbolic import covariant
from ..symbolic.formula import Formula
from ..symbolic.latex import node_latex
from ..symbolic.printing import split_sign
from .base import Later, Newest, close_tree, safe
from .readable import Readable

__all__ = ["FORMULAE", "FormulaPanel", "Reading", "lines"]

READABLE: Final = 250
"""Terms of a formula that are still shown."""
LINE: Final = 100
"""Letters in a line, about."""
SIZE_NOTE: Final = "terms are more than can be read"
DECIMAL_NOTE: Final = "The formula is exact; long fractions are shown with five digits."
SECONDS: Final = 5.0
"""That a derivation may take before the panel says so instead."""


@dataclass(frozen=True)
class Reading:
    """A formula in the menu: its title, the left side in LaTeX, and how it is derived from (model, body)."""

    title: str
    derive: Callable[[Model, int], tuple[list[str], Formula]]


def _row(model: Model, index: int) -> tuple[Any, list[int]]:
    """The equations, and the coordinates of the selected joint among them."""
    found = covariant(model, seconds=SECONDS)
    first, last = model.u_offsets[index], model.u_offsets[index + 1]
    return found, list(range(first, last))


def _equations(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    return [f"Q_{{{k + 1}}}" for k in rows], Formula([found.effort.entries[k] for k in rows], found.values, "collected")


def _metric(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    pairs = [(i, j) for i in rows for j in range(found.n)]
    return [f"a_{{{i + 1}{j + 1}}}" for i, j in pairs], _pick(found, found.metric, pairs)


def _christoffel(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    cube = found.christoffel()
    places = [(i, j, k) for k in rows for i in range(found.n) for j in range(i, found.n)]
    places = [place for place in places if cube[place] != 0]
    if not places:
        return ["\\Gamma"], Formula([0], found.values)
    return [f"\\Gamma_{{{i + 1}{j + 1},{k + 1}}}" for i, j, k in places], _pick(found, cube, places)


def _gradient(model: Model, index: int) -> tuple[list[str], Formula]:
    found, rows = _row(model, index)
    names = [f"\\partial\\Pi/\\partial q^{{{k + 1}}}" for k in rows]
    return names, Formula([found.potential_gradient.entries[k] for k in rows], found.values, "factored")


def _energy(name: str, symbol: str) -> Callable[[Model, int], tuple[list[str], Formula]]:
    def derive(model: Model, index: int) -> tuple[list[str], Formula]:
        found = covariant(model, seconds=SECONDS)
        whole: Formula = getattr(found, name)
        return [symbol], Formula([whole.entries[0]], found.values, whole.form)

    return derive


def _pick(found: Any, whole: Formula, places: list[Any]) -> Formula:
    return Formula([whole[place].entries[0] for place in places], found.values, "factored")


FORMULAE: dict[str, Reading] = {
    "equation of motion": Reading("Equation of motion of the selected joint", _equations),
    "metric": Reading("Metric a: the selected joint's row", _metric),
    "potential gradient": Reading("Potential gradient of the selected joint", _gradient),
    "christoffel": Reading("Christoffel symbols of the selected joint", _christoffel),
    "kinetic energy": Reading("Kinetic energy", _energy("kinetic_energy", "T")),
    "potential energy": Reading("Potential energy", _energy("potential_energy", "\\Pi")),
}
"""The formulae there are; a theory adds its own entry."""


def lines(name: str, tree: Any, width: int = LINE) -> str:
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
    inside = lines("", sums[0], width - 10).removeprefix(" &= ").replace("&\\quad ", "&\\qquad\\quad ")
    return f"{coefficient}\\,\\bigl( {inside} \\bigr)"


def _letters(latex: str) -> int:
    """About how many letters a piece of LaTeX takes."""
    return len(re.sub(r"\\[a-zA-Z]+|[{}^_ ]", lambda found: "x" if found[0].startswith("\\") else "", latex))


class FormulaPanel(ipywidgets.VBox):
    """A menu of formulae and the chosen one, typeset. It is derived after the motion has been sent."""

    def __init__(self) -> None:
        self._menu = ipywidgets.Dropdown(
            options=[(item.title, key) for key, item in FORMULAE.items()],
            layout={"width": "380px"},
        )
        self._numbers = ipywidgets.Checkbox(
            False, description="with the values at the start", indent=False, layout={"width": "auto"}
        )
        self._text = ipywidgets.HTMLMath(layout={"overflow": "auto", "max_height": "420px"})
        self._later = Later(0.03)
        self._work = Newest(self._typeset)
        self._shown: Any = None
        self._subject: tuple[Model, int] | None = None
        self._choice = ipywidgets.HBox([self._menu, self._numbers], layout={"grid_gap": "16px"})
        super().__init__([self._choice, self._text])
        self._menu.observe(lambda _: self._ask(), "value")
        self._numbers.observe(lambda _: self._ask(), "value")

    @property
    def text(self) -> str:
        """The HTML with LaTeX that is shown."""
        return str(self._text.value)

    @property
    def kind(self) -> str:
        """Which of `FORMULAE` is shown; it can be set."""
        return str(self._menu.value)

    @kind.setter
    def kind(self, value: str) -> None:
        self._menu.value = value

    def show(self, model: Model, index: int) -> None:
        """Show the chosen formula of a model and its selected body, as soon as there is time."""
        self._subject = (model, index)
        self._ask()

    def _ask(self) -> None:
        self._later(self._derive)

    def _derive(self) -> None:
        if self._subject is None:
            return
        model, index = self._subject
        # parameters are letters: their values change a formula only where numbers stand in its place
        numbers = bool(self._numbers.value)
        wanted = (_structure(model), index, self.kind, model if numbers else None)
        if self._shown == wanted and (SIZE_NOTE not in self.text):
            return
        self._shown = wanted
        reading = FORMULAE[self.kind]
        self._work(lambda: formula_html(model, index, reading, numbers))

    def _typeset(self, text: str) -> None:
        self._text.value = text

    def close(self) -> None:
        """Free it in the page; what waits is forgotten."""
        self._later.cancel()
        self._work.close()
        for child in (self._choice, self._text):
            close_tree(child)
        super().close()


def _structure(model: Model) -> tuple[Any, ...]:
    """All of a model that its formulae are made of."""
    return (model.bodies, model.gravity, model.forces, model.constraints, tuple(model.parameters))


def formula_html(model: Model, index: int, reading: Reading, numbers: bool = False) -> str:
    """The formula in LaTeX, or why there is none: too long, too slow, or not of this kind of joint.

    ``numbers``: beneath each line its value at the start, with q̈ = 0.
    """
    try:
        names, formula = reading.derive(model, index)
    except MbwidgetsError as error:
        return f"<p style='color:#8a4b00'>{safe(error)}</p>"
    if not names:
        return "<p>This joint has no coordinate of its own.</p>"
    if formula.terms > READABLE:
        return _as_numbers(model, names, formula)
    readable = Readable()
    trees = [readable.tree(tree) for tree in formula.trees.reshape(-1)]
    rows = [readable.latex(lines(name, tree)) for name, tree in zip(names, trees, strict=True)]
    if numbers:
        rows = [f"{row} \\\\ &= {_number(value)}" for row, value in zip(rows, _values(model, formula), strict=True)]
    block = " \\\\[4pt] ".join(rows)
    note = f"<p style='margin:4px;color:#5b626c'>{DECIMAL_NOTE}</p>" if readable.shortened else ""
    return f"$$\\begin{{aligned}}{block}\\end{{aligned}}$$" + note


def _values(model: Model, formula: Formula) -> Any:
    return np.ravel(formula.evaluate(q=model.q0, u=model.u0, ud=np.zeros(model.nv)))


def _number(value: float) -> str:
    """Six digits, a power of ten as one writes it."""
    mantissa, _, exponent = f"{float(value):.6g}".partition("e")
    return f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _as_numbers(model: Model, names: list[str], formula: Formula) -> str:
    """The values at the initial state, in place of a formula that nobody would read."""
    block = " \\\\ ".join(
        f"{name} &= {_number(value)}" for name, value in zip(names, _values(model, formula), strict=True)
    )
    size = f"{formula.terms:,} {SIZE_NOTE} ({READABLE}): the values at the start, with q̈ = 0."
    return f"<p style='margin:4px'>{size}</p>$$\\begin{{aligned}}{block}\\end{{aligned}}$$"
