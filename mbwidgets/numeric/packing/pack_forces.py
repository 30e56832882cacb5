"""From a model's forces, reduced to primitives, to the rows of the force table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from ...errors import MbwidgetsError
from ...expressions import Expression, Variable, derivative
from ...model.force_primitives import (
    MEASURE,
    RATE,
    AlignmentMoment,
    BodyLoad,
    Drive,
    Elastic,
    ForcePrimitive,
    Friction,
    JointForce,
    Law,
    LineForce,
    Viscous,
)
from ..kernels import memory_layout as layout
from .packed_places import Places

__all__ = ["force_table_rows"]


def force_table_rows(places: Places, primitives: Sequence[ForcePrimitive]) -> list[list[Any]]:
    """The force table, as cells: one row a primitive."""
    rows = []
    for primitive in primitives:
        try:
            rows.append(_table_row(places, primitive))
        except MbwidgetsError as error:
            raise error.at(primitive.title) from None
    return rows


def _row(kind: int, values: Sequence[Any], **places: int) -> list[Any]:
    keys = ("a", "b", "column", "ui", "qi", "program", "axes")
    padding = [0.0] * (layout.FORCE_SIZE - layout.F_VALUES - len(values))
    return [kind, *(places.get(key, -1) for key in keys), *values, *padding]


def _table_row(places: Places, primitive: ForcePrimitive) -> list[Any]:
    match primitive:
        case LineForce(bodies=bodies, points=(a, b), law=law, factor=factor):
            first, second = places.bodies(bodies)
            scaled = {} if factor is None else {"program": places.programs(factor)}
            return _line(places, [*a, *b], law, a=first, b=second, **scaled)
        case JointForce(body=body, velocity=ui, law=law):
            return _joint(places, primitive, law, column=places.column(body, ui), ui=ui)
        case BodyLoad(body=body, value=value, point=point, turned=turned):
            kind, at = (layout.TORQUE, ()) if point is None else (layout.FORCE, point)
            program = places.programs(*value)
            return _row(kind, at, a=places.body(body), program=program, axes=int(turned))
        case AlignmentMoment(bodies=bodies, directions=(outer, inner), stiffness=stiffness):
            first, second = places.bodies(bodies)
            values = [*places.unit(outer), *places.unit(inner), stiffness]
            return _row(layout.ALIGNMENT, values, a=first, b=second)


def _line(places: Places, points: list[Any], law: Elastic | Viscous | Law, **at: int) -> list[Any]:
    match law:
        case Elastic(stiffness=k, rest=rest):
            return _row(layout.SPRING, [*points, k, rest], **at)
        case Viscous(damping=c):
            return _row(layout.DAMPER, [*points, c], **at)
        case Law():
            return _row(layout.LINE_LAW, points, program=_law_programs(places, law), **at)
        case _:
            assert_never(law)


def _joint(places: Places, primitive: JointForce, law: Any, **at: int) -> list[Any]:
    if primitive.coordinate is not None and isinstance(law, Elastic | Law):
        at["qi"] = primitive.coordinate
    match law:
        case Elastic(stiffness=k, rest=rest):
            return _row(layout.JOINT_SPRING, [k, rest], **at)
        case Viscous(damping=c):
            return _row(layout.JOINT_DAMPER, [c], **at)
        case Friction(viscous=c, coulomb=f, smoothing=e):
            return _row(layout.JOINT_FRICTION, [c, f, e], **at)
        case Drive(value=value):
            return _row(layout.ACTUATOR, [], program=places.programs(value), **at)
        case _:
            return _row(layout.JOINT_LAW, [], program=_law_programs(places, law), **at)


def _law_programs(places: Places, law: Law) -> int:
    """Programs V, dV/dx and R; they read x and ẋ in the data, by force, given as q and as u."""
    return places.programs(*(_of_row(value) for value in (law.energy, derivative(law.energy, MEASURE), law.resistance)))


def _of_row(value: Any) -> Any:
    own: dict[Any, Variable] = {MEASURE: Variable("q", layout.L_MEASURE), RATE: Variable("u", layout.L_RATE)}
    return value.replace(lambda leaf: own.get(leaf, leaf)) if isinstance(value, Expression) else value
