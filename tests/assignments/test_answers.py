"""Answers as text, units, and the equality of formulae."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import assume, example, given
from hypothesis import strategies as st

import mbwidgets as mb
from mbwidgets.assignments.answers import answer_text, named_entries, read_answer
from mbwidgets.assignments.balls import ball_precision, ball_value_at, sample_points
from mbwidgets.assignments.equality import Same, Sampler, letter_ranges
from mbwidgets.assignments.units import read_unit
from mbwidgets.expressions import from_sympy, parse_expression, to_sympy


@pytest.mark.parametrize(
    ("text", "shape", "count"),
    [
        ("3/2", (), 1),
        (" -4.5e3 rad/s² ", (), 1),
        ("[1, (2+3)*4, sin(q[0])]", (3,), 3),
        ("[[1, 0], [0, u[1]*ud[0]]] kg m^2", (2, 2), 4),
        ("12.5kN", (), 1),
    ],
)
def test_texts_are_read(text: str, shape: tuple[int, ...], count: int) -> None:
    entries = read_answer(text).entries
    assert (entries.shape, len(entries.flat)) == (shape, count)


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1, 2", "[[1], [2, 3]]", "[[1], 2]", "[1,,2]", "1 2", "x.y", "[1] parsec", "a(b)", "9" * 400,
     "(" * 100 + "1" + ")" * 100, "[" * 50 + "]" * 50, "1" + "+1" * 11_000, "2**99999999", "[" + "1," * 401 + "1]",
     None, 3],
)  # fmt: skip
def test_what_cannot_be_read_is_a_typed_error(text: Any) -> None:
    with pytest.raises(mb.MbwidgetsError):
        read_answer(text)


@pytest.mark.parametrize(
    ("text", "si", "powers"),
    [
        ("kg m²", 1, (2, 1, 0)),
        ("N·m", 1, (2, 1, -2)),
        ("kg/(m s^2)", 1, (-1, 1, -2)),
        ("km/h", 1000 / 3600, (1, 0, -1)),
        ("rpm", math.pi / 30, (0, 0, -1)),
        ("deg", math.pi / 180, (0, 0, 0)),
        ("mm", 1e-3, (1, 0, 0)),
        ("g cm^2", 1e-7, (2, 1, 0)),
        ("m/s/s", 1, (1, 0, -2)),
    ],
)
def test_units(text: str, si: float, powers: tuple[int, ...]) -> None:
    unit = read_unit(text)
    assert unit.powers == powers
    assert unit.factor == pytest.approx(si, rel=1e-14)  # a few roundings


def test_numbers_and_formulae_of_a_notebook_become_text() -> None:
    assert answer_text([1, Fraction(1, 3), np.float64(0.5)]) == "[1, 1/3, 0.5]"
    assert read_answer(answer_text(np.eye(2))).entries.shape == (2, 2)
    metric = mb.covariant(mb.library.pendulum(2)).metric
    assert mb.Formula(np.array(read_answer(answer_text(metric)).entries.flat).reshape(2, 2)) is not None
    assert named_entries(answer_text({"a": 1, "b": -0.5})) == {"a": 1, "b": -0.5}


LETTERS = letter_ranges({"a": None, "b": None, "q[0]": None})
SAMPLER = Sampler("test", LETTERS, frozenset({0}))


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("(a+b)**2", "a**2 + 2*a*b + b**2", Same.EXACT),
        ("sin(q[0])**2", "1 - cos(q[0])**2", Same.EXACT),
        ("1/(a+b) + 1/(a-b)", "2*a/(a**2 - b**2)", Same.EXACT),
        ("sqrt(2)*sqrt(3)", "sqrt(6)", Same.EXACT),
        ("sin(2*a)", "2*sin(a)*cos(a)", Same.POINTS),
        ("log(a*b)", "log(a) + log(b)", Same.POINTS),
        ("sqrt(a**2)", "a", Same.POINTS),
        ("a", "a + 1e-30", Same.DIFFERENT),
        ("sin(a)", "a - a**3/6 + a**5/120", Same.DIFFERENT),
        ("sqrt(q[0]**2)", "q[0]", Same.DIFFERENT),
        ("log(-a)", "a", Same.UNKNOWN),
        ("1/(a - a)", "a", Same.UNKNOWN),
        ("exp(exp(exp(100*a)))", "a", Same.UNKNOWN),
    ],
)
def test_equality_of_formulae(left: str, right: str, verdict: Same) -> None:
    assert SAMPLER.same(parse_expression(left), parse_expression(right)) is verdict


def test_rounded_coefficients_pass_within_the_tolerance_only() -> None:
    third, rounded = parse_expression("a/3"), parse_expression("0.3333*a")
    assert SAMPLER.same(third, rounded) is Same.DIFFERENT
    assert SAMPLER.same(third, rounded, 1e-3) is Same.NEAR
    assert SAMPLER.same(third, rounded, 1e-6) is Same.DIFFERENT


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "q[0]", "2", "1/3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda p: f"({p[0]}{p[1]}{p[2]})"),
        inner.map(lambda text: f"sin({text})"),
        inner.map(lambda text: f"({text})**2"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, EXPRESSIONS)
def test_products_equal_their_expansion_by_sympy_and_differ_when_changed(left: str, right: str) -> None:
    value = parse_expression(f"({left})*({right})")
    expanded = sympy.expand(to_sympy(value))
    assume(len(str(expanded)) < 1500)
    other = from_sympy(expanded)
    assert SAMPLER.same(value, other)
    assert SAMPLER.same(value, other + parse_expression("a/10**20/10**20")) is Same.DIFFERENT


@example("((sin(a)-sin(a)))**2")
@example("(sin(a)**2 + cos(a)**2 - 1)**3 + b**-2")
@given(EXPRESSIONS)
def test_balls_hold_the_value_that_mpmath_finds(text: str) -> None:
    import mpmath

    value = parse_expression(text)
    at = sample_points("balls", LETTERS, 1)[0]
    with ball_precision(), mpmath.workdps(60):
        ball = ball_value_at(value, at)
        names = {"a": at["a"], "b": at["b"], "q[0]": at["q[0]"]}
        exact = to_sympy(value, lambda leaf: sympy.Rational(names[repr(leaf)].numerator, names[repr(leaf)].denominator))
        size = abs(mpmath.mpf(str(sympy.N(exact, 60))) - mpmath.mpf(ball.mid().str(60, radius=False)))
        assert size <= mpmath.mpf(10) ** -45 * (1 + abs(mpmath.mpf(str(sympy.N(exact, 20)))))
