"""Text out: every expression prints as text that the parser reads back to the same tree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .tree import Call, Expression, Power, Product, Sum, Symbol


def write_expression(value: Any, level: int) -> str:
    """``level``: 0 anywhere, 1 as a term, 2 as a factor, 3 as the base of a power."""
    match value:
        case Sum(terms=terms):
            text = write_expression(terms[0], 1)
            for term in terms[1:]:
                piece = write_expression(term, 1)
                text += f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}"
            rank = 0
        case Product(factors=factors):
            head, rest = (factors[0], factors[1:]) if not isinstance(factors[0], Expression) else (1, factors)
            if head == -1:
                text = "-" + "*".join(write_expression(factor, 2) for factor in rest)
            else:
                # a leading minus is read back as part of the constant: -2*x, a - 2*x
                front = [write_expression(head, 1)] if head != 1 else []
                text = "*".join([*front, *(write_expression(factor, 2) for factor in rest)])
            rank = 1
        case Power(base=base, exponent=exponent):
            text, rank = f"{write_expression(base, 3)}**{exponent if exponent > 0 else f'({exponent})'}", 2
        case Call(name=name, arguments=arguments):
            text, rank = f"{name}({', '.join(write_expression(argument, 0) for argument in arguments)})", 3
        case int() | float() | Fraction():
            text = repr(value) if isinstance(value, float) else str(value)
            rank = 0 if value < 0 else (1 if isinstance(value, Fraction) else 3)
            if level <= 2 and (rank == 1 or level < 2):
                return text
        case Symbol(name=name):  # a parameter too goes by its name alone
            text, rank = name, 3
        case _:
            text, rank = repr(value), 3
    return f"({text})" if rank < level else text
