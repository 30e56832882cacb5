"""Kharlamov's equations of a chain on spherical joints, exactly: with augmented bodies and without.

Source: Chebanov, Khlistunova, section 1. Row i stands in the axes of body i, in the model's own letters: the
quaternions q, the relative angular velocities u (body axes) and their rates u̇. For quaternions of unit length
the row is the moment of the joint before body i less that of the joint after it, L_i − L_{i+1}.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...errors import ModelError
from ...model.arguments import refuse_constraints
from ...model.forces import ElasticAlignment
from ...model.tensors import quaternion_matrix
from ..formula.formula import Formula
from ..ring import generators as letters
from ..ring.algebra import Matrix, Vector
from ..ring.derivation_limits import SECONDS, TERMS, limited
from ..ring.element import Element, letter_element, rational_element
from ..ring.scalar_reader import Reader, square_root
from .augmented import AUGMENTED as R
from .augmented import ExactBody, augmented_inertia, exact_chain, static_moment

__all__ = ["Kharlamov", "kharlamov"]


@dataclass(frozen=True)
class Kharlamov:
    """The left sides of (1.5) and (1.1) as formulae of q, u and u̇; made by `kharlamov`."""

    model: Any
    bodies: tuple[ExactBody, ...]
    limits: tuple[int, float]

    @cached_property
    def equations(self) -> Formula:
        """(n, 3): (A_i*ω_i)˙ + a_i × [ Σ_{j<i} (ω_j × s_j)˙ − gν ] + s_i × Σ_{j>i} (ω_j × a_j)˙ − elastic   (1.5)

        Elastic moments are those of (1.4): −κ² (e_{i−1} × e_i) of the joint before, less that of the joint after
        (the paper says "(1.1) take the form" where it means (1.3)).
        """
        with limited(*self.limits):
            below = [self._below(i) for i in range(self.n)]
            a = [static_moment(body, mass) for body, mass in zip(self.bodies, below, strict=True)]
            rows = []
            for i, body in enumerate(self.bodies):
                carried = [self._seen(j, i, self._swing(j, a[j])) for j in range(i + 1, self.n)]
                before = [self._seen(j, i, self._swing(j, self.bodies[j].arm)) for j in range(i)]
                lifted = R.add(self._weightless(i), *before)
                row = R.add(self._spin(i, augmented_inertia(body, below[i])), R.cross(a[i], lifted))
                if carried:
                    row = R.add(row, R.cross(body.arm, R.add(*carried)))
                rows.append(list(R.add(row, R.scale(rational_element(-1), self._elastic(i)))))
            return Formula(rows, self.model.values)

    @cached_property
    def plain_equations(self) -> Formula:
        """(n, 3), the same by Kharlamov's own sums, without augmentation   (1.1)

        (A_i ω_i)˙ + m_i c_i × Σ_{j<i} (ω_j × s_j)˙ + s_i × Σ_{j>i} m_j ( ω_j × c_j + Σ_{k<j} ω_k × s_k )˙
        − m_i c_i × gν − s_i × Σ_{j>i} m_j gν − elastic
        """
        with limited(*self.limits):
            rows = []
            for i, body in enumerate(self.bodies):
                before = [self._seen(j, i, self._swing(j, self.bodies[j].arm)) for j in range(i)]
                lifted = R.add(self._weightless(i), *before)
                row = R.add(self._spin(i, body.inertia), R.cross(R.scale(body.mass, body.com), lifted))
                for j in range(i + 1, self.n):
                    other = self.bodies[j]
                    path = [self._seen(k, i, self._swing(k, self.bodies[k].arm)) for k in range(j)]
                    own = self._seen(j, i, self._swing(j, other.com))
                    moved = R.scale(other.mass, R.add(own, self._weightless(i), *path))
                    row = R.add(row, R.cross(body.arm, moved))
                rows.append(list(R.add(row, R.scale(rational_element(-1), self._elastic(i)))))
            return Formula(rows, self.model.values)

    @property
    def n(self) -> int:
        """Number of bodies."""
        return len(self.bodies)

    def _below(self, i: int) -> Element:
        total = rational_element(0)
        for body in self.bodies[i + 1 :]:
            total = total + body.mass
        return total

    @cached_property
    def _turns(self) -> tuple[Matrix, ...]:
        """From the axes of each body to those of the body before."""
        quaternions = [[letter_element(letters.coordinate(4 * i + k)) for k in range(4)] for i in range(self.n)]
        return tuple(quaternion_matrix(q, 2) for q in quaternions)

    def _inward(self, i: int, v: Vector) -> Vector:
        return R.apply(self._turns[i], v)

    def _outward(self, i: int, v: Vector) -> Vector:
        return R.apply(tuple(zip(*self._turns[i], strict=True)), v)

    def _seen(self, j: int, i: int, v: Vector) -> Vector:
        """A vector of body j in the axes of body i."""
        for k in range(j, i, -1):
            v = self._inward(k, v)
        for k in range(j + 1, i + 1):
            v = self._outward(k, v)
        return v

    @cached_property
    def _speeds(self) -> tuple[tuple[Vector, Vector], ...]:
        """Absolute ω_i and ω̇_i in the axes of body i.

        ω_i = Tᵀω_{i−1} + u_i, ω̇_i = Tᵀω̇_{i−1} + (Tᵀω_{i−1}) × u_i + u̇_i
        """
        rows: list[tuple[Vector, Vector]] = []
        for i in range(self.n):
            u, ud = (
                tuple(letter_element(make(3 * i + k)) for k in range(3))
                for make in (letters.velocity, letters.acceleration)
            )
            if i:
                turned = self._outward(i, rows[-1][0])
                rate = R.add(self._outward(i, rows[-1][1]), R.cross(turned, u), ud)
                rows.append((R.add(turned, u), rate))
            else:
                rows.append((u, ud))  # type: ignore[arg-type]
        return tuple(rows)

    def _swing(self, i: int, v: Vector) -> Vector:
        """(ω_i × v)˙ = ω̇_i × v + ω_i × (ω_i × v) for a vector fixed in body i."""
        speed, rate = self._speeds[i]
        return R.add(R.cross(rate, v), R.cross(speed, R.cross(speed, v)))

    def _spin(self, i: int, tensor: Matrix) -> Vector:
        """(A ω_i)˙ = A ω̇_i + ω_i × A ω_i"""
        speed, rate = self._speeds[i]
        return R.add(R.apply(tensor, rate), R.cross(speed, R.apply(tensor, speed)))

    def _weightless(self, i: int) -> Vector:
        """−gν in the axes of body i."""
        reader = Reader()
        x, y, z = (-reader.read(part, "gravity") for part in self.model.gravity)
        return self._seen(-1, i, (x, y, z))

    def _elastic(self, i: int) -> Vector:
        total: Vector = (R.zero, R.zero, R.zero)
        for force in self.model.forces:
            joint = self.model.index(force.joint)
            if joint not in (i, i + 1):
                continue
            inner = self._seen(joint, i, _unit(force.axis_child))
            outer = self._seen(joint - 1, i, _unit(force.axis_parent))
            stiffness = Reader().read(force.stiffness, "stiffness")
            pull = R.scale(stiffness, R.cross(inner, outer))
            total = R.add(total, pull if joint == i else R.scale(rational_element(-1), pull))
        return total


def kharlamov(model: Any, terms: int = TERMS, seconds: float = SECONDS) -> Kharlamov:
    """Kharlamov's equations of a chain of up to about three bodies; ``numeric.permanent.kharlamov`` takes any number.

    >>> mb.kharlamov(mb.library.spherical_chain(2)).equations.shape
    (2, 3)
    """
    bodies = exact_chain(model)
    refuse_constraints(model, "kharlamov")
    for force in model.forces:
        if not isinstance(force, ElasticAlignment):
            raise ModelError(
                f"a force of type {force.type!r} is not in Kharlamov's equations (1.4)",
                remedy="keep elastic_alignment forces only, or use mb.Dynamics",
            )
    return Kharlamov(model, bodies, (terms, seconds))


def _unit(axis: Any) -> Vector:
    reader = Reader()
    x, y, z = (reader.read(part, "axis") for part in axis)
    square = R.dot((x, y, z), (x, y, z))
    if square == rational_element(1):
        return x, y, z
    length = square_root(square, "axis")
    return x / length, y / length, z / length
