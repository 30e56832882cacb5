"""Reactions by release over whole motions, closed loops included."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.release import release_at, release_of
from tests.symbolic.mechanisms import data

CLOSED = ("four_bar", "slider_crank", "andrews_squeezer", "body_on_circle", "bricard", "flyball_governor")


@pytest.mark.parametrize("name", ["three_body_arm", "hammer_crusher", "spherical_chain", *CLOSED])
def test_release_gives_the_reactions_of_the_motion(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.02 if name == "andrews_squeezer" else 0.5)
    for k in range(len(model.bodies)):
        ours, expected = release_of(motion, k), motion.reactions(k)
        scale = max(1.0, np.abs(ours.total).max(), np.abs(expected).max(), np.abs(ours.held).max())
        assert np.abs(ours.reactions - expected).max() <= 1e-10 * scale, (name, k)


def test_the_hammers_motion_is_that_of_the_reference() -> None:
    given = data("joint_release.json")["hammer_trajectory"]
    phi, theta, _, _ = given["y0_phi_theta_phid_thetad"]
    model = mb.library.hammer_crusher().with_values(**given["params"])
    motion = mb.simulate(model, q=[phi, theta - phi], u=[0, 0], duration=2, rate=60, rtol=1e-13)
    frames = release_of(motion, "hammer")
    for sample in given["samples"]:
        k = round(sample["t"] * 60)
        found = [motion.q[k, 0], motion.q[k].sum(), motion.u[k, 0], motion.u[k].sum()]
        expected = [sample[key] for key in ("phi", "theta", "phid", "thetad")]
        assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)
        assert np.allclose(frames.total[k, :2], [sample["R_sigma"], sample["R_xi"]], rtol=1e-10, atol=1e-10)
    # the row about the pin's axis returns the effort, which the pin has not
    assert np.abs(frames.total[:, 5]).max() < 1e-10 * np.abs(frames.total).max()
    assert np.abs(frames.accelerations - motion.ud).max() < 1e-12 * np.abs(motion.ud).max()


def test_a_state_of_a_closed_model_is_refused_without_its_motion() -> None:
    model = mb.library.four_bar()
    with pytest.raises(mb.ModelError, match="release_of"):
        release_at(model, 0, model.q0, model.u0)


def test_a_state_of_the_wrong_size_is_refused() -> None:
    with pytest.raises(mb.StateError, match="q has shape"):
        release_at(mb.library.three_body_arm(), 0, [1, 2], [1, 2, 3])
