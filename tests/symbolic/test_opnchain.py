"""OPNCHAIN.M's input and output, under their names."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mbwidgets.errors import ModelError
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
