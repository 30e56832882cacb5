"""A hand on a body: the pose that it pulls to, and the spring by which it pulls."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.simulation.pulling import Grip, delayed, pull_pose, pulling_forces, with_pose


def point(model: mb.Model, q: np.ndarray, grip: Grip) -> np.ndarray:
    place, turn = mb.Dynamics(model).poses(q)
    x, y, z, w = turn[grip.body]
    v, at = np.array([x, y, z]), np.array(grip.at)
    return place[grip.body] + at + 2 * np.cross(v, np.cross(v, at) + w * at)


def test_a_pendulum_points_at_the_hand() -> None:
    model = mb.library.pendulum(1)
    end = Grip(0, tuple(model.number(item) for item in model.bodies[0].com))
    for hand in ([0.5, 0, -0.4], [0, 0, 2], [-5, 0, 1]):
        found = pull_pose(model, [0.5], end, hand)
        reached = point(model, found.q, end)
        # the nearest point of a circle lies on the ray to it; the last step gains 1e-7 of the way, √ of it is an angle
        assert np.cross(reached, hand)[1] / np.linalg.norm(reached) / np.linalg.norm(hand) == pytest.approx(0, abs=1e-3)
        assert reached @ hand > 0
        assert found.words.startswith("out of reach by")


def test_an_arm_brings_its_point_to_the_hand_where_it_can_reach_it(rng: np.random.Generator) -> None:
    model = mb.library.spherical_chain(3)
    grip = Grip(2, (0.0, 0.0, -0.2))
    for _ in range(5):
        hand = rng.normal(size=3)
        hand *= 0.8 / np.linalg.norm(hand)
        found = pull_pose(model, model.q0, grip, hand)
        assert found.words == ""
        assert np.linalg.norm(point(model, found.q, grip) - hand) < 1e-5, "m; the chain is 3 m long"


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "andrews_squeezer", "bricard", "body_on_circle"])
def test_a_closed_loop_stays_closed_and_goes_where_the_hand_pulls(name: str, rng: np.random.Generator) -> None:
    model = getattr(mb.library, name)()
    start = mb.simulate(model, duration=1e-3, rate=1000).q[0]
    grip = Grip(1 if len(model.bodies) > 1 else 0, (0.01, 0.01, 0.0))
    moved = mb.simulate(model, q=start, duration=0.001 if "andrews" in name else 0.1)
    hand = point(model, moved.q[-1], grip)
    found = pull_pose(model, start, grip, hand)
    way = np.linalg.norm(hand - point(model, start, grip))
    assert found.left < 1e-3 * way, "the mechanism has been there, so that it can go there"
    posed = with_pose(model, found.q)
    motion = mb.simulate(posed, duration=1e-3, rate=1000)
    assert motion.outcome.ok
    assert abs(np.sin((motion.q[0] - found.q) / 2)).max() < 1e-9, "the start is on the constraints already"


def test_a_four_bar_finds_the_nearest_point_of_its_whole_way() -> None:
    model = mb.library.four_bar()
    grip, hand = Grip(0, (0.5, 0, 0)), np.array([0.3, 0.9, 0])
    found = pull_pose(model, mb.simulate(model, duration=1e-3).q[0], grip, hand)
    assert found.left == pytest.approx(np.linalg.norm(hand) - 0.5, rel=1e-3), "the crank turns through"


def test_a_joint_stops_at_its_limit_and_says_so() -> None:
    arm = [
        mb.Body("upper", mb.Revolute("y", limits=(-0.5, 0.5)), mass=1, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1)),
        mb.Body("fore", mb.Revolute("y", at=(0.6, 0, 0)), mass=1, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1)),
    ]
    model = mb.Model(arm)
    found = pull_pose(model, [0.0, 0.0], Grip(0, (0.6, 0, 0)), [0, 0, -2])
    assert found.q[0] == pytest.approx(0.5)
    assert found.words == "upper is at its limit, 0.5"
    beyond = pull_pose(model, [0.0, 0.0], Grip(1, (0.5, 0, 0)), [0.6, 0, -0.5])
    assert beyond.q[0] <= 0.5
    assert beyond.left < 0.2, "what is free goes on"


def test_what_is_fixed_cannot_be_moved_and_says_so() -> None:
    plate = mb.Body("plate", mb.Fixed(at=(0, 0, 1)), mass=1, inertia=(0.1, 0.1, 0.1))
    rod = mb.Body("rod", mb.Revolute("y"), parent=mb.ground, mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    found = pull_pose(mb.Model([plate, rod]), [0.3], Grip(0, (0.1, 0, 0)), [1, 1, 1])
    assert found.words == "plate cannot be moved"
    assert found.q.tolist() == [0.3]


def test_a_pose_moves_the_parameter_that_the_start_is_given_by() -> None:
    model = mb.library.four_bar()
    q = pull_pose(model, mb.simulate(model, duration=1e-3).q[0], Grip(0, (0.5, 0, 0)), [0, -1, 0]).q
    posed = with_pose(model, q)
    assert posed.values["phi0"] == pytest.approx(-np.pi / 2, abs=0.02)
    assert -3.1 <= posed.values["phi0"] <= 3.1, "within its bounds, whole turns away"
    assert np.allclose(np.sin(posed.q0 - q), 0, atol=1e-9)


def test_a_pose_changes_no_size() -> None:
    model = mb.library.body_on_circle()  # starts at (0, R), R the radius of the circle, too
    q = model.q0.copy()
    q[:2] = 0.6 * model.values["R"], 0.8 * model.values["R"]
    posed = with_pose(model, q)
    assert posed.values == model.values
    assert posed.q0 == pytest.approx(q)


def test_a_spring_brings_what_it_pulls_to_the_hand() -> None:
    model = mb.library.pendulum(1).with_values(g=0)
    end = Grip(0, tuple(model.number(item) for item in model.bodies[0].com))
    hand = point(model, np.array([2.0]), end)
    pulled = model.replace(forces=pulling_forces(model, [0.5], end, hand))
    motion = mb.simulate(pulled, q=[0.5], u=[0.0], duration=10)
    assert motion.outcome.ok
    assert motion.drift < 1e-8
    assert motion.q[-1, 0] == pytest.approx(2.0, abs=0.05)
    assert model.forces == ()


def test_a_spring_suits_the_mass_that_is_felt() -> None:
    model = mb.library.pendulum(1)
    end = Grip(0, (0, 0, -0.5))
    one, other = (pulling_forces(model.with_values(m=m), [0.5], end, (1, 0, 0))[0].stiffness for m in (1, 4))
    assert other == pytest.approx(4 * one)


def test_what_depends_on_time_goes_on_where_it_was() -> None:
    rod = mb.Body("rod", mb.Revolute("z"), mass=1, inertia=(0.1, 0.1, 0.1))
    model = mb.Model([rod], forces=[mb.Effort("rod", "sin(3*t)")])
    whole = mb.simulate(model, duration=2, tau={"rod": ["0.1*t"]})
    later, tau = delayed(model, 1.0, {"rod": ["0.1*t"]})
    half = mb.simulate(later, q=whole.q[60], u=whole.u[60], duration=1, tau=tau)
    assert half.q[-1] == pytest.approx(whole.q[-1], rel=1e-8), "two motions to a tolerance of 1e-10"
    same = mb.library.pendulum(1)
    assert delayed(same, 1.0)[0] is same
