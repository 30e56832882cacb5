"""Constraints that cannot be: every run ends with an outcome that names the constraint and the time, and keeps what was
computed until then."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.base.outcome import Result

METHODS = ("dop853", "rk4", "radau", "bdf")
CONTROLS = ("projection", "baumgarte", "none")


def rod(*constraints: Any, **state: Any) -> mb.Model:
    return mb.library.pendulum(1).replace(constraints=constraints, state=state or None)


def free(*constraints: Any, mass: float = 1.0, **state: Any) -> mb.Model:
    body = mb.Body("body", mb.Free(), mass=mass, inertia=(mass, 2 * mass, 3 * mass))
    return mb.Model([body], gravity=(0, -9.81, 0), constraints=constraints, state=state or None)


def out_of_reach() -> mb.Model:
    """A crank of 1 m, driven, that reaches to cos φ = 3.75/6 with a rocker of 1 m on a base of 3 m."""
    model = mb.library.four_bar().with_values(l1=1, l2=1.5, l3=1, l4=3, omega=0)
    state = {"q": [0.2, 0.2, 2.25]}
    return model.replace(constraints=[*model.constraints, mb.Prescribed("crank", "0.2 + t")], state=state)


REACH = float(np.arccos(3.75 / 6)) - 0.2

STARTS: dict[str, tuple[mb.Model, Result, str]] = {
    "two places": (
        rod(mb.Prescribed("rod 1", "0"), mb.Prescribed("rod 1", "1")),
        Result.CONTRADICTORY,
        r"constraint [01] \(prescribed\) is off by 0.5",
    ),
    "two velocities": (
        rod(mb.Prescribed("rod 1", "t"), mb.Prescribed("rod 1", "2*t")),
        Result.CONTRADICTORY,
        r"constraint 1 \(prescribed\) asks for a velocity",
    ),
    "no real root": (
        rod(mb.EquationConstraint("q[0]**2 + 1")),
        Result.CONTRADICTORY,
        r"constraint 0 \(equation\) is off by 1",
    ),
    "no value": (
        rod(mb.EquationConstraint("sqrt(q[0] - 5) - 1")),
        Result.NOT_FINITE,
        r"constraint 0 \(equation\) has no finite value",
    ),
    "no slope": (
        rod(mb.EquationConstraint("sqrt(q[0])")),
        Result.NOT_FINITE,
        r"constraint 0 \(equation\) has no finite value or slope",
    ),
    "a body pinned to another place of its own": (
        free(mb.PointConstraint("body", ("body", (1, 0, 0)))),
        Result.CONTRADICTORY,
        r"constraint 0 \(point\) is off by 1",
    ),
    "half a turn": (
        free(mb.OrientationConstraint("body", None), q=[0, 0, 0, 1, 0, 0, 0]),
        Result.CONTRADICTORY,
        r"constraint 0 \(orientation\) holds with its bodies half a turn apart",
    ),
    "half a turn of a weld": (
        free(mb.OnPlane("body"), mb.WeldConstraint("body", None), q=[0, 0, 0, 0, 0, 1, 0]),
        Result.CONTRADICTORY,
        r"constraint 1 \(weld\) holds with its bodies half a turn apart",
    ),
    "a double root": (
        rod(mb.EquationConstraint("q[0]**2"), q=[0]),
        Result.UNDETERMINED,
        "rank 0 instead of 1",
    ),
    "no mass": (
        free(mb.PointConstraint("body", None), mass=0.0),
        Result.SINGULAR,
        "constraints leave such a motion free. It is joint 'body': nothing that it carries has inertia about any axis",
    ),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_start_that_cannot_be_is_an_outcome_at_once(name: str) -> None:
    model, result, words = STARTS[name]
    motion = mb.simulate(model, duration=1)
    assert motion.outcome.result is result, motion.outcome
    assert motion.outcome.time == 0
    assert len(motion) == 1
    assert re.search(words, motion.outcome.message), motion.outcome


WAYS: dict[str, tuple[mb.Model, Result, str, float]] = {
    "a pole of log": (
        rod(mb.EquationConstraint("log(2 - t) - q[0]")),
        Result.NOT_FINITE,
        "constraint 0 (equation)",
        2.0,
    ),
    "the end of a root": (
        rod(mb.Prescribed("rod 1", "sqrt(1 - t)")),
        Result.NOT_FINITE,
        "constraint 0 (prescribed)",
        1.0,
    ),
    "a pole of tan": (
        rod(mb.Prescribed("rod 1", "tan(t)")),
        Result.NOT_FINITE,
        "constraint 0 (prescribed)",
        np.pi / 2,
    ),
    "the end of a curve": (
        free(mb.OnCurve("body", ("s", "sqrt(s)", 0)), q=[1, 1, 0, 0, 0, 0, 1]),
        Result.NOT_FINITE,
        "constraint 0 (on_curve)",
        0.7761852,  # where the parabola x = y² passes y = 0, by an equation constraint and an event
    ),
    "the reach of a crank": (out_of_reach(), Result.UNDETERMINED, "constraint 0 (point)", REACH),
}


@pytest.mark.parametrize("name", WAYS)
def test_what_ends_on_the_way_names_its_constraint_and_keeps_the_motion(name: str) -> None:
    model, result, words, time = WAYS[name]
    motion = mb.simulate(model, duration=3)
    assert motion.outcome.result is result, motion.outcome
    assert words in motion.outcome.message
    assert motion.outcome.time == pytest.approx(time, abs=1e-3)
    assert motion.t[-1] == pytest.approx(time, abs=0.05)
    assert np.isfinite(motion.q).all()


@pytest.mark.parametrize("stabilise", CONTROLS)
@pytest.mark.parametrize("method", METHODS)
def test_constraints_that_part_are_noticed_by_every_method_and_control(method: str, stabilise: str) -> None:
    """t³ and t⁴ agree in place, velocity and acceleration at the start; without projection nothing else would tell."""
    model = rod(mb.Prescribed("rod 1", "t**3"), mb.Prescribed("rod 1", "t**4"), q=[0])
    motion = mb.simulate(model, duration=1, method=method, stabilise=stabilise)
    assert motion.outcome.result is Result.CONTRADICTORY, motion.outcome
    assert "(prescribed)" in motion.outcome.message
    assert motion.outcome.time < 0.05
    assert motion.constraint_residual.max() < 1e-3


@pytest.mark.parametrize("stabilise", CONTROLS)
@pytest.mark.parametrize("method", METHODS)
def test_a_crank_out_of_reach_ends_there_by_every_method_and_control(method: str, stabilise: str) -> None:
    motion = mb.simulate(out_of_reach(), duration=3, method=method, stabilise=stabilise, budget=30)
    assert motion.outcome.result in (Result.UNDETERMINED, Result.CONTRADICTORY), motion.outcome
    assert "constraint 0 (point)" in motion.outcome.message
    assert motion.outcome.time == pytest.approx(REACH, abs=5e-3)
    assert motion.t[-1] == pytest.approx(REACH, abs=0.02)


def test_a_python_effort_does_not_hide_a_crank_out_of_reach() -> None:
    motion = mb.simulate(out_of_reach(), duration=3, tau=lambda t, q, u: np.zeros(3), budget=30)
    assert motion.outcome.result is Result.UNDETERMINED, motion.outcome
    assert motion.outcome.time == pytest.approx(REACH, abs=5e-3)


@pytest.mark.parametrize("stabilise", ["baumgarte", "none"])
@pytest.mark.parametrize("name", ["bricard", "four_bar"])
def test_redundant_equations_that_agree_are_no_contradiction_without_projection(name: str, stabilise: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model.replace(constraints=model.constraints * 2), stabilise=stabilise, rtol=1e-8)
    assert motion.outcome.ok, motion.outcome
    assert not motion.closure.unique


def test_redundant_constraints_share_one_wrench_and_are_flagged() -> None:
    """The same pin twice: half of the force each (the shortest λ), the sum that of the one pin."""
    once = mb.library.four_bar()
    twice = once.replace(constraints=once.constraints * 2)
    one, two = (mb.Dynamics(model).constraints(once.q0, once.u0) for model in (once, twice))
    np.testing.assert_allclose(two.wrench, one.wrench, atol=1e-12 * abs(one.wrench).max())
    np.testing.assert_allclose(two.multipliers[:2] + two.multipliers[3:5], one.multipliers[:2], rtol=1e-12)
    np.testing.assert_allclose(two.multipliers[:2], two.multipliers[3:5], rtol=1e-12)
    assert (two.rank, two.unique) == (2, False)
    motion = mb.simulate(twice, duration=0.5)
    assert not motion.closure.unique
    np.testing.assert_allclose(motion.closure.wrench[0], one.wrench, atol=1e-11 * abs(one.wrench).max())
    with pytest.raises(mb.ModelError, match="not unique"):
        _ = mb.constrained(twice).multipliers


def test_a_state_off_the_constraints_is_told_by_its_residual_and_moved_by_simulate() -> None:
    model, q = mb.library.four_bar(), [1.2, 0.0, 0.0]
    state = mb.Dynamics(model).constraints(q, [1, 0, 0])
    assert abs(state.residual).max() > 0.1
    assert abs(state.rate).max() > 0.1
    assert state.names[0] == "constraint 0 (point)"
    motion = mb.simulate(model, q=q, u=[1, 0, 0], duration=0.1)
    assert motion.outcome.ok
    assert "the start was moved: q of 'crank' by" in motion.outcome.message
    assert motion.constraint_residual.max() < 1e-10


def test_a_curve_is_found_from_a_state_far_along_it() -> None:
    """The parameter of the model's own start is no guide there: s = 1 is nearest, and Newton's method would stay."""
    curve = mb.OnCurve("body", ("cos(s)", "sin(s)", "0.2*s"))
    model = free(curve, q=[1, 0, 0, 0, 0, 0, 1])
    s = 7.5
    q = [np.cos(s), np.sin(s), 0.2 * s, 0, 0, 0, 1]
    state = mb.Dynamics(model).constraints(q, np.zeros(6))
    assert abs(state.residual).max() < 1e-12


def test_accelerations_that_contradict_each_other_are_refused_by_name() -> None:
    """t² and 2 t² agree in place and velocity at the start: no acceleration is half of each."""
    model = rod(mb.Prescribed("rod 1", "t**2"), mb.Prescribed("rod 1", "2*t**2"), q=[0])
    words = r"no accelerations meet constraint [01] \(prescribed\)"
    for route in ("null_space", "lagrange", "udwadia_kalaba"):
        with pytest.raises(mb.StateError, match=words):
            mb.Dynamics(model).constraints([0], [0], route=route)
    with pytest.raises(mb.StateError, match=words):
        mb.Dynamics(model).forward([0], [0])
    with pytest.raises(mb.StateError, match=words):
        mb.constrained(model).solve([0], [0])


@pytest.mark.parametrize("off", [1e-12, 1e-9, 1e-8, 1e-6, 1e-5])
@pytest.mark.parametrize("route", ["null_space", "lagrange", "udwadia_kalaba"])
def test_redundant_equations_stay_so_a_little_beside_the_constraints(route: str, off: float) -> None:
    """Five equations of Bricard's loop have rank five everywhere but on the loop, with a singular value of ``off``."""
    model = mb.library.bricard()
    motion = mb.simulate(model, duration=0.4)
    q, u, dynamics = motion.q[-1], motion.u[-1], mb.Dynamics(model)
    state = dynamics.constraints(q + off * np.array([1, -1, 0.5, 0.3, -0.2]), u, route=route)
    assert (state.rank, state.freedom, state.unique) == (4, 1, False)
    np.testing.assert_allclose(state.accelerations, motion.ud[-1], atol=1e-10 + 10 * off)
    np.testing.assert_allclose(state.wrench, motion.closure.wrench[-1], atol=1e-10 + 100 * off)


def test_accelerations_where_a_distance_has_no_direction_are_refused() -> None:
    """The free fall of a body in the centre of its sphere is no motion on it."""
    words = r"points of constraint 0 \(\w+\) lie on each other"
    for constraint in (mb.DistanceConstraint(None, "body", 1), mb.OnSphere("body", 2), mb.OnCircle("body", 3)):
        dynamics = mb.Dynamics(free(constraint))
        q, u = dynamics.model.q0, dynamics.model.u0
        for call in (dynamics.forward, dynamics.constraints):
            with pytest.raises(mb.StateError, match=words):
                call(q, u)
        for call in (dynamics.inverse, dynamics.reactions):
            with pytest.raises(mb.StateError, match=words):
                call(q, u, u)
        assert np.isfinite(dynamics.forward([0.1, *q[1:]], u)).all()


@pytest.mark.parametrize("stabilise", CONTROLS)
def test_frames_off_their_constraints_are_no_success(stabilise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever moves them off: here a hand between the integrator and the frames."""
    from mbwidgets.numeric.simulation import simulate

    solve = simulate._solve

    def spoilt(*arguments: Any) -> Any:
        run = solve(*arguments)
        run.rows[20:, 0] += 0.3
        return run

    monkeypatch.setattr(simulate, "_solve", spoilt)
    motion = mb.simulate(mb.library.four_bar(), duration=1, stabilise=stabilise)
    assert motion.outcome.result is Result.DRIFTED, motion.outcome
    assert "constraint 0 (point) is off by" in motion.outcome.message
    assert motion.outcome.time == pytest.approx(20 / 60)
    assert len(motion) == 20


def test_drift_that_nobody_projects_away_is_told() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=10, stabilise="none", method="rk4", step=0.01)
    assert motion.outcome.ok
    assert 1e-8 < motion.constraint_residual.max() < 1e-2
    assert f"constraint 0 (point) is off by {motion.constraint_residual.max():.3g} at most" in motion.outcome.message


@pytest.mark.filterwarnings("error")
def test_a_rod_between_points_that_lie_on_each_other_has_no_direction() -> None:
    motion = mb.simulate(rod(mb.DistanceConstraint(("rod 1", (0, 0, 0)), (None, (0, 0, 0)), 1)))
    assert not motion.outcome.ok
    (force,) = motion.constraint_forces
    assert np.array_equal(force.force, np.zeros_like(force.force))
