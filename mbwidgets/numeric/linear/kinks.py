"""States at which forces have no slope: a kink of an expression, a spring whose ends lie on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...errors import MbwidgetsError, StateError
from ...expressions import KINKED, Call, Expression, Variable, evaluate
from ...model.fields import iterate_scalars
from ...model.forces import Anchor
from ...model.model import Model
from ...model.point_places import in_coordinates
from ..states.dynamics import Dynamics

__all__ = ["refuse_kinks", "value_at"]


def value_at(model: Model, q: np.ndarray, u: np.ndarray, t: float) -> Callable[[Any], float]:
    """What gives the number that an expression of t, q and u has at a state."""
    numbers = {"q": q, "u": u}

    def state(leaf: Variable) -> float:
        if leaf.kind == "t":
            return t
        values = numbers.get(leaf.kind)
        if values is None or not 0 <= leaf.index < len(values):
            raise StateError(f"{leaf} is not known here", remedy=f"use t, q[0] … q[{model.nq - 1}], u and parameters")
        return float(values[leaf.index])

    return lambda expression: evaluate(expression, model.values, state)


def refuse_kinks(model: Model, q: np.ndarray, u: np.ndarray, t: float) -> None:
    """Refuse a state at which a force of the model has a kink: a slope there would be one of two."""
    number = value_at(model, q, u, t)
    for place, force in enumerate(model.forces):
        where = f"force {place} ({force.type})"
        for call in (call for scalar in iterate_scalars((force,)) for call in _kinked(scalar)):
            try:
                values = [number(in_coordinates(model, argument)) for argument in call.arguments[:2]]
            except MbwidgetsError:
                continue  # what has no value at all is told by the dynamics
            if values[0] == (values[1] if call.name in ("min", "max") else 0.0):
                raise StateError(
                    f"{call} has a kink at this state, and so no slope",
                    where=where,
                    remedy="move the state away from it, or write a smooth function, such as tanh(x/0.01) for sign(x)",
                )
        ends = [getattr(force, name, None) for name in ("start", "end")]
        if all(isinstance(end, Anchor) for end in ends) and _meet(model, q, ends) and _has_direction(model, force):
            raise StateError(
                "its two ends lie on each other: its force has no direction, and so no slope",
                where=where,
                remedy="move the state so that they are apart",
            )


def _kinked(value: Any) -> Iterator[Call]:
    """The functions with kinks in an expression whose arguments depend on t, q or u."""
    if not isinstance(value, Expression):
        return
    if isinstance(value, Call) and value.name in KINKED and any(isinstance(x, Variable) for x in value.leaves()):
        yield value
    for child in value.children():
        yield from _kinked(child)


def _meet(model: Model, q: np.ndarray, ends: list[Any]) -> bool:
    places: list[np.ndarray] = []
    for end in ends:
        at = np.array([model.number(item) for item in end.at])
        still = np.zeros(model.nv)
        places.append(at if end.body is None else Dynamics(model).frame(q, still, still, end.body, at).position)
    return np.array_equal(places[0], places[1])


def _has_direction(model: Model, force: Any) -> bool:
    """Whether a force along a line is more than a spring of no length, which is smooth."""
    return not (force.type == "spring" and model.number(force.length) == 0.0)
