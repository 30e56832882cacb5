"""Our dynamics beside Pinocchio and MuJoCo on random trees; MBWIDGETS_TREES says on how many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mbwidgets as mb
from tests.oracles.comparison import AGREEMENT, allowed, draw, examine, relative
from tests.oracles.mujoco_oracle import MujocoOracle, supports
from tests.oracles.pinocchio_oracle import PinocchioOracle

pytestmark = pytest.mark.oracle

CHUNKS = 20
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_dynamics_agrees_with_pinocchio_and_mujoco_on_random_trees(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, trees, CHUNKS):
        for quantity, value in examine(seed, index).items():
            if not value <= allowed(quantity):
                failures.append(f"draw({seed}, {index}): {quantity} differs by {value:.1e}")
    assert not failures, "\n".join(failures[:40])


def test_most_random_trees_reach_both_engines(seed: int) -> None:
    both = sum(supports(draw(seed, index)[0]) for index in range(100))
    assert both >= 90


def test_pinocchio_and_mujoco_agree_with_each_other(seed: int) -> None:
    for index in range(40):
        model, (q, u, ud, tau, t) = draw(seed, index)
        if not supports(model):
            continue
        one, other = PinocchioOracle(model), MujocoOracle(model)
        assert relative(one.mass_matrix(q), other.mass_matrix(q)) < AGREEMENT
        assert relative(one.kinematics(q).jacobians, other.kinematics(q).jacobians) < AGREEMENT
        assert relative(one.inverse(q, u, ud, t), other.inverse(q, u, ud, t)) < AGREEMENT
        assert relative(one.forward(q, u, tau, t), other.forward(q, u, tau, t)) < AGREEMENT
        assert relative(one.reactions(q, u, ud, t), other.reactions(q, u, ud, t)) < AGREEMENT
        assert relative(one.energy(q, u, t), other.energy(q, u, t)) < AGREEMENT


def test_dynamics_agrees_with_the_oracles_in_plain_python(seed: int) -> None:
    environment = {**os.environ, "MBWIDGETS_ENGINE": "python", "MBWIDGETS_SEED": str(seed)}
    command = [sys.executable, "-m", "tests.oracles.comparison", "12"]
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_forces_that_vary_are_pinocchios_on_random_trees(seed: int) -> None:
    """Stiffness, lengths, damping and gravity of t, q, u on whatever tree there is, with balls and massless bodies."""
    compared = 0
    for index in range(60):
        model, (q, u, ud, _, t) = draw(seed, index)
        free = [k for k, body in enumerate(model.bodies) if any(c.kind != "ball" for c in body.joint.columns())]
        if not free or model.bodies[free[0]].joint.columns()[0].kind == "ball":
            continue
        joint, last = model.bodies[free[0]].name, model.bodies[-1].name
        i, j = model.q_offsets[free[0]], model.u_offsets[free[0]]
        varying = [
            mb.Spring((None, (1, 2, 0.5)), (last, (0.1, 0, 0.3)), f"3 + sin(t)*q[{i}]", length=f"0.3*u[{j}]"),
            mb.Spring((None, (0, 2, 0.5)), (last, (0.1, 0, 0.3)), f"5*cos(q[{i}])", length=0.4),
            mb.Damper((None, (1, -1, 0)), last, f"1 + u[{j}]**2"),
            mb.JointSpring(joint, f"2 + q[{i}]**2", rest=f"t*u[{j}]"),
            mb.JointDamper(joint, f"t + q[{i}]**2"),
            mb.JointFriction(joint, f"1 + t*q[{i}]", f"2*q[{i}]", 0.5),
            mb.Gravity((f"q[{i}]", "t", f"-3 + u[{j}]")),
        ]
        loaded = model.replace(forces=[*model.forces, *varying])
        one, ours = PinocchioOracle(loaded), mb.Dynamics(loaded)
        assert relative(one.inverse(q, u, ud, t), ours.inverse(q, u, ud, t)) < AGREEMENT
        assert relative(one.reactions(q, u, ud, t), ours.reactions(q, u, ud, t)) < AGREEMENT
        compared += 1
    assert compared >= 20
