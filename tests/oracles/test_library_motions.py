"""The ready mechanisms in motion: their energy stays, and the engines agree with what we say of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipk

from mbwidgets.model import library
from mbwidgets.numeric.simulation.simulate import simulate
from mbwidgets.numeric.states.dynamics import Dynamics
from tests.oracles.comparison import AGREEMENT, differences
from tests.oracles.mujoco_oracle import MujocoOracle, supports
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.random_models import random_state

pytestmark = pytest.mark.oracle

DRIFT = 1e-8
"""Relative to max T + max |V − V₀|, over ten seconds at the default tolerance."""


@pytest.mark.parametrize("name", library.names())
def test_the_energy_of_a_library_mechanism_stays_for_ten_seconds(name: str) -> None:
    # a constant torque drives the squeezer ever faster: its problem ends after five turns, at 30 ms
    duration = 0.03 if name == "andrews_squeezer" else 10
    motion = simulate(getattr(library, name)(), duration=duration, rate=600 / duration)
    assert motion.t[-1] == pytest.approx(duration), motion.outcome
    assert motion.drift <= DRIFT


@pytest.mark.parametrize("n", [2, 5, 10])
def test_the_energy_of_a_chaotic_pendulum_stays_for_ten_seconds(n: int) -> None:
    motion = simulate(library.pendulum(n), duration=10)
    assert motion.t[-1] == pytest.approx(10), motion.outcome
    assert motion.drift <= DRIFT


@pytest.mark.parametrize("name", library.names())
def test_a_library_mechanism_moves(name: str) -> None:
    # the squeezer's drive has turned it many times by then, faster and faster
    motion = simulate(getattr(library, name)(), duration=0.1 if name == "andrews_squeezer" else 2)
    assert np.ptp(motion.q, axis=0).max() > 0.05


@pytest.mark.parametrize("name", library.names())
def test_the_engines_agree_on_a_library_mechanism(name: str, rng: np.random.Generator) -> None:
    model = getattr(library, name)().replace(constraints=())  # the engines are given the tree
    dynamics, state = Dynamics(model), random_state(rng, model)
    oracles = [PinocchioOracle(model)] + ([MujocoOracle(model)] if supports(model) else [])
    for oracle in oracles:
        for quantity, value in differences(dynamics, oracle, state).items():
            assert value <= AGREEMENT, f"{quantity} by {type(oracle).__name__}"


def test_a_rod_swings_with_the_period_of_the_elliptic_integral() -> None:
    """T = 4 K(sin²(φ₀/2)) / ω₀ with ω₀² = 3 g / (2 l) for a thin rod."""
    model = library.pendulum()
    values = model.values
    frequency = np.sqrt(1.5 * values["g"] / values["l"])
    period = 4 * ellipk(np.sin(values["phi0"] / 2) ** 2) / frequency
    motion = simulate(model, duration=period)
    assert motion.q[-1, 0] == pytest.approx(values["phi0"], abs=1e-8)
    assert motion.u[-1, 0] == pytest.approx(0, abs=1e-7)


def test_a_top_in_steady_precession_keeps_its_tilt_and_its_rate() -> None:
    """A Ω² cos θ − C n Ω + m g l = 0 (Lagrange's case): no nutation from the slow root."""
    model = library.spinning_top()
    v = model.values
    own = 0.3 * v["m"] * v["r"] ** 2
    across = v["m"] * (0.15 * v["r"] ** 2 + 0.0375 * v["h"] ** 2 + (0.75 * v["h"]) ** 2)
    moment = 0.75 * v["h"] * v["m"] * v["g"]
    n, cosine = 400.0, np.cos(v["tilt"])
    root = np.sqrt((own * n) ** 2 - 4 * across * moment * cosine)
    rate = (own * n - root) / (2 * across * cosine)
    motion = simulate(model, u=[0, rate * np.sin(v["tilt"]), n], duration=4)
    x, y, z, w = motion.q.T
    np.testing.assert_allclose(w**2 + z**2 - x**2 - y**2, cosine, atol=1e-7)
    angle = np.unwrap(np.arctan2(2 * (y * z - w * x), 2 * (x * z + w * y)))
    np.testing.assert_allclose(angle - angle[0], rate * motion.t, atol=1e-6)
