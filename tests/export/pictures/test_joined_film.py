"""Pictures of joined motions: each leg is drawn with its own mechanism."""

from __future__ import annotations

import numpy as np

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.export.pictures.joined_film import JoinedFilm, film_of

SIZE = {"width": 200, "height": 150}


def test_each_leg_of_a_joined_motion_is_drawn_with_its_own_model() -> None:
    model = mb.library.pendulum(1)
    first = mb.simulate(model, q=[1.0], duration=0.5)
    second = first.then(model.with_values(l=2 * model.values["l"]), duration=0.5)
    film = film_of(mb.join(first, second), **SIZE)
    assert isinstance(film, JoinedFilm)
    for time, leg in ((0.2, first), (0.8, second)):
        np.testing.assert_array_equal(np.asarray(film.frame(time)), np.asarray(Film(leg, **SIZE).frame(time)))
    assert film.count(20, 1) == Film(mb.join(first, second), **SIZE).count(20, 1)


def test_legs_of_one_model_are_one_film() -> None:
    first = mb.simulate(mb.library.pendulum(1), q=[1.0], duration=0.2)
    assert not isinstance(film_of(mb.join(first, first.then(duration=0.2)), **SIZE), JoinedFilm)
