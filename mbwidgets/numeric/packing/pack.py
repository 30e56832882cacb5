"""From a model to the flat array that the kernels read, and to datas for them to work in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError
from ...model.constraint_primitives import constraint_rows
from ...model.force_primitives import force_primitives
from ...model.model import Model
from ..base.rotations import unit_components
from ..kernels import memory_layout as layout
from ..kernels.expression_vm import Assembler
from .pack_constraints import (
    constraint_table_rows,
    equation_groups,
    longest_given_length,
    order_of_elimination,
)
from .pack_forces import force_table_rows
from .packed_places import Places

__all__ = ["Packed", "pack_model"]


class Packed(NamedTuple):
    """A model as one array, which kernels only read; ``rows`` gives each body's row in it, ``order`` the body of each
    row."""

    model: np.ndarray
    rows: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def tables(self) -> layout.ModelTables:
        """The model's array as tables."""
        return layout.model_tables(self.model)

    def new_data(self) -> np.ndarray:
        """What kernels need besides to compute at a state; one for each thread."""
        data = np.empty(int(self.model[layout.DATA_SIZE]))
        layout.reset_data(self.model, data)
        return data


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
        columns[filled : filled + len(given)] = np.reshape(given, (-1, layout.COLUMN_SIZE))
        filled += len(given)
        try:
            bodies[row, layout.AT : layout.BODY_SIZE] = _body_numbers(model, body)
        except MbwidgetsError as error:
            raise error.at(f"body {body.name!r}") from None
    assembler = Assembler(model.values)
    for signal in signals:
        assembler.add(signal)
    places = Places(model, row_of, [int(first) for first in bodies[:, layout.FIRST]], assembler, {})
    forces = force_table_rows(places, force_primitives(model, extra))
    rows = constraint_table_rows(places, constraint_rows(model))
    header = np.zeros(layout.HEADER)
    header[layout.GRAVITY : layout.EQUATIONS] = [model.number(item) for item in model.gravity]
    place, band = order_of_elimination(model, rows)
    header[layout.EQUATIONS : layout.PROJECTED] = len(place) - model.nv, len(rows), band
    header[layout.PROJECTED : layout.DATA_COLUMNS] = 1, 0, longest_given_length(bodies, rows), 0
    header[: layout.AT_COLUMNS] = len(order), model.nv, model.nq, len(forces), len(assembler.starts) - 1
    parts = [
        header,
        bodies,
        columns,
        forces,
        assembler.starts,
        assembler.lines,
        assembler.constants,
        rows,
        place,
        equation_groups(rows),
    ]
    flat = [np.asarray(part, dtype=float).ravel() for part in parts]
    begins = np.cumsum([len(part) for part in flat])
    header[layout.AT_COLUMNS : layout.GRAVITY] = begins[1:-1]
    header[layout.DATA_COLUMNS : layout.HEADER] = _data_places(header)
    return Packed(np.concatenate(flat), tuple(row_of[index] for index in range(len(order))), order)


def _data_places(header: np.ndarray) -> np.ndarray:
    """Where the tables of a data end: its bodies, columns, laws, stacks, feet of curves, work space of constraints."""
    n, nv, nq, forces = (int(count) for count in header[: layout.PROGRAMS])
    m, rows = int(header[layout.EQUATIONS]), int(header[layout.ROWS])
    size = nv + m
    work = m * nv + nv**2 + size**2 + layout.WORK_VECTORS * max(size, nq) if m else 0
    sizes = n * layout.BODY_WORK, nv * layout.COLUMN_WORK, forces * layout.LAW_SIZE, 2 * layout.STACK, rows, work
    return layout.DATA_HEADER + np.cumsum(sizes)


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
            axis = unit_components([model.number(item) for item in column.axis])
            rows.append([layout.ROTATION if column.kind == "rotation" else layout.TRANSLATION, qi, ui, *axis])
            qi, ui = qi + 1, ui + 1
    return rows


def _body_numbers(model: Model, body: Any) -> list[float]:
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
    values = (*body.joint.at, body.mass, *body.com, xx, yy, zz, xy, xz, yz)
    return [model.number(value) for value in values]
