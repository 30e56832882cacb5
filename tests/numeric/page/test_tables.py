"""Programs of tables in the page: they give Python's numbers, and damaged ones are refused before they run."""

from __future__ import annotations

import base64
import copy
import math
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.traced_motion import TracedMotion, observed_tables, parameters_of
from mbwidgets.numeric.packing.frame_programs import frame_program
from mbwidgets.numeric.packing.traced_numbers import Tracer
from tests.numeric.page.solving import NODE, solve
from tests.thorough import THOROUGH

pytestmark = pytest.mark.skipif(NODE is None, reason="no node")
DAMAGED = 5000 if THOROUGH else 500
SLOWEST = 1.0
"""Seconds that a damaged program may take."""
MEMORY = 300e6
"""Bytes that the page's kernels may ever have: their own limit, and what they are born with."""


@pytest.fixture(scope="module")
def case() -> dict[str, Any]:
    """The rotators of an arm: sums, products, roots and choices; and the tables that they read, in five frames."""
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.2, rate=20)
    tracer = Tracer(parameters_of(model))
    traced = TracedMotion(motion, tracer)
    numbers = [value for row in traced.rotators(0) for value in (*row.rotator[0], *row.contribution[0], row.speed[0])]
    program = frame_program(tracer, numbers)
    tables = {name: np.asarray(values, dtype=float) for name, values in observed_tables(motion).items()}
    see = {name: values.reshape(-1).tolist() for name, values in tables.items()}
    document = {**program.document(), "name": "rotators"}
    return {
        "program": document,
        "frames": len(motion),
        "see": {**see, "t": motion.t.tolist()},
        "expected": program.evaluate(tables, motion.t),
    }


def told(case: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**{name: case[name] for name in ("program", "frames", "see")}, **changes}


def test_the_page_runs_a_program_to_the_bits_of_python(case: dict[str, Any]) -> None:
    (answer,) = solve([told(case)], script="tables.mjs")["answers"]
    results = [math.nan if value is None else value for value in answer["results"]]  # JSON has no NaN
    np.testing.assert_array_equal(np.reshape(results, case["expected"].shape), case["expected"])


def damage(rng: np.random.Generator, program: dict[str, Any], number: int) -> Any:
    """A program with something in it that is not as it was, under a name of its own."""
    bad = {**copy.deepcopy(program), "name": f"damaged {number}"}
    odd = [-1, 0, 1, 7, 22, 23, 1e3, 1e6, 1e12, -1e12, 0.5, math.nan, math.inf, None, "x", [], {}]
    strange = odd[int(rng.integers(len(odd)))]
    match int(rng.integers(7)):
        case 0:
            bad[str(rng.choice(list(program)[:-1]))] = strange
        case 1:
            bad["inputs"][int(rng.integers(len(bad["inputs"])))][int(rng.integers(2))] = strange
        case 2:
            bad["results"][int(rng.integers(len(bad["results"])))] = strange
        case 3:
            del bad[str(rng.choice(list(program)[:-1]))]
        case 4:
            text = bad["machine"]
            bad["machine"] = text[: int(rng.integers(len(text)))] + str(rng.choice(["", "!", "AAAA"]))
        case 5:
            bad["tables"] = bad["tables"][: int(rng.integers(len(bad["tables"])))]
        case _:
            machine = np.frombuffer(base64.b64decode(bad["machine"])).copy()
            for place in rng.integers(len(machine), size=int(rng.integers(1, 4))):
                machine[place] = strange if isinstance(strange, int | float) else rng.normal()
            bad["machine"] = base64.b64encode(machine.tobytes()).decode("ascii")
    return bad


def test_damaged_programs_are_refused_or_run_and_never_take_long(case: dict[str, Any]) -> None:
    rng = np.random.default_rng(20)
    bad = [_plain(damage(rng, case["program"], number)) for number in range(DAMAGED)]
    found = solve([told(case), *(told(case, program=program, see=None) for program in bad)], script="tables.mjs")
    answers = found["answers"][1:]
    refused = [answer["why"] for answer in answers if "why" in answer]
    assert max(answer["seconds"] for answer in answers) < SLOWEST
    assert found["memory"] < MEMORY
    assert 0.3 * DAMAGED < len(refused) < DAMAGED  # a constant may be any number
    assert all("cannot be right" in why or "too" in why for why in refused)


def _plain(value: Any) -> Any:
    """What is no number is none in JSON."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def test_a_program_that_would_take_long_is_refused(case: dict[str, Any]) -> None:
    frames = 200_000
    (answer,) = solve([told(case, frames=frames, see={**case["see"], "t": [0.0] * frames})], script="tables.mjs")[
        "answers"
    ]
    assert "takes too long" in answer["why"]
