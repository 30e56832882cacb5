"""What stands beneath the Explorer's stage: its terms are forces and efforts of other routes, and add up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities.motion_quantities import find_quantity
from mbwidgets.scene.quantities.registry import arrows_of
from mbwidgets.widgets.views.explorer_terms import (
    equation_look,
    equation_values,
    force_look,
    force_values,
    quick_equations,
)
from tests.random_models import random_tree


def loads_along(motion: Any, index: int, key: str) -> np.ndarray:
    """The part of all drawn forces of a kind along F_R, by the registry of arrows."""
    force = motion.reactions(index)[:, :3]
    direction = force / (np.linalg.norm(force, axis=1) + 1e-300)[:, None]
    drawn = [np.nan_to_num(item.value) for item in arrows_of(find_quantity(key), motion, index)]
    return np.asarray(sum(((value * direction).sum(axis=1) for value in drawn), np.zeros(len(motion))))


def assert_force_is_explained(motion: Any, index: int) -> None:
    look, values = force_look(motion.model, index), force_values(motion, index)
    (row,) = look["rows"]
    assert values.shape == (len(motion), len(row["terms"]))
    # each number is a sum of some ten, and may be a thousandth of them
    close = 1e-9 * max(np.abs(values).max(), 1e-12)
    np.testing.assert_allclose(values[:, 1:].sum(axis=1), values[:, 0], atol=close)
    for place, term in enumerate(row["terms"]):
        if term["key"] in ("load", "constraint force"):
            np.testing.assert_allclose(values[:, place], -loads_along(motion, index, term["key"]), atol=close)


def assert_equation_is_that_of_the_kernels(motion: Any, index: int) -> None:
    model = motion.model
    found = quick_equations(model)
    if found is None:
        return
    values, first = equation_values(motion, index, found), 0
    dynamics = mb.Dynamics(model)
    effort = np.array([dynamics.inverse(*state) for state in zip(motion.q, motion.u, motion.ud, motion.t, strict=True)])
    for number, row in enumerate(equation_look(model, index, found)["rows"]):
        own = values[:, first : first + len(row["terms"])]
        close = 1e-9 * max(np.abs(own).max(), 1e-12)
        np.testing.assert_allclose(own[:, 1:].sum(axis=1), own[:, 0], atol=close)
        np.testing.assert_allclose(own[:, 0], effort[:, model.u_offsets[index] + number], atol=close)
        first += len(row["terms"])
    assert first == values.shape[1]


@pytest.mark.parametrize("name", mb.library.names())
def test_the_terms_of_every_mechanism_add_up_and_are_forces_of_other_routes(name: str) -> None:
    model = getattr(mb.library, name)()
    motion = mb.simulate(model, duration=0.01 if name == "andrews_squeezer" else 0.1, rate=300)
    for index in range(len(model.bodies)):
        assert_force_is_explained(motion, index)
        assert_equation_is_that_of_the_kernels(motion, index)


def test_the_terms_of_random_trees_with_loads_and_slides(rng: np.random.Generator) -> None:
    for _ in range(8):
        model = random_tree(rng, most=5)
        motion = mb.simulate(model, duration=0.02, rate=100, u=rng.normal(size=model.nv))
        for index in range(len(model.bodies)):
            assert_force_is_explained(motion, index)
            assert_equation_is_that_of_the_kernels(motion, index)


def test_the_explorer_shows_them_for_the_selected_body_and_says_why_there_are_none() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=0.5, selected="upper")
    assert [term["symbol"] for term in view.force_terms.rows[0]["terms"]] == [
        "F_R",
        "m_{2}a_{C2}",
        "−G_{2}",
        "F_{R3}",
    ]
    np.testing.assert_allclose(view.force_terms.array(), force_values(view.motion, 1), rtol=1e-6, atol=1e-4)
    view.selected = "fore"
    assert view.equation_terms.rows[0]["terms"][0]["symbol"] == "Q_{3}"
    view.model = mb.library.four_bar()
    assert view.equation_terms.rows == []
    assert "multipliers" in view.equation_terms.note
    view.close()


@pytest.mark.parametrize(
    ("body", "symbols"),
    [
        ("crank", ["F_{O}", "m_{1}a_{C1}", "−G_{1}", "F_{A}"]),
        ("coupler", ["F_{A}", "m_{2}a_{C2}", "−G_{2}", "F_{D}"]),
        ("rocker", ["F_{B}", "m_{3}a_{C3}", "−G_{3}", "−F_{D}"]),
    ],
)
def test_the_terms_have_the_letters_that_the_stage_gives_to_pins(body: str, symbols: list[str]) -> None:
    view = mb.Explorer(mb.library.four_bar(), duration=0.2, selected=body)
    assert [term["symbol"] for term in view.force_terms.rows[0]["terms"]] == symbols
    drawn = {symbol.replace("−", "") for symbol in view.picture.player.symbols}
    assert {"F_" + symbol.strip("−F_{}") for symbol in symbols if "F_" in symbol} <= drawn
    view.close()
