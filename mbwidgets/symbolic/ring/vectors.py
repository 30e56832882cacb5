"""Vectors of exact values: products, and frames across a direction.

`Algebra` does the same on bare polynomials of one ring and on operations of a program; these are for elements of any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .element import Element, rational_element

__all__ = ["UNITS", "Vec", "add", "cross", "dot", "perpendicular_axes", "skew", "subtract"]

Vec: TypeAlias = list[Element]
UNITS: tuple[Vec, ...] = tuple([rational_element(int(j == k)) for k in range(3)] for j in range(3))


def dot(a: Sequence[Element], b: Sequence[Element]) -> Element:
    """Σ a_k b_k"""
    total = rational_element(0)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def cross(a: Sequence[Element], b: Sequence[Element]) -> Vec:
    """a × b"""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a: Sequence[Element], b: Sequence[Element]) -> Vec:
    """a + b, of any length"""
    return [x + y for x, y in zip(a, b, strict=True)]


def subtract(a: Sequence[Element], b: Sequence[Element]) -> Vec:
    """a − b, of any length"""
    return [x - y for x, y in zip(a, b, strict=True)]


def skew(v: Sequence[Element]) -> list[Vec]:
    """[v], with [v] w = v × w"""
    x, y, z = v
    zero = rational_element(0)
    return [[zero, -z, y], [z, zero, -x], [-y, x, zero]]


def perpendicular_axes(n: Sequence[Element]) -> tuple[Vec, Vec]:
    """Two unit vectors across a unit vector: x and y under R = I + [w] + [w]²/(1 + n_z), w = z × n; x and −y for −z."""
    x, y, z = n
    if z == rational_element(-1):
        return [*UNITS[0]], [-part for part in UNITS[1]]
    share = (z + 1).inverse()
    return [1 - x * x * share, -x * y * share, -x], [-x * y * share, 1 - y * y * share, -y]
