"""Relative equilibria, their branches, and chains designed for a rotation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from mbwidgets.numeric.permanent.ball_chain import Chain
from mbwidgets.numeric.permanent.design import _by_rows, _least_change, _Numbers, _slope
from tests.numeric.permanent.permanent_chains import (
    REFERENCE,
    SYSTEMS,
    absolute_speeds,
    random_spherical_chain,
    reference_chain,
    rods,
)

TWO_RODS = REFERENCE["relative_equilibria_two_rods"]


def given_rods(given: dict[str, Any]) -> mb.Model:
    return rods(2, [given["m1"], given["m2"]], [given["l1"], given["l2"]], given["rod_radius"])


@pytest.mark.parametrize("number", range(len(TWO_RODS)))
def test_two_rods_lean_as_in_the_reference(number: int) -> None:
    given = TWO_RODS[number]
    found = mb.relative_equilibrium(given_rods(given), given["omega"], tilt=given["seed_tilt_rad"])
    np.testing.assert_allclose(np.degrees(found.tilt), given["planar_check_deg"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.degrees(np.abs(found.tilt)), given["tilt_deg"], rtol=0, atol=1e-10)
    apart = np.abs(np.diff(np.degrees(found.azimuth))) % 360
    assert abs(apart[0] - np.abs(np.diff(given["azimuth_deg"]))[0]) < 1e-9
    assert found.residual < 1e-13
    assert found.permanent.holds
    assert found.permanent.case == "case 4"
    # the reference has 5e-5 for a double zero that finite differences split
    assert found.growth == 0.0
    assert given["max_real_eigenvalue"] < 1e-4


def test_two_rods_lean_as_published_values_say() -> None:
    found = [mb.relative_equilibrium(rods(), omega, tilt=tilt) for omega, tilt in ((5, (0.9, 1.1)), (9, (0.38, -1.0)))]
    np.testing.assert_allclose(np.degrees(found[0].tilt), [71.40032, 76.17647], atol=5e-6)
    np.testing.assert_allclose(np.degrees(found[1].tilt), [21.81331, -57.70623], atol=5e-6)
    assert [item.stability for item in found] == ["stable", "neutral"]


@pytest.mark.parametrize("number", range(len(TWO_RODS)))
def test_an_equilibrium_stays_one_in_motion(number: int) -> None:
    """The reference's persist_2s: changes of ω, of the poses that turn with it, and of the energy in two seconds."""
    given = TWO_RODS[number]
    model = given_rods(given)
    found = mb.relative_equilibrium(model, given["omega"], tilt=given["seed_tilt_rad"])
    motion = mb.simulate(model, *found.state(), duration=2, rate=50, rtol=1e-13)
    speeds = absolute_speeds(motion)
    turned = Rotation.from_rotvec(np.outer(given["omega"] * motion.t, [0, 0, 1])).as_matrix()
    strayed = motion.rotations - turned[:, None] @ motion.rotations[0]
    energy = motion.energy.total
    changes = [
        np.linalg.norm(speeds - speeds[0], axis=2).max(),
        np.linalg.norm(strayed, axis=(2, 3)).max(),
        np.abs(energy - energy[0]).max(),
    ]
    np.testing.assert_allclose(changes, given["persist_2s"], rtol=0, atol=1e-10)


def test_a_conical_pendulum_leans_as_the_textbook_says() -> None:
    """A thin rod at ω: cos θ = m g (l/2) / (ω² (J_across − J_along))."""
    omega, across, along = 6.0, 1 / 12 + 1 / 4, 0.0002
    found = mb.relative_equilibrium(rods(1), omega, tilt=[0.8])
    assert abs(np.cos(found.tilt[0]) - 9.81 * 0.5 / (omega**2 * (across - along))) < 1e-13


def test_the_branch_diagram_holds_both_published_equilibria() -> None:
    diagram = mb.branch_diagram(rods(), 0.0, 12.0)
    for omega, tilts in ((5.0, (71.40032, 76.17647)), (9.0, (21.81331, -57.70623))):
        assert any(np.abs(np.degrees(item.tilt) - tilts).max() < 1e-5 for item in diagram.at(omega))
    for branch in diagram:
        assert branch.omega.min() >= 0.0
        assert branch.omega.max() == 12.0
        assert np.isfinite(branch.tilt).all()
        assert (branch.growth >= 0.0).all()


def test_branches_leave_the_hanging_chain_at_its_critical_speeds() -> None:
    """One rod: ω² = m g (l/2) / (J_across − J_along). Two: where weight and centrifugal forces are in balance."""
    (critical,) = mb.branch_diagram(rods(1)).critical
    assert abs(critical**2 - 9.81 * 0.5 / (1 / 3 - 0.0002)) < 1e-6
    stiffness = 9.81 * np.diag([1.5, 0.5])
    centrifugal = np.array([[4 / 3 - 0.0002, 0.5], [0.5, 1 / 3 - 0.0002]])
    expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(centrifugal, stiffness)).real))
    np.testing.assert_allclose(mb.branch_diagram(rods(2)).critical, expected, rtol=0, atol=1e-7)


def test_every_point_of_the_branches_of_any_chain_is_a_permanent_rotation(rng: np.random.Generator) -> None:
    for n in (1, 2, 3):
        model = random_spherical_chain(rng, n)
        diagram = mb.branch_diagram(model, 0.0, 8.0)
        assert len(diagram) >= 1
        for branch in diagram:
            for k in range(0, len(branch), 5):
                q = branch.chain.quaternions(branch.turns[k])
                assert mb.permanent(model, [branch.omega[k]] * n, q=q).holds


def test_standing_chains_have_branches_too() -> None:
    diagram = mb.branch_diagram(rods(2), 0.0, 6.0, standing=True)
    at_rest = {tuple(np.degrees(branch.tilt[0]).round(6)) for branch in diagram if branch.omega[0] == 0.0}
    assert at_rest == {(0.0, 0.0), (0.0, 180.0), (180.0, 0.0), (180.0, 180.0)}


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name.startswith("X")])
def test_a_counter_example_is_mended_by_a_small_change(name: str) -> None:
    system = SYSTEMS[name]
    design = mb.design_permanent(reference_chain(system), system["omega"])
    assert design.result.holds
    assert design.result.largest < 1e-12
    assert 0.0 < design.change < 0.3


@pytest.mark.parametrize("name", ["case1_3.7", "case2_omega1_0", "case4_equal", "n3_k3_s2_oblique"])
def test_what_is_permanent_already_is_left_alone(name: str) -> None:
    system = SYSTEMS[name]
    assert mb.design_permanent(reference_chain(system), system["omega"]).change < 1e-12


def test_every_case_of_the_theorem_can_be_aimed_at() -> None:
    model = reference_chain(SYSTEMS["X_n3_k4_s2_oblique_with_a3!=0"])
    for k in (2, 3, 4):
        design = mb.design_permanent(model, [3.1, -4.7, 6.3], case=k)
        assert design.result.holds
        assert design.result.k <= k
    for case in ("3.6", "3.7"):
        pair = reference_chain(SYSTEMS["X_case1_A13_of_B2"])
        assert mb.design_permanent(pair, [3.1, -4.7], case=case).result.holds
    pair = reference_chain(SYSTEMS["X_case1_s_not_vertical_c2z!=0"])
    for case in ("c2=0", "s||nu"):
        assert mb.design_permanent(pair, [3.1, 0.0], case=case).result.case == f"case 3 {case}"


def test_no_chain_nearby_that_is_permanent_is_less_changed(rng: np.random.Generator) -> None:
    """Random steps from the design, each brought back to where the conditions hold, are never shorter changes."""
    system = SYSTEMS["X_case4_wrong_omega"]
    model = reference_chain(system)
    chain = Chain.of(model)
    speeds = np.array(system["omega"])
    space, wanted = _Numbers(model, chain, ("com", "at", "inertia")), _by_rows(speeds, chain.turns(model.q0))
    best = _least_change(space.build, wanted, len(space))
    assert abs(np.linalg.norm(best) - mb.design_permanent(model, speeds).change) < 1e-12
    for _ in range(6):
        p = best + 0.01 * rng.normal(size=len(best))
        for _ in range(5):
            p = p - np.linalg.lstsq(_slope(lambda x: wanted(space.build(x)), p), wanted(space.build(p)), rcond=1e-11)[0]
        assert np.abs(wanted(space.build(p))).max() < 1e-12
        assert np.linalg.norm(p) > np.linalg.norm(best)


def test_a_parameter_of_the_model_can_be_what_changes() -> None:
    """A conical pendulum: the length at which a given tilt turns at ω, by the textbook's formula."""
    length, tilt, omega = mb.Parameter("l", 1.0), 0.7, 5.0
    rod = mb.Body("rod", mb.Spherical(), mass=1, com=(0, 0, length / 2), inertia=(length**2 / 12, length**2 / 12, 0))
    state = {"q": [0, float(np.sin(tilt / 2)), 0, float(np.cos(tilt / 2))]}
    model = mb.Model([rod], gravity=(0, 0, 9.81), state=state)
    design = mb.design_permanent(model, [omega], parameters=["l"])
    assert abs(design.model.parameters["l"].value - 1.5 * 9.81 / (omega**2 * np.cos(tilt))) < 1e-9
    assert design.result.holds


def test_what_cannot_be_done_is_said() -> None:
    model = rods()
    with pytest.raises(mb.StateError, match="all bodies turn as one"):
        mb.relative_equilibrium(model, [5.0, 5.0])
    with pytest.raises(mb.StateError, match="tilt"):
        mb.relative_equilibrium(model, 5.0, tilt=[0.1])
    with pytest.raises(mb.StateError, match="start < end"):
        mb.branch_diagram(model, 3.0, 1.0)
    with pytest.raises(mb.UnknownNameError, match="case"):
        mb.design_permanent(model, [1.0, 2.0], case=7)
    with pytest.raises(mb.StateError, match="free"):
        mb.design_permanent(model, [1.0, 2.0], free=("mass",))
    with pytest.raises(mb.UnknownNameError, match="no parameter"):
        mb.design_permanent(model, [1.0, 2.0], parameters=["x"])
    pair = reference_chain(SYSTEMS["X_case1_A13_of_B2"])
    with pytest.raises(mb.ConvergenceError, match="free"):
        mb.design_permanent(pair, [3.1, -4.7], free=("at",))
