"""Rotations about the vertical as states: read, written, snapped, disturbed; and the cone as curves."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.permanent.ball_chain import Chain
from mbwidgets.numeric.permanent.cone_curves import cone_curves, fastest_followed_speed, single_body_growth
from mbwidgets.numeric.permanent.rotation_states import (
    axis_errors,
    rotation_of,
    tilted_start,
    with_first_body_axis_down,
    with_nearest_permanent_rotation,
    with_rotation,
)
from mbwidgets.numeric.permanent.staude import StaudeCone
from tests.numeric.permanent.permanent_chains import random_spherical_chain

CAROUSEL = mb.library.carousel()


def test_the_carousel_of_the_library_is_a_permanent_rotation() -> None:
    now = rotation_of(CAROUSEL)
    assert now.holds
    assert now.case == "case 1 (3.7)"
    np.testing.assert_allclose(now.omega, [8.0, 12.0], rtol=1e-14)
    motion = mb.simulate(CAROUSEL, duration=5)
    # rounding, grown over five seconds
    assert axis_errors(now, motion).max() < 1e-9


def test_a_rotation_that_is_written_is_read_back(rng: np.random.Generator) -> None:
    for n in (1, 2, 4):
        model = random_spherical_chain(rng, n)
        q = rng.normal(size=(n, 4))
        turns = Chain.of(model).turns((q / np.linalg.norm(q, axis=1)[:, None]).ravel())
        speeds = rng.uniform(-9, 9, n)
        now = rotation_of(with_rotation(model, turns, speeds))
        # a handful of products of rotations
        np.testing.assert_allclose(now.turns, turns, atol=1e-13)
        np.testing.assert_allclose(now.omega, speeds, atol=1e-12)


def test_every_axis_snaps_to_a_permanent_rotation_and_the_rotor_keeps_its_own(rng: np.random.Generator) -> None:
    for _ in range(20):
        now = rotation_of(with_nearest_permanent_rotation(CAROUSEL, rng.normal(size=3)))
        assert now.holds, now
        assert now.omega[1] == pytest.approx(12.0, rel=1e-12)
        np.testing.assert_allclose(now.turns[1], np.eye(3), atol=1e-13)


def test_near_a_principal_axis_the_speed_stays_within_reason() -> None:
    cone = mb.staude_cone(CAROUSEL)
    for axis in (*cone.principal.T, *-cone.principal.T):
        now = rotation_of(with_nearest_permanent_rotation(CAROUSEL, axis))
        assert now.holds
        assert now.omega[0] <= fastest_followed_speed(cone)


def test_an_axis_that_does_not_snap_misses_the_fourth_condition_alone() -> None:
    now = rotation_of(with_first_body_axis_down(CAROUSEL, np.array([0.0, 0.0, -1.0])))
    assert [item.name for item in now.failures] == ["iv"]


def test_bodies_at_one_speed_snap_to_the_relative_equilibrium_of_the_chain() -> None:
    chain = mb.library.spherical_chain(2).with_values(omega=5.0, tilt=1.2)
    now = rotation_of(with_nearest_permanent_rotation(chain))
    assert now.holds
    # the printed tilts are of rods as thick as these but for a few parts in ten thousand
    wanted = mb.relative_equilibrium(chain, 5.0, tilt=(1.2, 1.3))
    nu = now.chain.basis[:, 2]
    tilts = [np.arccos(nu @ turn @ a / np.linalg.norm(a)) for turn, a in zip(now.turns, now.chain.static, strict=True)]
    np.testing.assert_allclose(tilts, np.abs(wanted.tilt), atol=1e-10)


def test_a_disturbance_is_as_large_as_it_was_asked_for() -> None:
    now = rotation_of(CAROUSEL)
    q, u = tilted_start(now, 0.02)
    motion = mb.simulate(CAROUSEL, q, u, duration=0.1)
    first = axis_errors(now, motion)[0]
    np.testing.assert_allclose(first, [0.02, 0.0], atol=1e-12)


def test_small_motions_leave_an_unstable_rotation_at_the_growth_rate() -> None:
    model = with_nearest_permanent_rotation(CAROUSEL, np.array([0.1, 0.5, 0.5]))
    now = rotation_of(model)
    assert now.growth > 1.0
    q, u = tilted_start(now, 1e-7)
    motion = mb.simulate(model, q, u, duration=6, rate=200, rtol=1e-12)
    away = axis_errors(now, motion)[:, 0]
    window = (away > 1e-5) & (away < 1e-3) & (motion.t < motion.t[np.argmax(away > 1e-3)])
    slope = np.polyfit(motion.t[window], np.log(away[window]), 1)[0]
    # one mode grows; the others, of size 1e-7, are a hundredth of it at the beginning of the window
    assert slope == pytest.approx(now.growth, rel=0.02)


def test_where_the_others_hang_in_their_barycentres_the_augmented_body_decides(rng: np.random.Generator) -> None:
    for _ in range(6):
        now = rotation_of(with_nearest_permanent_rotation(CAROUSEL, rng.normal(size=3)))
        cone = mb.staude_cone(CAROUSEL)
        axis = now.turns[0].T @ now.chain.basis[:, 2]
        # Floquet multipliers are found to 1e-3, see `growth`
        assert single_body_growth(cone, axis, now.omega[0]).largest == pytest.approx(now.growth, rel=1e-5, abs=2e-3)


def test_rates_of_many_axes_at_once_are_those_of_one_at_a_time() -> None:
    cone = mb.staude_cone(CAROUSEL)
    for curve in cone_curves(cone, 20):
        each = [
            single_body_growth(cone, axis, speed).largest for axis, speed in zip(curve.axes, curve.speeds, strict=True)
        ]
        # eigenvalues of six by six matrices whose entries reach the square of the speed
        np.testing.assert_allclose(curve.growth, each, rtol=1e-8, atol=1e-8)
    assert sum((curve.growth > 0).sum() for curve in cone_curves(cone, 20)) > 20


SHAPES = {
    "any": (np.diag([0.1, 0.2, 0.25]), (0.1, 0.2, -0.3)),
    "in a principal plane": (np.diag([0.1, 0.2, 0.25]), (0.1, 0.0, -0.3)),
    "on a principal axis": (np.diag([0.1, 0.2, 0.25]), (0.0, 0.0, -0.3)),
    "symmetric": (np.diag([0.2, 0.2, 0.05]), (0.1, 0.0, -0.3)),
    "rod": (np.diag([0.2, 0.2, 0.05]), (0.0, 0.0, -0.3)),
    "ball": (np.eye(3), (0.0, 0.1, -0.3)),
    "point mass": (np.diag([0.2, 0.2, 0.0]), (0.0, 0.0, -0.3)),
    "hung in its mass centre": (np.diag([0.1, 0.2, 0.25]), (0.0, 0.0, 0.0)),
    "balanced rotor": (np.diag([0.2, 0.2, 0.3]), (0.0, 0.0, 0.0)),
    "balanced ball": (np.eye(3), (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_point_of_the_curves_is_a_permanent_axis(name: str) -> None:
    inertia, static = SHAPES[name]
    cone = StaudeCone(name, inertia, np.array(static), 9.81)
    curves = cone_curves(cone, 24)
    assert curves
    for curve in curves:
        np.testing.assert_allclose(np.linalg.norm(curve.axes, axis=1), 1.0, atol=1e-12)
        for axis, speed in zip(curve.axes, curve.speeds, strict=True):
            tried = (0.7, 3.0) if np.isnan(speed) else (speed,)
            for omega in tried:
                # relative to the moment that is balanced, which grows with the square of the speed
                assert np.abs(cone.residual(axis, omega)).max() < 1e-10 * max(1.0, omega**2)
