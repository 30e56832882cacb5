"""Expressions at exact points in ball arithmetic: every value comes with a proven bound of its error."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Final

import flint

from ..expressions import Call, Expression, Pi, Power, Product, Sum, Symbol, Variable, decimal

__all__ = ["PRECISION", "ball_precision", "ball_value_at", "sample_points"]

PRECISION: Final = 320
"""Bits: an expression of the allowed size loses a few dozen of them at most points."""
RESOLUTION: Final = 2**20
HALF: Final = Fraction(1, 2)
_NAMES: Final = {"sign": "sgn"}
"""Functions that FLINT calls otherwise."""
_TURN: Final = threading.RLock()


@contextmanager
def ball_precision(bits: int = PRECISION) -> Iterator[None]:
    """Balls inside have so many bits. FLINT keeps one precision for all threads: they take turns."""
    with _TURN:
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def sample_points(seed: str, letters: Mapping[str, tuple[Fraction, Fraction]], count: int) -> list[dict[str, Fraction]]:
    """Points with a fraction for each letter, drawn from its range by SHA-256: the same for the same seed."""
    found = []
    for number in range(count):
        point = {}
        for letter, (low, high) in letters.items():
            digest = hashlib.sha256(f"mbwidgets-points-1|{seed}|{letter}|{number}".encode()).digest()
            share = Fraction(2 * (int.from_bytes(digest[:8], "big") % RESOLUTION) + 1, 2 * RESOLUTION)
            point[letter] = low + share * (high - low)
        found.append(point)
    return found


def ball_value_at(value: Any, point: Mapping[str, Fraction]) -> Any | None:
    """A ball that holds the value, or None where it has none there (a pole, a root of a negative number)."""
    try:
        ball = _value(value, point)
    except ZeroDivisionError:
        return None
    return ball if ball.is_finite() else None


def _value(value: Any, point: Mapping[str, Fraction]) -> Any:
    match value:
        case float():
            return _exact(decimal(value))
        case int() | Fraction():
            return _exact(Fraction(value))
        case Symbol() | Variable():
            return _exact(point[repr(value) if isinstance(value, Variable) else value.name])
        case Pi():
            return flint.arb.pi()
        case Sum(terms=terms):
            total = flint.arb(0)
            for term in terms:
                total += _value(term, point)
            return total
        case Product(factors=factors):
            product = flint.arb(1)
            for factor in factors:
                product *= _value(factor, point)
            return product
        case Power(base=base, exponent=exponent):
            return _power(_value(base, point), exponent)
        case Call(name="where", arguments=(x, a, b)):
            return _value(_chosen(_value(x, point), a, b), point)
        case Call(name=name, arguments=arguments):
            ball, *rest = (_value(argument, point) for argument in arguments)
            return abs(ball) if name == "abs" else getattr(flint.arb, _NAMES.get(name, name))(ball, *rest)
    raise TypeError(f"{type(value).__name__} is not an expression")


def _chosen(ball: Any, a: Any, b: Any) -> Any:
    """a where a ball is not negative, b where it is; nobody knows of one around zero."""
    if ball >= 0:
        return a
    if ball < 0:
        return b
    raise ZeroDivisionError


def _power(ball: Any, exponent: int) -> Any:
    """A whole power by products: the library's own takes a logarithm, and a ball around zero has none."""
    product, square, rest = flint.arb(1), ball, abs(exponent)
    while rest:
        if rest % 2:
            product *= square
        square *= square
        rest //= 2
    return product if exponent >= 0 else 1 / product


def _exact(value: Fraction) -> Any:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def expanded_terms_bound(value: Any) -> int:
    """A bound for the number of terms of the expanded expression: what its normal form may cost."""
    match value:
        case Sum(terms=terms):
            return min(_MANY, sum(expanded_terms_bound(term) for term in terms))
        case Product(factors=factors):
            total = 1
            for factor in factors:
                total = min(_MANY, total * expanded_terms_bound(factor))
            return total
        case Power(base=base, exponent=exponent):
            inside, total = expanded_terms_bound(base), 1
            for k in range(abs(exponent)):
                total = min(_MANY, total * (inside + k) // (k + 1))
            return max(total, inside)
        case Call(arguments=arguments):
            return max(map(expanded_terms_bound, arguments))
    return 1


_MANY: Final = 10**9


def is_constant(value: Any) -> bool:
    """True without letters: a number, whatever functions it holds."""
    return not isinstance(value, Expression) or not any(True for _ in value.leaves())
