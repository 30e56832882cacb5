"""Tables over time as expressions: measured or planned values, between which a cubic spline or steps stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ..errors import ExpressionError, shorten
from .tree import TIME, Expression, Symbol, Variable

__all__ = ["MAX_POINTS", "Table", "table_from_dict"]

MAX_POINTS: Final = 100_000
KINDS: Final = ("cubic", "steps")


@dataclass(frozen=True, slots=True, repr=False)
class Table(Expression):
    """A quantity by its values y at times t, s, for `Effort`, `Prescribed` and ``tau``.

    ``kind``: "cubic", the spline through the points whose third derivative does not jump at the second and the last but
    one; or "steps", where a value holds until the next time. Before the first time and after the last the value is the
    first and the last.

    >>> ramp = mb.Table([0, 1, 2], [0, 5, 5], kind="steps")
    >>> mb.simulate(mb.library.pendulum(1), tau=ramp, duration=2, rate=2).efforts[:, 0].tolist()
    [0.0, 0.0, 5.0, 5.0, 5.0]
    """

    t: Any
    y: Any
    kind: str = "cubic"
    argument: Any = TIME
    order: int = 0

    def __post_init__(self) -> None:
        for name in ("t", "y"):
            if not (type(getattr(self, name)) is tuple and self.order):
                object.__setattr__(self, name, _numbers(getattr(self, name), name))
        if self.kind not in KINDS:
            raise ExpressionError(f"kind {shorten(self.kind)}", where="table", remedy='give "cubic" or "steps"')
        if len(self.t) != len(self.y):
            raise ExpressionError(
                f"{len(self.t)} times and {len(self.y)} values", where="table", remedy="give as many of both"
            )
        if not 2 <= len(self.t) <= MAX_POINTS:
            raise ExpressionError(f"{len(self.t)} points", where="table", remedy=f"give 2 to {MAX_POINTS}")
        falls = np.flatnonzero(np.diff(self.t) <= 0)
        if len(falls):
            k = int(falls[0])
            raise ExpressionError(
                f"t[{k + 1}] = {self.t[k + 1]:g} does not rise above t[{k}] = {self.t[k]:g}",
                where="table",
                remedy="sort the points by time: k = numpy.argsort(t), t[k], y[k]",
            )

    def __repr__(self) -> str:
        return f"Table({len(self.t)} points, {self.t[0]:g} … {self.t[-1]:g} s, {self.kind!r})"

    def children(self) -> tuple[Any, ...]:
        return (self.argument,)

    def leaves(self) -> Iterator[Symbol | Variable]:
        if isinstance(self.argument, Expression):
            yield from self.argument.leaves()

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        inner = self.argument.replace(leaf) if isinstance(self.argument, Expression) else self.argument
        return self if inner is self.argument else Table(self.t, self.y, self.kind, inner, self.order)

    def slope(self) -> Table:
        """The derivative by its argument, but where it jumps."""
        return Table(self.t, self.y, self.kind, self.argument, self.order + 1)

    @property
    def pieces(self) -> tuple[np.ndarray, np.ndarray]:
        """Knots (n + 1,) and coefficients (n, 4) of 1, x, x², x³ from the knot before."""
        return _pieces(self.t, self.y, self.kind, self.order)

    def value_at(self, x: Any) -> Any:
        """The value at one argument, or at an array of them."""
        knots, coefficients = self.pieces
        inside = np.clip(x, knots[0], knots[-1])
        k = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, len(coefficients) - 1)
        d, c = inside - knots[k], coefficients[k]
        found = c[..., 0] + d * (c[..., 1] + d * (c[..., 2] + d * c[..., 3]))
        if self.order:
            found = np.where((x < self.t[0]) | (x > self.t[-1]), 0.0, found)
        return found if np.ndim(x) else float(found)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {"table": {"t": list(self.t), "y": list(self.y), "kind": self.kind}}


def table_from_dict(given: Mapping[str, Any]) -> Table:
    """The table of its JSON form."""
    inner = given.get("table")
    if set(given) != {"table"} or not isinstance(inner, Mapping) or not {"t", "y"} <= set(inner) <= {"t", "y", "kind"}:
        raise ExpressionError(
            f"{shorten(given)} is no number", remedy='give a number, a text, or {"table": {"t": […], "y": […]}}'
        )
    return Table(inner["t"], inner["y"], inner.get("kind", "cubic"))


def _numbers(given: Any, name: str) -> tuple[float, ...]:
    """Finite floats."""
    try:
        if isinstance(given, str | bytes | Mapping) or np.iscomplexobj(given):
            raise TypeError
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise ExpressionError(f"{name} = {shorten(given)}", where="table", remedy="give a list of numbers") from None
    if found.ndim != 1:
        raise ExpressionError(f"{name} has {found.ndim} indices", where="table", remedy="give a list of numbers")
    bad = np.flatnonzero(~np.isfinite(found))
    if len(bad):
        raise ExpressionError(f"{name}[{bad[0]}] = {found[bad[0]]}", where="table", remedy="give finite numbers")
    return tuple(found.tolist())


@lru_cache(maxsize=64)
def _pieces(t: tuple[float, ...], y: tuple[float, ...], kind: str, order: int) -> tuple[np.ndarray, np.ndarray]:
    if kind == "steps":
        knots = np.append(t, t[-1] + 1.0)
        coefficients = np.zeros((len(t), 4))
        coefficients[:, 0] = 0.0 if order else y
        return knots, coefficients
    from scipy.interpolate import CubicSpline

    found = np.ascontiguousarray(CubicSpline(t, y).c[::-1].T)
    coefficients = np.zeros((len(t) - 1, 4))
    coefficients[:, : found.shape[1]] = found
    for _ in range(order):
        coefficients = np.column_stack([coefficients[:, 1:] * [1.0, 2.0, 3.0], np.zeros(len(coefficients))])
    return np.array(t), coefficients
