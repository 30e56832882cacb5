"""Published and hand-checked values: joint reactions (Cajić and Lazarević) and the five-axis manipulator
(Marković and Obradović)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mbwidgets.model import library
from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.joints import Prismatic, Revolute
from mbwidgets.model.model import Model
from mbwidgets.numeric.states.dynamics import Dynamics

pytestmark = pytest.mark.oracle

DATA = json.loads((Path(__file__).parents[1] / "data" / "joint_reactions.json").read_text())
EXAMPLES = {example["name"]: example for example in DATA["examples"] + DATA["extras"]}
PRECISION = 1e-12
"""Relative; the values were computed with 50 digits and rounded to doubles."""


def chain(given: dict[str, Any]) -> Model:
    """The model of one example."""
    bodies = []
    for i in range(given["n"]):
        kind = Prismatic if given["xi"][i] else Revolute
        bodies.append(
            Body(
                f"body {i + 1}",
                kind(given["e"][i], at=given["r_in"][i]),
                mass=given["m"][i],
                com=given["rho_iC"][i],
                inertia=given["J_C"][i],
                parent=ground if given["parent"][i] == 0 else f"body {given['parent'][i]}",
            )
        )
    return Model(bodies, gravity=given["g"])


def states(given: dict[str, Any]) -> tuple[np.ndarray, ...]:
    return tuple(np.array(given[key]) for key in ("q", "qd", "qdd"))


def expected_reactions(name: str) -> np.ndarray:
    joints = EXAMPLES[name]["output"]["joints"]
    return np.array([joint["F_R"] + joint["M_R_about_O"] for joint in joints])


@pytest.mark.parametrize("name", ["P1", "P2", "P3", "PX"])
def test_reactions_are_those_of_the_reference(name: str) -> None:
    example = EXAMPLES[name]
    dynamics = Dynamics(chain(example["input"]))
    q, u, ud = states(example["input"])
    expected = expected_reactions(name)
    for ours, theirs in zip(dynamics.reactions(q, u, ud), expected, strict=True):
        for part in (slice(0, 3), slice(3, 6)):
            assert np.abs(ours[part] - theirs[part]).max() <= PRECISION * np.abs(theirs[part]).max()


@pytest.mark.parametrize("name", ["P1", "P2", "P3", "PX"])
def test_actuator_efforts_and_places_are_those_of_the_reference(name: str) -> None:
    example = EXAMPLES[name]
    dynamics = Dynamics(chain(example["input"]))
    q, u, ud = states(example["input"])
    efforts = np.array([joint["Q_actuator"] for joint in example["output"]["joints"]])
    np.testing.assert_allclose(dynamics.inverse(q, u, ud), efforts, rtol=0, atol=PRECISION * np.abs(efforts).max())
    places = np.array(example["output"]["O_star"])
    np.testing.assert_allclose(dynamics.poses(q)[0], places, rtol=0, atol=PRECISION)


@pytest.mark.parametrize(("name", "mechanism"), [("P1", library.three_body_arm), ("PX", library.rotor)])
def test_the_library_ships_the_papers_examples(name: str, mechanism: Any) -> None:
    q, u, ud = states(EXAMPLES[name]["input"])
    model = mechanism()
    expected = expected_reactions(name)
    np.testing.assert_allclose(
        Dynamics(model).reactions(q, u, ud), expected, rtol=0, atol=PRECISION * np.abs(expected).max()
    )
    assert np.array_equal(model.q0, q)
    assert np.array_equal(model.u0, u)


def test_the_rotor_gives_the_kinetic_force_computed_by_hand() -> None:
    model = library.rotor().with_values(g=0)
    force, moment = np.split(Dynamics(model).reactions([0.0], [100.0], [5.0])[0], 2)
    np.testing.assert_allclose(force, [-2000, 1, 0], atol=1e-9)
    np.testing.assert_allclose(moment, [-0.2, -400, 0], atol=1e-9)


def test_a_balanced_rotor_presses_on_nothing() -> None:
    model = library.rotor().with_values(g=0, e=0, Jxz=0)
    assert np.abs(Dynamics(model).reactions([0.3], [100.0], [5.0])).max() < 1e-12


def test_the_manipulator_has_the_printed_metric_and_potential(rng: np.random.Generator) -> None:
    """Marković and Obradović: every entry of the metric and ∂Π of the five-axis manipulator."""
    dynamics = Dynamics(library.opnchain_manipulator())
    q = rng.uniform(-2, 2, 5)
    q3, (c4, c5), (s4, s5), g = q[2], np.cos(q[3:]), np.sin(q[3:]), 9.81
    a = np.zeros((5, 5))
    a[0, 0], a[0, 3], a[0, 4] = 500, -5 * s4 * s5, 5 * c4 * c5
    a[1, 1] = 71 * c4**2 * c5**2 / 20 - 13 * c4**2 / 4 + 10 * c5 * q3 + 5 * c5 + 250 * q3**2 + 100 * q3 + 529 / 4
    a[1, 2], a[1, 3] = 5 * s4 * s5, -c4 * s5 * (71 * c5 + 100 * q3 + 50) / 20
    a[1, 4] = -s4 * (20 * c5 * q3 + 10 * c5 + 17) / 4
    a[2, 2], a[2, 4] = 250, -5 * s5
    a[3, 3], a[4, 4] = 53 / 10 - 71 * c5**2 / 20, 17 / 4
    a += np.triu(a, 1).T
    np.testing.assert_allclose(dynamics.mass_matrix(q), a, rtol=0, atol=1e-12 * np.abs(a).max())
    gradient = np.array([500 * g, 0, 0, -5 * g * s4 * s5, 5 * g * c4 * c5])
    np.testing.assert_allclose(dynamics.bias(q, np.zeros(5)), gradient, rtol=0, atol=1e-12 * 500 * g)
