"""The stack machine inside the kernels gives the values of the expressions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.expressions import evaluate, parse_expression
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.steps import stepper

TEXTS = [
    "t",
    "3",
    "1/3 + pi",
    "q[0] - 2*u[1]",
    "sin(3*t)*cos(q[1])**2 - tan(u[0]/5)",
    "exp(-t)*sqrt(q[0]**2 + 1) + log(2 + t)",
    "m2*(q[0] + u[1])**3/(1 + t**2)",
    "(t + 1)**(-3)",
    "((((t + 1)*2 + q[0])*3 + u[0])*4 + 5)*6",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_program_has_the_value_of_its_expression(text: str) -> None:
    m2 = mb.Parameter("m2", 2.5)
    bodies = [mb.Body("a", mass=m2, com=(0, 0, 1)), mb.Body("b", mass=1, com=(0, 0, 1))]
    packed = pack_model(mb.Model(bodies), signals=[parse_expression(text)])
    t, q, u = 0.7, [0.3, -1.2], [2.0, -0.4]
    out = np.zeros(1)
    stepper.read_signals(packed.model, packed.new_data(), t, np.array([*q, *u, 0.0]), 1, out)
    state = {"t": [t], "q": q, "u": u}
    expected = evaluate(parse_expression(text), {"m2": 2.5}, lambda leaf: state[leaf.kind][leaf.index])
    assert out[0] == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("text", ["sqrt(t - 1)", "log(t)", "log(t - 1)"])
def test_a_value_that_does_not_exist_is_nan(text: str) -> None:
    packed = pack_model(mb.Model([mb.Body("a", mass=1, com=(0, 0, 1))]), signals=[parse_expression(text)])
    out = np.zeros(1)
    stepper.read_signals(packed.model, packed.new_data(), 0.0, np.zeros(3), 1, out)
    assert math.isnan(out[0])
