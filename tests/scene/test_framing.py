"""What the camera holds."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.framing import FAR, frame_of
from mbwidgets.scene.picture import Picture


@pytest.mark.parametrize("name", mb.library.names())
def test_the_start_of_every_model_is_in_the_frame(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    frame = frame_of(motion)
    far = np.linalg.norm(motion.poses[0][0] - frame.middle, axis=1)
    assert (far <= frame.radius).all()


def test_a_swing_is_held_and_a_body_that_runs_away_is_not() -> None:
    swing = mb.simulate(mb.library.pendulum(1), duration=3)
    frame = frame_of(swing)
    tips = swing.point(0, swing.model.bodies[0].com).position
    assert (np.linalg.norm(tips - frame.middle, axis=1) <= frame.radius).all()
    cart = mb.Model([mb.Body("a", mb.Prismatic("x"), shape=mb.Box((1, 1, 1), mass=1))], state={"u": [100.0]})
    runaway = frame_of(mb.simulate(cart, duration=10))
    assert runaway.radius < 2 * FAR


def test_another_mechanism_with_the_same_tree_is_framed_anew() -> None:
    picture = Picture()
    picture.show(mb.simulate(mb.library.pendulum(1), duration=0.2))
    before = picture.stage.radius
    big = mb.Model([mb.Body("large", mb.Revolute("y"), shape=mb.Box((9, 9, 9), mass=1))], name="large")
    picture.show(mb.simulate(big, duration=0.2))
    assert picture.stage.radius > 3 * before
    picture.close()
