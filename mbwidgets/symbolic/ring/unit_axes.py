"""Unit joint axes, exactly.

- rational directions of rational length, such as (1, 2, 2)/3: as they are
- exact directions of irrational length, such as (1, 1, 0): divided by their length, √2 as a letter with
  r² = 2
- floats: the nearest simple point of the unit sphere with rational coordinates, by stereographic
  projection, within a stated tolerance, so that e·e = 1 holds exactly; opposite floats give opposite axes
- directions in parameters with d·d = 1 identically, such as (cos α, sin α, 0): as they are
- other directions in parameters: letters e_x, e_y, e_z with the relation e·e = 1 and the value d/|d|
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...errors import ModelError
from ...expressions import Expression, Symbol
from .element import Element, letter_element, rational_element
from .generators import Generator, Kind
from .scalar_reader import Rationalised, Reader, square_root

__all__ = ["AXIS_TOLERANCE", "simplest_between", "stereographic", "unit_axis"]

AXIS_TOLERANCE = 1e-15
Unit = tuple[Element, Element, Element]


def unit_axis(
    direction: Sequence[Any], reader: Reader, where: str, name: str = "e", tolerance: float = AXIS_TOLERANCE
) -> Unit:
    """The unit vector along ``direction`` as three exact values with e·e = 1."""
    if any(isinstance(part, float) for part in direction) and not any(isinstance(p, Expression) for p in direction):
        return _from_floats(direction, reader, where, tolerance)
    parts = [reader.read(part, where) for part in direction]
    square = sum((part * part for part in parts), rational_element(0))
    if not square:
        raise ModelError("the joint axis has no direction", where=where, remedy="give a vector that is not zero")
    if square == 1:
        return parts[0], parts[1], parts[2]
    if square.is_number():
        inverse = square_root(square, where) * (1 / square.as_number())
        return parts[0] * inverse, parts[1] * inverse, parts[2] * inverse
    return _letters(direction, parts, name)


def _from_floats(direction: Sequence[Any], reader: Reader, where: str, tolerance: float) -> Unit:
    exact = stereographic([float(part) for part in direction], tolerance, where)
    for name, given, value in zip("xyz", direction, exact, strict=True):
        if value != given:
            reader.rationalised.append(Rationalised(f"{where}, {name}", float(given), value))
    return rational_element(exact[0]), rational_element(exact[1]), rational_element(exact[2])


def _letters(direction: Sequence[Any], parts: list[Element], name: str) -> Unit:
    bare = (p.replace(_bare) if isinstance(p, Expression) else p for p in direction)
    definition = tuple(p if part else 0 for p, part in zip(bare, parts, strict=True))
    x, y, z = (
        letter_element(Generator(Kind.AXIS, component, name, definition)) if part else rational_element(0)
        for component, part in enumerate(parts)
    )
    return x, y, z


def _bare(leaf: Any) -> Any:
    """A parameter without its value: the letters of an axis depend on its direction's names alone."""
    return Symbol(leaf.name) if isinstance(leaf, Symbol) else leaf


def stereographic(direction: Sequence[float], tolerance: float, where: str = "axis") -> list[Fraction]:
    """The simplest rational point of the unit sphere within about ``tolerance`` of a direction.

    Seen from the pole opposite to the largest component the sphere is a plane: (a, b) = (x, y)/(1 + z),
    and back (x, y, z) = (2a, 2b, 1 − a² − b²)/(1 + a² + b²), which has unit length for every rational a,
    b.
    """
    length = math.hypot(*direction)
    if not length or not math.isfinite(length):
        raise ModelError(
            f"the joint axis {tuple(direction)} has no direction",
            where=where,
            remedy="give a finite, non-zero vector",
        )
    unit = [part / length for part in direction]
    pole = max(range(3), key=lambda i: abs(unit[i]))
    sign = -1 if unit[pole] < 0 else 1
    plane = [simplest_between(sign * unit[i] / (1 + abs(unit[pole])), tolerance / 2) for i in range(3) if i != pole]
    norm = 1 + plane[0] ** 2 + plane[1] ** 2
    rest = iter(sign * 2 * part / norm for part in plane)
    return [sign * (2 - norm) / norm if i == pole else next(rest) for i in range(3)]


def simplest_between(value: float, tolerance: float) -> Fraction:
    """The fraction of smallest denominator within ``tolerance`` of ``value``, odd in ``value``."""
    if value < 0:
        return -simplest_between(-value, tolerance)
    exact = Fraction(value)
    low, high = exact - Fraction(tolerance), exact + Fraction(tolerance)
    return Fraction(0) if low <= 0 else _simplest(low, high)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator in [low, high], 0 < low ≤ high (continued fractions)."""
    whole = math.ceil(low)
    if whole <= high:
        return Fraction(whole)
    floor = math.floor(low)
    return floor + 1 / _simplest(1 / (high - floor), 1 / (low - floor))
