"""Tătaru's equations about any pole, for every body of a model, in numbers."""

from __future__ import annotations

import numpy as np

import mbwidgets as mb
from mbwidgets.numeric.body_equations import body_equations
from tests.random_models import random_state, random_tree
from tests.symbolic.mechanisms import data


def test_the_complement_gives_the_accelerations_of_every_tree(rng: np.random.Generator) -> None:
    for _ in range(30):
        model = random_tree(rng, most=5, massless=False)
        q, u, _, _, t = random_state(rng, model)
        poles = rng.normal(size=(len(model.bodies), 3))
        ours = body_equations(model, q, u, poles, t)
        n = 6 * len(model.bodies)
        assert ours.L_tau.shape == (n, model.nv)
        assert ours.rank == n - model.nv
        assert np.abs(ours.L_lambda @ ours.L_tau).max(initial=0.0) < 1e-12
        assert np.abs(ours.L_lambda @ ours.v).max(initial=0.0) < 1e-10 * max(1.0, np.abs(ours.v).max())
        vd, wrench = ours.solve()
        # constraint forces do no work, and the power of all forces is the rate of the kinetic energy
        scale = max(1.0, np.abs(wrench).max() * np.abs(ours.v).max())
        assert abs(wrench @ ours.v) < 1e-9 * scale
        acceleration = mb.Dynamics(model).forward(q, u, t=t)
        mass = mb.Dynamics(model).mass_matrix(q)
        # L_τᵀ M L_τ is the mass matrix in the coordinates w with v = L_τ w, and w follows u linearly
        V = _partial(model, q, u, poles, t)
        assert np.abs(V.T @ ours.M @ V - mass).max() < 1e-10 * max(1.0, np.abs(mass).max())
        left = V.T @ (ours.M @ vd - ours.Qg - ours.Q)
        assert np.abs(left).max() < 1e-9 * scale
        other = body_equations(model, q, u, t=t)
        assert np.abs(other.solve()[0][3::6] - vd[3::6]).max() < 1e-8 * max(1.0, np.abs(vd).max())
        assert np.isfinite(acceleration).all()


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
    from mbwidgets.numeric.reactions import rotations_of

    turns = rotations_of(mb.Dynamics(model.replace(constraints=())).poses(q)[1])
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
