"""Parameters: names, bounds, arithmetic, the table of a model."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import ExpressionError, MbwidgetsError, ModelError, UnknownNameError
from mbwidgets.expressions import evaluate
from mbwidgets.model.bodies import Body
from mbwidgets.model.model import Model
from mbwidgets.model.parameters import Parameter


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Parameter("2m", 1), "'2m' cannot name a parameter; start with a letter"),
        (lambda: Parameter("t", 1), "cannot name a parameter"),
        (lambda: Parameter("q1", 1), "cannot name a parameter"),
        (lambda: Parameter("sin", 1), "cannot name a parameter"),
        (lambda: Parameter("m" * 33, 1), "cannot name a parameter"),
        (lambda: Parameter("µ", 1), "cannot name a parameter"),
        (lambda: Parameter(3, 1), "3 cannot name a parameter"),
        (
            lambda: Parameter("m", 1, min=2),
            "parameter 'm': value 1 is outside 2 … inf; change the value or widen",
        ),
        (lambda: Parameter("m", 1, min=2, max=0), "min 2 is above max 0; exchange them"),
        (lambda: Parameter("m", float("nan")), "parameter 'm': value: nan is not finite"),
        (lambda: Parameter("m", "k"), "value = k is not a plain number"),
        (lambda: Parameter("m", 1, unit="k" * 201), "unit: .*at most 200 printable"),
        (lambda: Parameter("m", 1, unit="a\nb"), "parameter 'm': unit"),
        (
            lambda: Parameter.from_dict("m", {"valu": 1}),
            "parameter 'm': unknown field 'valu'; did you mean 'value'",
        ),
        (lambda: Parameter.from_dict("m", []), "parameter 'm'"),
    ],
)
def test_impossible_parameters_are_refused_with_the_value_and_the_remedy(make: Any, message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        make()


def test_values_stay_what_they_are() -> None:
    assert Parameter("m", "1/3").value == Fraction(1, 3)
    assert type(Parameter("m", 2).value) is int
    assert type(Parameter("m", 2.0).value) is float


def test_arithmetic_on_parameters_gives_expressions_with_their_values() -> None:
    m, k = Parameter("m", 2), Parameter("k", 0.5)
    assert str(3 * m + k / 2 - m**2) == "3*m + 1/2*k - m**2"
    assert evaluate(3 * m + k / 2 - m**2) == 2.25
    with pytest.raises(ExpressionError, match="parameter 'x' has no value"):
        evaluate(Parameter("x") + 1)


def test_a_function_keeps_the_parameter_and_python_s_own_says_so() -> None:
    alpha = Parameter("alpha", 0.3)
    assert str(9.81 * mb.sin(alpha)) == "9.81*sin(alpha)"
    assert str(np.sqrt(alpha) + mb.pi) == "sqrt(alpha) + pi"
    with pytest.raises(ExpressionError, match=r"mb\.sin"):
        math.sin(alpha)


def test_a_repr_can_be_pasted_back() -> None:
    parameter = Parameter("m2", Fraction(1, 3), min=0, max=2.5, unit="kg")
    assert eval(repr(parameter), {"Parameter": Parameter, "Fraction": Fraction}) == parameter  # noqa: S307
    assert Parameter.from_dict("m2", parameter.to_dict()) == parameter


def test_a_model_gathers_the_parameters_that_its_bodies_hold() -> None:
    m, g = Parameter("m", 2), Parameter("g", 9.81)
    model = Model([Body("a", mass=2 * m)], gravity=(0, 0, -g))
    assert dict(model.parameters) == {"m": m, "g": g}
    assert model.number(model.bodies[0].mass) == 4.0
    assert model.values == {"m": 2, "g": 9.81}


def test_a_name_without_a_parameter_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"parameter 'mas' is not defined.*mb\.Parameter\('mas', value\)"):
        Model([Body("a", mass="2*mas")], parameters=[Parameter("mass", 1)])


def test_two_parameters_of_one_name_are_refused() -> None:
    with pytest.raises(ModelError, match="two different parameters are named 'm'"):
        Model([Body("a", mass=Parameter("m", 1)), Body("b", mass=Parameter("m", 2))])


def test_with_values_leaves_the_old_model_untouched() -> None:
    model = Model([Body("a", mass=Parameter("m", 1, min=0.5, max=9, unit="kg"))])
    before = model.to_dict()
    other = model.with_values(m=7)
    assert model.to_dict() == before
    assert other.parameters["m"] == Parameter("m", 7, min=0.5, max=9, unit="kg")
    assert other.number(other.bodies[0].mass) == 7.0
    assert other != model
    assert other.with_values(m=1) == model
    with pytest.raises(ModelError, match="value 10 is outside"):
        model.with_values(m=10)
    with pytest.raises(UnknownNameError, match="no parameter 'mm'; did you mean 'm'"):
        model.with_values(mm=1)


def test_a_value_that_makes_the_mechanism_impossible_is_refused() -> None:
    model = Model([Body("a", mass=Parameter("m", 1), inertia=(Parameter("J", 1), 1, 1))])
    with pytest.raises(ModelError, match="body 'a': mass -1 is negative; give a mass ≥ 0"):
        model.with_values(m=-1)
    with pytest.raises(ModelError, match="body 'a': principal moments 1, 1, 3 break the triangle inequality"):
        model.with_values(J=3)


def test_a_parameter_without_a_value_waits() -> None:
    model = Model([Body("a", mass=Parameter("m"))])
    assert model.values == {"m": None}
    with pytest.raises(ModelError, match="negative"):
        model.with_values(m=-1)
