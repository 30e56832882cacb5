"""Places in a model that hold a number a slider can move: how each is read, and how a new model is written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...expressions import Symbol
from ...model.model import Model
from ...model.number_keys import (
    INERTIA_PAIRS,
    at_key,
    com_key,
    gravity_key,
    inertia_key,
    is_plain,
    mass_key,
    parameter_key,
    state_key,
)
from ...numeric.kernels.moved_numbers import inertia_component_within_reach
from .joint_places import axis_places, effort_places, joint_kind_place
from .place import Place, symmetric_range
from .unit_vectors import Azimuths, unit_vector_with_component

__all__ = ["Place", "editable_places"]


def editable_places(model: Model, index: int, size: float, azimuths: Azimuths | None = None) -> list[Place]:
    """All that can be moved: parameters, the selected body and its joint, its effort and start, gravity.

    ``azimuths`` remembers those of axes at a pole from one call to the next.
    """
    return [
        *_parameters(model),
        *_body(model, index, size),
        *_joint(model, index, size, {} if azimuths is None else azimuths),
        *effort_places(model, index, size),
        *_start(model, index),
        *_gravity(model),
    ]


def _parameters(model: Model) -> list[Place]:
    return [_parameter(model, name, "Parameters", name) for name in model.parameters if _has_value(model, name)]


def _has_value(model: Model, name: str) -> bool:
    return model.parameters[name].value is not None


def _parameter(model: Model, name: str, group: str, title: str, key: str = "") -> Place:
    parameter = model.parameters[name]
    value = float(parameter.value)
    low, high = symmetric_range(value)
    return Place(
        key or parameter_key(name),
        group,
        title,
        parameter.unit,
        low if parameter.min is None else float(parameter.min),
        high if parameter.max is None else float(parameter.max),
        lambda model: float(model.parameters[name].value),
        lambda model, value: model.with_values(**{name: value}),
    )


def _body(model: Model, index: int, size: float) -> list[Place]:
    body = model.bodies[index]
    group = "Mass and inertia"
    mass = _scalar(
        model,
        body.mass,
        mass_key(index),
        group,
        "m",
        "kg",
        (1e-3, symmetric_range(model.number(body.mass))[1]),
        lambda model: model.bodies[index].mass,
        lambda model, value: model.with_body(index, mass=value),
    )
    centre = _vector(
        model,
        lambda k: com_key(index, k),
        group,
        "ρ",
        "m",
        size,
        lambda model: model.bodies[index].com,
        lambda model, value: model.with_body(index, com=value),
    )
    moments = max(abs(model.number(body.inertia[k][k])) for k in range(3)) or 0.1
    return [mass, *centre, *(_component(model, index, i, j, moments) for i, j in INERTIA_PAIRS)]


def _component(model: Model, index: int, i: int, j: int, moments: float) -> Place:
    """A moment of inertia, or a product with its sign turned."""
    return _scalar(
        model,
        model.bodies[index].inertia[i][j],
        inertia_key(index, i, j),
        "Mass and inertia",
        f"J_{'xyz'[i]}" + ("" if i == j else "xyz"[j]),
        "kg m²",
        (0.0, 3 * moments) if i == j else (-moments, moments),
        lambda model: model.bodies[index].inertia[i][j],
        lambda model, value: _with_inertia(model, index, i, j, value),
    )


def _joint(model: Model, index: int, size: float, azimuths: Azimuths) -> list[Place]:
    place = _vector(
        model,
        lambda k: at_key(index, k),
        "Joint",
        "r",
        "m",
        size,
        lambda model: model.bodies[index].joint.at,
        lambda model, value: model.with_joint(index, at=value),
    )
    return [joint_kind_place(model, index), *axis_places(model, index, azimuths), *place]


def _start(model: Model, index: int) -> list[Place]:
    joint = model.bodies[index].joint
    found = []
    kinds = [column.kind for column in joint.columns() for _ in range(4 if column.kind == "ball" else 1)]
    for k, kind in enumerate(kinds):
        label = joint.coordinate_labels()[k]
        limit, unit = {"rotation": (math.pi, "rad"), "ball": (1.0, "1")}.get(kind, (2.0, "m"))
        ball = model.q_offsets[index] + kinds.index("ball") if kind == "ball" else None
        found.append(_initial(model, "q", model.q_offsets[index] + k, f"{label}(0)", unit, limit, ball))
    rates = [column.kind for column in joint.columns() for _ in range(3 if column.kind == "ball" else 1)]
    for k, kind in enumerate(rates):
        label = joint.velocity_labels()[k].replace("φ˙", "φ̇").replace("s˙", "ṡ").replace("θ˙", "θ̇")
        unit = "m/s" if kind == "translation" else "rad/s"
        found.append(_initial(model, "u", model.u_offsets[index] + k, f"{label}(0)", unit, 10.0))
    return found


def _initial(model: Model, which: str, at: int, title: str, unit: str, limit: float, ball: int | None = None) -> Place:
    """A number of the initial state; ``ball``: where the quaternion begins that it belongs to."""

    def numbers(model: Model) -> list[Any]:
        given = getattr(model.state, which)
        return list(given) if given is not None else [float(item) for item in getattr(model, f"{which}0")]

    def write(model: Model, value: float) -> Model:
        old = numbers(model)
        new = _with(old, at, value)
        if ball is not None:
            whole = unit_vector_with_component([model.number(item) for item in old[ball : ball + 4]], at - ball, value)
            new = (*old[:ball], *whole, *old[ball + 4 :])
        state = {"q": model.state.q, "u": model.state.u, "duration": model.state.duration, which: new}
        return model.replace(state={key: item for key, item in state.items() if item is not None})

    value = numbers(model)[at]
    limit = limit if ball is not None else max(limit, symmetric_range(model.number(value))[1])
    place = _scalar(
        model,
        value,
        state_key(which, at),
        "Start",
        title,
        unit,
        (-limit, limit),
        lambda model: numbers(model)[at],
        write,
    )
    if ball is None or isinstance(value, Symbol) or all(map(is_plain, numbers(model)[ball : ball + 4])):
        return place
    return replace(place, note="the quaternion holds a parameter")


def _gravity(model: Model) -> list[Place]:
    return _vector(
        model,
        gravity_key,
        "Gravity",
        "g",
        "m/s²",
        25.0,
        lambda model: model.gravity,
        lambda model, value: model.replace(gravity=value),
    )


def _vector(
    model: Model,
    key: Callable[[int], str],
    group: str,
    symbol: str,
    unit: str,
    limit: float,
    get: Callable[[Model], Sequence[Any]],
    put: Callable[[Model, tuple[Any, ...]], Model],
) -> list[Place]:
    """Three places, one a component."""

    def component(k: int) -> Place:
        return _scalar(
            model,
            get(model)[k],
            key(k),
            group,
            f"{symbol}_{'xyz'[k]}",
            unit,
            (-limit, limit),
            lambda model: get(model)[k],
            lambda model, value: put(model, _with(get(model), k, value)),
        )

    return [component(k) for k in range(3)]


def _scalar(
    model: Model,
    scalar: Any,
    key: str,
    group: str,
    title: str,
    unit: str,
    span: tuple[float, float],
    get: Callable[[Model], Any],
    put: Callable[[Model, float], Model],
) -> Place:
    """A place for a number; one that is a parameter moves the parameter, an expression of several stays put."""
    if isinstance(scalar, Symbol) and scalar.name in model.parameters and _has_value(model, scalar.name):
        return _parameter(model, scalar.name, group, f"{title} = {scalar.name}", key)
    value = model.number(scalar)
    note = "" if is_plain(scalar) else f"follows from {scalar}"
    low, high = min(span[0], value), max(span[1], value)
    return Place(key, group, title, unit, low, high, lambda model: model.number(get(model)), put, note)


def _with(items: Sequence[Any], k: int, value: Any) -> tuple[Any, ...]:
    return (*items[:k], value, *items[k + 1 :])


def _with_inertia(model: Model, index: int, i: int, j: int, value: float) -> Model:
    """A new component of the inertia; the tensor goes only as far as it stays that of a body."""
    rows = [list(row) for row in model.bodies[index].inertia]
    numbers = np.array([model.number(rows[a][b]) for a, b in INERTIA_PAIRS])
    place = INERTIA_PAIRS.index((i, j))
    rows[i][j] = rows[j][i] = float(inertia_component_within_reach(numbers, place, float(value)))
    return model.with_body(index, inertia=tuple(tuple(row) for row in rows))
