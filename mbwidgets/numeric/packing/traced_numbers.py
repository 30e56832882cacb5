"""Numbers that remember how they were computed: run a function of NumPy arrays on them, and it is a program.

An array of traced numbers is an array of objects. What NumPy does with objects (+, −, ·, /, @, einsum, stack, cross,
sqrt, sin, arctan2 …) works as with floats; what depends on their values, such as ``if`` and sorting, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isfinite, pi
from operator import add, mul, sub, truediv
from typing import Any, Final, NoReturn

import numpy as np

from ...symbolic.code.operation_trace import Node, Trace
from ...symbolic.formula.formula import Formula

__all__ = ["TracedNumber", "Tracer", "greater", "largest_size", "lengths_of", "traced_where"]

DEGREES: Final = 180.0 / pi
PLAIN: Final = (int, float, Fraction, np.floating, np.integer)
OPEN: Final = "what is computed here depends on numbers that are not known yet"


class TracedNumber:
    """A number of a program; with plain numbers it computes as one of them."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node

    def _combined(self, other: Any, operation: Callable[[Node, Node], Node]) -> Any:
        """With another operand; NaN where that is not finite."""
        if isinstance(other, TracedNumber):
            return TracedNumber(operation(self.node, other.node))
        if not isinstance(other, PLAIN):
            return NotImplemented
        if not isfinite(other):
            return np.nan
        return TracedNumber(operation(self.node, self.node.trace.constant(_exact(other))))

    def __add__(self, other: Any) -> Any:
        return self._combined(other, add)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._combined(other, sub)

    def __rsub__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._combined(other, mul)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._combined(other, truediv)

    def __rtruediv__(self, other: Any) -> Any:
        return self._combined(other, lambda a, b: b / a)

    def __neg__(self) -> TracedNumber:
        return TracedNumber(-self.node)

    def __pos__(self) -> TracedNumber:
        return self

    def __abs__(self) -> TracedNumber:
        return self.call("abs")

    def __pow__(self, exponent: Any) -> Any:
        if exponent != int(exponent) or exponent < 1:
            raise TypeError(f"a power {exponent}")
        result: Any = self
        for _ in range(int(exponent) - 1):
            result = result * self
        return result

    def __gt__(self, other: Any) -> TracedCondition:
        return TracedCondition(other - self)

    def __bool__(self) -> NoReturn:
        raise TypeError(OPEN)

    def __float__(self) -> NoReturn:
        raise TypeError(OPEN)

    def __lt__(self, other: Any) -> NoReturn:
        raise TypeError(OPEN)

    __le__ = __ge__ = __lt__

    # The names by which NumPy asks an object.

    def call(self, name: str, *more: Any) -> TracedNumber:
        """A function of the expression machine."""
        trace = self.node.trace
        others = [item.node if isinstance(item, TracedNumber) else trace.constant(_exact(item)) for item in more]
        return TracedNumber(trace.call(name, self.node, *others))

    def sqrt(self) -> TracedNumber:
        return self.call("sqrt")

    def sin(self) -> TracedNumber:
        return self.call("sin")

    def cos(self) -> TracedNumber:
        return self.call("cos")

    def degrees(self) -> Any:
        return self * DEGREES

    def arctan2(self, other: Any) -> TracedNumber:
        return self.call("atan2", other)

    def hypot(self, other: Any) -> Any:
        return (self * self + other * other).sqrt()

    def conjugate(self) -> TracedNumber:
        return self


def _exact(value: Any) -> Fraction | int:
    return value if isinstance(value, (int, Fraction)) else Fraction(float(value))


class TracedCondition:
    """a > b, which only the program can decide; ``rest`` is b − a."""

    __slots__ = ("rest",)

    def __init__(self, rest: TracedNumber) -> None:
        self.rest = rest

    def __bool__(self) -> NoReturn:
        raise TypeError(OPEN)

    def choose(self, yes: Any, no: Any) -> TracedNumber:
        """The first where it holds, else the second."""
        return self.rest.call("where", self._known(no), self._known(yes))

    def _known(self, value: Any) -> Any:
        return _nothing(self.rest.node.trace) if isinstance(value, float) and value != value else value


class _PlacedTrace(Trace):
    """A trace whose coordinates, velocities, accelerations and parameters are numbers of tables."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        super().__init__()

    def input(self, name: str, index: int) -> Node:
        """An input of a formula, or one of the tracer's own, ``n``."""
        if name in ("n", "t"):
            return super().input(name, index)
        if name == "p":
            return self._tracer.parameter(self.parameters[index]).node
        return self._tracer.number(name, index).node


class Tracer:
    """Collects the inputs of a program: numbers of tables, each in a place of a frame's row.

    ``parameters`` are the names of the table of that name, for formulae.
    """

    def __init__(self, parameters: Sequence[str] = ()) -> None:
        self.parameters = {name: place for place, name in enumerate(parameters)}
        self.trace: Trace = _PlacedTrace(self)
        self.formulae = 0
        self.places: list[tuple[str, int]] = []
        self._known: dict[tuple[str, int], int] = {}

    def number(self, table: str, place: int) -> TracedNumber:
        """The number of a table in every frame."""
        key = (table, place)
        if key not in self._known:
            self._known[key] = len(self.places)
            self.places.append(key)
        return TracedNumber(self.trace.input("n", self._known[key]))

    def parameter(self, name: str) -> TracedNumber:
        """A parameter of the model."""
        return self.number("parameters", self.parameters[name])

    def formula(self, formula: Formula) -> np.ndarray:
        """The entries of an exact formula, (1, shape…): it holds as long as only parameters change."""
        self.formulae += 1
        out = np.empty(len(formula.entries), dtype=object)
        out[:] = [TracedNumber(self.trace.element(entry)) for entry in formula.entries]
        return out.reshape(1, *formula.shape)

    def plain(self, value: Any) -> TracedNumber:
        """A finite number that is always the same."""
        return TracedNumber(self.trace.constant(_exact(value)))

    @property
    def nothing(self) -> TracedNumber:
        """What is no number."""
        return _nothing(self.trace)

    def array(self, table: str, places: Iterable[int] | int, *shape: int) -> np.ndarray:
        """Numbers of a table as an array of one frame (1, shape…); ``places`` are these, or that many from 0 on."""
        wanted = range(places) if isinstance(places, int) else places
        found = [self.number(table, place) for place in wanted]
        out = np.empty(len(found), dtype=object)
        out[:] = found
        return out.reshape(1, *(shape or (len(found),)))


def _nothing(trace: Trace) -> TracedNumber:
    """NaN: the machine finds it as the root of −1."""
    return TracedNumber(trace.call("sqrt", trace.constant(-1)))


def lengths_of(vectors: Any, axis: int = -1) -> np.ndarray:
    """|v| along an axis, of floats or of traced numbers."""
    array = np.asarray(vectors)
    return np.asarray(np.sqrt((array * array).sum(axis=axis)))


def greater(a: np.ndarray, b: Any) -> np.ndarray:
    """a > b, entry by entry; of traced numbers a condition, for `traced_where`."""
    return np.asarray(np.greater(a, b, dtype=object) if a.dtype == object else a > b)


def largest_size(rows: np.ndarray) -> np.ndarray:
    """The largest |x| of each row (frames, k), of floats or of traced numbers."""
    sizes = np.abs(rows)
    if sizes.dtype != object:
        return np.asarray(sizes.max(axis=1))
    with np.errstate(invalid="ignore"):  # what is no number stays so
        return np.asarray(np.frompyfunc(_larger, 2, 1).reduce(sizes, axis=1))


def _larger(a: Any, b: Any) -> Any:
    if isinstance(a, TracedNumber):
        return a.call("max", b)
    return b.call("max", a) if isinstance(b, TracedNumber) else max(a, b)


def traced_where(condition: np.ndarray, yes: Any, no: Any) -> np.ndarray:
    """As `np.where`; a condition a > b of traced numbers is the program's to decide."""
    if condition.dtype != object:
        return np.where(condition, yes, no)
    choose = np.frompyfunc(_chosen, 3, 1)
    with np.errstate(invalid="ignore"):  # NaN is looked at
        return np.asarray(choose(condition, np.asarray(yes, dtype=object), np.asarray(no, dtype=object)))


def _chosen(condition: Any, yes: Any, no: Any) -> Any:
    if not isinstance(condition, TracedCondition):
        return yes if condition else no
    return condition.choose(yes, no)
