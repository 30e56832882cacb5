"""cos x cos y − sin x sin y is written cos(x + y): exactly the same value, never longer, always the same way."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mbwidgets.expressions import Call, Power, Product, Sum, Symbol, Variable, parse_expression
from mbwidgets.symbolic import Formula, covariant
from mbwidgets.symbolic.formula.written_forms import expression_tree
from mbwidgets.symbolic.ring.scalar_reader import Reader
from tests.symbolic.mechanisms import general_chain

ANGLES = 3
COEFFICIENTS = st.fractions(-3, 3, max_denominator=4)


def read(text: str) -> Formula:
    return Formula(Reader(angles=frozenset(range(ANGLES))).read(parse_expression(text)))


@st.composite
def sums_of_waves(draw: Any) -> str:
    """Σ c m cos(Σ k q_i), with plain products of sines and cosines between them."""
    terms = []
    for _ in range(draw(st.integers(1, 5))):
        numbers = [draw(st.integers(-2, 2)) for _ in range(ANGLES)]
        angle = " + ".join(f"({k})*q[{i}]" for i, k in enumerate(numbers))
        wave = f"{draw(st.sampled_from(['sin', 'cos']))}({angle})"
        plain = draw(
            st.sampled_from(["1", "m", "m*l", "cos(q[0])", "sin(q[1])**2", "cos(q[2])*sin(q[0])", "u[0]*u[1]"])
        )
        terms.append(f"({draw(COEFFICIENTS)})*{plain}*{wave if draw(st.booleans()) else '1'}")
    return " + ".join(terms)


Gaussian = tuple[Fraction, Fraction]


def exact(node: Any, halves: list[Fraction]) -> Fraction:
    """The value of a tree where tan(q_i/2) is rational, by products of complex numbers, no theorem of ours."""
    match node:
        case int() | Fraction():
            return Fraction(node)
        case Symbol(name=name):
            return {"m": Fraction(7, 3), "l": Fraction(-2, 5)}[name]
        case Variable(kind="u", index=index):
            return Fraction(3 + index, 2)
        case Sum(terms=terms):
            return sum((exact(term, halves) for term in terms), Fraction(0))
        case Product(factors=factors):
            value = Fraction(1)
            for factor in factors:
                value *= exact(factor, halves)
            return value
        case Power(base=base, exponent=exponent):
            return exact(base, halves) ** exponent
        case Call(name=name, argument=argument):
            return turned(argument, halves)[name == "sin"]
    raise TypeError(node)


def turned(angle: Any, halves: list[Fraction]) -> Gaussian:
    """cos and sin of an angle Σ k q_i."""
    total = (Fraction(1), Fraction(0))
    for part in angle.terms if isinstance(angle, Sum) else (angle,):
        k, q = part.factors if isinstance(part, Product) else (1, part)
        t = halves[q.index]
        c, s = (1 - t * t) / (1 + t * t), (2 * t if k > 0 else -2 * t) / (1 + t * t)
        for _ in range(abs(k)):
            total = total[0] * c - total[1] * s, total[1] * c + total[0] * s
    return total


@given(sums_of_waves(), st.lists(COEFFICIENTS, min_size=ANGLES, max_size=ANGLES))
def test_what_is_gathered_has_the_same_exact_value(text: str, halves: list[Fraction]) -> None:
    whole = read(text)
    plain = exact(expression_tree(whole.entries[0], "expanded"), halves)
    for form in ("factored", "collected"):
        written = expression_tree(whole.entries[0], form)
        assert exact(written, halves) == plain
        assert read(str(getattr(whole, form)())) == whole
        assert written == expression_tree(read(text).entries[0], form)


@pytest.mark.parametrize(
    ("given_as", "written"),
    [
        ("cos(q[0])*cos(q[1]) - sin(q[0])*sin(q[1])", "cos(q[0] + q[1])"),
        ("cos(q[0])*cos(q[1]) + sin(q[0])*sin(q[1])", "cos(q[0] - q[1])"),
        ("m*sin(q[0])*cos(q[1]) + m*cos(q[0])*sin(q[1])", "m*sin(q[0] + q[1])"),
        ("cos(q[0])*sin(q[1]) - sin(q[0])*cos(q[1])", "-sin(q[0] - q[1])"),
        ("2*cos(q[0])*cos(q[1]) - sin(q[0])*sin(q[1])", "2*cos(q[0])*cos(q[1]) - sin(q[0])*sin(q[1])"),
        ("l*cos(q[0])*cos(q[1]) - m*sin(q[0])*sin(q[1])", "l*cos(q[0])*cos(q[1]) - m*sin(q[0])*sin(q[1])"),
        ("m*cos(q[0] + q[1] - q[2]) + l*sin(q[2])", "l*sin(q[2]) + m*cos(q[0] + q[1] - q[2])"),
        ("m*cos(q[0])*cos(q[0] + q[1])", "m*cos(q[0])*cos(q[0] + q[1])"),
    ],
)
def test_pairs_of_equal_coefficients_are_gathered(given_as: str, written: str) -> None:
    assert str(read(given_as).factored()) == written


def test_expanded_gathers_nothing() -> None:
    text = "cos(q[0])*cos(q[1]) - sin(q[0])*sin(q[1])"
    assert str(read(text).expanded()) == text
    assert read("cos(q[0] + q[1])") == read(text)


def test_the_unreduced_form_is_left_as_it_is() -> None:
    plain = covariant(general_chain(2)).metric.unreduced()
    assert "+ q[" not in str(plain.factored())


def test_gathering_costs_little_of_what_can_be_read() -> None:
    """The longest sums that are factored; a slider asks for some of them a second."""
    entries = [entry for entry in covariant(general_chain(5)).metric.entries if 100 < len(entry.num) <= 300]
    assert entries
    start = time.process_time()
    for entry in entries:
        expression_tree(entry, "factored")
    assert (time.process_time() - start) / len(entries) < 0.5
