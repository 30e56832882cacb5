"""Radau IIA inside the kernels, with SciPy's as a witness: the same motion, at about the same cost."""

from __future__ import annotations

import time

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.simulation import simulate as driver
from mbwidgets.numeric.simulation.run_scipy import run_scipy

STIFF = mb.Model(
    [mb.Body("a", mb.Prismatic("x"), mass=1), mb.Body("b", mb.Prismatic("x"), parent="a", mass=1e-3)],
    forces=[mb.JointSpring("a", 10), mb.JointSpring("b", 1e5), mb.JointDamper("b", 1e3)],
    gravity=(0, 0, 0),
    name="two slides, one on a hard damper",
)
MODELS = {
    "pendulum": (mb.library.pendulum(2), {"duration": 2}),
    "arm": (mb.library.three_body_arm(), {"duration": 1}),
    "governor": (mb.library.flyball_governor(), {"duration": 1}),
    "loop": (mb.library.four_bar(), {"duration": 1}),
    "loose": (mb.library.pendulum(2), {"duration": 2, "rtol": 1e-6}),
    "stiff": (STIFF, {"duration": 2, "q": [0.1, 0.01], "atol": 1e-10}),  # both by the same measure
}


@pytest.fixture
def scipy_motion(monkeypatch: pytest.MonkeyPatch):
    def compute(model: mb.Model, **options) -> mb.Motion:
        with monkeypatch.context() as patch:
            patch.setattr(driver, "run_compiled", lambda problem, method: run_scipy(problem, method))
            return mb.simulate(model, method="radau", **options)

    return compute


@pytest.mark.parametrize("name", MODELS)
def test_it_moves_as_scipys_does_and_asks_no_more_often(name: str, scipy_motion) -> None:
    model, options = MODELS[name]
    ours, witness = mb.simulate(model, method="radau", **options), scipy_motion(model, **options)
    assert ours.outcome.ok
    assert ours.method == "radau"
    # a tolerance each step, a few hundred steps that do not all err the same way
    rtol = options.get("rtol", 1e-10)
    np.testing.assert_allclose(ours.q, witness.q, atol=1e3 * rtol * max(1.0, abs(witness.q).max()))
    assert ours.evaluations <= 1.5 * witness.evaluations


def test_a_step_is_as_exact_as_its_tolerance_asks() -> None:
    true = mb.simulate(mb.library.pendulum(2), duration=2, rtol=1e-13)
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9):
        motion = mb.simulate(mb.library.pendulum(2), duration=2, rtol=rtol, method="radau")
        errors.append(abs(motion.q - true.q).max())
    assert errors[0] < 1e-3
    assert errors[1] < 0.05 * errors[0]
    assert errors[2] < 0.05 * errors[1]


def test_a_stiff_motion_costs_what_its_slow_part_asks_for() -> None:
    """The damper's time is a microsecond: an explicit method would need a million steps for each second."""
    motion = mb.simulate(STIFF, duration=10, q=[0.1, 0.01], method="radau")
    assert motion.outcome.ok
    assert motion.evaluations < 60_000
    slow = np.sqrt(10 / 1.001)
    np.testing.assert_allclose(motion.q[:, 0][motion.t > 1], 0.1 * np.cos(slow * motion.t[motion.t > 1]), atol=1e-3)


@pytest.mark.parametrize("method", ["radau", "bdf"])
def test_events_and_budgets_hold_inside_the_implicit_method(method: str) -> None:
    event = mb.Event("q[0]", direction=-1, terminal=True)
    motion = mb.simulate(mb.library.pendulum(1), q=[1.0], u=[0.0], duration=5, events=[event], method=method)
    witness = mb.simulate(mb.library.pendulum(1), q=[1.0], u=[0.0], duration=5, events=[event])
    assert motion.events[0].time == pytest.approx(witness.events[0].time, abs=1e-9)
    short = mb.simulate(mb.library.pendulum(2), duration=5, method=method, budget=mb.Budget(evaluations=500))
    assert short.outcome.result is mb.Result.BUDGET
    assert 0 < short.t[-1] < 5


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_a_large_stiff_system_looks_at_the_clock(method: str) -> None:
    """200 slides on hard dampers: the kernels' own dense systems would take seconds between two looks."""
    slides = [mb.Body(f"slide {k}", mb.Prismatic("x"), mass=1) for k in range(200)]
    forces = [mb.JointDamper(f"slide {k}", 1e6) for k in range(200)] + [
        mb.JointSpring(f"slide {k}", 1e6) for k in range(200)
    ]
    model = mb.Model(slides, forces=forces, gravity=(0, 0, 0))
    begin = time.monotonic()
    motion = mb.simulate(model, q=[0.1] * 200, duration=1, rtol=1e-4, budget=4, method=method)
    assert motion.outcome.ok or motion.outcome.result is mb.Result.BUDGET
    assert time.monotonic() - begin < 40  # the budget, and what a loaded machine takes for the rest
