"""Parameters: named numbers that sliders, sweeps and formulae share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import ModelError, shorten
from ..expressions import FUNCTIONS, NAME, RESERVED, Expression, Symbol, as_scalar, evaluate
from .fields import as_text, dump_scalar, suggest_name

__all__ = ["Parameter"]


@dataclass(frozen=True, slots=True, repr=False)
class Parameter(Symbol):
    """A named number: ``Parameter("m2", 5.0, min=0.1, max=20, unit="kg")``.

    Arithmetic on parameters gives expressions, which stand wherever a model takes a number.
    Without a value it is a symbol only: formulae can be derived, numbers cannot.

    Attributes
    ----------
    name : letters, digits and ``_``; ``t``, ``q``, ``u``, ``pi`` and the functions' names are taken
    value : int, Fraction, float or None
    min, max : bounds of the slider, and of the value
    unit : shown next to the number

    >>> m = mb.Parameter("m", 2.0, min=0.1, max=10, unit="kg")
    >>> model = mb.Model([mb.Body("rod", mass=m, com=(0, 0, "-1/2"), inertia=(m / 12, m / 12, 0))])
    >>> model.with_values(m=6).values
    {'m': 6}
    """

    value: Any = None
    min: Any = None
    max: Any = None
    unit: str = ""

    def __post_init__(self) -> None:
        name: Any = self.name
        if not isinstance(name, str) or NAME.match(name) is None or RESERVED.match(name) or name in FUNCTIONS:
            raise ModelError(
                f"{shorten(name)} cannot name a parameter",
                remedy="start with a letter, then letters, digits or '_', at most 32; "
                "t, q, u, pi and the names of functions are taken",
            )
        where = f"parameter {name!r}"
        for field in ("value", "min", "max"):
            given = getattr(self, field)
            if given is not None:
                scalar = as_scalar(given, f"{where}: {field}")
                if isinstance(scalar, Expression) and next(scalar.leaves(), None) is None:
                    scalar = evaluate(scalar)
                if isinstance(scalar, Expression):
                    raise ModelError(
                        f"{field} = {scalar!s:.80} is not a plain number", where=where, remedy="give a number"
                    )
                object.__setattr__(self, field, scalar)
        try:
            object.__setattr__(self, "unit", as_text(self.unit))
        except ModelError as error:
            raise error.at(f"{where}: unit") from None
        low = -math.inf if self.min is None else self.min
        high = math.inf if self.max is None else self.max
        if low > high:
            raise ModelError(f"min {low} is above max {high}", where=where, remedy="exchange them")
        if self.value is not None and not low <= self.value <= high:
            raise ModelError(
                f"value {self.value} is outside {low} … {high}",
                where=where,
                remedy="change the value or widen min, max",
            )

    def __repr__(self) -> str:
        parts = [repr(self.name)]
        if self.value is not None:
            parts.append(_literal(self.value))
        parts += [
            f"{key}={_literal(bound)}" for key, bound in (("min", self.min), ("max", self.max)) if bound is not None
        ]
        if self.unit:
            parts.append(f"unit={self.unit!r}")
        return f"Parameter({', '.join(parts)})"

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, without the name."""
        result = {
            key: dump_scalar(getattr(self, key)) for key in ("value", "min", "max") if getattr(self, key) is not None
        }
        return {**result, "unit": self.unit} if self.unit else result

    @classmethod
    def from_dict(cls, name: str, data: Any) -> Parameter:
        """The parameter that ``{"value": 5.0, "min": …}``, or a bare number, describes."""
        if not isinstance(data, dict):
            return cls(name, data)
        known = ("value", "min", "max", "unit")
        for key in data:
            if key not in known:
                raise ModelError(
                    f"unknown field {shorten(key)}",
                    where=f"parameter {shorten(name)}",
                    remedy=suggest_name(str(key), known),
                )
        return cls(name, **data)


def _literal(value: Any) -> str:
    return f"Fraction({value.numerator}, {value.denominator})" if isinstance(value, Fraction) else repr(value)
