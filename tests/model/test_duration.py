"""A model's own duration: in its file, its code, its motion."""

from __future__ import annotations

import json

import jsonschema
import pytest

import mbwidgets as mb
from mbwidgets.files.published_schema import schema


def turning(duration: object) -> mb.Model:
    omega = mb.Parameter("omega", 50.0, min=1, max=500, unit="rad/s")
    disc = mb.Body("disc", mb.Revolute("z"), mass=1, inertia=(0.1, 0.1, 0.2))
    return mb.Model([disc], parameters=[omega], state={"u": [omega], "duration": duration})


def test_the_motion_lasts_as_long_as_the_model_says_with_as_many_frames_as_a_usual_one() -> None:
    motion = mb.simulate(turning(0.25))
    assert motion.t[-1] == 0.25
    assert len(motion) == len(mb.simulate(turning(None))) == 601


def test_what_the_user_gives_comes_before_what_the_model_says() -> None:
    model = turning(0.25)
    assert mb.simulate(model, duration=2).t[-1] == 2
    assert len(mb.simulate(model, rate=100)) == 26
    assert len(mb.simulate(model, duration=0.05)) == 4, "60 frames a second"


def test_a_duration_may_be_an_expression_of_parameters() -> None:
    model = turning("100/omega")
    assert model.duration == 2
    assert model.with_values(omega=100).duration == 1
    assert mb.simulate(model.with_values(omega=400)).t[-1] == 0.25


@pytest.mark.parametrize("wrong", [0, -1, "0*omega", float("inf"), float("nan"), [1], "q[0]"])
def test_a_duration_that_is_none_is_refused_by_its_place(wrong: object) -> None:
    with pytest.raises(mb.MbwidgetsError, match=r"duration|number"):
        turning(wrong)


def test_a_duration_is_kept_by_files_and_by_code() -> None:
    model = turning("100/omega")
    data = json.loads(json.dumps(model.to_dict()))
    jsonschema.validate(data, schema())
    assert mb.Model.from_dict(data) == model
    space: dict[str, object] = {}
    exec(compile(model.to_code(), "model", "exec"), space)  # noqa: S102  our own text
    assert space["model"] == model
    assert turning(1) != turning(2)


def test_a_file_without_a_duration_is_written_and_read_as_before() -> None:
    data = turning(None).to_dict()
    assert data["state"] == {"u": ["omega"]}
    assert mb.Model.from_dict(data).duration is None


def test_the_squeezer_knows_how_long_it_is_worth_watching() -> None:
    motion = mb.simulate(mb.library.andrews_squeezer())
    assert motion.outcome.ok
    assert motion.t[-1] == 0.03
    turns = abs(motion.q[1:, 0] - motion.q[:-1, 0]).max() / 6.283185307179586
    assert turns < 0.05, "the crank is seen to turn: twenty frames a turn and more"
