"""What can be read from a motion agrees with itself."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb


@pytest.fixture(scope="module")
def motion() -> mb.Motion:
    # differences over 1/2000 s magnify the error of a frame 2000 times: hence the tight tolerance
    return mb.simulate(mb.library.walking_figure(), duration=1, rate=2000, rtol=1e-13)


def slope(values: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Central differences of order four."""
    h = t[1] - t[0]
    return (values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12 * h)


def test_a_points_velocity_and_acceleration_are_its_derivatives(motion: mb.Motion) -> None:
    body = motion.model.bodies[-1].name
    position, velocity, acceleration = motion.point(body, (0.1, -0.2, 0.3))
    assert abs(slope(position, motion.t) - velocity[2:-2]).max() < 1e-8
    assert abs(slope(velocity, motion.t) - acceleration[2:-2]).max() < 1e-7


def test_a_mechanism_at_rest_does_not_drift(rng: np.random.Generator) -> None:
    """Rounding over rounding is no drift: the measure is what the motion could exchange, Σ m g ℓ."""
    arm = mb.library.three_body_arm()
    for _ in range(20):
        q = rng.uniform(-2, 2, size=3)
        tau = mb.Dynamics(arm).bias(q, np.zeros(3))
        motion = mb.simulate(arm, q=q, u=np.zeros(3), tau=list(tau), duration=2)
        assert motion.drift < 1e-12


def test_a_lift_and_a_held_spring_do_not_drift() -> None:
    lift = mb.Model([mb.Body("cab", mb.Prismatic("z"), mass=3, com=(0, 0, 0.3))], gravity=(0, 0, -9.81))
    assert mb.simulate(lift, q=[0.7], tau=[3 * 9.81], duration=5).drift < 1e-12
    spring = mb.Spring(None, ("cab", (0, 0, 1)), stiffness=1234.5, length=0.3)
    held = lift.replace(gravity=(0, 0, 0), forces=[spring])
    push = float(mb.Dynamics(held).bias([0.1], [0.0])[0])
    assert mb.simulate(held, q=[0.1], tau=[push], duration=1).drift < 1e-12


def test_drift_is_told_in_parts_of_what_the_motion_exchanges() -> None:
    """A pendulum that falls from the horizontal: T and V − V(0) reach m g l/2, and so does the sum at rest."""
    model = mb.library.pendulum(1)
    motion = mb.simulate(model, q=[np.pi / 2], u=[0.0], duration=5, method="rk4", step=0.02)
    error = motion.energy.total - motion.energy.total[0]
    weight = 9.81 * 0.5
    scale = motion.energy.kinetic.max() + abs(motion.energy.potential - motion.energy.potential[0]).max() + weight
    np.testing.assert_allclose(motion.energy_error, error / scale, rtol=1e-9, atol=1e-16)
    assert motion.drift > 1e-8


def test_accelerations_are_the_derivatives_of_velocities(motion: mb.Motion) -> None:
    assert abs(slope(motion.u, motion.t) - motion.ud[2:-2]).max() < 1e-6


def test_weight_and_the_grounds_reaction_change_the_momentum() -> None:
    """d/dt (K, L) = weight + reactions of the bodies that hang on the ground; no effort acts in this arm."""
    motion = mb.simulate(mb.library.three_body_arm(), duration=1, rate=2000, rtol=1e-13)
    model = motion.model
    momentum, moment = motion.totals[:, 2:5], motion.totals[:, 5:8]
    masses = np.array([model.number(body.mass) for body in model.bodies])
    centres = np.stack([motion.point(body.name, body.com).position for body in model.bodies], axis=1)
    gravity = np.array([model.number(item) for item in model.gravity])
    weight = masses[:, None] * gravity
    expected = weight.sum(axis=0) * np.ones_like(momentum)
    expected_moment = np.cross(centres, weight).sum(axis=1)
    roots = [k for k, parent in enumerate(model.parents) if parent < 0]
    for k in roots:
        reaction = motion.reactions(k)
        joint = np.array([model.number(item) for item in model.bodies[k].joint.at])
        expected = expected + reaction[:, :3]
        expected_moment = expected_moment + reaction[:, 3:] + np.cross(joint, reaction[:, :3])
    # what differences of order four leave at this spacing, in parts of the largest value
    assert abs(slope(momentum, motion.t) - expected[2:-2]).max() < 1e-6 * abs(expected).max()
    assert abs(slope(moment, motion.t) - expected_moment[2:-2]).max() < 1e-6 * abs(expected_moment).max()


def test_reactions_of_a_motion_are_those_of_its_states(motion: mb.Motion) -> None:
    dynamics = mb.Dynamics(motion.model)
    for frame in (0, 700, 2000):
        state = motion.q[frame], motion.u[frame], motion.ud[frame]
        expected = dynamics.reactions(*state)
        for k, body in enumerate(motion.model.bodies):
            assert np.allclose(motion.reactions(body.name)[frame], expected[k], rtol=1e-12, atol=1e-10)


def test_poses_of_a_motion_are_those_of_its_states(motion: mb.Motion) -> None:
    position, quaternion = motion.poses
    expected = mb.Dynamics(motion.model).poses(motion.q[500])
    assert np.allclose(position[500], expected[0], atol=1e-14)
    assert np.allclose(quaternion[500], expected[1], atol=1e-14)


def test_a_table_is_saved_with_all_its_digits(motion: mb.Motion, tmp_path: Path) -> None:
    table = motion.table()
    table.to_csv(tmp_path / "motion.csv")
    with open(tmp_path / "motion.csv", newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert tuple(rows[0]) == table.names
    assert np.array_equal(np.array(rows[1:], dtype=float), table.values)
    assert np.array_equal(table["t"], motion.t)
    assert "<script" not in table._repr_html_()


def test_a_motion_says_what_it_is() -> None:
    text = repr(mb.simulate(mb.library.pendulum(2), duration=1))
    assert "61 frames" in text
    assert "energy drift" in text
    assert "computed to its end" in text


DRIVES = {
    "numbers": [0.5, -1.0],
    "expressions": ["2*sin(3*t) - u[0]", "q[0]*u[1]"],
    "by joint": {1: "cos(t)"},
    "a function": lambda t, q, u: [2 * np.sin(3 * t) - u[0], q[0] * u[1]],
}


@pytest.mark.parametrize("given", DRIVES)
def test_efforts_are_what_tau_gave_in_every_frame(given: str) -> None:
    model = mb.library.pendulum(2)
    motion = mb.simulate(model, tau=DRIVES[given], duration=0.5, rate=20)
    t, (a, _), (x, y) = motion.t, motion.q.T, motion.u.T
    zero = np.zeros_like(t)
    expected = {
        "numbers": [zero + 0.5, zero - 1.0],
        "expressions": [2 * np.sin(3 * t) - x, a * y],
        "by joint": [zero, np.cos(t)],
        "a function": [2 * np.sin(3 * t) - x, a * y],
    }[given]
    assert motion.efforts is not None
    np.testing.assert_allclose(motion.efforts, np.transpose(expected), rtol=1e-14, atol=1e-15)
    dynamics = mb.Dynamics(model)
    states = zip(motion.q, motion.u, motion.efforts, motion.ud, strict=True)
    for q, u, effort, ud in states:  # the drives count once
        np.testing.assert_allclose(dynamics.forward(q, u, effort), ud, rtol=1e-11, atol=1e-12)
    parts = motion.reaction_parts(1)
    np.testing.assert_allclose(parts.effort[:, 0], motion.efforts[:, 1], atol=1e-12)


def test_without_tau_there_are_no_efforts() -> None:
    assert mb.simulate(mb.library.pendulum(1), duration=0.1).efforts is None


def slider_on_a_spring(gravity: tuple[float, float, float]) -> mb.Model:
    slider = mb.Body("slider", mb.Prismatic("x"), mass=1)
    return mb.Model([slider], forces=[mb.JointSpring("slider", stiffness=1e4)], gravity=gravity, state={"q": [1e-9]})


@pytest.mark.parametrize(
    ("model", "step"),
    [
        (mb.library.pendulum(1).replace(state={"q": [1e-6]}), 0.25),
        (mb.library.pendulum(1).replace(state={"q": [1e-4]}), 0.25),
        (slider_on_a_spring((0, 0, -9.81)), 0.01),
        (slider_on_a_spring((0, 0, 0)), 0.01),
    ],
    ids=["pendulum 1e-6", "pendulum 1e-4", "slider under weight", "slider"],
)
def test_a_small_motion_that_errs_drifts(model: mb.Model, step: float) -> None:
    """What could be exchanged in another motion does not make this one exact."""
    coarse = mb.simulate(model, method="rk4", step=step, rate=1 / step)
    assert abs(coarse.q - mb.simulate(model, rate=1 / step).q).max() > 0.01 * abs(coarse.q).max()
    assert coarse.drift > 1e-3
    assert mb.simulate(model).drift < 1e-6
