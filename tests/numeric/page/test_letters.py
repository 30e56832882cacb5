"""Plain numbers of a model are variables of a page's problem: moved there, they give the bits of a model built anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.packing.pack import lettered_recipe, recipe_of
from mbwidgets.numeric.simulation.page_problem import page_problem
from mbwidgets.widgets.edit.place import Place
from mbwidgets.widgets.edit.places import editable_places
from tests.numeric.page.solving import FRAMES, NODE, assert_same, duration_of, solve, values_of
from tests.thorough import THOROUGH

MOVED = 40 if THOROUGH else 3
"""Settings a model; twenty models."""
MOVES = 6
"""Letters that are moved, one after the other, in each."""


def movable_places(model: Model, random: np.random.Generator) -> list[Place]:
    """The places of a random body that a slider can move, but for the kind of its joint."""
    index = int(random.integers(len(model.bodies)))
    return [place for place in editable_places(model, index, 1.0) if not place.note and not place.options]


def moved_at_random(model: Model, random: np.random.Generator) -> Model:
    """A model some of whose numbers sliders have moved a little; what no mechanism has is left out."""
    for _ in range(MOVES):
        places = movable_places(model, random)
        place = places[int(random.integers(len(places)))]
        value = place.read(model) + 0.02 * (place.high - place.low) * float(random.uniform(-1, 1))
        try:
            model = place.write(model, value)
        except mb.MbwidgetsError:
            continue
    return Model.from_dict(model.to_dict())


def values_at(document: dict[str, Any], model: Model) -> list[float]:
    """The values of a document's names in another model of the same kind."""
    return values_of(document, {**model.values, **lettered_recipe(model)[1]})


@pytest.mark.skipif(NODE is None, reason="there is no node")
@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_moved_numbers_give_the_bits_of_a_model_built_anew(twin: bool, seed: int) -> None:
    random, cases, wanted = np.random.default_rng(seed), [], []
    for name in mb.library.names():
        model = getattr(mb.library, name)()
        document = page_problem(model, duration_of(model), FRAMES)
        for _ in range(1 if twin else MOVED):
            wanted.append(moved_at_random(model, random))
            cases.append({"document": document, "values": values_at(document, wanted[-1])})
    found = solve(cases, twin)["answers"]
    completed = sum(assert_same(model, answer) for model, answer in zip(wanted, found, strict=True))
    assert completed >= len(wanted) // 2


@pytest.mark.parametrize("name", mb.library.names())
def test_every_place_that_a_slider_moves_is_a_letter_or_a_parameter(name: str) -> None:
    model = getattr(mb.library, name)()
    names = set(page_problem(model, 0.1, 1)["names"])
    for index in range(len(model.bodies)):
        for place in editable_places(model, index, 1.0):
            angle = place.unit == "°"
            alias = place.title.rpartition(" = ")[2]
            if not place.note and not place.options and not angle:
                assert place.key in names or place.key.removeprefix("parameter ") in names or alias in names, place


def test_an_effort_of_nothing_changes_no_bit() -> None:
    for name in mb.library.names():
        model = getattr(mb.library, name)()
        made, letters = lettered_recipe(model)
        assert made.start({**model.values, **letters})[0].tobytes() == recipe_of(model).start(model.values)[0].tobytes()
        assert {key: value for key, value in letters.items() if key.startswith("effort")} == {
            place.key: place.read(model)
            for index in range(len(model.bodies))
            for place in editable_places(model, index, 1.0)
            if place.key.startswith("effort") and not place.note
        }


def test_constant_efforts_are_added_last_wherever_they_stand() -> None:
    rod = mb.Body("rod", mass=1, com=(0, 0, -1), joint=mb.Revolute(axis=(1, 0, 0)))
    others = [mb.JointSpring("rod", 0.3), mb.JointDamper("rod", 0.7)]
    efforts = [mb.Effort("rod", 0.1), mb.Effort("rod", 0.2)]
    models = [
        mb.Model([rod], forces=forces)
        for forces in ([*efforts, *others], [efforts[0], *others, efforts[1]], [*others, mb.Effort("rod", 0.1 + 0.2)])
    ]
    first, *rest = [mb.simulate(model, duration=1).q.tobytes() for model in models]
    assert all(found == first for found in rest)


def test_a_normal_of_a_planar_joint_is_a_letter() -> None:
    body = mb.Body("plate", mb.Planar((0.6, 0.0, 0.8)), mass=1, inertia=(1, 1, 1), com=(0.1, 0, 0))
    model = mb.Model([body])
    turned = model.with_joint(0, axis=(0.0, 0.28, -0.96))
    made, letters = lettered_recipe(model)
    _, others = lettered_recipe(turned)
    moved = made.recipe.numbers({**letters, **others})
    assert moved.tobytes() == lettered_recipe(turned)[0].recipe.numbers(others).tobytes()


def test_an_inertia_moved_by_hand_leaves_the_mass_of_a_solid() -> None:
    model = mb.library.gyroscope()
    body = model.bodies[0]
    place = {item.key: item for item in editable_places(model, 0, 1.0)}["inertia 0 11"]
    moved = place.write(model, 0.04).bodies[0]
    assert (moved.mass, moved.com) == (body.mass, body.com)
    assert moved.inertia[1][1] == 0.04
