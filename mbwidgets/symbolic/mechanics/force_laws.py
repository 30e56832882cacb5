"""The laws of `model.force_primitives`, exactly: what a line or a joint pulls with, and its potential.

The length of a line is a letter ℓ with ℓ² = d·d, and none where d·d alone serves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, assert_never

from ...expressions import derivative
from ...model.force_primitives import MEASURE, RATE, Drive, Elastic, Friction, JointForce, Law, LineForce, Viscous
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.scalar_reader import Reader, function_of, square_root
from .body_geometry import Geometry

__all__ = ["joint_energy", "joint_resistance", "line_energy", "tension_over_length"]


def tension_over_length(g: Geometry, part: LineForce, square: Element) -> tuple[Element, Element]:
    """Tension/ℓ as numerator and denominator: times d it is the force on the first end; ``square`` is d·d, not zero.

    They are divided by each other last, after all products, which leaves the shorter fraction.
    """
    where = part.title
    one = rational_element(1)
    factor = one if part.factor is None else g.read(part.factor, where)
    match part.law:
        case Elastic(stiffness=k, rest=rest):
            stiffness, length = factor * g.read(k, where), g.read(rest, where)
            return (stiffness * (1 - length / square_root(square, where)) if length else stiffness), one
        case Viscous(damping=c):
            return factor * g.read(c, where) * g.rate(square), 2 * square  # ℓ̇/ℓ = (ℓ²)˙/2ℓ²
        case Law():
            length = square_root(square, where)
            return _pull(g, part.law, length, g.rate(square) / (2 * length), where), length
        case _:
            assert_never(part.law)


def line_energy(g: Geometry, part: LineForce, square: Element) -> Element:
    """V of a line; none where its tension has a factor."""
    where = part.title
    if part.factor is not None:
        return rational_element(0)
    match part.law:
        case Elastic():
            return _elastic_energy(g, part.law, square, lambda: square_root(square, where), where)
        case Law(energy=energy):
            return _read(g, energy, square_root(square, where), rational_element(0), where)
        case _:
            return rational_element(0)


def joint_resistance(g: Geometry, part: JointForce) -> Element:
    """dV/dq + R, which the effort is opposite to."""
    where, u = part.title, letter_element(letters.velocity(part.velocity))
    match part.law:
        case Elastic(stiffness=k, rest=rest):
            return g.read(k, where) * (_coordinate(part) - g.read(rest, where))
        case Viscous(damping=c):
            return g.read(c, where) * u
        case Friction(viscous=c, coulomb=f, smoothing=e):
            viscous, coulomb = g.read(c, where) * u, g.read(f, where)
            return viscous + coulomb * function_of("tanh", u / g.read(e, where)) if coulomb else viscous
        case Drive(value=value):
            return -g.read(value, where)
        case Law():
            return _pull(g, part.law, _coordinate(part), u, where)
        case _:
            assert_never(part.law)


def joint_energy(g: Geometry, part: JointForce) -> Element:
    """V of a joint's spring or law."""
    match part.law:
        case Elastic():
            q = _coordinate(part)
            return _elastic_energy(g, part.law, q * q, lambda: q, part.title)
        case Law(energy=energy):
            return _read(g, energy, _coordinate(part), rational_element(0), part.title)
        case _:
            return rational_element(0)


def _elastic_energy(g: Geometry, law: Elastic, square: Element, measure: Any, where: str) -> Element:
    """½ k (x − x₀)² = ½ k (x² + x₀² − 2 x₀ x), x only where it is needed."""
    rest = g.read(law.rest, where)
    stretch = square + rest * rest
    if rest:
        stretch = stretch - 2 * rest * measure()
    return g.read(law.stiffness, where) * stretch / 2


def _coordinate(part: JointForce) -> Element:
    """q, zero for a ball, which no V may need."""
    return rational_element(0) if part.coordinate is None else letter_element(letters.coordinate(part.coordinate))


def _pull(g: Geometry, law: Law, x: Element, rate: Element, where: str) -> Element:
    """dV/dx + R"""
    slope = derivative(law.energy, MEASURE)
    return _read(g, slope, x, rate, where) + _read(g, law.resistance, x, rate, where)


def _read(g: Geometry, value: Any, x: Element, rate: Element, where: str) -> Element:
    reader = g.mechanism.reader
    return _LawReader(reader.rationalised, reader.angles, {MEASURE: x, RATE: rate}).read(value, where)


@dataclass
class _LawReader(Reader):
    """Reads the expressions of a law: what it calls q[0] and u[0] are x and ẋ."""

    given: dict[Any, Element] = field(default_factory=dict)

    def read(self, value: Any, where: str = "number") -> Element:
        """An exact value."""
        found = self.given.get(value) if value in (MEASURE, RATE) else None
        return super().read(value, where) if found is None else found
