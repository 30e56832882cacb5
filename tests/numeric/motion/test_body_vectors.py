"""The vectors that pictures draw, from one kernel, against the ways that they are found without it."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.rotations import rotate_vectors
from mbwidgets.numeric.kernels import body_vectors as columns
from mbwidgets.numeric.motion.body_axes import angular_velocities
from mbwidgets.numeric.motion.mass_moments import mass_moments_of
from mbwidgets.numeric.motion.motion import Motion
from tests.random_models import random_tree

MODELS = 40
CLOSE = 1e-11
"""Of the largest number in sight: a dozen bodies, each turned and added to the next, by another order of sums."""


def _of(motion: Motion, index: int, column: int) -> np.ndarray:
    return motion.body_vectors[:, index, column : column + 3]


def _close(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    assert abs(found - wanted).max() <= CLOSE * max(1.0, abs(wanted).max()), what


@pytest.mark.parametrize("number", range(MODELS))
def test_vectors_are_those_of_the_slow_ways(number: int, seed: int) -> None:
    random = np.random.default_rng([seed, number])
    model = random_tree(random, most=6, massless=False)
    motion = mb.simulate(model, u=random.normal(size=model.nv), duration=0.05, rate=100)
    positions, _ = motion.poses
    omega = angular_velocities(model, motion.rotations, motion.u)
    gravity = np.array([model.number(item) for item in model.gravity])
    for index, body in enumerate(model.bodies):
        mass, turn, w = model.number(body.mass), motion.rotations[:, index], omega[:, index]
        centre, moments = motion.point(index, body.com), mass_moments_of(model, motion.rotations, omega, index)
        at, parent = np.array([model.number(item) for item in body.joint.at]), model.parents[index]
        origin = at if parent < 0 else positions[:, parent] + rotate_vectors(motion.rotations[:, parent], at)
        tensor = turn @ np.array([[model.number(x) for x in row] for row in body.inertia]) @ np.swapaxes(turn, 1, 2)
        _close(_of(motion, index, columns.O_IN_PARENT), origin, "O")
        _close(_of(motion, index, columns.O_STAR), positions[:, index], "O*")
        _close(_of(motion, index, columns.C), centre.position, "C")
        _close(_of(motion, index, columns.E), moments.axis, "e")
        _close(_of(motion, index, columns.G), mass * gravity, "G")
        _close(_of(motion, index, columns.A_C), centre.acceleration, "a_C")
        _close(_of(motion, index, columns.OMEGA), w, "ω")
        _close(_of(motion, index, columns.K), mass * centre.velocity, "K")
        _close(_of(motion, index, columns.L_C), rotate_vectors(tensor, w), "L_C")
        _close(_of(motion, index, columns.S), moments.static, "S")
        _close(_of(motion, index, columns.J_N), moments.inertia, "𝔍")
        _close(_of(motion, index, columns.D_N), moments.deviation, "D")


def test_a_body_that_does_not_turn_on_a_ball_has_no_axis() -> None:
    model = mb.Model([mb.Body("a", mass=1, com=(0, 0, -1), joint=mb.Spherical())], gravity=(0, 0, 0))
    motion = mb.simulate(model, duration=0.1)
    assert not _of(motion, 0, columns.E).any()
    assert not _of(motion, 0, columns.S).any()
