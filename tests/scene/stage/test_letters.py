"""Letters of joints: at the heads of the pins of a plane mechanism, in stills and in the page, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
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
