"""Problems for node: solved as a page does, and what Python finds for the same numbers."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

import mbwidgets as mb
from mbwidgets.model.model import Model
from mbwidgets.numeric.base.outcome import Result
from mbwidgets.numeric.engines.product import STATIC
from mbwidgets.numeric.packing.pack import lettered_recipe

NODE = shutil.which("node")
SECONDS = 1.0
"""What a page lets a damaged problem take."""
FRAMES = 12
ALIKE = {
    "completed": Result.COMPLETED,
    "open": Result.CONTRADICTORY,
    "half turned": Result.CONTRADICTORY,
    "too fast": Result.CONTRADICTORY,
    "singular start": Result.UNDETERMINED,
    "singular": Result.SINGULAR,
}
"""Outcomes of the page, and what Python says then; of a motion that breaks off it finds out why."""
BROKEN_OFF = ("not finite", "stalled", "step too small")


def solve(
    cases: list[dict[str, Any]], twin: bool = False, script: str = "solve.mjs", seconds: float = 60.0
) -> dict[str, Any]:
    """What a script of this folder answers to cases, on the kernels as WebAssembly or as JavaScript.

    ``seconds``: after which a motion is given up, on a machine that others use too.
    """
    given = {"static": str(STATIC), "twin": twin, "seconds": seconds, "cases": cases}
    command = [str(NODE), str(Path(__file__).parent / script)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def digest(*arrays: np.ndarray) -> str:
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def values_of(document: dict[str, Any], values: Any) -> list[float]:
    """The values of a document with others for some parameters."""
    own = dict(zip(document["names"], document["values"], strict=True))
    return [float(value) for value in (own | values).values()]


def packed_digest(model: Model) -> str:
    """The numbers of a model, with an effort in every free direction as a page has them."""
    made, letters = lettered_recipe(model)
    return digest(made.pack({**model.values, **letters}).model)


def duration_of(model: Model) -> float:
    return 0.02 if model.name.startswith("Andrews") else 0.4


def assert_same(model: Model, answer: dict[str, Any]) -> bool:
    """Compare an answer of the page with Python's motion of a model; whether there is one."""
    assert answer["packed"] == packed_digest(model), model.name
    motion = mb.simulate(model, duration=duration_of(model), rate=FRAMES / duration_of(model))
    if answer["outcome"] in BROKEN_OFF:
        assert not motion.outcome, (model.name, answer)
        return False
    assert ALIKE[answer["outcome"]] is motion.outcome.result, (model.name, answer)
    if answer["outcome"] == "completed":
        vectors = motion.body_vectors
        assert answer["frames"] == digest(motion.q, motion.u, motion.ud, motion._reactions, vectors), model.name
        assert answer["evaluations"] == motion.evaluations
    return bool(answer["outcome"] == "completed")
