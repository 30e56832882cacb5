"""Three methods for the reactions of a random tree: Rodrigues, rotators, release; and the kernels behind them.

MBWIDGETS_TREES says of how many; every second tree is degenerate on purpose. Trees with balls and loads are compared
with recursive Newton-Euler, which knows nothing of the release.
"""

from __future__ import annotations

import numpy as np
import pytest

from mbwidgets.numeric.motion.array_algebra import carriers_at, reactions_at
from mbwidgets.numeric.motion.release import release_at
from mbwidgets.numeric.states.dynamics import Dynamics
from mbwidgets.symbolic.papers.reactions import reactions
from tests.oracles.comparison import AGREEMENT, relative
from tests.oracles.reaction_trees import draw_tree
from tests.random_models import random_state, random_tree

pytestmark = pytest.mark.oracle

CHUNKS = 10
LETTERS = 3
"""Exact formulae of random 16-digit numbers: more coordinates take seconds each."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_release_rotators_and_rodrigues_agree_on_random_trees(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, max(trees // 5, 200), CHUNKS):
        model, (q, u, ud, _, _), kind = draw_tree(seed, index)
        carriers = carriers_at(model, list(q), list(u), list(ud))
        others = {name: reactions_at(carriers, name) for name in ("rodrigues", "rotators")}
        for k in range(len(model.bodies)):
            ours = release_at(model, k, q, u, ud)
            # a reaction's rounding is that of the whole wrench, its part along the free directions included
            scale = max(1e-3, float(np.abs(ours.total).max()), *(float(np.abs(x).max()) for x in others.values()))
            for name, found in others.items():
                if not (worst := relative(ours.reactions[0], found[k], scale)) <= AGREEMENT:
                    failures.append(f"draw_tree({seed}, {index}), {kind}, joint {k}: {name} differs by {worst:.1e}")
    assert not failures, "\n".join(failures[:40])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_release_agrees_with_newton_and_euler_on_trees_with_balls_and_loads(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, max(trees // 5, 200), CHUNKS):
        rng = np.random.default_rng([seed, 11, index])
        model = random_tree(rng)
        q, u, ud, _, t = random_state(rng, model)
        dynamics = Dynamics(model)
        expected, efforts = dynamics.reactions(q, u, ud, t=t), dynamics.inverse(q, u, ud, t=t)
        for k in range(len(model.bodies)):
            ours = release_at(model, k, q, u, ud, t)
            scale = max(1e-3, float(np.abs(ours.total).max()), float(np.abs(expected).max()))
            left = ours.A0[0] @ ud - ours.G0[0] - ours.Q0[0]
            pairs = {
                "reactions": relative(ours.reactions[0], expected[k], scale),
                "motion": relative(left, efforts, max(1.0, float(np.abs(efforts).max()))),
                "A0": relative(ours.A0[0], dynamics.mass_matrix(q), 1.0),
            }
            failures += [
                f"tree {seed}, {index}, joint {k}: {name} differs by {worst:.1e}"
                for name, worst in pairs.items()
                if not worst <= AGREEMENT
            ]
    assert not failures, "\n".join(failures[:40])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exact_release_agrees_with_exact_rodrigues_and_rotators(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, max(trees // 5, 200), CHUNKS):
        model, _, kind = draw_tree(seed, index)
        if model.nv > LETTERS:
            continue
        for k in range(len(model.bodies)):
            one, two, three = (reactions(model, k, name) for name in ("rodrigues", "rotators", "release"))
            if not (one.force == three.force and one.moment == three.moment and two.force == three.force):
                failures.append(f"draw_tree({seed}, {index}), {kind}, joint {k}: the methods differ")
    assert not failures, "\n".join(failures[:40])
