"""The two roads to a joint's force: their vectors add up to what the kernel says, whatever the mechanism."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import MbwidgetsError
from mbwidgets.widgets.views.reaction_roads import (
    along_total,
    finding_numbers,
    finding_of,
    force_by_accelerations,
    force_by_rotators,
    term_rows,
)
from tests.random_models import random_tree

TREES = [name for name in mb.library.names() if not getattr(mb.library, name)().constraints]


def assert_adds_up(motion: mb.Motion, index: int, road: np.ndarray) -> None:
    force = motion.reactions(index)[:, :3]
    # sums of some ten vectors; each may be a thousand times the sum
    size = max(np.abs(road).max(initial=0.0), np.abs(force).max(initial=0.0))
    np.testing.assert_allclose(road.sum(axis=1), force, atol=1e-10 * size)


@pytest.mark.parametrize("name", TREES)
def test_both_roads_end_where_the_kernel_does(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.1, rate=30)
    for index in range(len(model.bodies)):
        assert_adds_up(motion, index, force_by_accelerations(motion, index).vectors)
        try:
            road = force_by_rotators(motion, index)
        except MbwidgetsError:  # balls have no rotators
            continue
        assert_adds_up(motion, index, road.vectors)
        shares = along_total(motion, index, road)
        np.testing.assert_allclose(shares[:, 1:].sum(axis=1), shares[:, 0], atol=1e-9 * np.abs(shares).max())


def test_random_trees_with_loads_and_slides(rng: np.random.Generator) -> None:
    for _ in range(20):
        model = random_tree(rng, most=5)
        motion = mb.simulate(model, duration=0.02, rate=100, u=rng.normal(size=model.nv))
        for index in range(len(model.bodies)):
            assert_adds_up(motion, index, force_by_accelerations(motion, index).vectors)


def test_a_closed_loop_is_refused_in_words() -> None:
    motion = mb.simulate(mb.library.four_bar(), duration=0.1)
    with pytest.raises(mb.ModelError, match="closed loop"):
        force_by_accelerations(motion, 0)


def test_a_formula_has_a_term_for_each_vector() -> None:
    motion = mb.simulate(mb.library.three_body_arm(), duration=0.1)
    roads = [force_by_accelerations(motion, 1), force_by_rotators(motion, 1)]
    first, second = term_rows(roads)
    assert [term.symbol for term in first.terms] == ["F_R", "m_{2}a_{C2}", "m_{3}a_{C3}", "−G_2", "−G_3"]
    assert [term.before for term in first.terms] == ["", "=", "+", "", ""]
    assert [term.striped for term in second.terms] == [False, False, True, False, True, False, False]


def test_the_sentence_says_what_asks_for_the_force(rng: np.random.Generator) -> None:
    arm = mb.library.three_body_arm()
    for _ in range(200):
        motion = mb.simulate(
            arm, q=rng.normal(size=3), u=rng.normal(size=3) * 10 ** rng.uniform(-4, 1), duration=1e-3, rate=1e3
        )
        (said,) = finding_of(motion, 1).said(list(finding_numbers(motion, 1)[0]))
        parts = motion.reaction_parts(1)
        weight, moving = (float(np.linalg.norm(item[0, :3])) for item in (parts.static, parts.kinetic))
        whole = float(np.linalg.norm(motion.reactions(1)[0, :3]))
        assert f"base holds upper with {whole:.3g}"[:24] in said
        if moving <= 0.02 * whole:
            assert "its weight" in said
        elif moving > weight:
            assert said.index("the motion asks") < said.index("the weight")
        else:
            assert said.index("the weight asks") < said.index("the motion")


def test_nothing_passes_through_a_joint_without_force() -> None:
    model = mb.Model([mb.Body("free", mb.Free(), mass=1, inertia=(1, 1, 1))], gravity=(0, 0, 0))
    motion = mb.simulate(model, duration=0.1)
    assert finding_of(motion, 0).said(list(finding_numbers(motion, 0)[0])) == [
        "No force passes from the ground to free now."
    ]
