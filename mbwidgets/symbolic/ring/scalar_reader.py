"""From a model's numbers and expressions to exact values.

A float is the decimal that the user typed: 0.1 becomes 1/10 (`expressions.decimal`), not the binary number
nearest to it; `Reader.rationalised` lists every float that was read so. Roots of numbers are split into
roots of primes (√12 = 2√3), so that they are independent of each other; sin, cos, exp, log, tanh, atan, asin, acos,
abs, sign, atan2, min, max, where and roots of parameters ride along as letters with their definition. tan is sin/cos.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt, prod
from typing import Any, NamedTuple

from ...errors import ExpressionError, UnknownNameError, shorten
from ...expressions import NAME, Call, Pi, Power, Product, Sum, Symbol, Variable, as_scalar, decimal, parse_expression
from . import generators as letters
from .element import Element, letter_element, rational_element
from .generators import Generator, Kind, Terms
from .ring import letters_of

__all__ = [
    "Rationalised",
    "Reader",
    "cosine_of",
    "function_of",
    "function_of_several",
    "generator_to_differentiate_by",
    "sine_of",
    "square_root",
]

_ACCELERATION = re.compile(r"ud\[([0-9]{1,4})\]\Z", re.ASCII)
LARGEST_PRIME_SEARCH = 10_000
MOST_TURNS = 8
"""Angles, counted with their multiples, up to which sin and cos of their sum are taken apart."""
LARGEST_PRIME_OUTSIDE = 100
"""A root of a polynomial sheds the roots of small primes; measured numbers would only shed noise."""


class Rationalised(NamedTuple):
    """A float of the model and the fraction that stands for it in exact formulae."""

    where: str
    given: float
    exact: Fraction


@dataclass
class Reader:
    """Reads scalars and remembers the floats among them.

    ``angles``: the coordinates that are angles, whose sin and cos are letters of the ring.
    """

    rationalised: list[Rationalised] = field(default_factory=list)
    angles: frozenset[int] = frozenset()

    def read(self, value: Any, where: str = "number") -> Element:
        """An int, Fraction, float or Expression as an exact value."""
        value = as_scalar(value, where)
        match value:
            case int() | Fraction():
                return rational_element(Fraction(value))
            case float():
                exact = decimal(value)
                if exact.denominator != 1 and (row := Rationalised(where, value, exact)) not in self.rationalised:
                    self.rationalised.append(row)
                return rational_element(exact)
            case Symbol(name=name):
                if NAME.match(name) is None:
                    raise ExpressionError(
                        f"{shorten(name)} cannot name a parameter", where=where, remedy="use letters, digits and '_'"
                    )
                return letter_element(letters.parameter(name))
            case Variable():
                return letter_element(_variable(value))
            case Pi():
                return letter_element(letters.PI)
            case Sum(terms=terms):
                total = rational_element(0)
                for term in terms:
                    total = total + self.read(term, where)
                return total
            case Product(factors=factors):
                product = rational_element(1)
                for factor in factors:
                    product = product * self.read(factor, where)
                return product
            case Power(base=base, exponent=exponent):
                return self.read(base, where) ** exponent
            case Call(name=name, argument=argument, rest=()):
                return function_of(name, self.read(argument, where), self.angles, where)
            case Call(name=name, arguments=arguments):
                return function_of_several(name, *(self.read(argument, where) for argument in arguments))
        raise ExpressionError(f"{shorten(value)} cannot stand in an exact formula", where=where)


def function_of(name: str, x: Element, angles: frozenset[int] = frozenset(), where: str = "number") -> Element:
    """A function of the allow-list of an exact value."""
    match name:
        case "sqrt":
            return square_root(x, where)
        case "sin":
            return sine_of(x, angles)
        case "cos":
            return cosine_of(x, angles)
        case "tan":
            return sine_of(x, angles) / cosine_of(x, angles)
        case "abs" | "sign" if x.is_number():
            size = abs(x.as_number())
            return rational_element(size if name == "abs" else x.as_number() / size if size else 0)
        case "abs" if _negative(x):
            return function_of(name, -x)
        case "tanh" | "atan" | "asin" | "sign" if _negative(x):
            return -function_of(name, -x)
        case "atan" | "asin" | "acos" if x.is_number() and (turn := _EXACT_ARC.get((name, x.as_number()))) is not None:
            return rational_element(turn) * letter_element(letters.PI)
        case "inverse":
            return x.inverse()
    return _function(name, x)


def function_of_several(name: str, *arguments: Element) -> Element:
    """A function of several arguments; the smaller and the larger of two do not ask for their order."""
    *first, a, b = arguments
    if name == "where" and (first[0].is_number() or not a - b):
        return a if not a - b or first[0].as_number() >= 0 else b
    if name in ("min", "max"):
        if (a - b).is_number():
            return a if (name == "min") == ((a - b).as_number() <= 0) else b
        a, b = sorted((a, b), key=lambda x: repr(_definition(x)))
    if name == "atan2" and not a and b.is_number() and b.as_number() >= 0:
        return rational_element(0)
    definition = tuple(terms for x in (*first, a, b) for terms in _definition(x))
    return letter_element(Generator(Kind.FUNCTION, 0, name, definition, _depth(*definition) + 1))


def generator_to_differentiate_by(by: Any) -> Generator:
    """What to differentiate by: a coordinate's number, ``"u[0]"``, ``"ud[0]"``, ``"t"``, a parameter's name."""
    if isinstance(by, Generator):
        return by
    if hasattr(by, "__index__") and not isinstance(by, bool):
        if int(by) < 0:
            raise UnknownNameError(f"there is no coordinate {by}", remedy="count from 0")
        return letters.coordinate(int(by))
    if isinstance(by, str) and (found := _ACCELERATION.match(by)):
        return letters.acceleration(int(found[1]))
    node = parse_expression(by) if isinstance(by, str) else by
    if type(node).__module__.partition(".")[0] == "sympy":
        node = parse_expression(str(node))
    match node:
        case Symbol(name=name):
            return letters.parameter(name)
        case Variable():
            return _variable(node)
    raise ExpressionError(
        f"{shorten(by)} is nothing to differentiate by",
        remedy='give a coordinate\'s number, "u[0]", "t" or a parameter',
    )


def _variable(value: Variable) -> Generator:
    if value.kind == "t":
        return letters.TIME
    kind = {"q": Kind.COORDINATE, "u": Kind.VELOCITY, "ud": Kind.ACCELERATION}[value.kind]
    return Generator(kind, value.index)


def square_root(x: Element, where: str = "sqrt") -> Element:
    """√x ≥ 0: exact for squares, roots of primes for numbers, else a letter r with r² = x.

    √(n/d) is √(n d)/√(d²), which holds whatever the sign of d.
    """
    if x.is_number():
        return _root_of_number(x.as_number(), where)
    if x.den is not None:
        den = Element(x.ring, x.den)
        return square_root(Element(x.ring, x.num) * den, where) / square_root(den * den, where)
    content = abs(x.ring.backend.terms(x.num)[0][1])
    square, rest = _split_square(content.numerator * content.denominator)
    outside = rational_element(Fraction(square, content.denominator))
    inside = x * (1 / content)
    if max(rest, default=0) > LARGEST_PRIME_OUTSIDE:
        inside = inside * prod(rest)
    else:
        outside = outside * _root_of_number(Fraction(prod(rest)), where)
    terms = inside.ring.terms(inside.num)
    return outside * letter_element(Generator(Kind.ROOT, 0, "", terms, _depth(terms) + 1))


def _root_of_number(x: Fraction, where: str) -> Element:
    if x < 0:
        raise ExpressionError(f"the square root of {x} is not real", where=where, remedy="check the sign")
    square, rest = _split_square(x.numerator * x.denominator)
    result = rational_element(Fraction(square, x.denominator))
    for prime in rest:
        terms: Terms = (((), Fraction(prime)),)
        result = result * letter_element(Generator(Kind.ROOT, 0, "", terms, 1))
    return result


def _split_square(n: int) -> tuple[int, list[int]]:
    """n = square² · Π rest, ``rest`` distinct primes (or one large cofactor without small factors)."""
    if n == 0:
        return 0, []
    square, rest, p = 1, [], 2
    while p * p <= n and p < LARGEST_PRIME_SEARCH:
        power = 0
        while n % p == 0:
            n //= p
            power += 1
        square *= p ** (power // 2)
        if power % 2:
            rest.append(p)
        p += 1 if p == 2 else 2
    root = isqrt(n)
    if root * root == n:
        return square * root, rest
    return square, [*rest, n]


def _depth(*polynomials: Terms) -> int:
    return max((g.depth for terms in polynomials for g in letters_of(terms)), default=0)


def _definition(x: Element) -> tuple[Terms, Terms]:
    den = x.ring.one if x.den is None else x.den
    return x.ring.terms(x.num), x.ring.terms(den)


def _function(name: str, argument: Element, index: int = 0) -> Element:
    if not argument:
        return (
            rational_element({"sin": 0, "cos": 1, "exp": 1, "tanh": 0, "atan": 0, "asin": 0}[name])
            if name != "log"
            else _no_log()
        )
    definition = _definition(argument)
    return letter_element(Generator(Kind.FUNCTION, index, name, definition, _depth(*definition) + 1))


def _no_log() -> Element:
    raise ExpressionError("log(0) has no value", remedy="check the argument")


def _negative(x: Element) -> bool:
    """A sign chosen once for x and −x, so that sin(−x) = −sin x is seen."""
    terms = x.ring.terms(x.num)
    return bool(terms) and terms[0][1] < 0


def sine_of(x: Element, angles: frozenset[int] = frozenset()) -> Element:
    """sin x: exact at multiples of π/4 and π/6, in the ring's letters for a sum of angles, else a letter of its own."""
    if _negative(x):
        return -sine_of(-x, angles)
    turns = _whole_angles(x, angles)
    if turns is not None:
        return _turned(turns)[1]
    turn = _turns(x)
    if turn is not None and (value := _EXACT_SINE.get(turn % 2)) is not None:
        return rational_element(value[0]) * square_root(rational_element(value[1]))
    return _function("sin", x, 0)


def cosine_of(x: Element, angles: frozenset[int] = frozenset()) -> Element:
    """cos x, as `sine_of`."""
    if _negative(x):
        return cosine_of(-x, angles)
    turns = _whole_angles(x, angles)
    if turns is not None:
        return _turned(turns)[0]
    turn = _turns(x)
    if turn is not None and (value := _EXACT_SINE.get((turn + Fraction(1, 2)) % 2)) is not None:
        return rational_element(value[0]) * square_root(rational_element(value[1]))
    return _function("cos", x, 1)


_EXACT_ARC: dict[tuple[str, Fraction], Fraction] = {
    ("atan", Fraction(1)): Fraction(1, 4),
    ("asin", Fraction(1, 2)): Fraction(1, 6),
    ("asin", Fraction(1)): Fraction(1, 2),
    ("acos", Fraction(-1)): Fraction(1),
    ("acos", Fraction(-1, 2)): Fraction(2, 3),
    ("acos", Fraction(0)): Fraction(1, 2),
    ("acos", Fraction(1, 2)): Fraction(1, 3),
    ("acos", Fraction(1)): Fraction(0),
}
"""Angles in parts of π; those of negative sines and tangents follow by their sign."""
_QUARTER: dict[Fraction, tuple[Any, int]] = {
    Fraction(0): (0, 1),
    Fraction(1, 6): (Fraction(1, 2), 1),
    Fraction(1, 4): (Fraction(1, 2), 2),
}
_QUARTER |= {Fraction(1, 3): (Fraction(1, 2), 3), Fraction(1, 2): (1, 1)}
_EXACT_SINE: dict[Fraction, tuple[Any, int]] = {}
for _angle, (_factor, _radicand) in _QUARTER.items():
    for _where, _sign in ((_angle, 1), (1 - _angle, 1), (1 + _angle, -1), ((2 - _angle) % 2, -1)):
        _EXACT_SINE[_where] = (_sign * _factor, _radicand)


def _turns(x: Element) -> Fraction | None:
    """k for x = kπ with k rational."""
    terms = x.ring.terms(x.num)
    if not terms:
        return Fraction(0)
    if x.den is None and len(terms) == 1 and terms[0][0] == ((letters.PI, 1),):
        return terms[0][1]
    return None


def _whole_angles(x: Element, angles: frozenset[int]) -> list[tuple[int, int]] | None:
    """(i, k), … for x = Σ k q_i, whole multiples of angles and not too many; else None."""
    terms, found = x.ring.terms(x.num), []
    if x.den is not None or not terms:
        return None
    for monomial, k in terms:
        if len(monomial) != 1 or k.denominator != 1:
            return None
        g, power = monomial[0]
        if power != 1 or g.kind is not Kind.COORDINATE or g.index not in angles:
            return None
        found.append((g.index, int(k)))
    return found if sum(abs(k) for _, k in found) <= MOST_TURNS else None


def _turned(turns: list[tuple[int, int]]) -> tuple[Element, Element]:
    """cos and sin of Σ k q_i by the addition theorems."""
    cos, sin = rational_element(1), rational_element(0)
    for i, k in turns:
        c, s = letter_element(letters.cosine(i)), letter_element(letters.sine(i))
        s = s if k > 0 else -s
        for _ in range(abs(k)):
            cos, sin = cos * c - sin * s, sin * c + cos * s
    return cos, sin
