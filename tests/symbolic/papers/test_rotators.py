"""Vector rotators, as formulae and over a motion (Cajić and Lazarević, section 3)."""

from __future__ import annotations

import random
from math import comb
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.motion.rotators import rotators_of
from tests.symbolic.mechanisms import general_chain, random_mechanism
from tests.symbolic.reaction_cases import EXAMPLES, NAMES, chain, close, states


def at_state(name: str, joint: int = 0) -> tuple[Any, Any, dict[str, np.ndarray], dict[str, Any]]:
    """Formulae and numbers of one example's rotators, its state, and its reference."""
    example = EXAMPLES[name]
    model = chain(example["input"])
    q, u, ud = states(example["input"])
    numbers = rotators_of(model, joint, *(x[None] for x in (q, u, ud)))
    return mb.rotators(model, joint), numbers, {"q": q, "u": u, "ud": ud}, example["output"]


@pytest.mark.parametrize("name", ["P1", "P2", "PX"])
def test_every_term_of_the_momentum_rate_is_that_of_the_reference(name: str) -> None:
    exact, numbers, state, output = at_state(name)
    terms = output["methodB"]["dK_terms"]
    pushing = [row for row in exact if row.row.force]
    frames = [row for row in numbers if row.row.force]
    assert len(pushing) == len(frames) == len(terms)
    for formula, row, term in zip(pushing, frames, terms, strict=True):
        assert (row.row.body + 1, row.kind, row.row.a + 1, row.row.b + 1) == tuple(
            term[key] for key in ("body", "kind", "a", "b")
        )
        for key, mine, array in (
            ("mass_moment", formula.vector, row.vector),
            ("mass_moment_abs", formula.magnitude, row.magnitude),
            ("contribution", formula.contribution, row.contribution),
            ("rotator", formula.rotator, row.rotator),
        ):
            assert close(mine.evaluate(**state), term[key]), (formula.label.text, key)
            assert close(array[0], term[key]), (formula.label.text, key)


@pytest.mark.parametrize("name", NAMES)
def test_deviation_rotators_and_sums_are_those_of_the_reference(name: str) -> None:
    exact, numbers, state, output = at_state(name)
    starred = {
        (row.row.body, row.row.a): (row, mine)
        for row, mine in zip(exact, numbers, strict=True)
        if row.kind == "deviation"
    }
    for row in output["methodB"]["mass_moments"]:
        if "rot_star" in row:
            formula, array = starred[row["body"] - 1, row["axis"] - 1]
            assert close(formula.rotator.evaluate(**state), row["rot_star"])
            assert close(array.rotator[0], row["rot_star"])
            assert close(formula.magnitude.evaluate(**state), row["D_abs"])
    for k, joint in enumerate(output["joints"]):
        exact, numbers, state, _ = at_state(name, k)
        assert close(exact.force.evaluate(**state), joint["dK_dt"])
        assert close(exact.moment.evaluate(**state), joint["dL_dt_plus_v_x_K"])
        assert close(numbers.force[0], joint["dK_dt"])
        assert close(numbers.moment[0], joint["dL_dt_plus_v_x_K"])
        assert close(exact.momentum.evaluate(**state), joint["K"])
        assert close(exact.angular_momentum.evaluate(**state), joint["L_O"])


def test_each_bodys_momentum_rate_is_the_sum_of_its_rows() -> None:
    for name in ("P1", "P2", "P3"):
        _, numbers, _, output = at_state(name)
        for i, expected in enumerate(output["dK_i"]):
            rows = [row.contribution[0] for row in numbers if row.row.force and row.row.body == i]
            assert close(sum(rows), expected)


def test_the_papers_numbers_name_its_rotators() -> None:
    exact, numbers, state, output = at_state("P1")
    named = {key: value for key, value in output["paper_rotators"].items() if key != "note"}
    assert {row.label.paper for row in exact if row.label.paper} == {key[1:].replace("s", "*") for key in named}
    for key, expected in named.items():
        number = key[1:].replace("s", "*")
        assert close(exact[number].rotator.evaluate(**state), expected)
        assert close(numbers[number].rotator[0], expected)
    assert exact["32"].label.text == "R12(3):r3"
    assert exact["R12(3):r3"] is exact["32"]
    assert "mathfrak R" in exact["32"].label.latex


def test_the_papers_numbers_follow_the_chain_not_the_order_of_the_bodies() -> None:
    arm = mb.library.three_body_arm()
    turned = arm.replace(bodies=[arm.bodies[2], arm.bodies[0], arm.bodies[1]], state={})
    table = mb.rotators(turned, "base")
    assert sum(row.label.paper is not None for row in table) == 21
    assert (table["32"].body, table["32"].a, table["32"].b) == ("fore", "base", "upper")


def test_only_the_papers_own_system_has_its_numbers() -> None:
    for name in ("P2", "P3", "PX"):
        assert not any(row.label.paper for row in at_state(name)[0])


def test_labels_are_unique_in_every_tree(rng: np.random.Generator) -> None:
    source = random.Random(int(rng.integers(1 << 30)))
    for n in (2, 4, 6):
        model = random_mechanism(source, n, tree=True)
        labels = [row.label.text for row in mb.rotators(model, 0)]
        assert len(labels) == len(set(labels))
    universal = mb.Model([mb.Body("a", mb.Universal("x", "y"), mass=1, com=(1, 0, 0)), mb.Body("b", mass=1)])
    labels = [row.label.text for row in mb.rotators(universal, 0)]
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_chain_of_n_revolute_joints_has_c_n_plus_3_over_4_rotators(n: int) -> None:
    rows = [row for row in mb.rotators(general_chain(n), 0) if row.row.force]
    assert len(rows) == comb(n + 3, 4)


def test_six_bodies_have_the_rotators_of_the_reference() -> None:
    exact, _, _, output = at_state("P3")
    assert sum(row.row.force for row in exact) == output["methodB"]["n_dK_terms"]


def test_rows_add_up_to_the_kinetic_reactions_exactly(rng: np.random.Generator) -> None:
    model = random_mechanism(random.Random(int(rng.integers(1 << 30))), 4, tree=True)
    for k in range(4):
        table = mb.rotators(model, k)
        zero = mb.Formula([0, 0, 0])
        force = sum((row.contribution for row in table if row.row.force), zero)
        moment = sum((row.moment for row in table), zero)
        ours = mb.reactions(model, k)
        assert force == table.force == ours.total_force.kinetic
        assert moment == table.moment == ours.total_moment.kinetic


def test_momenta_have_the_derivatives_that_the_rotators_give(rng: np.random.Generator) -> None:
    """dK/dt, and dL/dt + [v_Ok, K], by differentiation (48)-(55)."""
    model = random_mechanism(random.Random(int(rng.integers(1 << 30))), 3)
    vectors = mb.motion_vectors(model)
    for k in range(3):
        table = mb.rotators(model, k)
        assert table.momentum.dt() == table.force
        v, K = vectors.joints[k].dt(), table.momentum
        crossed = [v[1] * K[2] - v[2] * K[1], v[2] * K[0] - v[0] * K[2], v[0] * K[1] - v[1] * K[0]]
        assert table.angular_momentum.dt() + mb.Formula(crossed) == table.moment


@pytest.mark.parametrize("tree", [False, True])
def test_lumped_rotators_hold_the_metric_and_the_christoffel_symbols(tree: bool, rng: np.random.Generator) -> None:
    model = random_mechanism(random.Random(int(rng.integers(1 << 30))), 4, tree=tree)
    equations, axes = mb.covariant(model), mb.motion_vectors(model).axes
    gamma = equations.christoffel()
    for k in range(4):
        table = mb.rotators(model, k)
        lumped = table.lumped()
        assert lumped.force == table.force
        assert lumped.moment == table.moment
        slides = model.bodies[k].joint.type == "prismatic"
        first, second = (lumped.vectors, lumped.turned) if slides else (lumped.moments, lumped.turned_moments)
        for b in range(4):
            assert first[b] @ axes[k] == equations.metric[k, b]
            for a in model.path(b):
                assert second[a, b] @ axes[k] == gamma[a, b, k]


def test_a_rotator_without_direction_is_shown_so_and_keeps_its_magnitude() -> None:
    balanced = mb.library.rotor().with_values(e=0, Jxz=0)
    number = balanced.replace(bodies=[balanced.bodies[0].replace(com=(0, 0, 0.05), inertia=(0.2, 0.25, 0.1))])
    table = mb.rotators(number, 0)
    for label in ("R1(1):S", "R*1(1)"):
        row = table[label]
        assert row.rotator is None
        assert not row.contribution
        assert row.speed.evaluate(u=[3.0], ud=[2.0]) == pytest.approx(np.hypot(2, 9), rel=1e-15)
    frames = rotators_of(balanced, 0, *(np.array([[x]]) for x in (0.3, 3.0, 2.0)))
    for label in ("R1(1):S", "R*1(1)"):
        row = frames[label]
        assert not row.defined[0]
        assert np.isnan(row.rotator).all()
        assert row.speed[0] == pytest.approx(np.hypot(2, 9), rel=1e-15)
        assert np.abs(row.contribution).max() <= 1e-15


def test_rotators_of_a_motion_are_the_formulae_and_the_compiled_reactions() -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.5)
    state = {"q": motion.q, "u": motion.u, "ud": motion.ud}
    for k in range(3):
        numbers, exact = motion.rotators(k), mb.rotators(model, k)
        parts = motion.reaction_parts(k)
        for row, formula in zip(numbers, exact, strict=True):
            assert row.label == formula.label
            scale = float(np.abs(numbers.moment).max())
            assert close(row.contribution, formula.contribution.evaluate(**state), scale)
            assert close(row.moment, formula.moment.evaluate(**state), scale)
        assert close(numbers.momentum, exact.momentum.evaluate(**state))
        assert close(numbers.angular_momentum, exact.angular_momentum.evaluate(**state))
        lumped = numbers.lumped()
        assert close(lumped.force, numbers.force)
        assert close(lumped.moment, numbers.moment)
        assert close(numbers.force, parts.kinetic[:, :3])
        axis = mb.motion_vectors(model).axes[k].evaluate(q=motion.q)
        effort = np.einsum("fi,fi->f", axis, numbers.moment)
        assert close(numbers.moment - effort[:, None] * axis, parts.kinetic[:, 3:])
        assert close(effort, parts.kinetic_effort[:, 0], np.abs(numbers.moment).max())
        assert np.abs(motion.method_residual(k)).max() <= 1e-12 * np.abs(motion.reactions(k)).max()


def test_the_rotator_turns_from_u_by_the_angle_of_its_parts() -> None:
    _, numbers, _, _ = at_state("P1")
    row = numbers["1"]
    u = row.vector[0] / row.magnitude[0]
    across = np.cross([0, 0, 1], u)
    assert close(row.speed[0] * (np.cos(row.angle[0]) * u + np.sin(row.angle[0]) * across), row.rotator[0])


def test_unknown_rotators_and_joints_are_named() -> None:
    table = mb.rotators(mb.library.three_body_arm(), 0)
    with pytest.raises(mb.UnknownNameError, match="no rotator '39'"):
        table["39"]
    with pytest.raises(mb.UnknownNameError, match="elbow"):
        mb.rotators(mb.library.three_body_arm(), "elbow")


def test_the_table_can_be_read_as_text_and_as_latex() -> None:
    table = mb.rotators(mb.library.three_body_arm(), "base")
    assert "R12(3):r3" in str(table)
    assert r"\mathfrak R}_{12(3)}^{\,r_{3}}" in table._repr_latex_()


def test_rotators_of_numbers_with_many_digits_have_values(rng: np.random.Generator) -> None:
    """The exact |D|² of such a body has coefficients beyond 1e308, which no double holds."""
    points = rng.normal(size=(6, 3))
    points -= points.mean(axis=0)
    inertia = (np.einsum("pk,pk->", points, points) * np.eye(3) - points.T @ points).tolist()
    axes = np.array([[1.0, 3.0, -2.0], [2.0, -1.0, 3.0]]) / np.sqrt(14)
    model = mb.Model([mb.Body(f"b{k}", mb.Revolute(axes[k].tolist()), 6, (0.1, 0.2, 0.3), inertia) for k in (0, 1)])
    q, u, ud = rng.normal(size=(3, 2))
    exact, numbers = mb.rotators(model, 0), rotators_of(model, 0, q[None], u[None], ud[None])
    for row, expected in zip(exact, numbers, strict=True):
        if row.rotator is not None:
            np.testing.assert_allclose(row.rotator.evaluate(q=q, u=u, ud=ud), expected.rotator[0], rtol=1e-10)
        np.testing.assert_allclose(row.magnitude.evaluate(q=q), expected.magnitude[0], rtol=1e-10)
