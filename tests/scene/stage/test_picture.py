"""The picture in the kernel: what is sent, what is kept, what is freed."""

from __future__ import annotations

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.numeric.base.outcome import Budget, Result
from mbwidgets.scene.quantities.motion_quantities import quantity_names
from mbwidgets.scene.stage.drawn_arrows import LONGEST
from mbwidgets.scene.stage.picture import Picture


def numbers(data: bytes, *shape: int) -> np.ndarray:
    return np.frombuffer(data, dtype=np.float32).reshape(shape)


@pytest.fixture
def picture():
    made = Picture()
    yield made
    made.close()


def test_the_player_holds_the_motion_as_it_was_computed(picture: Picture) -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=2)
    picture.show(motion, ("force",), (1,))
    player = picture.player
    poses = numbers(player.poses, 121, 3, 7)
    # float32 has seven digits
    assert np.allclose(poses[:, :, :3], motion.poses[0], rtol=1e-6, atol=1e-6)
    assert np.allclose(np.abs(np.sum(poses[:, :, 3:] * motion.poses[1], axis=2)), 1, rtol=0, atol=1e-6)
    vectors = numbers(player.vectors, 121, 1, 6)
    assert np.allclose(vectors[:, 0, 3:], motion.reactions(1)[:, :3], rtol=1e-6, atol=1e-4)
    assert numbers(player.times, 121)[-1] == pytest.approx(2)


def test_arrows_of_one_unit_have_one_scale_that_suits_the_longest_of_them(picture: Picture) -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=5)
    picture.show(motion, ("force", "weight", "moment"), (0, 1, 2))
    vectors = numbers(picture.player.vectors, 301, 9, 6)
    lengths = np.linalg.norm(vectors[:, :, 3:], axis=2) * picture.player.lengths
    assert picture.scales["force"] == picture.scales["weight"]
    for columns in (slice(0, 6), slice(6, 9)):
        # a step of 1, 2 and 5 is at most two and a half wide; float32 has seven digits
        assert lengths[:, columns].max() / picture.stage.radius > LONGEST / 2.5 * (1 - 1e-6)
        assert lengths[:, columns].max() / picture.stage.radius < LONGEST * (1 + 1e-6)


def test_the_arrows_of_a_violent_motion_stay_on_the_stage(picture: Picture) -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=10)
    picture.show(motion, ("force",), (0,))
    vectors = numbers(picture.player.vectors, 601, 1, 6)
    lengths = np.linalg.norm(vectors[:, 0, 3:], axis=1) * picture.player.lengths[0] / picture.stage.radius
    # float32 has seven digits
    assert lengths.max() < LONGEST * (1 + 1e-6)


def test_a_scale_can_be_set_by_hand(picture: Picture) -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=1)
    picture.show(motion, ("force", "weight"), (0,), scales={"weight": 0.125}, magnify=2.0)
    automatic, given = picture.player.lengths
    assert given == 0.25
    assert automatic != given


def test_several_bodies_have_labels_of_their_own(picture: Picture) -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.1)
    picture.show(motion, ("force", "coupled rotators"), (0, 1, 2))
    assert [item.label for item in picture.shown] == ["F_R₁", "F_R₂", "F_R₃", "ℜ₁₂₂", "ℜ₁₃₃", "ℜ₂₃₃"]
    assert picture.player.quantities == ["force"] * 3 + ["coupled rotators"] * 3


def test_a_theory_that_does_not_cover_the_model_says_so_and_draws_nothing(picture: Picture) -> None:
    motion = mb.simulate(mb.library.spherical_chain(2), duration=0.1)
    picture.show(motion, ("force", "rotator"), (0,))
    assert [item.key for item in picture.shown] == ["force"]
    assert "ball" in picture.missing["rotator"] or "spherical" in picture.missing["rotator"]


def test_a_quantity_that_is_zero_has_no_arrow_and_no_division(picture: Picture) -> None:
    motion = mb.simulate(mb.library.three_body_arm().with_values(g=0), duration=0.1)
    picture.show(motion, ("weight",), (0,))
    assert picture.player.lengths == [0.0]


def test_changes_of_numbers_make_no_new_widgets(picture: Picture) -> None:
    arm = mb.library.three_body_arm()
    for index in range(3):
        picture.show(mb.simulate(arm, duration=0.5), quantity_names(), (index,), index)
    picture.trails([(np.zeros((31, 3)), "#000000")])
    before = len(_instances)
    for k in range(30):
        model = arm.with_values(m2=1 + k / 10, l2=0.3 + k / 50).with_joint("fore", axis=(1, k, 2))
        motion = mb.simulate(model, duration=0.5)
        picture.show(motion, quantity_names(), (k % 3,), k % 3)
        picture.trails([(motion.poses[0][:, 1], "#112233")])
    assert len(_instances) == before


def test_another_mechanism_replaces_the_bodies_and_frees_them(picture: Picture) -> None:
    arm, top = mb.library.three_body_arm(), mb.library.spinning_top()
    counts = []
    for _ in range(3):
        for model in (arm, top):
            picture.show(mb.simulate(model, duration=0.1), ("force",), (0,), 0)
        counts.append(len(_instances))
    assert counts[0] == counts[1] == counts[2]
    assert len(picture.bodies) == 1


def test_the_camera_holds_the_whole_of_a_motion_that_came_in_two_parts(picture: Picture) -> None:
    model = mb.library.pendulum(2)
    whole, part = mb.simulate(model), mb.simulate(model, budget=Budget(evaluations=200))
    assert part.outcome.result is Result.BUDGET
    picture.show(part)
    first = picture.stage.camera.position
    picture.show(whole)
    assert picture.stage.camera.position != first
    other = Picture()
    other.show(whole)
    assert picture.stage.camera.position == other.stage.camera.position
    other.close()
    # from then on it stays, whatever a slider does
    picture.stage.camera.position = (1.0, 2.0, 3.0)
    picture.show(mb.simulate(model, budget=Budget(evaluations=200)))
    picture.show(whole)
    assert picture.stage.camera.position == (1.0, 2.0, 3.0)


def test_closing_frees_every_widget() -> None:
    before = set(_instances)
    picture = Picture()
    motion = mb.simulate(mb.library.gyroscope(), duration=0.1)
    picture.show(motion, quantity_names(), (0, 1), 1)
    picture.trails([(motion.poses[0][:, 1], "#112233")])
    assert len(_instances) > len(before) + 50
    picture.stage.renderer.layout.close()
    picture.player.layout.close()
    picture.close()
    left = [type(_instances[key]).__name__ for key in set(_instances) - before]
    assert left == []


def test_values_beyond_single_precision_are_sent_without_a_warning(picture: Picture) -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=0.1)
    picture.player.load(motion.t, np.full((7, 1, 7), 1e300))
    assert np.isinf(numbers(picture.player.poses, 7, 1, 7)).all()


def test_a_tube_changes_its_bore_in_place(picture: Picture) -> None:
    inner = mb.Parameter("inner", 0.1, min=0.05, max=0.3)
    model = mb.Model([mb.Body("tube", inertia=mb.Tube(0.4, inner, 0.2, mass=1))])
    picture.show(mb.simulate(model, duration=0.1))
    mesh = picture.bodies[0].meshes[0]
    before = mesh.geometry.attributes["position"].array.copy()
    picture.show(mb.simulate(model.with_values(inner=0.3), duration=0.1))
    assert picture.bodies[0].meshes[0] is mesh
    assert not np.allclose(mesh.geometry.attributes["position"].array, before)


def test_an_arrow_has_a_foot_where_it_acts_and_a_direction_has_none() -> None:
    picture = Picture()
    picture.show(mb.simulate(mb.library.three_body_arm(), duration=0.1), ("axis", "force"), (1,))
    feet = ["foot" in [mesh.name for mesh in group.children] for group in picture.player.arrows]
    assert feet == [False, True]
    picture.close()
