"""Generalised forces of a model's springs, dampers, actuators and loads, exactly (the paper's further work).

Q_γ = Σ F·∂r/∂q^γ + Σ M·∂ω/∂u^γ, of the primitives to which the model's forces are reduced.
"""

from __future__ import annotations

from typing import Any

from ...model.force_primitives import (
    AlignmentMoment,
    BodyLoad,
    ForcePrimitive,
    JointForce,
    LineForce,
    force_primitives,
)
from ..ring import generators as letters
from ..ring.element import Element, rational_element
from ..ring.vectors import Vec, add, dot, subtract
from .body_geometry import Geometry
from .force_laws import joint_energy, joint_resistance, line_energy, tension_over_length
from .mechanism import Mechanism

__all__ = ["elastic_energy", "generalised_forces", "generalised_forces_of_each", "joint_generalised_forces"]


def _generalised(g: Geometry, part: ForcePrimitive) -> Vec:
    match part:
        case LineForce():
            return _line(g, part)
        case JointForce():
            return _only(g, {part.velocity: -joint_resistance(g, part)})
        case BodyLoad():
            return _load(g, part)
        case AlignmentMoment():
            return _alignment(g, part)


def _line(g: Geometry, part: LineForce) -> Vec:
    """Q_γ = −tension/ℓ ½ ∂ℓ²/∂q^γ; none where both ends are always one point, as in the kernels"""
    square = _square(g, part)
    slopes = g.slopes(square)
    if not square:
        return slopes
    pull, over = tension_over_length(g, part, square)
    return [-pull * slope / (2 * over) if slope else slope for slope in slopes]


def _square(g: Geometry, part: LineForce) -> Element:
    """ℓ² = d·d"""
    start, end = g.ends(part)
    d = subtract(end, start)
    return dot(d, d)


def _load(g: Geometry, part: BodyLoad) -> Vec:
    """Q_γ = F·∂r/∂q^γ, of a moment M·e_γ for the revolute joints that carry the body."""
    place, value = g.segment[part.body], g.vector(part.value, part.title)
    if part.turned:
        value = g.turned(place, value)
    if part.point is not None:
        point = g.point(part.body, part.point, part.title)
        return [dot(value, [x.diff(letters.coordinate(k)) for x in point]) for k in range(g.n)]
    found = {}
    for i in g.mechanism.path(place):
        s = g.mechanism.segments[i]
        if s.revolute and s.coordinate is not None:
            found[s.coordinate] = dot(value, g.turned(i, g.wrap(s.axis)))
    return _only(g, found)


def _alignment(g: Geometry, part: AlignmentMoment) -> Vec:
    """Q_γ = κ² ∂(e_a·e_b)/∂q^γ, since V = κ² (1 − e_a·e_b)"""
    stiffness = g.read(part.stiffness, part.title)
    return [stiffness * slope for slope in g.slopes(_aligned(g, part))]


def _aligned(g: Geometry, part: AlignmentMoment) -> Element:
    """e_a·A e_b, A from the body's axes to its parent's."""
    body = part.bodies[1]
    inner, outer = (g.unit(direction, part.title) for direction in reversed(part.directions))
    for place in g.mechanism.path(g.segment[body]):
        segment = g.mechanism.segments[place]
        if segment.body != body:
            break
        if segment.turn is not None:
            inner = [dot(g.wrap(row), inner) for row in segment.turn]
    return dot(outer, inner)


def _only(g: Geometry, found: dict[int, Element]) -> Vec:
    return [found.get(k, rational_element(0)) for k in range(g.n)]


def _zero(n: int) -> Vec:
    return [rational_element(0)] * n


def generalised_forces(model: Any, mechanism: Mechanism) -> Vec:
    """Q_γ of all forces of the model, gravity apart."""
    total = _zero(mechanism.n)
    for found in generalised_forces_of_each(model, mechanism):
        total = add(total, found)
    return total


def generalised_forces_of_each(model: Any, mechanism: Mechanism) -> list[Vec]:
    """Q_γ of each force of the model; the fractions of one have one denominator, or none."""
    g = Geometry(model, mechanism)
    every = [_zero(mechanism.n) for _ in model.forces]
    for part in force_primitives(model):
        every[part.owner] = add(every[part.owner], _generalised(g, part))
    return every


def joint_generalised_forces(g: Geometry) -> Vec:
    """Q_γ of the forces inside joints alone: they act along their free directions and nowhere else."""
    total = _zero(g.n)
    for part in force_primitives(g.model):
        if isinstance(part, JointForce):
            total = add(total, _generalised(g, part))
    return total


def elastic_energy(model: Any, mechanism: Mechanism) -> Element:
    """V of all forces that have one."""
    g = Geometry(model, mechanism)
    total = rational_element(0)
    for part in force_primitives(model):
        match part:
            case LineForce():
                total = total + line_energy(g, part, _square(g, part))
            case JointForce():
                total = total + joint_energy(g, part)
            case AlignmentMoment():
                total = total + g.read(part.stiffness, part.title) * (1 - _aligned(g, part))
            case BodyLoad():
                pass
    return total
