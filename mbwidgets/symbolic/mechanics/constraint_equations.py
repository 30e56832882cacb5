"""Constraint equations of a model, exactly: Φ(t, q), their Jacobian on any virtual displacement, and −Φ̈ at u̇ = 0.

They are the rows of `model.constraint_primitives`, as the compiled solver has them, so that the multipliers are forces
and moments. A distance is written (d·d − ℓ²)/2ℓ, which has the slope of |d| where it holds and stays a fraction of
polynomials; a point on a curve n·(p − x(s)) at its foot point, whose parameter s is a letter (see `curve_guides`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import ModelError
from ...model.constraint_primitives import (
    AngleRow,
    ConstraintRow,
    CurveRow,
    DistanceRow,
    ExpressionRow,
    PositionRow,
    SeparationRow,
    VelocityRow,
    constraint_rows,
)
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.vectors import Vec, cross, dot, subtract
from .body_geometry import Geometry, coordinate_rates, rate_at_constant_velocities
from .curve_guides import guide_of
from .derivation import Study
from .virtual_displacements import Displacement

__all__ = [
    "Equation",
    "acceleration_right_hand_side",
    "constraint_jacobian",
    "curve_bend_term",
    "scalar_constraints",
]


@dataclass(frozen=True)
class Equation:
    """Φ of constraint ``owner``, which messages call ``title``, and what its slope is made of.

    A displacement changes Φ by n·(∂p_a − ∂p_b) for the points ``places`` along ``normal``, by (x × y)·(ω_a − ω_b) for
    the ``moment`` x × y; an equation f(t, q) has neither. ``bodies`` are segments, −1 the ground. ``length`` is that of
    a distance; ``side`` is a direction of the ground about which parallel axes leave no turn; ``bend`` are x′ and
    n·x″/(x′·x′)² of a curve, ``plain`` is a shorter normal that spans the same plane with that of its other equation.
    """

    owner: int
    title: str
    phi: Element
    bodies: tuple[int, int] = (-1, -1)
    places: tuple[Vec, Vec] | None = None
    normal: Vec | None = None
    moment: Vec | None = None
    length: Element | None = None
    side: Vec | None = None
    bend: tuple[Vec, Element] | None = None
    plain: Vec | None = None


def _separation(row: PositionRow, g: Geometry, places: tuple[Vec, Vec], bodies: tuple[int, int], n: Vec) -> Equation:
    return Equation(row.owner, row.title, dot(n, subtract(*places)), _segments(g, bodies), places, n)


def _segments(g: Geometry, bodies: tuple[int, int]) -> tuple[int, int]:
    return g.segment[bodies[0]], g.segment[bodies[1]]


def _distance(g: Geometry, row: DistanceRow) -> Equation:
    """(d·d − c²)/2c, with its slope d/c"""
    places, length = g.ends(row), g.read(row.value, row.title)
    gap = subtract(*places)
    normal = [part / length for part in gap]
    phi = (dot(gap, gap) - length * length) / (2 * length)
    return Equation(row.owner, row.title, phi, _segments(g, row.bodies), places, normal, length=length)


def _angle(g: Geometry, row: AngleRow) -> Equation:
    bodies, (first, second) = _segments(g, row.bodies), (g.unit(n, row.title) for n in row.directions)
    x, y = g.turned(bodies[0], first), g.turned(bodies[1], second)
    side = second if bodies[1] < 0 and row.directions[1].across is not None else None
    phi = dot(x, y) - g.read(row.value, row.title)
    return Equation(row.owner, row.title, phi, bodies, moment=cross(x, y), side=side)


def _curve(study: Study, row: CurveRow) -> Equation:
    g, guide = study.geometry, guide_of(study, row)
    places = g.point(row.body, row.point, row.title), guide.point
    normal = guide.across[row.across]
    found = _separation(row, g, places, (row.body, -1), normal)
    return replace(found, bend=(guide.slope, guide.turning(normal)), plain=guide.plain[row.across])


def _equation(study: Study, row: ConstraintRow) -> Equation:
    g = study.geometry
    match row:
        case SeparationRow():
            found = _separation(row, g, g.ends(row), row.bodies, g.unit(row.direction, row.title))
            return replace(found, phi=found.phi - g.read(row.value, row.title))
        case DistanceRow():
            return _distance(g, row)
        case AngleRow():
            return _angle(g, row)
        case ExpressionRow():
            return Equation(row.owner, row.title, g.read(row.expression, row.title))
        case CurveRow():
            return _curve(study, row)
        case VelocityRow():
            raise ModelError(
                "an equation of velocities A(t, q) u + b(t, q) = 0 has no exact form yet",
                where=row.title,
                remedy="give constraints of positions",
            )


def scalar_constraints(study: Study) -> tuple[Equation, ...]:
    """The scalar equations of all constraints of the model, in their order."""
    return tuple(_equation(study, row) for row in constraint_rows(study.model))


def constraint_jacobian(study: Study, rows: tuple[Equation, ...], displacements: tuple[Displacement, ...]) -> list[Vec]:
    """J: how each equation changes with each displacement; f(t, q) does not change with that of a release."""
    fields = [(d, study.elements(d.direction), study.elements(d.pole)) for d in displacements]
    by_velocity: dict[int, Vec] = {}
    found = []
    for number_, row in enumerate(rows):
        if row.normal is None and row.moment is None:
            by_velocity[number_] = _velocity_slopes(study, row.phi)
        line = []
        for k, (d, direction, pole) in enumerate(fields):
            if number_ in by_velocity:
                line.append(rational_element(0) if d.release else by_velocity[number_][k])
            else:
                line.append(_slope(study, row, d, direction, pole))
        found.append(line)
    return found


def _slope(study: Study, row: Equation, d: Displacement, direction: Vec, pole: Vec) -> Element:
    total = rational_element(0)
    for side, sign in ((0, 1), (1, -1)):
        place = row.bodies[side]
        if place < 0 or not study.virtual.moves(d, place):
            continue
        if row.moment is not None:
            share = dot(row.moment, direction) if d.turn else rational_element(0)
        else:
            assert row.places is not None
            assert row.normal is not None
            arm = subtract(row.places[side], pole)
            shift = cross(direction, arm) if d.turn else direction
            share = dot(row.normal, shift)
        total = total + sign * share
    return total


def _velocity_slopes(study: Study, phi: Element) -> Vec:
    """∂Φ̇/∂u of an equation f(t, q)."""
    rates = coordinate_rates(study.mechanism.segments)
    rate = rational_element(0)
    for place, speed in rates.items():
        slope = phi.diff(letters.coordinate(place))
        if slope:
            rate = rate + slope * speed
    return [rate.diff(letters.velocity(k)) for k in range(study.n)]


def acceleration_right_hand_side(study: Study, rows: tuple[Equation, ...], jacobian: list[Vec]) -> Vec:
    """γ = −(J̇ u + Φ̇_t), so that J u̇ = γ holds Φ̈ = 0; a curve adds n·x″ ṡ²."""
    speeds = [letter_element(letters.velocity(k)) for k in range(study.n)]
    found = []
    for row, line in zip(rows, jacobian, strict=True):
        rate = dot(line[: study.n], speeds) + row.phi.diff(letters.TIME)
        found.append(curve_bend_term(study, row) - rate_at_constant_velocities(study.mechanism.segments, rate))
    return found


def curve_bend_term(study: Study, row: Equation) -> Element:
    """n·x″ ṡ² of a point on a curve, zero for what is not."""
    if row.bend is None:
        return rational_element(0)
    tangent, share = row.bend
    along = constraint_jacobian(study, (replace(row, normal=tangent),), study.virtual.joints)[0]
    speed = dot(along, [letter_element(letters.velocity(k)) for k in range(study.n)])
    return share * speed * speed
