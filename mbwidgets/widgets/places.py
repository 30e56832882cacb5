"""Places in a model that hold a number a slider can move: how each is read, and how a new model is written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..expressions import Expression, Symbol
from ..model.model import Model

__all__ = ["Place", "places"]


@dataclass(frozen=True)
class Place:
    """A number of the model with a title, a unit, a range, and functions that read and write it.

    ``note`` says why a place cannot be moved; it is empty for those that can.
    """

    key: str
    group: str
    title: str
    unit: str
    low: float
    high: float
    read: Callable[[Model], float]
    write: Callable[[Model, float], Model]
    note: str = ""


def places(model: Model, index: int, size: float) -> list[Place]:
    """All that can be moved: parameters, the selected body and its joint, its start, gravity."""
    return [
        *_parameters(model),
        *_body(model, index, size),
        *_joint(model, index, size),
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
    low, high = _span(value)
    return Place(
        key or f"parameter {name}",
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
        f"mass {index}",
        group,
        "m",
        "kg",
        (1e-3, _span(model.number(body.mass))[1]),
        lambda model: model.bodies[index].mass,
        lambda model, value: model.with_body(index, mass=value),
    )
    centre = _vector(
        model,
        f"com {index}",
        group,
        "ρ",
        "m",
        size,
        lambda model: model.bodies[index].com,
        lambda model, value: model.with_body(index, com=value),
    )
    moments = max(abs(model.number(body.inertia[k][k])) for k in range(3)) or 0.1
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return [mass, *centre, *(_component(model, index, i, j, moments) for i, j in pairs)]


def _component(model: Model, index: int, i: int, j: int, moments: float) -> Place:
    """A moment of inertia, or a product with its sign turned."""
    return _scalar(
        model,
        model.bodies[index].inertia[i][j],
        f"inertia {index} {i}{j}",
        "Mass and inertia",
        f"J_{'xyz'[i]}" + ("" if i == j else "xyz"[j]),
        "kg m²",
        (0.0, 3 * moments) if i == j else (-moments, moments),
        lambda model: model.bodies[index].inertia[i][j],
        lambda model, value: _with_inertia(model, index, i, j, value),
    )


def _joint(model: Model, index: int, size: float) -> list[Place]:
    joint = model.bodies[index].joint
    place = _vector(
        model,
        f"at {index}",
        "Joint",
        "r",
        "m",
        size,
        lambda model: model.bodies[index].joint.at,
        lambda model, value: model.with_joint(index, at=value),
    )
    if not hasattr(joint, "axis"):
        return place
    note = "the axis holds a parameter" if any(isinstance(item, Expression) for item in joint.axis) else ""
    return [_angle(index, 0, "azimuth of e", 180.0, note), _angle(index, 1, "elevation of e", 90.0, note), *place]


def _angle(index: int, k: int, title: str, limit: float, note: str) -> Place:
    return Place(
        f"axis {index} {k}",
        "Joint",
        title,
        "°",
        -limit,
        limit,
        lambda model: _angles(model, index)[k],
        lambda model, value: _turned(model, index, k, value),
        note,
    )


def _start(model: Model, index: int) -> list[Place]:
    joint = model.bodies[index].joint
    found = []
    kinds = [column.kind for column in joint.columns() for _ in range(4 if column.kind == "ball" else 1)]
    for k, kind in enumerate(kinds):
        label = joint.coordinate_labels()[k]
        limit, unit = {"rotation": (math.pi, "rad"), "ball": (1.0, "1")}.get(kind, (2.0, "m"))
        found.append(_initial(model, "q", model.q_offsets[index] + k, f"{label}(0)", unit, limit))
    rates = [column.kind for column in joint.columns() for _ in range(3 if column.kind == "ball" else 1)]
    for k, kind in enumerate(rates):
        label = joint.velocity_labels()[k].replace("φ˙", "φ̇").replace("s˙", "ṡ").replace("θ˙", "θ̇")
        unit = "m/s" if kind == "translation" else "rad/s"
        found.append(_initial(model, "u", model.u_offsets[index] + k, f"{label}(0)", unit, 10.0))
    return found


def _initial(model: Model, which: str, at: int, title: str, unit: str, limit: float) -> Place:
    def numbers(model: Model) -> list[Any]:
        given = getattr(model.state, which)
        return list(given) if given is not None else [float(item) for item in getattr(model, f"{which}0")]

    def write(model: Model, value: float) -> Model:
        state = {"q": model.state.q, "u": model.state.u, which: _with(numbers(model), at, value)}
        return model.replace(state={key: item for key, item in state.items() if item is not None})

    value = numbers(model)[at]
    limit = max(limit, _span(model.number(value))[1])
    return _scalar(
        model,
        value,
        f"{which} {at}",
        "Start",
        title,
        unit,
        (-limit, limit),
        lambda model: numbers(model)[at],
        write,
    )


def _gravity(model: Model) -> list[Place]:
    return _vector(
        model,
        "gravity",
        "Gravity",
        "g",
        "m/s²",
        25.0,
        lambda model: model.gravity,
        lambda model, value: model.replace(gravity=value),
    )


def _vector(
    model: Model,
    key: str,
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
            f"{key} {k}",
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
    note = f"follows from {scalar}" if isinstance(scalar, Expression) else ""
    low, high = min(span[0], value), max(span[1], value)
    return Place(key, group, title, unit, low, high, lambda model: model.number(get(model)), put, note)


def _span(value: float) -> tuple[float, float]:
    size = 3 * abs(value) or 1.0
    # a round number, so that the range does not creep from one slider event to the next
    step = 10.0 ** math.floor(math.log10(size))
    high = math.ceil(size / step) * step
    return (-high, high)


def _with(items: Sequence[Any], k: int, value: Any) -> tuple[Any, ...]:
    return (*items[:k], value, *items[k + 1 :])


def _angles(model: Model, index: int) -> tuple[float, float]:
    x, y, z = (model.number(item) for item in model.bodies[index].joint.axis)
    return math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y)))


def _turned(model: Model, index: int, k: int, value: float) -> Model:
    """The joint's axis with a new azimuth (k = 0) or elevation (k = 1), degrees; it stays a unit vector."""
    angles = list(_angles(model, index))
    angles[k] = value
    azimuth, elevation = map(math.radians, angles)
    level = math.cos(elevation)
    axis = (level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation))
    # cos 90° is not quite zero in floats: axes that are meant to be exact become so
    return model.with_joint(index, axis=tuple(round(item, 12) + 0.0 for item in axis))


def _with_inertia(model: Model, index: int, i: int, j: int, value: float) -> Model:
    """A new component of the inertia; the tensor goes only as far as it stays that of a body."""
    old = np.array([[model.number(item) for item in row] for row in model.bodies[index].inertia])
    new = old.copy()
    new[i, j] = new[j, i] = value
    share = _physical_share(old, new)
    wanted = float(old[i, j] + share * (new[i, j] - old[i, j]))
    rows = [list(row) for row in model.bodies[index].inertia]
    rows[i][j] = rows[j][i] = wanted
    return model.with_body(index, inertia=tuple(tuple(row) for row in rows))


def _physical_share(old: np.ndarray, new: np.ndarray) -> float:
    """How much of the way from old to new is physical: the planar tensor ½ tr J − J has no negative value."""

    def physical(tensor: np.ndarray) -> bool:
        planar = 0.5 * np.trace(tensor) * np.eye(3) - tensor
        return bool(np.linalg.eigvalsh(planar)[0] >= 1e-9 * max(np.trace(tensor), 1e-300))

    if physical(new) or not physical(old):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if physical(old + middle * (new - old)) else (low, middle)
    return low
