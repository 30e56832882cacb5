"""Chains for the tests of permanent rotations: those of the reference file, rods, random ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import mbwidgets as mb
from tests.random_models import random_inertia, random_joint

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "permanent_rotations.json").read_text(encoding="utf-8")
)
SYSTEMS: dict[str, Any] = REFERENCE["systems"]


def reference_chain(system: dict[str, Any], turn: Any = None) -> mb.Model:
    """A chain of the reference file, ν along z; ``turn`` gives another vertical, the bodies turned along."""
    turn = np.eye(3) if turn is None else np.asarray(turn)
    bodies = []
    at = np.zeros(3)
    for i, given in enumerate(system["bodies"]):
        inertia = turn @ np.array(given["Jc"]) @ turn.T
        inertia = (inertia + inertia.T) / 2
        com = turn @ np.array(given["c"])
        bodies.append(mb.Body(f"B{i + 1}", mb.Spherical(at=at), mass=given["m"], com=com, inertia=inertia.tolist()))
        at = turn @ np.array(given["s"], dtype=float)
    return mb.Model(bodies, gravity=turn @ np.array([0.0, 0.0, REFERENCE["g"]]))


def rods(n: int = 2, masses: Any = None, lengths: Any = None, radius: float = 0.02) -> mb.Model:
    """Thin rods that hang along ν = z: J_C = diag(m l²/12, m l²/12, m r²/2)."""
    masses, lengths = masses or [1.0] * n, lengths or [1.0] * n
    bodies = []
    for i, (m, length) in enumerate(zip(masses, lengths, strict=True)):
        across, along = m * length**2 / 12, m * radius**2 / 2
        at = (0, 0, lengths[i - 1] if i else 0)
        bodies.append(
            mb.Body(
                f"rod {i + 1}", mb.Spherical(at=at), mass=m, com=(0, 0, length / 2), inertia=(across, across, along)
            )
        )
    return mb.Model(bodies, gravity=(0, 0, 9.81))


def random_spherical_chain(rng: np.random.Generator, n: int, elastic: bool = False) -> mb.Model:
    """Bodies of any shape on balls anywhere, under gravity in any direction."""
    bodies = []
    for i in range(n):
        mass = float(rng.uniform(0.5, 3.0))
        inertia = random_inertia(rng, mass).tolist()
        com = rng.uniform(-0.4, 0.4, 3)
        bodies.append(mb.Body(f"body{i}", random_joint(rng, "spherical"), mass=mass, com=com, inertia=inertia))
    forces = []
    if elastic:
        forces = [
            mb.ElasticAlignment(i, tuple(rng.normal(size=3)), tuple(rng.normal(size=3)), rng.uniform(1, 10))
            for i in range(n)
        ]
    return mb.Model(bodies, gravity=rng.normal(size=3) * 6, forces=forces)


def absolute_speeds(motion: mb.Motion) -> np.ndarray:
    """Absolute angular velocities (frames, n, 3), world axes."""
    quaternions = motion.poses[1]
    n = quaternions.shape[1]
    relative = [Rotation.from_quat(quaternions[:, i]).apply(motion.u[:, 3 * i : 3 * i + 3]) for i in range(n)]
    return np.cumsum(np.stack(relative, axis=1), axis=1)


def change_of_speed(model: mb.Model, state: tuple[np.ndarray, np.ndarray], duration: float) -> float:
    """The largest |ω_i(t) − ω_i(0)| over a motion."""
    motion = mb.simulate(model, *state, duration=duration, rate=100, rtol=1e-12)
    speeds = absolute_speeds(motion)
    return float(np.linalg.norm(speeds - speeds[0], axis=2).max())
