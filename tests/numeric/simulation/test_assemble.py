"""Starts that meet the constraints, with named joints where they are put."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb


@pytest.mark.parametrize("crank", np.linspace(-3.0, 9.0, 13))
def test_a_four_bar_is_closed_at_every_angle_of_its_crank(crank: float) -> None:
    model = mb.assemble(mb.library.four_bar(), crank=crank)
    q = model.q0
    assert q[0] == pytest.approx(crank, abs=2e-15)
    a, b, c, d = (model.number(model.parameters[f"l{k}"]) for k in (1, 2, 3, 4))
    end = np.array([a * math.cos(q[0]) + b * math.cos(q[0] + q[1]), a * math.sin(q[0]) + b * math.sin(q[0] + q[1])])
    assert end == pytest.approx([d + c * math.cos(q[2]), c * math.sin(q[2])], abs=1e-13)
    assert model.u0[0] == pytest.approx(4.0)  # the crank's own speed is kept, the others follow
    motion = mb.simulate(model, duration=0.1)
    assert motion.outcome.ok
    assert motion.assembly is None or not motion.assembly.moved


def test_the_branch_of_the_linkage_is_kept_all_around() -> None:
    model = mb.library.four_bar()
    around = mb.assemble(model, crank=float(model.q0[0]) + 2 * math.pi)
    assert around.q0[2] == pytest.approx(model.q0[2], abs=1e-9)


def test_a_tree_is_put_where_it_is_asked_to_be() -> None:
    model = mb.assemble(mb.library.pendulum(2), {"rod 1": 0.3, "rod 2": -1})
    assert model.q0.tolist() == [0.3, -1.0]
    lifted = mb.assemble(mb.library.scara(), {"quill": [0.1, 0.2]})
    assert lifted.q0[-2:].tolist() == [0.1, 0.2]


def test_what_cannot_be_is_told() -> None:
    linkage = mb.library.four_bar()
    with pytest.raises(mb.StateError, match="assemble: The constraints cannot be met together"):
        mb.assemble(linkage, rocker=9)
    with pytest.raises(mb.UnknownNameError, match="did you mean 'crank'"):
        mb.assemble(linkage, cranc=1)
    with pytest.raises(mb.StateError, match=r"joint 'crank'.*shape"):
        mb.assemble(linkage, crank=[1, 2])
    with pytest.raises(mb.StateError, match="joint 'crank': nan is not finite"):
        mb.assemble(linkage, crank=math.nan)
    with pytest.raises(mb.ModelError, match="its orientation cannot be held"):
        mb.assemble(mb.library.body_on_circle(), body=[0, 0, 0, 0, 0, 0, 1])


@pytest.mark.parametrize("value", ["0", "t", "0.0*t", "1e-30 + 3*t", "sin(t)"])
def test_a_crank_that_is_led_from_zero_starts(value: str) -> None:
    """Its equation has no terms where it is met: what is left of them is rounding of what they were before."""
    linkage = mb.library.four_bar()
    motion = mb.simulate(linkage.replace(constraints=[*linkage.constraints, mb.Prescribed("crank", value)]), duration=1)
    assert motion.outcome.ok, motion.outcome
    t = motion.t[-1]
    expected = {"0": 0.0, "t": t, "0.0*t": 0.0, "1e-30 + 3*t": 3 * t, "sin(t)": np.sin(t)}[value]
    assert motion.q[-1, 0] == pytest.approx(expected, abs=1e-12)
    assert motion.constraint_residual.max() < 1e-12
