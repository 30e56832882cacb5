"""Constraint equations of a model, exactly: Φ(t, q), their Jacobian on any virtual displacement, and −Φ̈ at u̇ = 0.

Each constraint is a few scalar equations: a separation n·(p_a − p_b), a distance (d·d − ℓ²)/2ℓ, which has the slope of
|d| where it holds and stays a fraction of polynomials, an angle x_a·y_b between vectors of two bodies, f(t, q), or
n·(p − x(s)) at the foot point of a curve, whose parameter s is a letter (see `guides`).
Their order and scale are those of the compiled solver, so that the multipliers are forces and moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.unit_axes import unit_axis
from .curve_guides import guide_of
from .derivation import Study
from .generalised_forces import coordinate_rates, dot
from .virtual_displacements import Displacement

__all__ = [
    "Equation",
    "Geometry",
    "constraint_jacobian",
    "equation_titles",
    "scalar_constraints",
    "second_rates",
    "turning_rate",
]

Vec = list[Element]
UNITS: tuple[Vec, ...] = tuple([rational_element(int(j == k)) for k in range(3)] for j in range(3))


@dataclass(frozen=True)
class Equation:
    """Φ of constraint ``owner``, and what its slope is made of.

    A displacement changes Φ by n·(∂p_a − ∂p_b) for the points ``places`` along ``normal``, by (x × y)·(ω_a − ω_b) for
    the ``moment`` x × y; an equation f(t, q) has neither. ``bodies`` are segments, −1 the ground. ``length`` is that of
    a distance; ``side`` is a direction of the ground about which parallel axes leave no turn; ``bend`` are x′ and
    n·x″/(x′·x′)² of a curve, ``plain`` is a shorter normal that spans the same plane with that of its other equation.
    """

    owner: int
    phi: Element
    bodies: tuple[int, int] = (-1, -1)
    places: tuple[Vec, Vec] | None = None
    normal: Vec | None = None
    moment: Vec | None = None
    length: Element | None = None
    side: Vec | None = None
    bend: tuple[Vec, Element] | None = None
    plain: Vec | None = None


class Geometry:
    """Points and vectors of the bodies as exact values."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.loads = study.loads
        self.read = study.mechanism.reader.read

    def anchor(self, end: Any, where: str) -> tuple[int, Vec]:
        return self.loads.place(end.body), self.loads.point(end.body, end.at, where)

    def direction(self, place: int, v: Vec) -> Vec:
        return self.loads.turned(place, v)

    def axis(self, values: Any, where: str, name: str) -> Vec:
        return list(unit_axis(values, self.study.mechanism.reader, where, name))

    def vector(self, values: Any, where: str) -> Vec:
        return self.loads.vector(values, where)


def across(n: Vec) -> tuple[Vec, Vec]:
    """Two unit vectors across a unit vector: x and y, turned as z is to it."""
    x, y, z = n
    if z == rational_element(-1):
        return UNITS[0], [rational_element(0), rational_element(-1), rational_element(0)]
    scale = (z + 1).inverse()
    return [1 - x * x * scale, -x * y * scale, -x], [-x * y * scale, 1 - y * y * scale, -y]


def _separation(owner: int, bodies: tuple[int, int], places: tuple[Vec, Vec], normal: Vec) -> Equation:
    gap = [x - y for x, y in zip(*places, strict=True)]
    return Equation(owner, dot(normal, gap), bodies, places, normal)


def _distance(owner: int, bodies: tuple[int, int], places: tuple[Vec, Vec], length: Element) -> Equation:
    gap = [x - y for x, y in zip(*places, strict=True)]
    normal = [part / length for part in gap]
    phi = (dot(gap, gap) - length * length) / (2 * length)
    return Equation(owner, phi, bodies, places, normal, length=length)


def _angle(owner: int, bodies: tuple[int, int], x: Vec, y: Vec, side: Vec | None = None) -> Equation:
    moment = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return Equation(owner, dot(x, y), bodies, moment=moment, side=side)


def _point(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    (a, p), (b, o) = (g.anchor(end, where) for end in (item.a, item.b))
    for unit in UNITS:
        yield _separation(owner, (a, b), (p, o), unit)


def _orientation(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    """x·y′ = y·z′ = z·x′ = 0: the bodies keep their zero-pose orientation to each other."""
    a, b = g.loads.place(item.a.body), g.loads.place(item.b.body)
    for j in range(3):
        x, y = g.direction(a, UNITS[j]), g.direction(b, UNITS[(j + 1) % 3])
        yield _angle(owner, (a, b), x, y)


def _weld(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    yield from _point(g, owner, item, where)
    yield from _orientation(g, owner, item, where)


def _parallel(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    a, b = g.loads.place(item.a.body), g.loads.place(item.b.body)
    axis = g.direction(a, g.axis(item.a.axis, f"{where}, a", f"a{owner + 1}"))
    for side in across(g.axis(item.b.axis, f"{where}, b", f"b{owner + 1}")):
        yield _angle(owner, (a, b), axis, g.direction(b, side), side if b < 0 else None)


def _length(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    (a, p), (b, o) = (g.anchor(end, where) for end in (item.a, item.b))
    yield _distance(owner, (a, b), (p, o), g.read(item.length, where))


def _guided(g: Geometry, item: Any, origin: Any, where: str) -> tuple[tuple[int, int], tuple[Vec, Vec]]:
    place = g.loads.place(item.body)
    return (place, -1), (g.loads.point(item.body, item.at, where), g.vector(origin, where))


def _plane(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    yield _separation(owner, *_guided(g, item, item.point, where), g.axis(item.normal, where, f"n{owner + 1}"))


def _line(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    guided = _guided(g, item, item.point, where)
    for side in across(g.axis(item.direction, where, f"n{owner + 1}")):
        yield _separation(owner, *guided, side)


def _sphere(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    yield _distance(owner, *_guided(g, item, item.centre, where), g.read(item.radius, where))


def _circle(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    guided = _guided(g, item, item.centre, where)
    yield _distance(owner, *guided, g.read(item.radius, where))
    yield _separation(owner, *guided, g.axis(item.normal, where, f"n{owner + 1}"))


def _curve(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    guide = guide_of(g.study, owner)
    bodies, places = (g.loads.place(item.body), -1), (g.loads.point(item.body, item.at, where), guide.point)
    for normal, plain in zip(guide.across, guide.plain, strict=True):
        bend = guide.slope, guide.turning(normal)
        yield replace(_separation(owner, bodies, places, normal), bend=bend, plain=plain)


def _equation(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    yield Equation(owner, g.read(item.expression, where))


def _prescribed(g: Geometry, owner: int, item: Any, where: str) -> Iterator[Equation]:
    model = g.study.model
    place = model.q_offsets[model.index(item.joint)] + item.coordinate
    yield Equation(owner, letter_element(letters.coordinate(place)) - g.read(item.value, where))


_RULES: dict[str, Callable[[Geometry, int, Any, str], Iterator[Equation]]] = {
    "point": _point,
    "weld": _weld,
    "orientation": _orientation,
    "parallel": _parallel,
    "distance": _length,
    "on_plane": _plane,
    "on_line": _line,
    "on_sphere": _sphere,
    "on_circle": _circle,
    "on_curve": _curve,
    "equation": _equation,
    "prescribed": _prescribed,
}


def scalar_constraints(study: Study) -> tuple[Equation, ...]:
    """The scalar equations of all constraints of the model, in their order."""
    geometry = Geometry(study)
    found: list[Equation] = []
    for owner, item in enumerate(study.model.constraints):
        where = f"constraint {owner} ({item.type})"
        found += _RULES[item.type](geometry, owner, item, where)
    return tuple(found)


def equation_titles(model: Any, rows: tuple[Equation, ...]) -> tuple[str, ...]:
    """For each equation the constraint that it belongs to, as messages name it."""
    return tuple(f"constraint {row.owner} ({model.constraints[row.owner].type})" for row in rows)


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
            arm = [x - y for x, y in zip(row.places[side], pole, strict=True)]
            shift = _cross(direction, arm) if d.turn else direction
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


def second_rates(study: Study, rows: tuple[Equation, ...], jacobian: list[Vec]) -> Vec:
    """γ = −(J̇ u + Φ̇_t), so that J u̇ = γ holds Φ̈ = 0; a curve adds n·x″ ṡ²."""
    speeds = [letter_element(letters.velocity(k)) for k in range(study.n)]
    found = []
    for row, line in zip(rows, jacobian, strict=True):
        rate = dot(line[: study.n], speeds) + row.phi.diff(letters.TIME)
        found.append(turning_rate(study, row) - _slow_rate(study, rate))
    return found


def turning_rate(study: Study, row: Equation) -> Element:
    """n·x″ ṡ² of a point on a curve, zero for what is not."""
    if row.bend is None:
        return rational_element(0)
    tangent, share = row.bend
    along = constraint_jacobian(study, (replace(row, normal=tangent),), study.virtual.joints)[0]
    speed = dot(along, [letter_element(letters.velocity(k)) for k in range(study.n)])
    return share * speed * speed


def _slow_rate(study: Study, x: Element) -> Element:
    """dx/dt with u held."""
    total = x.diff(letters.TIME)
    for place, speed in coordinate_rates(study.mechanism.segments).items():
        slope = x.diff(letters.coordinate(place))
        if slope:
            total = total + slope * speed
    return total


def _cross(a: Vec, b: Vec) -> Vec:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
