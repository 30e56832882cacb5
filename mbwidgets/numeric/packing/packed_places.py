"""Where a model's bodies, columns and programs stand in its flat form, for what refers to them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...model.constraint_primitives import Direction
from ...model.joints import perpendicular_axes
from ...model.model import Model
from ..base.rotations import unit_components
from ..kernels.expression_vm import Assembler

__all__ = ["Places"]


class Places(NamedTuple):
    """Rows of the bodies by their index, first columns by row, and the programs that are being collected.

    ``kept`` are vectors that have been read: the rows of one constraint share theirs. They are known by identity, since
    0.0 and −0.0 are equal, and held with their numbers, so that no other can take their place.
    """

    model: Model
    row_of: dict[int, int]
    first_column: list[int]
    assembler: Assembler
    kept: dict[int, tuple[Any, Any]]

    def body(self, index: int) -> int:
        """The row of a body, −1 for the ground."""
        return self.row_of.get(index, -1)

    def bodies(self, pair: tuple[int, int]) -> tuple[int, int]:
        """The rows of two bodies."""
        return self.body(pair[0]), self.body(pair[1])

    def numbers(self, *values: Any) -> list[float]:
        """Scalars at the parameters' values."""
        return [self.model.number(value) for value in values]

    def vector(self, values: Any) -> list[float]:
        """Three scalars at the parameters' values."""
        if (found := self.kept.get(id(values))) is None:
            found = self.kept[id(values)] = values, [self.model.number(value) for value in values]
        return found[1]

    def unit(self, direction: Direction) -> Any:
        """A direction as three floats of length 1."""
        if (found := self.kept.get(id(direction))) is None:
            along: Any = unit_components(self.vector(direction.axis))
            if direction.across is not None:
                along = perpendicular_axes(along)[direction.across]
            found = self.kept[id(direction)] = direction, along
        return found[1]

    def column(self, body: int, velocity: int) -> int:
        """The column of a velocity, given by its place in u, of the joint that carries a body."""
        return self.first_column[self.row_of[body]] + velocity - self.model.u_offsets[body]

    def programs(self, *values: Any) -> int:
        """The number of the first of these expressions' programs."""
        numbers = [self.assembler.add(value) for value in values]
        return numbers[0]
