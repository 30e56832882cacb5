"""The functions of the allow-list: their values as floats, and the arguments at which they are exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from .constants import as_fraction, compute_finite_constant, rational_square_root

FUNCTIONS: Final[dict[str, Callable[..., float]]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "tanh": math.tanh,
    "atan": math.atan,
    "asin": math.asin,
    "acos": math.acos,
    "abs": math.fabs,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "atan2": lambda y, x: math.atan2(y + 0.0, x + 0.0),  # −0 is 0: an expression has one zero
    "min": min,
    "max": max,
    "where": lambda x, a, b: a if x >= 0.0 else b,
}
ARITY: Final = {"atan2": 2, "min": 2, "max": 2, "where": 3}
"""How many arguments a function takes, where it is not one."""
AT_ZERO: Final = {"sin": 0, "cos": 1, "tan": 0, "exp": 1, "tanh": 0, "atan": 0, "asin": 0}
"""Values at zero that are rational."""


def apply_function(name: str, *arguments: float) -> float:
    """The value of a function; refused where it has none."""
    return float(compute_finite_constant(FUNCTIONS[name], f"{name}({', '.join(map(repr, arguments))})", *arguments))


def exact_value(name: str, argument: Any, *rest: Any) -> Any:
    """The value at constants where it is rational, else None."""
    if name in ("min", "max"):
        return FUNCTIONS[name](argument, *rest, key=as_fraction)
    if name == "atan2":
        return 0 if argument == 0 and rest[0] >= 0 else None
    if name == "abs":
        return abs(argument)
    if name == "sign":
        return (argument > 0) - (argument < 0)
    if name == "sqrt":
        return rational_square_root(argument)
    if argument == 0:
        return AT_ZERO.get(name)
    return 0 if name == "acos" and argument == 1 else None
