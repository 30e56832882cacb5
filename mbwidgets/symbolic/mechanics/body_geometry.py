"""Points, directions and rates of a model's bodies as exact values, for what forces and constraints are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model.constraint_primitives import Direction
from ...model.tensors import quaternion_rate
from ..ring import generators as letters
from ..ring.element import Element, letter_element
from ..ring.unit_axes import unit_axis
from ..ring.vectors import Vec, add, dot, perpendicular_axes
from .mechanism import Mechanism

__all__ = ["Geometry", "coordinate_rates", "rate_at_constant_velocities"]


class Geometry:
    """A model over its mechanism; bodies are given by their index, −1 is the ground."""

    def __init__(self, model: Any, mechanism: Mechanism) -> None:
        self.model, self.mechanism, self.n = model, mechanism, mechanism.n
        self.read = mechanism.reader.read
        self.segment = {-1: -1} | {s.body: i for i, s in enumerate(mechanism.segments)}
        self._axes: dict[tuple[str, Any], Vec] = {}
        self._ends: dict[Any, tuple[Vec, Vec]] = {}

    def vector(self, values: Sequence[Any], where: str) -> Vec:
        """Scalars of the model as exact values."""
        return [self.read(value, where) for value in values]

    def wrap(self, polys: Sequence[Any]) -> Vec:
        """Polynomials of the mechanism's ring as exact values."""
        return [Element(self.mechanism.ring, p) for p in polys]

    def turned(self, place: int, v: Vec) -> Vec:
        """From the axes of a segment to inertial axes."""
        return v if place < 0 else [dot(self.wrap(row), v) for row in self.mechanism.poses[place][0]]

    def point(self, body: int, at: Sequence[Any], where: str) -> Vec:
        """A point of a body in inertial axes."""
        place, arm = self.segment[body], self.vector(at, where)
        return arm if place < 0 else add(self.wrap(self.mechanism.poses[place][1]), self.turned(place, arm))

    def ends(self, part: Any) -> tuple[Vec, Vec]:
        """The two points of a primitive that has ``bodies`` and ``points``, in inertial axes; read once."""
        key = part.title, part.bodies, part.points
        if key not in self._ends:
            (a, b), (p, o) = part.bodies, part.points
            self._ends[key] = self.point(a, p, part.title), self.point(b, o, part.title)
        return self._ends[key]

    def unit(self, direction: Direction, where: str) -> Vec:
        """A direction as it stands in its own axes."""
        if direction.field:
            where = f"{where}, {direction.field}"
        key = where, direction.axis
        if key not in self._axes:
            self._axes[key] = list(unit_axis(direction.axis, self.mechanism.reader, where, direction.letter))
        along = self._axes[key]
        return along if direction.across is None else perpendicular_axes(along)[direction.across]

    def slopes(self, x: Element) -> Vec:
        """∂x/∂q^γ"""
        return [x.diff(letters.coordinate(k)) for k in range(self.n)]

    def rate(self, x: Element) -> Element:
        """dx/dt"""
        segments = self.mechanism.segments
        return rate_at_constant_velocities(segments, x) if any(s.kind == "ball" for s in segments) else x.dt()


def rate_at_constant_velocities(segments: Any, x: Element) -> Element:
    """dx/dt with u held: ∂x/∂t + Σ ∂x/∂q q̇."""
    total = x.diff(letters.TIME)
    for place, speed in coordinate_rates(segments).items():
        slope = x.diff(letters.coordinate(place))
        if slope:
            total = total + slope * speed
    return total


def coordinate_rates(segments: Any) -> dict[int, Element]:
    """dq/dt by place in q: u, or ½ q ∘ ω of a quaternion."""
    found = {}
    for s in segments:
        if s.kind == "ball":
            q = [letter_element(letters.coordinate(s.place + k)) for k in range(4)]
            half = [letter_element(letters.velocity(s.coordinate + k)) / 2 for k in range(3)]
            found.update({s.place + k: rate for k, rate in enumerate(quaternion_rate(q, half))})
        elif s.coordinate is not None:
            found[s.place] = letter_element(letters.velocity(s.coordinate))
    return found
