"""Mass properties of solids: exact formulae against numerical integration, holes, parameters, refusals."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mbwidgets.errors import ModelError
from mbwidgets.expressions import Expression, evaluate
from mbwidgets.model.bodies import Body
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter
from mbwidgets.model.solids import (
    SOLIDS,
    Box,
    Composite,
    Cone,
    Cylinder,
    Disk,
    Ellipsoid,
    Point,
    Rod,
    Solid,
    Sphere,
    Tube,
)
from mbwidgets.model.tensors import MassProperties, rotation_matrix

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)
TURN = (1, 2, 3, 4)
AXIS = (2, -1, 2)
AT = (Fraction(1, 2), -1, 0.25)


def interval(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Gauss nodes and weights: exact for polynomials of degree 23, and our integrands are polynomials."""
    return (high - low) / 2 * NODES + (high + low) / 2, (high - low) / 2 * WEIGHTS


def circle() -> tuple[np.ndarray, np.ndarray]:
    """The trapezoidal rule on a full turn: exact for trigonometric polynomials of degree below 16."""
    angles = 2 * np.pi * np.arange(16) / 16
    return angles, np.full(16, 2 * np.pi / 16)


def box_points(a: float, b: float, c: float) -> tuple[np.ndarray, np.ndarray]:
    axes = [interval(-edge / 2, edge / 2) for edge in (a, b, c)]
    grid = np.stack(np.meshgrid(*(x for x, _ in axes), indexing="ij"), -1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", *(w for _, w in axes)).ravel()
    return grid, weights


def round_points(low: float, high: float, inner: Any, outer: Any) -> tuple[np.ndarray, np.ndarray]:
    """A body of revolution about z between the radii inner(z) and outer(z)."""
    points, weights = [], []
    for z, wz in zip(*interval(low, high), strict=True):
        for r, wr in zip(*interval(inner(z), outer(z)), strict=True):
            for angle, wa in zip(*circle(), strict=True):
                points.append((r * math.cos(angle), r * math.sin(angle), z))
                weights.append(wz * wr * r * wa)
    return np.array(points), np.array(weights)


def ball_points(a: float, b: float, c: float) -> tuple[np.ndarray, np.ndarray]:
    points, weights = [], []
    for r, wr in zip(*interval(0, 1), strict=True):
        for cosine, wc in zip(*interval(-1, 1), strict=True):
            for angle, wa in zip(*circle(), strict=True):
                sine = math.sqrt(1 - cosine**2)
                points.append((a * r * sine * math.cos(angle), b * r * sine * math.sin(angle), c * r * cosine))
                weights.append(wr * r * r * wc * wa * a * b * c)
    return np.array(points), np.array(weights)


def disk_points(radius: float) -> tuple[np.ndarray, np.ndarray]:
    points, weights = round_points(0, 1, lambda z: 0, lambda z: radius)
    return points * (1, 1, 0), weights


def rod_points(length: float) -> tuple[np.ndarray, np.ndarray]:
    x, weights = interval(-length / 2, length / 2)
    return np.stack([0 * x, 0 * x, x], -1), weights


def integrate(points: np.ndarray, weights: np.ndarray) -> MassProperties:
    mass = weights.sum()
    com = weights @ points / mass
    d = points - com
    inertia = np.einsum("p,pij->ij", weights, (d**2).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None, :])
    return MassProperties(mass, com, inertia)


def to_axis(axis: Any) -> np.ndarray:
    """Some rotation that takes z to the axis."""
    n = np.array(axis, dtype=float) / np.linalg.norm(axis)
    first = np.cross(n, (0.3, 0.5, 0.7))
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(n, first), n], 1)


CASES: list[tuple[Solid, tuple[np.ndarray, np.ndarray], np.ndarray]] = [
    (Box((1, 2, 3), AT, TURN), box_points(1, 2, 3), np.array(rotation_matrix(TURN), dtype=float)),
    (Ellipsoid((1, 2, 3), AT, TURN), ball_points(1, 2, 3), np.array(rotation_matrix(TURN), dtype=float)),
    (Sphere(2, AT), ball_points(2, 2, 2), np.eye(3)),
    (Cylinder(0.5, 3, AXIS, AT), round_points(-1.5, 1.5, lambda z: 0, lambda z: 0.5), to_axis(AXIS)),
    (
        Tube(2, Fraction(1, 2), 3, AXIS, AT),
        round_points(-1.5, 1.5, lambda z: 0.5, lambda z: 2),
        to_axis(AXIS),
    ),
    (Cone(2, 3, AXIS, AT), round_points(0, 3, lambda z: 0, lambda z: 2 * (1 - z / 3)), to_axis(AXIS)),
    (Disk(2, AXIS, AT), disk_points(2), to_axis(AXIS)),
    (Rod(3, AXIS, AT), rod_points(3), to_axis(AXIS)),
]


@pytest.mark.parametrize(("solid", "points", "turn"), CASES, ids=[solid.type for solid, _, _ in CASES])
def test_mass_properties_are_those_of_numerical_integration(solid: Solid, points: Any, turn: np.ndarray) -> None:
    place, weights = points
    reference = integrate(place @ turn.T + np.array(AT, dtype=float), weights)
    ours = numbers(solid.replace(density=1).properties())
    # rounding of a few thousand terms
    assert ours.mass == pytest.approx(reference.mass, rel=1e-12)
    assert ours.com == pytest.approx(reference.com, rel=1e-12, abs=1e-12)
    assert ours.inertia == pytest.approx(reference.inertia, rel=1e-11, abs=1e-11)


def numbers(properties: MassProperties) -> MassProperties:
    return MassProperties(
        evaluate(properties.mass),
        np.array([evaluate(x) for x in properties.com]),  # type: ignore[arg-type]
        np.array([[evaluate(x) for x in row] for row in properties.inertia]),  # type: ignore[arg-type]
    )


def test_the_cases_cover_every_solid() -> None:
    assert {solid.type for solid, _, _ in CASES} | {"point", "composite"} == set(SOLIDS)


def test_rational_sizes_give_rational_inertias() -> None:
    body = Body("a", inertia=Cylinder(Fraction(1, 10), 1, "x", mass=6))
    assert body.inertia == ((Fraction(3, 100), 0, 0), (0, Fraction(103, 200), 0), (0, 0, Fraction(103, 200)))
    assert body.shape == Cylinder(Fraction(1, 10), 1, "x", mass=6)
    box = Box((1, 2, 3), mass=12, rotation=(1, 0, 0, 1)).properties()
    assert box.inertia == ((13, 0, 0), (0, 5, 0), (0, 0, 10))


def test_a_density_counts_volume_exactly() -> None:
    sphere = Sphere(3, density=Fraction(1, 4)).properties()
    assert str(sphere.mass) == "9*pi"


def test_a_box_with_a_box_cut_out_is_the_two_boxes_that_remain() -> None:
    whole = Composite([Box((4, 1, 1), density=3)], holes=[Box((2, 1, 1), density=3)])
    rest = Composite([Box((1, 1, 1), (x, 0, 0), density=3) for x in (Fraction(-3, 2), Fraction(3, 2))])
    assert whole.properties() == rest.properties()
    assert whole.properties().mass == 6
    assert whole.measure() == 2


def test_a_cylinder_with_a_bore_is_a_tube() -> None:
    bored = Composite([Cylinder(2, 3, AXIS, AT, density=1)], holes=[Cylinder(1, 3, AXIS, AT, density=1)])
    ours, tube = numbers(bored.properties()), numbers(Tube(2, 1, 3, AXIS, AT, density=1).properties())
    for mine, theirs in zip(ours, tube, strict=True):
        assert mine == pytest.approx(theirs, rel=1e-14, abs=1e-14)


def test_an_eccentric_hole_shifts_the_centre_away_from_it() -> None:
    plate = Composite(
        [Box((2, 2, 1), density=1)], holes=[Box((1, 1, 1), (Fraction(1, 2), Fraction(1, 2), 0), density=1)]
    )
    properties = plate.properties()
    assert properties.mass == 3
    assert properties.com == (Fraction(-1, 6), Fraction(-1, 6), 0)
    quarter = [Box((1, 1, 1), (x, y, 0), density=1) for x, y in ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5))]
    reference = numbers(Composite(quarter).properties())
    assert numbers(properties).inertia == pytest.approx(reference.inertia, rel=1e-15)


def test_composites_nest_and_parts_without_mass_have_density_one() -> None:
    inner = Composite([Box((1, 1, 1), (0, 0, z)) for z in (0, 1)])
    assert (
        Composite([inner, Box((1, 1, 1), (0, 0, 2))]).properties() == Box((1, 1, 3), (0, 0, 1), density=1).properties()
    )


def test_points_make_the_parallel_axis_theorem() -> None:
    pair = Composite([Point((1, 0, 0), 2), Point((-1, 0, 0), 2)])
    assert pair.properties() == MassProperties(4, (0, 0, 0), ((0, 0, 0), (0, 4, 0), (0, 0, 4)))


def test_a_mass_given_to_the_body_scales_a_composite() -> None:
    body = Body("a", mass=12, inertia=Composite([Box((1, 1, 1)), Box((1, 1, 1), (1, 0, 0))]))
    assert body.mass == 12
    assert body.com == (Fraction(1, 2), 0, 0)
    assert body.inertia == ((2, 0, 0), (0, 5, 0), (0, 0, 5))


SYMBOLIC = [
    lambda r, h, m: Box((r, h, 2), (h, 0, 0), TURN, mass=m),
    lambda r, h, m: Ellipsoid((r, h, 2), density=m),
    lambda r, h, m: Sphere(r, (0, r, 0), density=m),
    lambda r, h, m: Cylinder(r, h, AXIS, density=m),
    lambda r, h, m: Tube(2 * r, r, h, mass=m),
    lambda r, h, m: Cone(r, h, AXIS, mass=m),
    lambda r, h, m: Rod(h, AXIS, density=m),
    lambda r, h, m: Disk(r, AXIS, density=m),
    lambda r, h, m: Point((r, h, 0), m),
    lambda r, h, m: Composite([Cylinder(r, h, density=m), Sphere(r, (0, 0, h), density=m)], [Sphere(r / 2, density=m)]),
    lambda r, h, m: Composite([Composite([Box((r, r, h), density=m), Point((h, r, 0), m)]), Point((r, r, r), m)]),
]


@pytest.mark.parametrize("make", SYMBOLIC, ids=range(len(SYMBOLIC)))
def test_symbolic_solids_are_the_numeric_ones_at_the_parameters_values(make: Any) -> None:
    values = {"r": 0.3, "h": 1.7, "m": 2.5}
    symbols = [Parameter(name, value) for name, value in values.items()]
    model = Model([Body("a", inertia=make(*symbols))])
    plain = Model([Body("a", inertia=make(*values.values()))])
    ours, theirs = model.bodies[0], plain.bodies[0]
    assert isinstance(ours.mass, Expression)
    assert model.number(ours.mass) == pytest.approx(model.number(theirs.mass), rel=1e-14)
    for i in range(3):
        assert model.number(ours.com[i]) == pytest.approx(model.number(theirs.com[i]), rel=1e-13, abs=1e-14)
        for k in range(3):
            expected = plain.number(theirs.inertia[i][k])
            assert model.number(ours.inertia[i][k]) == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_a_slider_on_a_solids_size_moves_the_inertia() -> None:
    r = Parameter("r", 1.0)
    model = Model([Body("a", inertia=Sphere(r, mass=5))])
    assert model.with_values(r=2).number(model.bodies[0].inertia[0][0]) == model.with_values(r=2).number("8") == 8.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Box((1, 0, 1)), "size 0 is not positive.*give sizes > 0"),
        (lambda: Sphere(-1), "size -1 is not positive"),
        (lambda: Tube(1, 2, 1), "inner radius 2.0 does not fit in 1.0"),
        (lambda: Cylinder(1, 1, (0, 0, 0)), "zero vector; give a direction"),
        (lambda: Composite([]), "no parts"),
        (lambda: Composite(["ball"]), "'ball' is not a solid"),
        (lambda: Composite([Point()] * 201), "at most 200"),
        (lambda: Composite([Composite([Composite([Composite([Point()])])])]), "4 levels"),
        (lambda: Box((1, 1, 1), rotation=(0, 0, 0, 0)), "no quaternion"),
        (lambda: Box((1, 1, 1), rotation=(1e-200, 0, 0, 0)), "no quaternion"),
        (lambda: Box((1, 1, 1), mass=-1), "-1 is negative"),
        (lambda: Box((1, 1)), "2 numbers; give 3"),
        (lambda: Body("a", inertia=Box((1, 1, 1))), "body 'a': neither mass nor density is known"),
        (lambda: Body("a", inertia=Sphere(1e200, density=1)), "body 'a': .*not finite"),
        (lambda: Body("a", inertia=Composite([Sphere(1e200)])), "not finite"),
        (lambda: Body("a", inertia=Composite([Point(mass=0)])), "the parts have no mass"),
        (lambda: Model([Body("a", inertia=Box((10**300, 1, 1), mass=1))]), "body 'a': inertia"),
        (lambda: Model([Body("a", inertia=Box((1e200, 1, 1), mass=1))]), "body 'a': inertia"),
        (
            lambda: Model([Body("a", inertia=Box((Parameter("s", -1), 1, 1), mass=1))]),
            "'a': shape: box: size -1.0",
        ),
    ],
    ids=range(19),
)
def test_impossible_solids_are_refused_with_the_value_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises((ModelError, ValueError), match=message) as caught:
        make()
    assert type(caught.value).__module__ == "mbwidgets.errors"


def test_many_parts_with_absurd_fractions_or_parameters_are_quick() -> None:
    begin = time.perf_counter()
    exact = [Point((Fraction(3**400 + i, 3**401 + 7 * i + 1), 1, 0), Fraction(1, 5**300 + i)) for i in range(200)]
    assert math.isfinite(evaluate(Composite(exact).properties().inertia[2][2]))
    r = Parameter("r", 1)
    symbolic = Composite([Composite([Cylinder(r, r + i, AXIS, (r, i, 0)) for i in range(10)]) for _ in range(10)])
    assert isinstance(symbolic.properties().inertia[0][1], Expression)
    assert time.perf_counter() - begin < 20.0
