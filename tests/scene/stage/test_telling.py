"""Views open where there is something to be seen, and arrows begin where bodies are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.films import png_bytes
from mbwidgets.scene.stage.composition import compose
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.telling import telling_instant

VIEWS = (mb.ReactionsView, mb.ReleaseView, mb.RotatorsView, mb.ConstrainedView)


@pytest.mark.parametrize("name", ["pendulum", "three_body_arm", "hammer_crusher", "four_bar"])
def test_the_most_telling_instant_is_that_of_the_largest_force(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=2)
    for index in range(len(motion.model.bodies)):
        forces = np.linalg.norm(motion.reactions(index)[:, :3], axis=1)
        assert telling_instant(motion, index) == motion.t[forces.argmax()]


def test_a_body_without_a_joint_opens_where_its_constraint_holds_it_most() -> None:
    motion = mb.simulate(mb.library.body_on_circle(), duration=2)
    forces = np.max([np.linalg.norm(item.force, axis=1) for item in motion.constraint_forces], axis=0)
    assert telling_instant(motion, 0) == motion.t[forces.argmax()] > 0


def test_what_stands_still_opens_at_the_start() -> None:
    still = mb.simulate(mb.library.pendulum(1).with_values(g=0.0), q=[0.3], duration=1)
    assert telling_instant(still, 0) == 0.0


def test_an_explorer_opens_at_the_largest_force_unless_it_is_told_a_time() -> None:
    view, told = (mb.Explorer(mb.library.three_body_arm(), duration=2, **more) for more in ({}, {"time": 0.0}))
    assert view.time == view.picture.player.time == telling_instant(view.motion, view.index) > 0
    assert told.time == 0.0
    # the time is the user's from then on
    view.time = 0.5
    view.model = view.model.with_values(m3=1)
    assert view.time == 0.5
    # the still in a reader without widgets is of this instant
    assert png_bytes(view, width=120, height=90) == png_bytes(view, width=120, height=90, time=0.5)
    for item in (view, told):
        item.close()


@pytest.mark.parametrize("kind", VIEWS)
def test_views_of_forces_open_at_their_peak(kind: type) -> None:
    view = kind(duration=1)
    assert view.time == telling_instant(view.motion, view.index)
    view.close()


@pytest.mark.parametrize("name", ["four_bar", "hammer_crusher", "slider_crank", "n_four_bar"])
def test_arrows_of_a_plate_that_is_laid_aside_begin_on_the_plate(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.5)
    indices = range(len(motion.model.bodies))
    seen = compose(motion, ("force", "weight"), list(indices))
    shifts = seen.setting.shifts_of(motion.model)
    assert shifts.any()
    for arrow in seen.arrows:
        if arrow.key != "weight":
            continue
        # the weight begins in the middle of the mark of the mass centre, as it is drawn
        mark = seen.centres[arrow.body].points
        middle = (mark.min(axis=0) + mark.max(axis=0)) / 2
        drawn = motion.poses[0][:, arrow.body] + motion.rotations[:, arrow.body] @ middle
        assert arrow.begin == pytest.approx(drawn, abs=1e-9)
    picture = Picture()
    picture.show(motion, ("force", "weight"), tuple(indices))
    for mine, other in zip(picture.composition.arrows, seen.arrows, strict=True):
        assert np.array_equal(mine.begin, other.begin)
    picture.close()
