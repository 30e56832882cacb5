"""Formulae in the panel: exact, broken into lines, and honest about their size."""

from __future__ import annotations

import pytest

import mbwidgets as mb
from mbwidgets.widgets.formulas import FORMULAE, formula_html, lines


@pytest.mark.parametrize("kind", FORMULAE)
def test_every_formula_of_the_arm_is_written_in_latex(kind: str) -> None:
    text = formula_html(mb.library.three_body_arm(), 1, FORMULAE[kind])
    assert text.startswith("$$\\begin{aligned}")
    assert text.count("{") == text.count("}")
    assert text.count("\\bigl(") == text.count("\\bigr)")


def test_one_rod_gives_the_textbook_equation() -> None:
    text = formula_html(mb.library.pendulum(1), 0, FORMULAE["equation of motion"])
    assert text == (
        "$$\\begin{aligned}Q_{1} &= \\frac{g l m \\sin q^{1}}{2} + \\frac{l^{2} m \\ddot q^{1}}{3}\\end{aligned}$$"
    )


def test_long_sums_are_broken_between_terms_and_lose_none() -> None:
    tree = mb.covariant(mb.library.three_body_arm()).effort.trees[0]
    whole, broken = lines("Q", tree, 10**9), lines("Q", tree, 60)
    assert "\\\\" not in whole
    assert broken.count("\\\\") > 3
    assert broken.count("\\cos") == whole.count("\\cos")


def test_what_nobody_would_read_gives_way_to_numbers() -> None:
    text = formula_html(mb.library.six_axis_arm(), 1, FORMULAE["equation of motion"])
    assert "terms are more than can be read" in text
    assert "Q_{2} &=" in text


def test_a_joint_that_has_no_such_formula_says_so() -> None:
    ball = formula_html(mb.library.spherical_chain(2), 0, FORMULAE["metric"])
    assert "a spherical joint has no one-axis form" in ball
    weld = formula_html(mb.library.six_axis_arm(), 6, FORMULAE["equation of motion"])
    assert "no coordinate of its own" in weld


def test_values_at_the_start_stand_beneath_the_formula_and_follow_the_parameters() -> None:
    for phi0 in (0.5, 1.0):
        model = mb.library.pendulum(1).with_values(phi0=phi0)
        text = formula_html(model, 0, FORMULAE["equation of motion"], numbers=True)
        expected = mb.Dynamics(model).bias(model.q0, model.u0)[0]
        assert f"&= {expected:.6g}\\end" in text
