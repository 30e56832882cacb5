"""Recipes: how the packed numbers of a model follow from the values of its parameters.

`pack` lays a model out as cells: plain numbers, expressions of parameters, directions. A `Sheet` turns them into a
template, which holds the plain numbers, and steps (`kernels.recipe_steps`), which fill the rest. A change of a value is
then a change of numbers: the same kernel does it in Python and in a page, to the same bits, and nothing in a recipe is
code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import ExpressionError, MbwidgetsError, ModelError
from ...expressions import Expression, Symbol, Variable, evaluate
from ..kernels import recipe_steps
from ..kernels.expression_vm import Assembler
from .machine import machine_data, machine_of

__all__ = ["Recipe", "Sheet", "UnitCells"]


class UnitCells(NamedTuple):
    """Three cells: the unit vector along an axis, or with ``across`` 0 or 1 one of two across it."""

    axis: tuple[Any, ...]
    across: int | None = None

    def cells(self) -> list[Any]:
        """The three cells, of which the first holds all."""
        return [self, REST, REST]


REST: Final = UnitCells(())
"""The second and third cell of a unit vector."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """Numbers by slot, and the steps that fill those that depend on parameters.

    ``names`` are the parameters in the order of their values; ``machine`` holds the programs; ``cells`` what stands in
    the slots that steps fill, for messages.
    """

    names: tuple[str, ...]
    template: np.ndarray
    steps: np.ndarray
    machine: np.ndarray
    cells: Mapping[int, Any]

    def numbers(self, values: Mapping[str, Any]) -> np.ndarray:
        """The numbers at these values of the parameters.

        Raises
        ------
        ExpressionError : a number is not finite, or a parameter has no value
        ModelError : a direction is the zero vector
        """
        given = np.array([np.nan if values[name] is None else float(values[name]) for name in self.names])
        numbers = self.template.copy()
        failed = recipe_steps.follow_recipe(self.machine, machine_data(self.machine), self.steps, given, numbers)
        if failed >= 0:
            raise self._fault(int(self.steps[failed, 1]), values)
        return numbers

    def _fault(self, slot: int, values: Mapping[str, Any]) -> MbwidgetsError:
        cell = self.cells.get(slot)
        if isinstance(cell, UnitCells):
            try:
                known = [evaluate(item, values) for item in cell.axis]
            except MbwidgetsError as error:
                return error
            if not any(known):
                return ModelError("an axis is the zero vector", remedy="give a direction")
            return ModelError(f"an axis has the components {known}", remedy="give smaller numbers")
        try:
            evaluate(cell, values)
        except MbwidgetsError as error:
            return error
        return ExpressionError(f"{cell} is not finite", remedy="change the values of its parameters")


@dataclass
class Sheet:
    """A template that is being filled, and the steps that it will need."""

    names: tuple[str, ...]
    template: np.ndarray
    steps: list[tuple[int, int, int, int]] = field(default_factory=list)
    cells: dict[int, Any] = field(default_factory=dict)
    _assembler: Assembler = field(default_factory=Assembler)
    _slots: dict[Any, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._places = {name: place for place, name in enumerate(self.names)}

    def write(self, slot: int, cells: Sequence[Any]) -> None:
        """Write cells from a slot on."""
        for place, cell in enumerate(cells, slot):
            if isinstance(cell, UnitCells):
                if cell is not REST:
                    self._write_unit(place, cell)
            elif isinstance(cell, Expression):
                self._write_expression(place, cell)
            else:
                self.template[place] = cell

    def largest(self, slot: int, first: int, count: int) -> None:
        """Let a slot be the largest absolute value of itself and of ``count`` numbers from ``first`` on."""
        self.steps.append((recipe_steps.LARGEST, slot, first, count))

    def recipe(self) -> Recipe:
        """The recipe for what has been written."""
        steps = np.array(self.steps, dtype=float).reshape(-1, 4)
        return Recipe(self.names, self.template, steps, machine_of(self._assembler), self.cells)

    def _write_unit(self, slot: int, cell: UnitCells) -> None:
        known, self._slots = self._slots, {}  # what will be divided by its length is no source of copies
        self.write(slot, cell.axis)
        self._slots = known
        self.cells[slot] = cell
        self.steps.append((recipe_steps.UNIT, slot, 0, 3))
        if cell.across is not None:
            self.steps.append((recipe_steps.ACROSS, slot, cell.across, 3))

    def _write_expression(self, slot: int, cell: Expression) -> None:
        self.cells[slot] = cell
        if (known := self._slots.get(cell)) is not None:
            self.steps.append((recipe_steps.COPY, slot, known, 1))
            return
        program = self._assembler.add(cell.replace(self._parameter))
        self.steps.append((recipe_steps.PROGRAM, slot, program, 1))
        self._slots[cell] = slot

    def _parameter(self, leaf: Symbol | Variable) -> Any:
        """A parameter as the coordinate that the programs read; one that the model does not hold is its own value."""
        if isinstance(leaf, Symbol) and leaf.name in self._places:
            return Variable("q", self._places[leaf.name])
        return evaluate(leaf)
