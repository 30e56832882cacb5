"""Inputs that depend on time: a step sees them, however short they are."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.packing.pack import pack_model
from mbwidgets.numeric.simulation.inputs import efforts_of
from mbwidgets.numeric.steps import intervals
from mbwidgets.numeric.steps.step_limits import input_programs, inputs_of, limits_of, program, sample
from tests.numeric.simulation.test_simulate import oscillator, pendulum

RESTING = pendulum(state={"q": [0.0], "u": [0.0]})
SWITCH = "1/(1+exp(-200*(t-5)))-1/(1+exp(-200*(t-5.3)))"
CART = mb.Model([mb.Body("c", joint=mb.Prismatic("x"), mass=1)], gravity=(0, 0, 0))


def bell(width: float, centre: float) -> str:
    return f"exp(-((t-{centre!r})/{width!r})**2)"


def table(expression: str, duration: float = 10.0) -> np.ndarray:
    packed = pack_model(CART, efforts_of(CART, [expression])[0]).model
    return limits_of(packed, input_programs(packed, 0), duration).table


@pytest.mark.parametrize("method", ["auto", "dop853", "rk4", "radau", "bdf"])
def test_a_pendulum_at_rest_feels_a_torque_that_is_switched_on_and_off(method: str) -> None:
    # Python drives the implicit methods, which have low order
    low = method in ("radau", "bdf")
    motion = mb.simulate(RESTING, tau=[SWITCH], method=method, rtol=1e-7 if low else 1e-10)
    assert motion.outcome.ok
    assert motion.q.max() == pytest.approx(0.0922933029, abs=1e-5 if low else 1e-9)


def test_a_prescribed_switch_is_followed() -> None:
    motion = mb.simulate(CART.replace(constraints=[mb.Prescribed("c", "1/(1+exp(-50*(t-5)))")]))
    assert motion.outcome.ok
    assert motion.q[-1, 0] == pytest.approx(1, abs=1e-12)
    assert motion.constraint_residual.max() < 1e-12
    assert motion.drift < 1e-9
    pulse = mb.simulate(CART.replace(constraints=[mb.Prescribed("c", bell(0.01, 5.0))]))
    assert pulse.constraint_residual.max() < 1e-12
    assert pulse.drift < 1e-8
    assert pulse.q[300, 0] == pytest.approx(1, abs=1e-12)


def test_pulses_of_any_width_are_felt_with_their_whole_impulse(rng: np.random.Generator) -> None:
    for _ in range(40):
        width, centre = 10 ** rng.uniform(-5, -1), rng.uniform(1, 9)
        size = 10 ** rng.uniform(-3, 3)
        motion = mb.simulate(CART, tau=[f"{size!r}*{bell(width, centre)}"], duration=10, rate=rng.uniform(1, 300))
        impulse = size * width * math.sqrt(math.pi)
        assert motion.outcome.ok
        assert motion.u[-1, 0] == pytest.approx(impulse, rel=1e-7), (width, centre, size)


def test_a_pulse_times_a_function_of_the_state_is_felt() -> None:
    motion = mb.simulate(oscillator(state={"q": [1.0]}), duration=4, tau=[f"1000*{bell(1e-3, 2.0)}*cos(q[0])"])
    finer = mb.simulate(
        oscillator(state={"q": [1.0]}), duration=4, tau=[f"1000*{bell(1e-3, 2.0)}*cos(q[0])"], max_step=1e-4
    )
    assert abs(motion.q - finer.q).max() < 1e-8
    assert abs(motion.q[:, 0] - np.cos(2 * motion.t)).max() > 0.1


def test_states_are_the_same_to_the_bit_at_every_rate() -> None:
    given = {"tau": [f"3*{bell(2e-3, 1.7)}"], "duration": 4}
    coarse = mb.simulate(RESTING, rate=5, **given)
    for rate in (10, 60, 1000):
        fine = mb.simulate(RESTING, rate=rate, **given)
        assert np.array_equal(fine.q[-1], coarse.q[-1])
        assert np.array_equal(fine.u[-1], coarse.u[-1])


def test_inputs_that_are_constant_or_polynomials_limit_no_step() -> None:
    for expression in ("3", "2*t", "t**2 - 4*t + 1", "t**8", "q[0]*u[0]"):
        assert np.isinf(table(expression)[:, 1]).all()


def test_a_kink_ends_a_step() -> None:
    rows = table("sqrt((t-4.7)**2)")
    assert rows[rows[:, 2] > 0, 0] == pytest.approx([4.7], abs=1e-14)
    many = table("sqrt(sin(t)**2)")
    assert many[many[:, 2] > 0, 0][-3:] == pytest.approx([np.pi, 2 * np.pi, 3 * np.pi], abs=1e-14)
    motion = mb.simulate(CART, tau=["sqrt((t-4.7)**2)"], duration=10)
    # ∫∫ |t − a| from 0: a t²/2 − t³/6 up to a, then the rest
    assert motion.u[-1, 0] == pytest.approx((4.7**2 + 5.3**2) / 2, rel=1e-13)
    assert motion.evaluations < 400


PULSES = {
    "sign(t-4.7)": 0.6,
    "sign(5-t)": 0.0,
    "sign(t)": 10.0,
    "(1-sign((t-5)**2-1e-6))/2": 2e-3,
    "(1-sign((t-5)**2-1e-14))/2": 2e-7,
    "1000*sign(bell-1/2) + 1000": 2e3 * 2e-3 * math.sqrt(math.log(2)),
    "sign(sign(t-3)+0.5)": 4.0,
    "abs(t-4.7)": (4.7**2 + 5.3**2) / 2,
    "max(0, 1-1e6*abs(t-5))": 1e-6,
    "min(t, 10-t)": 25.0,
    "where(t-5, where(5.001-t, 3, 0), 0)": 3e-3,
    "where(1e-6-(t-5)**2, cos(t-5), 0)": 2 * math.sin(1e-3),
    "where(sin(3*t), 1, 0)": 5 * math.pi / 3,
    "atan2(t-4, -1)": 2 * math.pi - 6 * math.atan(6) + math.log(37) / 2 + 4 * math.atan(4) - math.log(17) / 2,
    "max(0, atan2(sin(t), cos(t)))": math.pi**2,
}


@pytest.mark.parametrize("method", ["auto", "rk4", "radau"])
@pytest.mark.parametrize("expression", PULSES)
def test_jumps_are_felt_with_their_whole_impulse_at_any_rate(expression: str, method: str) -> None:
    effort = expression.replace("bell", bell(1e-3, 5.0))
    ends = [mb.simulate(CART, tau=[effort], duration=10, rate=rate, method=method) for rate in (1, 7, 60)]
    assert all(motion.outcome.ok for motion in ends)
    # zeros of (t − 5)² − 1e-14 are known to 1e-9 of their distance; ten thousand steps of RK4 round by 1e-12
    assert ends[0].u[-1, 0] == pytest.approx(PULSES[expression], rel=5e-9, abs=1e-11)
    if method != "rk4":  # whose steps are those of the rate
        assert all(np.array_equal(motion.u[-1], ends[0].u[-1]) for motion in ends)


def test_a_jump_costs_a_few_steps() -> None:
    assert mb.simulate(CART, tau=["sign(t-4.7)"], duration=10).evaluations < 200


def test_a_jump_times_a_function_of_the_state_is_felt() -> None:
    motion = mb.simulate(CART, tau=["(1-sign((t-5)**2-1e-6))*(1+q[0])"], duration=10)
    chosen = mb.simulate(CART, tau=["where(1e-6-(t-5)**2, 2+2*q[0], 0)"], duration=10, rate=3)
    assert chosen.u[-1, 0] == pytest.approx(motion.u[-1, 0], rel=1e-9)
    # v grows by 2 · 0.002 while q is as good as zero: q = t²/1 in the pulse adds 1e-9
    assert motion.u[-1, 0] == pytest.approx(4e-3, rel=1e-5)


def test_a_curves_parameter_is_no_time() -> None:
    bead = mb.Model(
        [mb.Body("bead", joint=mb.Free(), mass=1, inertia=(1, 1, 1))],
        constraints=[mb.OnCurve("bead", curve=("cos(50*s)/50", "sin(50*s)/50", "s"), parameter="s")],
    )
    assert input_programs(pack_model(bead).model, 0) == []


def test_an_input_that_is_too_fast_for_a_table_is_told() -> None:
    for effort in ("sin(1e8*t)", "sign(sin(2e5*t))"):
        motion = mb.simulate(CART, tau=[effort], duration=10, budget=0.5)
        assert "max_step" in motion.outcome.message


def test_max_step_bounds_every_method() -> None:
    for method in ("dop853", "rk4", "radau", "bdf"):
        free = mb.simulate(CART, q=[0], u=[1], duration=0.1, method=method)
        bound = mb.simulate(CART, q=[0], u=[1], duration=0.1, method=method, max_step=1e-4)
        assert free.evaluations < bound.evaluations
        assert bound.evaluations > 1000
    late = mb.simulate(CART, tau=lambda t, q, u: [math.exp(-(((t - 5) / 0.01) ** 2))], max_step=0.02)
    assert late.u[-1, 0] == pytest.approx(0.01 * math.sqrt(math.pi), rel=1e-7)
    with pytest.raises(mb.StateError, match="max_step = 0"):
        mb.simulate(CART, max_step=0)


@pytest.mark.parametrize("method", ["auto", "dop853", "radau", "bdf"])
def test_a_step_that_would_do_nothing_is_refused(method: str) -> None:
    with pytest.raises(mb.StateError, match=r"step = 0.01 does nothing.*max_step"):
        mb.simulate(CART, method=method, step=0.01)


def test_the_parts_of_a_program_that_depend_on_time_alone_are_found() -> None:
    def found(expression: str) -> int:
        packed = pack_model(CART, efforts_of(CART, [expression])[0]).model
        return len(inputs_of(program(packed, 0)))

    assert found("sin(t)*q[0] + exp(t)*u[0]") == 2
    assert found("sin(t + q[0])") == 0
    assert found("sin(t)*cos(t)") == 1


def test_bounds_over_intervals_hold_what_samples_show(rng: np.random.Generator) -> None:
    """Random expressions of t: no sample of value or slope lies outside its bounds."""
    leaves = ["t", "2", "0.3", "(t-1)", "(2*t+1)"]
    calls = ["sin({})", "cos({})", "exp({}/4)", "sqrt({}**2)", "{}**3", "1/(1+{}**2)", "log(2+{}**2)", "tan({}/9)"]
    calls += [
        "tanh({})",
        "atan({})",
        "asin(sin({})/2)",
        "acos({}/(2+{}**2))",
        "abs({})",
        "sign({})",
        "min({},t)",
        "max(t*t,{})",
        "atan2({},t)",
        "atan2(t,{})",
        "where(t,{},2)",
        "where({},t,{}*t)",
    ]

    def grow(depth: int) -> str:
        if depth == 0:
            return str(rng.choice(leaves))
        if rng.random() < 0.5:
            return str(rng.choice(calls)).replace("{}", f"({grow(depth - 1)})")
        return f"({grow(depth - 1)} {rng.choice(['+', '*', '-'])} {grow(depth - 1)})"

    for _ in range(300):
        text = grow(int(rng.integers(1, 5)))
        packed = pack_model(CART, efforts_of(CART, [text])[0]).model
        lines = program(packed, 0)
        start = rng.uniform(-3, 3, 20)
        end = start + 10 ** rng.uniform(-3, 1, 20)
        bounds = intervals.program_bounds(lines, start, end, across=True)
        t = start + (end - start) * np.linspace(0, 1, 401)[:, None]
        values = np.broadcast_to(sample(lines, t), t.shape)
        tame = abs(values).max(axis=0) < 1e6  # beyond, rounding of an exponent shows in the slopes
        slack = 1e-12 * (1 + abs(values).max(axis=0))
        assert (values >= bounds.low - slack).all(), text
        assert (values <= bounds.high + slack).all(), text
        slopes = abs(np.diff(values[:, tame], axis=0)).max(axis=0, initial=0.0) / ((end - start)[tame] / 400)
        assert (slopes <= bounds.slope[tame] * (1 + 1e-9) + (1e4 * slack / (end - start))[tame]).all(), text


@pytest.mark.parametrize("stabilise", ["projection", "baumgarte", "none"])
def test_the_tail_of_a_pulse_to_come_is_not_off_its_constraint(stabilise: str) -> None:
    model = CART.replace(constraints=[mb.Prescribed("c", "exp(-((t-1)/0.1)**2)")])
    motion = mb.simulate(model, q=[0], u=[0], duration=2, stabilise=stabilise)
    assert motion.outcome.ok, motion.outcome
    assert motion.q[60, 0] == pytest.approx(1, abs=1e-6)
