"""Exact formulae against the compiled kernels: two derivations that share nothing but the model."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from mbwidgets.errors import SingularError
from mbwidgets.model.bodies import Body
from mbwidgets.model.forces import Anchor, Damper, Spring
from mbwidgets.model.joints import Prismatic, Revolute
from mbwidgets.model.model import Model
from mbwidgets.numeric.states.dynamics import Dynamics
from mbwidgets.symbolic import covariant, reactions
from tests.random_models import random_state, random_tree
from tests.symbolic.code.test_codegen import FUNCTIONS, RUNNERS, need
from tests.symbolic.mechanisms import manipulator

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-10
"""Relative to the largest entry: expanded polynomials in doubles lose a few digits to cancellation."""


def one_axis_tree(rng: np.random.Generator) -> Model:
    """A random tree with forces whose joints all have a one-axis form, of at most five coordinates."""
    while True:
        model = random_tree(rng, most=4)
        balls = any(column.kind == "ball" for body in model.bodies for column in body.joint.columns())
        if not balls and model.nv <= 5:
            return model


def close(found: np.ndarray, expected: np.ndarray) -> None:
    bound = TOLERANCE * max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(found, expected, rtol=0, atol=bound)


def test_metric_bias_and_effort_are_the_kernels_on_1000_states_of_random_trees(
    rng: np.random.Generator,
) -> None:
    for _ in range(50):
        model = one_axis_tree(rng)
        equations, dynamics = covariant(model), Dynamics(model)
        states = [random_state(rng, model) for _ in range(20)]
        q, u, ud = (np.array([getattr(s, name) for s in states]) for name in ("q", "u", "ud"))
        t = np.array([s.t for s in states])
        mass = equations.metric.evaluate(q=q)
        bias = equations.bias.evaluate(q=q, u=u, t=t)
        effort = equations.effort.evaluate(q=q, u=u, ud=ud, t=t)
        for i, state in enumerate(states):
            close(mass[i], dynamics.mass_matrix(state.q))
            close(bias[i], dynamics.bias(state.q, state.u, state.t))
            close(effort[i], dynamics.inverse(state.q, state.u, state.ud, state.t))


def test_energy_is_the_kernels(rng: np.random.Generator) -> None:
    for _ in range(20):
        model = one_axis_tree(rng)
        equations, dynamics = covariant(model), Dynamics(model)
        state = random_state(rng, model)
        kinetic, potential = dynamics.energy(state.q, state.u)
        close(equations.kinetic_energy.evaluate(q=state.q, u=state.u), np.array(kinetic))
        rest = np.zeros(model.nq)
        shift = equations.potential_energy.evaluate(q=rest) - dynamics.energy(rest, np.zeros(model.nv))[1]
        close(equations.potential_energy.evaluate(q=state.q) - shift, np.array(potential))


def test_contravariant_equations_are_forward_dynamics(rng: np.random.Generator) -> None:
    model = manipulator()
    equations, dynamics = covariant(model), Dynamics(model)
    accelerations = equations.equations("contravariant")
    for _ in range(20):
        q, u = rng.normal(size=(2, 5))
        close(accelerations.evaluate(q=q, u=u), dynamics.forward(q, u))


def test_contravariant_equations_keep_their_digits_where_springs_and_dampers_are_short(
    rng: np.random.Generator,
) -> None:
    def near() -> tuple[float, ...]:
        return tuple(np.round(np.array([0.3, 0.2, 0.1]) + rng.uniform(-0.05, 0.05, 3), 3).tolist())

    for axis in ((1, 2, 2), (3, -1, 2)):
        bodies = [
            Body("a", Revolute("z"), mass=2, com=(0.1, 0.2, -0.1), inertia=(0.3, 0.2, 0.4)),
            Body("b", Revolute(axis), mass=1, com=(0.2, -0.1, 0.1), inertia=(0.1, 0.2, 0.2)),
        ]
        pairs = [(Anchor("a", near()), Anchor("b", near())), (Anchor(None, near()), Anchor("b", near()))]
        springs = [Spring(*pair, stiffness=50, length=0.3) for pair in pairs]
        dampers = [Damper(*pair, damping=2) for pair in pairs]
        model = Model(bodies, forces=[*springs, *dampers])
        dynamics, equations = Dynamics(model), covariant(model)
        accelerations = equations.equations("contravariant")
        q, u, ud = rng.uniform(-0.2, 0.2, (3, 40, 2))
        states = list(zip(q, u, ud, strict=True))
        close(equations.bias.evaluate(q=q, u=u), np.array([dynamics.bias(*state[:2]) for state in states]))
        close(equations.effort.evaluate(q=q, u=u, ud=ud), np.array([dynamics.inverse(*state) for state in states]))
        expected = np.array([dynamics.forward(*state[:2]) for state in states])
        close(accelerations.evaluate(q=q, u=u), expected)
        close(accelerations[1].evaluate(q=q, u=u), expected[:, 1])
        close(accelerations.factored()[0].evaluate(q=q[3], u=u[3]), expected[3, 0])


def test_springs_and_dampers_whose_ends_are_one_point_do_nothing_as_in_the_kernels(rng: np.random.Generator) -> None:
    ends = Anchor(None, (0, 0, 0)), Anchor("a", (0, 0, 0))
    idle = [Spring(*ends, stiffness=5, length=0.3), Spring(*ends, stiffness=5), Damper(*ends, damping=2)]
    model = Model([Body("a", Revolute("y"), mass=1, com=(0.3, 0, 0), inertia=(1, 1, 1))], forces=idle)
    q, u, ud = rng.normal(size=(3, 1))
    dynamics, reaction = Dynamics(model), reactions(model, "a")
    close(covariant(model).effort.evaluate(q=q, u=u, ud=ud), dynamics.inverse(q, u, ud))
    assert not reaction.force.applied
    close(reaction.force.evaluate(q=q, u=u, ud=ud), dynamics.reactions(q, u, ud)[0, :3])


def test_a_state_without_an_inverse_is_named() -> None:
    # the second body has its mass centre on the first axis where q[1] = 0, and no inertia there
    bodies = [
        Body("a", Revolute("z"), mass=0),
        Body("b", Prismatic("x"), mass=1),
    ]
    equations = covariant(Model(bodies, gravity=(0, 0, 0)))
    for ask in (equations.contravariant_at, equations.equations("contravariant").evaluate):
        more = {} if ask == equations.contravariant_at else {"u": [0, 0]}
        assert np.all(np.isfinite(ask(q=[0, 1], **more)))
        with pytest.raises(SingularError, match="no inverse at this state"):
            ask(q=[0, 0], **more)


@pytest.mark.parametrize("language", ["python", "c", "javascript"])
def test_generated_code_is_the_kernels(language: str, tmp_path: Path, rng: np.random.Generator) -> None:
    need(language)
    for _ in range(3):
        model = one_axis_tree(rng)
        dynamics, n = Dynamics(model), model.nv
        code = covariant(model).code(language, "arm")
        names = dict.fromkeys(re.findall(r"p\[\d+\] = (\w+)", code))
        shapes = {f"arm_{name}": (n, n) if name == "mass_matrix" else (n,) for name in FUNCTIONS}
        run = RUNNERS[language](code, shapes, tmp_path)
        s = random_state(rng, model)
        given = {**s._asdict(), "p": np.array([float(model.values[name]) for name in names])}
        expected = {
            "mass_matrix": dynamics.mass_matrix(s.q),
            "bias": dynamics.bias(s.q, s.u, s.t),
            "inverse": dynamics.inverse(s.q, s.u, s.ud, s.t),
            "forward": dynamics.forward(s.q, s.u, s.tau, s.t),
        }
        for name, value in expected.items():
            close(run(f"arm_{name}", [given[key] for key in FUNCTIONS[name]]), value)
