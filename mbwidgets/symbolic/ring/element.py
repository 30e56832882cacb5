"""One exact value: a polynomial of the ring, or a fraction of two.

Fractions appear where an inverse enters (contravariant metric, the direction of a spring). They are equal
when they agree after cross-multiplication; a common factor of the representatives is cancelled while it
is cheap.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from ...errors import ExpressionError
from . import generators as letters
from .backend import Poly, chosen_backend
from .generators import Generator, Kind
from .ring import Ring, make_ring

__all__ = ["Element", "derivative_of", "letter_element", "rational_element", "resolve_denominators", "unify"]

CANCEL_UP_TO = 400
"""Fractions with more terms than this are not searched for common factors: the search has no time limit."""


class Element:
    """num/den in a ring; ``den is None`` means 1."""

    __slots__ = ("den", "num", "ring")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, home: Ring, num: Poly, den: Poly | None = None) -> None:
        self.ring = home
        self.num = num
        self.den = den

    @property
    def terms(self) -> tuple[int, int]:
        """Terms of the numerator and of the denominator (1 for a polynomial)."""
        return len(self.num), 1 if self.den is None else len(self.den)

    @property
    def letters(self) -> list[Generator]:
        """The generators that occur, in the ring's order."""
        used = self.ring.used(self.num, *(() if self.den is None else (self.den,)))
        return sorted(used, key=lambda g: g.order)

    def __bool__(self) -> bool:
        return bool(self.num)

    def is_number(self) -> bool:
        """True for a rational constant."""
        return self.den is None and not self.ring.used(self.num)

    def as_number(self) -> Fraction:
        """The constant that this element is."""
        terms = self.ring.backend.terms(self.num)
        return terms[0][1] if terms else Fraction(0)

    def scaled(self) -> Element:
        """The same fraction with coefficients that doubles can hold: exact ones may pass 1e308."""
        if self.den is None:
            return self
        largest = max(abs(c) for _, c in self.ring.backend.terms(self.den))
        if Fraction(1, 10**100) < largest < 10**100:
            return self
        factor = self.ring.constant(1 / largest)
        return Element(self.ring, self.num * factor, self.den * factor)

    def into(self, home: Ring) -> Element:
        """The same value in a ring that has all of its letters."""
        if home is self.ring:
            return self
        den = None if self.den is None else home.lift(self.den, self.ring)
        return Element(home, home.lift(self.num, self.ring), den)

    def __add__(self, other: Any) -> Element:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        r = a.ring
        if a.den is None and b.den is None:
            return Element(r, a.num + b.num)
        if a.den is not None and b.den is not None and a.den == b.den:
            return _fraction(r, a.num + b.num, a.den)
        x, y = a.den or r.one, b.den or r.one
        return _fraction(r, r.dot((a.num, b.num), (y, x)), r.mul(x, y))

    __radd__ = __add__

    def __neg__(self) -> Element:
        return Element(self.ring, -self.num, self.den)

    def __pos__(self) -> Element:
        return self

    def __sub__(self, other: Any) -> Element:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        return pair[0] + (-pair[1])

    def __rsub__(self, other: Any) -> Element:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Element:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        num = a.ring.mul(a.num, b.num)
        if a.den is None and b.den is None:
            return Element(a.ring, num)
        return _fraction(a.ring, num, a.ring.mul(a.den or a.ring.one, b.den or a.ring.one))

    __rmul__ = __mul__

    def inverse(self) -> Element:
        """1/self"""
        if not self.num:
            raise ExpressionError("division by zero", remedy="the divisor is identically zero: check the model")
        return _fraction(self.ring, self.den or self.ring.one, self.num)

    def __truediv__(self, other: Any) -> Element:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        return pair[0] * pair[1].inverse()

    def __rtruediv__(self, other: Any) -> Element:
        return self.inverse().__mul__(other)

    def __pow__(self, exponent: int) -> Element:
        base = self.inverse() if exponent < 0 else self
        r, k = base.ring, abs(exponent)
        return Element(r, r.power(base.num, k), None if base.den is None else r.power(base.den, k))

    def __eq__(self, other: object) -> Any:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        if a.den is None and b.den is None:
            return bool(a.num == b.num)
        if a.den is not None and b.den is not None and a.den == b.den:
            return bool(a.num == b.num)
        return bool(a.ring.mul(a.num, b.den or a.ring.one) == a.ring.mul(b.num, a.den or a.ring.one))

    def diff(self, by: Generator) -> Element:
        """The derivative by q^k, u^k, u̇^k, t or a parameter; q^k reaches every function of it."""
        r = self.ring
        total = Element(r, r.zero)
        for g in self.letters:
            rate = derivative_of(g, by, r)
            if not rate:
                continue
            slope = Element(r, r.partial(self.num, g))
            if self.den is not None:
                slope = (slope - self * Element(r, r.partial(self.den, g))) / Element(r, self.den)
            total = total + slope * rate
        return total

    def replace(self, g: Generator, by: Element) -> Element:
        """The value with one letter replaced; a letter inside a root or function is not reached."""
        if g not in self.ring.index:
            return self
        value = _replaced(self.ring, self.num, g, by)
        return value if self.den is None else value / _replaced(self.ring, self.den, g, by)

    def dt(self) -> Element:
        """The total derivative by time: Σ ∂/∂q^k u^k + Σ ∂/∂u^k u̇^k + ∂/∂t."""
        total = self.diff(letters.TIME)
        used = self.letters
        for k in sorted(_coordinates(used)):
            total = total + self.diff(letters.coordinate(k)) * letter_element(letters.velocity(k))
        for k in sorted(g.index for g in used if g.kind is Kind.VELOCITY):
            total = total + self.diff(letters.velocity(k)) * letter_element(letters.acceleration(k))
        return total


def _replaced(home: Ring, p: Poly, g: Generator, by: Element) -> Element:
    place = home.index[g]
    parts: dict[int, dict[tuple[int, ...], Fraction]] = {}
    for powers, coefficient in home.backend.terms(p):
        rest = (*powers[:place], 0, *powers[place + 1 :])
        parts.setdefault(powers[place], {})[rest] = coefficient
    total = rational_element(0, home)
    for power in sorted(parts):
        total = total + Element(home, home.backend.from_terms(parts[power])) * by**power
    return total


def rational_element(value: Fraction | int, home: Ring | None = None) -> Element:
    """A rational constant."""
    home = make_ring(()) if home is None else home
    return Element(home, home.constant(value))


def letter_element(g: Generator) -> Element:
    """A generator as a value."""
    return _letter(g, chosen_backend())


@lru_cache(maxsize=4096)
def _letter(g: Generator, _backend: str) -> Element:
    home = make_ring((g,))
    return Element(home, home.gen(g))


def unify(a: Element, b: Element) -> tuple[Element, Element]:
    """Both values in one ring."""
    if a.ring is b.ring:
        return a, b
    home = a.ring.union(b.ring)
    return a.into(home), b.into(home)


def derivative_of(g: Generator, by: Generator, home: Ring) -> Element:
    """∂g/∂(by) for one letter, chain rule included."""
    if g == by:
        return rational_element(1, home)
    kind = g.kind
    if kind in (Kind.SIN, Kind.COS):
        if by.kind is not Kind.COORDINATE or by.index != g.index:
            return rational_element(0, home)
        other = home.gen(letters.cosine(g.index) if kind is Kind.SIN else letters.sine(g.index))
        return Element(home, other if kind is Kind.SIN else -other)
    if kind is Kind.ROOT:
        inner = Element(home, home.from_terms(g.definition)).diff(by)
        return inner / Element(home, 2 * home.gen(g)) if inner else inner
    if kind is Kind.FUNCTION:
        return _function_rate(g, by, home)
    if kind is Kind.AXIS and by.kind is Kind.PARAMETER and any(_mentions(part, by.name) for part in g.definition):
        raise ExpressionError(
            f"the unit axis of {g.name} is not differentiated by its direction parameter {by.name!r}",
            remedy="write the axis with an angle, such as (cos(alpha), sin(alpha), 0)",
        )
    return rational_element(0, home)


def _function_rate(g: Generator, by: Generator, home: Ring) -> Element:
    arguments = [Element(home, home.from_terms(top), home.from_terms(bottom)) for top, bottom in g.argument_pairs]
    rates = [argument.diff(by) for argument in arguments]
    if not any(rates):
        return rational_element(0, home)
    if len(arguments) > 1:
        return _rate_of_several(g.name, arguments, rates)
    argument, inner = arguments[0], rates[0]
    if g.name in {"sin", "cos"}:
        partner = Generator(Kind.FUNCTION, 1 - g.index, "cos" if g.name == "sin" else "sin", g.definition, g.depth)
        outer = Element(home, home.gen(partner) if g.name == "sin" else -home.gen(partner))
    elif g.name == "exp":
        outer = Element(home, home.gen(g))
    elif g.name == "tanh":
        outer = Element(home, home.one - home.power(home.gen(g), 2))
    elif g.name == "atan":
        outer = (1 + argument * argument).inverse()
    elif g.name == "abs":
        outer = letter_element(Generator(Kind.FUNCTION, 0, "sign", g.definition, g.depth))
    elif g.name == "sign":  # but where it jumps
        return rational_element(0, home)
    elif g.name in {"asin", "acos"}:
        from .scalar_reader import square_root  # which is made of elements

        outer = square_root(1 - argument * argument).inverse()
        outer = outer if g.name == "asin" else -outer
    else:
        outer = argument.inverse()
    return outer * inner


def _rate_of_several(name: str, arguments: list[Element], rates: list[Element]) -> Element:
    from .scalar_reader import function_of, function_of_several  # which are made of elements

    if name == "where":
        return function_of_several(name, arguments[0], *rates[1:])
    (a, b), (da, db) = arguments, rates
    if name == "atan2":
        return (b * da - a * db) / (a * a + b * b)
    turned = function_of("sign", a - b) * (da - db)  # min and max are half of a + b ∓ |a − b|
    return (da + db + (turned if name == "max" else -turned)) * Fraction(1, 2)


def resolve_denominators(home: Ring, p: Poly) -> Element:
    """A polynomial with its letters 1/d put back as denominators (see `kinematics`)."""
    value = Element(home, p)
    for g in home.generators:
        if g.name == "inverse" and g.kind is Kind.FUNCTION:
            value = value.replace(g, Element(home, home.from_terms(g.definition[0])).inverse())
    return value


def _mentions(part: Any, name: str) -> bool:
    return any(getattr(leaf, "name", None) == name for leaf in getattr(part, "leaves", tuple)())


def _coordinates(used: Iterable[Generator]) -> set[int]:
    found = {g.index for g in used if g.kind in (Kind.SIN, Kind.COS, Kind.COORDINATE)}
    for g in used:
        if g.kind is Kind.ROOT:
            found |= _coordinates({h for monomial, _ in g.definition for h, _k in monomial})
        elif g.kind is Kind.FUNCTION:
            for terms in g.definition:
                found |= _coordinates({h for monomial, _ in terms for h, _k in monomial})
    return found


def _pair(a: Element, other: object) -> tuple[Element, Element] | None:
    if isinstance(other, Element):
        return unify(a, other)
    if isinstance(other, Rational):
        return a, rational_element(Fraction(int(other.numerator), int(other.denominator)), a.ring)
    return None


def _fraction(home: Ring, num: Poly, den: Poly) -> Element:
    """num/den with what is plainly common cancelled; a constant denominator is divided away."""
    if not num:
        return Element(home, home.zero)
    if den == home.one:
        return Element(home, num)
    if len(num) + len(den) <= CANCEL_UP_TO and not home.free:
        common = home.backend.gcd(num, den)
        if common != home.one:
            num, den = home.backend.divide(num, common), home.backend.divide(den, common)
    if len(den) == 1:
        inverse = home.constant(1 / home.backend.terms(den)[0][1])
        num, den = num * inverse, den * inverse
    return Element(home, num, None if den == home.one else den)
