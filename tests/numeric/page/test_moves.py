"""A slider moves the same numbers in a page as in Python, to the bit, and is refused in the same words."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.packing.pack import lettered_recipe
from mbwidgets.numeric.simulation.page_problem import page_problem
from mbwidgets.widgets.edit.places import editable_places
from tests.numeric.page.solving import FRAMES, NODE, solve, values_of
from tests.thorough import THOROUGH

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")

MOVES = 500 if THOROUGH else 50
"""One after the other in each of the twenty models."""
FUZZED = 5000 if THOROUGH else 400
WILD: list[Any] = [None, True, -1, 0, 1, 0.5, 1e9, "", "0", "q 0", "x" * 2000, [], {}, [[]], ["1", "0"], ["-1", "3"]]
WILD += [{"__proto__": 1}, "__proto__", "constructor", -(2**31), 2**53, [0, 1, 2], "inertia 0 00", "axis 0 x", "finite"]


def _document(model: Model) -> dict[str, Any]:
    return page_problem(model, 0.1, FRAMES)


def _bits(document: dict[str, Any], model: Model) -> bytes:
    return np.array(values_of(document, {**model.values, **lettered_recipe(model)[1]})).tobytes()


class _Moves:
    """Moves of a model one after the other: what they leave, or how they were refused."""

    def __init__(self, model: Model) -> None:
        self.model, self.document = model, _document(model)
        self.azimuths: dict[str, float] = {}
        self.moves: list[tuple[str, float]] = []
        self.found: list[tuple[float, str, bytes]] = []

    def move_at_random(self, random: np.random.Generator) -> None:
        index = int(random.integers(len(self.model.bodies)))
        places = editable_places(self.model, index, 1.0, self.azimuths)
        places = [place for place in places if not place.note and not place.options]
        place = places[int(random.integers(len(places)))]
        middle, reach = 0.5 * (place.low + place.high), 0.6 * (place.high - place.low)
        # now and then beyond the range of the slider, and often what a person types
        value = round(float(middle + reach * random.uniform(-1, 1)), int(random.choice([1, 3, 16])))
        before, words = place.read(self.model), ""
        try:
            self.model = place.write(self.model, value)
        except mb.MbwidgetsError as error:
            words = str(error)
        self.moves.append((place.key, value))
        self.found.append((before, words, _bits(self.document, self.model)))


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_moves_leave_the_same_bits_and_are_refused_in_the_same_words(twin: bool, seed: int) -> None:
    random, runs = np.random.default_rng(seed + twin), []
    for name in mb.library.names():
        runs.append(_Moves(getattr(mb.library, name)()))
        for _ in range(MOVES // 5 if twin else MOVES):
            runs[-1].move_at_random(random)
    answers = solve([{"document": run.document, "moves": run.moves} for run in runs], twin, "move.mjs")["answers"]
    refused = 0
    for run, answer in zip(runs, answers, strict=True):
        for move, (before, words, bits), step in zip(run.moves, run.found, answer["steps"], strict=True):
            assert step["refusal"] == words, (run.model.name, move)
            assert base64.b64decode(step["values"]) == bits, (run.model.name, move)
            assert step["before"] == before, (run.model.name, move)
            refused += words != ""
    assert refused > sum(len(run.moves) for run in runs) // 50


def _rod(**more: Any) -> mb.Body:
    return mb.Body("rod", mb.Revolute("x"), mass=1, com=(0, 0, -1), **more)


def _parametric() -> Model:
    """Numbers of all sorts that must be positive, finite, or a direction."""
    names = ("k", "c", "f", "e", "d", "a", "m", "s")
    p = {name: mb.Parameter(name, 1.0) for name in names}
    guided = mb.Body("bead", mb.Free(), mass=p["m"], inertia=mb.Box((p["s"], 1, 1)), parent=mb.ground)
    crossed = mb.Body("fork", mb.Universal("x", (0, p["a"], 1)), mass=1, inertia=(1, 1, 1), com=(0, 0, 1 / p["d"]))
    forces = [
        mb.JointSpring("rod", p["k"]),
        mb.JointDamper("rod", p["c"]),
        mb.JointFriction("rod", coulomb=p["f"], smoothing=p["e"]),
        mb.Force("rod", (mb.sqrt(p["d"]), 0, 0)),
    ]
    rope = mb.DistanceConstraint(None, "bead", p["d"])
    return mb.Model([_rod(), crossed, guided], forces=forces, constraints=[rope], gravity=(0, 0, 1 / (p["f"] - 3)))


def test_parameters_are_refused_in_the_words_of_python() -> None:
    model = _parametric()
    document = _document(model)
    moves = [(name, value) for name in model.parameters for value in (-2.0, 0.0, 3.0, 1e-7, -1e22, math.inf, math.nan)]
    cases = [{"document": document, "moves": [(f"parameter {name}", str(value))]} for name, value in moves]
    refused = 0
    for (name, value), answer in zip(moves, solve(cases, script="move.mjs")["answers"], strict=True):
        words = ""
        try:
            model.with_values(**{name: value})
        except mb.MbwidgetsError as error:
            words = str(error)
        assert answer["steps"][0]["refusal"] == words, (name, value)
        refused += words != ""
    assert refused > len(moves) // 2


def _damaged(value: Any, random: np.random.Generator) -> Any:
    """A value of a document with something inside it changed, taken away or put in."""
    if isinstance(value, list | dict) and len(value) and random.random() < 0.9:
        copy = value.copy()
        keys = list(range(len(value))) if isinstance(value, list) else list(value)
        key = keys[int(random.integers(len(keys)))]
        kind = random.random()
        if kind < 0.1:
            del copy[key]
        elif kind < 0.2 and isinstance(copy, list):
            copy.append(_damaged(copy[key], random))
        elif kind < 0.2 and isinstance(copy, dict):
            copy[str(WILD[int(random.integers(len(WILD)))])] = copy.pop(key)
        else:
            copy[key] = _damaged(value[key], random)
        return copy
    return WILD[int(random.integers(len(WILD)))]


def _damaged_numbers(text: str, random: np.random.Generator) -> str:
    """The programs of the rules with a number changed, or cut."""
    numbers = np.frombuffer(base64.b64decode(text), dtype="<f8").copy()
    place = int(random.integers(len(numbers)))
    numbers[place] = random.choice([math.nan, math.inf, -1.0, 0.0, 0.5, 1e308, 2.0**31, 7.0, numbers[place] + 1])
    return base64.b64encode(numbers[: place if random.random() < 0.1 else None].tobytes()).decode("ascii")


def test_damaged_moves_are_refused_or_made_and_never_trap(seed: int) -> None:
    random, cases = np.random.default_rng(seed), []
    documents = [_document(getattr(mb.library, name)()) for name in mb.library.names()]
    for k in range(FUZZED):
        document = documents[k % len(documents)]
        key = ("names", "values", "moves", "moves", "rules")[int(random.integers(5))]
        changed = _damaged_numbers(document[key], random) if key == "rules" else _damaged(document[key], random)
        document = document | {key: changed}
        names = [*documents[k % len(documents)]["names"], "axis 0 0", "axis 0 1", "second 0 1", "inertia 9 00", "", "x"]
        chosen = [str(names[int(random.integers(len(names)))]) for _ in range(5)]
        cases.append({"document": document, "moves": [(name, float(random.normal())) for name in chosen]})
    answers = solve(cases, script="move.mjs")["answers"]
    refused = sum("refused" in answer for answer in answers)
    assert FUZZED // 10 < refused < FUZZED
