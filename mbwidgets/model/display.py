"""How a model reads: as text in a terminal, as a table in a notebook."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from ..expressions import Call, Expression, Power, Product, Sum
from .fields import symbols_in

if TYPE_CHECKING:
    from .model import Model

HEADERS = ("body", "parent", "joint", "axis", "at", "mass", "mass centre", "inertia")
STYLE = "border-collapse:collapse;font-size:0.95em;text-align:left"
DIGITS = 6
LONGEST = len("17/1200")
"""A fraction that is longer as text is shown as a decimal."""
CELL = "padding:0.25em 0.8em;text-align:left;border-bottom:1px solid rgba(128,128,128,0.3)"


def scalar_text(value: Any) -> str:
    """A short form of a scalar: ``5``, ``1/20``, ``2*m2``; a float, or a long fraction, with six digits."""
    if isinstance(value, float):
        return f"{value:.{DIGITS}g}"
    text = str(_rounded(value)) if isinstance(value, int | Fraction | Expression) else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _rounded(value: Any) -> Any:
    """An expression whose floats and long fractions have the digits that are shown."""
    match value:
        case float():
            return float(f"{value:.{DIGITS}g}")
        case Fraction() if len(str(abs(value))) > LONGEST:
            return float(f"{float(value):.{DIGITS}g}")
        case Sum(terms=terms):
            return Sum(tuple(map(_rounded, terms)))
        case Product(factors=factors):
            return Product(tuple(map(_rounded, factors)))
        case Power(base=base, exponent=exponent):
            return Power(_rounded(base), exponent)
        case Call(name=name, argument=argument, rest=rest):
            return Call(name, _rounded(argument), tuple(map(_rounded, rest)))
    return value


def vector_text(value: Any) -> str:
    """``(0, 0, 1)``, or the axis' letter."""
    letters = {
        (1, 0, 0): "x",
        (0, 1, 0): "y",
        (0, 0, 1): "z",
        (-1, 0, 0): "−x",
        (0, -1, 0): "−y",
        (0, 0, -1): "−z",
    }
    return letters.get(value) or f"({', '.join(scalar_text(item) for item in value)})"


def inertia_text(tensor: Any) -> str:
    """Three moments, and the products where there are any."""
    moments = [tensor[i][i] for i in range(3)]
    products = [tensor[0][1], tensor[0][2], tensor[1][2]]
    text = ", ".join(scalar_text(item) for item in moments)
    if all(item == 0 for item in products):
        return "0" if all(item == 0 for item in moments) else text
    return f"{text}; {', '.join(scalar_text(item) for item in products)}"


def rows(model: Model) -> list[tuple[str, ...]]:
    """One row a body, in the order of `HEADERS`."""
    table: list[tuple[str, ...]] = []
    for index, body in enumerate(model.bodies):
        parent = model.parents[index]
        axis = getattr(body.joint, "axis", None)
        at, com = body.joint.at, body.com
        table.append(
            (
                body.name,
                model.bodies[parent].name if parent >= 0 else "ground",
                body.joint.type,
                vector_text(axis) if axis is not None else "",
                "0" if at == (0, 0, 0) else f"({', '.join(scalar_text(item) for item in at)})",
                scalar_text(body.mass),
                "0" if com == (0, 0, 0) else f"({', '.join(scalar_text(item) for item in com)})",
                inertia_text(body.inertia),
            )
        )
    return table


def summary(model: Model) -> str:
    """One line: how many bodies, degrees of freedom, forces and constraints."""
    parts = [
        _count(len(model.bodies), "body", "bodies"),
        _count(model.nv, "degree of freedom", "degrees of freedom"),
    ]
    parts += [_count(len(model.forces), "force", "forces")] if model.forces else []
    parts += [_count(len(model.constraints), "constraint", "constraints")] if model.constraints else []
    return ", ".join([*parts, f"g = {vector_text(model.gravity)} m/s²"])


def parameters_text(model: Model) -> str:
    """``m2 = 5 kg, l = 1 m``; of one that stands nowhere in the model that its value changes nothing in it."""
    used = symbols_in((model.bodies, model.gravity, model.forces, model.constraints, model.state))
    return ", ".join(
        f"{p.name} = {'?' if p.value is None else scalar_text(p.value)}{f' {p.unit}' if p.unit else ''}"
        f"{'' if p.name in used else ' (stands nowhere in the model)'}"
        for p in model.parameters.values()
    )


def model_text(model: Model) -> str:
    table = [HEADERS, *rows(model)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADERS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    head = f"Model {model.name!r}: {summary(model)}"
    if model.parameters:
        head += f"\n  parameters: {parameters_text(model)}"
    return "\n  ".join([head, *lines])


def model_html(model: Model) -> str:
    """A table; every name is escaped."""
    head = "".join(f'<th style="{CELL}">{escape(title)}</th>' for title in HEADERS)
    body = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows(model)
    )
    parameters = f"<p>Parameters: {escape(parameters_text(model))}</p>" if model.parameters else ""
    return (
        f'<div class="mbwidgets-model"><p><b>{escape(model.name)}</b>: {escape(summary(model))}</p>'
        f"{parameters}"
        f'<table style="{STYLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
