"""An arrow's length means something: one scale a quantity, kept while a slider moves, and all of it in the picture."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import FINER, Film
from mbwidgets.numeric.simulation.holding import drives_of
from mbwidgets.scene.look.ladder import rung_above, rung_below
from mbwidgets.scene.stage.composition import Composition
from mbwidgets.scene.stage.drawn_arrows import LONGEST, SHORTEST, arrow_scale
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.viewpoint import FIELD, view_axes
from mbwidgets.widgets.views.explorer import first_vectors

# the brief of the picture: length over value is constant to a thousandth between two changes of the scale
CONSTANT = 1e-3
# powers of ten are not exact in binary
ROUNDING = 1e-9


def test_round_numbers_are_one_two_and_five_of_a_decade() -> None:
    assert [rung_below(x) for x in (1, 1.99, 2, 4.9, 5, 9.9, 0.03, 1e-12)] == [1, 1, 2, 2, 5, 5, 0.02, 1e-12]
    assert [rung_above(x) for x in (1, 1.01, 2, 4.9, 5.1, 9.9, 0.03)] == [1, 2, 2, 5, 10, 10, 0.05]


def test_a_scale_is_kept_until_an_arrow_is_too_long_or_a_fifth_of_what_is_allowed() -> None:
    first = arrow_scale(10.0, 1.0)
    assert first == pytest.approx(0.1, rel=ROUNDING)
    for longest in (9.9, 5.0, 2.01):
        assert arrow_scale(longest, 1.0, first) == first
    for longest in (10.5, 1.99):
        assert arrow_scale(longest, 1.0, first) != first
    assert arrow_scale(0.0, 1.0, first) == first
    assert arrow_scale(0.0, 1.0) == 0.0


def test_the_weight_of_a_body_that_grows_sixfold_under_a_drag_is_drawn_in_one_scale_between_visible_steps() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), vectors=("weight",), selected="upper", duration=0.5)
    picture, name = view.picture, next(iter(view.model.values))
    masses, drawn = np.linspace(3.0, 3.0 * 6.3, 34), []
    name = "m2"
    for mass in masses:
        view.model = view.model.with_values(**{name: float(mass)})
        arrow = picture.composition.arrows[0]
        value = float(np.linalg.norm(arrow.value[0]))
        drawn.append((value, value * picture.player.lengths[0]))
        assert drawn[-1][1] <= LONGEST * picture.stage.radius * (1 + ROUNDING)
    values, lengths = np.array(drawn).T
    assert values[-1] / values[0] == pytest.approx(6.3, rel=CONSTANT)
    ratio = lengths / values
    changes = np.flatnonzero(np.abs(np.diff(ratio)) > CONSTANT * ratio[:-1])
    # at most one step of the ladder of 1, 2, 5 for each factor of two, and none that is not needed
    assert len(changes) <= 3
    for part in np.split(np.arange(len(ratio)), changes + 1):
        assert np.ptp(ratio[part]) <= CONSTANT * ratio[part[0]]
        assert (np.diff(lengths[part]) > 0).all()
    view.close()


def test_the_scale_is_that_of_all_bodies_and_stays_when_another_is_selected() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=1)
    found = []
    for body in view.model.bodies:
        view.selected = body.name
        found.append((view.picture.scales["force"], view.picture.scales["weight"]))
    assert len(set(found)) == 1
    view.close()


def test_fit_scales_the_arrows_anew_and_holds_them() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), vectors=("weight",), duration=1)
    view.model = view.model.with_values(m3=view.model.values["m3"] * 0.5, m2=view.model.values["m2"] * 0.5)
    before = view.picture.scales["weight"]
    view.fit()
    fresh = mb.Explorer(view.model, vectors=("weight",), duration=1)
    assert view.picture.scales == fresh.picture.scales
    assert view.picture.stage.camera.position == fresh.picture.stage.camera.position
    assert SHORTEST < before / fresh.picture.scales["weight"] <= 1
    view.close()
    fresh.close()


def points_of(seen: Composition) -> list[np.ndarray]:
    """Corners of all bodies, and beginnings and tips of all arrows, (frames, k, 3), in the axes of the picture."""
    motion, found = seen.motion, []
    for index, shell in enumerate(seen.bodies):
        corners = np.unique(shell.points.round(9), axis=0)
        turned = corners @ np.swapaxes(motion.rotations[:, index], 1, 2)
        found.append(motion.poses[0][:, index, None] + turned)
    for arrow in seen.arrows:
        found += [arrow.begin[:, None], (arrow.begin + arrow.scale * arrow.value)[:, None]]
    away = np.zeros((len(motion), 1, 3)) if seen.drift is None else seen.drift[:, None]
    return [(points - away) @ seen.setting.upright.T for points in found]


def outside(points: np.ndarray, place: np.ndarray, target: np.ndarray, aspect: float) -> float:
    """How far from its middle the farthest of the points is seen, in halves of the picture: over one it is outside."""
    seen = (points - place) @ view_axes(place - target).T
    slope = np.tan(np.radians(FIELD / 2))
    assert (seen[..., 2] < 0).all()
    return float((np.abs(seen[..., :2] / -seen[..., 2:]) / (slope * np.array([aspect, 1.0]))).max())


@pytest.mark.parametrize("name", mb.library.names())
def test_no_body_and_no_tip_of_an_arrow_leaves_the_picture_at_any_frame(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)())
    last = len(motion.model.bodies) - 1
    picture = Picture(640, 470)
    picture.show(motion, first_vectors(motion.model), (last,), last)
    place, target = (np.array(item) for item in (picture.stage.camera.position, picture.stage.orbit.target))
    film = Film(motion, first_vectors(motion.model))
    camera = film.camera(0)
    for points in points_of(picture.composition):
        assert outside(points, place, target, 640 / 470) < 1
    for points in points_of(film.composition):
        pixels = camera.project(points)[..., :2] / FINER
        assert (pixels > 0).all()
        assert (pixels < (film.width, film.height)).all()
    picture.close()


# those in which the camera that holds the last body's arrows does not hold another's
@pytest.mark.parametrize("name", ["carousel", "flyball_governor", "four_bar", "slider_crank", "three_body_arm"])
def test_the_camera_steps_back_where_arrows_of_another_body_would_leave_the_picture(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, tau=drives_of(model))
    vectors, last = first_vectors(model), len(model.bodies) - 1
    picture = Picture(640, 470)
    picture.show(motion, vectors, (last,), last)
    for body in range(last):
        picture.show(motion, vectors, (body,), body)
        place, target = (np.array(item) for item in (picture.stage.camera.position, picture.stage.orbit.target))
        assert all(outside(points, place, target, 640 / 470) < 1 for points in points_of(picture.composition))
    # what was seen before needs no other camera
    picture.show(motion, vectors, (last,), last)
    assert not last or picture.stage.camera.position == tuple(place)
    picture.close()


def test_a_camera_that_a_hand_has_placed_stays_whatever_is_selected() -> None:
    motion = mb.simulate(mb.library.four_bar())
    picture = Picture(640, 470)
    picture.show(motion, first_vectors(motion.model), (2,), 2)
    by_hand = tuple(0.9 * part for part in picture.stage.camera.position)
    picture.stage.camera.position = by_hand
    picture.show(motion, first_vectors(motion.model), (1,), 1)
    assert picture.stage.camera.position == by_hand
    picture.close()


def test_states_that_are_tried_for_a_page_leave_the_scale_as_it_was() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), vectors=("weight",), selected="upper", duration=0.2)
    model, before = view.model, view.picture.scales
    with view.without_history():
        view.model = model.with_values(m2=20.0, m3=20.0)
        assert view.picture.scales != before
        view.model = model
    assert view.picture.scales == before
    view.close()
