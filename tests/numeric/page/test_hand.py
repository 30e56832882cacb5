"""A hand in a page does what it does in Python, to the bit: poses, springs, and the motions that they pull."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.files import dumps, loads
from mbwidgets.model.model import Model
from mbwidgets.numeric.simulation.page_problem import page_problem
from mbwidgets.numeric.simulation.pulling import Grip, joint_limits, pull_pose, pulling_forces
from mbwidgets.widgets.edit.page_file import page_file
from tests.numeric.page.solving import FRAMES, NODE, solve

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")

NAMES = [
    "pendulum",
    "three_body_arm",
    "spherical_chain",
    "four_bar",
    "slider_crank",
    "body_on_circle",
    "walking_figure",
]
DURATION = 0.2


def numbers(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype=float)


def case(model: Model, rng: np.random.Generator) -> tuple[dict[str, Any], Grip, np.ndarray, list[float]]:
    start = mb.simulate(model, duration=1e-3, rate=1000)
    index = int(rng.integers(len(model.bodies)))
    grip = Grip(index, tuple(float(item) for item in 0.1 * rng.normal(size=3)))
    place = start.point(index, grip.at).position[0] + 0.4 * rng.normal(size=3)
    limits = [[at, velocity, low, high] for at, velocity, _, low, high in joint_limits(model)]
    hand = {"body": index, "at": list(grip.at), "place": place.tolist(), "limits": limits}
    document = page_problem(model, DURATION, FRAMES)
    return (
        {"document": document, "q": start.q[0].tolist(), "u": start.u[0].tolist(), "hand": hand},
        grip,
        start.q[0],
        place.tolist(),
    )


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_a_hand_in_a_page_does_what_it_does_in_python(twin: bool, rng: np.random.Generator) -> None:
    models = [getattr(mb.library, name)(*([2] if name == "pendulum" else [])) for name in NAMES]
    made = [case(model, rng) for model in models for _ in range(3)]
    answers = solve([item for item, *_ in made], twin, "hand.mjs")["answers"]
    for model, (given, grip, q, place), answer in zip(np.repeat(models, 3), made, answers, strict=True):
        found = pull_pose(model, q, grip, place)
        assert numbers(answer["q"]).tobytes() == found.q.tobytes(), model.name
        assert answer["left"] == found.left
        spring, damper = pulling_forces(model, q, grip, place)
        assert answer["spring"] == [spring.stiffness, damper.damping]
        assert answer["refusal"] == ""
        begins = numbers(answer["start"])[: model.nq]
        turns = np.isclose(begins, found.q, rtol=0, atol=1e-12) | np.isclose(
            np.sin((begins - found.q) / 2), 0, atol=1e-9
        )
        # a parameter may stop at its bound
        bound = [
            name
            for name, value in model.parameters.items()
            if answer["values"][given["document"]["names"].index(name)] in (value.min, value.max)
        ]
        assert turns.all() or bound, model.name
        pulled = model.replace(forces=(*model.forces, spring, damper))
        motion = mb.simulate(
            pulled, q=np.array(given["q"]), u=np.array(given["u"]), duration=DURATION, rate=FRAMES / DURATION
        )
        assert answer["outcome"] == "completed"
        # two springs are added in another order than the efforts that wait for sliders: the same to rounding
        states = numbers(answer["states"][0]).reshape(-1, model.nq)
        np.testing.assert_allclose(states, motion.q, rtol=0, atol=1e-8 * max(1.0, np.abs(motion.q).max()))


def test_a_pose_that_follows_from_parameters_is_written_to_the_model(rng: np.random.Generator) -> None:
    for model in (mb.library.four_bar(), mb.library.body_on_circle()):
        given, *_ = case(model, rng)
        texts = {"json": dumps(model), "code": ""}
        (answer,) = solve([{**given, "texts": texts, "file": page_file(model)}], script="hand.mjs")["answers"]
        read = loads(answer["json"])
        np.testing.assert_allclose(read.q0, numbers(answer["start"])[: model.nq], rtol=0, atol=1e-12)
        changed = {name: value for name, value in read.values.items() if value != model.values[name]}
        assert changed.keys() <= {"phi0"}, "a hand moves bodies and changes no size"


@pytest.mark.parametrize(
    "change",
    [{"body": 7}, {"body": 0.5}, {"at": [0, 0]}, {"place": [0, 0, None]}, {"limits": [[0, 9, 0, 1]]}, {"limits": 3}],
    ids=str,
)
def test_a_hand_that_makes_no_sense_is_refused(change: dict[str, Any], rng: np.random.Generator) -> None:
    given, *_ = case(mb.library.pendulum(2), rng)
    (answer,) = solve([{**given, "hand": {**given["hand"], **change}}], script="hand.mjs")["answers"]
    assert "refused" in answer
