"""The kernels of rotations about the vertical against arrays, eigenvalues and rotations of SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from mbwidgets.numeric.kernels import cone_growth, staude_cone, vertical_rotation
from mbwidgets.numeric.kernels import memory_layout as layout
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.permanent.cone_curves import fastest_followed_speed, sampled_cone_curves, single_body_growth
from mbwidgets.numeric.permanent.rotation_states import cone_of, rotation_of, with_rotation
from tests.numeric.permanent.permanent_chains import random_spherical_chain


def rooms() -> tuple[np.ndarray, np.ndarray]:
    return np.zeros((staude_cone.CONE_ROWS, 3)), np.zeros((3, 3))


def nearest(model: mb.Model, wanted: np.ndarray) -> tuple[np.ndarray, float]:
    axis = np.array(wanted, dtype=float)
    return axis, staude_cone.nearest_cone_axis(pack_model(model).model, axis, *rooms())


def body(inertia: tuple[float, ...], com: tuple[float, ...]) -> mb.Model:
    single = mb.Body("body", mb.Spherical(), mass=2, com=com, inertia=inertia)
    return mb.Model([single], gravity=(0, 0, -9.81))


def test_the_nearest_axis_is_that_of_the_cone_in_arrays(rng: np.random.Generator) -> None:
    for _ in range(20):
        model = random_spherical_chain(rng, int(rng.integers(1, 4)))
        cone = mb.staude_cone(model)
        followed = np.concatenate([axes for axes, _ in sampled_cone_curves(cone, 400)])
        for wanted in rng.normal(size=(6, 3)):
            wanted /= np.linalg.norm(wanted)
            axis, speed = nearest(model, wanted)
            spot = cone.nearest(wanted)
            # on the cone, at its speed
            assert np.abs(cone.residual(axis, speed)).max() <= 1e-12 * speed**2 * np.linalg.norm(cone.inertia) + 1e-12
            if spot.speed <= fastest_followed_speed(cone):
                np.testing.assert_allclose(axis, spot.axis, atol=1e-9)
                assert speed == pytest.approx(spot.speed, rel=1e-8)
            else:  # nearer than each of the followed ones
                assert speed <= fastest_followed_speed(cone) * (1 + 1e-12)
                assert axis @ wanted >= (followed @ wanted).max() - 1e-12


FALLEN = [
    ((2.0, 3.0, 4.0), (0.3, 0.2, 0.0)),  # the mass centre in a principal plane
    ((2.0, 3.0, 4.0), (0.0, 0.0, 0.4)),  # on a principal axis
    ((3.0, 3.0, 4.0), (0.1, 0.2, -0.3)),  # two equal moments
    ((3.0, 3.0, 3.0), (0.1, 0.2, -0.3)),
    ((3.0, 3.0, 4.0), (0.0, 0.0, 0.4)),  # symmetric, as a top
    ((2.0, 3.0, 4.0), (0.0, 0.0, 0.0)),  # the mass centre in the joint
]


@pytest.mark.parametrize(("moments", "com"), FALLEN)
def test_of_a_cone_that_falls_apart_the_axis_is_as_near_and_permanent(
    moments: tuple[float, ...], com: tuple[float, ...], rng: np.random.Generator
) -> None:
    model = body(moments, com)
    cone = mb.staude_cone(model)
    fastest = fastest_followed_speed(cone)
    for wanted in rng.normal(size=(12, 3)):
        wanted /= np.linalg.norm(wanted)
        axis, speed = nearest(model, wanted)
        assert np.linalg.norm(axis) == pytest.approx(1.0, abs=1e-12)
        tried = 3.7 if np.isnan(speed) else speed  # where any speed will do this one does
        assert np.abs(cone.residual(axis, tried)).max() <= 1e-11 * (1.0 + tried**2) * max(moments)
        spot = cone.nearest(wanted)
        if not spot.speed > fastest:
            assert np.arccos(np.clip(axis @ wanted, -1, 1)) <= spot.angle + 1e-7


def test_small_motions_about_the_cone_grow_as_eigenvalues_say(rng: np.random.Generator) -> None:
    counted = 0
    for _ in range(8):
        model = random_spherical_chain(rng, 2)
        points, speeds, growth = np.zeros((4, 15, 3)), np.zeros((4, 15)), np.zeros((4, 15))
        arcs = cone_growth.cone_arcs(pack_model(model).model, points, speeds, growth, *rooms())
        cone = mb.staude_cone(model)
        assert arcs == len(cone.arcs)
        for arc in range(arcs):
            for axis, speed, rate in zip(points[arc], speeds[arc], growth[arc], strict=True):
                expected = single_body_growth(cone, axis, float(speed)).largest
                # a double square is known to the root of the rounding error
                assert rate == pytest.approx(expected, abs=1e-6 * (speed + 1.0))
                counted += rate > 0.0
    assert counted > 50


def test_speeds_and_turns_are_those_of_matrices(rng: np.random.Generator) -> None:
    for n in (1, 2, 4):
        model = random_spherical_chain(rng, n)
        turns = Rotation.random(n, rng=rng).as_matrix()
        speeds = rng.normal(size=n) * 5
        placed = with_rotation(model, turns, speeds)
        array, q, u = pack_model(placed).model, placed.q0.copy(), np.empty(3 * n)
        gravity = array[layout.GRAVITY : layout.GRAVITY + 3]
        found = np.empty(n)
        vertical_rotation.read_vertical_speeds(gravity, q, placed.u0.copy(), found)
        np.testing.assert_allclose(found, speeds, atol=1e-12)
        vertical_rotation.write_vertical_speeds(gravity, q, speeds, u)
        np.testing.assert_allclose(u, placed.u0, atol=1e-12)

        axis = rng.normal(size=3)
        vertical_rotation.turn_axis_down(gravity, q, axis)
        nu, chain = gravity / np.linalg.norm(gravity), rotation_of(placed).chain
        after = chain.turns(q)
        np.testing.assert_allclose(after[0] @ axis / np.linalg.norm(axis), nu, atol=1e-12)
        np.testing.assert_allclose(after[1:], turns[1:], atol=1e-12)
        # the smallest rotation does it: its axis is horizontal
        assert abs(Rotation.from_matrix(after[0] @ turns[0].T).as_rotvec() @ nu) < 1e-9


def test_an_axis_that_points_up_is_turned_down_by_half_a_turn() -> None:
    model = body((2.0, 3.0, 4.0), (0.1, 0.2, 0.3))
    q = np.array([0.0, 0.0, 0.0, 1.0])
    vertical_rotation.turn_axis_down(np.array([0.0, 0.0, -9.81]), q, np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(Rotation.from_quat(q).apply([0, 0, 1]), [0, 0, -1], atol=1e-15)
    assert cone_of(rotation_of(model).chain).weight == pytest.approx(9.81)
