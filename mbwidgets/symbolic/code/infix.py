"""Expression trees as text of an infix language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ...expressions import Call, Expression, Pi, Power, Product, Sum, Symbol, Variable

__all__ = ["TEXT", "Infix"]


@dataclass(frozen=True)
class Infix:
    """How a language writes numbers, names, powers and calls."""

    name: Callable[[Any], str] = str
    number: Callable[[Fraction], str] = str
    power: Callable[[str, int], str] = lambda base, k: f"{base}**{k}"
    call: Callable[[str, str], str] = lambda function, argument: f"{function}({argument})"
    functions: Mapping[str, str] = field(default_factory=dict)
    pi: str = "pi"

    def print(self, node: Any, level: int = 0) -> str:
        """``level``: 0 anywhere, 1 as a term, 2 as a factor, 3 as the base of a power."""
        text, rank = self._node(node)
        return f"({text})" if rank < level else text

    def _node(self, node: Any) -> tuple[str, int]:
        match node:
            case int() | Fraction():
                text = self.number(Fraction(node))
                return text, 0 if text.startswith("-") else 1 if "/" in text else 3
            case Sum(terms=terms):
                return self._sum(terms), 0
            case Product(factors=factors):
                return self._product(factors)
            case Power(base=base, exponent=exponent) if exponent < 0:
                under = base if exponent == -1 else Power(base, -exponent)
                return f"{self.number(Fraction(1))}/{self.print(under, 3)}", 1
            case Power(base=base, exponent=exponent):
                return self.power(self.print(base, 3), exponent), 2
            case Call(name=name, arguments=arguments):
                return self.call(self.functions.get(name, name), ", ".join(map(self.print, arguments))), 3
            case Pi():
                return self.pi, 3
            case Symbol() | Variable():
                return self.name(node), 3
        raise TypeError(node)

    def _sum(self, terms: tuple[Any, ...]) -> str:
        text = self.print(terms[0], 1)
        if text.startswith("(-") and isinstance(terms[0], int | Fraction):
            text = text[1:-1]
        for term in terms[1:]:
            sign, rest = split_sign(term)
            text += f" {sign} {self.print(rest, 1)}"
        return text

    def _product(self, factors: tuple[Any, ...]) -> tuple[str, int]:
        sign, top, bottom, under = constant_and_divisors(factors)
        if bottom != 1:
            under = [bottom, *under]
        pieces = [
            self.print(factor, 2) for factor in ([top] if top != 1 or not _rest(factors) else []) + _rest(factors)
        ]
        text = "*".join(pieces) or self.number(Fraction(1))
        if under:
            below = "*".join(self.print(item, 2) for item in under)
            text += f"/({below})" if len(under) > 1 else f"/{self.print(under[0], 3)}"
        return (f"-{text}", 1) if sign < 0 else (text, 1)


def split_sign(term: Any) -> tuple[str, Any]:
    """A term as its sign and what remains."""
    if isinstance(term, int | Fraction) and term < 0:
        return "-", -term
    if isinstance(term, Product) and isinstance(term.factors[0], int | Fraction) and term.factors[0] < 0:
        head, rest = -term.factors[0], term.factors[1:]
        factors = rest if head == 1 else (head, *rest)
        return "-", factors[0] if len(factors) == 1 else Product(factors)
    return "+", term


def constant_and_divisors(factors: tuple[Any, ...]) -> tuple[int, int, int, list[Any]]:
    """(sign, numerator, denominator of the constant, the factors under the line without their −1)."""
    constant = factors[0] if isinstance(factors[0], int | Fraction) else 1
    value = Fraction(constant)
    under = []
    for factor in factors:
        if isinstance(factor, Power) and factor.exponent < 0:
            under.append(factor.base if factor.exponent == -1 else Power(factor.base, -factor.exponent))
    return (-1 if value < 0 else 1), abs(value.numerator), value.denominator, under


def _rest(factors: tuple[Any, ...]) -> list[Any]:
    return [f for f in factors if isinstance(f, Expression) and not (isinstance(f, Power) and f.exponent < 0)]


TEXT = Infix()
