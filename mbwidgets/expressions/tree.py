"""The tree: nodes, arithmetic that folds what is exact, values, limits."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Final

from ..errors import ExpressionError, shorten
from .allowed import ARITY, FUNCTIONS, apply_function, exact_value
from .constants import (
    as_fraction,
    compute_finite_constant,
    constant_power,
    fold_constants,
    normalised_exact_constant,
)

MAX_LENGTH: Final = 2000
MAX_DEPTH: Final = 60
MAX_NODES: Final = 2000
MAX_DIGITS: Final = 310
MAX_POWER: Final = 32
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}\Z", re.ASCII)
RESERVED: Final = re.compile(r"(?:t|pi|(?:q|u|qd|ud|qdd)[0-9]*)\Z", re.ASCII)

Constant = int | Fraction | float
Scalar = "Constant | Expression"


class Expression:
    """A value that is not known yet: arithmetic on it builds a tree, `evaluate` gives its number."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return _binary(add, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(add, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(lambda a, b: add(a, multiply(-1, b)), self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(lambda a, b: add(a, multiply(-1, b)), other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(multiply, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary(lambda a, b: multiply(a, raise_to(b, -1)), self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(lambda a, b: multiply(a, raise_to(b, -1)), other, self)

    def __pow__(self, exponent: Any) -> Any:
        return raise_to(self, exponent)

    def __neg__(self) -> Any:
        return multiply(-1, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return call("abs", self)

    def __str__(self) -> str:
        return text_of(self)

    def __float__(self) -> float:
        raise ExpressionError(
            f"{self} is an expression, not a float: a float would lose its parameters",
            remedy="use mb.sin, mb.sqrt … instead of math's, and evaluate where a number is wanted",
        )

    def sin(self) -> Any:
        """sin of the expression; NumPy's function calls it too, and so for the others."""
        return call("sin", self)

    def cos(self) -> Any:
        """cos of the expression."""
        return call("cos", self)

    def tan(self) -> Any:
        """tan of the expression."""
        return call("tan", self)

    def sqrt(self) -> Any:
        """√ of the expression."""
        return call("sqrt", self)

    def exp(self) -> Any:
        """exp of the expression."""
        return call("exp", self)

    def log(self) -> Any:
        """log of the expression."""
        return call("log", self)

    def tanh(self) -> Any:
        """tanh of the expression."""
        return call("tanh", self)

    def arctan(self) -> Any:
        """atan of the expression, by the name that NumPy has for it."""
        return call("atan", self)

    def arcsin(self) -> Any:
        """asin of the expression, by the name that NumPy has for it."""
        return call("asin", self)

    def arctan2(self, x: Any) -> Any:
        """atan2 of the expression and x, by the name that NumPy has for it."""
        return call("atan2", self, as_scalar(x))

    def arccos(self) -> Any:
        """acos of the expression, by the name that NumPy has for it."""
        return call("acos", self)

    def children(self) -> tuple[Any, ...]:
        """The operands, constants included."""
        return ()

    def leaves(self) -> Iterator[Symbol | Variable]:
        """Every symbol and variable, with repetitions."""
        for child in self.children():
            if isinstance(child, Expression):
                yield from child.leaves()

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        """The same expression with every symbol and variable passed through ``leaf``."""
        raise NotImplementedError

    def _sympy_(self) -> Any:
        """SymPy's conversion hook: expressions mix freely with SymPy's own."""
        from .sympy_bridge import to_sympy

        return to_sympy(self)


@dataclass(frozen=True, slots=True, repr=False)
class Symbol(Expression):
    """A parameter's name."""

    name: str

    def __repr__(self) -> str:
        return self.name

    def leaves(self) -> Iterator[Symbol | Variable]:
        yield self

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return leaf(self)


@dataclass(frozen=True, slots=True, repr=False)
class Variable(Expression):
    """Time ``t``, a coordinate ``q[i]``, a velocity ``u[i]`` or an acceleration ``ud[i]``, counted from 0."""

    kind: str
    index: int = 0

    def __repr__(self) -> str:
        return "t" if self.kind == "t" else f"{self.kind}[{self.index}]"

    def leaves(self) -> Iterator[Symbol | Variable]:
        yield self

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return leaf(self)


NOWHERE: Final = 1 << 30
"""The number of a coordinate that is known by its name alone: no mechanism has it, so all who look it up refuse it."""


@dataclass(frozen=True, slots=True, repr=False)
class NamedVariable(Variable):
    """A coordinate or velocity by the name of its joint, ``q[rod]``; a model gives it its number."""

    index: int = NOWHERE
    name: str = ""

    def __repr__(self) -> str:
        return f"{self.kind}[{self.name}]"


@dataclass(frozen=True, slots=True, repr=False)
class PointVariable(Variable):
    """Place or velocity of a point of a body along an axis of the world, m or m/s: ``x[rod]``, ``vz[rod, 0, 0, 1]``.

    ``kind`` is "q" for a place and "u" for a velocity, ``name`` "x" … "vz", ``at`` the point in the body's axes from
    O*. It stays as it is written; a model tells what it is in its coordinates when it is asked (`model.point_places`),
    so that it follows the joints.
    """

    index: int = NOWHERE
    name: str = ""
    body: str | int = ""
    at: tuple[Any, ...] = (0, 0, 0)

    def __repr__(self) -> str:
        point = "" if self.at == (0, 0, 0) else "".join(f", {number}" for number in self.at)
        return f"{self.name}[{self.body}{point}]"


@dataclass(frozen=True, slots=True, repr=False)
class Pi(Expression):
    """The number π, kept exact.

    >>> 2 * mb.pi
    2*pi
    """

    def __repr__(self) -> str:
        return "pi"

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return self


@dataclass(frozen=True, slots=True, repr=False)
class Sum(Expression):
    """Two or more terms; a constant, if any, stands last."""

    terms: tuple[Any, ...]

    def __repr__(self) -> str:
        return text_of(self)

    def children(self) -> tuple[Any, ...]:
        return self.terms

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return add(*(_replace(term, leaf) for term in self.terms))


@dataclass(frozen=True, slots=True, repr=False)
class Product(Expression):
    """Two or more factors; a constant, if any, stands first."""

    factors: tuple[Any, ...]

    def __repr__(self) -> str:
        return text_of(self)

    def children(self) -> tuple[Any, ...]:
        return self.factors

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return multiply(*(_replace(factor, leaf) for factor in self.factors))


@dataclass(frozen=True, slots=True, repr=False)
class Power(Expression):
    """A base to a small integer power."""

    base: Expression
    exponent: int

    def __repr__(self) -> str:
        return text_of(self)

    def children(self) -> tuple[Any, ...]:
        return (self.base,)

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return raise_to(_replace(self.base, leaf), self.exponent)


@dataclass(frozen=True, slots=True, repr=False)
class Call(Expression):
    """A function of the allow-list applied to an argument, or to more."""

    name: str
    argument: Any
    rest: tuple[Any, ...] = ()

    def __repr__(self) -> str:
        return text_of(self)

    def children(self) -> tuple[Any, ...]:
        return self.arguments

    @property
    def arguments(self) -> tuple[Any, ...]:
        """All arguments."""
        return (self.argument, *self.rest)

    def replace(self, leaf: Callable[[Symbol | Variable], Any]) -> Any:
        return call(self.name, *(_replace(argument, leaf) for argument in self.arguments))


PI: Final = Pi()
TIME: Final = Variable("t")


def as_scalar(value: Any, where: str = "number") -> Any:
    """A number, expression, text or SymPy expression as `int`, `Fraction`, `float` or `Expression`."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        from .parser import parse_expression

        try:
            return parse_expression(value)
        except ExpressionError as error:
            raise error.at(where) from None
    if isinstance(value, bool):
        raise ExpressionError(f"{value} is not a number", where=where, remedy="give a number or an expression")
    if type(value) is int:
        return normalised_exact_constant(value)
    if isinstance(value, Rational):
        return normalised_exact_constant(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, float | Real):
        # a float of another width is the decimal that it prints as: float32's 0.1 is 0.1
        number = float(value) if isinstance(value, float) else float(str(value))
        if not math.isfinite(number):
            raise ExpressionError(f"{number} is not finite", where=where, remedy="give a finite number")
        return number
    # by ancestry: the class of an undefined function such as f(t) has no module of its own
    if any((kind.__module__ or "").partition(".")[0] == "sympy" for kind in type(value).__mro__):
        from .sympy_bridge import from_sympy

        return from_sympy(value, where)
    remedy = "give a number, a Fraction, a Parameter or an expression of parameters"
    if callable(value):  # a model is data, which a file can hold
        remedy = "write an expression or an mb.Table, or give the function to mb.simulate(…, tau=…)"
    raise ExpressionError(f"{shorten(value)} is not a number", where=where, remedy=remedy)


def call(name: str, *arguments: Any) -> Any:
    """A function of the allow-list, folded where the result is exact."""
    if name not in FUNCTIONS:
        raise ExpressionError(f"unknown function {shorten(name)}", remedy=f"use one of {', '.join(FUNCTIONS)}")
    if len(arguments) != ARITY.get(name, 1):
        raise ExpressionError(
            f"{name} of {len(arguments)} arguments", remedy=f"write {name} of {ARITY.get(name, 1)}, with commas between"
        )
    if name != "where" and not any(isinstance(argument, Expression) for argument in arguments):
        if (found := exact_value(name, *arguments)) is not None:
            return found
        if any(isinstance(argument, float) for argument in arguments):
            apply_function(name, *arguments)  # refused here where it has no value; kept, since no float is the value
    if name == "where" and not isinstance(arguments[0], Expression):
        return arguments[1] if arguments[0] >= 0 else arguments[2]
    if name in ("min", "max", "where") and arguments[-2] == arguments[-1]:
        return arguments[-1]
    return Call(name, arguments[0], arguments[1:])


def evaluate(
    value: Any, symbols: Mapping[str, Any] | None = None, state: Callable[[Variable], float] | None = None
) -> float:
    """The number that an expression has when its symbols take the values given."""
    return float(compute_finite_constant(float, value, _evaluate(value, symbols or {}, state)))


def _evaluate(value: Any, symbols: Mapping[str, Any], state: Callable[[Variable], float] | None) -> Any:
    match value:
        case int() | float() | Fraction():
            return value
        case Symbol(name=name):
            number = symbols.get(name, getattr(value, "value", None))
            if number is None:
                raise ExpressionError(
                    f"parameter {name!r} has no value", remedy=f"give it one: Parameter({name!r}, value)"
                )
            return _evaluate(number, symbols, state)
        case Variable():
            if state is None:
                raise ExpressionError(f"{value!r} is not known here", remedy="use parameters and numbers only")
            return state(value)
        case Pi():
            return math.pi
        case Sum(terms=terms):
            total: Any = 0
            for term in terms:
                number = _evaluate(term, symbols, state)
                total = compute_finite_constant(operator.add, value, total, number)
            return total
        case Product(factors=factors):
            total = 1
            for factor in factors:
                number = _evaluate(factor, symbols, state)
                total = compute_finite_constant(operator.mul, value, total, number)
            return total
        case Power(base=base, exponent=exponent):
            number = _evaluate(base, symbols, state)
            exact = Fraction(number) if isinstance(number, int) and exponent < 0 and number else number
            return compute_finite_constant(operator.pow, value, exact, exponent)
        case Call(name="where", arguments=(x, a, b)):  # the other need not have a value
            return _evaluate(a if _evaluate(x, symbols, state) >= 0 else b, symbols, state)
        case Call(name=name, arguments=arguments):
            return apply_function(name, *(float(_evaluate(argument, symbols, state)) for argument in arguments))
    if isinstance(value, Expression) and (value_at := getattr(value, "value_at", None)) is not None:
        return value_at(float(_evaluate(value.children()[0], symbols, state)))
    raise ExpressionError(f"{shorten(value)} is not an expression")


def _binary(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    try:
        return operation(as_scalar(left), as_scalar(right))
    except ExpressionError:
        if any(isinstance(side, Expression | str | bool | Real) for side in (left, right)) and all(
            isinstance(side, Expression | str | bool | Real) for side in (left, right)
        ):
            raise
        return NotImplemented


def add(*sides: Any) -> Any:
    terms: list[Any] = []
    constant: Any = 0
    for side in sides:
        for term in side.terms if isinstance(side, Sum) else (side,):
            if isinstance(term, Expression):
                terms.append(term)
            else:
                constant = fold_constants(operator.add, constant, term) if constant != 0 else term
    if constant != 0 or not terms:
        terms.append(constant)
    return terms[0] if len(terms) == 1 else Sum(tuple(terms))


def multiply(*sides: Any) -> Any:
    factors: list[Any] = []
    constant: Any = 1
    for side in sides:
        for factor in side.factors if isinstance(side, Product) else (side,):
            if isinstance(factor, Expression):
                factors.append(factor)
            else:
                constant = fold_constants(operator.mul, constant, factor) if constant != 1 else factor
    if constant == 0 or not factors:
        return constant
    if constant != 1:
        factors.insert(0, constant)
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def raise_to(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, float):
        exponent = normalised_exact_constant(as_fraction(exponent))  # m**2.0 is m², m**0.5 is √m
    if not isinstance(exponent, int) or isinstance(exponent, bool) or abs(exponent) > MAX_POWER:
        if isinstance(exponent, Fraction) and exponent.denominator == 2:
            return raise_to(call("sqrt", base), exponent.numerator)
        raise ExpressionError(
            f"power {shorten(exponent)} is not a small integer",
            remedy=f"use −{MAX_POWER} to {MAX_POWER}, or sqrt",
        )
    if exponent == 0:
        return 1
    if exponent == 1:
        return base
    if not isinstance(base, Expression):
        return constant_power(base, exponent)
    if isinstance(base, Power) and abs(base.exponent * exponent) <= MAX_POWER:
        return raise_to(base.base, base.exponent * exponent)
    return Power(base, exponent)


def check_limits(value: Expression) -> None:
    """Refuse an expression built in Python that, written as text, could not be read back."""
    nodes, waiting = 0, [(value, 1)]
    while waiting:
        node, depth = waiting.pop()
        nodes += 1
        if depth > MAX_DEPTH - 4:  # a power's sign and parentheses take a few levels of text
            raise ExpressionError("the expression is nested too deeply", remedy=f"use at most {MAX_DEPTH - 4} levels")
        if nodes > MAX_NODES:
            raise ExpressionError("the expression has too many parts", remedy=f"use at most {MAX_NODES}")
        if isinstance(node, Expression):
            waiting += [(child, depth + 1) for child in node.children()]
    length = len(str(value))
    if length > MAX_LENGTH:
        raise ExpressionError(f"an expression of {length} characters", remedy=f"use at most {MAX_LENGTH}")


def _replace(value: Any, leaf: Callable[[Symbol | Variable], Any]) -> Any:
    return value.replace(leaf) if isinstance(value, Expression) else value


def text_of(value: Any) -> str:
    """Text that `parse_expression` reads back to the same tree."""
    from .printer import write_expression

    return write_expression(value, 0)
