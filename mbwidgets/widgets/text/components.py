"""The tensors of the equations of motion as data: what each is, how it is derived, and what one entry looks like.

Source: Marković, Obradović. Indices are counted from 0 here and from 1 in what is shown, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...scene.look.palette import BLUE, GREEN, ORANGE, PURPLE, VERMILLION
from ...symbolic.formula.formula import Formula
from ...symbolic.papers.covariant import Covariant

__all__ = ["TENSORS", "Tensor", "heatmap_panels", "joint_labels", "prismatic_coordinates"]

Place = tuple[int, ...]
"""Indices of an entry, as the formula has them."""
SUBSCRIPT: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPT: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Tensor:
    """One tensor of the equations.

    Attributes
    ----------
    title : for the menu
    general : its general symbol, with _{…} and ^{…}
    colour : the one colour of this quantity
    derive : from the equations, all entries
    symbol, latex : of an entry, as text and in LaTeX
    definition : LaTeX of what an entry is made of, with the paper's number
    unit : from whether each coordinate is a length, and the entry's place
    order : which index of a place is (panel, row, column); −1 where there is none
    """

    title: str
    general: str
    colour: str
    derive: Callable[[Covariant], Formula]
    symbol: Callable[[Place], str]
    latex: Callable[[Place], str]
    definition: Callable[[Place], str]
    unit: Callable[[tuple[bool, ...], Place], str]
    order: tuple[int, int, int]
    symmetric: bool = True
    panel: str = ""

    def place(self, cell: Any) -> Place:
        """The entry of a cell (panel, row, column)."""
        out = [0] * sum(index >= 0 for index in self.order)
        for index, value in zip(self.order, cell, strict=True):
            if index >= 0:
                out[index] = int(value)
        return tuple(out)

    def cell(self, place: Place) -> list[int]:
        """The cell of an entry."""
        return [place[index] if index >= 0 else 0 for index in self.order]


def prismatic_coordinates(model: Model) -> tuple[bool, ...]:
    """Of each coordinate, whether it is a length."""
    return tuple(column.kind == "translation" for body in model.bodies for column in body.joint.columns())


def joint_labels(model: Model) -> list[str]:
    """Each coordinate with its number, its kind and the body that it moves."""
    kinds = prismatic_coordinates(model)
    return [f"{name} {'↕' if kinds[k] else '↻'} {k + 1}" for k, name in enumerate(model.velocity_names)]


def heatmap_panels(tensor: Tensor, formula: Formula, labels: list[str]) -> list[dict[str, Any]]:
    """What a `HeatMap` shows of a tensor: the number of terms of every entry."""
    shape = [formula.shape[index] if index >= 0 else 1 for index in tensor.order]
    counts = np.zeros(shape, dtype=int)
    names = np.empty(shape, dtype=object)
    for cell in np.ndindex(*shape):
        place = tensor.place(cell)
        entry = formula[place]
        counts[cell] = entry.terms if entry else 0
        names[cell] = tensor.symbol(place)
    numbers = [str(k + 1) for k in range(shape[2])]
    rows = [""] if shape[1] == 1 and tensor.order[1] < 0 else numbers if shape[0] > 1 else labels
    return [
        {
            "title": tensor.general.replace(tensor.panel, str(p + 1)) if tensor.panel else tensor.general,
            "rows": rows,
            "columns": numbers,
            "counts": counts[p].tolist(),
            "names": names[p].tolist(),
        }
        for p in range(shape[0])
    ]


# Names of entries.


def _low(*indices: int) -> str:
    joint = "," if max(indices) >= 9 else ""
    return joint.join(str(k + 1) for k in indices)


def _metric_definition(place: Place) -> str:
    a, b = (k + 1 for k in place)
    return (
        rf"a_{{{_low(*place)}}} = \sum_{{i \ge {max(a, b)}}} \bigl( m_i\, T_{{{a}(i)}} \cdot T_{{{b}(i)}}"
        rf" + \bar\xi_{{{a}}} \bar\xi_{{{b}}}\, e_{{{a}}} \cdot J_{{Ci}}\, e_{{{b}}} \bigr) \qquad (7)"
    )


def _gradient_definition(place: Place) -> str:
    a = place[0] + 1
    return rf"\frac{{\partial\Pi}}{{\partial q^{{{a}}}}} = -\sum_{{i \ge {a}}} m_i\, g \cdot T_{{{a}(i)}} \qquad (7)"


def _first_definition(place: Place) -> str:
    a, b, c = place
    slope = r"\frac{\partial a_{%s}}{\partial q^{%d}}"
    parts = [slope % (_low(*pair), by + 1) for pair, by in (((a, c), b), ((b, c), a), ((a, b), c))]
    return rf"\Gamma_{{{_low(a, b)},{c + 1}}} = \tfrac12 \Bigl( {parts[0]} + {parts[1]} - {parts[2]} \Bigr) \qquad (6)"


def planar_christoffel_definition(place: Place) -> str:
    """Γ_αβ,γ by the planar inertia tensor; α ≤ β, as the formula asks   (12)"""
    (a, b), c = sorted(k + 1 for k in place[:2]), place[2] + 1
    return (
        rf"\Gamma_{{{_low(a - 1, b - 1)},{c}}} = \sum_{{i \ge {max(b, c)}}} \bar\xi_{{{a}}} \bigl( m_i\, T_{{{c}(i)}}"
        rf" \cdot (e_{{{a}}} \times T_{{{b}(i)}}) + \bar\xi_{{{b}}} \bar\xi_{{{c}}}\, e_{{{a}}} \cdot \Pi_{{Ci}}"
        rf" (e_{{{b}}} \times e_{{{c}}}) \bigr) \qquad (12)"
    )


def _inverse_definition(place: Place) -> str:
    return r"\bigl[ a^{\alpha\beta} \bigr] = \bigl[ a_{\alpha\beta} \bigr]^{-1} \qquad (11)"


def _second_definition(place: Place) -> str:
    a, b, c = place
    upper = rf"\Gamma^{{{a + 1}}}_{{{_low(b, c)}}}"
    return rf"{upper} = \sum_\delta a^{{{a + 1}\delta}}\, \Gamma_{{{_low(b, c)},\delta}} \qquad (11)"


# Units: a coordinate is a length (m) or an angle (1).


def _power(base: str, exponent: int) -> str:
    if exponent == 0:
        return ""
    return base if exponent == 1 else base + str(exponent).replace("-", "⁻").translate(SUPERSCRIPT)


def _unit(*parts: str) -> str:
    return " ".join(part for part in parts if part) or "1"


def _metric_unit(lengths: tuple[bool, ...], place: Place) -> str:
    """kg m² between angles, kg between lengths: a_αβ q̇^α q̇^β is an energy."""
    return _unit("kg", _power("m", sum(not lengths[k] for k in place)))


def _inverse_unit(lengths: tuple[bool, ...], place: Place) -> str:
    return _unit("kg⁻¹", _power("m", -sum(not lengths[k] for k in place)))


def _first_unit(lengths: tuple[bool, ...], place: Place) -> str:
    """That of a metric entry over a coordinate."""
    return _unit("kg", _power("m", sum(not lengths[k] for k in place) - 1))


def _second_unit(lengths: tuple[bool, ...], place: Place) -> str:
    """That of q̈^α over q̇^β q̇^γ."""
    a, b, c = (lengths[k] for k in place)
    return _unit(_power("m", int(a) - int(b) - int(c)))


def _gradient_unit(lengths: tuple[bool, ...], place: Place) -> str:
    return "N" if lengths[place[0]] else "N m"


TENSORS: Final[dict[str, Tensor]] = {
    "metric": Tensor(
        "metric",
        "a_{αβ}",
        BLUE,
        lambda found: found.metric,
        lambda place: "a" + _low(*place).translate(SUBSCRIPT),
        lambda place: f"a_{{{_low(*place)}}}",
        _metric_definition,
        _metric_unit,
        (-1, 0, 1),
    ),
    "christoffel": Tensor(
        "Γ, first kind",
        "Γ_{αβ,γ}",
        VERMILLION,
        lambda found: found.christoffel(),
        lambda place: f"Γ{_low(*place[:2])},{place[2] + 1}".translate(SUBSCRIPT),
        lambda place: rf"\Gamma_{{{_low(*place[:2])},{place[2] + 1}}}",
        _first_definition,
        _first_unit,
        (2, 0, 1),
        panel="γ",
    ),
    "gradient": Tensor(
        "gravity",
        "∂Π/∂q^{α}",
        ORANGE,
        lambda found: found.potential_gradient,
        lambda place: f"∂Π/∂q{str(place[0] + 1).translate(SUPERSCRIPT)}",
        lambda place: rf"\frac{{\partial\Pi}}{{\partial q^{{{place[0] + 1}}}}}",
        _gradient_definition,
        _gradient_unit,
        (-1, -1, 0),
        symmetric=False,
    ),
    "inverse": Tensor(
        "inverse",
        "a^{αβ}",
        GREEN,
        lambda found: found.contravariant_metric,
        lambda place: "a" + _low(*place).translate(SUPERSCRIPT),
        lambda place: f"a^{{{_low(*place)}}}",
        _inverse_definition,
        _inverse_unit,
        (-1, 0, 1),
    ),
    "second kind": Tensor(
        "Γ, second kind",
        "Γ^{α}_{βγ}",
        PURPLE,
        lambda found: found.christoffel(kind=2),
        lambda place: f"Γ{str(place[0] + 1).translate(SUPERSCRIPT)}{_low(*place[1:]).translate(SUBSCRIPT)}",
        lambda place: rf"\Gamma^{{{place[0] + 1}}}_{{{_low(*place[1:])}}}",
        _second_definition,
        _second_unit,
        (0, 1, 2),
        panel="α",
    ),
}
"""The tensors there are, by their keys."""
