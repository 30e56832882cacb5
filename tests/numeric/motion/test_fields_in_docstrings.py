"""What the docstrings of a motion's methods say that their results have is there, and as long as the motion."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.motion import Motion

RESULTS = {
    "__getitem__": lambda arm, loop: arm[0],
    "maximum": lambda arm, loop: arm.maximum(("force", 0)),
    "minimum": lambda arm, loop: arm.minimum("q[0]"),
    "spectrum": lambda arm, loop: arm.spectrum("q[0]"),
    "bearings": lambda arm, loop: arm.bearings(0, 0, 1),
    "release": lambda arm, loop: arm.release(0),
    "point": lambda arm, loop: arm.point(0),
    "energy": lambda arm, loop: arm.energy,
    "table": lambda arm, loop: arm.table(),
    "reaction_parts": lambda arm, loop: arm.reaction_parts(0),
    "motion_vectors": lambda arm, loop: arm.motion_vectors(),
    "rotators": lambda arm, loop: arm.rotators(0),
    "mass_moments": lambda arm, loop: arm.mass_moments(0),
    "pressure_spectrum": lambda arm, loop: arm.pressure_spectrum(0),
    "closure": lambda arm, loop: loop.closure,
    "constraint_forces": lambda arm, loop: loop.constraint_forces[0],
}


@pytest.fixture(scope="module")
def motions() -> tuple[mb.Motion, mb.Motion]:
    arm = mb.simulate(mb.library.three_body_arm(), duration=0.5, rate=100)
    return arm, mb.simulate(mb.library.four_bar(), duration=0.1)


@pytest.mark.parametrize("name", RESULTS)
def test_fields_are_there_with_their_shapes(name: str, motions: tuple[mb.Motion, mb.Motion]) -> None:
    result: Any = RESULTS[name](*motions)
    text = " ".join((getattr(Motion, name).__doc__ or "").split(">>>")[0].split())
    listed = [word for part in re.findall(r"``(\.[^`]*)``", text) for word in re.findall(r"\.([A-Za-z]\w*)", part)]
    assert listed
    frames = len(motions[name in ("closure", "constraint_forces")])
    for word in listed:
        assert hasattr(result, word), word
    for word, shape in re.findall(r"``\.(\w+)``[^`(]*\((frames[^()]*)\)", text):
        found = np.shape(getattr(result, word))
        assert found, word
        assert found[0] == frames, word
        assert len(found) == len([part for part in shape.split(",") if part.strip()]), word
        if shape.endswith((", 3", ", 6")):
            assert found[-1] == int(shape[-1]), word
