"""The base of all solids: mass, mass centre and inertia from a measure, a centre and a gyration tensor."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from ..errors import ModelError, shorten
from ..expressions import float_that_prints_as, fraction_if_short_decimal
from .fields import Record, constant_value
from .tensors import MassProperties, Tensor, Vector, float_if_too_long, scale_tensor

__all__ = ["Solid", "check_sizes", "fractions_to_floats"]


@dataclass(frozen=True)
class Solid(Record):
    """Base of all solids. ``at`` is the solid's centre in the body; ``density`` is a mass per volume (per
    length of a rod, per area of a disk)."""

    @cached_property
    def exact(self) -> Self:
        """The same solid with every written decimal as the fraction that it says: what is computed is computed so."""
        given = {item.name: getattr(self, item.name) for item in fields(self)}
        exact = {name: _exactly(value) for name, value in given.items()}
        if all(exact[name] is value for name, value in given.items()):
            return self
        twin = object.__new__(type(self))  # what was checked once is not read again
        vars(twin).update(exact)
        return twin

    def measure(self) -> Any:
        """Volume, or length of a rod, area of a disk, one for a point."""
        raise NotImplementedError

    def gyration(self) -> Tensor:
        """Inertia at the mass centre for one unit of mass."""
        raise NotImplementedError

    def centre(self) -> Vector:
        """The mass centre in the body."""
        return self.exact.at  # type: ignore[attr-defined, no-any-return]

    def own_mass(self) -> Any:
        """The mass that the solid states by itself, or None."""
        own = self.exact
        if own.mass is not None:  # type: ignore[attr-defined]
            return own.mass  # type: ignore[attr-defined]
        density = own.density  # type: ignore[attr-defined]
        return None if density is None else density * own.measure()

    def properties(self, mass: Any = None) -> MassProperties:
        """Mass properties; ``mass`` overrides the solid's own mass or density."""
        try:
            total = self.own_mass() if mass is None else fraction_if_short_decimal(mass)
            if total is None:
                raise ModelError("neither mass nor density is known", remedy="give mass=… or density=…")
            found = MassProperties(total, self.centre(), scale_tensor(self.gyration(), total))
            return fractions_to_floats(found, given_as_floats=self.exact is not self or isinstance(mass, float))
        except ArithmeticError:
            raise ModelError(
                "its mass properties are not finite",
                where=self.type,
                remedy="give sizes that a float can square",
            ) from None


def fractions_to_floats(found: MassProperties, *, given_as_floats: bool) -> MassProperties:
    """What was computed of decimals as decimals again where these say the same."""
    if not given_as_floats:
        return found

    def plain(value: Any) -> Any:
        value = float_if_too_long(value)
        return float_that_prints_as(Fraction(value)) if value and isinstance(value, int | Fraction) else value

    mass, com, inertia = found
    return MassProperties(
        plain(mass),
        (plain(com[0]), plain(com[1]), plain(com[2])),
        tuple(tuple(plain(item) for item in row) for row in inertia),  # type: ignore[arg-type]
    )


def _exactly(value: Any) -> Any:
    """Written decimals as fractions, inside tuples and solids too; the same object where there are none."""
    if isinstance(value, float):
        return fraction_if_short_decimal(value)
    if isinstance(value, Solid):
        return value.exact
    if isinstance(value, tuple):
        exact = tuple(map(_exactly, value))
        return value if all(a is b for a, b in zip(exact, value, strict=True)) else exact
    return value


def check_sizes(solid: Solid, *sizes: Any) -> None:
    for size in sizes:
        known = constant_value(size)
        if known is not None and known <= 0:
            raise ModelError(f"size {shorten(size)} is not positive", where=solid.type, remedy="give sizes > 0")
