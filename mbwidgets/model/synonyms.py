"""What people call the fields of a mechanism elsewhere."""

from __future__ import annotations

from typing import Final

__all__ = ["SYNONYMS"]

SYNONYMS: Final = {
    "rest": "length",
    "length": "rest",
    "k": "stiffness",
    "c": "damping",
    "d": "damping",
    "m": "mass",
    "J": "inertia",
    "I": "inertia",
    "moment": "inertia",
    "center_of_mass": "com",
    "place": "at",
    "position": "at",
    "origin": "at",
    "point": "at",
    "direction": "axis",
    "base": "parent",
    "geometry": "shape",
    "expression": "value",
    "torque": "value",
    "start": "a",
    "end": "b",
}
"""Names that people give fields elsewhere, and those that the fields have here."""
