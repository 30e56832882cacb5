"""How a user's function wants to be called."""

from __future__ import annotations

import inspect
from typing import Any

from ...errors import StateError

__all__ = ["takes_time_alone"]


def takes_time_alone(function: Any, what: str) -> bool:
    """Whether a function is one of t; else it is one of (t, q, u)."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions do not tell
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places = [parameter for parameter in signature.parameters.values() if parameter.kind in kinds]
    needed = [parameter for parameter in places if parameter.default is inspect.Parameter.empty]
    if len(needed) == 1 and not _binds(signature, 3):
        return True
    if len(needed) == 1 and places[1].name not in ("q", "u"):  # a spline: (x, nu=0, extrapolate=None)
        return True
    if not _binds(signature, 3):
        raise StateError(
            f"a function of {len(needed)} arguments", where=what, remedy="give a function of t, or of (t, q, u)"
        )
    return False


def _binds(signature: inspect.Signature, count: int) -> bool:
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True
