"""Tătaru's equations about any pole, for every body of a model, in numbers."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.numeric.states.body_equations import body_equations
from tests.random_models import random_state, random_tree
from tests.symbolic.mechanisms import data


def newton_euler(model: mb.Model, motion: mb.Motion, poles: np.ndarray) -> dict[str, np.ndarray]:
    """What Newton and Euler say of every body at the first frame, from points of the motion, in body axes at the poles:
    v, v̇, the momentum's rate m a_C, J ε + ω × J ω, and the wrench of joints and constraints together."""
    n, R = len(model.bodies), motion.rotations[0]
    found = {key: np.zeros((n, 6)) for key in ("v", "vd", "rate", "wrench")}
    parts = motion_wrenches(model, motion, poles)
    for i, body in enumerate(model.bodies):
        points = [motion.point(i, tuple(poles[i] + shift)) for shift in (np.zeros(3), *np.eye(3))]
        velocity, acceleration = ([getattr(p, key)[0] @ R[i] for p in points] for key in ("velocity", "acceleration"))
        omega = sum(np.cross(e, v - velocity[0]) for e, v in zip(np.eye(3), velocity[1:], strict=True)) / 2
        bent = [
            a - acceleration[0] - np.cross(omega, np.cross(omega, e))
            for e, a in zip(np.eye(3), acceleration[1:], strict=True)
        ]
        epsilon = sum(np.cross(e, a) for e, a in zip(np.eye(3), bent, strict=True)) / 2
        found["v"][i] = [*velocity[0], *omega]
        found["vd"][i] = [*(acceleration[0] - np.cross(omega, velocity[0])), *epsilon]
        com = np.array([model.number(x) for x in body.com])
        tensor = np.array([[model.number(x) for x in row] for row in body.inertia])
        force = model.number(body.mass) * (motion.point(i, tuple(com)).acceleration[0] @ R[i])
        moment = tensor @ epsilon + np.cross(omega, tensor @ omega) + np.cross(com - poles[i], force)
        found["rate"][i] = [*force, *moment]
        found["wrench"][i] = parts[i]
    return found


def motion_wrenches(model: mb.Model, motion: mb.Motion, poles: np.ndarray) -> np.ndarray:
    """Reactions of a body's joint and, reversed, of those that it carries, and of constraints, (n, 6)."""
    total, R, place = np.zeros((len(model.bodies), 6)), motion.rotations[0], motion.poses[0][0]

    def add(i: int, force: np.ndarray, moment: np.ndarray, point: np.ndarray) -> None:
        if i >= 0:
            lever = point - (place[i] + R[i] @ poles[i])
            total[i] += [*(force @ R[i]), *((moment + np.cross(lever, force)) @ R[i])]

    for i, parent in enumerate(model.parents):
        at = np.array([model.number(x) for x in model.bodies[i].joint.at])
        point = at if parent < 0 else place[parent] + R[parent] @ at  # O_k, fixed in the parent
        reaction = motion.reactions(i)[0]
        add(i, reaction[:3], reaction[3:], point)
        add(parent, -reaction[:3], -reaction[3:], point)
    for action in motion.constraint_forces if model.constraints else ():
        if action.body is not None:
            add(model.index(action.body), action.force[0], action.moment[0], action.point[0])
    return total


def check_against_newton_and_euler(model: mb.Model, motion: mb.Motion, poles: np.ndarray) -> None:
    ours = body_equations(model, motion.q[0], motion.u[0], poles, motion.t[0])
    expected = {key: value.reshape(-1) for key, value in newton_euler(model, motion, poles).items()}
    n = 6 * len(model.bodies)
    vd, wrench = ours.solve()
    size = max(1.0, *(np.abs(value).max() for value in expected.values()), np.abs(ours.Q).max())
    assert np.abs(ours.v - expected["v"]).max() < 1e-10 * size
    assert np.abs(vd - expected["vd"]).max() < 1e-9 * size
    assert np.abs(ours.M @ expected["vd"] - ours.Qg - expected["rate"]).max() < 1e-10 * size
    assert np.abs(wrench - expected["wrench"]).max() < 1e-9 * size
    assert np.abs(ours.Qg + ours.Omega @ ours.v).max() < 1e-12 * size
    assert ours.L_tau.shape == (n, n - ours.rank)
    assert np.abs(ours.L_lambda @ ours.L_tau).max(initial=0.0) < 1e-12
    assert np.abs(ours.L_tau.T @ wrench).max(initial=0.0) < 1e-9 * size  # ideal: no work on what is left
    arms = np.array([[model.number(x) for x in body.com] for body in model.bodies]) - poles
    masses = np.array([model.number(body.mass) for body in model.bodies])
    for i, arm in enumerate(arms):
        tensor = np.array([[model.number(x) for x in row] for row in model.bodies[i].inertia])
        assert np.abs(ours.S[i] @ [1, 2, 3] - masses[i] * np.cross(arm, [1, 2, 3])).max() < 1e-12 * size
        steiner = masses[i] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        assert np.abs(ours.J[i] - tensor - steiner).max() < 1e-12 * size
        block = slice(6 * i, 6 * i + 6)
        whole = np.block([[masses[i] * np.eye(3), -ours.S[i]], [ours.S[i], ours.J[i]]])
        assert np.abs(ours.M[block, block] - whole).max() < 1e-12 * size


def test_the_equations_of_every_tree_are_those_of_newton_and_euler(rng: np.random.Generator) -> None:
    """Random trees with balls and all loads, about random poles: M, S, J, Ω, Q^g, Q, L_λ, L_τ and the wrench."""
    for _ in range(30):
        model = random_tree(rng, most=5, massless=False)
        q, u, *_ = random_state(rng, model)
        motion = mb.simulate(model, q=q, u=u, duration=1e-4, rate=1e4)
        check_against_newton_and_euler(model, motion, rng.normal(size=(len(model.bodies), 3)))


LOOPS = ("four_bar", "slider_crank", "body_on_circle", "bricard", "andrews_squeezer", "n_four_bar", "flyball_governor")


@pytest.mark.parametrize("name", LOOPS)
def test_the_equations_of_every_closed_loop_are_those_of_newton_and_euler(name: str, rng: np.random.Generator) -> None:
    model = getattr(mb.library, name)()
    far = mb.simulate(model, duration=0.01 if name == "andrews_squeezer" else 0.4)
    motion = mb.simulate(model, q=far.q[-1], u=far.u[-1], duration=1e-5, rate=1e5)
    check_against_newton_and_euler(model, motion, rng.normal(size=(len(model.bodies), 3)))


def test_a_point_on_a_curve_has_its_body_equations(rng: np.random.Generator) -> None:
    body = mb.Body("body", mb.Free(), mass=2.0, com=(0.1, -0.2, 0.05), inertia=(0.3, 0.4, 0.5))
    curve = mb.OnCurve("body", ("cos(s)", "sin(s)", "0.3*s"), at=(0.1, 0.2, -0.05))
    model = mb.Model([body], constraints=[curve], state={"u": [0.3, 0.2, 0.1, 1, 2, -1.5]})
    check_against_newton_and_euler(model, mb.simulate(model, duration=1e-3, rate=1e3), rng.normal(size=(1, 3)))


def test_the_complement_gives_the_mass_matrix_of_every_tree(rng: np.random.Generator) -> None:
    for _ in range(30):
        model = random_tree(rng, most=5, massless=False)
        q, u, _, _, t = random_state(rng, model)
        poles = rng.normal(size=(len(model.bodies), 3))
        ours = body_equations(model, q, u, poles, t)
        assert ours.rank == 6 * len(model.bodies) - model.nv
        mass = mb.Dynamics(model).mass_matrix(q)
        # L_τᵀ M L_τ is the mass matrix in the coordinates w with v = L_τ w, and w follows u linearly
        V = _partial(model, q, u, poles, t)
        assert np.abs(V.T @ ours.M @ V - mass).max() < 1e-10 * max(1.0, np.abs(mass).max())


def _partial(model: mb.Model, q: np.ndarray, u: np.ndarray, poles: np.ndarray, t: float) -> np.ndarray:
    """v is linear in u: its columns are the v of unit velocities."""
    return np.stack([body_equations(model, q, unit, poles, t).v for unit in np.eye(model.nv)], axis=1)


def test_a_closed_body_has_the_reference_accelerations() -> None:
    given = data("body_on_circle.json")["matrices"]
    alpha, phi = given["alpha"], given["phi"]
    q = [np.cos(alpha), np.sin(alpha), 0, 0, 0, np.sin(phi / 2), np.cos(phi / 2)]
    u = [-np.sin(alpha) * given["alphad"], np.cos(alpha) * given["alphad"], 0, 0, 0, given["phid"]]
    ours = body_equations(mb.library.body_on_circle(), q, u)
    assert ours.rank == 4
    assert np.abs(ours.M - given["M"]).max() < 1e-14
    assert np.abs(ours.solve()[0] - given["vdot"]).max() < 1e-12


def test_two_bodies_on_a_circle_and_a_ball_have_the_reference_wrench() -> None:
    given = data("body_on_circle.json")["two_body_circle_spherical"]
    model, q, u = two_bodies(given["input"])
    ud, lam = mb.constrained(model).solve(q, u)
    # λ of the circle's distance and of its plane: force on O₁
    force = lam[0] * np.array([np.cos(given["input"]["alpha"]), np.sin(given["input"]["alpha"]), 0]) + [0, 0, lam[1]]
    total = np.array(given["reaction_wrench0"])
    assert np.abs(force - (total[:3] + total[6:9])).max() < 1e-10
    ours = body_equations(model, q, u)
    vd, _ = ours.solve()
    from mbwidgets.numeric.base.rotations import rotation_matrices

    turns = rotation_matrices(mb.Dynamics(model.replace(constraints=())).poses(q)[1])
    expected = np.array(given["vdot0"]).reshape(2, 6)
    for i in range(2):
        assert np.abs(turns[i] @ vd[6 * i + 3 : 6 * i + 6] - expected[i, 3:]).max() < 1e-9
    assert np.isfinite(ud).all()


def two_bodies(given: dict[str, object]) -> tuple[mb.Model, np.ndarray, np.ndarray]:
    """O₁ of the first body on a circle, the second on a ball at the first's end."""
    from scipy.spatial.transform import Rotation

    first, second = given["bodies"]  # type: ignore[misc]
    turns = [Rotation.from_rotvec(np.array(r[:3]) / np.linalg.norm(r[:3]) * r[3]) for r in given["rot"]]  # type: ignore[attr-defined]
    at = np.array(first["cE"]) - np.array(first["cO"])
    model = mb.Model(
        [
            mb.Body("one", mb.Free(), mass=first["m"], com=tuple(-np.array(first["cO"])), inertia=first["Jc"]),
            mb.Body(
                "two",
                mb.Spherical(at=tuple(at)),
                mass=second["m"],
                com=tuple(-np.array(second["cO"])),
                inertia=second["Jc"],
            ),
        ],
        gravity=given["g"],
        constraints=[mb.OnCircle("one", given["R"])],
    )
    alpha, alphad = given["alpha"], given["alphad"]
    w = [turn.inv().apply(omega) for turn, omega in zip(turns, given["w"], strict=True)]  # type: ignore[call-overload]
    relative = turns[0].inv() * turns[1]
    place = [np.cos(alpha), np.sin(alpha), 0]  # type: ignore[call-overload]
    speed = np.array([-np.sin(alpha), np.cos(alpha), 0]) * alphad  # type: ignore[call-overload]
    q = np.concatenate([place, turns[0].as_quat(), relative.as_quat()])
    u = np.concatenate([speed, w[0], w[1] - relative.inv().apply(w[0])])
    return model, q, u
