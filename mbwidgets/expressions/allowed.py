"""The functions of the allow-list: their values as floats, and the arguments at which they are exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from .constants import compute_finite_constant, rational_square_root

FUNCTIONS: Final[dict[str, Callable[[float], float]]] = {
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
}
AT_ZERO: Final = {"sin": 0, "cos": 1, "tan": 0, "exp": 1, "tanh": 0, "atan": 0, "asin": 0}
"""Values at zero that are rational."""


def apply_function(name: str, argument: float) -> float:
    """The value of a function; refused where it has none."""
    return float(compute_finite_constant(FUNCTIONS[name], f"{name}({argument!r})", argument))


def exact_value(name: str, argument: Any) -> Any:
    """The value at a constant where it is rational, else None."""
    if name == "abs":
        return abs(argument)
    if name == "sign":
        return (argument > 0) - (argument < 0)
    if name == "sqrt":
        return rational_square_root(argument)
    if argument == 0:
        return AT_ZERO.get(name)
    return 0 if name == "acos" and argument == 1 else None
