"""Four ways to the reactions of a random tree: Rodrigues, rotators, the compiled kernel, Pinocchio.

MBWIDGETS_TREES says of how many; every second tree is degenerate on purpose. The exact formulae are derived for the
trees of at most `LETTERS` coordinates.
"""

from __future__ import annotations

import numpy as np
import pytest

from mbwidgets.numeric.motion.array_algebra import carriers_at, reactions_at
from mbwidgets.numeric.states.dynamics import Dynamics
from mbwidgets.symbolic.papers.reactions import reactions
from tests.oracles.comparison import AGREEMENT, relative
from tests.oracles.pinocchio_oracle import PinocchioOracle
from tests.oracles.reaction_trees import DEGENERATE, draw_tree

pytestmark = pytest.mark.oracle

CHUNKS = 20
LETTERS = 3
"""Exact formulae of random 16-digit numbers: more coordinates take seconds each."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_rotators_rodrigues_kernel_and_pinocchio_agree_on_random_trees(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, trees, CHUNKS):
        model, (q, u, ud, _, _), kind = draw_tree(seed, index)
        oracle = PinocchioOracle(model)
        expected = oracle.reactions(q, u, ud)
        # a reaction's rounding is that of the whole wrench, its part along the free directions included
        scale = float(np.abs(oracle.joint_wrenches(q, u, ud, np.zeros((len(model.bodies), 6)))).max())
        carriers = carriers_at(model, list(q), list(u), list(ud))
        ways = {
            "kernel": Dynamics(model).reactions(q, u, ud),
            "rodrigues": reactions_at(carriers, "rodrigues"),
            "rotators": reactions_at(carriers, "rotators"),
        }
        for name, found in ways.items():
            if not (worst := relative(found, expected, max(scale, 1e-3))) <= AGREEMENT:
                failures.append(f"draw_tree({seed}, {index}), {kind}: {name} differs by {worst:.1e}")
    assert not failures, "\n".join(failures[:40])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_exact_reactions_agree_with_pinocchio_on_small_random_trees(chunk: int, seed: int, trees: int) -> None:
    failures = []
    for index in range(chunk, trees, CHUNKS):
        model, (q, u, ud, _, _), kind = draw_tree(seed, index)
        if model.nv > LETTERS:
            continue
        oracle = PinocchioOracle(model)
        expected = oracle.reactions(q, u, ud)
        scale = float(np.abs(oracle.joint_wrenches(q, u, ud, np.zeros((len(model.bodies), 6)))).max())
        for k in range(len(model.bodies)):
            one, other = (reactions(model, k, method) for method in ("rodrigues", "rotators"))
            if not (one.force == other.force and one.moment == other.moment):
                failures.append(f"draw_tree({seed}, {index}), {kind}, joint {k}: the methods differ")
            found = np.concatenate([part.evaluate(q=q, u=u, ud=ud) for part in (other.force, other.moment)])
            if not (worst := relative(found, expected[k], max(scale, 1e-3))) <= AGREEMENT:
                failures.append(f"draw_tree({seed}, {index}), {kind}, joint {k}: differs by {worst:.1e}")
    assert not failures, "\n".join(failures[:40])


def test_every_degenerate_case_is_among_the_trees(seed: int) -> None:
    kinds = {draw_tree(seed, index)[2] for index in range(40)}
    assert kinds == {*DEGENERATE, "general"}
