"""The ring: canonical at all times, so that equal is identical."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mbwidgets.errors import ExpressionError, ModelError
from mbwidgets.expressions import parse_expression
from mbwidgets.symbolic.formula.evaluation import Plan, State
from mbwidgets.symbolic.ring import generators as letters
from mbwidgets.symbolic.ring.element import Element, letter_element, rational_element
from mbwidgets.symbolic.ring.ring import make_ring
from mbwidgets.symbolic.ring.scalar_reader import Reader
from mbwidgets.symbolic.ring.unit_axes import simplest_between, stereographic, unit_axis

LETTERS = [
    "sin(q[0])",
    "cos(q[0])",
    "sin(q[1])",
    "cos(q[1])",
    "q[2]",
    "u[0]",
    "m",
    "k",
    "sqrt(m)",
    "sqrt(2)",
    "sin(k)",
]
LETTERS += ["cos(k)"]
READER = Reader(angles=frozenset({0, 1}))


def read(text: str) -> Element:
    return READER.read(parse_expression(text))


def value(element: Element, rng: np.random.Generator) -> float:
    state = State(rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), 0.3, {"m": 1.7, "k": 0.6})
    return float(Plan(element.ring, [element])(state)[0])


# Random expressions as nested tuples, so that one expression can be built in many ways.


def random_tree(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(LETTERS) if rng.random() < 0.8 else Fraction(rng.randint(-5, 5), rng.randint(1, 4))
    return (rng.choice("+*"), random_tree(rng, depth - 1), random_tree(rng, depth - 1))


def build(tree: Any) -> Element:
    if isinstance(tree, str):
        return read(tree)
    if isinstance(tree, Fraction):
        return rational_element(tree)
    operator, left, right = tree
    return build(left) + build(right) if operator == "+" else build(left) * build(right)


def rewritten(rng: random.Random, tree: Any) -> Any:
    """The same value, built otherwise: commuted, distributed, multiplied by s² + c², shifted there and
    back.
    """
    if not isinstance(tree, tuple):
        choice = rng.randrange(4)
        angle = rng.choice(("q[0]", "q[1]", "k"))
        square = ("+", ("*", f"sin({angle})", f"sin({angle})"), ("*", f"cos({angle})", f"cos({angle})"))
        if choice == 0:
            return ("*", square, tree)
        if choice == 1:
            return ("+", ("+", tree, square), Fraction(-1))
        if choice == 2:
            return ("+", ("*", "sqrt(2)", ("*", "sqrt(2)", ("*", Fraction(1, 2), tree))), Fraction(0))
        return tree
    operator, left, right = tree
    if operator == "*" and isinstance(right, tuple) and right[0] == "+":
        first, second = ("*", left, right[1]), ("*", left, right[2])
        return ("+", rewritten(rng, second), rewritten(rng, first))
    return (operator, rewritten(rng, right), rewritten(rng, left))


def test_equal_expressions_built_differently_are_identical_in_1000_cases(seed: int) -> None:
    rng = random.Random(seed)
    for case in range(1000):
        tree = random_tree(rng, 4)
        one, other = build(tree), build(rewritten(rng, tree))
        assert one == other, (seed, case, tree)
        home = one.ring.union(other.ring)
        assert home.lift(one.num, one.ring) == home.lift(other.num, other.ring), (seed, case, tree)


def test_unequal_expressions_never_compare_equal_in_1000_cases(seed: int) -> None:
    rng = random.Random(seed + 1)
    for case in range(1000):
        tree = random_tree(rng, 4)
        change = ("*", Fraction(rng.choice((-1, 1)), rng.randint(1, 10**9)), rng.choice(LETTERS))
        one, other = build(tree), build(("+", rewritten(rng, tree), change))
        assert one != other, (seed, case, tree)
        free = build(random_tree(rng, 4))
        difference = one - free
        size = 1 + abs(value(one, np.random.default_rng(case)))
        apart = abs(value(difference, np.random.default_rng(case))) > 1e-9 * size
        assert apart == (one != free), (seed, case, tree)


def test_the_normal_form_has_no_square_of_a_sine_or_a_root(seed: int) -> None:
    rng = random.Random(seed + 2)
    for _ in range(200):
        element = build(random_tree(rng, 4))
        degrees = element.ring.backend.degrees(element.num)
        for g, degree in zip(element.ring.generators, degrees, strict=False):
            if g.kind is letters.Kind.SIN or g.kind is letters.Kind.ROOT or g.name == "sin":
                assert degree <= 1


def test_fractions_are_equal_by_cross_multiplication(seed: int) -> None:
    rng = random.Random(seed + 3)
    for _ in range(100):
        a, b, c = (build(random_tree(rng, 2)) for _ in range(3))
        if b and c:
            assert a / b == (a * c) / (b * c)
            assert (a / b + c) * b == a + b * c
            assert a / b != a / b + 1


def test_derivative_is_the_slope_of_the_value(seed: int) -> None:
    rng = random.Random(seed + 4)
    step = 1e-5
    for _ in range(60):
        top, bottom = build(random_tree(rng, 3)), build(random_tree(rng, 2))
        element = top / bottom if bottom else top
        for name, k in (("q", 0), ("q", 1), ("q", 2), ("u", 0)):
            g = letters.coordinate(k) if name == "q" else letters.velocity(k)
            state = np.random.default_rng(rng.randrange(10**6)).normal(size=(3, 3))

            def at(shift: float, e: Element = element, state: Any = state, place: Any = (name, k)) -> float:
                moved = state.copy()
                moved["qu".index(place[0]), place[1]] += shift
                return float(Plan(e.ring, [e])(State(*moved, 0.3, {"m": 1.7, "k": 0.6}))[0])

            slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)
            exact = element.diff(g)
            found = float(Plan(exact.ring, [exact])(State(*state, 0.3, {"m": 1.7, "k": 0.6}))[0])
            # a five-point difference keeps about nine digits of a value of this size
            assert found == pytest.approx(slope, rel=1e-6, abs=1e-6 * (1 + abs(at(0.0))))


def test_time_derivative_follows_the_chain_rule() -> None:
    x = read("m*sin(q[0])*q[2]**2 + u[0]*cos(q[1])")
    assert x.dt() == read("m*cos(q[0])*u[0]*q[2]**2 + 2*m*sin(q[0])*q[2]*u[2] - u[0]*sin(q[1])*u[1]") + letter_element(
        letters.acceleration(0)
    ) * read("cos(q[1])")
    assert read("sin(3*t)").dt() == 3 * read("cos(3*t)")
    assert read("exp(k*t)").dt() == read("k*exp(k*t)")
    assert read("log(t)").dt() == read("1/t")
    assert read("sqrt(q[2]**2 + m)").dt() == read("q[2]*u[2]/sqrt(q[2]**2 + m)")


def test_roots_of_numbers_are_independent_and_exact() -> None:
    assert read("sqrt(6)") == read("sqrt(2)*sqrt(3)")
    assert read("sqrt(12)") == read("2*sqrt(3)")
    assert read("sqrt(2/3)*sqrt(3/2)") == 1
    assert read("sqrt(2)") != read("sqrt(3)")
    assert read("(1 + sqrt(2))**2 - 3 - 2*sqrt(2)") == 0
    with pytest.raises(ExpressionError, match="not real"):
        read("sqrt(-2)")


def test_a_root_of_a_fraction_holds_for_either_sign_of_the_denominator() -> None:
    x = read("sqrt(m/k)")
    for m, k in ((2.0, 3.0), (-2.0, -3.0)):
        state = State(None, None, None, 0.0, {"m": m, "k": k})
        assert float(Plan(x.ring, [x])(state)[0]) == pytest.approx(math.sqrt(m / k), rel=1e-15)


def test_sines_of_simple_fractions_of_pi_are_exact() -> None:
    for k in range(-24, 25):
        for denominator in (1, 2, 3, 4, 6):
            x = read(f"sin({k}*pi/{denominator})")
            assert not any(g.kind is letters.Kind.FUNCTION for g in x.ring.used(x.num))
            assert value(x, np.random.default_rng(0)) == pytest.approx(math.sin(k * math.pi / denominator), abs=1e-14)
    assert read("sin(-k)") == -read("sin(k)")
    assert read("tan(k)*cos(k)") == read("sin(k)")


def test_a_float_is_the_decimal_that_it_prints_as_and_is_listed() -> None:
    reader = Reader()
    assert reader.read(0.1, "mass") == Fraction(1, 10)
    assert reader.read(0.1 + 0.2, "mass") == Fraction("0.30000000000000004")
    assert reader.read(5.0, "mass") == 5
    assert [(row.where, row.given, row.exact) for row in reader.rationalised] == [
        ("mass", 0.1, Fraction(1, 10)),
        ("mass", 0.1 + 0.2, Fraction("0.30000000000000004")),
    ]


def square(axis: Any) -> Element:
    return sum((part * part for part in axis), rational_element(0))


@pytest.mark.parametrize(
    "direction", [(1, 2, 2), (1, 1, 0), (1, 2, 3), (Fraction(2, 7), Fraction(3, 7), Fraction(6, 7))]
)
def test_exact_directions_give_exact_unit_axes(direction: Any) -> None:
    axis = unit_axis(direction, Reader(), "axis")
    assert square(axis) == 1
    length = math.hypot(*direction)
    for part, given in zip(axis, direction, strict=True):
        assert value(part, np.random.default_rng(0)) == pytest.approx(float(given) / length, rel=1e-15)


def test_float_directions_are_moved_by_less_than_the_tolerance_onto_the_unit_sphere(seed: int) -> None:
    rng = random.Random(seed)
    for tolerance in (1e-3, 1e-9, 1e-15):
        for _ in range(200):
            direction = [rng.gauss(0, 1) for _ in range(3)]
            axis = stereographic(direction, tolerance)
            assert sum(part * part for part in axis) == 1
            length = math.hypot(*direction)
            # the projection stretches by at most 2, doubles add 2e-16 for each of a few roundings
            assert max(abs(float(a) - d / length) for a, d in zip(axis, direction, strict=True)) < 2 * tolerance + 1e-15
            assert stereographic([-d for d in direction], tolerance) == [-part for part in axis]
    assert stereographic([0.6, 0.8, 0.0], 1e-15) == [Fraction(3, 5), Fraction(4, 5), 0]


def test_simplest_fraction_is_simplest() -> None:
    assert simplest_between(math.pi, 1e-2) == Fraction(22, 7)
    assert simplest_between(math.pi, 1e-6) == -simplest_between(-math.pi, 1e-6) == Fraction(355, 113)
    assert simplest_between(1e-20, 1e-15) == 0


def test_directions_in_angles_are_exact_and_in_lengths_become_letters_with_a_relation() -> None:
    by_angle = unit_axis((parse_expression("cos(k)"), parse_expression("sin(k)"), 0), Reader(), "axis")
    assert square(by_angle) == 1
    assert by_angle[0] == read("cos(k)")
    by_length = unit_axis((parse_expression("k"), parse_expression("m"), 2), Reader(), "axis")
    assert square(by_length) == 1
    for part, given in zip(by_length, (0.6, 1.7, 2.0), strict=True):
        assert value(part, np.random.default_rng(0)) == pytest.approx(given / math.hypot(0.6, 1.7, 2.0), rel=1e-15)
    with pytest.raises(ExpressionError, match="direction parameter"):
        by_length[0].diff(letters.parameter("k"))


def test_an_axis_without_direction_is_refused() -> None:
    with pytest.raises(ModelError, match="no direction"):
        unit_axis((0.0, 0.0, 0.0), Reader(), "joint 'a'")
    with pytest.raises(ModelError, match="joint 'a'"):
        unit_axis((0, 0, 0), Reader(), "joint 'a'")


def test_rings_of_the_same_letters_are_the_same_ring() -> None:
    one = make_ring([letters.sine(0), letters.parameter("m")])
    assert one is make_ring([letters.parameter("m"), letters.cosine(0)])
    assert one.union(make_ring([letters.sine(1)])) is make_ring(
        [letters.sine(1), letters.parameter("m"), letters.sine(0)]
    )


def test_the_sympy_ring_gives_the_same_polynomials(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed + 5)
    trees = [random_tree(rng, 3) for _ in range(40)]

    def terms() -> Any:
        built = [build(tree) for tree in trees]
        slopes = [x.diff(letters.coordinate(0)) for x in built]
        return [(x.ring.name, x.ring.terms(x.num)) for x in built + slopes]

    monkeypatch.setenv("MBWIDGETS_RING", "sympy")
    plain = terms()
    monkeypatch.setenv("MBWIDGETS_RING", "flint")
    fast = terms()
    assert {name for name, _ in plain} == {"sympy"}
    assert {name for name, _ in fast} == {"flint"}
    assert [t for _, t in plain] == [t for _, t in fast]
    monkeypatch.setenv("MBWIDGETS_RING", "maple")
    with pytest.raises(Exception, match="no polynomial package"):
        build("m")
