"""Functions of numbers and expressions alike: ``mb.sin(alpha)`` keeps the parameter, `math.sin` would lose it.

Of a float they give a float, as `math` does; in a text ``sqrt(2.0)`` stays the root of two.
"""

from __future__ import annotations

from typing import Any

from .tree import as_scalar, call, evaluate

__all__ = ["cos", "exp", "log", "sin", "sqrt", "tan"]


def sin(x: Any) -> Any:
    """sin x.

    >>> mb.sin(mb.Parameter("alpha", 0.5)) + 1
    sin(alpha) + 1
    """
    return _of("sin", x)


def cos(x: Any) -> Any:
    """cos x.

    >>> mb.cos(2 * mb.Parameter("alpha", 0.5))
    cos(2*alpha)
    """
    return _of("cos", x)


def tan(x: Any) -> Any:
    """tan x.

    >>> mb.tan(mb.Parameter("alpha", 0.5))
    tan(alpha)
    """
    return _of("tan", x)


def sqrt(x: Any) -> Any:
    """√x, exact for squares of rational numbers.

    >>> mb.sqrt("9/4")
    Fraction(3, 2)
    """
    return _of("sqrt", x)


def exp(x: Any) -> Any:
    """exp x.

    >>> mb.exp(-mb.Parameter("c", 2.0))
    exp(-c)
    """
    return _of("exp", x)


def log(x: Any) -> Any:
    """The natural logarithm of x.

    >>> mb.log(mb.Parameter("r", 2.0))
    log(r)
    """
    return _of("log", x)


def _of(name: str, x: Any) -> Any:
    argument = as_scalar(x)
    value = call(name, argument)
    return evaluate(value) if isinstance(argument, float) else value
