"""Values by Pinocchio and MuJoCo, stored for the notebook that shows them to readers who have neither.

``python -m tests.oracles.stored`` writes notebooks/data/engines.json anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from scipy.integrate import solve_ivp

from mbwidgets.model import library
from mbwidgets.model.model import Model
from tests.oracles.mujoco_oracle import MujocoOracle, supports
from tests.oracles.oracle import Oracle
from tests.oracles.pinocchio_oracle import PinocchioOracle, pin
from tests.random_models import random_state

FILE = Path(__file__).parents[2] / "notebooks" / "data" / "engines.json"
MECHANISMS = (
    "three_body_arm",
    "opnchain_manipulator",
    "scara",
    "six_axis_arm",
    "gyroscope",
    "spinning_top",
    "walking_figure",
)
MOVED = ("three_body_arm", "six_axis_arm")
SECONDS = 3.0
TIGHT = 1e-12


def engines(model: Model) -> dict[str, Oracle]:
    """The engines that take the model: MuJoCo wants mass on every joint that moves."""
    found: dict[str, Oracle] = {"Pinocchio": PinocchioOracle(model)}
    if supports(model):
        found["MuJoCo"] = MujocoOracle(model)
    return found


def state_of(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Any state of a mechanism, the same each time."""
    state = random_state(np.random.default_rng([7, MECHANISMS.index(name)]), getattr(library, name)())
    return state.q, state.u


def at_a_state(name: str) -> dict[str, Any]:
    """Mass matrix, accelerations and joint reactions in one state, by each engine."""
    model = getattr(library, name)()
    q, u = state_of(name)
    values = {}
    for engine, oracle in engines(model).items():
        ud = oracle.forward(q, u, np.zeros(model.nv))
        found = {"mass_matrix": oracle.mass_matrix(q), "forward": ud, "reactions": oracle.reactions(q, u, ud)}
        values[engine] = {key: np.asarray(value).tolist() for key, value in found.items()}
    return {"q": q.tolist(), "u": u.tolist(), "values": values}


def at_the_end(name: str) -> dict[str, Any]:
    """The state after a motion: Pinocchio's accelerations, integrated by SciPy."""
    model = getattr(library, name)()
    oracle, n = PinocchioOracle(model), model.nv
    tau = np.zeros(n)

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[n:], oracle.forward(y[:n], y[n:], tau, t)])

    start = np.concatenate([model.q0, model.u0])
    found = solve_ivp(rates, (0, SECONDS), start, method="DOP853", rtol=TIGHT, atol=TIGHT)
    return {"t": SECONDS, "q": found.y[:n, -1].tolist(), "u": found.y[n:, -1].tolist()}


def compute() -> dict[str, Any]:
    """All that is stored."""
    return {
        "engines": {"Pinocchio": pin.__version__, "MuJoCo": mujoco.__version__},
        "states": {name: at_a_state(name) for name in MECHANISMS},
        "motions": {name: at_the_end(name) for name in MOVED},
    }


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(compute(), indent=1) + "\n", encoding="utf-8")
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")
