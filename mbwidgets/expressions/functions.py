"""Functions of numbers and expressions alike: ``mb.sin(alpha)`` keeps the parameter, `math.sin` would lose it."""

from __future__ import annotations

from typing import Any

from .tree import as_scalar, call

__all__ = ["cos", "exp", "log", "sin", "sqrt", "tan"]


def sin(x: Any) -> Any:
    """sin x."""
    return call("sin", as_scalar(x))


def cos(x: Any) -> Any:
    """cos x."""
    return call("cos", as_scalar(x))


def tan(x: Any) -> Any:
    """tan x."""
    return call("tan", as_scalar(x))


def sqrt(x: Any) -> Any:
    """√x, exact for squares of rational numbers."""
    return call("sqrt", as_scalar(x))


def exp(x: Any) -> Any:
    """exp x."""
    return call("exp", as_scalar(x))


def log(x: Any) -> Any:
    """The natural logarithm of x."""
    return call("log", as_scalar(x))
