"""From a model to the two flat arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...model import forces as kinds
from ...model.model import Model
from ..kernels import memory_layout as layout
from ..kernels.expression_vm import Assembler
from .pack_constraints import constraint_rows, length_of, normalised, order_of_elimination, work_space

__all__ = ["Packed", "pack_model"]


class Packed(NamedTuple):
    """A model as one array; ``rows`` gives each body's row in it, ``order`` the body of each row."""

    memory: np.ndarray
    rows: tuple[int, ...]
    order: tuple[int, ...]


def pack_model(model: Model, extra: Sequence[Any] = (), signals: Sequence[Any] = ()) -> Packed:
    """Flatten a model; ``extra`` forces act as if they were its own, ``signals`` become the first programs."""
    order = model.order
    row_of = {index: row for row, index in enumerate(order)}
    bodies = np.zeros((len(order), layout.BODY_SIZE))
    columns = np.zeros((model.nv, layout.COLUMN_SIZE))
    filled = 0
    for row, index in enumerate(order):
        body = model.bodies[index]
        given = _columns(model, index)
        bodies[row, : layout.AT] = row_of.get(model.parents[index], -1), filled, len(given), index
        columns[filled : filled + len(given), : layout.COLUMN_GIVEN] = np.reshape(given, (-1, layout.COLUMN_GIVEN))
        filled += len(given)
        try:
            bodies[row, layout.AT : layout.BODY_GIVEN] = _body_numbers(model, body)
        except MbwidgetsError as error:
            raise error.at(f"body {body.name!r}") from None
    assembler = Assembler(model.values)
    for signal in signals:
        assembler.add(signal)
    places = Places(model, row_of, [int(first) for first in bodies[:, layout.FIRST]], assembler)
    forces = [row for force in (*model.forces, *extra) for row in _force_rows(places, force)]
    rows = constraint_rows(places, model.constraints)
    header = np.zeros(layout.HEADER)
    header[layout.GRAVITY : layout.EQUATIONS] = [model.number(item) for item in model.gravity]
    place, band = order_of_elimination(model, rows)
    header[layout.EQUATIONS : layout.TASK] = len(place) - model.nv, len(rows), band
    header[layout.PROJECTED : layout.HEADER] = 1, 0, -1, 1, length_of(bodies, rows), 0
    header[: layout.AT_COLUMNS] = len(order), model.nv, model.nq, len(forces), len(assembler.starts) - 1
    parts = [
        header,
        bodies,
        columns,
        forces,
        assembler.starts,
        assembler.lines,
        assembler.constants,
        np.zeros(2 * layout.STACK),
        rows,
        work_space(model.nq, model.nv, place, rows),
    ]
    flat = [np.asarray(part, dtype=float).ravel() for part in parts]
    begins = np.cumsum([len(part) for part in flat])
    header[layout.AT_COLUMNS : layout.GRAVITY] = begins[1:-1]
    return Packed(np.concatenate(flat), tuple(row_of[index] for index in range(len(order))), order)


def _columns(model: Model, index: int) -> list[list[float]]:
    """Kind, index in q, index in u and axis of each velocity of a body's joint."""
    qi, ui = model.q_offsets[index], model.u_offsets[index]
    rows: list[list[float]] = []
    for column in model.bodies[index].joint.columns():
        if column.kind == "ball":
            for j, axis in enumerate(([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])):
                rows.append([layout.BALL_NEXT if j else layout.BALL, qi, ui + j, *axis])
            qi, ui = qi + 4, ui + 3
        else:
            axis = normalised([model.number(item) for item in column.axis])
            rows.append([layout.ROTATION if column.kind == "rotation" else layout.TRANSLATION, qi, ui, *axis])
            qi, ui = qi + 1, ui + 1
    return rows


def _body_numbers(model: Model, body: Any) -> list[float]:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
    values = (*body.joint.at, body.mass, *body.com, xx, yy, zz, xy, xz, yz)
    return [model.number(value) for value in values]


class Places(NamedTuple):
    """Where bodies, columns and programs stand, for the forces that refer to them."""

    model: Model
    row_of: dict[int, int]
    first_column: list[int]
    assembler: Assembler

    def body(self, name: Any) -> int:
        return -1 if name is None else self.row_of[self.model.index(name)]

    def numbers(self, *values: Any) -> list[float]:
        return [self.model.number(value) for value in values]

    def velocities(self, joint: Any) -> list[dict[str, int]]:
        """Column and index in u of each velocity of a joint."""
        index = self.model.index(joint)
        first, start = self.first_column[self.row_of[index]], self.model.u_offsets[index]
        return [{"column": first + j, "ui": start + j} for j in range(self.model.bodies[index].joint.nv)]

    def programs(self, *values: Any) -> int:
        """The number of the first of these expressions' programs."""
        numbers = [self.assembler.add(value) for value in values]
        return numbers[0]


def _row(kind: int, values: Sequence[float], **places: int) -> list[float]:
    keys = ("a", "b", "column", "ui", "qi", "program", "axes")
    padding = [0.0] * (layout.FORCE_SIZE - layout.F_VALUES - len(values))
    return [kind, *(places.get(key, -1) for key in keys), *values, *padding]


def _force_rows(places: Places, force: Any) -> list[list[float]]:
    """The rows of one force: a joint's damper has one for each velocity."""
    body, numbers, velocities = places.body, places.numbers, places.velocities
    match force:
        case kinds.Spring(start=a, end=b, stiffness=k, length=length):
            return [_row(layout.SPRING, numbers(*a.at, *b.at, k, length), a=body(a.body), b=body(b.body))]
        case kinds.Damper(start=a, end=b, damping=c):
            return [_row(layout.DAMPER, numbers(*a.at, *b.at, c), a=body(a.body), b=body(b.body))]
        case kinds.JointSpring(joint=joint, stiffness=k, rest=rest, coordinate=j):
            qi = places.model.q_offsets[places.model.index(joint)] + j
            return [_row(layout.JOINT_SPRING, numbers(k, rest), qi=qi, **velocities(joint)[j])]
        case kinds.JointDamper(joint=joint, damping=c):
            return [_row(layout.JOINT_DAMPER, numbers(c), **place) for place in velocities(joint)]
        case kinds.JointFriction(joint=joint, viscous=c, coulomb=f, smoothing=e):
            return [_row(layout.JOINT_FRICTION, numbers(c, f, e), **place) for place in velocities(joint)]
        case kinds.Effort(joint=joint, value=value, coordinate=j):
            return [_row(layout.ACTUATOR, [], program=places.programs(value), **velocities(joint)[j])]
        case kinds.Force(body=name, value=value, at=point, axes=frame):
            turned = {"program": places.programs(*value), "axes": int(frame == "body")}
            return [_row(layout.FORCE, numbers(*point), a=body(name), **turned)]
        case kinds.Torque(body=name, value=value, axes=frame):
            turned = {"program": places.programs(*value), "axes": int(frame == "body")}
            return [_row(layout.TORQUE, [], a=body(name), **turned)]
        case kinds.ElasticAlignment(joint=joint, axis_parent=p, axis_child=c, stiffness=k):
            index = places.model.index(joint)
            parent = places.row_of.get(places.model.parents[index], -1)
            axes = [*normalised(numbers(*p)), *normalised(numbers(*c)), *numbers(k)]
            return [_row(layout.ALIGNMENT, axes, a=parent, b=places.row_of[index])]
    raise ModelError(f"a force of type {force.type!r} cannot be compiled")
