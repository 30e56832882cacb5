"""Vectors over anything that adds and multiplies: polynomials of the ring, or the operations of a program.

The same recursions (`kinematics`, `tensors`, `newton_euler`) then give exact formulae and straight-line code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["Algebra", "Matrix", "Vector"]

Vector = tuple[Any, Any, Any]
Matrix = tuple[Vector, Vector, Vector]


class Algebra:
    """Vector operations on top of ``dot`` and ``mul``."""

    zero: Any
    one: Any

    def mul(self, a: Any, b: Any) -> Any:
        """a·b"""
        raise NotImplementedError

    def dot(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        """Σ a_k b_k"""
        raise NotImplementedError

    def cross(self, a: Sequence[Any], b: Sequence[Any]) -> Vector:
        """a × b"""
        return (
            self.dot((a[1], -a[2]), (b[2], b[1])),
            self.dot((a[2], -a[0]), (b[0], b[2])),
            self.dot((a[0], -a[1]), (b[1], b[0])),
        )

    def scale(self, p: Any, v: Sequence[Any]) -> Vector:
        """p v"""
        return (self.mul(p, v[0]), self.mul(p, v[1]), self.mul(p, v[2]))

    def add(self, *vectors: Sequence[Any]) -> Vector:
        """The sum of vectors."""
        x, y, z = vectors[0]
        for v in vectors[1:]:
            x, y, z = x + v[0], y + v[1], z + v[2]
        return x, y, z

    def apply(self, m: Sequence[Sequence[Any]], v: Sequence[Any]) -> Vector:
        """M v"""
        return (self.dot(m[0], v), self.dot(m[1], v), self.dot(m[2], v))

    def matmul(self, a: Sequence[Sequence[Any]], b: Sequence[Sequence[Any]]) -> Matrix:
        """A B"""
        columns = tuple(zip(*b, strict=True))
        x, y, z = (self.apply(columns, row) for row in a)
        return x, y, z
