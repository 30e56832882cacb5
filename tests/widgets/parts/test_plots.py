"""Plots in the kernel: what is sent to the page, against another route."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.page.player import Player
from mbwidgets.widgets.parts.health import Health, difference
from mbwidgets.widgets.parts.plots import CURVES, Plot


@pytest.fixture
def plot():
    player = Player()
    made = Plot(player=player)
    yield made
    made.close()
    player.close()


def numbers(data: bytes) -> np.ndarray:
    return np.frombuffer(data, dtype=np.float32)


@cache
def short_motion(name: str) -> mb.Motion:
    return mb.simulate(getattr(mb.library, name)(), duration=0.1 if name == "andrews_squeezer" else 0.5)


@pytest.mark.parametrize("name", mb.library.names())
@pytest.mark.parametrize("kind", CURVES)
def test_every_plot_of_every_model_has_points_or_a_reason(plot: Plot, name: str, kind: str) -> None:
    motion = short_motion(name)
    for index in range(len(motion.model.bodies)):
        plot.show(motion, index, kind)
        across, values = numbers(plot.times), numbers(plot.values)
        if not plot.names:
            assert plot.note
            continue
        assert len(values) % len(plot.names) == 0
        assert len(across) in (len(values), len(values) // len(plot.names))
        assert np.isfinite(values).all()
        assert plot.note == ""


def test_a_sine_shows_as_one_peak_at_its_frequency(plot: Plot) -> None:
    """A rotor at 100 rad/s presses on its bearing with m e ω² turning at 100/2π Hz."""
    model = mb.library.rotor().replace(gravity=(0, 0, 0))
    motion = mb.simulate(model, duration=2, rate=200)
    for kind in ("pressure spectrum", "reaction spectrum"):
        plot.show(motion, 0, kind)
        frequency, values = numbers(plot.times), numbers(plot.values).reshape(-1, 4)
        peak = values[:, 0].argmax()
        assert abs(frequency[peak] - 100 / (2 * np.pi)) <= frequency[1]
        # 10 kg, 0.02 m; between two lines of a Hann window a peak loses at most 15 %
        assert 0.84 * 2000 < values[peak, 0] < 1.01 * 2000


def test_the_phase_portrait_of_a_pendulum_has_constant_energy(plot: Plot) -> None:
    model = mb.library.pendulum(1)
    motion = mb.simulate(model, duration=3)
    plot.show(motion, 0, "phase portrait")
    q, u = numbers(plot.times).astype(float), numbers(plot.values).astype(float)
    energy = np.array([sum(mb.Dynamics(model).energy([a], [b])) for a, b in zip(q, u, strict=True)])
    # float32 has seven digits
    assert np.ptp(energy) < 1e-5 * np.abs(energy).max()


def test_health_tells_how_far_the_methods_are_apart() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=1)
    health = Health()
    health.show(motion, "", 2)
    assert "methods apart by" in health.value
    assert float(difference(motion, 2).rpartition(" ")[2].replace("−", "-")) < 1e-10
    assert "sound" in health.value
    ball = mb.simulate(mb.library.spherical_chain(2), duration=0.1)
    health.show(ball, "", 0)
    assert "methods" not in health.value
    health.close()
