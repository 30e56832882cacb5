"""A joint is seen, and an arrow begins on the pin, the block or the collar at which it acts."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.pictures.film import Film
from mbwidgets.export.pictures.raster import rgb
from mbwidgets.scene.look.nodes import numbers_of
from mbwidgets.scene.look.palette import body_colour
from mbwidgets.scene.look.shell import Role, Shell
from mbwidgets.scene.look.surfaces import KEY
from mbwidgets.scene.quantities.motion_quantities import find_quantity
from mbwidgets.scene.stage.composition import Composition, compose
from mbwidgets.scene.stage.picture import Picture
from mbwidgets.scene.stage.pin_feet import Pin
from mbwidgets.scene.stage.scale_bars import arrow_owners
from mbwidgets.scene.stage.sight import _pin_ends, _share_seen
from mbwidgets.scene.stage.supports import crosses_box
from mbwidgets.scene.stage.telling import telling_instant
from mbwidgets.scene.stage.viewpoint import VIEWS, sun_of, turned_about_up, view_axes

# places are sums of a few numbers of the size of the mechanism
ROUNDED = 1e-9


def shown(name: str, *vectors: str) -> Composition:
    motion = mb.simulate(getattr(mb.library, name)(), duration=1.0)
    return compose(motion, vectors, list(range(len(motion.model.bodies))))


def points_of(shell: Shell, role: Role) -> np.ndarray:
    return np.asarray(shell.points[shell.roles == role])


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "n_four_bar", "hammer_crusher"])
def test_a_force_at_a_pin_begins_at_the_head_that_the_camera_sees(name: str) -> None:
    seen = shown(name, "force")
    motion, front = seen.motion, -seen.setting.upright[1]
    pinned = [arrow for arrow in seen.arrows if arrow.pin in seen.setting.heads and arrow.pin.kind == "joint"]
    assert pinned
    for arrow in pinned:
        index = arrow.pin.number
        at, parent = numbers_of(seen.model, seen.model.bodies[index].joint.at), seen.model.parents[index]
        place = at if parent < 0 else motion.poses[0][:, parent] + motion.rotations[:, parent] @ at
        way = arrow.begin - place
        # along the axis, across which nothing is moved, to the end of the pin
        assert np.linalg.norm(way - np.outer(way @ front, front), axis=1).max() < ROUNDED
        end = ((points_of(seen.joints[index], Role.PIN) - at) @ front).max()
        assert way @ front == pytest.approx(end, abs=ROUNDED)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "body_on_circle"])
def test_the_force_of_a_constraint_begins_at_the_head_of_its_pin(name: str) -> None:
    seen = shown(name, "constraint force")
    front = -seen.setting.upright[1]
    for arrow in seen.arrows:
        assert arrow.pin == Pin("loop", 0)
        force = next(item for item in seen.motion.constraint_forces if item.body == seen.model.bodies[arrow.body].name)
        way = (arrow.begin - force.point) @ front
        assert way == pytest.approx(seen.setting.heads[arrow.pin] @ front, abs=ROUNDED)
        assert way.min() > 0


def test_arrows_of_the_stage_and_of_the_page_begin_at_the_same_places() -> None:
    motion = mb.simulate(mb.library.slider_crank(), duration=0.5)
    picture = Picture()
    picture.show(motion, ("force", "weight", "constraint force"), (1,))
    setting = picture.stage.setting
    for arrow in picture.composition.arrows:
        shift = setting.feet_of(motion.model).shift(arrow.body, arrow.pin)
        raw = find_quantity(arrow.key)
        if raw.key == "force":
            assert np.array_equal(shift, setting.heads[Pin("joint", 1)])
    picture.close()


def test_the_force_of_a_slide_is_drawn_where_the_body_is_and_its_moment_about_the_joint() -> None:
    motion = mb.simulate(mb.library.slider_crank(), duration=0.5)
    drawn = {arrow.key: arrow for arrow in compose(motion, ("force", "moment"), [2]).arrows}
    # at the head of the rod's pin, whose axis goes through O*: before the piston's face, 0.075 m from there
    ahead = drawn["force"].begin - motion.poses[0][:, 2]
    assert np.ptp(ahead, axis=0) == pytest.approx(0, abs=1e-12)
    assert not ahead[0, :2].any()
    assert 0.075 < ahead[0, 2] < 0.2
    closing = compose(motion, ("constraint force",), [2]).arrows[0]
    assert drawn["force"].begin == pytest.approx(closing.begin, abs=1e-6)
    # the piston's joint is in the origin of the ground
    assert not drawn["moment"].begin.any()
    for key, at in (("force", "O*"), ("moment", "O")):
        (source,) = find_quantity(key).page_sources(motion, 2)
        assert source.at == at
    weight = compose(motion, ("weight",), [2]).arrows[0]
    assert np.array_equal(weight.begin, drawn["force"].begin), "the mass centre is O*"
    (pinned,) = find_quantity("force").page_sources(motion, 0)
    assert pinned.at == "O"


@pytest.mark.parametrize(("name", "body"), [("four_bar", 0), ("four_bar", 2), ("slider_crank", 0)])
def test_a_post_stands_close_behind_the_link_whose_pin_it_holds(name: str, body: int) -> None:
    seen = shown(name)
    away, right = seen.setting.upright[1], seen.setting.upright[0]
    at = numbers_of(seen.model, seen.model.bodies[body].joint.at)
    plate = points_of(seen.bodies[body], Role.BODY)
    ground = points_of(seen.supports, Role.GROUND)
    up = seen.setting.upright[2]
    gauge = seen.mechanism.anatomy.gauge
    # the head of the post: about the height of the pin, beside it
    head = ground[(np.abs((ground - at) @ right) < 1.5 * gauge) & (np.abs((ground - at) @ up) < 1.5 * gauge)]
    gap = (head @ away).min() - (plate @ away).max()
    # a quarter of a radius is seen as a gap of some pixels, behind the plate's boss
    assert 0 < gap < 0.25 * gauge


@pytest.mark.parametrize("name", ["n_four_bar", "four_bar", "slider_crank"])
def test_a_post_stays_behind_what_comes_before_it(name: str) -> None:
    seen = shown(name)
    motion, gauge, away = seen.motion, seen.mechanism.anatomy.gauge, seen.setting.upright[1]
    flat = seen.setting.upright[[0, 2]].T
    posts = points_of(seen.supports, Role.GROUND)
    posts = posts[posts @ seen.setting.upright[2] > seen.setting.floor + 4 * gauge]
    for body, shell in enumerate(seen.bodies):
        material = points_of(shell, Role.BODY)[::5]
        for frame in range(0, len(motion), 7):
            places = motion.poses[0][frame, body] + material @ motion.rotations[frame, body].T
            far = np.linalg.norm((places @ flat)[:, None] - (posts @ flat)[None], axis=2)
            for place, near in zip(places, far < 0.2 * gauge, strict=True):
                # beside a point of a post there is no material of a body within the depth of that post
                assert not near.any() or place @ away < (posts[near] @ away).min()


def test_a_line_is_in_a_rectangle_or_not() -> None:
    low, high = np.array([-1.0, -2.0]), np.array([1.0, 0.5])
    lines = np.array(
        [
            [[-3, 0], [3, 0]],  # across it, with both ends outside
            [[-3, 1], [3, 1]],  # above it
            [[0, 0], [0.1, 0.1]],  # inside
            [[0, 5], [0, -5]],  # down through it
            [[2, 0], [2, -1]],  # beside it, upright
            [[-3, -1], [0, 3]],  # past its corner
            [[0, 0], [0, 0]],  # a point in it
        ],
        dtype=float,
    )
    assert crosses_box(lines, low, high).tolist() == [True, False, True, True, False, False, True]


@pytest.mark.parametrize("name", ["slider_crank", "four_bar", "andrews_squeezer"])
def test_links_are_slim(name: str) -> None:
    model = getattr(mb.library, name)()
    seen = compose(mb.simulate(model, duration=model.duration or 0.5))
    spans = {k: np.ptp(points_of(shell, Role.BODY), axis=0).max() for k, shell in enumerate(seen.bodies)}
    longest = max(spans, key=lambda k: spans[k])
    # the longest is at least eight times as long as it is wide, and hides little of what is behind it
    assert 2 * seen.mechanism.anatomy.radii[longest] < spans[longest] / 8


def test_a_body_on_a_circle_has_a_collar_about_the_wire() -> None:
    seen = shown("body_on_circle")
    normal = seen.setting.upright[1]
    pins = points_of(seen.bodies[0], Role.PIN)
    wire = points_of(seen.supports, Role.STEEL)
    depth, thick = (wire @ normal).mean(), np.ptp(wire @ normal) / 2
    collar = pins[np.abs(pins @ normal - depth) < 1.5 * thick]
    # it goes round the wire on both sides, across it and along the normal
    across = np.linalg.norm(collar - np.outer(collar @ normal, normal), axis=1)
    assert across.max() > 1.5 * thick
    assert (collar @ normal).min() < depth - thick
    assert (collar @ normal).max() > depth + thick


@pytest.mark.parametrize("kind", ["line", "curve"])
def test_a_body_on_a_line_or_a_curve_has_a_bead_thicker_than_the_wire(kind: str) -> None:
    bead = mb.Body("bead", mb.Free(), mass=1, inertia=(0.01, 0.01, 0.01))
    guide = mb.OnLine("bead") if kind == "line" else mb.OnCurve("bead", ["s", "s**2", 0])
    seen = compose(mb.simulate(mb.Model([bead], constraints=[guide]), duration=0.3))
    ball, wire = points_of(seen.bodies[0], Role.PIN), points_of(seen.supports, Role.STEEL)
    assert np.ptp(ball[:, 2]) > 1.4 * np.ptp(wire[:, 2])


def test_a_joint_inside_its_bodies_is_seen_pale_through_them_and_no_other_is() -> None:
    arm = compose(mb.simulate(mb.library.six_axis_arm(), duration=0.3))
    assert arm.buried[2]
    assert not arm.buried[0]
    assert not any(shown("four_bar").buried)
    picture = Picture()
    picture.show(arm.motion)
    assert [joint.group.children[1].visible for joint in picture.joints] == arm.buried
    again = picture.joints[2].group.children[1]
    assert picture.body_of(again) == 2
    assert picture.is_joint(again)
    pale = again.material
    assert pale.depthFunc == "GreaterDepth"
    assert pale.transparent
    assert 0 < pale.opacity < 0.5
    picture.close()


def test_the_foot_of_an_arrow_has_the_colour_of_the_body_on_which_it_acts() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=0.5)
    for body in (0, 1):
        film = Film(motion, ("force",), [motion.model.bodies[body].name], width=640, height=480)
        assert film.owners == ("arrows act on", ((motion.model.bodies[body].name, body_colour(body)),))
        arrow = film.composition.arrows[0]
        frame = int(np.argmax(np.linalg.norm(arrow.value, axis=1)))
        picture = np.asarray(film.frame(motion.t[frame]), dtype=float) / 255
        x, y = film.camera(0).project((film.composition.setting.upright @ arrow.begin[frame])[None])[0, :2] / 2
        about = picture[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7].reshape(-1, 3)
        assert (np.abs(about - rgb(body_colour(body))).sum(axis=1) < 0.02).sum() > 4
        assert (np.abs(about - rgb(arrow.colour)).sum(axis=1) < 0.1).sum() > 4


def test_directions_and_a_crowd_of_bodies_are_not_named() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.2)
    assert arrow_owners(compose(motion, ("axis",), [0]).arrows, motion.model) is None
    several = compose(motion, ("acceleration",), [0, 1, 2])
    assert arrow_owners(several.arrows, motion.model) == (
        "arrows of",
        tuple((body.name, body_colour(k)) for k, body in enumerate(motion.model.bodies)),
    )
    crowd = mb.simulate(mb.library.walking_figure(), duration=0.1)
    arrows = compose(crowd, ("weight",), list(range(8))).arrows
    assert arrow_owners(arrows, crowd.model) is None


def test_the_arm_is_first_seen_from_where_its_pins_are_not_hidden_and_the_light_comes_from_there() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=4)
    seen = compose(motion)
    assert seen.setting.turned
    frame = int(np.searchsorted(motion.t, telling_instant(motion, 2)))
    turned, usual = (
        seen.setting.upright.T @ view_axes(turned_about_up(VIEWS["iso"], angle))[2]
        for angle in (seen.setting.turned, 0.0)
    )
    pins = _pin_ends(motion, seen.mechanism)
    assert len(pins) == 2
    shares = [sum(_share_seen(motion, seen.mechanism, frame, pin, way) for pin in pins) for way in (turned, usual)]
    assert shares[0] >= shares[1] > 0
    # the light stands as much to the left of the camera as it does elsewhere
    sun = np.array(sun_of(seen.setting).towards)
    eye = seen.viewpoint("iso", 1.5).axes[2]
    assert sun @ eye == pytest.approx(np.array(KEY.towards) @ view_axes(VIEWS["iso"])[2])
    assert Film(motion, width=90, height=60).camera(0).axes[2] == pytest.approx(eye)


def test_a_mechanism_whose_pins_face_the_front_is_seen_from_nearly_the_front() -> None:
    for name in ("four_bar", "slider_crank", "walking_figure"):
        seen = shown(name)
        eye = seen.viewpoint("iso", 1.5).axes[2]
        assert 20 <= np.degrees(np.arctan2(abs(eye[0]), -eye[1])) <= 25
        assert 12 <= np.degrees(np.arcsin(eye[2])) <= 20
