"""The kinetic energy by the exact metric beside that of the kernels."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.parts import second_way
from mbwidgets.widgets.parts.health import differences


@pytest.mark.parametrize("name", ["three_body_arm", "rotor", "cart_pendulum"])
def test_kernel_and_formula_agree_to_rounding(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.5)
    apart = second_way.formula_difference(motion)
    assert apart is not None
    assert apart < 1e-13, "two ways to one number: rounding"
    assert "kernel − formula" in differences(motion, 0)


def test_a_wrong_kernel_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    motion = mb.simulate(mb.library.pendulum(2), duration=0.5)
    heavier = motion.model.with_values(m=motion.model.values["m"] * 1.01)
    assert (second_way.formula_difference(motion) or 0.0) < 1e-13
    program = second_way.kinetic_program(heavier)
    assert program is not None
    values = program.evaluate(motion.q, motion.u, motion.ud, motion.t, heavier.values)
    share = values[1:] / motion.energy.kinetic[1:]  # it starts at rest
    assert np.abs(share - 1).max() == pytest.approx(0.01, rel=1e-6)


def test_where_there_is_no_formula_nothing_is_said() -> None:
    for model in (mb.library.four_bar(), mb.library.pendulum(second_way.FEW_BODIES + 1)):
        motion = mb.simulate(model, duration=0.05)
        assert second_way.formula_difference(motion) is None
        assert "formula" not in differences(motion, 0)
