"""The Staude cone: its axes, speeds, arcs, degenerate branches and nearest axes."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.permanent.staude import StaudeCone
from tests.numeric.permanent.permanent_chains import REFERENCE, change_of_speed, random_spherical_chain
from tests.random_models import random_inertia

BODIES = 1000
G = 9.81


def one_body(inertia: np.ndarray, com: np.ndarray, mass: float = 1.0) -> mb.Model:
    return mb.Model([mb.Body("body", mb.Spherical(), mass=mass, com=com, inertia=inertia.tolist())])


def random_body(rng: np.random.Generator) -> mb.Model:
    mass = float(rng.uniform(0.5, 3.0))
    return one_body(random_inertia(rng, mass), rng.uniform(-0.4, 0.4, 3), mass)


def cone_of(moments: list[float], a: list[float], g: float = G) -> StaudeCone:
    return StaudeCone("body", np.diag(moments), np.array(a), g)


def test_the_cone_is_that_of_the_reference() -> None:
    given = REFERENCE["staude"]
    cone = StaudeCone("body", np.array(given["A"]), np.array(given["a"]), given["g"])
    np.testing.assert_allclose(cone.moments, given["principal"], rtol=1e-15)
    for sample in given["samples"]:
        np.testing.assert_allclose(cone.axis(sample["mu"]), sample["nu"], rtol=0, atol=1e-14)
        assert abs(cone.speed(sample["mu"]) - sample["omega"]) < 1e-12
        assert abs(cone.speed(sample["mu"]) ** 2 - sample["omega2"]) < 1e-10
        assert abs(cone.square_speed(sample["nu"]) - sample["omega2_formula"]) < 1e-10
        opposite = -np.array(sample["nu"])
        assert abs(cone.square_speed(opposite) - sample["omega2_of_minus_nu"]) < 1e-10
        assert abs(cone.cone(sample["nu"]) - sample["cone_residual"]) < 1e-15
        assert np.abs(cone.residual(sample["nu"], sample["omega"])).max() < 1e-13


def test_every_sampled_axis_of_random_bodies_satisfies_the_condition(rng: np.random.Generator) -> None:
    """(2.2), relative to the moments that balance; the sampler goes through all four arcs."""
    for _ in range(BODIES):
        cone = mb.staude_cone(random_body(rng))
        mus = cone.mus(8)
        assert mus.shape == (4, 8)
        axes, speeds = cone.axis(mus).reshape(-1, 3), cone.speed(mus).ravel()
        lever = speeds[:, None] ** 2 * (axes @ cone.inertia) + cone.weight * cone.static
        scale = speeds**2 * np.linalg.norm(cone.inertia) + cone.weight * np.linalg.norm(cone.static)
        assert (np.linalg.norm(np.cross(axes, lever), axis=1) / scale).max() < 1e-12
        np.testing.assert_allclose(np.linalg.norm(axes, axis=1), 1.0, atol=1e-14)


def test_random_bodies_keep_their_rotation_about_the_cone_where_it_does_not_grow_too_fast(
    rng: np.random.Generator,
) -> None:
    """Two seconds, relative to the speed: rounding errors of 1e-14 grow by e^(2λ), which may take three digits."""
    kept = 0
    for _ in range(BODIES):
        model = random_body(rng)
        cone = mb.staude_cone(model)
        mu = float(rng.choice(cone.mus(8).ravel()))
        axis, speed = cone.axis(mu), cone.speed(mu)
        state = cone.state(axis, speed)
        found = mb.permanent(model, [speed], q=state[0])
        assert found.holds
        if np.exp(2 * found.growth) > 1e3:
            continue
        kept += 1
        assert change_of_speed(model, state, 2.0) < 1e-10 * max(speed, 1.0)
    assert kept > BODIES / 2


def test_the_wrong_side_of_the_cone_keeps_no_rotation(rng: np.random.Generator) -> None:
    for _ in range(50):
        model = random_body(rng)
        cone = mb.staude_cone(model)
        mu = float(cone.mus(3)[int(rng.integers(4)), 1])
        axis, speed = -cone.axis(mu), cone.speed(mu)
        state = cone.state(axis, speed)
        assert cone.square_speed(axis) < 0
        assert not mb.permanent(model, [speed], q=state[0]).holds
        assert np.linalg.norm(cone.residual(axis, speed)) > 1e-3
        assert change_of_speed(model, state, 2.0) > 1e-3


def test_the_arcs_run_from_rest_to_the_principal_axes_and_on_to_rest() -> None:
    cone = cone_of([0.5, 0.8, 1.1], [0.3, -0.4, 0.6])
    assert [arc.low for arc in cone.arcs][1:] == [arc.high for arc in cone.arcs][:-1] == [0.5, 0.8, 1.1]
    hanging = np.array([0.3, -0.4, 0.6]) / np.linalg.norm([0.3, -0.4, 0.6])
    np.testing.assert_allclose(cone.axis(np.inf), hanging, atol=1e-15)
    np.testing.assert_allclose(cone.axis(-np.inf), -hanging, atol=1e-15)
    assert cone.speed(np.inf) == cone.speed(-np.inf) == 0.0
    for k, moment in enumerate(cone.moments):
        assert cone.speed(moment * (1 + 1e-9)) > 1e4
        assert abs(cone.axis(moment * (1 + 1e-9))[k]) > 1 - 1e-6
    assert cone.degenerate == ""
    assert cone.branches == ()


@pytest.mark.parametrize("body", [0, 1])
def test_the_cone_of_a_chain_is_that_of_its_augmented_body(body: int, rng: np.random.Generator) -> None:
    model = random_spherical_chain(rng, 2)
    cone, exact = mb.staude_cone(model, body), mb.augmented(model).evaluate()
    np.testing.assert_allclose(cone.inertia, exact["inertia"][body], atol=1e-14)
    np.testing.assert_allclose(cone.static, exact["static"][body], atol=1e-14)


@pytest.mark.parametrize(
    ("moments", "a", "words", "arcs", "branches"),
    [
        ([1.0, 2.0, 3.0], [0.3, 0.0, 0.5], "two planes", 3, 1),
        ([1.0, 2.0, 2.0], [0.3, 0.2, 0.5], "two principal moments", 3, 0),
        ([1.0, 2.0, 2.0], [0.0, 0.2, 0.5], "principal plane", 2, 1),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.5], "on a principal axis", 2, 2),
        ([2.0, 2.0, 3.0], [0.0, 0.0, 0.5], "on a principal axis", 2, 1),
        ([2.0, 2.0, 2.0], [0.1, 0.2, 0.5], "on a principal axis", 2, 0),
        ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], "mass centre is in the joint", 0, 3),
        ([2.0, 2.0, 3.0], [0.0, 0.0, 0.0], "mass centre is in the joint", 0, 2),
    ],
)
def test_degenerate_cones_are_named_and_their_branches_satisfy_the_condition(
    moments: list[float], a: list[float], words: str, arcs: int, branches: int, rng: np.random.Generator
) -> None:
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    tensor = turn @ np.diag(moments) @ turn.T
    cone = StaudeCone("body", (tensor + tensor.T) / 2, turn @ a, G)
    assert words in cone.degenerate
    assert (len(cone.arcs), len(cone.branches)) == (arcs, branches)
    for branch in cone.branches:
        for _ in range(5):
            tau = rng.uniform(-1, 1, branch.space.shape[1]) / np.sqrt(branch.space.shape[1])
            axis = branch.axis(*tau)
            square = 7.0 if branch.free else G * np.linalg.norm(branch.foot) / np.sqrt(1 - tau @ tau)
            assert abs(np.linalg.norm(axis) - 1) < 1e-14
            assert np.abs(cone.residual(axis, np.sqrt(square))).max() < 1e-13 * square
    if arcs:
        mus = cone.mus(5)
        for mu in mus.ravel():
            assert np.abs(cone.residual(cone.axis(mu), cone.speed(mu))).max() < 1e-12 * (1 + cone.speed(mu) ** 2)


def test_a_component_missing_along_one_axis_of_a_double_moment_gives_no_branch() -> None:
    """Equal moments about y and z, a_y = 0 but a_z ≠ 0: at μ = A_y nothing solves (A − μ)ν = −(g/ω²)a."""
    cone = cone_of([1.0, 2.0, 2.0], [0.3, 0.0, 0.5])
    assert cone.branches == ()
    foot = np.array([0.3 / (1.0 - 2.0), 0.0, 0.0])  # (A − A_y)⁺a
    for tau in (0.0, 0.5):
        speed = np.sqrt(G * np.linalg.norm(foot) / np.sqrt(1 - tau**2))
        axis = np.array([np.sqrt(1 - tau**2), tau, 0.0])
        assert np.linalg.norm(cone.residual(axis, speed)) > 1.0


def test_a_branch_keeps_its_rotation() -> None:
    model = one_body(np.diag([0.2, 0.3, 0.4]), np.array([0.3, 0.0, 0.2]))
    cone = mb.staude_cone(model)
    (branch,) = cone.branches
    axis = branch.axis(0.3)
    speed = float(np.sqrt(G * np.linalg.norm(branch.foot) / np.sqrt(1 - 0.3**2)))
    state = cone.state(axis, speed)
    found = mb.permanent(model, [speed], q=state[0])
    assert found.holds
    assert change_of_speed(model, state, 1.0) < 1e-13 * np.exp(found.growth) * 100


def test_the_nearest_axis_is_admissible_and_no_sampled_axis_is_nearer(rng: np.random.Generator) -> None:
    for _ in range(20):
        cone = mb.staude_cone(random_body(rng))
        wanted = rng.normal(size=3)
        wanted /= np.linalg.norm(wanted)
        spot = cone.nearest(wanted * 7)
        assert np.abs(cone.residual(spot.axis, spot.speed)).max() < 1e-11 * (1 + spot.speed**2)
        sampled = cone.axis(cone.mus(400)).reshape(-1, 3)
        # a pole, where ω → ∞, is the limit of nearer and nearer axes: the search stops a thousandth before it
        assert spot.angle <= np.arccos(np.clip(sampled @ wanted, -1, 1)).min() + 1e-5
        again = cone.nearest(spot.axis)
        assert again.angle < 1e-6


def test_a_mass_centre_in_the_joint_has_a_named_answer() -> None:
    cone = mb.staude_cone(one_body(np.diag([0.2, 0.3, 0.4]), np.zeros(3)))
    assert "mass centre is in the joint" in cone.degenerate
    with pytest.raises(mb.ModelError, match=r"body 'body'.*mass centre"):
        cone.axis(0.1)
    spot = cone.nearest([0.1, 0.9, 0.2])
    np.testing.assert_allclose(np.abs(spot.axis), [0, 1, 0], atol=1e-15)
    assert np.isnan(spot.speed)


def test_bad_input_is_refused() -> None:
    cone = cone_of([0.5, 0.8, 1.1], [0.3, -0.4, 0.6])
    with pytest.raises(mb.StateError, match="principal moment"):
        cone.axis(float(cone.moments[1]))
    for wrong in ([0, 0, 0], [1, 2], "x", [np.nan, 0, 1]):
        with pytest.raises(mb.StateError, match="direction"):
            cone.nearest(wrong)
    with pytest.raises(mb.StateError, match="mu"):
        cone.axis("x")
    with pytest.raises(mb.UnknownNameError):
        mb.staude_cone(one_body(np.eye(3), np.ones(3)), "other")
    with pytest.raises(mb.ModelError, match="revolute joint"):
        mb.staude_cone(mb.library.pendulum(2))
