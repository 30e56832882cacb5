"""The file and the code that a page writes of a model whose numbers it has moved are those of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.simulation.page_problem import page_problem
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.widgets.edit.page_file import page_file
from mbwidgets.widgets.edit.places import editable_places
from mbwidgets.widgets.parts.model_panel import ModelPanel
from tests.numeric.page.solving import NODE, solve

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")
MOVES = 6
"""Sliders a model, one after the other."""


def moves_of(model: Model, random: np.random.Generator) -> list[tuple[Model, list[Any]]]:
    """Random moves of sliders that Python takes: the models one after the other, and keys with values."""
    found: list[tuple[Model, list[Any]]] = []
    present = model
    movable = {*page_problem(model, 1.0, 2)["names"], *page_problem(model, 1.0, 2)["moves"]["aliases"]}
    driven: set[str] = set()
    while len(found) < MOVES:
        index = int(random.integers(len(model.bodies)))
        places = [
            place
            for place in editable_places(present, index, model_size(model))
            if not place.note and not place.options and place.key in movable - driven
        ]
        place = places[int(random.integers(len(places)))]
        value = float(random.uniform(place.low, place.high))
        try:
            present = place.write(present, value)
        except mb.MbwidgetsError:
            continue
        found.append((present, [place.key, value]))
        if place.key.startswith("effort"):  # several of them stand in the order of the joints, not of the moves
            driven = {key for key in movable if key.startswith("effort")} - {place.key}
    return found


def case(model: Model, moves: list[Any]) -> dict[str, Any]:
    state = ModelPanel.state_of(model)
    texts = {"json": state["json"], "code": state["code"]}
    return {"document": page_problem(model, 1.0, 2), "moves": moves, "texts": texts, "file": page_file(model)}


def made_by(code: str) -> Model:
    space: dict[str, Any] = {}
    exec(compile(code, "model", "exec"), space)  # noqa: S102  our own text
    return space["model"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", mb.library.names())
def test_the_file_of_a_page_is_that_of_the_moved_model(name: str, seed: int) -> None:
    model = getattr(mb.library, name)()
    steps = moves_of(model, np.random.default_rng(seed))
    (answer,) = solve([case(model, [move for _, move in steps])], script="move.mjs")["answers"]
    for (expected, move), found in zip(steps, answer["steps"], strict=True):
        assert found["refusal"] == "", move
        assert found["json"] == ModelPanel.state_of(expected)["json"], move
        assert made_by(found["code"]) == expected, move


def test_what_was_not_moved_is_written_as_it_was() -> None:
    model = mb.library.three_body_arm()
    (answer,) = solve([case(model, [["parameter m2", 5.0]])], script="move.mjs")["answers"]
    state = ModelPanel.state_of(model)
    assert answer["steps"][0]["json"] == state["json"]
    assert answer["steps"][0]["code"] == state["code"]


def test_a_start_that_is_moved_keeps_the_duration_of_the_motion() -> None:
    model = mb.library.andrews_squeezer()
    place = next(item for item in editable_places(model, 0, 1.0) if item.key == "u 0")
    assert model.state.duration is not None
    assert place.write(model, 0.5).state.duration == model.state.duration
