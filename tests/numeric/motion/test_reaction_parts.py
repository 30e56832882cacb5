"""Reactions of a motion in their parts, and the spectrum of the kinetic pressures."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from tests.oracles.comparison import relative
from tests.random_models import random_state, random_tree

SUM = 1e-12
"""Relative: the parts are three runs of one kernel, and their sum is one addition more."""


def test_the_parts_add_up_to_the_reactions_of_any_tree(rng: np.random.Generator) -> None:
    from mbwidgets.numeric.motion.reaction_parts import static_kinetic_applied_parts
    from mbwidgets.numeric.packing.pack import pack_model

    for _ in range(60):
        model = random_tree(rng, most=6)
        q, u, ud, _, t = random_state(rng, model)
        packed = pack_model(model)
        parts = static_kinetic_applied_parts(model, packed, np.array([t]), q[None], u[None], ud[None])
        whole = sum(part[1][0] for part in parts.values())
        sizes = max(float(np.abs(part[1]).max()) for part in parts.values())
        assert relative(whole, mb.Dynamics(model).reactions(q, u, ud, t), max(sizes, 1e-3)) <= 1e-11


def test_static_is_rest_and_kinetic_is_weightless() -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.2)
    parts = motion.reaction_parts("upper")
    rest = mb.Dynamics(model)
    light = mb.Dynamics(model.with_values(g=0))
    for frame in (0, 5):
        q, u, ud = motion.q[frame], motion.u[frame], motion.ud[frame]
        np.testing.assert_allclose(parts.static[frame], rest.reactions(q, 0 * u, 0 * u)[1], rtol=1e-14)
        np.testing.assert_allclose(parts.kinetic[frame], light.reactions(q, u, ud)[1], rtol=1e-14)
    np.testing.assert_array_equal(parts.pressure, -parts.kinetic)
    np.testing.assert_allclose(parts.total, motion.reactions("upper"), atol=SUM * np.abs(parts.total).max())
    assert not parts.applied.any()


def test_the_effort_of_a_motion_is_what_its_joints_supply() -> None:
    """No actuator: only the joint's own spring can act along its axis."""
    model = mb.library.three_body_arm().replace(forces=[mb.JointSpring("upper", 20, 0.1), mb.Torque("fore", (1, 2, 3))])
    motion = mb.simulate(model, duration=0.3)
    scale = np.abs(motion.reactions("upper")).max()
    spring = -20 * (motion.q[:, 1] - 0.1)
    assert np.abs(motion.reaction_parts("upper").effort[:, 0] - spring).max() <= 1e-9 * scale
    assert np.abs(motion.reaction_parts("fore").effort).max() <= 1e-9 * scale


def test_an_unbalanced_rotor_presses_at_its_turning_frequency() -> None:
    motion = mb.simulate(mb.library.rotor().with_values(g=0), duration=2, rate=200)
    spectrum = motion.pressure_spectrum("rotor", stiffness=10 * 100**2, eigenfrequencies=[40.0])
    turning = 100 / (2 * np.pi)
    assert spectrum.eigenfrequencies == pytest.approx((turning, 40.0))
    assert abs(spectrum.peaks()[0] - turning) <= spectrum.frequency[1]
    assert spectrum.resonances() == pytest.approx((turning,))
    # the mass centre runs on a circle: m e ω² in x and in y; the frequency is not a multiple of the step
    assert spectrum.amplitude[:, 0].max() == pytest.approx(2000, rel=0.16)
    assert "rotor" in repr(spectrum)


def test_a_force_that_turns_shows_its_length() -> None:
    turning = 40 * 200 / 401  # whole turns in the 401 frames
    motion = mb.simulate(mb.library.rotor().with_values(g=0), q=[0], u=[2 * np.pi * turning], duration=2, rate=200)
    spectrum = motion.pressure_spectrum("rotor")
    length = np.linalg.norm(motion.reaction_parts("rotor").pressure[:, :3], axis=1).max()
    assert spectrum.force.max() == pytest.approx(length, rel=1e-9)


def test_a_spectrum_after_an_event_has_the_frequencies_of_its_frames() -> None:
    stop = mb.Event("t - 1.9137", terminal=True)
    motion = mb.simulate(mb.library.rotor().with_values(g=0), duration=4, rate=200, events=[stop])
    assert motion.t[-1] == pytest.approx(1.9137)
    spectrum = motion.pressure_spectrum("rotor")
    # 383 frames lie on the grid of 200 a second; the one at the event does not
    np.testing.assert_allclose(spectrum.frequency, np.fft.rfftfreq(383, 1 / 200), rtol=1e-12)
    assert abs(spectrum.peaks()[0] - 100 / (2 * np.pi)) <= spectrum.frequency[1]


@pytest.mark.parametrize("rate", [1, 5, 7, 15, 30, 32, 33])
def test_frames_that_miss_waves_have_no_spectrum(rate: float) -> None:
    motion = mb.simulate(mb.library.rotor().with_values(g=0), duration=60, rate=rate)  # 15.9 turns a second
    with pytest.raises(mb.ModelError, match=r"look like slower ones; simulate with rate=4\d"):
        motion.pressure_spectrum("rotor")
    assert mb.simulate(motion.model, duration=10, rate=45).pressure_spectrum("rotor").peaks()[0] > 15


def test_a_balanced_rotor_may_turn_faster_than_the_frames() -> None:
    """A wheel that spins fast and is balanced presses with the frequency of the arm that carries it."""
    arm = mb.Body("arm", joint=mb.Revolute("z"), mass=1, com=(1, 0, 0), inertia=(0.1, 0.1, 0.1))
    wheel = mb.Body("wheel", joint=mb.Revolute("z", at=(1, 0, 0)), mass=1, inertia=(0.1, 0.1, 0.1))
    motion = mb.simulate(mb.Model([arm, wheel], gravity=(0, 0, 0)), u=[6.0, 900.0], duration=20, rate=30)
    assert motion.pressure_spectrum("arm").peaks()[0] == pytest.approx(6 / (2 * np.pi), abs=0.05)


def test_the_wave_of_a_ball_joint_is_seen_between_frames() -> None:
    model = mb.Model(
        [mb.Body("disc", joint=mb.Spherical(), mass=1, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.2))], gravity=(0, 0, 0)
    )
    fast = mb.simulate(model, u=[0, 0, 100.0], duration=20, rate=10)
    with pytest.raises(mb.ModelError, match="look like slower ones"):
        fast.pressure_spectrum("disc")


def test_a_sine_of_amplitude_one_is_a_peak_of_height_one() -> None:
    from mbwidgets.numeric.motion.pressure_spectrum import spectrum_of

    t = np.arange(400) / 200
    pressure = np.outer(np.sin(2 * np.pi * 25 * t), [1, 2, 0, 0, 0, 3.0]) + 7
    spectrum = spectrum_of("joint", t, pressure, [])
    place = int(np.argmax(spectrum.force))
    assert spectrum.frequency[place] == pytest.approx(25)
    np.testing.assert_allclose(spectrum.amplitude[place], [1, 2, 0, 0, 0, 3], atol=1e-12)
    assert spectrum.peaks("moment") == pytest.approx((25.0,))


def test_bad_marks_and_short_motions_are_refused() -> None:
    motion = mb.simulate(mb.library.rotor(), duration=0.5)
    with pytest.raises(mb.ModelError, match=r"stiffness.*not positive"):
        motion.pressure_spectrum(0, stiffness=-1)
    with pytest.raises(mb.ModelError, match="eigenfrequency 0"):
        motion.pressure_spectrum(0, eigenfrequencies=[0])
    with pytest.raises(mb.UnknownNameError, match="shaft"):
        motion.pressure_spectrum("shaft")
    with pytest.raises(mb.ModelError, match="frames has no spectrum"):
        mb.simulate(mb.library.rotor(), duration=0.05).pressure_spectrum(0)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "bricard", "body_on_circle"])
def test_the_parts_of_a_closed_loop_add_up_and_a_joint_without_a_drive_has_no_effort(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=1)
    size = max(1.0, *(abs(motion.reactions(k)).max() for k in range(len(motion.model.bodies))))  # a free joint has none
    for k in range(len(motion.model.bodies)):
        parts = motion.reaction_parts(k)
        np.testing.assert_allclose(parts.total, motion.reactions(k), atol=1e-12 * size)
        np.testing.assert_allclose(parts.effort, 0.0, atol=1e-10 * size)
