"""Constants of a tree: `int`, `Fraction`, and floats that stand for the decimals that they print as.

0.1 is one tenth, not the binary number nearest to it: constants meet as fractions, so that 0.1·3 is 3/10 and 0.5/3
is 1/6. A result that a float can show is a float again, 3/10 as 0.3; any other stays a fraction.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from ..errors import ExpressionError, shorten

MAX_BITS: Final = 1000
"""Of the numerator and denominator of an exact constant: it has a float, and its text can be read back."""
WRITTEN_DIGITS: Final = 15
"""A decimal of so many digits survives a float; a float that needs more was computed, not written."""
WRITTEN_BITS: Final = 128
"""Of its fraction: 1e200 is no measure of anything, and its powers are for floats to refuse."""


@lru_cache(maxsize=4096)
def decimal(value: float) -> Fraction:
    """The decimal that a float prints as: 0.1 is 1/10."""
    return Fraction(repr(float(value)))


def fraction_if_short_decimal(value: Any) -> Any:
    """A float that somebody wrote as the fraction that it says; one that was computed (16 or 17 digits) as it is."""
    if not isinstance(value, float):
        return value
    found = _as_written(value)
    return value if isinstance(found, float) else found  # itself, not an equal float that was asked for before


@lru_cache(maxsize=4096)
def _as_written(value: float) -> Any:
    fraction = decimal(value)
    short = float(f"{value:.{WRITTEN_DIGITS}g}") == value and bits(fraction) <= WRITTEN_BITS
    return normalised_exact_constant(fraction) if short else value


def underflows_to_zero(text: str, value: float) -> bool:
    """Whether a number that is not zero as written is zero as a float: 1e-400."""
    return value == 0.0 and bool(text.lower().partition("e")[0].strip(" +-0."))


def float_that_prints_as(value: Fraction) -> Any:
    """The float that prints as this fraction; where there is none the fraction, or its float when it is absurd."""
    near = compute_finite_constant(float, "a constant", value)
    if decimal(near) == value:
        return near
    return normalised_exact_constant(value) if bits(value) <= MAX_BITS else near


def normalised_exact_constant(value: Any) -> Any:
    """An exact constant in its plainest type, refused when it has grown absurd."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if bits(value) > MAX_BITS:
        raise ExpressionError("a constant has too many digits", remedy="use a float such as 1e300")
    return value


def fold_constants(operation: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Two constants as one, without rounding."""
    if isinstance(left, float) or isinstance(right, float):
        return float_that_prints_as(operation(as_fraction(left), as_fraction(right)))
    return _exact_or_near(operation(left, right))


def _exact_or_near(value: Any) -> Any:
    """An exact constant; the float next to a fraction that has grown absurd, as products of tiny decimals do."""
    if isinstance(value, Fraction) and value.denominator != 1 and bits(value) > MAX_BITS:
        return compute_finite_constant(float, "a constant", value)
    return normalised_exact_constant(value)


def as_fraction(value: Any) -> Fraction:
    """A constant as the fraction that it stands for."""
    return decimal(value) if isinstance(value, float) else Fraction(value)


def constant_power(base: Any, exponent: int) -> Any:
    """A constant to an integer power."""
    value = as_fraction(base)
    if value == 0 and exponent < 0:
        raise ExpressionError("division by zero", remedy="check the divisor")
    if isinstance(base, float):
        if bits(value) * abs(exponent) > 2 * MAX_BITS:
            return compute_finite_constant(operator.pow, f"{base!r}**{exponent}", base, exponent)
        return float_that_prints_as(value**exponent)
    if bits(value) * abs(exponent) > 2 * MAX_BITS:
        if value.denominator != 1 and value.numerator != 1:
            return compute_finite_constant(operator.pow, f"{base!r}**{exponent}", float(base), exponent)
        raise ExpressionError("a constant has too many digits", remedy="use a float such as 1e300")
    return _exact_or_near(value**exponent)


def rational_square_root(value: Any) -> Any:
    """√ of a constant where it is rational, else None."""
    square = as_fraction(value)
    if square < 0:
        return None
    found = Fraction(math.isqrt(square.numerator), math.isqrt(square.denominator))
    if found * found != square:
        return None
    return float_that_prints_as(found) if isinstance(value, float) else normalised_exact_constant(found)


def compute_finite_constant(compute: Callable[..., Any], named: Any, *operands: Any) -> Any:
    """A result that is finite; an exact one that has grown absurd goes on as a float."""
    try:
        result = compute(*operands)
        if not isinstance(result, float) and bits(result) > MAX_BITS:
            result = float(result)
        finite = math.isfinite(result)
    except (ArithmeticError, ValueError):
        finite = False
    if not finite:
        raise ExpressionError(
            f"{shorten(str(named))} has no finite value", remedy="check for a zero divisor or an overflow"
        )
    return result


def bits(value: Any) -> int:
    """The length of an exact constant's longer part."""
    return max(int(value.numerator).bit_length(), int(value.denominator).bit_length())
