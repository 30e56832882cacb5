"""Letters of joints: at the heads of the pins of a plane mechanism, in stills and in the page, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.kernels.body_vectors import A_C
from mbwidgets.scene.look.palette import QUANTITY
from mbwidgets.scene.look.shell import Role
from mbwidgets.scene.quantities.free_body_quantities import free_body_vectors
from mbwidgets.scene.stage.composition import compose
from mbwidgets.scene.stage.picture import Picture


@pytest.mark.parametrize(("name", "letters"), [("four_bar", "OABD"), ("slider_crank", "OAB"), ("pendulum", "")])
def test_the_pins_of_a_plane_mechanism_have_letters_in_the_order_of_bodies(name: str, letters: str) -> None:
    seen = compose(mb.simulate(getattr(mb.library, name)(), duration=0.2))
    if letters:
        assert "".join(item.text for item in seen.letters) == letters
    assert not {item.text for item in seen.letters} & set("CFGM"), "these are other things"


@pytest.mark.parametrize("name", ["three_body_arm", "gyroscope", "walking_figure", "andrews_squeezer"])
def test_spatial_mechanisms_and_crowds_have_none(name: str) -> None:
    assert compose(mb.simulate(getattr(mb.library, name)(), duration=0.02)).letters == []


def test_a_letter_is_where_the_force_of_its_joint_begins() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=0.3)
    for index in range(3):
        seen = compose(motion, ("force",), [index])
        (arrow,) = seen.arrows
        letter = seen.letters[index]
        at = motion.poses[0][:, letter.body] + motion.rotations[:, letter.body] @ letter.place
        assert at == pytest.approx(arrow.begin, abs=1e-9)


def test_the_stage_has_a_sprite_for_each_and_another_mechanism_takes_them_off() -> None:
    picture = Picture()
    picture.show(mb.simulate(mb.library.four_bar(), duration=0.2))
    names = [[child.name for child in body.group.children] for body in picture.bodies]
    assert [row.count("letter") for row in names] == [1, 2, 1]
    sprites = [child for body in picture.bodies for child in body.group.children if child.name == "letter"]
    picture.show(mb.simulate(mb.library.four_bar().with_values(l2=1.25), duration=0.2))
    again = [child for body in picture.bodies for child in body.group.children if child.name == "letter"]
    assert again == sprites, "a slider makes none anew"
    moved = next(item for item in picture.composition.letters if item.text == "D").place
    assert any(np.allclose(child.position, moved) for child in again)
    picture.show(mb.simulate(mb.library.three_body_arm(), duration=0.2))
    assert not any(child.name == "letter" for body in picture.bodies for child in body.group.children)
    picture.close()


def test_forces_go_by_the_letters_of_their_pins_and_what_one_body_gets_the_other_gives() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=0.3)
    drawn = {
        name: {arrow.label: arrow for arrow in compose(motion, free_body_vectors(motion.model), [k]).arrows}
        for k, name in enumerate(("crank", "coupler", "rocker"))
    }
    assert [sorted(arrows) for arrows in drawn.values()] == [
        ["F_O", "G", "−F_A"],
        ["F_A", "G", "−F_D"],
        ["F_B", "F_D", "G"],
    ]
    for letter, (one, other) in {"A": ("coupler", "crank"), "D": ("rocker", "coupler")}.items():
        first, second = drawn[one][f"F_{letter}"], drawn[other][f"−F_{letter}"]
        assert first.value == pytest.approx(-second.value, abs=1e-6)
        assert first.begin == pytest.approx(second.begin, abs=1e-6)
    # by hand: Newton's law of the rocker
    forces = sum(arrow.value for arrow in drawn["rocker"].values())
    accelerations = motion.body_vectors[:, 2, A_C : A_C + 3]
    assert forces == pytest.approx(motion.model.number(motion.model.bodies[2].mass) * accelerations, abs=1e-6)
    # a loop's pin is a joint
    assert {drawn["rocker"][name].colour for name in ("F_B", "F_D")} == {QUANTITY["force"]}


def test_the_force_of_a_slide_is_normal_to_it_and_goes_by_n_beside_letters_alone() -> None:
    motion = mb.simulate(mb.library.slider_crank(), duration=0.3)
    (arrow,) = compose(motion, ("force",), [2]).arrows
    assert arrow.label == "N"
    axis = [motion.model.number(part) for part in motion.model.bodies[2].joint.axis]
    assert arrow.value @ np.array(axis) == pytest.approx(0, abs=1e-9)
    cart = mb.simulate(mb.library.cart_pendulum(), duration=0.3)
    assert compose(cart, ("force",), [0]).arrows[0].label == "F_R"


def test_a_crank_is_laid_next_to_its_rod() -> None:
    seen = compose(mb.simulate(mb.library.slider_crank(), duration=1))
    away, gauge = seen.setting.upright[1], seen.mechanism.anatomy.gauge
    crank, rod = (
        (shell.points[shell.roles == Role.BODY] @ away + seen.motion.poses[0][0, k] @ away)
        for k, shell in enumerate(seen.bodies[:2])
    )
    assert 0 < crank.min() - rod.max() < 0.5 * gauge
