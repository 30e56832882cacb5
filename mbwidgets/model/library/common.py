"""What the mechanisms share."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError, shorten
from ...expressions import call
from ..parameters import Parameter

LARGEST = 500


def gravity_slider(value: Any = 9.81) -> Parameter:
    """The acceleration of gravity, from weightless to Jupiter's."""
    return Parameter("g", value, min=0, max=25, unit="m/s²")


def body_count(n: Any) -> int:
    """A number of bodies, from 1."""
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= LARGEST:
        raise ModelError(f"{shorten(n)} bodies", where="n", remedy=f"give a whole number from 1 to {LARGEST}")
    return n


def turn_about_x(angle: Any) -> tuple[Any, Any, Any, Any]:
    """The quaternion x, y, z, w of a rotation about x."""
    half = angle / 2
    return (call("sin", half), 0, 0, call("cos", half))
