"""From a model to the flat array that the kernels read, by a recipe that its values can change in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...model.constraint_primitives import constraint_rows
from ...model.force_primitives import force_primitives
from ...model.model import Model
from ..kernels import memory_layout as layout
from ..kernels.expression_vm import Assembler
from .letters import Letters, Numbers
from .pack_constraints import (
    constraint_table_rows,
    equation_groups,
    given_lengths,
    order_of_elimination,
)
from .pack_forces import force_table_rows
from .packed_places import Places, counted_from
from .recipe import Recipe, Sheet

__all__ = ["ModelRecipe", "Packed", "lettered_recipe", "pack_model", "recipe_of"]


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


@dataclass(frozen=True, eq=False)
class ModelRecipe:
    """The recipe of a model: its numbers are the initial q and u, then the model's array."""

    recipe: Recipe
    order: tuple[int, ...]
    coordinates: int
    velocities: int

    def pack(self, values: Any) -> Packed:
        """The model at these values of its parameters."""
        model = self.recipe.numbers(values)[self.coordinates + self.velocities :].copy()
        return Packed(model, tuple(int(row) for row in np.argsort(self.order)), self.order)

    def start(self, values: Any) -> tuple[np.ndarray, np.ndarray]:
        """The initial q and u at these values."""
        q, u, _ = np.split(self.recipe.numbers(values), [self.coordinates, self.coordinates + self.velocities])
        return q.copy(), u.copy()


def pack_model(model: Model, extra: Sequence[Any] = (), signals: Sequence[Any] = (), begin: float = 0.0) -> Packed:
    """Flatten a model; ``extra`` forces act as if they were its own, ``signals`` become the first programs.

    ``begin``: the time from which kernels count theirs.
    """
    return recipe_of(model, extra, signals, begin).pack(model.values)


def recipe_of(model: Model, extra: Sequence[Any] = (), signals: Sequence[Any] = (), begin: float = 0.0) -> ModelRecipe:
    """The recipe that packs a model; that of the model alone is made once for all values of its parameters."""
    if extra or signals or begin:
        return _make_recipe(model, extra, signals, begin=begin)
    made: ModelRecipe | None = model.reductions.get("recipe")
    if made is None:
        made = model.reductions["recipe"] = _make_recipe(model, (), ())
    return made


def lettered_recipe(model: Model) -> tuple[ModelRecipe, dict[str, float]]:
    """The recipe in which plain numbers are letters too, and the letters' values by key; see `letters`."""
    made: tuple[ModelRecipe, dict[str, float]] | None = model.reductions.get("lettered recipe")
    if made is None:
        letters = Letters()
        made = model.reductions["lettered recipe"] = _make_recipe(model, (), (), letters), letters.values
    return made


def _make_recipe(
    model: Model,
    extra: Sequence[Any],
    signals: Sequence[Any],
    letters: Letters | None = None,
    begin: float = 0.0,
) -> ModelRecipe:
    order, numbers = model.order, Numbers(model, letters)
    row_of = {index: row for row, index in enumerate(order)}
    bodies: list[list[Any]] = []
    columns: list[list[Any]] = []
    for index in order:
        given, parent = _columns(numbers, index), row_of.get(model.parents[index], -1)
        bodies.append([parent, len(columns), len(given), index, *numbers.body(index)])
        columns += given
    assembler = Assembler()
    for signal in signals:
        assembler.add(counted_from(begin, signal))
    places = Places(model, row_of, [row[layout.FIRST] for row in bodies], assembler, begin)
    own = force_primitives(model)
    forces = force_table_rows(places, [*numbers.forces(own), *force_primitives(model, extra)[len(own) :]])
    rows = constraint_table_rows(places, constraint_rows(model))
    place, band = order_of_elimination(model, rows)
    header: list[Any] = [len(order), model.nv, model.nq, len(forces), len(assembler.starts) - 1]
    header += [0] * (layout.GRAVITY - layout.AT_COLUMNS)
    header += [*numbers.gravity(), len(place) - model.nv, len(rows), band, 1, 0, 0, 0]
    header += _data_places(header)
    tables: list[tuple[int, Sequence[Sequence[Any]]]] = [
        (layout.HEADER, [header]),
        (layout.BODY_SIZE, bodies),
        (layout.COLUMN_SIZE, columns),
        (layout.FORCE_SIZE, forces),
        (1, [[item] for item in assembler.starts]),
        (2, assembler.lines),
        (1, [[item] for item in assembler.constants]),
        (layout.ROW_SIZE, rows),
        (1, [[item] for item in place.tolist()]),
        (1, [[item] for item in equation_groups(rows)]),
    ]
    state = model.nq + model.nv
    begins = np.cumsum([0, *(width * len(table) for width, table in tables)])
    header[layout.AT_COLUMNS : layout.GRAVITY] = begins[2:-1].tolist()
    start = numbers.state()
    names = (*model.parameters, *(() if letters is None else letters.values))
    sheet = Sheet(names, np.zeros(state + begins[-1]))
    sheet.write(0, start)
    for begin, (width, table) in zip(begins, tables, strict=False):
        for row, cells in enumerate(table):
            sheet.write(state + int(begin) + row * width, cells)
    _write_longest_length(sheet, state, len(bodies), header[layout.AT_ROWS], rows)
    return ModelRecipe(sheet.recipe(), order, model.nq, model.nv)


def _write_longest_length(sheet: Sheet, begin: int, bodies: int, table: int, rows: Sequence[Sequence[Any]]) -> None:
    """Let LENGTH be the longest of the lengths that a mechanism is given by."""
    for row in range(bodies):
        for column in (layout.AT, layout.COM):
            sheet.largest(begin + layout.LENGTH, begin + layout.HEADER + row * layout.BODY_SIZE + column, 3)
    for row, column, count in given_lengths(rows):
        sheet.largest(begin + layout.LENGTH, begin + table + row * layout.ROW_SIZE + column, count)


def _data_places(header: Sequence[Any]) -> list[int]:
    """Where the tables of a data end: its bodies, columns, laws, stacks, feet of curves, work space of constraints."""
    n, nv, nq, forces = (int(count) for count in header[: layout.PROGRAMS])
    m, rows = int(header[layout.EQUATIONS]), int(header[layout.ROWS])
    size = nv + m
    work = m * nv + nv**2 + size**2 + layout.WORK_VECTORS * max(size, nq) if m else 0
    sizes = n * layout.BODY_WORK, nv * layout.COLUMN_WORK, forces * layout.LAW_SIZE, 2 * layout.STACK, rows, work
    return [layout.DATA_HEADER + sum(sizes[: k + 1]) for k in range(len(sizes))]


def _columns(numbers: Numbers, index: int) -> list[list[Any]]:
    """Kind, index in q, index in u and axis of each velocity of a body's joint, as cells."""
    model = numbers.model
    qi, ui = model.q_offsets[index], model.u_offsets[index]
    rows: list[list[Any]] = []
    axes = iter(numbers.axes(index))
    for column in model.bodies[index].joint.columns():
        if column.kind == "ball":
            for j, axis in enumerate(([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])):
                rows.append([layout.BALL_NEXT if j else layout.BALL, qi, ui + j, *axis])
            qi, ui = qi + 4, ui + 3
        else:
            kind = layout.ROTATION if column.kind == "rotation" else layout.TRANSLATION
            rows.append([kind, qi, ui, *next(axes).cells()])
            qi, ui = qi + 1, ui + 1
    return rows
