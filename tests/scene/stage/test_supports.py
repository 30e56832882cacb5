"""What carries a mechanism is substantial: benches under rails, flanged columns, posts that suit their height."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look.shell import Role, Shell
from mbwidgets.scene.stage.composition import Composition, compose
from mbwidgets.scene.stage.feet import foot
from mbwidgets.scene.stage.supports import TALL


def shown(name: str, duration: float = 2.0) -> Composition:
    return compose(mb.simulate(getattr(mb.library, name)(), duration=duration))


def of_role(shell: Shell, *roles: Role) -> np.ndarray:
    return np.asarray(shell.points[np.isin(shell.roles, roles)])


@pytest.mark.parametrize(("name", "body"), [("slider_crank", 2), ("cart_pendulum", 0)])
def test_a_level_slide_has_rails_under_its_block_over_all_of_its_way(name: str, body: int) -> None:
    seen = shown(name)
    up, axis = seen.setting.upright[2], np.eye(3)[0]
    rails, block = of_role(seen.joints[body], Role.STEEL), of_role(seen.bodies[body], Role.BODY)
    assert (rails @ up).max() < (block @ up).min()
    places = seen.motion.poses[0][:, body] @ axis
    assert (rails @ axis).min() < places.min() + (block @ axis).min()
    assert (rails @ axis).max() > places.max() + (block @ axis).max()
    # the bench is as long, and under the rails
    ground = of_role(seen.supports, Role.GROUND)
    bench = ground[np.abs(ground @ up - (rails @ up).min()) < 0.1 * seen.setting.size]
    assert np.ptp(bench @ axis) >= np.ptp(rails @ axis) * (1 - 1e-9)


def test_an_upright_slide_has_rails_on_both_sides_of_its_block() -> None:
    cube = mb.Body("cube", mb.Prismatic("z"), inertia=mb.Box((0.2, 0.2, 0.2), mass=1))
    spring = mb.Spring(None, "cube", stiffness=100, length=0.5)
    seen = compose(mb.simulate(mb.Model([cube], forces=[spring], state={"q": [0.5]}), duration=1))
    rails = of_role(seen.joints[0], Role.STEEL)
    sides = rails - rails.mean(axis=0)
    assert np.linalg.norm(sides[:, :2], axis=1).min() > 0.1


def test_a_column_is_as_wide_as_what_stands_on_it_and_has_a_bolted_flange() -> None:
    seen = shown("three_body_arm", 0.5)
    points = seen.supports.points
    heights = points @ seen.setting.upright[2]
    across = np.linalg.norm(points[:, :2], axis=1)
    head = across[heights > heights.max() - 0.02].max()
    # the arm's base is a cylinder of radius 0.05 m
    assert head == pytest.approx(0.05, rel=0.02)
    assert across.max() > 1.5 * head
    assert len(of_role(seen.supports, Role.STEEL))


@pytest.mark.parametrize("name", ["four_bar", "body_on_circle", "slider_crank"])
def test_posts_are_as_thick_as_their_height_asks_for(name: str) -> None:
    seen = shown(name)
    up, ground = seen.setting.upright[2], of_role(seen.supports, Role.GROUND)
    heights = ground @ up - seen.setting.floor
    side = ground @ seen.setting.upright[0]
    # all that is far above the feet, in the column of the leftmost post
    high = heights > 0.5 * heights.max()
    left = side[high].min()
    post = high & (side < left + 0.1 * seen.setting.size)
    assert np.ptp(side[post]) > 2 * TALL * 0.5 * heights.max()


def test_a_slender_bar_on_pins_is_a_machined_link_of_its_length() -> None:
    seen = shown("four_bar", 0.5)
    for shell, length in zip(seen.bodies, (0.5, 1.2, 1.0), strict=True):
        plate = of_role(shell, Role.BODY)
        assert (shell.roles == Role.POCKET).any()
        # an eye beyond the pin at either end
        radius = 0.5 * np.ptp(plate[:, 1])
        assert np.ptp(plate[:, 0]) == pytest.approx(length + (1 + 0.84) * radius, rel=0.01)


@pytest.mark.parametrize("name", ["andrews_squeezer", "walking_figure"])
def test_a_spring_fixed_in_the_air_hangs_on_a_post_behind_all_that_moves(name: str) -> None:
    seen = shown(name, 0.03)
    up, away = seen.setting.upright[2], seen.setting.upright[1]
    ground = of_role(seen.supports, Role.GROUND, Role.RIDGE)
    anchor = next(span.ends[0, k] for span in seen.spans for k in (0, 1) if not np.ptp(span.ends[:, k], axis=0).any())
    high = ground @ up > anchor @ up - 0.05 * seen.setting.size
    places, turns = seen.motion.poses[0][0], seen.motion.rotations[0]
    back = max(float(((places[k] + s.points @ turns[k].T) @ away).max()) for k, s in enumerate(seen.bodies))
    # the arm reaches from the spring to behind the bodies
    assert (ground[high] @ away).min() <= anchor @ away
    assert (ground[high] @ away).max() > back
    assert (ground @ up).min() == pytest.approx(seen.setting.floor, abs=1e-9)


def test_a_bar_on_a_circle_is_a_link_on_a_pin_where_it_stays_in_the_plane() -> None:
    model = mb.library.body_on_circle()
    plane = compose(mb.simulate(model, duration=0.1)).bodies[0]
    assert (plane.roles == Role.POCKET).any()
    pin = of_role(plane, Role.PIN)
    assert np.ptp(pin[:, 2]) > 0.9 * np.ptp(pin[:, 0])  # with the collar about the wire
    loose = model.replace(constraints=model.constraints[:1])
    space = compose(mb.simulate(loose, duration=0.1)).bodies[0]
    assert not (space.roles == Role.POCKET).any()


@pytest.mark.parametrize("axis", ["z", (0, 0, -1)])
def test_a_column_that_slides_upright_has_a_sleeve_that_holds_it_over_all_of_its_way(axis: object) -> None:
    lift = mb.Body("lift", mb.Prismatic(axis), inertia=mb.Cylinder(0.05, 1, axis="z", mass=1))
    spring = mb.Spring((None, (0, 0, 1)), "lift", stiffness=100, length=1)
    seen = compose(mb.simulate(mb.Model([lift], forces=[spring]), duration=2))
    ground = of_role(seen.supports, Role.GROUND, Role.RIDGE)
    # without the plate of the spring
    about = ground[(np.linalg.norm(ground[:, :2], axis=1) < 0.08) & (ground[:, 2] < 0.8)]
    ends = seen.motion.poses[0][:, 0, 2] - 0.5
    assert np.ptp(ends) > 0.1
    assert about[:, 2].max() > ends.max()
    assert about[:, 2].min() == pytest.approx(seen.setting.floor, abs=1e-9)
    above = about[about[:, 2] > seen.setting.floor + 0.02]  # the flange
    assert np.linalg.norm(above[:, :2], axis=1).min() > 0.05


@pytest.mark.parametrize("hangs", [False, True])
def test_the_hatching_of_a_foot_stays_on_it_and_is_seen(hangs: bool) -> None:
    made = foot(1.0, hangs)
    plate, hatch = of_role(made, Role.GROUND, Role.RIDGE), of_role(made, Role.HATCH)
    assert len(hatch) >= 40
    assert (np.abs(hatch[:, [0, 2]]) < np.abs(plate[:, [0, 2]]).max(axis=0)).all()
    assert (hatch[:, 1] < 0).all() if hangs else (hatch[:, 1] > plate[:, 1].max()).all()


def test_what_goes_on_a_level_plane_has_a_table_under_all_of_its_path() -> None:
    puck = mb.Body("puck", mb.Planar("z"), mass=1, com=(0, 0, 0.1), inertia=(1, 1, 1))
    seen = compose(mb.simulate(mb.Model([puck], state={"u": [0.1, -0.04, 1.0]}), duration=1))
    ground, path = of_role(seen.supports, Role.GROUND, Role.RIDGE), seen.motion.poses[0][:, 0]
    top = ground[ground[:, 2] > ground[:, 2].max() - 0.01]
    assert (top[:, :2].min(axis=0) < path[:, :2].min(axis=0)).all()
    assert (top[:, :2].max(axis=0) > path[:, :2].max(axis=0)).all()
    assert top[:, 2].max() < seen.bodies[0].points[:, 2].min() + 1e-9
    # lit from above: no face of the table is turned inside out
    shell = seen.supports
    high = (shell.points[:, 2] > ground[:, 2].max() - 1e-9) & (shell.roles == Role.GROUND)
    assert (shell.normals[high, 2] > 0).all()
    wall = compose(mb.simulate(mb.Model([puck.replace(joint=mb.Planar("y"))], gravity=(0, 0, 0)), duration=0.1))
    assert len(wall.joints[0]), "a frame that hides nothing"
