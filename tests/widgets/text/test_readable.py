"""Long fractions are written as decimals; the value is the same to the digits that are written."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import mbwidgets as mb
from mbwidgets.symbolic.code.latex import node_latex
from mbwidgets.widgets.parts.formulas import FORMULAE, formula_html
from mbwidgets.widgets.text.readable import Readable


def test_short_formulae_are_left_as_they_are() -> None:
    for tree in mb.covariant(mb.library.three_body_arm()).effort.trees:
        readable = Readable()
        assert node_latex(readable.tree(tree)) == node_latex(tree)
        assert not readable.shortened


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(10**30 // 3, 10**30), "0.33333"),
        (Fraction(-(10**30) // 3, 10**29), "-3.3333"),
        (Fraction(1, 3 * 10**20), "3.3333 \\cdot 10^{-21}"),
        (Fraction(123456789, 1000), "123457"),
        (Fraction(7, 20), "\\frac{7}{20}"),
    ],
)
def test_a_long_number_has_five_digits(value: Fraction, text: str) -> None:
    readable = Readable()
    assert readable.latex(node_latex(readable.tree(value))) == text


def test_a_turned_axis_gives_a_formula_that_can_be_read() -> None:
    arm = mb.library.three_body_arm().with_joint("fore", axis=(0.7071, 0.7, 0.1))
    text = formula_html(arm, 2, FORMULAE["equation of motion"])
    assert max(map(len, re.findall(r"\d+", text))) <= 8
    assert "long fractions are shown with five digits" in text
    assert "decimalplace" not in text
