"""Vectors over a motion, against numerical derivatives, Pinocchio's conventions in `Dynamics`, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities import Quantity, names, place, quantity, register
from mbwidgets.scene.reading import reading

MODELS = ["three_body_arm", "scara", "gyroscope", "spherical_chain", "walking_figure", "six_axis_arm"]


@pytest.mark.parametrize("name", MODELS)
def test_angular_velocities_are_the_rate_of_the_rotations(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.2, rate=20000)
    look = reading(motion)
    turn = look.rotations
    rate = (turn[2:] - turn[:-2]) / (motion.t[2:] - motion.t[:-2])[:, None, None, None]
    skew = rate @ np.swapaxes(turn[1:-1], -1, -2)
    found = np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
    scale = np.abs(look.angular_velocities).max()
    # central differences: ω³h²/6 with ω up to 60 rad/s and h = 50 µs
    assert np.abs(found - look.angular_velocities[1:-1]).max() < 1e-5 * scale


@pytest.mark.parametrize("name", MODELS)
def test_momenta_add_up_to_those_of_the_whole(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=1)
    bodies = range(len(motion.model.bodies))
    momentum = sum(quantity("momentum").values(motion, i) for i in bodies)
    about_origin = sum(
        quantity("angular momentum").values(motion, i)
        + np.cross(reading(motion).mass_centre(i), quantity("momentum").values(motion, i))
        for i in bodies
    )
    # sums of a few terms in double precision, by two routes
    scale = np.abs(motion.totals[:, 2:]).max()
    assert np.abs(momentum - motion.totals[:, 2:5]).max() < 1e-12 * scale
    assert np.abs(about_origin - motion.totals[:, 5:8]).max() < 1e-12 * scale


def test_the_rotor_by_hand() -> None:
    """Cajić and Lazarević, Fig. 3, at q = 0: S = (0, 0.2, 0), D = (−0.04, 0, 0), G = (0, −98.1, 0)."""
    motion = mb.simulate(mb.library.rotor(), duration=0.1)
    at_start = {key: quantity(key).values(motion, 0)[0] for key in names()}
    # products of a few decimals
    assert at_start["static"] == pytest.approx([0, 0.2, 0], abs=1e-15)
    assert at_start["deviation"] == pytest.approx([-0.04, 0, 0], abs=1e-15)
    assert at_start["axis"] == pytest.approx([0, 0, 1])
    assert at_start["weight"] == pytest.approx([0, -98.1, 0])
    assert at_start["angular velocity"] == pytest.approx([0, 0, 100])
    # ω² e towards the axis; the weight turns it by ε = −m g e / (J_z + m e²) = −1.962 / 0.104
    assert at_start["acceleration"] == pytest.approx([-200, -0.02 * 1.962 / 0.104, 0], rel=1e-12)


def test_weight_and_reaction_accelerate_a_free_swinging_body() -> None:
    """m a_C = G + F_R for a single body on a pin."""
    motion = mb.simulate(mb.library.pendulum(1), duration=1)
    found = quantity("weight").values(motion, 0) + quantity("force").values(motion, 0)
    assert np.allclose(found, quantity("acceleration").values(motion, 0), rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", mb.library.names())
def test_every_quantity_is_finite_for_every_body_of_the_library(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.3)
    for key in names():
        item = quantity(key)
        for index in range(len(motion.model.bodies)):
            values, points = item.values(motion, index), place(item, motion, index)
            assert values.shape == points.shape == (len(motion), 3)
            assert np.isfinite(values).all()
            assert np.isfinite(points).all()


def test_a_theory_adds_its_quantity_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbwidgets.scene.quantities._registry", {})
    item = Quantity(
        "lever", "ρ", "ρ", "lever", "m", "#000000", "O*", lambda motion, index: reading(motion).lever(index)
    )
    assert register(item) is quantity("lever")
    with pytest.raises(mb.ModelError, match="already registered"):
        register(item)
    with pytest.raises(mb.UnknownNameError, match="no quantity 'leverage'"):
        quantity("leverage")


def test_colours_and_symbols_are_one_to_a_quantity() -> None:
    items = [quantity(key) for key in names()]
    for field in ("symbol", "label", "name", "colour"):
        assert len({getattr(item, field) for item in items}) == len(items), field
