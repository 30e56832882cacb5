"""Mass moments of a solid from their defining integrals, exactly, so that integral and closed form can be compared.

Cajić-Lazarević (40)-(45): ∭ n dm, ∭ [n, ρ] dm, ∭ [ρ, [n, ρ]] dm, ∭ [n, ρ]² dm, ∭ [n, [[ρ, [n, ρ]], n]] dm with
dm = σ dV. A solid is a chart: ρ as a polynomial in up to three variables, its volume element and their limits; an
angle φ over the whole turn enters by C = cos φ and S = sin φ.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any, NamedTuple

from ...errors import ModelError
from ...model import solids as kinds
from ...model.fields import as_axis, as_vector
from ...model.tensors import rotation_matrix
from ..formula.formula import Formula
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.generators import Generator
from ..ring.scalar_reader import Reader
from ..ring.unit_axes import unit_axis
from ..ring.vectors import Vec, cross, dot, perpendicular_axes
from .mass_moments import MassMoments

__all__ = ["Chart", "VolumeIntegrals", "charts", "volume_integrals"]

Limits = tuple[Generator, Element, Element]

# the variables of the charts; a parameter's name cannot hold a dot
R, X, Y, Z, C, S, W = (letters.parameter(f"chart.{name}") for name in ("r", "x", "y", "z", "cos", "sin", "w"))
ONE = rational_element(1)


class Chart(NamedTuple):
    """ρ, the volume element and the limits of its variables in the order of integration, and σ = dm/dV.

    ``turn``: φ runs over the whole turn, before the other variables; ``ball``: W stands for √(1 − x²).
    """

    position: Vec
    element: Element
    limits: tuple[Limits, ...]
    density: Element
    turn: bool = False
    ball: bool = False


class VolumeIntegrals(MassMoments):
    """Mass moments shown with the integrals that define them."""

    def _rows(self) -> tuple[tuple[str, Formula], ...]:
        definitions = (
            r"\vec n",
            r"[\vec n, \vec\rho]",
            r"[\vec\rho, [\vec n, \vec\rho]]",
            r"[\vec n, \vec\rho]^2",
            r"[\vec n, [[\vec\rho, [\vec n, \vec\rho]], \vec n]]",
        )
        pairs = zip(super()._rows(), definitions, strict=True)
        return tuple((rf"{name} = \iiint_V {what}\,\sigma\,dV", formula) for (name, formula), what in pairs)


def volume_integrals(solid: kinds.Solid, axis: Any = "z", pole: Any = (0, 0, 0)) -> VolumeIntegrals:
    """Mass moments of a solid by integration; ``axis`` and ``pole``, m, in the axes of its body.

    In kg, kg m and kg m². A solid without mass or density has the density 1 kg/m³.

    >>> mb.volume_integrals(mb.Sphere(0.1, mass=5), axis="z").axial
    <Formula scalar: 1/50>
    """
    reader = Reader()
    n = list(unit_axis(as_axis(axis), reader, "axis"))
    origin = [reader.read(part, "pole") for part in as_vector(pole)]
    sums = [rational_element(0)] * 13
    for chart in charts(kinds.read_solid(solid), reader):
        rho = [x - y for x, y in zip(chart.position, origin, strict=True)]
        arm = cross(n, rho)
        inertia = cross(rho, arm)
        integrands = [*n, *arm, *inertia, dot(arm, arm), *cross(n, cross(inertia, n))]
        sums = [total + _integral(part, chart) for total, part in zip(sums, integrands, strict=True)]
    found = (n, sums[0:3], sums[3:6], sums[6:9], sums[9], sums[10:13])
    return VolumeIntegrals(*(Formula(part, None, "factored") for part in found))


def charts(solid: kinds.Solid, reader: Reader, sign: int = 1) -> Iterator[Chart]:
    """The charts of a solid; a composite has one for each part, and one of negative density for each hole."""
    if isinstance(solid, kinds.Composite):
        for part in solid.parts:
            yield from charts(part, reader, sign)
        for hole in solid.holes:
            yield from charts(hole, reader, -sign)
        return
    mass = solid.own_mass()
    density = rational_element(sign)
    if mass is not None:
        density = density * reader.read(mass) / reader.read(solid.measure())
    chart, frame = _chart(solid, reader, density)
    at = [reader.read(part) for part in solid.at]  # type: ignore[attr-defined]
    place = [shift + dot(row, chart.position) for shift, row in zip(at, frame, strict=True)]
    yield chart._replace(position=place)


def _chart(solid: Any, reader: Reader, density: Element) -> tuple[Chart, list[Vec]]:
    """The chart in the solid's own axes, and the frame from them to the body's."""
    read = reader.read
    r, x, y, z, c, s, w = (letter_element(g) for g in (R, X, Y, Z, C, S, W))
    zero = rational_element(0)
    match solid:
        case kinds.Box(size=size, rotation=q):
            edges = [read(edge) / 2 for edge in size]
            limits = tuple((g, -half, half) for g, half in zip((X, Y, Z), edges, strict=True))
            return Chart([x, y, z], ONE, limits, density), _rotation(q, reader)
        case kinds.Ellipsoid(radii=radii, rotation=q):
            a, b, h = (read(radius) for radius in radii)
            ball = ((X, -ONE, ONE), (R, zero, ONE))
            place = [a * r * w * c, b * r * w * s, h * r * x]
            return Chart(place, a * b * h * r * r, ball, density, turn=True, ball=True), _rotation(q, reader)
        case kinds.Sphere(radius=radius):
            ball = ((X, -ONE, ONE), (R, zero, read(radius)))
            place = [r * w * c, r * w * s, r * x]
            return Chart(place, r * r, ball, density, turn=True, ball=True), _rotation((0, 0, 0, 1), reader)
        case kinds.Cylinder(radius=radius, length=length, axis=axis):
            return _round(r, c, s, z, (zero, read(radius)), read(length), density), _frame(axis, reader)
        case kinds.Tube(outer=outer, inner=inner, length=length, axis=axis):
            return _round(r, c, s, z, (read(inner), read(outer)), read(length), density), _frame(axis, reader)
        case kinds.Cone(radius=radius, height=height, axis=axis):
            rim = read(radius) * (ONE - z / read(height))
            cone: tuple[Limits, ...] = ((R, zero, rim), (Z, zero, read(height)))
            return Chart([r * c, r * s, z], r, cone, density, turn=True), _frame(axis, reader)
        case kinds.Rod(length=length, axis=axis):
            half = read(length) / 2
            return Chart([zero, zero, z], ONE, ((Z, -half, half),), density), _frame(axis, reader)
        case kinds.Disk(radius=radius, axis=axis):
            disk: tuple[Limits, ...] = ((R, zero, read(radius)),)
            return Chart([r * c, r * s, zero], r, disk, density, turn=True), _frame(axis, reader)
        case kinds.Point():
            return Chart([zero, zero, zero], ONE, (), density), _rotation((0, 0, 0, 1), reader)
    raise ModelError(f"no integral over a {solid.type}", remedy="use a solid of mbwidgets")


def _round(
    r: Element, c: Element, s: Element, z: Element, radii: tuple[Element, Element], length: Element, density: Element
) -> Chart:
    half = length / 2
    return Chart([r * c, r * s, z], r, ((R, *radii), (Z, -half, half)), density, turn=True)


def _integral(integrand: Element, chart: Chart) -> Element:
    """∭ integrand σ dV, over φ first."""
    value = integrand * chart.element
    if chart.turn:
        value = _over_turn(value)
    if chart.ball:
        value = _without_roots(value)
    for g, low, high in chart.limits:
        value = _over(value, g, low, high)
    return value * chart.density


def _over(value: Element, g: Generator, low: Element, high: Element) -> Element:
    """∫ gᵏ dg = (highᵏ⁺¹ − lowᵏ⁺¹)/(k + 1), term by term."""
    total = rational_element(0)
    for k, rest in _by_powers(value, g):
        total = total + rest * (high ** (k + 1) - low ** (k + 1)) * Fraction(1, k + 1)
    return total


def _over_turn(value: Element) -> Element:
    """∫ Cᵃ Sᵇ dφ over a turn: 2π (a − 1)!! (b − 1)!!/(a + b)!!, zero where a or b is odd."""
    total = rational_element(0)
    for a, part in _by_powers(value, C):
        for b, rest in _by_powers(part, S):
            if a % 2 == 0 and b % 2 == 0:
                share = Fraction(2 * _double(a - 1) * _double(b - 1), _double(a + b))
                total = total + rest * letter_element(letters.PI) * share
    return total


def _without_roots(value: Element) -> Element:
    """W² = 1 − x²; odd powers left with the odd powers of C and S."""
    total = rational_element(0)
    for k, rest in _by_powers(value, W):
        total = total + rest * (ONE - letter_element(X) ** 2) ** (k // 2)
    return total


def _double(n: int) -> int:
    """n!!, 1 for n ≤ 0"""
    return prod(range(n, 0, -2))


def _by_powers(value: Element, g: Generator) -> Iterator[tuple[int, Element]]:
    """(k, coefficient of gᵏ); the denominator does not hold g."""
    home = value.ring
    place = home.index.get(g)
    if place is None:
        yield 0, value
        return
    parts: dict[int, dict[tuple[int, ...], Fraction]] = {}
    for powers, coefficient in home.backend.terms(value.num):
        rest = (*powers[:place], 0, *powers[place + 1 :])
        parts.setdefault(powers[place], {})[rest] = coefficient
    for k, terms in sorted(parts.items()):
        yield k, Element(home, home.backend.from_terms(terms), value.den)


def _frame(axis: Any, reader: Reader) -> list[Vec]:
    """Rows of the matrix with columns u, v, n."""
    n = list(unit_axis(axis, reader, "axis"))
    columns = [*perpendicular_axes(n), n]
    return [list(row) for row in zip(*columns, strict=True)]


def _rotation(q: Any, reader: Reader) -> list[Vec]:
    return [[reader.read(part) for part in row] for row in rotation_matrix(q)]
