"""Formulae with numbers that a person can read: a fraction of many digits is written as a decimal.

An axis that a slider has turned is exact and has dozens of digits. The formula stays exact; only its writing is
shortened, and the caller is told that it was.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any, Final

from ...expressions import Power, Product, Sum, Symbol

__all__ = ["Readable"]

LONGEST: Final = 10**7
"""Numerators and denominators up to here are written as they are."""
DIGITS: Final = 5
LETTER: Final = "decimalplace"


class Readable:
    """Rewrites trees; `latex` puts the decimals into what was printed. ``shortened`` tells whether there are any."""

    def __init__(self) -> None:
        self._decimals: list[str] = []

    @property
    def shortened(self) -> bool:
        """Whether any number was written as a decimal."""
        return bool(self._decimals)

    def tree(self, node: Any, factor: Fraction = Fraction(1)) -> Any:
        """The node times a factor, with letters that stand for decimals where numbers are long."""
        match node:
            case int() | Fraction():
                return _joined(self._constant(Fraction(node) * factor), ())
            case Sum(terms=terms):
                return Sum(tuple(self.tree(term, factor) for term in terms))
            case Product(factors=factors):
                return self._product(factors, factor)
            case Power(base=Sum() as base, exponent=exponent):
                return _joined(self._constant(factor), (Power(self.tree(base), exponent),))
        return _joined(self._constant(factor), (node,))

    def _product(self, factors: tuple[Any, ...], factor: Fraction) -> Any:
        numbers = [item for item in factors if isinstance(item, int | Fraction)]
        rest = [item for item in factors if not isinstance(item, int | Fraction)]
        constant = factor * math.prod(map(Fraction, numbers), start=Fraction(1))
        sums = [k for k, item in enumerate(rest) if isinstance(item, Sum)]
        inside = {sums[0]: constant} if sums and _long(constant) else {}
        parts = tuple(self.tree(item, inside.get(k, Fraction(1))) for k, item in enumerate(rest))
        return _joined(self._constant(Fraction(1) if inside else constant), parts)

    def _constant(self, value: Fraction) -> tuple[Any, ...]:
        """The number as factors: none for one, itself, or a sign and a letter."""
        if not _long(value):
            return () if value == 1 else (int(value) if value.denominator == 1 else value,)
        self._decimals.append(_decimal(abs(value)))
        letter = Symbol(f"{LETTER}{len(self._decimals) - 1}")
        return (-1, letter) if value < 0 else (letter,)

    def latex(self, text: str) -> str:
        """LaTeX of a rewritten tree with the decimals in the places of their letters."""
        text = re.sub(rf"\\mathrm\{{{LETTER}\}}_\{{(\d+)\}}", lambda found: self._decimals[int(found[1])], text)
        # names of several letters need room about them, or they read as one word
        return re.sub(r"(\\mathrm\{[A-Za-z]{2,}\}(?:_\{[^{}]*\})?(?:\^\{[^{}]*\})?)", r"\\,\1\\,", text)


def _joined(constant: tuple[Any, ...], parts: tuple[Any, ...]) -> Any:
    factors = (*constant, *parts)
    if not factors:
        return 1
    return factors[0] if len(factors) == 1 else Product(factors)


def _long(value: Fraction) -> bool:
    return abs(value.numerator) > LONGEST or value.denominator > LONGEST


def _decimal(value: Fraction) -> str:
    """Five digits, with a power of ten where the number is far from one."""
    exponent = math.floor(math.log10(value.numerator) - math.log10(value.denominator))
    if -3 <= exponent < 6:
        return f"{float(value):.{max(0, DIGITS - 1 - exponent)}f}"
    mantissa = float(value / Fraction(10) ** exponent)
    return f"{mantissa:.{DIGITS - 1}f} \\cdot 10^{{{exponent}}}"
