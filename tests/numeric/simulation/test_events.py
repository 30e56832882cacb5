"""Events: every crossing is found, whatever the signal and the step."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.outcome import Result
from tests.numeric.simulation.test_simulate import oscillator, pendulum


def rotor(speed: float) -> mb.Model:
    """A disc that turns freely."""
    return mb.Model([mb.Body("disc", joint=mb.Revolute("z"), mass=1, inertia=(1, 1, 1))], state={"u": [speed]})


def times(motion: mb.Motion) -> np.ndarray:
    return np.array([found.time for found in motion.events])


@pytest.mark.parametrize("method", ["auto", "rk4", "radau", "bdf"])
def test_every_half_turn_of_a_fast_rotor_is_found(method: str) -> None:
    motion = mb.simulate(rotor(100.0), events=["sin(q[0])"], method=method)
    assert len(motion.events) == 318
    np.testing.assert_allclose(times(motion), np.arange(1, 319) * np.pi / 100, atol=1e-10)


def test_a_half_turn_that_ends_with_the_motion_is_found() -> None:
    motion = mb.simulate(rotor(2 * np.pi), events=["sin(q[0])"])
    np.testing.assert_allclose(times(motion), np.arange(1, 21) / 2, atol=1e-12)


def test_what_begins_at_zero_has_not_crossed_it() -> None:
    for start in (0.0, np.pi):
        motion = mb.simulate(rotor(1.0), q=[start], duration=1, events=["sin(q[0])", lambda t, q, u: np.sin(q[0])][:1])
        assert len(motion.events) == 0


def test_a_signal_as_a_function_finds_what_the_expression_finds() -> None:
    written = mb.simulate(pendulum(), events=["sin(9*q[0])*u[0] - 0.3"])
    coded = mb.simulate(pendulum(), events=[lambda t, q, u: np.sin(9 * q[0]) * u[0] - 0.3])
    assert len(written.events) > 40
    np.testing.assert_allclose(times(written), times(coded), atol=1e-7)


def test_both_crossings_beside_a_maximum_are_found() -> None:
    motion = mb.simulate(oscillator(), duration=10 * np.pi, events=["q[0] - 0.999999"])
    near = np.arccos(0.999999) / 2
    expected = sorted({near, *(k * np.pi + side * near for k in range(1, 10) for side in (-1, 1)), 10 * np.pi - near})
    np.testing.assert_allclose(times(motion), expected, atol=1e-6)


def test_a_pole_is_no_crossing() -> None:
    motion = mb.simulate(rotor(1.0), q=[0.1], duration=7, events=["tan(q[0])"])
    np.testing.assert_allclose(times(motion), np.array([1, 2]) * np.pi - 0.1, atol=1e-10)


def test_a_signal_with_a_kink_is_followed() -> None:
    motion = mb.simulate(rotor(1.0), q=[0.1], duration=7, events=["sqrt(sin(q[0])**2) - 0.01"])
    near = np.arcsin(0.01)
    expected = [np.pi - near, np.pi + near, 2 * np.pi - near, 2 * np.pi + near]
    np.testing.assert_allclose(times(motion), np.array(expected) - 0.1, atol=1e-9)


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_an_event_of_a_size_is_found_on_both_sides(method: str) -> None:
    motion = mb.simulate(rotor(1.0), q=[-1.0], duration=2, events=["abs(q[0]) - 0.1", "sign(q[0])"], method=method)
    np.testing.assert_allclose(times(motion), [0.9, 1.0, 1.1], atol=1e-9)


def test_a_pulse_of_time_is_an_event() -> None:
    motion = mb.simulate(rotor(1.0), events=["exp(-((t-4.321)/0.0001)**2) - 1/2"])
    half = 1e-4 * np.sqrt(np.log(2))
    np.testing.assert_allclose(times(motion), [4.321 - half, 4.321 + half], atol=1e-12)


def test_a_signal_that_cannot_be_resolved_is_told() -> None:
    motion = mb.simulate(rotor(1.0), events=["sin(1e9*q[0])"])
    assert not motion.outcome.ok
    assert "event 0" in motion.outcome.message
    assert "max_step" in motion.outcome.message


def test_a_signal_of_rounding_alone_costs_nothing() -> None:
    pair = mb.Model(
        [
            mb.Body("a", joint=mb.Revolute("z"), mass=1, inertia=(1, 1, 1)),
            mb.Body("b", joint=mb.Revolute("z"), mass=1, inertia=(1, 1, 1), parent=mb.ground),
        ],
        state={"u": [1.1, 1.1]},
    )
    motion = mb.simulate(pair, tau=["sin(3*t)", "sin(3*t)"], events=["q[0] + 7.3 - q[1] - 7.3"])
    assert motion.outcome.ok


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_stop_on_a_frame_leaves_one_frame_there(method: str) -> None:
    motion = mb.simulate(rotor(1.0), duration=2, rate=10, events=[mb.Event("q[0] - 1", terminal=True)], method=method)
    assert motion.t[-1] == pytest.approx(1, abs=1e-12)
    assert np.diff(motion.t).min() > 0.09
    assert len(motion) == 11


def test_events_in_one_long_step_do_not_overflow() -> None:
    motion = mb.simulate(rotor(1000.0), events=["sin(q[0])", "cos(q[0])"], rate=1)
    assert len(motion.events) == 3183 + 3183
    assert all(one.time <= two.time for one, two in itertools.pairwise(motion.events))


def test_random_signals_lose_no_crossing(rng: np.random.Generator) -> None:
    """Sums of waves of the angle of a rotor: zeros are those of the closed form, sampled a thousand times finer."""
    for _ in range(60):
        speed, shift = rng.uniform(0.3, 30), rng.uniform(-1, 1)
        waves = [(rng.uniform(0.2, 1), int(rng.integers(1, 12)), rng.uniform(0, 6)) for _ in range(3)]
        text = " + ".join(f"{a!r}*sin({k}*q[0] + {p!r})" for a, k, p in waves) + f" + {shift!r}"
        motion = mb.simulate(rotor(speed), duration=5, events=[text])
        t = np.linspace(0, 5, 400_001)
        value = sum(a * np.sin(k * speed * t + p) for a, k, p in waves) + shift
        expected = t[:-1][np.sign(value[:-1]) * np.sign(value[1:]) < 0]
        found = times(motion)
        # pairs nearer than the samples of the closed form are ours alone
        close = np.array([min(abs(found - when), default=np.inf) for when in expected])
        assert (close < 2 * t[1]).all(), (text, speed)
        assert len(found) - len(expected) in (0, 2), (text, speed)


@pytest.mark.parametrize("method", ["auto", "radau"])
def test_a_signal_with_endlessly_many_zeros_is_told(method: str) -> None:
    motion = mb.simulate(rotor(1.0), duration=5, events=["sin(1/(q[0] - 3.3))"], method=method)
    assert motion.outcome.result is Result.UNRESOLVED
    assert motion.outcome.time <= 3.3


def test_a_signal_that_rests_at_zero_is_no_trouble() -> None:
    """What trembles by rounding about a place where it stays is resolved."""
    damper = mb.JointDamper("mass", damping=40)
    settling = oscillator().replace(forces=[*oscillator().forces, damper], gravity=(-9.81, 0, 0))
    for signal in ("q[0] + 9.81/4", "u[0]", "sin(q[0] + 9.81/4)"):
        motion = mb.simulate(settling, q=[1.0], duration=100, events=[signal])
        assert motion.outcome.ok, (signal, motion.outcome)
