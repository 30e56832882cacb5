"""The two roads to a joint's force: their vectors add up to what the kernel says, whatever the mechanism."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.errors import MbwidgetsError
from mbwidgets.widgets.views.reaction_roads import (
    Road,
    along_total,
    finding_numbers,
    finding_of,
    force_by_accelerations,
    force_by_rotators,
    term_rows,
)
from tests.random_models import random_tree

LOOPS = [name for name in mb.library.names() if getattr(mb.library, name)().constraints]
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


@pytest.mark.parametrize("name", LOOPS)
def test_in_a_closed_loop_what_closes_it_is_a_step_of_both_roads(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=0.1, rate=30)
    for index in range(len(motion.model.bodies)):
        for make in (force_by_accelerations, force_by_rotators):
            try:
                road = make(motion, index)
            except MbwidgetsError:  # balls and free bodies have no rotators
                continue
            assert_adds_up(motion, index, road.vectors)
            assert "−Q" in [link.symbol for link in road.links] or road_is_told(motion, index, road)


def road_is_told(motion: mb.Motion, index: int, road: Road) -> bool:
    """Whether −F_λ, which comes from the multipliers, is what the joints' reactions leave for the constraints."""
    told = [road.vectors[:, k] for k, link in enumerate(road.links) if link.symbol == "−F_λ"]
    wanted = np.zeros((len(motion), 6)) + motion.reaction_parts(index).constraints
    size = max(np.abs(motion.reactions(index)).max(), np.abs(wanted).max(), 1e-300)
    return bool(np.abs(sum(told, np.zeros((len(motion), 3))) - wanted[:, :3]).max() < 1e-9 * size)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_the_sentence_of_a_loop_tells_weight_motion_and_what_closes_it(name: str) -> None:
    motion = mb.simulate(getattr(mb.library, name)(), duration=1.0, rate=60)
    for index in range(len(motion.model.bodies)):
        numbers, sentences = finding_numbers(motion, index), finding_of(motion, index)
        model, zero = motion.model, np.zeros((len(motion), 3))
        carried = [model.bodies[i] for i in model.subtree(index)]
        moving = sum((model.number(b.mass) * motion.point(b.name, b.com).acceleration for b in carried), zero)
        weight = 9.81 * sum(model.number(b.mass) for b in carried)
        names = {b.name for b in carried}
        bound = sum((item.force for item in motion.constraint_forces if item.body in names), zero)
        for frame in range(len(motion)):
            (said,) = sentences.said(list(numbers[frame]))
            found = [float(text) for text in re.findall(r"([\d.]+) N", said)]
            whole, moves, closes = (
                float(np.linalg.norm(item[frame])) for item in (motion.reactions(index)[:, :3], moving, bound)
            )
            if not said.startswith("No force"):
                # three digits
                np.testing.assert_allclose(found, [whole, weight, moves, closes], rtol=6e-3, atol=1e-9 * weight)


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
