"""Random trees of one-axis joints and compounds of them, and trees that are degenerate on purpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from mbwidgets.model.bodies import Body, ground
from mbwidgets.model.model import Model
from tests.random_models import State, random_inertia, random_joint, random_state

MOST = 8
KINDS = {"revolute": 0.5, "prismatic": 0.2, "fixed": 0.06, "cylindrical": 0.08, "universal": 0.1, "planar": 0.06}
DEGENERATE = ("static", "deviation", "massless", "parallel", "coincident")
"""|S| = 0, |D| = 0, massless bodies, parallel axes, coincident joints; every second tree has one of them."""


def draw_tree(seed: int, index: int) -> tuple[Model, State, str]:
    """Tree number ``index`` of a seed, a state, and in which way it is degenerate."""
    rng = np.random.default_rng([seed, 4, index])
    n = int(rng.integers(1, MOST + 1))
    kind = DEGENERATE[(index // 2) % len(DEGENERATE)] if index % 2 else "general"
    bodies = [_body(rng, i, n, kind) for i in range(n)]
    if rng.random() < 0.3:  # children before their parents
        bodies = [bodies[i] for i in rng.permutation(n)]
    model = Model(bodies, gravity=rng.normal(size=3) * 6, name=f"{kind} tree {index}")
    return model, random_state(rng, model), kind


def _body(rng: np.random.Generator, i: int, n: int, kind: str) -> Body:
    parent: Any = ground if i == 0 or rng.random() < 0.08 else f"body{i - 1 if rng.random() < 0.6 else rng.integers(i)}"
    joint = random_joint(rng, "revolute" if i == 0 else str(rng.choice(list(KINDS), p=list(KINDS.values()))))
    if kind == "parallel" and hasattr(joint, "axis") and joint.type != "universal":
        joint = joint.replace(axis="z")
    if kind == "coincident":
        joint = joint.replace(at=(0, 0, 0))
    if kind == "massless" and i < n - 1 and rng.random() < 0.5:
        return Body(f"body{i}", joint, parent=parent)
    mass, com = float(rng.uniform(0.5, 3.0)), tuple(rng.uniform(-0.4, 0.4, 3))
    inertia: Any = random_inertia(rng, mass).tolist()
    if kind in ("static", "deviation"):
        com = (0, 0, 0)
    if kind == "deviation":
        inertia = (0.1, 0.1, 0.1)
    return Body(f"body{i}", joint, mass=mass, com=com, inertia=inertia, parent=parent)
