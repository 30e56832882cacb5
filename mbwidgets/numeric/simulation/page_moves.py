"""What a page must know to move a number as a slider in Python does: what moves with it, and what may not be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import ModelError
from ...expressions import Symbol
from ...model.bodies import Body
from ...model.forces import Effort
from ...model.model import Model
from ...model.number_keys import (
    INERTIA_PAIRS,
    at_key,
    axis_key,
    com_key,
    effort_key,
    gravity_key,
    inertia_key,
    is_plain,
    mass_key,
    parameter_key,
    state_key,
)
from ..packing.letters import balls, scales_with_mass
from .page_rules import rules_of

__all__ = ["moves_of"]


def moves_of(model: Model, names: Sequence[str]) -> tuple[dict[str, Any], Any]:
    """For JSON: how the numbers with these names move; and the programs of the rules, as the kernels read them.

    ``aliases``: parameters by the keys that move them. ``notes``: why the numbers with these keys stay put. ``balls``:
    where in q quaternions begin. ``solids``: by body its inertia for one kilogram, exact numbers as two integers.
    ``bounds``: lower and upper bound of a parameter, and the words of the refusal. ``rules``: see `page_rules`.
    """
    rules = rules_of(model, names)
    aliases = {parameter_key(name): name for name in model.parameters}
    notes = dict(_notes(model))
    for key, scalar in _scalars(model):
        if isinstance(scalar, Symbol) and scalar.name in model.parameters:
            aliases[key] = scalar.name
            notes.pop(key, None)
        elif not is_plain(scalar):
            notes.setdefault(key, f"follows from {scalar}")
    found = {
        "aliases": aliases,
        "notes": notes,
        "balls": balls(model),
        "solids": {str(k): _gyration(body) for k, body in enumerate(model.bodies) if _follows_mass(body)},
        "bounds": {name: _bounds(model, name) for name in model.parameters},
        "rules": rules.made,
    }
    return found, rules.machine


def _scalars(model: Model) -> Iterator[tuple[str, Any]]:
    """The scalars that are moved one by one, by their keys."""
    for index, body in enumerate(model.bodies):
        yield mass_key(index), body.mass
        yield from ((com_key(index, k), item) for k, item in enumerate(body.com))
        yield from ((inertia_key(index, i, j), body.inertia[i][j]) for i, j in INERTIA_PAIRS)
        yield from ((at_key(index, k), item) for k, item in enumerate(body.joint.at))
    yield from ((gravity_key(k), item) for k, item in enumerate(model.gravity))
    for which in "qu":
        yield from ((state_key(which, k), item) for k, item in enumerate(getattr(model.state, which) or ()))


def _notes(model: Model) -> Iterator[tuple[str, str]]:
    """Why numbers stay put that belong to others."""
    for index, body in enumerate(model.bodies):
        if "inertia" in body.derived and is_plain(body.mass) and not _follows_mass(body):
            yield mass_key(index), "the inertia follows from it and from parameters: move it in the notebook"
        for field in ("axis", "second"):
            if not all(map(is_plain, getattr(body.joint, field, ()))):
                yield from ((axis_key(field, index, part), "the axis holds a parameter") for part in (0, 1, *"xyz"))
    for ball in balls(model):
        if model.state.q is not None and not all(map(is_plain, model.state.q[ball : ball + 4])):
            yield from ((state_key("q", ball + k), "the quaternion holds a parameter") for k in range(4))
    for force in model.forces:
        if isinstance(force, Effort) and not is_plain(force.value):
            error = ModelError(
                f"the effort follows from {force.value}", where=f"joint {force.joint!r}", remedy="change the model"
            )
            yield effort_key(model.index(force.joint), force.coordinate), str(error)


def _follows_mass(body: Body) -> bool:
    return "inertia" in body.derived and scales_with_mass(body)


def _gyration(body: Body) -> list[Any]:
    """The components of the inertia of a solid for one unit of mass: exact ones as two integers, others as floats."""
    tensor = body.shape.gyration()
    return [
        item if isinstance(item, float) else [str(item.numerator), str(item.denominator)]
        for item in (tensor[i][j] for i, j in INERTIA_PAIRS)
    ]


def _bounds(model: Model, name: str) -> list[Any]:
    """Lower and upper bound, None where there is none, and what is said beyond."""
    parameter = model.parameters[name]
    low = -math.inf if parameter.min is None else parameter.min
    high = math.inf if parameter.max is None else parameter.max
    error = ModelError(
        f"value {{0}} is outside {low} … {high}",
        where=f"parameter {name!r}",
        remedy="change the value or widen min, max",
    )
    return [None if parameter.min is None else float(low), None if parameter.max is None else float(high), str(error)]
