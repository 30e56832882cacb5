"""The universal joint: a cross and a fork on each side, which can turn against each other."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.rotations import unit_vector
from mbwidgets.scene.look.joints import FORK, joint_fitting
from mbwidgets.scene.stage.mechanism import mechanism_of


def fitting(first, second, com=(0.0, 0.02, 0.2)):
    body = mb.Body("rod", mb.Universal(first, second, at=(0, 0, 0.3)), mass=1, com=com, inertia=(0.01,) * 3)
    model = mb.Model([body])
    seen = mechanism_of(mb.simulate(model, duration=0.1))
    made = joint_fitting(model, 0, seen.anatomy, seen.bodies[0], seen.bodies[0])
    return made, seen.anatomy.radii[0]


@pytest.mark.parametrize(("first", "second"), [("x", "y"), ("y", "x"), ((1, 1, 0), (1, -1, 0))])
def test_each_fork_holds_its_own_pin_and_reaches_to_its_own_side(first, second) -> None:
    made, radius = fitting(first, second)
    at = np.array([0, 0, 0.3])
    named = {"x": (1, 0, 0), "y": (0, 1, 0)}
    axes = [unit_vector(np.array(named.get(axis, axis), dtype=float)) for axis in (first, second)]
    for shell, place, axis, side in ((made.outer, at, axes[0], -1.0), (made.inner, np.zeros(3), axes[1], 1.0)):
        points = shell.points - place
        # the cheeks stand at the ends of the pin, the bridge behind it, on the parent's side or on the body's
        assert np.abs(points @ axis).max() > FORK[0] * radius
        assert (side * points[:, 2]).max() == pytest.approx(FORK[1] * radius, rel=0.1)
        assert (side * points[:, 2]).min() > -radius


def test_a_body_along_its_pin_has_a_fork_all_the_same() -> None:
    made, _ = fitting("x", "z", com=(0, 0, 0.2))
    assert np.isfinite(made.inner.points).all()
    made, _ = fitting("x", "y", com=(0, 0, 0))
    assert np.isfinite(made.inner.points).all()
