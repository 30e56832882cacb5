"""The horizon: until when two solutions of a motion agree."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.horizon import PARTED, first_parting


def test_a_pendulum_is_known_for_ever() -> None:
    assert mb.simulate(mb.library.pendulum(1), duration=20).horizon == math.inf


@pytest.mark.parametrize(
    ("model", "q"), [(mb.library.three_body_arm(), None), (mb.library.pendulum(2), [2.0, 2.5])], ids=["arm", "double"]
)
def test_a_chaotic_motion_is_known_until_its_two_solutions_part(model: mb.Model, q: list[float] | None) -> None:
    given = {"q": q, "duration": 30.0, "rate": 20.0}
    horizon = mb.simulate(model, **given).horizon
    one, other = (mb.simulate(model, **given, rtol=rtol) for rtol in (1e-10, 1e-12))
    apart = (abs(one.q - other.q) / np.ptp(other.q, axis=0)).max(axis=1)
    frame = one.index(horizon)
    assert 5.0 < horizon < 25.0
    assert apart[frame] > PARTED
    assert (apart[:frame] <= PARTED).all()
    # a third solution agrees with the finer one for longer: what parts first is the error of the coarser
    finest = mb.simulate(model, **given, rtol=1e-14)
    assert abs(finest.q[:frame] - other.q[:frame]).max() < 1e-3 * np.ptp(other.q, axis=0).max()


def test_the_horizon_does_not_depend_on_method_tolerance_or_events() -> None:
    model = mb.library.pendulum(2)
    given = {"q": [2.0, 2.5], "u": [0, 0], "duration": 20.0, "rate": 20.0}
    wanted = mb.simulate(model, **given).horizon
    assert mb.simulate(model, **given, rtol=1e-6).horizon == wanted
    assert mb.simulate(model, **given, events=["q[0]"]).horizon == wanted
    assert mb.simulate(model, **given, method="rk4", step=0.01).horizon == wanted
    stopped = mb.simulate(model, **given, events=[mb.Event("t - 5", terminal=True)])
    assert stopped.outcome.result is mb.Result.EVENT
    assert stopped.horizon == math.inf


def test_a_slice_is_known_as_long_as_the_whole() -> None:
    motion = mb.simulate(mb.library.pendulum(2), q=[2.0, 2.5], u=[0, 0], duration=20.0, rate=20.0)
    assert motion[1.0:].horizon == motion[::2].horizon == motion.horizon
    assert motion[1.0:2.0].horizon == math.inf


def test_efforts_by_expressions_are_part_of_the_motion() -> None:
    free = mb.simulate(mb.library.pendulum(2), q=[2.0, 2.5], duration=20, rate=20)
    damped = mb.simulate(mb.library.pendulum(2), q=[2.0, 2.5], duration=20, rate=20, tau=["-3*u[0]", "-3*u[1]"])
    assert math.isfinite(free.horizon)
    assert damped.horizon == math.inf


def test_a_motion_under_a_function_says_why_it_is_not_solved_again() -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=0.1, tau=lambda t, q, u: [0.0])
    with pytest.raises(mb.StateError, match="tau is a Python function"):
        _ = motion.horizon


def test_a_copy_of_a_motion_has_its_horizon() -> None:
    motion = mb.simulate(mb.library.pendulum(1), duration=0.5)
    assert copy.deepcopy(motion).horizon == motion.horizon


def test_a_motion_that_cannot_begin_has_no_horizon() -> None:
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(1, 0, 0))
    model = mb.Model([rod], constraints=[mb.PointConstraint(("rod", (2, 0, 0)), (None, (5, 0, 0)))])
    assert math.isnan(mb.simulate(model, duration=1).horizon)


def test_what_stands_still_but_for_rounding_has_no_part_in_it(rng: np.random.Generator) -> None:
    t, moves = np.arange(50.0), np.sin(np.arange(50.0))
    still, noise = np.zeros(50), 1e-16 * rng.normal(size=(2, 50))
    one, other = (np.column_stack([moves, still + item, still]) for item in noise)
    angles = np.zeros(3, dtype=bool)
    assert first_parting(t, one, other, angles, 1.0) == math.inf
    assert first_parting(t, one[:, 1:], other[:, 1:], angles[1:], 1.0) == math.inf
    other[20:, 0] += 2 * PARTED * np.ptp(moves)
    assert first_parting(t, one, other, angles, 1.0) == 20.0
