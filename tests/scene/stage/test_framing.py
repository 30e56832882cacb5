"""What the camera holds."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.stage.framing import FAR, falls_for_ever, framing_of_motion
from mbwidgets.scene.stage.picture import Picture


@pytest.mark.parametrize("name", mb.library.names())
def test_the_start_of_every_model_is_in_the_frame(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    frame = framing_of_motion(motion)
    far = np.linalg.norm(motion.poses[0][0] - frame.middle, axis=1)
    assert (far <= frame.radius).all()


def test_a_swing_is_held_and_a_body_that_runs_away_is_not() -> None:
    swing = mb.simulate(mb.library.pendulum(1), duration=3)
    frame = framing_of_motion(swing)
    tips = swing.point(0, swing.model.bodies[0].com).position
    assert (np.linalg.norm(tips - frame.middle, axis=1) <= frame.radius).all()
    cart = mb.Model([mb.Body("a", mb.Prismatic("x"), shape=mb.Box((1, 1, 1), mass=1))], state={"u": [100.0]})
    runaway = framing_of_motion(mb.simulate(cart, duration=10))
    assert runaway.radius < 2 * FAR


def test_a_mechanism_that_falls_is_followed_and_one_that_swings_is_not() -> None:
    fall = mb.simulate(mb.library.opnchain_manipulator(), duration=2)
    frame = framing_of_motion(fall)
    seen = fall.poses[0] - frame.drift(fall)[:, None]
    assert np.linalg.norm(fall.poses[0][-1] - frame.middle, axis=1).min() > 10 * frame.radius
    assert np.linalg.norm(seen - frame.middle, axis=2).max() < frame.radius
    assert (frame.drift(fall)[0] == 0).all()
    # the stage never jumps: it goes no further from frame to frame than the bodies do
    steps = np.linalg.norm(np.diff(frame.drift(fall), axis=0), axis=1)
    assert (steps <= np.linalg.norm(np.diff(fall.poses[0], axis=0), axis=2).max(axis=1) + 1e-12).all()
    assert framing_of_motion(mb.simulate(mb.library.three_body_arm(), duration=2)).drift(fall) is None


def test_a_part_that_runs_away_is_left_and_the_rest_stays() -> None:
    base = mb.Body("base", mb.Revolute("z"), shape=mb.Box((1, 1, 1), mass=1))
    shot = mb.Body("shot", mb.Prismatic("x"), parent="base", shape=mb.Sphere(0.1, mass=0.1))
    motion = mb.simulate(mb.Model([base, shot], gravity=(0, 0, 0), state={"u": [0, 100.0]}), duration=5)
    frame = framing_of_motion(motion)
    assert frame.drift(motion) is None
    assert frame.radius < 2


def test_fitting_at_a_later_time_holds_what_is_there() -> None:
    fall = mb.simulate(mb.library.opnchain_manipulator(), duration=2)
    frame = framing_of_motion(fall, 90)
    assert np.linalg.norm(fall.poses[0][90] - frame.middle, axis=1).max() < frame.radius < 3
    assert (frame.drift(fall)[90] == 0).all()


def test_another_mechanism_with_the_same_tree_is_framed_anew() -> None:
    picture = Picture()
    picture.show(mb.simulate(mb.library.pendulum(1), duration=0.2))
    before = picture.stage.radius
    big = mb.Model([mb.Body("large", mb.Revolute("y"), shape=mb.Box((9, 9, 9), mass=1))], name="large")
    picture.show(mb.simulate(big, duration=0.2))
    assert picture.stage.radius > 3 * before
    picture.close()


def test_what_falls_for_ever_is_told_and_what_swings_or_is_held_is_not() -> None:
    """The depth is that of free fall, g t²/2: the lift of the manipulator falls with all that it carries."""
    fall = mb.simulate(mb.library.opnchain_manipulator(), duration=3)
    # the bodies also turn about the lift, by less than the size of the mechanism
    assert falls_for_ever(fall) == pytest.approx(9.81 * 9 / 2, abs=2)
    assert falls_for_ever(mb.simulate(mb.library.opnchain_manipulator(held=True), duration=3)) is None
    assert falls_for_ever(mb.simulate(mb.library.pendulum(3), duration=3)) is None
    view = mb.Explorer(mb.library.opnchain_manipulator(), duration=3, held=False)
    assert "nothing carries it: it falls" in view.health.value
    view.close()
