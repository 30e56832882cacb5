"""Whatever the model does, a simulation comes back within its budget and says what happened."""

from __future__ import annotations

import math
import signal
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.outcome import Result

METHODS = ("auto", "dop853", "rk4", "radau", "bdf")
BUDGET = 0.25
LATE = 1.0
"""Seconds by which a busy machine may be late."""


def pendulum(**changes: Any) -> mb.Model:
    fields: dict[str, Any] = {"mass": 1, "com": (0, 0, -0.5), "inertia": (0.1, 0.1, 0.01)}
    body = mb.Body("bob", joint=mb.Revolute("y"), **fields)
    return mb.Model([body], state={"q": [1], "u": [0]}, **changes)


def chain(n: int) -> mb.Model:
    rod = {"mass": 1, "com": (0, 0, -0.05), "inertia": (0.001, 0.001, 0.0001)}
    first = [mb.Body("link0", joint=mb.Revolute("y"), **rod)]
    rest = [mb.Body(f"link{k}", joint=mb.Revolute("xy"[k % 2], at=(0, 0, -0.1)), **rod) for k in range(1, n)]
    return mb.Model(first + rest, state={"q": [0.01] * n})


def massless_tip() -> mb.Model:
    return mb.Model([*pendulum().bodies, mb.Body("tip", joint=mb.Revolute("x", at=(0, 0, -1)))])


def parallel_massless() -> mb.Model:
    """Two coincident axes with a massless body between: only their sum has inertia."""
    return mb.Model([mb.Body("ghost", joint=mb.Revolute("y")), pendulum().bodies[0]])


def rod_that_spins_in_a_loop() -> mb.Model:
    """The coupler of a parallelogram on a ball: a thin rod has no inertia about its axis, and nothing holds it."""
    model = mb.library.n_four_bar(1)
    ball = model.body("link 0").replace(joint=mb.Spherical(at=(0, 1, 0)))
    return model.replace(bodies=[*model.bodies[:2], ball], state={"u": [-1, -1, 0, 0, 1]})


def jump(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    return -50.0 * np.sign(u)


def spring_at_rest_point() -> mb.Model:
    """The ends of a spring with a natural length start at one point, where its direction is undefined."""
    slider = mb.Body("slider", joint=mb.Prismatic("x"), mass=1)
    return mb.Model([slider], forces=[mb.Spring(None, "slider", stiffness=100, length=1)], gravity=(0, 0, 0))


Case = tuple[Callable[[], mb.Model], dict[str, Any], set[Result]]

SLOW = {Result.COMPLETED, Result.BUDGET, Result.STEP_TOO_SMALL}
CASES: dict[str, Case] = {
    "NaN force at once": (
        lambda: pendulum(forces=[mb.Effort("bob", "sqrt(-1 - t)")]),
        {},
        {Result.NOT_FINITE},
    ),
    "NaN force later": (lambda: pendulum(forces=[mb.Effort("bob", "sqrt(1 - t)")]), {}, {Result.NOT_FINITE}),
    "zero mass at the tip": (massless_tip, {}, {Result.SINGULAR}),
    "singular mass matrix": (parallel_massless, {}, {Result.SINGULAR}),
    "no inertia about a free axis in a loop": (rod_that_spins_in_a_loop, {}, {Result.SINGULAR}),
    "stiffness 1e12": (lambda: pendulum(forces=[mb.JointSpring("bob", 1e12)]), {}, SLOW | {Result.NOT_FINITE}),
    "infinite velocity": (pendulum, {"u": [math.inf]}, {Result.NOT_FINITE}),
    "NaN coordinate": (pendulum, {"q": [math.nan]}, {Result.NOT_FINITE}),
    "velocity that blows up": (
        lambda: pendulum(forces=[mb.Effort("bob", "u[0]**3 + 5")]),
        {},
        {Result.NOT_FINITE, Result.STEP_TOO_SMALL, Result.BUDGET},
    ),
    "Coulomb-like jump": (
        lambda: pendulum(forces=[mb.JointFriction("bob", coulomb=100, smoothing=1e-9)]),
        {},
        SLOW | {Result.NOT_FINITE},
    ),
    "jump in a Python function": (pendulum, {"tau": jump}, SLOW),
    "n = 500": (lambda: chain(500), {}, SLOW),
    "duration 1e9": (pendulum, {"duration": 1e9}, {Result.BUDGET, Result.TOO_LARGE}),
    "at rest for 1e9 s": (lambda: pendulum(gravity=(0, 0, 0)), {"duration": 1e9}, {Result.BUDGET, Result.TOO_LARGE}),
    "ten thousand million frames": (pendulum, {"rate": 1e9}, {Result.BUDGET, Result.TOO_LARGE}),
    "effort 1e300": (pendulum, {"tau": [1e300]}, SLOW | {Result.NOT_FINITE}),
    "a spring without direction": (spring_at_rest_point, {}, {Result.COMPLETED}),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", CASES)
def test_a_pathology_ends_within_its_budget_with_an_outcome_in_words(name: str, method: str) -> None:
    build, arguments, expected = CASES[name]
    budget = BUDGET if Result.BUDGET in expected else 20 * BUDGET  # what ends by itself is not hurried
    model = build()
    if method == "rk4" and callable(arguments.get("tau")):
        with pytest.raises(mb.StateError, match="expressions"):
            mb.simulate(model, method=method, **arguments)
        return
    mb.simulate(pendulum(), duration=0.1, method="radau")  # imports SciPy
    for _ in range(3):  # a busy machine may hold one run up, a hanging one never comes back
        start = time.monotonic()
        motion = mb.simulate(model, method=method, budget=budget, **arguments)
        elapsed = time.monotonic() - start
        if elapsed < budget + LATE:
            break
    assert elapsed < budget + LATE
    assert motion.outcome.result in expected, motion.outcome
    assert len(motion.outcome.message) > 20
    assert len(motion.t) == len(motion.q) == len(motion.u) >= 1
    assert motion.t[-1] <= motion.outcome.time * (1 + 1e-12)
    if motion.outcome.ok:
        assert np.all(np.isfinite(motion.q))


def test_a_singular_joint_is_named() -> None:
    assert "'tip'" in mb.simulate(massless_tip()).outcome.message
    assert "'link 0.ωx'" in mb.simulate(rod_that_spins_in_a_loop()).outcome.message
    with pytest.raises(mb.SingularError, match=r"joint 'tip'.*mass"):
        mb.Dynamics(massless_tip()).forward([0, 0], [0, 0])


def test_what_was_computed_before_a_fault_is_kept() -> None:
    motion = mb.simulate(pendulum(forces=[mb.Effort("bob", "sqrt(1 - t)")]))
    assert not motion.outcome
    assert 0.9 < motion.t[-1] <= 1.0
    assert motion.drift < 1e-8


def test_a_cancelled_computation_keeps_its_frames() -> None:
    calls = []

    def cancel() -> bool:
        calls.append(1)
        return len(calls) > 2

    motion = mb.simulate(chain(40), duration=1000, budget=mb.Budget(seconds=30, cancel=cancel))
    assert motion.outcome.result is Result.CANCELLED
    assert len(motion.t) > 1


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_ctrl_c_ends_the_computation_and_keeps_its_frames(method: str) -> None:
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        motion = mb.simulate(chain(40), duration=10_000, method=method, budget=20)
    finally:
        timer.cancel()
    assert motion.outcome.result is Result.CANCELLED
    assert "keyboard" in motion.outcome.message
    assert len(motion.t) >= 1


def test_a_budget_of_evaluations_is_kept() -> None:
    for method in ("dop853", "rk4", "radau"):
        motion = mb.simulate(pendulum(), duration=100, method=method, budget=mb.Budget(evaluations=500))
        assert motion.outcome.result is Result.BUDGET
        assert motion.evaluations <= 520


def test_progress_is_reported_and_grows() -> None:
    parts: list[float] = []
    mb.simulate(chain(30), duration=20, budget=mb.Budget(progress=parts.append))
    assert parts == sorted(parts)
    assert parts[0] >= 0.0
    assert parts[-1] <= 1.0


def test_an_energy_past_all_floats_is_told_without_a_warning() -> None:
    heavy = mb.library.pendulum().with_body(0, mass=1e308, com=(0, 0, -1e3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        motion = mb.simulate(heavy, q=[1.0], u=[1.0], duration=0.1)
        assert not np.isfinite(motion.drift)
        assert not motion.outcome.ok
