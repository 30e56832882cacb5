"""Kernels over dual numbers: the derivative along a direction, of every state of every library model."""

from __future__ import annotations

from pathlib import Path

import mpmath
import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.engines.kernel import current_engine
from mbwidgets.numeric.kernels import entry_points, libm
from mbwidgets.numeric.kernels.constrained_derivative import constrained_derivative
from mbwidgets.numeric.kernels.entry_points import state_derivative, tree_derivative
from mbwidgets.numeric.kernels.memory_layout import OBSERVE, TASK
from mbwidgets.numeric.packing.pack import pack_model
from tests.numeric.engines.translated import Machines

FUNCTIONS = {
    "sin": (-20, 20),
    "cos": (-20, 20),
    "tan": (-1.4, 1.4),
    "exp": (-5, 5),
    "log": (0.1, 9),
    "tanh": (-3, 3),
    "atan": (-9, 9),
    "asin": (-0.99, 0.99),
    "acos": (-0.99, 0.99),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_tangent_of_an_elementary_function_is_its_derivative(
    name: str, tmp_path: Path, rng: np.random.Generator
) -> None:
    machines = Machines([(getattr(libm, name), ["f"])], tmp_path, tangents=[name])
    for x in rng.uniform(*FUNCTIONS[name], 200):
        value, slope = machines.instance.tangent(name, [x], [1.0])
        true = float(mpmath.diff(getattr(mpmath, name), mpmath.mpf(x)))
        assert value == getattr(libm, name)(x)
        # a polynomial's slope errs by as many last places as it has terms
        assert slope == pytest.approx(true, rel=2e-14, abs=2e-15), x


def rate(model: mb.Model, state: np.ndarray, t: float) -> np.ndarray:
    packed = pack_model(model)
    data = packed.new_data()
    data[TASK] = OBSERVE
    out, function = np.zeros_like(state), constrained_derivative if model.constraints else tree_derivative
    state_derivative(function, packed.model, data, np.zeros(model.nv), t, state.copy(), out)
    return out


SMOOTH = [name for name in mb.library.names() if name not in ("bricard", "n_four_bar")]
"""Bricard's equations are redundant: which of them serve is chosen anew at each state. The row of four-bars begins next
to its singular position, where differences tend to nothing before rounding spoils them."""


@pytest.mark.parametrize("name", SMOOTH)
def test_the_tangent_of_a_states_rate_is_what_differences_tend_to(name: str, rng: np.random.Generator) -> None:
    assert mb.engine() == "wasm"
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.05, rate=60)
    state = np.concatenate([motion.q[-1], motion.u[-1], [0.0]])
    direction = rng.normal(size=len(state)) * np.maximum(1e-3, abs(state))
    packed, effort = pack_model(model), np.zeros(model.nv)
    data = packed.new_data()
    data[TASK] = OBSERVE
    ways = [None, np.zeros_like(data), np.zeros(model.nv), 0.0, direction.copy(), np.zeros_like(state)]
    export = "state_derivative:" + ("constrained_derivative" if model.constraints else "tree_derivative")
    out = np.zeros_like(state)
    current_engine().tangents.tangent(export, [packed.model, data, effort, 0.05, state.copy(), out], ways)
    assert np.array_equal(out, rate(model, state, 0.05))
    # Richardson's extrapolation of central differences, to the fourth order
    h = 1e-4
    one = (rate(model, state + h * direction, 0.05) - rate(model, state - h * direction, 0.05)) / (2 * h)
    two = (rate(model, state + 2 * h * direction, 0.05) - rate(model, state - 2 * h * direction, 0.05)) / (4 * h)
    expected = (4 * one - two) / 3
    scale = max(abs(expected).max(), 1e-3)
    assert abs(ways[-1] - expected).max() < 1e-6 * scale


def test_an_export_without_tangents_has_none() -> None:
    with pytest.raises(KeyError):
        current_engine().tangents.tangent("body_poses", [], [])
    assert entry_points.body_poses.name == "body_poses"
