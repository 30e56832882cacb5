"""Places and velocities of points as expressions: those of the kernels, whatever joints are on the way."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.expressions import Variable, evaluate
from mbwidgets.numeric.simulation.point_kinematics import point_expressions
from tests.random_models import random_tree


def test_the_expressions_are_what_the_kernels_say_on_random_trees(rng: np.random.Generator) -> None:
    balls = 0
    for _ in range(40):
        model = random_tree(rng, most=5, forces=False)
        balls += any(column.kind == "ball" for body in model.bodies for column in body.joint.columns())
        motion = mb.simulate(model, u=rng.normal(size=model.nv), duration=0.01, rate=100)
        for index in range(len(model.bodies)):
            at = rng.normal(size=3)
            place, velocity = point_expressions(model, index, [float(part) for part in at])
            known = motion.point(index, tuple(at))
            for k in range(len(motion)):
                state = {"q": motion.q[k], "u": motion.u[k]}

                def value(leaf: Variable, state: dict[str, np.ndarray] = state) -> float:
                    return float(state[leaf.kind][leaf.index])

                for found, expected in ((place, known.position[k]), (velocity, known.velocity[k])):
                    numbers = [evaluate(part, model.values, value) for part in found]
                    # sums of some ten products; places and speeds are of the order of one
                    np.testing.assert_allclose(numbers, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))
    assert balls > 5, "the trees have balls among their joints"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("spinning_top", "z[top, 0, 0, 1]", lambda motion: motion.point("top", (0, 0, 1)).position[:, 2]),
        ("spherical_chain", "vx[rod 2]", lambda motion: motion.point("rod 2").velocity[:, 0]),
    ],
)
def test_points_beyond_balls_stand_in_efforts_and_signals(name: str, text: str, expected) -> None:
    model = getattr(mb.library, name)(*((2,) if name == "spherical_chain" else ()))
    motion = mb.simulate(model, duration=0.5)
    np.testing.assert_allclose(motion.signal(text), expected(motion), atol=1e-9)
    stopped = mb.simulate(model, duration=0.5, events=[mb.Event(f"{text} - 100")])
    assert stopped.outcome


def test_an_effort_pulls_a_point_beyond_a_ball_to_a_height() -> None:
    top = mb.Body("ball", mb.Spherical(), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    arm = mb.Body("arm", mb.Revolute("x", at=(0, 0, -1)), mass=1, com=(0, 0, -0.3), inertia=(0.03, 0.03, 0.01))
    model = mb.Model([top, arm])
    by_text = mb.simulate(model, u=[1, 0.5, 0, 0], duration=1.0, tau={"arm": "-3*y[arm, 0, 0, -0.6]"})
    place, _ = point_expressions(model, 1, (0, 0, -0.6))

    def pull(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return -3.0 * evaluate(place[1], {}, lambda leaf: float((q if leaf.kind == "q" else u)[leaf.index]))

    by_function = mb.simulate(model, u=[1, 0.5, 0, 0], duration=1.0, tau={"arm": pull})
    np.testing.assert_allclose(by_text.q, by_function.q, atol=1e-8)
