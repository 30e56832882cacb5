"""Our dynamics beside Pinocchio and MuJoCo on random trees; MBWIDGETS_TREES says on how many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
