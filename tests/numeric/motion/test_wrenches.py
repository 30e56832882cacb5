"""Reactions about poles and in axes, drives, bearings and spectra, each against another route or a closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb
from tests.random_models import random_state, random_tree


def test_reactions_about_poles_and_in_axes_are_one_wrench(rng: np.random.Generator) -> None:
    """The power of a wrench on any rigid motion is the same about every pole and in all axes."""
    for _ in range(20):
        model = random_tree(rng, most=5)
        state = random_state(rng, model)
        motion = mb.simulate(model, q=state.q, u=state.u, duration=0.05)
        k = int(rng.integers(len(model.bodies)))
        parent, at = model.parents[k], np.array([model.number(x) for x in model.bodies[k].joint.at])
        turn = motion.rotations[:, k]
        before = motion.rotations[:, parent] if parent >= 0 else np.broadcast_to(np.eye(3), turn.shape)
        origin = before @ at + (motion.poses[0][:, parent] if parent >= 0 else 0.0)
        point = rng.normal(size=3)
        v, w = rng.normal(size=(2, 3))  # of the world's origin
        powers = []
        for pole, place in (("O", origin), ("O*", motion.poses[0][:, k]), (point, motion.point(k, point).position)):
            for axes, matrix in (("world", np.broadcast_to(np.eye(3), turn.shape)), ("parent", before), ("body", turn)):
                wrench = motion.reactions(k, pole=pole, axes=axes)
                force, moment = (np.einsum("fij,fj->fi", matrix, part) for part in np.split(wrench, 2, axis=1))
                powers.append(force @ v + np.cross(place, force) @ w + moment @ w)
        size = abs(np.array(powers)).max()
        assert np.ptp(powers, axis=0).max() <= 1e-11 * max(size, 1.0)


def test_poles_and_axes_are_those_of_the_exact_reactions(rng: np.random.Generator) -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.5, rate=10)
    exact = mb.reactions(model, "fore")
    for axes in ("world", "parent", "body"):
        parts = exact.components(axes)
        wanted = [
            np.hstack([item.evaluate(q=q, u=u, ud=ud) for item in (parts.force, parts.moment)])
            for q, u, ud in zip(motion.q, motion.u, motion.ud, strict=True)
        ]
        assert np.allclose(motion.reactions("fore", axes=axes), wanted, atol=1e-9)
    slide = mb.library.cart_pendulum()
    motion = mb.simulate(slide, duration=0.5, rate=10)
    exact = mb.reactions(slide, 0)
    wanted = [
        exact.moment_at_image.evaluate(q=q, u=u, ud=a) for q, u, a in zip(motion.q, motion.u, motion.ud, strict=True)
    ]
    assert np.allclose(motion.reactions(0, pole="O*")[:, 3:], wanted, atol=1e-9)


def test_poles_and_axes_that_there_are_not_are_named() -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
    with pytest.raises(mb.UnknownNameError, match='give "O"'):
        motion.reactions(0, pole="C")
    with pytest.raises(mb.UnknownNameError, match="world"):
        motion.reactions(0, axes="worlds")
    with pytest.raises(mb.ModelError, match="nothing drives it"):
        motion.drive(0)
    with pytest.raises(mb.ModelError, match="a ≠ b"):
        motion.bearings(0, 1, 1)
    with pytest.raises(mb.ModelError, match="revolute"):
        mb.simulate(mb.library.cart_pendulum(), duration=0.1).bearings(0, 0, 1)


def test_a_prescribed_crank_needs_what_changes_the_energy() -> None:
    """The power of the drive is the rate of the energy, in a closed loop too."""
    for model, joint in ((mb.library.slider_crank(), None), (mb.library.four_bar(), None)):
        joint = model.bodies[0].name
        start = float(np.atleast_1d(model.q0)[0])
        driven = model.replace(
            constraints=(*model.constraints, mb.Prescribed(joint, f"{start!r} + 3*t + 0.2*sin(5*t)"))
        )
        motion = mb.simulate(driven, u=None, duration=1, rate=2000)
        assert motion.outcome.ok
        energy, t = motion.energy.total, motion.t
        h = t[1] - t[0]
        rate = (energy[:-4] - 8 * energy[1:-3] + 8 * energy[3:-1] - energy[4:]) / (12 * h)
        power = (motion.drive(joint) * motion.u[:, 0])[2:-2]
        assert abs(power - rate).max() <= 1e-6 * abs(rate).max()
        assert np.allclose(
            motion.signal(("effort", joint)), motion.drive(joint), atol=1e-6 * abs(motion.drive(joint)).max()
        )


def test_drives_add_up() -> None:
    model = mb.library.pendulum(1).replace(forces=(mb.Effort("rod 1", "2*sin(t)"),))
    motion = mb.simulate(model, tau="3*t", duration=1)
    assert np.allclose(motion.drive(0), 2 * np.sin(motion.t) + 3 * motion.t)


def test_bearings_are_those_of_the_exact_reactions() -> None:
    model = mb.library.rotor()
    motion = mb.simulate(model, duration=0.2, rate=50)
    exact, found = mb.reactions(model, 0).bearings("-1/10", "1/4"), motion.bearings(0, -0.1, 0.25)
    for ours, theirs in ((found.a, exact.a), (found.b, exact.b)):
        wanted = [theirs.evaluate(q=q, u=u, ud=a) for q, u, a in zip(motion.q, motion.u, motion.ud, strict=True)]
        assert np.allclose(ours, wanted, atol=1e-8 * abs(np.array(wanted)).max())
    # both together with the axial force are the force of the joint
    n = np.array([model.number(item) for item in model.bodies[0].joint.axis])
    total = found.a + found.b + found.axial[:, None] * n
    assert np.allclose(total, motion.reactions(0)[:, :3], atol=1e-9)


def spinning(omega: float, eccentricity: float = 0.01, mass: float = 2.0) -> mb.Model:
    disc = mb.Body("disc", mb.Revolute("z"), mass=mass, com=(eccentricity, 0, 0), inertia=(1, 1, 1))
    return mb.Model([disc], gravity=(0, 0, 0), state={"u": [omega]})


def test_a_force_that_turns_shows_its_length(rng: np.random.Generator) -> None:
    """m e ω² = 2,021 N, at whatever frequency, over whatever time: no part of a turn matters."""
    for _ in range(10):
        f = float(rng.uniform(5, 40))
        omega = 2 * math.pi * f
        model = spinning(omega, 2021 / (2 * omega**2))
        motion = mb.simulate(model, duration=float(rng.uniform(2, 4)), rate=200)
        found = motion.spectrum(("force", "disc"))
        assert found.amplitude.max() == pytest.approx(2021, rel=1e-3)
        assert found.frequency[found.amplitude.argmax()] == pytest.approx(f, abs=found.resolution / 16)
        one = motion.spectrum("7*cos(q[disc]) + 3")
        assert one.amplitude.max() == pytest.approx(7, rel=2e-3)
        assert one.mean == pytest.approx(3, abs=0.01)
        assert motion.spectrum(("acceleration", "disc", (0.5, 0, 0))).amplitude.max() == pytest.approx(
            omega**2 / 2, rel=1e-3
        )


def test_two_waves_show_both_their_amplitudes() -> None:
    motion = mb.simulate(spinning(1.0), duration=8, rate=100)
    found = motion.spectrum("3*sin(2*pi*7.3*t) + 0.5*cos(2*pi*11.1*t)")
    assert found.peaks()[:2] == pytest.approx((7.3, 11.1), abs=0.01)
    assert [found.amplitude[np.searchsorted(found.frequency, f)] for f in (7.3, 11.1)] == pytest.approx(
        [3, 0.5], rel=1e-2
    )


PARTS = [0.96, 0.99, 1, 1.01, 1.2, 1.5, 1.9, 2, 2.02, 2.7, 3, 3.99, 4, 5.3, 8, 11.7, 16, 20, 33.3, 64]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("kind", ["state", "time"])
def test_waves_that_the_frames_miss_are_refused(part: float, kind: str) -> None:
    """Near half the frame rate and beyond: twenty cases by the motion, twenty by t alone."""
    f = 50.0 * part
    omega = 2 * math.pi * f
    motion = mb.simulate(spinning(omega), duration=1.03, rate=100)
    signal = ("force", "disc") if kind == "state" else f"cos(2*pi*{f!r}*t)"
    with pytest.raises(mb.ModelError, match="rate="):
        motion.spectrum(signal)


def test_waves_that_the_frames_show_are_not_refused() -> None:
    for part in (0.02, 0.3, 0.6, 0.9):
        motion = mb.simulate(spinning(2 * math.pi * 50 * part), duration=2.3, rate=100)
        assert motion.spectrum(("force", "disc")).frequency[-1] == pytest.approx(50, rel=0.02)
    short = mb.simulate(spinning(1), duration=0.05, rate=100)
    with pytest.raises(mb.ModelError, match="simulate longer"):
        short.spectrum("q[0]")


def test_rounding_beside_a_mean_is_no_peak() -> None:
    """A rotor on a vertical axis: its weight is the mean, and what is left of it is rounding, at whatever frequency."""
    disc = mb.Body("disc", mb.Revolute("z"), mass=5, com=(0.01, 0, 0), inertia=(1, 1, 1))
    motion = mb.simulate(mb.Model([disc], state={"u": [40.0]}), duration=2, rate=200)
    found = motion.spectrum("fz[disc]")
    assert found.mean == pytest.approx(5 * 9.81)
    assert found.peaks() == ()
    assert repr(found).endswith("no peak above rounding>")
    wave = motion.spectrum("fz[disc] + 1e-9*sin(2*pi*20*t)")  # 2e-11 of the mean, and there
    assert wave.peaks()[0] == pytest.approx(20, abs=0.1)
    assert wave.amplitude.max() == pytest.approx(1e-9, rel=1e-3)
    assert "the highest " in repr(wave)
    nothing = motion.spectrum("3 + 0*t")
    assert (nothing.peaks(), nothing.mean) == ((), pytest.approx(3))
