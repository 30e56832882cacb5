"""What a person may give as ``tau``: as forces of the model, as a Python function, or as controllers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import MbwidgetsError, StateError, UnknownNameError
from ...expressions import Expression, Symbol, Variable, as_scalar
from ...model.coordinate_numbers import with_numbers
from ...model.fields import suggest_name
from ...model.forces import Effort
from ...model.model import Model
from .controllers import Controller
from .point_texts import with_points
from .user_functions import as_effort_function, is_function

__all__ = ["Inputs", "efforts_of", "inputs_of", "state_expression"]


@dataclass
class Inputs:
    """Efforts that act as forces of the model, what functions add, and controllers with the joints they serve."""

    drives: list[Effort] = field(default_factory=list)
    functions: list[tuple[slice, Callable[..., Any]]] = field(default_factory=list)
    controllers: list[tuple[str | None, Controller]] = field(default_factory=list)
    nv: int = 0

    @property
    def function(self) -> Callable[..., Any] | None:
        """All functions together."""
        if not self.functions:
            return None
        parts, nv = self.functions, self.nv
        if len(parts) == 1 and parts[0][0] == slice(0, nv):
            return parts[0][1]

        def total(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
            found = np.zeros(nv)
            for columns, part in parts:
                found[columns] += part(t, q, u)
            return found

        return total


def inputs_of(model: Model, tau: Any) -> Inputs:
    """``tau`` of `simulate`, read."""
    found = Inputs(nv=model.nv)
    if tau is None:
        return found
    if isinstance(tau, Controller):
        found.controllers.append((None, tau))
    elif is_function(tau):
        found.functions.append((slice(0, model.nv), as_effort_function(tau, model.velocity_names)))
    elif isinstance(tau, Mapping):
        for joint, value in tau.items():
            _read_joint(model, joint, value, found)
    else:
        _read_all(model, [tau] if isinstance(tau, str | Expression) or np.ndim(tau) == 0 else list(tau), found)
    return found


def efforts_of(model: Model, tau: Any) -> tuple[list[Effort], Callable[..., Any] | None]:
    """Efforts as forces of the model, and as a Python function."""
    found = inputs_of(model, tau)
    return found.drives, found.function


def _read_all(model: Model, values: list[Any], found: Inputs) -> None:
    """One effort for each velocity, in their order."""
    if len(values) != model.nv:
        raise StateError(f"tau has {len(values)} entries", remedy=f"give {model.nv}: {', '.join(model.velocity_names)}")
    places = [(body.name, j) for body in model.bodies for j in range(body.joint.nv)]
    for k, ((name, j), value) in enumerate(zip(places, values, strict=True)):
        _read_one(model, (name, j, k), value, f"tau of {name!r}", found)


def _read_joint(model: Model, joint: str | int, value: Any, found: Inputs) -> None:
    """The efforts of one joint: a value, or one for each of its velocities; or that of one of its velocities."""
    where = f"tau of {joint!r}"
    if (place := _one_velocity(model, joint)) is not None:
        _read_one(model, place, value, where, found)
        return
    k = model.index(joint)
    body, first = model.bodies[k], model.u_offsets[k]
    columns = slice(first, first + body.joint.nv)
    if isinstance(value, Controller):
        found.controllers.append((body.name, value))
        return
    if is_function(value):
        found.functions.append((columns, as_effort_function(value, model.velocity_names[columns], where)))
        return
    several = isinstance(value, Iterable) and not isinstance(value, str | Expression)
    values = list(value) if several else [value]
    if len(values) != body.joint.nv:
        raise StateError(
            f"tau of {body.name!r} has {len(values)} entries",
            remedy=f"give {body.joint.nv}: {', '.join(body.joint.velocity_labels())}",
        )
    for j, item in enumerate(values):
        _read_one(model, (body.name, j, first + j), item, where, found)


def _read_one(model: Model, place: tuple[str, int, int], value: Any, where: str, found: Inputs) -> None:
    """The effort of one velocity: its joint, its number in the joint and in u."""
    name, j, k = place
    if isinstance(value, Controller):
        raise StateError(
            "a controller of one velocity among others", where=where, remedy=f"give tau={{{name!r}: mb.Controller(…)}}"
        )
    if is_function(value):
        function = as_effort_function(value, (model.velocity_names[k],), where)
        found.functions.append((slice(k, k + 1), function))
    else:
        found.drives.append(Effort(name, state_expression(model, value, where), j))


def _one_velocity(model: Model, name: Any) -> tuple[str, int, int] | None:
    """The joint of a velocity that is called by its own name, or by that of its coordinate."""
    for body, q0, u0 in zip(model.bodies, model.q_offsets, model.u_offsets, strict=False):
        balls = any(column.kind == "ball" for column in body.joint.columns())
        for j in range(body.joint.nv):
            names = {model.velocity_names[u0 + j]} | (set() if balls else {model.coordinate_names[q0 + j]})
            if name in names and body.joint.nv > 1:
                return body.name, j, u0 + j
    return None


def state_expression(model: Model, value: Any, what: str) -> Any:
    """An expression of t, q, u and the model's parameters."""
    if isinstance(value, str):
        scalar = with_points(model, value, what)
        if isinstance(scalar, Expression):
            try:
                scalar = with_numbers(model, scalar)
            except MbwidgetsError as error:
                raise error.at(what) from None
    else:
        scalar = as_scalar(value, what)
    for leaf in scalar.leaves() if isinstance(scalar, Expression) else ():
        if isinstance(leaf, Symbol) and leaf.name not in model.parameters and getattr(leaf, "value", None) is None:
            raise UnknownNameError(
                f"{leaf.name!r} is not a parameter",
                where=what,
                remedy=suggest_name(leaf.name, ["t", "q[0]", *model.parameters]),
            )
        if isinstance(leaf, Variable) and leaf.kind in "qu":
            size = model.nq if leaf.kind == "q" else model.nv
            if leaf.index >= size:
                raise UnknownNameError(f"{leaf!r} does not exist", where=what, remedy=f"count from 0 to {size - 1}")
    return scalar
