"""From which numbers a parameter is drawn: a grid, fractions with small denominators, or a list."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from ..errors import AssignmentError, MbwidgetsError, shorten
from ..expressions import Expression, as_scalar, decimal

__all__ = ["Draw", "Fractions", "Grid", "OneOf", "read_draw"]

MAX_VALUES: Final = 1_000_000
MAX_DENOMINATOR: Final = 100


class Draw:
    """A finite, ordered set of exact numbers; `pick` takes one by its number."""

    type: ClassVar[str] = ""

    def __len__(self) -> int:
        raise NotImplementedError

    def pick(self, index: int) -> int | Fraction:
        """The number at a place, counted from 0."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        raise NotImplementedError


@dataclass(frozen=True)
class Grid(Draw):
    """low, low + step, …, up to high: ``Grid("0.5", 3, "0.1")``."""

    type: ClassVar[str] = "grid"
    low: Any
    high: Any
    step: Any

    def __post_init__(self) -> None:
        for name in ("low", "high", "step"):
            object.__setattr__(self, name, exact_fraction(getattr(self, name), name))
        if self.step <= 0 or self.low > self.high:
            raise AssignmentError(
                f"from {self.low!s:.30} to {self.high!s:.30} by {self.step!s:.30}",
                remedy="give low ≤ high and a step > 0",
            )
        _check_count((self.high - self.low) / self.step + 1)

    def __len__(self) -> int:
        return int((self.high - self.low) / self.step) + 1

    def pick(self, index: int) -> int | Fraction:
        return _plain(self.low + index * self.step)

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.type, "low": str(self.low), "high": str(self.high), "step": str(self.step)}


@dataclass(frozen=True)
class Fractions(Draw):
    """Nice numbers: every fraction in low … high whose denominator is small, ``Fractions(1, 3, denominator=4)``."""

    type: ClassVar[str] = "fractions"
    low: Any
    high: Any
    denominator: int = 4

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, exact_fraction(getattr(self, name), name))
        if type(self.denominator) is not int or not 1 <= self.denominator <= MAX_DENOMINATOR:
            raise AssignmentError(
                f"denominator {shorten(self.denominator)}", remedy=f"give a whole number from 1 to {MAX_DENOMINATOR}"
            )
        if self.low > self.high:
            raise AssignmentError(f"from {self.low!s:.30} to {self.high!s:.30}", remedy="give low ≤ high")
        _check_count((self.high - self.low) * self.denominator**2)
        object.__setattr__(self, "_values", tuple(sorted(self._found())))
        _check_count(len(self))

    def _found(self) -> set[Fraction]:
        return {
            Fraction(number, bottom)
            for bottom in range(1, self.denominator + 1)
            for number in range(math.ceil(self.low * bottom), math.floor(self.high * bottom) + 1)
        }

    def __len__(self) -> int:
        return len(self._values)  # type: ignore[attr-defined]

    def pick(self, index: int) -> int | Fraction:
        return _plain(self._values[index])  # type: ignore[attr-defined]

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.type, "low": str(self.low), "high": str(self.high), "denominator": self.denominator}


@dataclass(frozen=True)
class OneOf(Draw):
    """One of the numbers listed, in their order: ``OneOf([-2, -1, 1, 2])``."""

    type: ClassVar[str] = "one of"
    values: Any

    def __post_init__(self) -> None:
        given = self.values if isinstance(self.values, list | tuple) else ()
        object.__setattr__(self, "values", tuple(exact_fraction(value, f"value {i}") for i, value in enumerate(given)))
        _check_count(len(self))

    def __len__(self) -> int:
        return len(self.values)

    def pick(self, index: int) -> int | Fraction:
        return _plain(self.values[index])

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.type, "values": [str(value) for value in self.values]}


_KINDS: Final[dict[str, Any]] = {kind.type: kind for kind in (Grid, Fractions, OneOf)}


def read_draw(data: Any) -> Draw:
    """The draw that a JSON object describes."""
    if isinstance(data, Draw):
        return data
    if not isinstance(data, Mapping) or not isinstance(data.get("type"), str) or data["type"] not in _KINDS:
        raise AssignmentError(f"{shorten(data)} is not a draw", remedy=f"give a type: {', '.join(_KINDS)}")
    rest = {key: value for key, value in data.items() if key != "type"}
    try:
        draw: Draw = _KINDS[data["type"]](**rest)
    except TypeError:
        raise AssignmentError(
            f"{shorten(sorted(rest))} are not the fields of {data['type']!r}", remedy="see mb.assignments"
        ) from None
    return draw


def exact_fraction(value: Any, where: str) -> Fraction:
    """A number as the fraction that its text says: 0.1 is 1/10."""
    try:
        scalar = as_scalar(value, where)
    except MbwidgetsError as error:
        raise AssignmentError(error.problem, where=error.where, remedy=error.remedy) from None
    if isinstance(scalar, Expression):
        raise AssignmentError(f"{shorten(str(scalar))} is not a plain number", where=where, remedy="give a number")
    return decimal(scalar) if isinstance(scalar, float) else Fraction(scalar)


def _plain(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def _check_count(count: Any) -> None:
    if not 1 <= count <= MAX_VALUES:
        raise AssignmentError(f"{shorten(count)} values to draw from", remedy=f"give 1 to {MAX_VALUES}")
