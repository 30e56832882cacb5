"""Constrained motion against closed forms, the papers' values and the IFToMM benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import mbwidgets as mb
from mbwidgets.expressions import Variable, derivative, evaluate, parse_expression
from mbwidgets.numeric.base.outcome import Result

DATA = Path(__file__).parents[2] / "data"
LOOPS = {
    "hammer_crusher": mb.library.hammer_crusher,
    "body_on_circle": mb.library.body_on_circle,
    "slider_crank": mb.library.slider_crank,
    "four_bar": mb.library.four_bar,
    "n_four_bar(1)": lambda: mb.library.n_four_bar(1),
    "n_four_bar(2)": lambda: mb.library.n_four_bar(2),
    "n_four_bar(5)": lambda: mb.library.n_four_bar(5),
    "andrews_squeezer without torque": lambda: mb.library.andrews_squeezer().with_values(M=0),
    "bricard": mb.library.bricard,
    "flyball_governor": mb.library.flyball_governor,
}
"""The mechanisms of the two papers and all closed loops of the library; the squeezer's torque would turn it 100,000
times in ten seconds, ever faster, and so it has a test of its own."""
RTOLS = (1e-10, 1e-12)


def reference(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / f"{name}.json").read_text())
    return loaded


def point_on_circle() -> mb.Model:
    return mb.Model(
        [mb.Body("point", mb.Planar("z"), mass=1, inertia=(1, 1, 1))],
        gravity=(0, -9.81, 0),
        constraints=[mb.DistanceConstraint("point", None, length=1)],
        state={"q": [-1, 0, 0]},
    )


@pytest.mark.parametrize("name", LOOPS)
def test_a_closed_loop_keeps_its_constraints_and_its_energy_for_ten_seconds(name: str) -> None:
    """At the default tolerance; the work of torques and dampers is in the balance of the energy."""
    motion = mb.simulate(LOOPS[name](), duration=10)
    assert motion.outcome.ok
    assert motion.t[-1] == 10
    assert np.ptp(motion.q, axis=0).max() > 0.1
    if motion.model.constraints:
        assert motion.constraint_residual.max() < 1e-10
    assert motion.drift < 1e-8


def test_the_squeezer_keeps_its_constraints_and_its_energy_over_a_hundred_turns() -> None:
    motion = mb.simulate(mb.library.andrews_squeezer(), duration=0.3, rate=2000)
    assert motion.outcome.ok
    assert motion.q[-1, 0] > 100 * 2 * np.pi
    assert motion.constraint_residual.max() < 1e-10
    assert motion.drift < 1e-8


@pytest.mark.parametrize("rtol", RTOLS)
def test_the_pendulum_of_the_benchmark_is_met(rtol: float) -> None:
    """IFToMM A01, by elliptic functions."""
    motion = mb.simulate(point_on_circle(), rtol=rtol)
    places = {**reference("iftomm")["A01"]["xy"], "10": [-0.2750874626, -0.9614192051]}
    for time, place in places.items():
        np.testing.assert_allclose(motion.q[motion.index(float(time)), :2], place, atol=1e-8)
    # sin(θ/2) = k sn(K − ω t), from rest at the level of the pivot: k² = 1/2
    swing = ellipj(ellipk(0.5) - np.sqrt(9.81) * motion.t, 0.5)[0]
    theta = -2 * np.arcsin(np.sqrt(0.5) * swing)
    np.testing.assert_allclose(motion.q[:, :2], np.stack([np.sin(theta), -np.cos(theta)], axis=1), atol=20 * rtol)


@pytest.mark.parametrize("rtol", RTOLS)
def test_four_bars_in_a_row_meet_the_benchmark(rtol: float) -> None:
    """IFToMM A02, by its exact reduction; flat bars are passed ten times."""
    motion = mb.simulate(mb.library.n_four_bar(2), rtol=rtol)
    knee = motion.point("bar 0", (0, 1, 0))
    for time, value in reference("iftomm")["A02"]["N2"]["B0"].items():
        frame = motion.index(float(time))
        np.testing.assert_allclose(knee.position[frame, :2], [value["x"], value["y"]], atol=1e-8)
        np.testing.assert_allclose(knee.velocity[frame, :2], [value["vx"], value["vy"]], atol=1e-8)
        np.testing.assert_allclose(-motion.q[frame, 0], value["theta"], atol=1e-8)


def one_bar(n: int, v0: float, length: float, t: np.ndarray) -> np.ndarray:
    """θ(t) of n four-bars that move as one bar: I θ̈ = g S sin θ."""
    inertia, lever = ((n + 1) / 3 + n) * length**2, ((n + 1) / 2 + n) * length
    solved = solve_ivp(
        lambda _, y: [y[1], 9.81 * lever / inertia * np.sin(y[0])],
        (0, t[-1]),
        [0, v0 / length],
        method="DOP853",
        rtol=3e-14,
        atol=1e-14,
        t_eval=t,
    )
    return np.asarray(solved.y[0])


@pytest.mark.parametrize("exponent", np.linspace(8, 13, 11))
@pytest.mark.parametrize(("n", "v0", "length"), [(1, 1.0, 1.0), (2, 1.0, 1.0), (3, 2.3, 0.7)])
def test_singular_positions_are_passed_at_every_tolerance(exponent: float, n: int, v0: float, length: float) -> None:
    """The branch is kept, and the error is that of any motion: it grows from the tolerance by a few hundred, most where
    the bars are up and a small error of energy is a large one of time, not where they are flat."""
    rtol = 10.0**-exponent
    motion = mb.simulate(mb.library.n_four_bar(n).with_values(v0=v0, l=length), rtol=rtol)
    assert motion.outcome.ok
    error = abs(-motion.q[:, 0] - one_bar(n, v0, length, motion.t)).max()
    assert error < 1e3 * rtol
    assert motion.drift < 20 * rtol


@pytest.mark.parametrize("rtol", RTOLS)
def test_forty_four_bars_move_as_one(rtol: float) -> None:
    """IFToMM A02 with N = 40: ten seconds, B0 against the reduction to one coordinate."""
    motion = mb.simulate(mb.library.n_four_bar(40), rtol=rtol)
    assert motion.outcome.ok
    assert motion.drift < 1e-8
    assert motion.constraint_residual.max() < 1e-10
    theta = one_bar(40, 1.0, 1.0, motion.t)
    knee = motion.poses[0][:, motion.model.index("link 0")]
    # flat positions are passed ten times, and their frames are as good as the others
    np.testing.assert_allclose(knee[:, :2], np.stack([np.sin(theta), np.cos(theta)], axis=1), atol=500 * rtol)
    np.testing.assert_allclose(knee[-1, :2], [np.sin(theta[-1]), np.cos(theta[-1])], atol=100 * rtol)


@pytest.mark.parametrize("rtol", RTOLS)
def test_the_squeezer_ends_where_the_test_set_says(rtol: float) -> None:
    """IFToMM A03, Test Set for IVP Solvers."""
    given = reference("iftomm")["A03"]["ivp"]
    motion = mb.simulate(mb.library.andrews_squeezer(), duration=given["t"], rate=2000, rtol=rtol)
    np.testing.assert_allclose(motion.q[0], given["q0"], atol=1e-12)
    np.testing.assert_allclose(motion.q[-1], given["q"], atol=given["tolerance"])
    assert motion.constraint_residual.max() < 1e-10


@pytest.mark.parametrize("rtol", RTOLS)
def test_bricards_redundant_loop_moves_as_published(rtol: float) -> None:
    """IFToMM A04: five equations of rank four."""
    motion = mb.simulate(mb.library.bricard(), duration=2, rtol=rtol)
    for time, place in reference("iftomm")["A04"]["P3"].items():
        np.testing.assert_allclose(motion.point("rod 3").position[motion.index(float(time))], place, atol=1e-8)
    assert (motion.closure.equations, motion.closure.rank, motion.closure.freedom) == (5, 4, 1)
    assert not motion.closure.unique


def bricard_of_free_bodies() -> mb.Model:
    """Every rod with six coordinates of its own, every pin five equations."""
    points, pins = reference("iftomm")["A04"]["params"]["points"], reference("iftomm")["A04"]["params"]["axes"]
    spans = np.diff(points, axis=0)
    rods, constraints = [], []
    for i, (span, place) in enumerate(zip(spans, points, strict=False)):
        box = mb.Box(tuple(np.where(span, 1.0, 0.1)), at=tuple(span / 2), mass=1)
        rods.append(mb.Body(f"rod {i + 1}", mb.Free(at=tuple(place)), parent=mb.ground, inertia=box))
    for i, (place, axis) in enumerate(zip(points, pins, strict=True)):
        before = (f"rod {i}", tuple(spans[i - 1]), axis) if i else (None, tuple(place), axis)
        after = (f"rod {i + 1}", (0, 0, 0), axis) if i < len(rods) else (None, tuple(place), axis)
        constraints += [mb.PointConstraint(after[:2], before[:2]), mb.ParallelConstraint(after, before)]
    return mb.Model(rods, gravity=(0, -9.81, 0), constraints=constraints)


def test_bricards_mechanism_of_free_bodies_has_thirty_equations_of_rank_twenty_nine() -> None:
    """IFToMM A04 in body coordinates: the rank belongs to the coordinates, the motion does not."""
    given = reference("iftomm")["A04"]
    free, cut = mb.simulate(bricard_of_free_bodies()), mb.simulate(mb.library.bricard())
    assert (free.closure.equations, free.closure.rank, free.closure.freedom) == (given["constraints"], given["rank"], 1)
    assert free.constraint_residual.max() < 1e-10
    assert free.drift < 1e-8
    for time, place in given["P3"].items():
        np.testing.assert_allclose(free.point("rod 3").position[free.index(float(time))], place, atol=1e-8)
    np.testing.assert_allclose(free.poses[0], cut.poses[0], atol=1e-8)
    # the redundant equation leaves each multiplier open and every body's wrench determined
    assert not free.closure.unique
    total = sum(action.force for action in free.constraint_forces if action.body == "rod 3")
    centre = free.point("rod 3", (0, 0, 0.5)).acceleration
    np.testing.assert_allclose(total, centre + np.array([0, 9.81, 0]), atol=1e-8)


@pytest.mark.parametrize(("method", "rtol"), [*(("auto", rtol) for rtol in RTOLS), ("radau", 1e-10), ("bdf", 1e-12)])
def test_the_governor_moves_as_two_stiff_solvers_say(method: str, rtol: float) -> None:
    """IFToMM A05, by the explicit method and by two implicit ones."""
    motion = mb.simulate(mb.library.flyball_governor(), duration=1, method=method, rtol=rtol)
    assert motion.method == {"auto": "dop853", "bdf": "radau"}.get(method, method)
    for time, value in reference("iftomm")["A05"]["values"].items():
        expected = [value["psi"], value["s"], value["alpha"], value["alpha"]]
        np.testing.assert_allclose(motion.q[motion.index(float(time))], expected, atol=1e-8)
        np.testing.assert_allclose(motion.u[motion.index(float(time)), :2], [value["omega"], value["sdot"]], atol=1e-8)
        assert value["check_BDF"] < 1e-8  # how far the reference's two solvers are apart


@pytest.mark.parametrize("method", ["radau", "bdf"])
def test_a_coordinate_on_which_nothing_depends_does_not_stop_the_implicit_methods(method: str) -> None:
    """The shaft's angle: SciPy's step of its difference quotient grew tenfold each time, past all numbers."""
    motion = mb.simulate(mb.library.flyball_governor(), duration=3, method=method)
    assert motion.outcome.ok, motion.outcome
    witness = mb.simulate(mb.library.flyball_governor(), duration=3)
    np.testing.assert_allclose(motion.q[-1], witness.q[-1], atol=1e-6)


@pytest.mark.parametrize("method", ["radau", "bdf"])
def test_an_implicit_method_crosses_a_singular_position_or_says_that_it_is_the_one_that_stops(method: str) -> None:
    """The flat parallelogram: DOP853 crosses it; rounding of a step's end decides whether the others do."""
    motion = mb.simulate(mb.library.n_four_bar(1), duration=2, method=method)
    witness = mb.simulate(mb.library.n_four_bar(1), duration=2)
    assert witness.outcome.ok
    np.testing.assert_allclose(motion.q, witness.q[: len(motion)], atol=1e-7)
    if not motion.outcome.ok:
        assert motion.outcome.result is Result.UNDETERMINED
        assert f"singular position that {method} cannot pass" in motion.outcome.message
        assert 'try method="dop853"' in motion.outcome.message


def test_a_stiff_spring_on_a_loop_is_solved_implicitly() -> None:
    """The governor with its arms held to each other by a constraint, which its symmetry meets: the values of A05."""
    model = mb.library.flyball_governor().replace(constraints=[mb.EquationConstraint("q[2] - q[3]")])
    motion = mb.simulate(model, duration=0.5, method="radau", rtol=1e-9)
    value = reference("iftomm")["A05"]["values"]["0.5"]
    assert motion.method == "radau"
    assert motion.constraint_residual.max() < 1e-10
    np.testing.assert_allclose(motion.q[-1], [value["psi"], value["s"], value["alpha"], value["alpha"]], atol=1e-8)
    np.testing.assert_allclose(motion.u[-1, :2], [value["omega"], value["sdot"]], atol=1e-8)


def test_a_redundant_constraint_changes_nothing_but_the_multipliers() -> None:
    once = mb.library.four_bar()
    twice = once.replace(constraints=once.constraints * 2)
    first, second = mb.simulate(once, duration=2), mb.simulate(twice, duration=2)
    assert first.closure.rank == second.closure.rank == 2
    np.testing.assert_allclose(second.q, first.q, atol=1e-9)
    np.testing.assert_allclose(second.closure.wrench, first.closure.wrench, atol=1e-6)


@pytest.mark.parametrize("stabilise", ["projection", "baumgarte", "none"])
def test_every_drift_control_gives_the_same_motion(stabilise: str) -> None:
    motion = mb.simulate(point_on_circle(), duration=2, stabilise=stabilise)
    np.testing.assert_allclose(motion.q[-1, :2], reference("iftomm")["A01"]["xy"]["2"], atol=1e-8)


def test_a_prescribed_motion_is_followed_and_its_work_is_counted() -> None:
    model = mb.library.pendulum(2).replace(constraints=[mb.Prescribed("rod 1", "2 + sin(3*t)")])
    motion = mb.simulate(model, duration=3)
    np.testing.assert_allclose(motion.q[:, 0], 2 + np.sin(3 * motion.t), atol=1e-12)
    assert motion.drift < 1e-8


def test_an_equation_of_a_quaternion_holds_a_ball() -> None:
    """q_x q_w + q_y q_z = 0 keeps a body's y from turning out of its plane."""
    model = mb.library.spherical_chain(1).replace(constraints=[mb.EquationConstraint("q[1]*q[3] - q[0]*q[2]")])
    motion = mb.simulate(model, duration=2)
    assert motion.outcome.ok
    assert motion.constraint_residual.max() < 1e-10
    assert motion.drift < 1e-8


def test_a_start_off_the_constraints_is_moved_and_says_so() -> None:
    motion = mb.simulate(mb.library.four_bar(), q=[1.2, -0.7, 1.4], duration=0.1)
    assert motion.outcome.ok
    assert "the start was moved" in motion.outcome.message
    assert "q of 'coupler' by" in motion.outcome.message
    assert motion.constraint_residual.max() < 1e-10


def test_a_loop_that_cannot_be_closed_names_its_constraint() -> None:
    motion = mb.simulate(mb.library.four_bar().with_values(l4=3.0), duration=1)
    assert motion.outcome.result is Result.CONTRADICTORY
    assert "constraint 0 (point)" in motion.outcome.message
    assert len(motion) == 1


def test_constraints_that_part_on_the_way_end_the_motion_there() -> None:
    both = [mb.Prescribed("rod 1", "sin(t)"), mb.Prescribed("rod 1", "t")]
    model = mb.library.pendulum(1).replace(constraints=both, state={"q": [0], "u": [1]})
    motion = mb.simulate(model, duration=2)
    assert motion.outcome.result is Result.CONTRADICTORY
    assert "(prescribed)" in motion.outcome.message
    assert 0 < motion.outcome.time < 0.1


def test_rest_in_a_singular_position_is_undetermined() -> None:
    model = mb.library.n_four_bar(1).replace(state={"q": [np.pi / 2, np.pi / 2, -np.pi / 2]})
    motion = mb.simulate(model, duration=1)
    assert motion.outcome.result is Result.UNDETERMINED
    assert len(motion) == 1


def test_a_crank_that_is_driven_past_its_reach_ends_the_motion_there() -> None:
    """A rocker of 1 m on a base of 3 m with a coupler of 1.5 m: the crank of 1 m reaches to cos φ = 3.75 / 6."""
    model = mb.library.four_bar().with_values(l1=1, l2=1.5, l3=1, l4=3, omega=0)
    reach = np.arccos((1 + 9 - 2.5**2) / 6)
    driven = model.replace(constraints=[*model.constraints, mb.Prescribed("crank", "0.2 + t")])
    motion = mb.simulate(driven, q=[0.2, 0.6, 2.6], duration=3)
    # there coupler and rocker are in line, the rank falls to two: the position is at fault and no one equation
    assert motion.outcome.result is Result.UNDETERMINED
    assert "a singular position that it cannot pass" in motion.outcome.message
    assert "constraint 0 (point), constraint 1 (prescribed)" in motion.outcome.message
    # the angle between the two goes to zero as the root of the time that is left
    assert motion.outcome.time == pytest.approx(reach - 0.2, abs=1e-6)
    assert motion.t[-1] > 0.5
    assert np.isfinite(motion.q).all()


def test_a_motion_that_stops_in_a_singular_position_becomes_undetermined() -> None:
    """A parallelogram that is driven to its flat position and left there."""
    model = mb.library.n_four_bar(1)
    # 0.2 + (π/2 − 0.2) s², s from 1 to 0 and then still: the crank comes to rest where the bars lie flat
    path = mb.Prescribed("bar 0", f"-{np.pi / 2} + {np.pi / 2 - 0.2}*(1 - t)**4")
    driven = model.replace(constraints=[*model.constraints, path], state={"q": [-0.2, -0.2, 0.2]})
    motion = mb.simulate(driven, duration=2, budget=20)
    # every equation can be met at rest in the flat position, of rank two instead of three: the branch is open
    assert motion.outcome.result is Result.UNDETERMINED
    assert "a singular position that it cannot pass" in motion.outcome.message
    assert "constraint 0 (point), constraint 1 (prescribed)" in motion.outcome.message
    # (1 − t)⁴ leaves a millionth of the way for the last 0.03 s
    assert 0.97 < motion.outcome.time < 1
    assert motion.q[-1, 0] == pytest.approx(-np.pi / 2, abs=1e-5)


def test_a_state_that_is_not_finite_is_an_outcome() -> None:
    motion = mb.simulate(mb.library.four_bar(), q=[np.nan, 0, 0])
    assert motion.outcome.result is Result.NOT_FINITE


@pytest.mark.parametrize("text", ["sin(t)**3*t", "exp(2*t)/(1+t**2)", "sqrt(1+t)*log(2+t)", "tan(t)*cos(3*t)"])
def test_derivatives_of_expressions_are_those_of_differences(text: str) -> None:
    f = parse_expression(text)
    slope = derivative(f, Variable("t"))
    at = [evaluate(f, {}, lambda leaf, t=t: t) for t in (0.7 - 1e-5, 0.7 + 1e-5)]
    # central differences: 1e-10 from the step, 1e-11 from rounding
    assert evaluate(slope, {}, lambda leaf: 0.7) == pytest.approx((at[1] - at[0]) / 2e-5, rel=1e-8)
