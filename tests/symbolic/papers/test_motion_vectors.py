"""The vectors of the Rodrigues approach, each on its own (Cajić and Lazarević, section 2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from tests.symbolic.mechanisms import random_mechanism
from tests.symbolic.reaction_cases import EXAMPLES, NAMES, chain, close, states


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    example = EXAMPLES[request.param]
    q, u, ud = states(example["input"])
    return mb.motion_vectors(chain(example["input"])), example["output"], {"q": q, "u": u, "ud": ud}


def test_places_and_rotations_are_those_of_the_reference(case: Any) -> None:
    vectors, output, state = case
    for ours, expected in (
        (vectors.rotations, output["A_0i"]),
        (vectors.axes, output["e0"]),
        (vectors.joints, output["O"]),
        (vectors.images, output["O_star"]),
        (vectors.centres, output["C"]),
    ):
        assert close(ours.evaluate(**state), expected)


def test_velocities_and_accelerations_are_those_of_the_reference(case: Any) -> None:
    vectors, output, state = case
    for ours, key in (
        (vectors.velocities, "v_C"),
        (vectors.accelerations, "a_C"),
        (vectors.omega, "omega"),
        (vectors.epsilon, "eps"),
        (vectors.momentum_rates, "dL_C"),
    ):
        for mine, expected in zip(ours.evaluate(**state), output["methodA"][key], strict=True):
            assert close(mine, expected), key


def test_quasibase_vectors_and_gamma_are_those_of_the_reference(case: Any) -> None:
    vectors, output, state = case
    base, gamma = vectors.quasibase.evaluate(**state), vectors.gamma.evaluate(**state)
    for name, expected in output["methodA"]["T"].items():
        a, i = (int(part) - 1 for part in name.strip(")").split("("))
        assert close(base[a, i], expected, np.abs(base).max())
    printed = output["methodA"]["Gamma"]  # for six bodies the reference leaves them out
    for name, expected in printed.items() if isinstance(printed, dict) else ():
        a, b, i = int(name[0]) - 1, int(name[1]) - 1, int(name[3]) - 1
        assert close(gamma[a, b, i], expected, np.abs(gamma).max())
        assert close(gamma[b, a, i], expected, np.abs(gamma).max())


def test_joints_move_as_in_the_reference(case: Any) -> None:
    vectors, output, state = case
    for ours, joint in zip(vectors.joint_velocities.evaluate(**state), output["joints"], strict=True):
        assert close(ours, joint["v_O"])


def test_velocity_and_acceleration_are_the_derivatives_of_the_place(rng: np.random.Generator) -> None:
    import random

    model = random_mechanism(random.Random(int(rng.integers(1 << 30))), 4, tree=True)
    vectors = mb.motion_vectors(model)
    assert vectors.centres.dt() == vectors.velocities
    assert vectors.joints.dt() == vectors.joint_velocities
    assert vectors.velocities.dt() == vectors.accelerations
    assert vectors.omega.dt() == vectors.epsilon


def test_a_prismatic_joint_turns_nothing() -> None:
    vectors = mb.motion_vectors(chain(EXAMPLES["P2"]["input"]))
    assert vectors.turns[1] == np.eye(3, dtype=int).tolist()


def test_vectors_of_a_motion_are_the_formulae() -> None:
    model = mb.library.three_body_arm()
    motion = mb.simulate(model, duration=0.2)
    exact, ours = mb.motion_vectors(model), motion.motion_vectors()
    names = ("axes", "centres", "quasibase", "gamma", "velocities", "accelerations", "omega", "epsilon")
    for name in (*names, "momentum_rates"):
        expected = getattr(exact, name).evaluate(q=motion.q, u=motion.u, ud=motion.ud)
        assert close(getattr(ours, name), expected), name


def test_vectors_are_shown_in_the_papers_notation() -> None:
    vectors = mb.motion_vectors(mb.library.three_body_arm())
    for formula, name in (
        (vectors.turns[1], r"A_{1,2} = "),
        (vectors.quasibase[0, 2], r"\vec T_{1(3)} = "),
        (vectors.gamma[0, 1, 2], r"\vec\Gamma_{12(3)} = "),
        (vectors.omega[2], r"\vec\omega_{3} = "),
        (vectors.epsilon[1], r"\vec\varepsilon_{2} = "),
        (vectors.velocities[0], r"\vec v_{C1} = "),
        (vectors.accelerations[0], r"\vec a_{C1} = "),
        (vectors.momentum_rates[0], r"\frac{d\vec L_{C1}}{dt} = "),
    ):
        assert formula._repr_latex_().startswith("$\\displaystyle " + name)
    assert r"\vec\omega_{1} &= " in vectors.omega.latex()
