"""Generalised forces of a model's springs, dampers, actuators and loads, exactly (the paper's further work).

Q_γ = Σ F·∂r/∂q^γ + Σ M·∂ω/∂u^γ. A spring of rest length ℓ₀ brings the letter ℓ with ℓ² = d·d.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...errors import ModelError
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.scalar_reader import function_of, square_root
from ..ring.unit_axes import unit_axis
from .mechanism import Mechanism

__all__ = [
    "INSIDE",
    "Loads",
    "coordinate_rates",
    "dot",
    "elastic_energy",
    "forces_apart",
    "generalised_forces",
    "inner_forces",
]

Vec = list[Element]


class Loads:
    """The geometry that forces need: points, axes and relative turns as exact values."""

    def __init__(self, model: Any, mechanism: Mechanism) -> None:
        self.model, self.m = model, mechanism
        self.read = mechanism.reader.read
        self.segment = {s.body: i for i, s in enumerate(mechanism.segments)}
        self.n = mechanism.n

    def place(self, body: Any) -> int:
        return -1 if body is None else self.segment[self.model.index(body)]

    def vector(self, values: Sequence[Any], where: str) -> Vec:
        return [self.read(value, where) for value in values]

    def wrap(self, polys: Sequence[Any]) -> Vec:
        return [Element(self.m.ring, p) for p in polys]

    def turned(self, place: int, v: Vec) -> Vec:
        """From body axes to inertial axes."""
        return v if place < 0 else [dot(self.wrap(row), v) for row in self.m.poses[place][0]]

    def point(self, body: Any, at: Sequence[Any], where: str) -> Vec:
        place, arm = self.place(body), self.vector(at, where)
        if place < 0:
            return arm
        return [x + y for x, y in zip(self.wrap(self.m.poses[place][1]), self.turned(place, arm), strict=True)]

    def square(self, load: Any, where: str) -> Element:
        """d·d of a spring or damper."""
        start = self.point(load.start.body, load.start.at, where)
        end = self.point(load.end.body, load.end.at, where)
        d = [y - x for x, y in zip(start, end, strict=True)]
        return dot(d, d)

    def slopes(self, x: Element) -> Vec:
        return [x.diff(letters.coordinate(k)) for k in range(self.n)]

    def coordinates(self, joint: Any) -> list[int]:
        """The places of a joint's velocities in u."""
        body, found = self.model.index(joint), []
        for s in self.m.segments:
            if s.body == body and s.coordinate is not None:
                found += [s.coordinate + part for part in range(3 if s.kind == "ball" else 1)]
        return found

    def position(self, k: int) -> Element:
        """The coordinate whose velocity is u^k, no ball's."""
        places = {s.coordinate: s.place for s in self.m.segments if s.place is not None}
        return letter_element(letters.coordinate(places.get(k, k)))

    def rate(self, x: Element) -> Element:
        """dx/dt"""
        if not any(s.kind == "ball" for s in self.m.segments):
            return x.dt()
        total = x.diff(letters.TIME)
        for place, speed in coordinate_rates(self.m.segments).items():
            slope = x.diff(letters.coordinate(place))
            if slope:
                total = total + slope * speed
        return total

    def alignment(self, load: Any, where: str) -> Element:
        """e_parent · A e_child, A from the body's axes to its parent's."""
        body = self.model.index(load.joint)
        reader = self.m.reader
        child: Any = list(unit_axis(load.axis_child, reader, f"{where}, axis_child", f"c{body + 1}"))
        parent = unit_axis(load.axis_parent, reader, f"{where}, axis_parent", f"p{body + 1}")
        for place in self.m.path(self.segment[body]):
            segment = self.m.segments[place]
            if segment.body != body:
                break
            if segment.turn is not None:
                child = [dot(self.wrap(row), child) for row in segment.turn]
        return dot(list(parent), child)


def coordinate_rates(segments: Any) -> dict[int, Element]:
    """dq/dt by place in q: u, or ½ q ∘ ω of a quaternion."""
    found = {}
    for s in segments:
        if s.kind == "ball":
            x, y, z, w = (letter_element(letters.coordinate(s.place + k)) for k in range(4))
            omega = [letter_element(letters.velocity(s.coordinate + k)) for k in range(3)]
            rows = ([w, -z, y], [z, w, -x], [-y, x, w], [-x, -y, -z])
            found.update({s.place + k: dot(row, omega) / 2 for k, row in enumerate(rows)})
        elif s.coordinate is not None:
            found[s.place] = letter_element(letters.velocity(s.coordinate))
    return found


def dot(a: Vec, b: Vec) -> Element:
    """Σ a_k b_k"""
    total = rational_element(0)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _spring(g: Loads, load: Any, where: str) -> Vec:
    """Q_γ = −k (1 − ℓ₀/ℓ) ½ ∂ℓ²/∂q^γ; none where both ends are always one point, as in the kernels"""
    square, k = g.square(load, where), g.read(load.stiffness, where)
    rest = g.read(load.length, where) if square else square
    share = rational_element(1) - rest / square_root(square, where) if rest else rational_element(1)
    return [-k * share * slope / 2 if slope else slope for slope in g.slopes(square)]


def _damper(g: Loads, load: Any, where: str) -> Vec:
    """Q_γ = −c ℓ̇ ∂ℓ/∂q^γ = −c/(4ℓ²) ∂ℓ²/∂q^γ Σ ∂ℓ²/∂q^β u^β"""
    square, c = g.square(load, where), g.read(load.damping, where)
    slopes = g.slopes(square)
    rate = dot(slopes, [letter_element(letters.velocity(k)) for k in range(g.n)])
    return [-c * slope * rate / (4 * square) if slope else slope for slope in slopes]


def _joint_spring(g: Loads, load: Any, where: str) -> Vec:
    k = g.coordinates(load.joint)[load.coordinate]
    effort = -g.read(load.stiffness, where) * (g.position(k) - g.read(load.rest, where))
    return _only(g, {k: effort})


def _joint_damper(g: Loads, load: Any, where: str) -> Vec:
    c = g.read(load.damping, where)
    return _only(g, {k: -c * letter_element(letters.velocity(k)) for k in g.coordinates(load.joint)})


def _joint_friction(g: Loads, load: Any, where: str) -> Vec:
    """−(viscous u + coulomb tanh(u/smoothing))"""
    viscous, coulomb = g.read(load.viscous, where), g.read(load.coulomb, where)
    found = {}
    for k in g.coordinates(load.joint):
        u = letter_element(letters.velocity(k))
        found[k] = -viscous * u
        if coulomb:
            found[k] = found[k] - coulomb * function_of("tanh", u / g.read(load.smoothing, where))
    return _only(g, found)


def _effort(g: Loads, load: Any, where: str) -> Vec:
    return _only(g, {g.coordinates(load.joint)[load.coordinate]: g.read(load.value, where)})


def _force(g: Loads, load: Any, where: str) -> Vec:
    """Q_γ = F·∂r/∂q^γ"""
    value = g.vector(load.value, where)
    if load.axes == "body":
        value = g.turned(g.place(load.body), value)
    point = g.point(load.body, load.at, where)
    return [dot(value, [x.diff(letters.coordinate(k)) for x in point]) for k in range(g.n)]


def _torque(g: Loads, load: Any, where: str) -> Vec:
    """Q_γ = M·e_γ for the revolute joints that carry the body."""
    place, value = g.place(load.body), g.vector(load.value, where)
    if load.axes == "body":
        value = g.turned(place, value)
    found = {}
    for i in g.m.path(place):
        s = g.m.segments[i]
        if s.revolute and s.coordinate is not None:
            found[s.coordinate] = dot(value, g.turned(i, g.wrap(s.axis)))
    return _only(g, found)


def _alignment(g: Loads, load: Any, where: str) -> Vec:
    """Q_γ = κ² ∂(e_parent·e_child)/∂q^γ, since V = κ² (1 − e_parent·e_child)"""
    stiffness = g.read(load.stiffness, where)
    return [stiffness * slope for slope in g.slopes(g.alignment(load, where))]


def _only(g: Loads, found: dict[int, Element]) -> Vec:
    return [found.get(k, rational_element(0)) for k in range(g.n)]


_RULES: dict[str, Callable[[Loads, Any, str], Vec]] = {
    "spring": _spring,
    "damper": _damper,
    "joint_spring": _joint_spring,
    "joint_damper": _joint_damper,
    "joint_friction": _joint_friction,
    "effort": _effort,
    "force": _force,
    "torque": _torque,
    "elastic_alignment": _alignment,
}


def generalised_forces(model: Any, mechanism: Mechanism) -> Vec:
    """Q_γ of all forces of the model, gravity apart."""
    total: Vec = [rational_element(0) for _ in range(mechanism.n)]
    for found in forces_apart(model, mechanism):
        total = [x + y for x, y in zip(total, found, strict=True)]
    return total


def forces_apart(model: Any, mechanism: Mechanism) -> list[Vec]:
    """Q_γ of each force of the model; the fractions of one have one denominator, or none."""
    g = Loads(model, mechanism)
    every = []
    for place, load in enumerate(model.forces):
        rule = _RULES.get(load.type)
        if rule is None:
            raise ModelError(
                f"a {load.type} has no exact form here",
                where=f"force {place}",
                remedy="leave it out, or use the compiled dynamics: mb.Dynamics(model)",
            )
        every.append(rule(g, load, f"force {place} ({load.type})"))
    return every


INSIDE = ("joint_spring", "joint_damper", "joint_friction", "effort")
"""Forces inside a joint: they act along its free directions and nowhere else."""


def inner_forces(g: Loads) -> Vec:
    """Q_γ of the forces inside joints alone."""
    total: Vec = [rational_element(0) for _ in range(g.n)]
    for place, load in enumerate(g.model.forces):
        if load.type in INSIDE:
            found = _RULES[load.type](g, load, f"force {place} ({load.type})")
            total = [x + y for x, y in zip(total, found, strict=True)]
    return total


def elastic_energy(model: Any, mechanism: Mechanism) -> Element:
    """V of the springs: ½ k (ℓ − ℓ₀)², ½ k (q − rest)², κ² (1 − e_parent·e_child)."""
    g = Loads(model, mechanism)
    total = rational_element(0)
    for place, load in enumerate(model.forces):
        where = f"force {place} ({load.type})"
        if load.type == "spring":
            square, rest = g.square(load, where), g.read(load.length, where)
            stretch = square + rest * rest
            if rest:
                stretch = stretch - 2 * rest * square_root(square, where)
            total = total + g.read(load.stiffness, where) * stretch / 2
        elif load.type == "joint_spring":
            k = g.coordinates(load.joint)[load.coordinate]
            stretch = g.position(k) - g.read(load.rest, where)
            total = total + g.read(load.stiffness, where) * stretch * stretch / 2
        elif load.type == "elastic_alignment":
            total = total + g.read(load.stiffness, where) * (rational_element(1) - g.alignment(load, where))
    return total
