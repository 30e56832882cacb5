"""Positions and velocities of points in texts of efforts and events: x[rod], vz[rod, 0, 0, 1].

They become expressions of q, u and the parameters, by the exact kinematics: all that reads expressions has them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ...errors import ExpressionError, MbwidgetsError
from ...expressions import Expression, Symbol, Variable, derivative, parse_expression
from ...expressions.place_texts import read_place
from ...model.fields import as_vector
from ...model.model import Model
from ...model.point_places import point_expressions

__all__ = ["with_points"]

MARKED: Final = re.compile(r"(?<![A-Za-z0-9_])(?P<name>v?[xyz])\s*\[\s*(?P<of>[^\[\]]*?)\s*\]")
LETTER: Final = "POINT{}"


def with_points(model: Model, text: str, where: str) -> Any:
    """The expression of a text in which x[rod], vx[rod] … are the place and velocity of O* of a body, world axes.

    After the body's name three numbers may give another point of it, in its axes from O*.
    """
    found: dict[str, Any] = {}

    def mark(match: re.Match[str]) -> str:
        letter = LETTER.format(len(found))
        try:
            found[letter] = _component(model, match["name"], match["of"])
        except MbwidgetsError as error:
            raise error.at(f"{where}: {match[0]}") from None
        return letter

    marked = MARKED.sub(mark, text)
    try:
        value = parse_expression(marked, named=True)
    except ExpressionError as error:
        raise error.at(where) from None
    if not found or not isinstance(value, Expression):
        return value
    return value.replace(lambda leaf: found.get(leaf.name, leaf) if isinstance(leaf, Symbol) else leaf)


def _component(model: Model, name: str, of: str) -> Any:
    """One component of a point's place or velocity as an expression."""
    body, rest = read_place(of)
    if len(rest) not in (0, 3):
        raise ExpressionError(f"{len(rest)} numbers after the body", remedy="give x[rod], or x[rod, 0, 0, 1]")
    index = model.index(body)
    if _beyond_a_ball(model, index):
        place, velocity = point_expressions(model, index, as_vector(rest or (0, 0, 0)))
        return (velocity if name[0] == "v" else place)["xyz".index(name[-1])]
    # the exact layer, whose forms are shorter, is loaded by those who name a point, not by every motion
    from ...symbolic.formula.formula import Formula
    from ...symbolic.mechanics.derivation import study_of

    study = study_of(model)
    point = study.geometry.point(index, as_vector(rest or (0, 0, 0)), "point")
    formula = Formula(point["xyz".index(name[-1])], study.values, "collected")
    place = parse_expression(formula.text(limit=None))
    if name[0] != "v":
        return place
    leaves = place.leaves() if isinstance(place, Expression) else ()
    moving = sorted({leaf.index for leaf in leaves if isinstance(leaf, Variable) and leaf.kind == "q"})
    return sum((derivative(place, Variable("q", k)) * Variable("u", k) for k in moving), start=0)


def _beyond_a_ball(model: Model, index: int) -> bool:
    """Whether a ball is on the way from the ground to a body."""
    while index >= 0:
        if any(column.kind == "ball" for column in model.bodies[index].joint.columns()):
            return True
        index = model.parents[index]
    return False
