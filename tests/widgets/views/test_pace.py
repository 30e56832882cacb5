"""Views last as long as their model says, and play short motions slowly."""

from __future__ import annotations

import pytest

import mbwidgets as mb


@pytest.mark.parametrize("kind", ["Explorer", "ConstrainedView", "MassMomentsView", "ReleaseView"])
def test_a_view_lasts_as_long_as_its_model_says(kind: str) -> None:
    view = getattr(mb, kind)(mb.library.andrews_squeezer())
    try:
        assert view.motion.t[-1] == 0.03
        assert len(view.motion) > 500
        assert view.picture.player.speed == 0.01, "three seconds to see it in"
    finally:
        view.close()


def test_an_explorer_follows_the_models_that_it_loads() -> None:
    view = mb.Explorer(mb.library.pendulum(1))
    try:
        assert (view.motion.t[-1], view.picture.player.speed) == (10, 1)
        view.load("andrews_squeezer")
        assert (view.motion.t[-1], view.picture.player.speed) == (0.03, 0.01)
        view.picture.player.speed = 0.1
        view.model = view.model.with_values(M=0.05)
        assert view.picture.player.speed == 0.1, "a slider leaves the speed that was chosen"
        view.load("pendulum")
        assert (view.motion.t[-1], view.picture.player.speed) == (10, 1)
    finally:
        view.close()


def test_what_the_user_gives_stays_whatever_the_model_says() -> None:
    view = mb.Explorer(mb.library.andrews_squeezer(), duration=0.06, rate=5000)
    try:
        assert (view.duration, view.rate, len(view.motion)) == (0.06, 5000, 301)
        view.load("pendulum")
        assert view.motion.t[-1] == 0.06
    finally:
        view.close()


def test_a_fast_mechanism_is_told_finely_for_another_duration_too() -> None:
    view = mb.Explorer(mb.library.andrews_squeezer(), duration=0.01)
    try:
        assert len(view.motion) == 201, "a part of the motion is told as finely as the whole"
        view.duration = 20
        assert view.rate == 60
    finally:
        view.close()
