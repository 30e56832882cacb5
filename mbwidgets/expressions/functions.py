"""Functions of numbers and expressions alike: ``mb.sin(alpha)`` keeps the parameter, `math.sin` would lose it.

Of a float they give a float, as `math` does; in a text ``sqrt(2.0)`` stays the root of two.
"""

from __future__ import annotations

from typing import Any

from .tree import Expression, as_scalar, call, evaluate

__all__ = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "exp",
    "log",
    "maximum",
    "minimum",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "where",
]


def sin(x: Any) -> Any:
    """sin x, x in rad.

    >>> mb.sin(mb.Parameter("alpha", 0.5)) + 1
    sin(alpha) + 1
    """
    return _of("sin", x)


def cos(x: Any) -> Any:
    """cos x, x in rad.

    >>> mb.cos(2 * mb.Parameter("alpha", 0.5))
    cos(2*alpha)
    """
    return _of("cos", x)


def tan(x: Any) -> Any:
    """tan x, x in rad.

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


def tanh(x: Any) -> Any:
    """tanh x, a step from −1 to 1 without a corner.

    >>> mb.tanh(100 * mb.Parameter("v", 0.5))
    tanh(100*v)
    """
    return _of("tanh", x)


def atan(x: Any) -> Any:
    """The angle between −π/2 and π/2, rad, whose tangent is x.

    >>> mb.atan(mb.Parameter("slope", 0.5))
    atan(slope)
    """
    return _of("atan", x)


def asin(x: Any) -> Any:
    """The angle between −π/2 and π/2, rad, whose sine is x, −1 ≤ x ≤ 1.

    >>> mb.asin(mb.Parameter("h", 0.5) / 2)
    asin(1/2*h)
    """
    return _of("asin", x)


def acos(x: Any) -> Any:
    """The angle between 0 and π, rad, whose cosine is x, −1 ≤ x ≤ 1.

    >>> mb.acos(mb.Parameter("h", 0.5)) - mb.pi
    acos(h) - pi
    """
    return _of("acos", x)


def sign(x: Any) -> Any:
    """−1 where x is negative, 0 where it is zero, 1 where it is positive; |x| is Python's own ``abs(x)``.

    >>> v = mb.Parameter("v", 0.5)
    >>> mb.sign(v) * abs(v)
    sign(v)*abs(v)
    """
    return _of("sign", x)


def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y), between −π and π, rad; zero at the origin.

    >>> mb.atan2(mb.Parameter("h", 0.5), 2)
    atan2(h, 2)
    """
    return _of("atan2", y, x)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two values, ``min(a, b)`` in a text.

    >>> mb.minimum(mb.Parameter("k", 3.0), 10)
    min(k, 10)
    """
    return _of("min", a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two values, ``max(a, b)`` in a text.

    >>> mb.maximum(0, 1 - mb.Parameter("k", 3.0))
    max(0, -k + 1)
    """
    return _of("max", a, b)


def where(x: Any, a: Any, b: Any) -> Any:
    """a where x ≥ 0, else b.

    >>> mb.where("t - 2", 0, mb.Parameter("k", 3.0))
    where(t - 2, 0, k)
    """
    return _of("where", x, a, b)


def _of(name: str, *given: Any) -> Any:
    arguments = [as_scalar(x) for x in given]
    value = call(name, *arguments)
    known = not any(isinstance(argument, Expression) for argument in arguments)
    return evaluate(value) if known and any(isinstance(argument, float) for argument in arguments) else value
