"""Places of a joint: its kind, its axes, its efforts; how each is read, and how a new model is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from ...errors import ModelError
from ...model.forces import Effort
from ...model.joints import JOINTS, perpendicular_axes
from ...model.model import Model
from ...model.number_keys import axis_key, effort_key, is_plain
from .place import Place
from .unit_vectors import Azimuths, axis_with_component, azimuth_and_elevation, unit_vector_at_angles

__all__ = ["axis_places", "effort_places", "joint_kind_place", "with_kind"]

KINDS: Final = tuple(JOINTS)
GROUP: Final = "Joint"


def joint_kind_place(model: Model, index: int) -> Place:
    """The joint's kind, as a choice."""
    return Place(
        f"kind {index}",
        GROUP,
        "kind",
        "",
        0,
        len(KINDS) - 1,
        lambda model: KINDS.index(model.bodies[index].joint.type),
        lambda model, value: with_kind(model, index, KINDS[round(value)]),
        options=KINDS,
    )


def with_kind(model: Model, index: int, kind: str) -> Model:
    """The model with another kind of joint: place, axis and the other joints' state are kept.

    Loads and constraints on coordinates that the joint no longer has go with them.
    """
    old = model.bodies[index]
    if old.joint.type == kind:
        return model
    fields: dict[str, Any] = {"at": old.joint.at}
    if "axis" in JOINTS[kind].__dataclass_fields__:
        fields["axis"] = getattr(old.joint, "axis", (0, 0, 1))
    if kind == "planar":
        fields["axis"] = tuple(model.number(item) for item in fields["axis"])
    if kind == "universal":
        fields["second"] = perpendicular_axes([model.number(item) for item in fields["axis"]])[0]
    joint = JOINTS[kind](**fields)
    bodies = [body.replace(joint=joint) if k == index else body for k, body in enumerate(model.bodies)]
    count = len(joint.velocity_labels())
    loads = tuple(item for item in model.forces if _fits(item, old.name, index, count, joint))
    constraints = tuple(item for item in model.constraints if _fits(item, old.name, index, count, joint))
    state = {
        key: (*values[: at[index]], *rest, *values[at[index + 1] :])
        for key, values, at, rest in (
            ("q", model.state.q, model.q_offsets, joint.rest()),
            ("u", model.state.u, model.u_offsets, (0,) * count),
        )
        if values is not None
    }
    return model.replace(bodies=bodies, forces=loads, constraints=constraints, state=state)


def _fits(item: Any, name: str, index: int, count: int, joint: Any) -> bool:
    """Whether a load or constraint can stay where the joint has ``count`` velocities."""
    if getattr(item, "joint", None) not in (name, index):
        return True
    ball = any(column.kind == "ball" for column in joint.columns())
    return count > getattr(item, "coordinate", 0) and not (
        ball and hasattr(item, "coordinate") and not item.on_velocity
    )


def axis_places(model: Model, index: int, azimuths: Azimuths) -> list[Place]:
    """Angles and components of the joint's axis, and of a universal joint's second one."""
    found: list[Place] = []
    for field, letter in (("axis", "e"), ("second", "e₂")):
        if hasattr(model.bodies[index].joint, field):
            found += _axis(model, index, field, letter, azimuths)
    return found


def _axis(model: Model, index: int, field: str, letter: str, azimuths: Azimuths) -> list[Place]:
    given = getattr(model.bodies[index].joint, field)
    note = "" if all(map(is_plain, given)) else "the axis holds a parameter"
    key = f"{field} {index}"

    def numbers(model: Model) -> list[float]:
        return [model.number(item) for item in getattr(model.bodies[index].joint, field)]

    def angles(model: Model) -> tuple[float, float]:
        return azimuth_and_elevation(numbers(model), azimuths.get(key, 0.0))

    def turned(model: Model, k: int, value: float) -> Model:
        azimuth, elevation = (value, angles(model)[1]) if k == 0 else (angles(model)[0], value)
        azimuths[key] = azimuth
        return model.with_joint(index, **{field: unit_vector_at_angles(azimuth, elevation)})

    def angle(k: int, title: str, limit: float) -> Place:
        return Place(
            axis_key(field, index, k),
            GROUP,
            f"{title} of {letter}",
            "°",
            -limit,
            limit,
            lambda model: angles(model)[k],
            lambda model, value: turned(model, k, value),
            note,
        )

    def component(k: int) -> Place:
        return Place(
            axis_key(field, index, "xyz"[k]),
            GROUP,
            f"{letter}_{'xyz'[k]}",
            "1",
            -1.0,
            1.0,
            lambda model: numbers(model)[k],
            lambda model, value: model.with_joint(index, **{field: axis_with_component(numbers(model), k, value)}),
            note,
        )

    return [angle(0, "azimuth", 180.0), angle(1, "elevation", 90.0), *(component(k) for k in range(3))]


def effort_places(model: Model, index: int, size: float) -> list[Place]:
    """A constant effort along each free direction of the joint; one that is an expression stays put."""
    joint = model.bodies[index].joint
    kinds = [column.kind for column in joint.columns() for _ in range(3 if column.kind == "ball" else 1)]
    weight = sum(model.number(body.mass) for body in model.bodies) * max(
        math.hypot(*(model.number(item) for item in model.gravity)), 1.0
    )
    found = []
    for k, (label, kind) in enumerate(zip(_directions(joint), kinds, strict=True)):
        unit, limit = ("N", weight) if kind == "translation" else ("N m", weight * size)
        found.append(_effort(model, index, k, label, unit, limit))
    return found


def _directions(joint: Any) -> Sequence[str]:
    return [label.removesuffix("˙").removeprefix("ω") for label in joint.velocity_labels()]


def _effort(model: Model, index: int, k: int, label: str, unit: str, limit: float) -> Place:
    mine = [item for item in model.forces if _drives(model, item, index, k)]
    note = next((f"follows from {item.value}" for item in mine if not is_plain(item.value)), "")
    # a whole decade, so that the range stays while masses are moved
    high = 10.0 ** math.ceil(math.log10(limit)) if limit > 0.0 else 1.0

    def read(model: Model) -> float:
        if note:
            return 0.0
        return sum(model.number(item.value) for item in model.forces if _drives(model, item, index, k))

    def write(model: Model, value: float) -> Model:
        if note:
            raise ModelError(
                f"the effort {note}", where=f"joint {model.bodies[index].name!r}", remedy="change the model"
            )
        others = [item for item in model.forces if not _drives(model, item, index, k)]
        own = [Effort(model.bodies[index].name, value, coordinate=k)] if value != 0.0 else []
        return model.replace(forces=(*others, *own))

    value = read(model)
    return Place(
        effort_key(index, k), "Effort", f"Q_{label}", unit, min(-high, value), max(high, value), read, write, note
    )


def _drives(model: Model, item: Any, index: int, k: int) -> bool:
    return isinstance(item, Effort) and model.index(item.joint) == index and item.coordinate == k
