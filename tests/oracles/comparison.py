"""How far `Dynamics` and an oracle are apart on one random tree.

``python -m tests.oracles.comparison 20`` compares twenty trees and prints the largest differences.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from mbwidgets.model.model import Model
from tests.oracles.mujoco_oracle import MujocoOracle, supports
from tests.oracles.oracle import Oracle
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.random_models import State, random_state, random_tree

AGREEMENT = 1e-10
"""Relative. Both engines and ours lose cond(M) · 2⁻⁵³ ≈ 1e-11 at the worst states that `draw` lets pass."""
POWER = 1e-8
"""Relative. The derivative of the energy is an eighth-order difference: rounding leaves about 1e-11."""
WORST_CONDITION = 1e5
SMALLEST_SCALE = 1e-3
"""The random trees are of order one: below this a value is zero by symmetry, and its rounding is not."""

Array = np.ndarray


def draw(seed: int, index: int) -> tuple[Model, State]:
    """Tree number ``index`` of a seed, in a state with cond(M) < 1e5. One in ten may have massless bodies."""
    rng = np.random.default_rng([seed, index])
    while True:
        model = random_tree(rng, massless=index % 10 == 0)
        oracle = PinocchioOracle(model)
        for _ in range(5):
            state = random_state(rng, model)
            if np.linalg.cond(oracle.mass_matrix(state.q)) < WORST_CONDITION:
                return model, state


def relative(ours: Any, expected: Any, scale: float = SMALLEST_SCALE) -> float:
    """Largest difference over largest value, or over ``scale`` where that is larger."""
    ours, expected = np.asarray(ours, dtype=float), np.asarray(expected, dtype=float)
    if ours.shape != expected.shape or not np.all(np.isfinite(ours)):
        return np.inf
    scale = max(np.abs(expected).max(initial=0.0), scale)
    return float(np.abs(ours - expected).max(initial=0.0) / scale)


def rotations(quaternions: Array) -> Array:
    """(n, 3, 3) of quaternions x, y, z, w."""
    x, y, z, w = np.asarray(quaternions).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


def differences(dynamics: Any, oracle: Oracle, state: State) -> dict[str, float]:
    """Relative difference of every quantity that both give."""
    q, u, ud, tau, t = state
    places, quaternions = dynamics.poses(q)
    expected_places, expected_rotations = oracle.poses(q)
    loads, _ = oracle.applied(q, u, t)
    # a joint may pass on no force across its free directions: its reaction's rounding is that of the whole
    # wrench
    wrench = float(np.abs(oracle.joint_wrenches(q, u, ud, loads.held + loads.other)).max())
    return {
        "places": relative(places, expected_places),
        "rotations": relative(rotations(quaternions), expected_rotations),
        "mass matrix": relative(dynamics.mass_matrix(q), oracle.mass_matrix(q)),
        "bias": relative(dynamics.bias(q, u, t), oracle.bias(q, u, t)),
        "inverse": relative(dynamics.inverse(q, u, ud, t), oracle.inverse(q, u, ud, t)),
        "forward": relative(dynamics.forward(q, u, tau, t), oracle.forward(q, u, tau, t)),
        "reactions": relative(dynamics.reactions(q, u, ud, t), oracle.reactions(q, u, ud, t), wrench),
        "energy": relative(dynamics.energy(q, u, t), oracle.energy(q, u, t)),
    }


def round_trip(dynamics: Any, state: State) -> float:
    """forward ∘ inverse against the identity."""
    q, u, ud, _, t = state
    return relative(dynamics.forward(q, u, dynamics.inverse(q, u, ud, t), t), ud)


def power_mismatch(dynamics: Any, oracle: Oracle, state: State) -> float:
    """dE/dt along the motion against u·tau and the power of the forces that have no potential."""
    q, u, _, tau, t = state
    ud = dynamics.forward(q, u, tau, t)
    other = oracle.generalised(q, u, t)[1]
    power = u @ (tau + other)
    step = 1e-3
    rate = 0.0
    for k, weight in enumerate((4 / 5, -1 / 5, 4 / 105, -1 / 280), start=1):
        after, before = (
            sum(dynamics.energy(moved(oracle.model, q, h * u), u + h * ud, t)) for h in (k * step, -k * step)
        )
        rate += weight * (after - before) / step
    scale = max(abs(power), float(np.abs(u * (tau + other)).sum()), sum(map(abs, dynamics.energy(q, u, t))))
    return float(abs(rate - power) / max(scale, SMALLEST_SCALE))


def moved(model: Model, q: Array, turn: Array) -> Array:
    """The coordinates after a displacement of velocities' size; a ball turns about its body's axes."""
    result = q.copy()
    for i, body in enumerate(model.bodies):
        a, b = model.q_offsets[i], model.u_offsets[i]
        for column in body.joint.columns():
            if column.kind == "ball":
                result[a : a + 4] = _product(q[a : a + 4], _exponential(turn[b : b + 3]))
            else:
                result[a] += turn[b]
            a, b = a + 1, b + 1
    return result


def _exponential(turn: Array) -> Array:
    angle = np.linalg.norm(turn)
    return np.append(turn * np.sinc(angle / (2 * np.pi)) / 2, np.cos(angle / 2))


def _product(p: Array, r: Array) -> Array:
    vector = p[3] * r[:3] + r[3] * p[:3] + np.cross(p[:3], r[:3])
    return np.append(vector, p[3] * r[3] - p[:3] @ r[:3])


def examine(seed: int, index: int) -> dict[str, float]:
    """Every check on one tree: quantity → relative difference."""
    from mbwidgets.numeric.states.dynamics import Dynamics

    model, state = draw(seed, index)
    dynamics, pinocchio = Dynamics(model), PinocchioOracle(model)
    found = {f"{name}, Pinocchio": value for name, value in differences(dynamics, pinocchio, state).items()}
    if supports(model):
        mujoco = differences(dynamics, MujocoOracle(model), state)
        found |= {f"{name}, MuJoCo": value for name, value in mujoco.items()}
    momentum = np.concatenate(dynamics.momentum(state.q, state.u))
    found["momentum, Pinocchio"] = relative(momentum, pinocchio.momentum(state.q, state.u))
    found["forward of inverse"] = round_trip(dynamics, state)
    found["power"] = power_mismatch(dynamics, pinocchio, state)
    return found


def allowed(quantity: str) -> float:
    """The tolerance of a quantity."""
    return POWER if quantity == "power" else AGREEMENT


def main(count: int) -> int:
    """Compare trees and print the largest differences; the exit status says whether all agree."""
    seed = int(os.environ.get("MBWIDGETS_SEED", "1"))
    worst: dict[str, tuple[float, int]] = {}
    for index in range(count):
        for quantity, value in examine(seed, index).items():
            worst[quantity] = max(worst.get(quantity, (0.0, 0)), (value, index))
    for quantity, (value, index) in worst.items():
        print(f"{quantity:25} {value:8.1e}  tree {index}")
    return int(any(value > allowed(quantity) for quantity, (value, _) in worst.items()))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
