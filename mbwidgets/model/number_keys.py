"""Keys of the numbers of a model that sliders move: one address for each, the same in Python and in a page.

A key holds a space and so is never the name of a parameter. Plain numbers have keys of their own; a number that is a
parameter moves that parameter.
"""

from __future__ import annotations

from typing import Any, Final

from ..expressions import Expression

__all__ = [
    "INERTIA_PAIRS",
    "at_key",
    "axis_key",
    "com_key",
    "effort_key",
    "gravity_key",
    "hand_key",
    "inertia_key",
    "is_plain",
    "mass_key",
    "parameter_key",
    "solid_key",
    "state_key",
]

INERTIA_PAIRS: Final = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Rows and columns of the six components of an inertia, in their order."""


def is_plain(scalar: Any) -> bool:
    """Whether a scalar is a number, written in whatever way, and follows from nothing."""
    return not isinstance(scalar, Expression) or next(scalar.leaves(), None) is None


def parameter_key(name: str) -> str:
    """Of a parameter."""
    return f"parameter {name}"


def mass_key(body: int) -> str:
    """Of a body's mass."""
    return f"mass {body}"


def com_key(body: int, k: int) -> str:
    """Of a component of ρ_iC."""
    return f"com {body} {k}"


def inertia_key(body: int, i: int, j: int) -> str:
    """Of a component of the inertia, i ≤ j."""
    return f"inertia {body} {i}{j}"


def at_key(body: int, k: int) -> str:
    """Of a component of a joint's place."""
    return f"at {body} {k}"


def axis_key(field: str, body: int, part: int | str) -> str:
    """Of a joint's ``axis`` or ``second`` axis: azimuth 0, elevation 1, or a component ``"x"``, ``"y"``, ``"z"``."""
    return f"{field} {body} {part}"


def gravity_key(k: int) -> str:
    """Of a component of g."""
    return f"gravity {k}"


def state_key(which: str, k: int) -> str:
    """Of a number of the initial ``"q"`` or ``"u"``."""
    return f"{which} {k}"


def hand_key(k: int) -> str:
    """Of what a hand adds to an initial coordinate that follows from parameters."""
    return f"hand {k}"


def effort_key(body: int, k: int) -> str:
    """Of the constant effort along a free direction of a joint."""
    return f"effort {body} {k}"


def solid_key(body: int) -> str:
    """Of 1 where a body's inertia is its solid's and follows the mass, of 0 where it has been given."""
    return f"solid {body}"
