"""Where a model's bodies, columns and programs stand in its flat form, for what refers to them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...expressions import TIME, Expression
from ...model.constraint_primitives import Direction
from ...model.model import Model
from ..kernels.expression_vm import Assembler
from .recipe import UnitCells

__all__ = ["Places", "counted_from"]


class Places(NamedTuple):
    """Rows of the bodies by their index, first columns by row, and the programs that are being collected.

    ``begin``: the time from which the programs' own t is counted.
    """

    model: Model
    row_of: dict[int, int]
    first_column: list[int]
    assembler: Assembler
    begin: float = 0.0

    def body(self, index: int) -> int:
        """The row of a body, −1 for the ground."""
        return self.row_of.get(index, -1)

    def bodies(self, pair: tuple[int, int]) -> tuple[int, int]:
        """The rows of two bodies."""
        return self.body(pair[0]), self.body(pair[1])

    def unit(self, direction: Direction) -> list[Any]:
        """The three cells of a direction."""
        return UnitCells(direction.axis, direction.across).cells()

    def column(self, body: int, velocity: int) -> int:
        """The column of a velocity, given by its place in u, of the joint that carries a body."""
        return self.first_column[self.row_of[body]] + velocity - self.model.u_offsets[body]

    def programs(self, *values: Any) -> int:
        """The number of the first of these expressions' programs."""
        return self.curve_programs(*(counted_from(self.begin, value) for value in values))

    def curve_programs(self, *values: Any) -> int:
        """The same of expressions whose t is no time, but a curve's own parameter."""
        numbers = [self.assembler.add(value) for value in values]
        return numbers[0]


def counted_from(begin: float, value: Any) -> Any:
    """An expression of the time since ``begin``, where the one given is of the time itself."""
    if begin == 0.0 or not isinstance(value, Expression):
        return value
    return value.replace(lambda leaf: TIME + begin if leaf == TIME else leaf)
