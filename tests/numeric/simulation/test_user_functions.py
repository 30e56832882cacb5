"""Functions and numbers that users give to `simulate`: taken as they are meant, or refused with a remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import mbwidgets as mb
from tests.numeric.simulation.test_simulate import oscillator, pendulum

SPLINE = CubicSpline([0, 1, 2, 3], [0, 1, -1, 0])


def test_a_spline_is_a_function_of_time() -> None:
    given = mb.simulate(oscillator(), duration=3, tau=SPLINE, max_step=0.05)
    asked = mb.simulate(oscillator(), duration=3, tau=lambda t, q, u: [SPLINE(t)], max_step=0.05)
    assert given.outcome.ok
    assert np.array_equal(given.q, asked.q)


def test_one_number_serves_one_velocity() -> None:
    motion = mb.simulate(oscillator(), duration=1, tau=lambda t: 4.0)
    assert np.allclose(motion.q[:, 0], 1.0)


@pytest.mark.parametrize("method", ["auto", "radau", "bdf"])
def test_a_function_that_fails_is_named_and_what_was_computed_is_kept(method: str) -> None:
    def raises(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        return [float("x")] if t > 0.5 else [0.0]

    def forgets(t: float, q: np.ndarray, u: np.ndarray) -> list[float] | None:
        return None if t > 0.5 else [0.0]

    def signal(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return 1.0 if t < 0.5 else {}["lost"]

    whole = mb.simulate(oscillator(), duration=1, tau=lambda t: 0.0, method=method, max_step=0.05)
    for given, words in (
        ({"tau": raises}, r"It is tau at t = 0\.5\d* s: ValueError: could not convert string"),
        ({"tau": {"mass": raises}}, r"It is tau of 'mass' at t = 0\.5\d* s: ValueError"),
        ({"tau": forgets}, r"It is tau at t = 0\.5\d* s: the function gave None; return numbers"),
        ({"tau": lambda t: 0.0, "events": signal}, r"It is event at t = 0\.5\d* s: KeyError: 'lost'"),
    ):
        motion = mb.simulate(oscillator(), duration=1, method=method, max_step=0.05, **given)
        assert motion.outcome.result is mb.Result.FUNCTION
        assert re.search(words, motion.outcome.message), motion.outcome.message
        assert motion.outcome.message.endswith("what was computed until then is here.")
        assert 0.4 < motion.t[-1] <= motion.outcome.time < 0.55  # steps of 0.05 s at most
        assert np.array_equal(motion.q, whole.q[: len(motion)])
        assert motion.drift < 1e-6
        assert motion(0.42)[0] == pytest.approx(whole(0.42)[0], abs=1e-12)


@pytest.mark.parametrize("method", ["auto", "radau", "bdf"])
def test_a_function_that_fails_at_once_raises_its_own_error(method: str) -> None:
    """Nothing is computed that could be kept."""
    with pytest.raises(KeyError, match="lost"):
        mb.simulate(oscillator(), duration=1, tau=lambda t, q, u: {}["lost"], method=method)
    with pytest.raises(KeyError, match="lost"):
        mb.simulate(oscillator(), duration=1, events=lambda t, q, u: {}["lost"], method=method)


def test_a_function_cannot_change_the_motion_that_calls_it() -> None:
    def greedy(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        q[:], u[:] = 7.0, 7.0
        return [0.0]

    def signal(t: float, q: np.ndarray, u: np.ndarray) -> float:
        q[:] = 7.0
        return 1.0

    plain = mb.simulate(oscillator(), duration=1, tau=lambda t, q, u: [0.0])
    assert np.array_equal(mb.simulate(oscillator(), duration=1, tau=greedy).q, plain.q)
    assert np.array_equal(mb.simulate(oscillator(), duration=1, tau=greedy, events=[signal]).q, plain.q)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tau": lambda t, q: 1}, "tau: a function of 2 arguments.*of t, or of"),
        ({"tau": lambda: 1}, "tau: a function of 0 arguments"),
        ({"tau": lambda t, q, u: None}, "tau: the function gave None"),
        ({"tau": lambda t, q, u: "x"}, "tau = .* is not a list of numbers"),
        ({"events": lambda t, q, u: None}, "event: the function gave None; return one number"),
        ({"events": [lambda t, q, u: q[0], "q[7]"]}, r"event: q\[7\] does not exist"),
        ({"events": [lambda t, q, u: q[0], "import os"]}, "event: unexpected text"),
        ({"duration": 1e18}, "1e.18 s at rate 60 are 6e.19 frames"),
        ({"rate": 1e18}, "are 1e.19 frames"),
        ({"duration": 1e300, "rate": 1e300}, "are inf frames"),
        ({"duration": "3"}, "duration = '3'"),
        ({"rate": "3"}, "rate = '3'"),
        ({"duration": 10**400}, "duration = "),
        ({"rtol": 1e-300}, "rtol = 1e-300 is less than rounding"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_remedy(given, words: str) -> None:
    with pytest.raises(mb.MbwidgetsError, match=words):
        mb.simulate(pendulum(), **given)


def test_an_event_with_a_direction_that_is_no_number_is_refused() -> None:
    with pytest.raises(mb.StateError, match="direction"):
        mb.Event("q[0]", direction=np.array([1, -1]))


def test_the_smallest_absolute_tolerance_ends() -> None:
    assert mb.simulate(pendulum(), duration=1, atol=1e-300).outcome.ok


def test_a_model_without_coordinates_stands() -> None:
    table = mb.Model([mb.Body("table", joint=mb.Fixed(), mass=2, com=(1, 0, 0))])
    dynamics = mb.Dynamics(table)
    for state in ([], (), np.zeros(0)):
        assert dynamics.forward(state, state).shape == (0,)
        assert dynamics.mass_matrix(state).shape == (0, 0)
        assert dynamics.inverse(state, state, state).shape == (0,)
        np.testing.assert_allclose(dynamics.reactions(state, state, state)[0], [0, 0, 19.62, 0, -19.62, 0], atol=1e-12)
    assert mb.simulate(table, duration=1).outcome.ok


def test_points_stand_in_efforts_and_events() -> None:
    """x[fore], vz[fore, 0, 0, 0.2]: the compiled kinematics of the motion that they drive."""
    arm = mb.library.three_body_arm()
    tau = {"base": "x[fore] - 2*vz[fore, 0, 1/5, 0.1]", "fore": "sin(q[base])*y[upper]"}
    motion = mb.simulate(arm, tau=tau, duration=0.5, events=["z[fore] - 0.6"])
    point, other = motion.point("fore", (0, 0.2, 0.1)), motion.point("upper")
    assert np.allclose(motion.efforts[:, 0], motion.point("fore").position[:, 0] - 2 * point.velocity[:, 2], atol=1e-12)
    assert np.allclose(motion.efforts[:, 2], np.sin(motion.q[:, 0]) * other.position[:, 1], atol=1e-12)
    crossed = motion.crossings("z[fore] - 0.6")
    assert [event.time for event in motion.events] == pytest.approx(crossed, abs=1e-9)
    assert np.allclose(motion.signal("vz[fore, 0, 1/5, 0.1]"), point.velocity[:, 2])
    with pytest.raises(mb.UnknownNameError, match="fire"):
        mb.simulate(arm, tau={"base": "x[fire]"})
    with pytest.raises(mb.ExpressionError, match=r"2 numbers after the body"):
        mb.simulate(arm, tau={"base": "x[fore, 1, 2]"})
