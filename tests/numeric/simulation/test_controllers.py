"""Controllers are called at their instants, held and limited; what fails is named, and what was computed is kept."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import mbwidgets as mb

POLE = mb.library.pendulum(1)


def test_a_controller_is_held_between_its_instants() -> None:
    """Against SciPy, interval by interval."""
    motion = mb.simulate(
        POLE,
        q=[0.5],
        u=[0.1],
        duration=1,
        tau=mb.Controller(lambda t, q, u: math.sin(9 * t) - 20 * q[0] - 3 * u[0], sample=0.03, limit=4),
    )
    dynamics, y, t = mb.Dynamics(POLE), np.array([0.5, 0.1]), 0.0
    k = 0
    while t < 1 - 1e-12:
        tau = min(max(math.sin(9 * t) - 20 * y[0] - 3 * y[1], -4), 4)
        end = min((k + 1) * 0.03, 1.0)
        found = solve_ivp(
            lambda _, y, tau=tau: [y[1], dynamics.forward([y[0]], [y[1]], [tau])[0]],
            (t, end),
            y,
            rtol=1e-12,
            atol=1e-13,
        )
        y, t, k = found.y[:, -1], end, k + 1
    assert abs(np.concatenate([motion.q[-1], motion.u[-1]]) - y).max() < 1e-9
    assert abs(motion.efforts).max() == 4
    assert motion.drive(0)[0] == -4


def test_frames_do_not_change_a_controlled_motion() -> None:
    for model in (mb.library.three_body_arm(), mb.library.four_bar(), mb.library.spherical_chain(2)):
        control = mb.Controller(lambda t, q, u: [-0.001 * x for x in u], sample=0.017)
        coarse, fine = (mb.simulate(model, duration=1, rate=rate, tau=control) for rate in (20, 333))
        assert abs(coarse(fine.t)[0] - fine.q).max() < 1e-9
        inner = coarse.at(fine.t)
        assert np.array_equal(inner.efforts, fine.efforts)
        assert abs(inner.ud - fine.ud).max() <= 1e-7 * abs(fine.ud).max()


def test_controllers_of_several_joints_have_their_own_instants() -> None:
    arm, told = mb.library.three_body_arm(), []

    def slow(t: float) -> float:
        told.append(("slow", t))
        return t

    def fast(t: float, q: Any, u: Any) -> float:
        told.append(("fast", t))
        return -u[2]

    tau = {"base": mb.Controller(slow, sample=0.25), "fore": mb.Controller(fast, sample=0.1), "upper": "sin(q[fore])"}
    motion = mb.simulate(arm, tau=tau, duration=1, start=5, rate=100)
    assert [round(t, 9) for name, t in told if name == "slow"] == [5, 5.25, 5.5, 5.75]
    assert [round(t, 9) for name, t in told if name == "fast"] == [round(5 + k / 10, 9) for k in range(10)]
    assert motion.efforts[0].tolist() == pytest.approx([5, math.sin(motion.q[0, 2]), -motion.u[0, 2]])
    assert motion.efforts[30, 0] == 5.25
    assert np.allclose(motion.efforts[:, 1], np.sin(motion.q[:, 2]))


def test_events_and_stiff_springs_go_on_under_a_controller() -> None:
    control = mb.Controller(lambda t, q, u: 0.0, sample=0.01)
    free = mb.simulate(POLE, q=[1], u=[0], duration=2, events=["q[rod 1]", mb.Event("u[0] - 1", terminal=True)])
    held = mb.simulate(
        POLE, q=[1], u=[0], duration=2, tau=control, events=["q[rod 1]", mb.Event("u[0] - 1", terminal=True)]
    )
    assert held.outcome.result is mb.Result.EVENT
    assert [event.time for event in held.events] == pytest.approx([event.time for event in free.events], abs=1e-9)
    assert len(held.t) == len(free.t)

    # frames that are left are counted from those of the motion: it takes milliseconds, and not a count to 2**50
    begun = time.process_time()
    mb.simulate(POLE, q=[1], u=[0], duration=2, tau=control, events=[mb.Event("u[0] - 1", terminal=True)])
    assert time.process_time() - begun < 1.0

    stiff = POLE.replace(forces=(mb.JointDamper("rod 1", 1e5),))
    motion = mb.simulate(stiff, q=[1], u=[0], duration=0.5, tau=control)
    assert motion.outcome.ok
    assert abs(motion.q[-1] - mb.simulate(stiff, q=[1], u=[0], duration=0.5).q[-1]) < 1e-8


def test_a_controller_that_fails_is_named_and_what_was_computed_is_kept() -> None:
    def raises(t: float) -> float:
        if t > 0.5:
            raise ZeroDivisionError("no gain")
        return 0.0

    cases: dict[str, Any] = {
        "ZeroDivisionError: no gain": raises,
        "give 1 numbers": lambda t: [0.0] if t < 0.5 else [0.0, 1.0],
        "finite": lambda t: 0.0 if t < 0.5 else math.nan,
        "None": lambda t: 0.0 if t < 0.5 else None,
    }
    for said, function in cases.items():
        motion = mb.simulate(POLE, tau={"rod 1": mb.Controller(function, sample=0.1)}, duration=2)
        assert motion.outcome.result is mb.Result.CONTROLLER
        assert said in motion.outcome.message
        assert "rod 1" in motion.outcome.message
        assert 0.4 < motion.t[-1] <= motion.outcome.time <= 0.6 + 1e-9
    with pytest.raises(ZeroDivisionError):
        mb.simulate(POLE, tau=mb.Controller(lambda t: 1 / 0), duration=1)
    with pytest.raises(mb.StateError, match="give 1 numbers"):
        mb.simulate(POLE, tau=mb.Controller(lambda t: [1, 2, 3]), duration=1)


def test_what_is_no_controller_is_refused() -> None:
    for given, said in (
        ({"function": 3}, "not a function"),
        ({"function": math.sin, "sample": 0}, "seconds > 0"),
        ({"function": math.sin, "sample": "fast"}, "seconds > 0"),
    ):
        with pytest.raises(mb.StateError, match=said):
            mb.Controller(**given)  # type: ignore[arg-type]
    with pytest.raises(mb.StateError, match="limit"):
        mb.simulate(POLE, tau=mb.Controller(math.sin, limit=-1))
    with pytest.raises(mb.StateError, match="as an expression"):
        mb.simulate(POLE, tau=mb.Controller(math.sin), events=[lambda t, q, u: q[0]])


def test_functions_and_expressions_stand_side_by_side() -> None:
    arm = mb.library.three_body_arm()
    written = mb.simulate(arm, tau={"base": "sin(3*t)", "fore": "-u[fore]"}, duration=0.5)
    mixed = mb.simulate(arm, tau={"base": lambda t: math.sin(3 * t), "fore": "-u[fore]"}, duration=0.5)
    listed = mb.simulate(arm, tau=[lambda t: math.sin(3 * t), 0, "-u[fore]"], duration=0.5)
    for motion in (mixed, listed):
        assert abs(motion.q - written.q).max() < 1e-8
        assert abs(motion.efforts - written.efforts).max() < 1e-8


def test_a_controller_costs_at_most_three_times_an_expression() -> None:
    """At the same instants, by processor time; the least of several, in turn."""
    model = mb.library.three_body_arm()
    control = mb.Controller(lambda t, q, u: [-3.0 * u[0], -3.0 * u[1], -3.0 * u[2]], sample=0.01)

    def cost(**given: Any) -> float:
        begin = time.process_time()
        mb.simulate(model, duration=10, **given)
        return time.process_time() - begin

    expression = {"tau": ["-3*u[0]", "-3*u[1]", "-3*u[2]"], "max_step": 0.01}
    pairs = [(cost(tau=control), cost(**expression)) for _ in range(7)]
    assert min(pair[0] for pair in pairs) <= 3.0 * min(pair[1] for pair in pairs)


def test_one_joint_may_have_other_limits_each_way() -> None:
    pushed = mb.Controller(lambda t: 10.0 * math.cos(9 * t), limit=(-1, 2))
    efforts = mb.simulate(mb.library.pendulum(1), tau={"rod 1": pushed}, duration=1).efforts
    assert (efforts.min(), efforts.max()) == (-1, 2)


def test_a_function_that_gives_no_number_is_named() -> None:
    motion = mb.simulate(mb.library.pendulum(1), tau=lambda t: float("nan") if t > 0.5 else 0.0, duration=1)
    assert "tau gives [nan]" in motion.outcome.message
    assert 0.4 < motion.t[-1] < 0.6
