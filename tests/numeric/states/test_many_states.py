"""Arrays of states, frames of bodies, and drives at named joints."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.linear.state_slopes import moved_coordinates
from mbwidgets.numeric.states.many_states import FrameMotion
from tests.random_models import random_state, random_tree


def states(rng: np.random.Generator, model: mb.Model, *shape: int) -> tuple[np.ndarray, ...]:
    found = [random_state(rng, model) for _ in range(int(np.prod(shape)))]
    return tuple(
        np.array([getattr(one, name) for one in found]).reshape(*shape, -1) for name in ("q", "u", "ud", "tau")
    )


@pytest.mark.parametrize("number", range(12))
def test_many_states_give_the_bits_of_each(number: int, rng: np.random.Generator) -> None:
    model = random_tree(rng, most=6, massless=False)
    dynamics = mb.Dynamics(model)
    q, u, ud, tau = states(rng, model, 2, 3)
    body, at = model.bodies[-1].name, (0.1, 0.2, -0.3)
    asked = {
        "forward": lambda k: dynamics.forward(q[k], u[k], tau[k]),
        "inverse": lambda k: dynamics.inverse(q[k], u[k], ud[k]),
        "bias": lambda k: dynamics.bias(q[k], u[k]),
        "reactions": lambda k: dynamics.reactions(q[k], u[k], ud[k]),
        "mass matrix": lambda k: dynamics.mass_matrix(q[k]),
        "jacobian": lambda k: dynamics.jacobian(q[k], body, at),
        "positions": lambda k: dynamics.poses(q[k])[0],
        "quaternions": lambda k: dynamics.poses(q[k])[1],
        "energy": lambda k: np.asarray(dynamics.energy(q[k], u[k]).total),
        "momentum": lambda k: np.asarray(dynamics.momentum(q[k], u[k])[1]),
        "velocity": lambda k: dynamics.frame(q[k], u[k], ud[k], body, at).velocity,
        "acceleration": lambda k: dynamics.frame(q[k], u[k], ud[k], body, at).acceleration,
    }
    for name, ask in asked.items():
        together = ask(...)
        assert together.shape[:2] == (2, 3), name
        for k in np.ndindex(2, 3):
            assert np.array_equal(together[k], ask(k)), name


def test_one_pose_stands_beside_many_velocities(rng: np.random.Generator) -> None:
    model = mb.library.three_body_arm()
    dynamics, u = mb.Dynamics(model), rng.normal(size=(7, 3))
    found = dynamics.forward(model.q0, u, t=np.linspace(0, 1, 7))
    assert np.array_equal(found[4], dynamics.forward(model.q0, u[4]))
    assert dynamics.forward(np.zeros((0, 3)), u[:0]).shape == (0, 3)


def test_many_states_of_a_linkage_are_each_solved(rng: np.random.Generator) -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=1, rate=10)
    dynamics = mb.Dynamics(motion.model)
    found = dynamics.forward(motion.q, motion.u)
    assert found == pytest.approx(motion.ud, rel=1e-9, abs=1e-9)
    assert dynamics.inverse(motion.q, motion.u, found).shape == motion.u.shape
    assert dynamics.reactions(motion.q, motion.u, found)[:, 1] == pytest.approx(motion.reactions(1), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("number", range(20))
def test_the_jacobian_and_the_frame_are_those_of_differences(number: int, rng: np.random.Generator) -> None:
    model = random_tree(rng, most=5, forces=False)
    dynamics, state = mb.Dynamics(model), random_state(rng, model)
    body, at = int(rng.integers(len(model.bodies))), rng.normal(size=3)
    q, u, ud = state.q, state.u, state.ud
    frame, h = dynamics.frame(q, u, ud, body, at), 1e-5
    jacobian = dynamics.jacobian(q, body, at)
    assert jacobian @ u == pytest.approx(frame.velocity, abs=1e-12 * max(1.0, abs(frame.velocity).max()))

    def later(s: float) -> FrameMotion:
        return dynamics.frame(moved_coordinates(model, q, s * u + 0.5 * s * s * ud), u + s * ud, ud, body, at)

    scale = max(1.0, abs(frame.acceleration).max(), abs(frame.velocity).max() ** 2)
    assert (later(h).position - later(-h).position) / (2 * h) == pytest.approx(frame.velocity[:3], abs=1e-7 * scale)
    assert (later(h).velocity - later(-h).velocity) / (2 * h) == pytest.approx(frame.acceleration, abs=1e-6 * scale)
    # virtual work: a force and a moment at the point are Jᵀ (F, M) on the velocities
    F, M = rng.normal(size=(2, 3))
    name = model.bodies[body].name
    loads = [mb.Force(name, F.tolist(), at=at.tolist()), mb.Torque(name, M.tolist())]
    pushed = mb.Dynamics(model.replace(forces=[*model.forces, *loads]))
    work = dynamics.bias(q, u) - pushed.bias(q, u)
    assert work == pytest.approx(
        jacobian.T @ np.concatenate([F, M]), abs=1e-10 * max(1.0, abs(dynamics.bias(q, u)).max())
    )


def test_frames_move_as_pinocchio_says(rng: np.random.Generator) -> None:
    pin = pytest.importorskip("pinocchio")
    model = mb.library.pendulum(3)
    built, joints = pin.Model(), [0]
    for body in model.bodies:
        place = pin.SE3(np.eye(3), np.array([model.number(x) for x in body.joint.at]))
        axis = np.array([model.number(x) for x in body.joint.columns()[0].axis], dtype=float)
        joints.append(built.addJoint(joints[-1], pin.JointModelRevoluteUnaligned(axis), place, body.name))
    data, q, u, ud = built.createData(), *rng.normal(size=(3, 3))
    frame = built.addFrame(
        pin.Frame("tip", joints[-1], pin.SE3(np.eye(3), np.array([0.1, 0.2, -0.9])), pin.FrameType.OP_FRAME)
    )
    data = built.createData()
    pin.forwardKinematics(built, data, q, u, ud)
    pin.updateFramePlacements(built, data)
    ours = mb.Dynamics(model).frame(q, u, ud, "rod 3", (0.1, 0.2, -0.9))
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    assert ours.position == pytest.approx(data.oMf[frame].translation, abs=1e-14)
    assert ours.velocity == pytest.approx(pin.getFrameVelocity(built, data, frame, axes).vector, abs=1e-13)
    told = pin.getFrameClassicalAcceleration(built, data, frame, axes).vector
    assert ours.acceleration == pytest.approx(told, abs=1e-12)
    J = pin.computeFrameJacobian(built, data, q, frame, axes)
    assert mb.Dynamics(model).jacobian(q, "rod 3", (0.1, 0.2, -0.9)) == pytest.approx(J, abs=1e-14)


def test_drives_at_some_joints_make_the_motion_of_a_linkage() -> None:
    model = mb.library.four_bar()
    dynamics, q, u = mb.Dynamics(model), model.q0, model.u0
    for wanted in (0.0, 3.5):
        ud = dynamics.forward(q, u, [wanted, 0, 0])
        assert dynamics.inverse(q, u, ud, actuated=["crank"]) == pytest.approx([wanted, 0, 0], abs=1e-10)
        # other drives do the same motion
        other = dynamics.inverse(q, u, ud, actuated=["rocker"])
        assert other[:2].tolist() == [0, 0]
        assert dynamics.forward(q, u, other) == pytest.approx(ud, abs=1e-9)
        both = dynamics.inverse(q, u, ud, actuated=["crank", "rocker"])
        assert dynamics.forward(q, u, both) == pytest.approx(ud, abs=1e-9)
        assert np.linalg.norm(both) <= np.linalg.norm(other) + 1e-12


def test_drives_that_cannot_make_a_motion_are_refused() -> None:
    cart = mb.library.cart_pendulum()
    dynamics = mb.Dynamics(cart)
    with pytest.raises(mb.StateError, match=r"actuated: drives at 'cart' cannot make this motion.*name more joints"):
        dynamics.inverse([0, 1.0], [0, 0], [0, 0], actuated=["cart"])
    assert dynamics.inverse([0, np.pi / 2 * 0], [0, 0], [1, 0], actuated=["cart", "rod"]).shape == (2,)
    with pytest.raises(mb.UnknownNameError, match="actuated has no 'wheel'"):
        dynamics.inverse([0, 1.0], [0, 0], [0, 0], actuated=["wheel"])
    with pytest.raises(mb.ModelError, match="'cart' stands twice"):
        dynamics.inverse([0, 1.0], [0, 0], [0, 0], actuated=["cart", "cart"])


def test_a_state_of_many_that_has_no_answer_is_named() -> None:
    dynamics, q = mb.Dynamics(mb.library.pendulum(2)), np.zeros((2, 5, 2))
    q[1, 3, 1] = np.nan
    for ask in (dynamics.mass_matrix, dynamics.poses, lambda x: dynamics.forward(x, 0 * x)):
        with pytest.raises(mb.StateError, match=r"state \(1, 3\).*'rod 2' is nan"):
            ask(q)
    with pytest.raises(mb.StateError, match=r"give \(…, 2\), a row for each state"):
        dynamics.forward(np.zeros((4, 3)), np.zeros((4, 2)))
    with pytest.raises(mb.StateError, match="do not go together"):
        dynamics.forward(np.zeros((4, 2)), np.zeros((3, 2)))


def test_no_states_give_no_answers() -> None:
    for model in (mb.library.pendulum(2), mb.library.four_bar()):
        dynamics, none = mb.Dynamics(model), np.zeros((0, model.nv))
        assert dynamics.forward(none, none).shape == (0, model.nv)
        assert dynamics.poses(none)[1].shape == (0, len(model.bodies), 4)
        assert dynamics.reactions(none, none, none).shape == (0, len(model.bodies), 6)
        assert dynamics.jacobian(none, 0).shape == (0, 6, model.nv)
    with pytest.raises(mb.StateError, match=r"^q of 'rod 2' is nan"):
        mb.Dynamics(mb.library.pendulum(2)).jacobian([0, np.nan], 1)
