"""The values that the validation notebook shows are those that the engines give today."""

from __future__ import annotations

import json

import numpy as np
import pytest

import mbwidgets as mb
from tests.oracles import stored
from tests.oracles.comparison import relative

pytestmark = pytest.mark.oracle

STORED = json.loads(stored.FILE.read_text(encoding="utf-8"))
SAME = 1e-12
"""The same engine on the same numbers, up to the order of additions."""


@pytest.mark.parametrize("name", stored.MECHANISMS)
def test_what_is_stored_of_a_state_is_what_the_engines_say(name: str) -> None:
    fresh, kept = stored.at_a_state(name), STORED["states"][name]
    assert fresh["q"] == kept["q"]
    assert fresh["values"].keys() == kept["values"].keys()
    for engine, values in fresh["values"].items():
        for key, value in values.items():
            assert relative(kept["values"][engine][key], value) <= SAME, (engine, key)


@pytest.mark.parametrize("name", stored.MOVED)
def test_our_motion_ends_where_pinocchio_and_scipy_end(name: str) -> None:
    kept = STORED["motions"][name]
    fresh = stored.at_the_end(name)
    # 1e-12 in each step grows with the motion; both arms are gentle for three seconds
    np.testing.assert_allclose(fresh["q"], kept["q"], atol=1e-9)
    motion = mb.simulate(getattr(mb.library, name)(), duration=kept["t"], rtol=1e-12)
    np.testing.assert_allclose(motion.q[-1], kept["q"], atol=1e-8)
    np.testing.assert_allclose(motion.u[-1], kept["u"], atol=1e-7)
