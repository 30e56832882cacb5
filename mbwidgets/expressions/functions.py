"""Functions of numbers and expressions alike: ``mb.sin(alpha)`` keeps the parameter, `math.sin` would lose it.

Of a float they give a float, as `math` does; in a text ``sqrt(2.0)`` stays the root of two.
"""

from __future__ import annotations

from typing import Any

from .tree import as_scalar, call, evaluate

__all__ = ["cos", "exp", "log", "sin", "sqrt", "tan"]


def sin(x: Any) -> Any:
    """sin x."""
    return _of("sin", x)


def cos(x: Any) -> Any:
    """cos x."""
    return _of("cos", x)


def tan(x: Any) -> Any:
    """tan x."""
    return _of("tan", x)


def sqrt(x: Any) -> Any:
    """√x, exact for squares of rational numbers."""
    return _of("sqrt", x)


def exp(x: Any) -> Any:
    """exp x."""
    return _of("exp", x)


def log(x: Any) -> Any:
    """The natural logarithm of x."""
    return _of("log", x)


def _of(name: str, x: Any) -> Any:
    argument = as_scalar(x)
    value = call(name, argument)
    return evaluate(value) if isinstance(argument, float) else value
