"""Gravity points down, and the floor is beneath: on the stage and in stills, for every model of the library."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.numeric.base.rotations import rotate_vectors, rotation_matrices
from mbwidgets.scene.stage.composition import Composition, compose
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.upright import gravity_of, picture_axes
from mbwidgets.scene.stage.viewpoint import VIEWS

LEVEL = [view for view in VIEWS if view not in ("iso", "top")]
"""Views whose camera is not above what it looks at."""
PLANE = ("andrews_squeezer", "body_on_circle", "four_bar", "hammer_crusher", "n_four_bar", "slider_crank")
# products of rotation matrices of order one
ROUNDING = 1e-9


def degrees(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


@pytest.mark.parametrize("name", mb.library.names())
def test_gravity_points_down_on_the_stage_and_in_stills(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.2)
    gravity = gravity_of(motion.model)
    picture = Picture(600, 400)
    picture.show(motion)
    turn = rotation_matrices(np.array(picture.stage.scene.quaternion))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=ROUNDING)
    np.testing.assert_allclose(turn, compose(motion).setting.upright, atol=ROUNDING)
    if gravity.any():
        assert degrees(rotate_vectors(turn, -gravity), np.array(picture.stage.camera.up)) < 1
        for view in LEVEL:
            film = Film(motion, view=view, width=90, height=60)
            camera, upright = film.camera(0), film.composition.setting.upright
            # where a stone falls to in the picture, from its middle
            here = np.array(film.composition.viewpoint(view, 1.5).target)
            fall = camera.project(np.array([here, here + 0.1 * upright @ gravity]))
            assert degrees(np.append(fall[1, :2] - fall[0, :2], 0), np.array([0.0, 1.0, 0.0])) < 1
    picture.close()


@pytest.mark.parametrize("name", mb.library.names())
def test_the_first_view_stands_aside_of_the_front_or_of_the_back_and_a_little_above(name: str) -> None:
    seen = compose(mb.simulate(getattr(mb.library, name)(), duration=0.2))
    (x, y, z), front = seen.viewpoint("iso", 1.5).axes[2], seen.viewpoint("front", 1.5).axes[2]
    aside = degrees(np.array([x, y, 0]), front)
    # from another side only where that shows more, and from none along an axis of the picture
    assert 20 <= aside <= 40 or (min(aside, 180 - aside, abs(90 - aside)) >= 14.9 and seen.setting.turned)
    # a plane mechanism is seen nearly as it is drawn on paper
    assert (aside <= 25) == any(pin.kind in ("joint", "loop") for pin in seen.setting.heads)
    assert 12 <= np.degrees(np.arcsin(z)) <= 25


@pytest.mark.parametrize("name", PLANE)
def test_a_plane_mechanism_is_seen_across_its_plane(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.2)
    front = compose(motion).viewpoint("front", 1.5)
    toward = front.axes[2] @ compose(motion).setting.upright
    # all of these lie in the plane of x and y, seen from the side on which z points out of the paper
    np.testing.assert_allclose(toward, (0, 0, 1), atol=ROUNDING)


def test_x_points_to_the_right_where_it_can() -> None:
    for axis, gravity in itertools.product(
        "xyz", ((0, 0, -9.81), (0, -9.81, 0), (9.81, 0, 0), (0, 0, 9.81), (1, 2, 3))
    ):
        model = mb.Model([mb.Body("rod", mb.Revolute(axis), inertia=mb.Sphere(0.1, mass=1))], gravity=gravity)
        upright = picture_axes(model, np.eye(3)[None])
        np.testing.assert_allclose(upright @ upright.T, np.eye(3), atol=ROUNDING)
        assert np.linalg.det(upright) > 0
        assert upright[0, 0] > -ROUNDING


def test_the_stage_turns_with_gravity_and_stays_where_gravity_goes_to_zero() -> None:
    g = mb.Parameter("g", 9.81, min=0, max=20, unit="m/s²")
    side = mb.Parameter("side", 0.0, min=-10, max=10, unit="m/s²")
    body = mb.Body("stone", mb.Spherical(), com=(0.3, 0, 0), inertia=mb.Sphere(0.1, at=(0.3, 0, 0), mass=1))
    model = mb.Model([body], gravity=(side, -g, 0))
    picture = Picture(600, 400)
    picture.show(mb.simulate(model, duration=0.1))
    first = picture.stage.scene.quaternion
    picture.show(mb.simulate(model.with_values(g=0), duration=0.1))
    assert picture.stage.scene.quaternion == first
    picture.show(mb.simulate(model.with_values(side=5.0), duration=0.1))
    turn = rotation_matrices(np.array(picture.stage.scene.quaternion))
    assert degrees(turn @ np.array([-5.0, 9.81, 0]), np.array([0.0, 0.0, 1.0])) < 1
    seen = picture.composition
    np.testing.assert_allclose(picture.stage.camera.position, seen.viewpoint("iso", 1.5).place, atol=ROUNDING)
    picture.close()


def lowest_corner(seen: Composition) -> np.ndarray:
    """The least height of all that is drawn of the bodies in every frame, from the corners of its triangles."""
    motion, up = seen.motion, seen.setting.upright[2]
    lowest = np.full(len(motion), np.inf)
    for index, shell in enumerate(seen.bodies):
        corners = shell.points
        if len(corners):
            heights = motion.poses[0][:, index] @ up + (corners @ np.swapaxes(motion.rotations[:, index], 1, 2) @ up).T
            lowest = np.minimum(lowest, heights.min(axis=0))
    return lowest


@pytest.mark.parametrize("name", mb.library.names())
def test_the_floor_is_beneath_the_whole_motion_or_not_there(name: str) -> None:
    seen = compose(mb.simulate(getattr(mb.library, name)()))
    lowest = lowest_corner(seen)
    if seen.setting.floor is None:
        # what has no floor left its place by more than it is large
        assert seen.drift is not None or np.ptp(seen.motion.poses[0], axis=0).max() > seen.setting.size
    else:
        assert seen.drift is None
        assert (lowest > seen.setting.floor).all()


def test_the_floor_is_not_far_below_a_mechanism_that_stands_on_it() -> None:
    seen = compose(mb.simulate(mb.library.gyroscope(), duration=2))
    assert seen.setting.floor is not None
    # the gap of two hundredths of the size; chords of a circle lie inside of it
    assert lowest_corner(seen).min() - seen.setting.floor < 0.03 * seen.setting.size


def test_what_falls_for_ever_has_no_floor() -> None:
    stone = mb.Model([mb.Body("stone", mb.Free(), inertia=mb.Sphere(0.1, mass=1))])
    assert compose(mb.simulate(stone, duration=3)).setting.floor is None
    assert compose(mb.simulate(mb.library.opnchain_manipulator(), duration=3)).setting.floor is None


def test_the_floor_goes_lower_where_a_slider_lets_a_body_down() -> None:
    length = mb.Parameter("l", 0.5, min=0.1, max=3, unit="m")
    rod = mb.Body("rod", mb.Revolute("y"), inertia=mb.Rod(length, axis="z", at=(0, 0, -length / 2), mass=1))
    model = mb.Model([rod], state={"q": [0.3]})
    picture = Picture(600, 400)
    picture.show(mb.simulate(model, duration=2))
    first = picture.composition.setting.floor
    picture.show(mb.simulate(model.with_values(l=1.0), duration=2))
    seen = picture.composition
    assert seen.setting.floor is not None
    assert seen.setting.floor < first
    assert (lowest_corner(seen) > seen.setting.floor).all()
    assert picture.player.scenery["ground"]["height"] == seen.setting.floor
    picture.close()


@pytest.mark.parametrize(
    ("kind", "side", "names", "down"),
    # from the front the turns that constraints forbid would be seen end-on
    [("ReleaseView", "front", ["x", "y"], True), ("ConstrainedView", "iso", ["x", "y"], True)],
)
def test_a_plane_view_and_its_figure_have_the_same_directions(
    kind: str, side: str, names: list[str], down: bool
) -> None:
    view = getattr(mb, kind)(duration=0.3, rate=60)
    assert view.view == side
    figure = view.polar if kind == "ReleaseView" else view.figures[8]
    if kind == "ConstrainedView":
        view.tabs.selected_index = 2
    assert (figure.names, figure.down) == (names, down)
    # x points down on the stage and y to the right
    np.testing.assert_allclose(view.picture.stage.setting.upright @ np.eye(3)[0], (0, 0, -1), atol=ROUNDING)
    np.testing.assert_allclose(view.picture.stage.setting.upright @ np.eye(3)[1], (1, 0, 0), atol=ROUNDING)
    view.close()
