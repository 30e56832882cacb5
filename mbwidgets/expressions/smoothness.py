"""Where an expression has kinks and jumps."""

from __future__ import annotations

from typing import Any, Final

from .table import Table
from .tree import Call, Expression, Variable

KINKED: Final = frozenset({"abs", "sign", "min", "max", "where"})
"""Functions whose value or slope jumps."""


def first_kink(value: Any, *symbols: str) -> Expression | None:
    """The first function with a kink or a jump whose argument depends on t, q, u or one of these symbols."""
    if not isinstance(value, Expression):
        return None
    if isinstance(value, Call) and value.name in KINKED:
        deciding = value.arguments[:1] if value.name == "where" else value.arguments
        if any(_varies(item, symbols) for item in deciding):
            return value
    if isinstance(value, Table) and value.kind == "steps":
        return value
    return next((found for child in value.children() if (found := first_kink(child, *symbols)) is not None), None)


def _varies(value: Any, symbols: tuple[str, ...]) -> bool:
    leaves = value.leaves() if isinstance(value, Expression) else ()
    return any(isinstance(leaf, Variable) or leaf.name in symbols for leaf in leaves)
