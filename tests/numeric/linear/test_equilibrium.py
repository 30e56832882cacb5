"""Poses of rest: they are at rest, they are those of closed forms, and what has none is told so."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb

FALLING = ("opnchain_manipulator", "hammer_crusher")
"""A lift that nothing holds; a drum that a motor turns."""


@pytest.mark.parametrize("name", [name for name in mb.library.names() if name not in FALLING])
def test_a_mechanism_stays_in_its_equilibrium(name: str) -> None:
    model = mb.equilibrium(getattr(mb.library, name)())
    assert not model.u0.any()
    ud = mb.Dynamics(model).forward(model.q0, model.u0)
    first = getattr(mb.library, name)()
    moving = abs(mb.Dynamics(first).forward(first.q0, 0 * first.u0)).max()
    assert abs(ud).max() <= 1e-9 * max(1.0, moving)


def test_the_pose_is_the_closed_one() -> None:
    # a rod m, l on a pin with a torsion spring k: m g l/2 sin q = k (q0 − q)
    k, rest, g, m, half = 2.0, 1.2, 9.81, 0.7, 0.3
    rod = mb.Body("rod", mb.Revolute("y"), mass=m, com=(0, 0, -half), inertia=(0.02, 0.02, 0))
    model = mb.Model([rod], gravity=(0, 0, -g), forces=[mb.JointSpring("rod", stiffness=k, rest=rest)])
    angle = float(mb.equilibrium(model).q0[0])
    assert m * g * half * math.sin(angle) == pytest.approx(k * (rest - angle), abs=1e-12)
    # a mass on a spring: x = − m g / k
    slide = mb.Model(
        [mb.Body("mass", mb.Prismatic("z"), mass=3)],
        forces=[mb.JointSpring("mass", stiffness=50)],
    )
    assert float(mb.equilibrium(slide).q0[0]) == pytest.approx(-3 * 9.81 / 50, abs=1e-14)


def test_a_pose_near_the_upright_one_is_led_there_and_a_low_one_down() -> None:
    model = mb.library.pendulum(1)
    assert float(mb.equilibrium(model, q=[2.0]).q0[0]) == pytest.approx(math.pi)
    for low in (0.3, 1.2, math.pi / 2):
        assert float(mb.equilibrium(model, q=[low]).q0[0]) == pytest.approx(0.0, abs=1e-12)
    assert mb.linearise(mb.equilibrium(model, q=[0.3])).stable
    assert not mb.linearise(mb.equilibrium(model, q=[2.0])).stable


def test_an_effort_that_holds_a_pose_makes_it_one() -> None:
    arm = mb.library.three_body_arm()
    held = mb.Dynamics(arm).inverse(arm.q0, 0 * arm.u0, 0 * arm.u0)
    assert mb.equilibrium(arm, tau=held).q0 == pytest.approx(arm.q0, abs=1e-12)


@pytest.mark.parametrize("name", FALLING)
def test_what_nothing_balances_is_told(name: str) -> None:
    with pytest.raises(mb.ConvergenceError, match=r"still accelerate '(lift|drum)' by .*; give a pose"):
        mb.equilibrium(getattr(mb.library, name)())


def test_bad_input_is_told() -> None:
    model = mb.library.pendulum(1)
    with pytest.raises(mb.StateError, match="give finite numbers"):
        mb.equilibrium(model, q=[np.nan])
    for call in (lambda: mb.equilibrium(3), lambda: mb.linearise("arm"), lambda: mb.assemble(None)):  # type: ignore[arg-type]
        with pytest.raises(mb.StateError, match="is not a Model"):
            call()
    with pytest.raises(mb.StateError, match="q of 'rod 1' is inf"):
        mb.linearise(model, q=[np.inf])
    with pytest.raises(mb.UnknownNameError, match="inputs has no 'rod'; did you mean 'rod 1'"):
        mb.linearise(model, inputs=["rod"])
    with pytest.raises(mb.MbwidgetsError, match="output 0"):
        mb.linearise(model, outputs=["q[7]"])
    with pytest.raises(mb.MbwidgetsError, match="output 0"):
        mb.linearise(model, outputs=[("speed", "rod 1")])
    with pytest.raises(mb.StateError, match="no mode 9; count from 0 to 1"):
        mb.linearise(model).play(9)
    with pytest.raises(mb.StateError, match="amplitude = -1"):
        mb.linearise(model).play(0, amplitude=-1)


def test_a_state_without_a_slope_is_refused() -> None:
    slide = mb.Model([mb.Body("a", mb.Prismatic("x"), mass=1)])
    ends = ("a", (0, 0, 0)), (None, (0, 0, 0))
    for force in (mb.Spring(*ends, stiffness=1, length=1), mb.Damper(*ends, damping=1)):
        with pytest.raises(mb.StateError, match=r"force 0 \((spring|damper)\): its two ends lie on each other"):
            mb.linearise(slide.replace(forces=[force]))
        assert mb.linearise(slide.replace(forces=[force]), q=[0.5]).K.shape == (1, 1)
    assert mb.linearise(slide.replace(forces=[mb.Spring(*ends, stiffness=7)])).K.tolist() == [[7.0]]
    for text in ("-abs(q[0])", "max(u[0], 0)", "sign(q[0])", "where(q[0], 1, 2)"):
        with pytest.raises(mb.StateError, match="has a kink at this state"):
            mb.linearise(slide.replace(forces=[mb.Effort("a", text)]))
        assert mb.linearise(slide.replace(forces=[mb.Effort("a", text)]), q=[0.1], u=[0.1]).A.shape == (2, 2)


def test_what_is_indifferent_stays_as_it_was() -> None:
    """The cart of a pendulum stays where it stands, and the first joint about the vertical as it is turned."""
    cart = mb.equilibrium(mb.library.cart_pendulum(), q={"cart": 0.7, "rod": 3.0})
    assert cart.q0 == pytest.approx([0.7, np.pi], abs=1e-12)
    assert cart.q0[0] == pytest.approx(0.7, abs=1e-15)
    arm = mb.library.three_body_arm()
    assert mb.equilibrium(arm).q0[0] == pytest.approx(arm.q0[0], abs=1e-12)
