"""OPNCHAIN.M's input and output, under their names."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mbwidgets.errors import MbwidgetsError, ModelError
from mbwidgets.model.parameters import Parameter
from mbwidgets.symbolic import covariant, opnchain
from tests.symbolic.mechanisms import manipulator

HALF, TWENTIETH = Fraction(1, 2), Fraction(1, 20)
ZERO = [0, 0, 0]


def diagonal(x: Any, y: Any, z: Any) -> list[list[Any]]:
    return [[x, 0, 0], [0, y, 0], [0, 0, z]]


SCHIEHLEN: dict[str, Any] = {
    "n": 5,
    "t": [1, 0, 1, 0, 0],
    "e": [[0, 0, 1], [0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]],
    "ro": [ZERO, ZERO, ZERO, [0, HALF, 0], [0, TWENTIETH, 0]],
    "roo": [ZERO, ZERO, ZERO, [0, -HALF, 0], ZERO],
    "m": [0, 250, 0, 150, 100],
    "ti": [
        diagonal(0, 0, 0),
        diagonal(90, 10, 90),
        diagonal(0, 0, 0),
        diagonal(13, Fraction(3, 4), 13),
        diagonal(4, 1, Fraction(43, 10)),
    ],
}


def test_the_papers_input_gives_the_papers_results() -> None:
    program, equations = opnchain(**SCHIEHLEN, g="g"), covariant(manipulator())
    assert program.KovMetTen == equations.metric
    assert program.IzvPotEn == equations.potential_gradient
    assert program.Krist1Dif == equations.christoffel(1, "metric")
    assert program.Krist1Mat == equations.christoffel(1, "planar")
    assert program.Krist1Mat == program.Krist1Dif
    assert program.contravariant == equations.contravariant_metric
    assert (
        program.KovMetTen[3, 1].factored().latex()
        == r"-\frac{\cos q^{4} \sin q^{5} \left(50 + 71 \cos q^{5} + 100 q^{3}\right)}{20}"
    )


def test_the_strength_of_gravity_may_be_a_number() -> None:
    program = opnchain(**SCHIEHLEN, g=9.81)
    assert program.IzvPotEn[0] == 4905


def test_arrays_of_decimals_give_the_same_exact_results() -> None:
    decimals = {key: np.array(value, dtype=float) for key, value in SCHIEHLEN.items() if key not in ("n", "t")}
    program = opnchain(5, SCHIEHLEN["t"], **decimals)
    assert program.KovMetTen == opnchain(**SCHIEHLEN).KovMetTen


def test_wrong_input_is_named() -> None:
    with pytest.raises(ModelError, match="m has 4 entries for n = 5"):
        opnchain(**{**SCHIEHLEN, "m": [0, 250, 0, 150]})
    with pytest.raises(ModelError, match="0 for revolute, 1 for prismatic"):
        opnchain(**{**SCHIEHLEN, "t": [1, 0, 1, 0, 2]})


ONE: dict[str, Any] = {
    "n": 1, "t": [0], "e": [[0, 1, 0]], "ro": [ZERO], "roo": [[1, 0, 0]], "m": [1], "ti": [diagonal(1, 1, 1)]
}  # fmt: skip


@pytest.mark.parametrize(
    ("slip", "message"),
    [
        ({"n": 0, "t": [], "e": [], "ro": [], "roo": [], "m": [], "ti": []}, "n = 0"),
        ({"n": 1.0}, "n = 1.0"),
        ({"t": 0}, "t has 0 entries"),
        ({"m": None}, "m has 0 entries"),
        ({"e": ["y"]}, "joint 0: e: 'y' is not a vector"),
        ({"e": [[0, 1]]}, "joint 0: e: 2 numbers"),
        ({"e": [[0, 0, 0]]}, "no direction"),
        ({"ro": [3]}, "body 0: ro: 3 is not a vector"),
        ({"ro": ["abc"]}, "body 0: ro: 'abc' is not a vector"),
        ({"roo": [None]}, "body 0: roo: None is not a vector"),
        ({"m": [-1]}, "body 0: m: mass -1 is negative"),
        ({"m": ["1 +"]}, "body 0: m"),
        ({"ti": [5]}, "body 0: ti: 5 is not an inertia"),
        ({"ti": [[[1, 0], [0, 1]]]}, "body 0: ti"),
        ({"ti": [[[1, 5, 0], [0, 1, 0], [0, 0, 1]]]}, "xy differs from its mirror"),
        ({"g": (0, 0, -9.81)}, "g: "),
    ],
)
def test_each_slip_has_a_typed_error(slip: dict[str, Any], message: str) -> None:
    with pytest.raises(MbwidgetsError, match=message):
        _ = opnchain(**{**ONE, **slip}).KovMetTen


def test_parameters_bring_their_values() -> None:
    m, length = Parameter("m", 3.0), Parameter("l", 2.0)
    program = opnchain(**{**ONE, "m": [m], "roo": [[length, 0, 0]]}, g=Parameter("g", 10.0))
    assert program.KovMetTen.evaluate(q=[0]).tolist() == [[13]]  # 1 + m l²
    assert program.IzvPotEn.evaluate(q=[0]).tolist() == [-60]  # y turns x to −z: Π = −m g l sin q
    assert program.IzvPotEn.evaluate(q=[0], m=1).tolist() == [-20]
