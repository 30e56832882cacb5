"""Integration in time: the compiled methods against SciPy, closed forms and each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate as scipy_integrate
from scipy.integrate._ivp import dop853_coefficients as theirs
from scipy.special import ellipj, ellipk

import mbwidgets as mb
from mbwidgets.numeric.simulation import run_compiled
from mbwidgets.numeric.steps import dop853


def pendulum(length: float = 1.0, **changes) -> mb.Model:
    """A point mass on a massless rod, hanging down at q = 0."""
    bob = mb.Body("bob", joint=mb.Revolute("y"), mass=1, com=(0, 0, -length))
    return mb.Model([bob], **{"state": {"q": [2.0], "u": [0.0]}, **changes})


def oscillator(**changes) -> mb.Model:
    """Mass 1 on a spring of stiffness 4: q = cos 2t."""
    body = mb.Body("mass", joint=mb.Prismatic("x"), mass=1)
    given = {"forces": [mb.JointSpring("mass", 4)], "state": {"q": [1.0]}, **changes}
    return mb.Model([body], gravity=(0, 0, 0), **given)


def test_the_coefficients_are_those_of_hairers_program() -> None:
    assert np.array_equal(dop853.A, theirs.A)
    assert np.array_equal(dop853.B, theirs.B)
    assert np.array_equal(dop853.C, theirs.C)
    assert np.array_equal(dop853.E, [theirs.E3, theirs.E5])
    assert np.array_equal(dop853.D, theirs.D)


def test_a_pendulum_swings_as_the_elliptic_functions_say() -> None:
    motion = mb.simulate(pendulum(), duration=10)
    k, frequency = np.sin(1.0), np.sqrt(9.81)  # amplitude 2 rad
    sn = ellipj(ellipk(k**2) - frequency * motion.t, k**2)[0]
    assert abs(motion.q[:, 0] - 2 * np.arcsin(k * sn)).max() < 2e-8  # 1e-10 a step, grown over ten seconds


def test_the_motion_is_scipys_on_the_same_equations() -> None:
    model = mb.library.three_body_arm()
    dynamics, motion = mb.Dynamics(model), mb.simulate(model, duration=2)

    def side(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[3:], dynamics.forward(y[:3].copy(), y[3:].copy())])

    state = np.concatenate([model.q0, model.u0])
    solution = scipy_integrate.solve_ivp(side, (0, 2), state, "DOP853", motion.t, rtol=1e-12, atol=1e-12)
    assert abs(motion.q - solution.y[:3].T).max() < 1e-7
    assert abs(motion.u - solution.y[3:].T).max() < 1e-6


@pytest.mark.parametrize("method", ["auto", "dop853", "rk4", "radau", "bdf"])
def test_every_method_finds_the_oscillators_cosine(method: str) -> None:
    motion = mb.simulate(oscillator(), duration=3, method=method)
    assert motion.outcome.ok
    tolerance = {"rk4": 1e-9, "bdf": 1e-5}.get(method, 1e-8)
    assert abs(motion.q[:, 0] - np.cos(2 * motion.t)).max() < tolerance


def test_rk4_has_order_four() -> None:
    def error(step: float) -> float:
        motion = mb.simulate(pendulum(), duration=1, rate=10, method="rk4", step=step)
        reference = mb.simulate(pendulum(), duration=1, rate=10, rtol=1e-13)
        return float(abs(motion.q - reference.q).max())

    ratio = error(0.02) / error(0.01)
    assert 14 < ratio < 18


def test_tighter_tolerances_give_smaller_errors() -> None:
    reference = mb.simulate(mb.library.three_body_arm(), duration=2, rtol=1e-13)
    errors = [
        abs(mb.simulate(mb.library.three_body_arm(), duration=2, rtol=rtol).q - reference.q).max()
        for rtol in (1e-5, 1e-7, 1e-9)
    ]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


def test_frames_are_equally_spaced_and_end_where_asked() -> None:
    motion = mb.simulate(pendulum(), duration=1.0, rate=7)
    assert len(motion) == 8
    assert np.allclose(np.diff(motion.t), 1 / 7)
    assert motion.t[-1] == 1.0
    many = mb.simulate(pendulum(), duration=100, rate=100)  # several buffers of frames
    assert len(many) == 10001
    assert abs(many.energy_error).max() < 1e-8


def test_a_stiff_system_is_handed_to_the_implicit_method() -> None:
    stiff = oscillator(forces=[mb.JointSpring("mass", 4), mb.JointDamper("mass", 1e9)])
    motion = mb.simulate(stiff, duration=10)
    assert motion.outcome.ok, motion.outcome
    assert motion.method == "dop853, then radau"
    assert motion.q[-1, 0] == pytest.approx(np.exp(-4e-9 * 10), abs=1e-8)  # q̇ = −(k/c) q


@pytest.mark.parametrize(
    "model",
    [
        mb.library.pendulum(3).replace(forces=[mb.Effort("rod 3", "1000*sin(40*t)")]),
        mb.library.bricard(),
        mb.library.four_bar(),
    ],
    ids=["rejected steps", "redundant", "closed"],
)
def test_a_motion_does_not_depend_on_how_often_the_clock_is_looked_at(
    model: mb.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = mb.simulate(model, duration=2)
    advance = run_compiled.CompiledSteps._advance
    for chunk in (100, 137, 1009, 10**7):
        monkeypatch.setattr(run_compiled.CompiledSteps, "_advance", lambda self, _, n=chunk: (advance(self, n)[0], n))
        again = mb.simulate(model, duration=2)
        assert again.evaluations == once.evaluations
        assert np.array_equal(again.q, once.q)
        assert np.array_equal(again.u, once.u)


@pytest.mark.parametrize("method", ["dop853", "rk4", "radau"])
@pytest.mark.parametrize("signal", ["q[0]", lambda t, q, u: q[0]], ids=["expression", "function"])
def test_an_event_is_found_where_the_signal_crosses_zero(method: str, signal) -> None:
    if method == "rk4" and callable(signal):
        pytest.skip("RK4 runs compiled only")
    falling = mb.Event(signal, direction=-1)
    motion = mb.simulate(oscillator(), duration=4, events=[falling], method=method)
    expected = [np.pi / 4, np.pi / 4 + np.pi]
    assert [found.time for found in motion.events] == pytest.approx(expected, abs=1e-8)
    stop = mb.Event(signal, terminal=True)
    stopped = mb.simulate(oscillator(), duration=4, events=[stop], method=method)
    assert stopped.outcome.ok
    assert stopped.t[-1] == pytest.approx(np.pi / 4, abs=1e-8)
    assert stopped.q[-1, 0] == pytest.approx(0, abs=1e-8)
    assert np.allclose(stopped.q[:, 0], np.cos(2 * stopped.t), atol=1e-8)


def test_efforts_can_be_numbers_expressions_by_joint_or_a_function() -> None:
    def function(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        return [np.sin(3 * t) - 0.5 * u[0]]

    forms = (["sin(3*t) - 0.5*u[0]"], {"mass": "sin(3*t) - 0.5*u[0]"}, function)
    motions = [mb.simulate(oscillator(), duration=3, tau=form) for form in forms]
    for other in motions[1:]:
        assert np.allclose(motions[0].q, other.q, atol=1e-8)
        assert np.allclose(motions[0].ud, other.ud, atol=1e-7)
    assert all(motion.drift < 1e-8 for motion in motions)
    constant = mb.simulate(oscillator(), duration=1, tau=[4.0])
    assert np.allclose(constant.q[:, 0], 1.0)  # 4 N holds the spring of 4 N/m at 1 m


def test_the_energy_balance_counts_the_work_of_dampers_and_actuators() -> None:
    forces = [
        mb.JointDamper("bob", 0.3),
        mb.Effort("bob", "2*sin(2*t)"),
        mb.Force("bob", ("cos(t)", 0, 1), at=(0, 0, -1)),
    ]
    motion = mb.simulate(pendulum(forces=forces))
    assert motion.drift < 1e-8
    assert abs(motion.work).max() > 1.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"duration": 0}, "duration = 0"),
        ({"duration": float("nan")}, "duration = nan"),
        ({"rate": -1}, "rate = -1"),
        ({"rtol": 0}, "rtol = 0"),
        ({"method": "euler"}, "method 'euler' is not known"),
        ({"q": [1, 2]}, r"q has shape \(2,\); give 1 numbers: bob"),
        ({"tau": ["q[4]"]}, r"q\[4\] does not exist"),
        ({"tau": ["stiffness*t"]}, "'stiffness' is not a parameter"),
        ({"tau": [1, 2]}, "tau has 2 entries"),
        ({"events": ["import os"]}, "event: unexpected text"),
    ],
)
def test_a_wrong_argument_is_named_with_its_remedy(arguments, words: str) -> None:
    with pytest.raises(mb.MbwidgetsError, match=words):
        mb.simulate(pendulum(), **arguments)


def test_two_crossings_within_one_step_are_both_found() -> None:
    motion = mb.simulate(oscillator(), duration=10 * np.pi, events=["q[0] - 0.99"])
    assert len(motion.events) == 20
    assert np.allclose([np.cos(2 * found.time) for found in motion.events], 0.99, atol=1e-7)


def test_an_events_own_error_reaches_the_user() -> None:
    with pytest.raises(ZeroDivisionError):
        mb.simulate(oscillator(), events=lambda t, q, u: 1 / 0)


def test_a_function_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(mb.StateError, match="tau has shape"):
        mb.simulate(mb.library.pendulum(3), tau=lambda t, q, u: [1.0])


def test_efforts_by_joint_name_every_velocity() -> None:
    cart = mb.Body("cart", joint=mb.Planar("z"), mass=1, inertia=(1, 1, 1))
    model = mb.Model([cart], gravity=(0, 0, 0))
    motion = mb.simulate(model, duration=1, tau={"cart": [0, "2*t", 0]})
    assert motion.q[-1] == pytest.approx([0, 1 / 3, 0], abs=1e-9)
    with pytest.raises(mb.StateError, match="'cart' has 1 entries; give 3"):
        mb.simulate(model, tau={"cart": 2.0})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: mb.simulate(None), "None is not a Model"),
        (lambda: mb.Dynamics("x"), "'x' is not a Model"),
        (lambda: mb.simulate(pendulum(), budget=float("nan")), "budget: seconds = nan"),
        (lambda: mb.simulate(pendulum(), budget="x"), "budget: seconds = 'x'"),
        (lambda: mb.simulate(pendulum(), events=3), "events = 3"),
        (lambda: mb.Event("q[0]", direction=5), "event: direction 5"),
        (lambda: mb.Dynamics(pendulum()).mass_matrix([np.nan]), "q of 'bob' is nan"),
        (lambda: mb.Dynamics(pendulum()).inverse([0], [0], [np.inf]), "acceleration of 'bob' is inf"),
        (lambda: mb.Dynamics(mb.library.spinning_top()).mass_matrix([0, 0, 0, 0]), "the quaternion is zero"),
    ],
)
def test_a_wrong_call_is_a_typed_error(call, words: str) -> None:
    with pytest.raises(mb.StateError, match=words):
        call()


def test_a_model_is_not_changed_through_its_initial_state() -> None:
    model = pendulum()
    model.q0[0] = 0.1
    assert mb.simulate(model, duration=0.1).q[0, 0] == 2.0


def test_constraints_are_never_left_out_in_silence() -> None:
    model = oscillator(constraints=[mb.Prescribed("mass", "sin(t)")])
    np.testing.assert_allclose(mb.simulate(model, duration=1).q[-1], np.sin(1), atol=1e-12)
    np.testing.assert_allclose(mb.Dynamics(model).forward([np.sin(1)], [np.cos(1)], t=1), -np.sin(1), atol=1e-12)
    with pytest.raises(mb.ModelError, match=r"1 \(prescribed\).*constraints=\(\)"):
        mb.covariant(model)
