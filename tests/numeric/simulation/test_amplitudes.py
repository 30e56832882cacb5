"""A motion is as exact in nanometres as in metres."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from tests.numeric.simulation.test_simulate import oscillator, pendulum


@pytest.mark.parametrize("method", ["auto", "radau"])
@pytest.mark.parametrize("amplitude", [1e6, 1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_an_oscillator_is_as_exact_at_every_amplitude(amplitude: float, method: str) -> None:
    motion = mb.simulate(oscillator(), q=[amplitude], method=method)
    assert motion.outcome.ok
    assert abs(motion.q[:, 0] / amplitude - np.cos(2 * motion.t)).max() < 1e-7
    assert motion.drift < 1e-7


@pytest.mark.parametrize("kick", [1.0, 1e-3, 1e-6, 1e-9])
def test_a_body_that_is_kicked_from_rest_is_as_exact(kick: float) -> None:
    motion = mb.simulate(oscillator(), q=[0], u=[2 * kick])
    assert abs(motion.q[:, 0] / kick - np.sin(2 * motion.t)).max() < 1e-7


@pytest.mark.parametrize("angle", [1e-3, 1e-6, 1e-9])
def test_a_ball_joint_swings_as_exactly(angle: float) -> None:
    bob = mb.Body("bob", joint=mb.Spherical(), mass=1, com=(0, 0, -1), inertia=(1e-3,) * 3)
    model = mb.Model([bob], state={"q": [np.sin(angle / 2), 0, 0, np.cos(angle / 2)]})
    motion = mb.simulate(model)
    expected = angle * np.cos(np.sqrt(9.81 / 1.001) * motion.t)
    # the period grows with the square of the amplitude: 1e-7 of it over three swings at 1e-3 rad
    assert abs(2 * np.arcsin(motion.q[:, 0]) - expected).max() < angle * (1e-7 + 4 * angle**2)


def test_forces_in_balance_do_not_stop_a_motion() -> None:
    """Rounding of a balanced weight is as large as a motion of nothing: the steps do not follow it."""
    motion = mb.simulate(oscillator().replace(gravity=(-9.81, 0, 0)), q=[-9.81 / 4])
    assert motion.outcome.ok
    assert motion.evaluations < 20_000
    upright = mb.simulate(pendulum(), q=[np.pi], duration=5)
    assert upright.outcome.ok
    assert upright.evaluations < 20_000


def test_a_tolerance_that_is_given_is_kept() -> None:
    loose = mb.simulate(oscillator(), q=[1e-9], atol=1e-10)
    assert abs(loose.q[:, 0] / 1e-9 - np.cos(2 * loose.t)).max() > 1e-4


def test_no_size_is_ever_infinite() -> None:
    """A mechanism without any length has no length to compare lengths and angles by."""
    spinning = mb.Model([mb.Body("disc", joint=mb.Revolute("z"), mass=1, inertia=(1, 1, 1))])
    motion = mb.simulate(spinning, u=[1.0], tau=["-sin(40*q[0])"])
    finer = mb.simulate(spinning, u=[1.0], tau=["-sin(40*q[0])"], atol=1e-12, rtol=1e-12)
    assert abs(motion.q - finer.q).max() < 1e-7
    assert motion.drift < 1e-8
