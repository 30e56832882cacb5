"""Coordinates by name in expressions, q[rod]: the numbers that a model gives them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, UnknownNameError, shorten
from ..expressions import Expression, NamedVariable, PointVariable, Symbol, Variable
from .fields import suggest_name

if TYPE_CHECKING:
    from .model import Model

__all__ = ["places_of", "with_numbers"]


def with_numbers(model: Model, expression: Expression) -> Any:
    """The expression with q[2] for q[rod], of a joint that has one coordinate, or of one of its coordinates.

    Points keep the names of their bodies, x[rod], which must be there.
    """

    def numbered(leaf: Symbol | Variable) -> Symbol | Variable:
        if isinstance(leaf, PointVariable):
            return replace(leaf, body=model.bodies[model.index(leaf.body)].name)
        if not isinstance(leaf, NamedVariable):
            return leaf
        places = places_of(model, leaf.name, leaf.kind)
        if len(places) != 1:
            names = model.coordinate_names if leaf.kind == "q" else model.velocity_names
            listed = ", ".join(f"{leaf.kind}[{names[k]}]" for k in places) or "another joint"
            raise ModelError(f"{leaf} are {len(places)} numbers", remedy=f"give {listed}")
        return Variable(leaf.kind, places[0])

    if not any(isinstance(leaf, NamedVariable | PointVariable) for leaf in expression.leaves()):
        return expression
    return expression.replace(numbered)


def places_of(model: Model, key: Any, what: str) -> list[int]:
    """Where the numbers of a joint, or of one of its coordinates, stand in q or, for all other ``what``, in u."""
    names, offsets = (
        (model.coordinate_names, model.q_offsets) if what == "q" else (model.velocity_names, model.u_offsets)
    )
    if isinstance(key, str) and key in names:
        return [names.index(key)]
    try:
        k = model.index(key)
    except UnknownNameError:
        joints = [body.name for body in model.bodies]
        raise UnknownNameError(
            f"{what} has no {shorten(key)}", remedy=suggest_name(str(key), list(dict.fromkeys([*joints, *names])))
        ) from None
    return list(range(offsets[k], offsets[k + 1]))
