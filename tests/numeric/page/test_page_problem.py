"""A page solves a motion by itself: the same numbers as Python, to the bit, and nothing from a damaged file."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.base.outcome import Result
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.simulation.page_lines import line_ends
from mbwidgets.numeric.simulation.page_problem import page_problem
from tests.numeric.page.solving import FRAMES, NODE, SECONDS, assert_same, duration_of, solve, values_of
from tests.thorough import THOROUGH

SETTINGS = 50 if THOROUGH else 4
"""Random values a model; twenty models."""
FUZZED = 5000 if THOROUGH else 300
FUZZED_INPUTS = 500 if THOROUGH else 60

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")


def _settings(model: Model, random: np.random.Generator, count: int) -> list[dict[str, float]]:
    """Values within a fifth of the model's own, and within bounds; those that no mechanism has are left out."""
    found: list[dict[str, float]] = []
    while len(found) < count:
        values = {}
        for name, parameter in model.parameters.items():
            low = -math.inf if parameter.min is None else float(parameter.min)
            high = math.inf if parameter.max is None else float(parameter.max)
            values[name] = float(np.clip(float(parameter.value) * random.uniform(0.8, 1.2), low, high))
        try:
            model.with_values(**values)
        except mb.MbwidgetsError:
            continue
        found.append(values)
    return found


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_page_and_python_agree_to_the_bit_at_random_settings(twin: bool, seed: int) -> None:
    random, cases, wanted = np.random.default_rng(seed), [], []
    for name in mb.library.names():
        model = getattr(mb.library, name)()
        document = page_problem(model, duration_of(model), FRAMES)
        for values in _settings(model, random, 1 if twin else SETTINGS):
            cases.append({"document": document, "values": values_of(document, values)})
            wanted.append(Model.from_dict(model.with_values(**values).to_dict()))
    found = solve(cases, twin)["answers"]
    completed = sum(assert_same(model, answer) for model, answer in zip(wanted, found, strict=True))
    assert completed >= len(wanted) // 2


def test_a_loop_that_cannot_close_is_refused_alike() -> None:
    model = mb.library.four_bar()
    model = model.replace(parameters=[mb.Parameter(name, value) for name, value in model.values.items()])
    document = page_problem(model, 0.4, FRAMES)
    lengths = {name: value for name, value in model.values.items() if name.startswith("l")}
    longest = max(lengths, key=lambda name: float(lengths[name]))
    values = {**model.values, longest: 10 * float(lengths[longest])}
    answer = solve([{"document": document, "values": values_of(document, values)}])["answers"][0]
    motion = mb.simulate(model.with_values(**{longest: values[longest]}), duration=0.4, rate=30)
    assert answer["outcome"] == "open"
    assert motion.outcome.result is Result.CONTRADICTORY


def test_a_value_that_makes_a_number_infinite_is_told() -> None:
    a = mb.Parameter("a", 1.0)
    model = mb.Model([mb.Body("rod", mass=1, com=(0, 0, 1 / a), joint=mb.Revolute(axis=(1, 0, 0)))])
    document = page_problem(model, 1.0, FRAMES)
    assert (
        solve([{"document": document, "values": values_of(document, {"a": 0.0})}])["answers"][0]["outcome"]
        == "not finite"
    )


@pytest.mark.parametrize("other", [{"format": 2}, {"kernels": "0" * 64}])
def test_a_problem_of_another_version_is_refused_and_says_so(other: dict[str, Any]) -> None:
    document = page_problem(mb.library.pendulum(1), 1.0, FRAMES) | other
    answer = solve([{"document": document, "values": document["values"]}])["answers"][0]
    assert answer["outcome"] == "refused"
    assert "another version" in answer["why"]


INPUTS = (
    "sin(f*t) - k*q[0]",
    "exp(-(20*(t - f/4))**2)",
    "sign(sin(9*f*t)) + abs(t - k/5)",
    "where(t - f/5, k, -k*q[0])",
    "min(t, f/6)*max(cos(5*t), k/9) + atan2(sin(8*t), cos(f*8*t))",
    "tanh(30*(t - k/9)) + sqrt((t - f/7)**2)*u[0]",
    "log(1 + t)*tan(f*t/3) + acos(t/9) - asin(t/(9*k)) + atan(t**9)/(t**2 + f/50)",
)
"""Of time, and of parameters that change where they bend, jump or hide a pulse."""


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_inputs_of_time_are_seen_alike_at_random_settings(twin: bool, seed: int) -> None:
    random, cases, wanted = np.random.default_rng(seed), [], []
    f, k = mb.Parameter("f", 2.0), mb.Parameter("k", 3.0)
    rod = mb.Body("rod", mass=1, com=(0, 0, -1), joint=mb.Revolute(axis=(1, 0, 0)))
    for text in INPUTS:
        model = mb.Model([rod], forces=[mb.Effort("rod", text)], parameters=[f, k])
        document = page_problem(model, 0.4, FRAMES)
        for _ in range(1 if twin else SETTINGS):
            values = {name: float(random.uniform(0.5, 4)) for name in ("f", "k")}
            cases.append({"document": document, "values": values_of(document, values)})
            wanted.append(model.with_values(**values))
    for model, answer in zip(wanted, solve(cases, twin)["answers"], strict=True):
        assert assert_same(model, answer)


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_forces_of_time_and_state_are_seen_alike_at_random_settings(twin: bool, seed: int) -> None:
    """Springs, dampers and gravity that vary: the page draws each spring once, and solves to the same bits."""
    random, k = np.random.default_rng(seed), mb.Parameter("k", 50.0)
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01))
    slide = mb.Body("slide", mb.Prismatic("x", at=(0, 0, -1)), mass=2, inertia=(1, 1, 1))
    forces = [
        mb.Spring((None, (1, 0, 0)), "slide", stiffness="k*(1 + 0.5*sin(t))", length="0.1 + 0.05*q[rod]"),
        mb.Spring((None, (0, 1, 0)), "slide", stiffness="k + u[slide]**2", length=0.2),
        mb.Damper("rod", "slide", damping="0.1*t"),
        mb.JointSpring("rod", "k/10*(1 + q[slide]**2)", rest="0.1*sin(t)"),
        mb.Gravity((0, "k/50", "sin(t)")),
    ]
    model = mb.Model([rod, slide], forces=forces, parameters=[k], state={"q": [1.0, 0.1]})
    assert len(line_ends(pack_model(model))[0]) == 3
    document, cases, wanted = page_problem(model, 0.4, FRAMES), [], []
    for value in random.uniform(20, 80, size=1 if twin else SETTINGS):
        cases.append({"document": document, "values": values_of(document, {"k": float(value)})})
        wanted.append(model.with_values(k=float(value)))
    for other, answer in zip(wanted, solve(cases, twin)["answers"], strict=True):
        assert assert_same(other, answer)


ARRAYS = ("template", "steps", "machine", "groups")


def _damaged(document: dict[str, Any], random: np.random.Generator, arrays: tuple[str, ...] = ARRAYS) -> dict[str, Any]:
    """A document with one to three numbers, or the length of an array, changed."""
    changed = dict(document)
    for _ in range(int(random.integers(1, 4))):
        if arrays is ARRAYS and random.random() < 0.15:
            key = str(random.choice(["nq", "nv", "bodies", "equations", "rows", "start", "frames", "duration", "rtol"]))
            changed[key] = random.choice([0, -1, 1, 1e9, 0.5, changed[key] + 1, float(2**31), 1e300])
            continue
        key = str(random.choice(arrays))
        numbers = np.frombuffer(base64.b64decode(changed[key]), dtype="<f8").copy()
        if random.random() < 0.1:
            numbers = numbers[: int(random.integers(0, len(numbers) + 1))]
        elif len(numbers):
            place = int(random.integers(len(numbers)))
            other = numbers[place]
            wild = [math.nan, math.inf, -1.0, 0.0, 1e308, -1e308, 5e-324, 2.0**31, 2.0**53, 0.5, other + 1, other - 1]
            numbers[place] = random.choice(np.array([*wild, random.integers(-5, 50), -other, 1e6 * other]))
        changed[key] = base64.b64encode(numbers.tobytes()).decode("ascii")
    return changed


def test_damaged_inputs_of_time_are_refused_or_seen_in_time(seed: int) -> None:
    random, cases = np.random.default_rng(seed), []
    f, k = mb.Parameter("f", 2.0), mb.Parameter("k", 3.0)
    rod = mb.Body("rod", mass=1, com=(0, 0, -1), joint=mb.Revolute(axis=(1, 0, 0)))
    models = [mb.Model([rod], forces=[mb.Effort("rod", text)], parameters=[f, k]) for text in INPUTS]
    documents = [page_problem(model, 0.4, FRAMES) for model in models]
    for number in range(FUZZED_INPUTS):
        document = documents[number % len(documents)]
        changed = _damaged({"template": document["template"], "machine": document["machine"]}, random, ("template",))
        values = {name: float(random.choice([2.0, 3.0, 1.5, 0.0, -1.0, 1e300])) for name in ("f", "k")}
        cases.append({"document": document | changed, "values": values_of(document, values)})
    found = solve(cases, seconds=SECONDS)["answers"]
    assert sum(answer["outcome"] == "completed" for answer in found) > FUZZED_INPUTS // 50
    # an input that is too fast to be seen is given up after as much work as in Python, some tenths of a second
    assert max(answer["seconds"] for answer in found) < 3 * SECONDS


def test_damaged_problems_are_refused_or_solved_and_never_trap(seed: int) -> None:
    random, cases = np.random.default_rng(seed), []
    names = mb.library.names()
    documents = {}
    for name in names:
        model = getattr(mb.library, name)()
        documents[name] = page_problem(model, duration_of(model), FRAMES)
    for k in range(FUZZED):
        document = _damaged(documents[names[k % len(names)]], random)
        values = [float(value) for value in document["values"]]
        if values and random.random() < 0.2:
            place = int(random.integers(len(values)))
            values[place] = float(random.choice([0.0, -1.0, 1e300, 1e-300, 1e10]))
        cases.append({"document": document, "values": values})
    found = solve(cases, seconds=SECONDS)
    outcomes = [answer["outcome"] for answer in found["answers"]]
    assert outcomes.count("refused") > FUZZED // 10
    assert outcomes.count("completed") > FUZZED // 10
    # a slice of work may end after the second, on a machine that others use too
    assert max(answer["seconds"] for answer in found["answers"]) < 3 * SECONDS
    assert found["memory"] <= 512 * 2**20


@pytest.mark.parametrize("twin", [False, True], ids=["wasm", "javascript"])
def test_a_page_finds_the_horizon_that_python_finds(twin: bool) -> None:
    double = mb.library.pendulum(2)
    chaotic = double.replace(state={"q": [2.0, 2.5]})
    given = [(chaotic, 20.0), (double, 1.0), (mb.library.four_bar(), 0.5), (mb.library.spherical_chain(2), 2.0)]
    if not twin:
        given.append((mb.library.three_body_arm(), 16.0))
    cases = []
    for model, duration in given:
        document = page_problem(model, duration, round(20 * duration))
        cases.append({"document": document, "values": document["values"], "wanted": "horizon"})
    found = [float(answer["outcome"].lower()) for answer in solve(cases, twin)["answers"]]
    assert found == [mb.simulate(model, duration=duration, rate=20).horizon for model, duration in given]
    assert math.isfinite(found[0])
