"""Permanent rotations about the vertical (Chebanov and Khlistunova): coefficients, verdicts, cases, growth rates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from mbwidgets.numeric.permanent.ball_chain import vertical_basis
from mbwidgets.numeric.permanent.conditions import condition_harmonics
from mbwidgets.numeric.permanent.growth_rates import propagated, rotation_growth
from mbwidgets.numeric.permanent.rotation_states import (
    rotation_of,
    with_nearest_permanent_rotation,
    with_permanent_rotation_if_found,
    with_rotation,
)
from tests.numeric.permanent.permanent_chains import (
    REFERENCE,
    SYSTEMS,
    absolute_speeds,
    change_of_speed,
    random_spherical_chain,
    reference_chain,
    rods,
)

EXACT = 1e-12
"""Sums and products of a few numbers of order one."""
REPRODUCED = 1e-10
"""Motions of three seconds, each computed with relative tolerance 1e-12 or so by two programs."""

every_system = pytest.mark.parametrize("name", SYSTEMS)


def judged(name: str) -> tuple[dict[str, Any], mb.Model, Any]:
    system = SYSTEMS[name]
    model = reference_chain(system)
    return system, model, mb.permanent(model, system["omega"])


@every_system
def test_coefficients_are_those_of_the_reference(name: str) -> None:
    system, _, found = judged(name)
    n = len(system["bodies"])
    assert found.alpha.shape == (n, 3)
    assert found.beta.shape == found.gamma.shape == (n, n, 3)
    for ours, theirs in ((found.alpha, "alpha"), (found.beta, "beta"), (found.gamma, "gamma")):
        np.testing.assert_allclose(ours, system[theirs], rtol=0, atol=EXACT)
    np.testing.assert_allclose(found.chain.augmented, system["Astar"], rtol=0, atol=EXACT)
    np.testing.assert_allclose(found.chain.static, system["a"], rtol=0, atol=EXACT)
    np.testing.assert_allclose(found.residual(0.7), system["residual_t0p7"], rtol=0, atol=EXACT)
    assert abs(found.largest - system["grouped_max"]) < EXACT
    largest = np.abs(found.residual(np.linspace(0, 3, 601))).max()
    assert abs(largest - system["max_residual_t"]) < REPRODUCED


@every_system
def test_verdict_and_case_are_those_of_the_reference(name: str) -> None:
    system, _, found = judged(name)
    assert found.holds is system["expected_permanent"]
    assert bool(found.failures) is not found.holds
    if found.holds:
        assert system["classification"].startswith(found.case)
        assert all(condition.holds for condition in found.conditions)
    else:
        assert max(condition.amount for condition in found.failures) > 1e-3
        assert np.isnan(found.growth)
        assert found.stability == "not permanent"


@every_system
def test_the_motion_keeps_or_leaves_the_rotation_as_in_the_reference(name: str) -> None:
    system, model, found = judged(name)
    motion = mb.simulate(model, *found.state(), duration=system["T"], rate=40 / system["T"], rtol=1e-12)
    speeds = absolute_speeds(motion)
    change = np.linalg.norm(speeds - speeds[0], axis=2).max()
    assert abs(change - system["dev_omega"]) < REPRODUCED
    strayed = 0.0
    for i, omega in enumerate(system["omega"]):
        turned = Rotation.from_rotvec(np.outer(omega * motion.t, [0, 0, 1])).as_matrix()
        actual = Rotation.from_quat(motion.poses[1][:, i]).as_matrix()
        strayed = max(strayed, float(np.linalg.norm(actual - turned, axis=(1, 2)).max()))
    assert abs(strayed - system["dev_R"]) < REPRODUCED
    assert abs(np.abs(motion.energy.total - motion.energy.total[0]).max() - system["energy_drift"]) < REPRODUCED
    assert bool(change < 1e-9) is system["expected_permanent"]


@pytest.mark.parametrize(
    ("name", "condition", "body", "amount"),
    [
        ("X_case1_c2_off_axis", "ii", "B2", 1.2 * 0.02),
        ("X_case1_s_not_vertical_c2z!=0", "iii", "B2", 0.05),
        ("X_case1_wrong_omega1", "iv", "B1", 0.20601),
        ("X_case1_A13_of_B2", "i", "B2", 0.012),
        ("X_n3_k4_s2_oblique_with_a3!=0", "ii", "B3", 0.7 * 0.15),
        ("X_case4_wrong_omega", "2.4", "B1", 0.2453481),
    ],
)
def test_a_counter_example_fails_the_condition_that_it_breaks_by_what_it_breaks(
    name: str, condition: str, body: str, amount: float
) -> None:
    found = judged(name)[2]
    assert any(
        item.name == condition and item.body == body and abs(item.amount - amount) < 1e-9 for item in found.failures
    )


def test_case_4_has_the_speed_that_the_erratum_gives() -> None:
    """ω² = g a₂² / (A²₂₃ + s² a₂³) beside the printed ratios."""
    relations = REFERENCE["case4_relations"]
    posed = judged("case4_equal")[2].posed
    a1, a2, s = posed.static[0], posed.static[1], posed.arm[0]
    first, second = -posed.inertia[:, :2, 2]
    square = REFERENCE["g"] * a2[1] / (second[1] + s[1] * a2[2])
    assert abs(square - relations["omega2_from_formula"]) < REPRODUCED
    assert abs(SYSTEMS["case4_equal"]["omega"][0] ** 2 - relations["omega2"]) < REPRODUCED
    below = second[1] + s[1] * a2[2]
    ratios = [(first[k] + s[2] * a2[k]) / below - a1[k] / a2[1] for k in range(2)]
    np.testing.assert_allclose(ratios, relations["ratio1"], atol=REPRODUCED)
    assert abs((second[0] + s[0] * a2[2]) / below - a2[0] / a2[1] - relations["ratio2"]) < REPRODUCED
    assert abs(a2[0] / a2[1] - s[0] / s[1] - relations["ratio3"]) < REPRODUCED


def test_the_vertical_may_point_anywhere(rng: np.random.Generator) -> None:
    for direction in [*rng.normal(size=(6, 3)), [0, 0, -1.0], [1.0, 0, 0], [1e-9, 0, -1.0]]:
        turn = vertical_basis(np.asarray(direction))
        np.testing.assert_allclose(turn.T @ turn, np.eye(3), atol=1e-14)
        np.testing.assert_allclose(turn[:, 2], direction / np.linalg.norm(direction), atol=1e-15)
        for name in ("case1_3.6", "case4_equal", "X_n3_k4_s2_oblique_with_a3!=0"):
            system = SYSTEMS[name]
            found = mb.permanent(reference_chain(system, turn), system["omega"])
            np.testing.assert_allclose(found.alpha, system["alpha"], rtol=0, atol=1e-11)
            np.testing.assert_allclose(found.gamma, system["gamma"], rtol=0, atol=1e-11)
            assert found.holds is system["expected_permanent"]


def test_the_rows_are_those_of_the_general_condition_about_the_vertical(rng: np.random.Generator) -> None:
    """(2.4) is (2.2) in axes that turn with each body: row 1 along −e2, row 2 along e1, row 3 along e3."""
    for _ in range(50):
        n = int(rng.integers(1, 6))
        model = random_spherical_chain(rng, n)
        omega, t = rng.normal(size=n) * 3, float(rng.uniform(0, 2))
        found = mb.permanent(model, omega)
        down = model.gravity / np.linalg.norm(model.gravity)
        general = mb.own_axes(model, omega, [down] * n).residual(t) @ vertical_basis(np.array(model.gravity))
        for i in range(n):
            x, y, z = Rotation.from_rotvec([0, 0, -omega[i] * t]).apply(general[i])
            np.testing.assert_allclose(found.residual(t)[i], [-y, x, z], atol=1e-12 * found.scale)


def test_the_general_condition_is_what_the_compiled_dynamics_says(rng: np.random.Generator) -> None:
    """(2.2) about directions of one's own: with ω̇ = 0 it is the effort that each joint would need."""
    for _ in range(50):
        n = int(rng.integers(1, 6))
        model = random_spherical_chain(rng, n)
        omega, axes = rng.normal(size=n) * 3, rng.normal(size=(n, 3))
        rotation = mb.own_axes(model, omega, axes)
        spins = rotation.axes * omega[:, None]
        u = rotation.chain.relative_speeds(rotation.turns, spins)
        before = np.vstack([np.zeros(3), spins[:-1]])
        ud = rotation.chain.relative_speeds(rotation.turns, np.zeros((n, 3))) - np.cross(before, spins).ravel()
        tau = mb.Dynamics(model).inverse(model.q0, u, ud).reshape(n, 3)
        carried = np.cumsum(rotation.residual()[::-1], axis=0)[::-1]
        np.testing.assert_allclose(carried, tau, rtol=0, atol=1e-12 * rotation.scale * n)


def test_a_free_body_turns_about_its_own_axis_but_not_about_another() -> None:
    """Hung in their mass centres, bodies turn about principal axes that point anywhere."""
    bodies = [
        mb.Body("a", mb.Spherical(), mass=1, com=(-0.5, 0, 0), inertia=(0.3, 0.4, 0.5)),
        mb.Body("b", mb.Spherical(at=(0.5, 0, 0)), mass=1, inertia=(0.1, 0.2, 0.25)),
    ]
    model = mb.Model(bodies)
    assert mb.own_axes(model, [0, 4.0], [[0, 0, 1], [0, 1, 0]]).holds
    assert mb.own_axes(model, [2.0, 4.0], [[1, 0, 0], [0, 1, 0]]).holds
    assert not mb.own_axes(model, [0, 4.0], [[0, 0, 1], [0, 1, 1]]).holds


def test_distinct_speeds_need_every_coefficient_to_vanish_even_at_resonance() -> None:
    """ω = 1, 2, 3: differences coincide, and yet no rotation holds with β ≠ 0; so (4.8) is more than is needed."""
    model = reference_chain(SYSTEMS["X_n3_k4_s2_oblique_with_a3!=0"])
    found = mb.permanent(model, [3.1, 4.6, 6.1])
    assert not found.holds
    frequencies = {
        round(row.frequency, 9) for row in condition_harmonics(found.omega, found.alpha, found.beta, found.gamma)
    }
    assert frequencies == {0.0, 1.5, 3.0}


@pytest.mark.parametrize("name", ["case4_equal", "case1_3.6", "case2_omega1_0", "n3_k3_s2_oblique"])
def test_growth_rates_are_those_of_small_motions(name: str, rng: np.random.Generator) -> None:
    """A small turn of the bodies, followed by the compiled dynamics, grows as the linear equations say."""
    system, model, found = judged(name)
    n, duration = len(system["bodies"]), 0.6
    omega, chain = found.omega, found.chain
    turns, size = chain.turns(model.q0), 1e-6
    start = rng.normal(size=(6 * n, 1))
    expected = propagated(found.posed, omega, start, (0.0, duration), 800)[: 3 * n, 0].reshape(n, 3)
    ends = []
    for sign in (1, -1):
        theta, rate = sign * size * start[: 3 * n, 0].reshape(n, 3), sign * size * start[3 * n :, 0].reshape(n, 3)
        spin = omega[:, None] * np.array([0.0, 0.0, 1.0])
        seen = rate + np.cross([0, 0, omega[0]], theta)  # θ̇ in world axes
        moved = Rotation.from_rotvec(theta).as_matrix() @ turns
        u = chain.relative_speeds(moved, spin + seen + np.cross(theta, spin))
        motion = mb.simulate(model, chain.quaternions(moved), u, duration=duration, rate=1 / duration, rtol=1e-13)
        ends.append(Rotation.from_quat(motion.poses[1][-1]))
    turned = Rotation.from_rotvec(np.outer(omega * duration, [0, 0, 1]))
    difference = [(end * turned.inv()).as_rotvec() for end in ends]
    back = Rotation.from_rotvec([0, 0, -omega[0] * duration])
    actual = back.apply((difference[0] - difference[1]) / (2 * size))
    # central differences of step 1e-6 of numbers known to 1e-13: 1e-7 from rounding
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_an_upright_rod_grows_at_the_rate_of_its_pendulum() -> None:
    """A rod of length l that stands at rest falls at √(3g/2l)."""
    rod = mb.Model(
        [mb.Body("rod", mb.Spherical(), mass=1, com=(0, 0, 0.5), inertia=(1 / 12, 1 / 12, 1e-6))],
        gravity=(0, 0, -9.81),
    )
    standing, hanging = mb.permanent(rod, [0.0]), mb.permanent(rod.replace(gravity=(0, 0, 9.81)), [0.0])
    assert abs(standing.growth - np.sqrt(1.5 * 9.81)) < 1e-9
    assert (standing.stability, hanging.stability) == ("unstable", "stable")
    assert hanging.growth == 0.0


@pytest.mark.parametrize(
    ("omega", "method"), [((1, 1, 1), "eigenvalues"), ((1, 2, 3), "Floquet"), ((1, 2, 3.3), "Lyapunov")]
)
def test_standing_rods_fall_at_the_same_rate_whatever_their_slow_spins(omega: Any, method: str) -> None:
    """Thin rods hardly feel a spin: the rate is that of three rods at rest, which the three methods find."""
    model = rods(3).replace(gravity=(0, 0, -9.81))
    at_rest, turning = mb.permanent(model, [0.0] * 3), mb.permanent(model, omega)
    assert turning.holds
    assert turning.small_motions.method == method
    assert turning.stability == "unstable"
    # the spins change the rate by ω J_along/J_across = 1e-3 or so
    assert abs(turning.growth / at_rest.growth - 1) < 1e-2


@pytest.mark.parametrize("apart", [1e-8, 1e-6, 1e-4, 1e-3, 6e-3, 2e-2, 0.3])
def test_growth_rates_go_on_as_two_speeds_come_together(apart: float) -> None:
    """A plate on the long way from its axis carries a symmetric rotor: its coefficients are constant at any speeds."""
    start = with_permanent_rotation_if_found(mb.library.carousel())
    now = rotation_of(start)
    slow = with_rotation(start, now.turns, np.array([now.omega[0], 1.3794]))
    found = rotation_of(with_nearest_permanent_rotation(slow, np.array((-0.599333, -0.104887, 0.793599))))
    assert found.holds
    speeds = found.omega[0] + np.array([0.0, apart])
    with np.errstate(over="raise", invalid="raise"):
        near = rotation_growth(found.posed, speeds)
    together = rotation_growth(found.posed, np.full(2, found.omega[0]))
    assert together.method == "eigenvalues"
    assert near.stability == "unstable"
    # the rotor's own spin changes the rate in proportion to the difference of the speeds
    assert abs(near.largest / together.largest - 1) < 1e-9 + 0.2 * apart


def test_growth_of_bodies_that_turn_slowly_towards_each_other_is_that_of_shorter_steps() -> None:
    """Two oblique bodies: 60 steps a turn give 3.6, ever shorter ones 0.5416."""
    arms = [((0.1, 0.05, -0.3), (0.3, 0.2, 0.25)), ((0.05, -0.1, -0.2), (0.1, 0.2, 0.15))]
    bodies = [
        mb.Body(f"b{k}", mb.Spherical(at=(0.1 * k, 0, -0.6 * k)), mass=2 - 0.5 * k, com=com, inertia=inertia)
        for k, (com, inertia) in enumerate(arms)
    ]
    found = rotation_of(mb.Model(bodies, gravity=(0, 0, -9.81)))
    slow = rotation_growth(found.posed, np.array([5.0, 5.003]))
    assert slow.largest == pytest.approx(0.5416, rel=2e-3)
    # bodies that turn ever slower towards each other: the mean of what each moment has
    assert rotation_growth(found.posed, np.array([5.0, 5.0 + 1e-7])).largest == pytest.approx(slow.largest, rel=5e-3)


def test_point_masses_have_growth_rates_although_their_spins_move_nothing() -> None:
    """The double spherical pendulum upside down: λ² = g/l (2 + √2)."""
    ball = [mb.Body(f"b{i}", mb.Spherical(at=(0, 0, i)), mass=1, com=(0, 0, 1)) for i in range(2)]
    found = mb.permanent(mb.Model(ball, gravity=(0, 0, -9.81)), [0.0, 0.0])
    assert abs(found.growth - np.sqrt(9.81 * (2 + np.sqrt(2)))) < 1e-9


def test_a_fast_top_sleeps_and_a_slow_one_falls() -> None:
    """Lagrange's top upright: it is stable at first order when (C ω)² > 4 A m g l."""
    top = mb.Model(
        [mb.Body("top", mb.Spherical(), mass=1.0, com=(0, 0, 0.2), inertia=(0.01, 0.01, 0.02))], gravity=(0, 0, -9.81)
    )
    across = 0.01 + 0.2**2
    critical = np.sqrt(4 * across * 9.81 * 0.2) / 0.02
    assert mb.permanent(top, [0.99 * critical]).stability == "unstable"
    assert mb.permanent(top, [1.01 * critical]).growth == 0.0


def test_a_single_speed_is_that_of_every_body() -> None:
    model = mb.library.spherical_chain(3)
    one, listed = mb.permanent(model, 2.5), mb.permanent(model, [2.5] * 3)
    np.testing.assert_array_equal(one.omega, listed.omega)
    np.testing.assert_array_equal(one.gamma, listed.gamma)


def test_bad_input_is_refused_with_a_typed_error() -> None:
    model = reference_chain(SYSTEMS["case1_3.6"])
    for omega in ([1.0], [1.0, 2.0, 3.0], None, np.nan, [1.0, np.nan], ["a", "b"]):
        with pytest.raises(mb.StateError, match="omega"):
            mb.permanent(model, omega)
    with pytest.raises(mb.ModelError, match=r"s = 0.*2\.6"):
        mb.permanent(model.with_joint("B2", at=(0, 0, 0)), [1.0, 2.0])
    with pytest.raises(mb.ModelError, match=r"joint 'B2': a revolute joint"):
        mb.permanent(model.with_body("B2", joint=mb.Revolute("z", at=(0, 0, 1))), [1.0, 2.0])
    with pytest.raises(mb.ModelError, match="chain from the ground"):
        mb.permanent(model.with_body("B2", parent=mb.ground), [1.0, 2.0])
    with pytest.raises(mb.ModelError, match="gravity is zero"):
        mb.permanent(model.replace(gravity=(0, 0, 0)), [1.0, 2.0])
    with pytest.raises(mb.ModelError, match="forces"):
        mb.permanent(model.replace(forces=[mb.JointDamper("B1", 0.1)]), [1.0, 2.0])
    with pytest.raises(mb.StateError, match="axes"):
        mb.own_axes(model, [1.0, 2.0], [[0, 0, 1]])
    with pytest.raises(mb.StateError, match="zero vector"):
        mb.own_axes(model, [1.0, 2.0], [[0, 0, 1], [0, 0, 0]])
    with pytest.raises(mb.StateError, match="q has shape"):
        mb.permanent(model, [1.0, 2.0], q=[0, 0, 0, 1])


def test_the_wrong_speed_of_a_staude_rotation_is_seen_in_the_motion() -> None:
    system, model, _ = judged("case1_3.6")
    right, wrong = (mb.permanent(model, [factor * system["omega"][0], -4.7]) for factor in (1.0, 1.01))
    assert change_of_speed(model, right.state(), 1.0) < 1e-11
    assert change_of_speed(model, wrong.state(), 1.0) > 1e-3


def test_a_chain_of_fifty_bodies_keeps_its_energy_for_ten_seconds() -> None:
    model = mb.library.spherical_chain(50)
    q = model.q0.copy()
    q[4 * 25 : 4 * 25 + 4] = Rotation.from_rotvec(
        [0.2, 0.1, 0.0]
    ).as_quat()  # a kink, so that it does not stay straight
    motion = mb.simulate(model, q=q, duration=10, rate=10, rtol=1e-9)
    assert motion.t[-1] == 10.0
    assert motion.drift < 1e-8
