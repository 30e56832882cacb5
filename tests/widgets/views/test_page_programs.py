"""The programs of reactions, constraints and equations give the views' own numbers, of other values too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.views.exercise import EXERCISE
from mbwidgets.widgets.views.page_tables import untold_parts
from tests.widgets.views.test_page_tables import (
    assert_parts_show,
    assert_programs_give_the_views_numbers,
    assert_same,
    evaluated,
)

ARM = mb.library.three_body_arm()
SPRUNG = mb.library.cart_pendulum()


@pytest.mark.parametrize(
    ("model", "changes", "options"),
    [
        (ARM, {"m2": 5.5, "m3": 1.25}, {"joint": 1}),
        (ARM, {"m1": 3.0, "g": 4.0}, {"joint": 0, "pole": "O*"}),
        (SPRUNG, {}, {"joint": 0, "pole": "O*"}),
        (SPRUNG, {}, {"joint": 1}),
    ],
)
def test_the_program_of_reactions_is_true_of_other_values(model: Any, changes: Any, options: dict[str, Any]) -> None:
    view = mb.ReactionsView(model, duration=0.5, **options)
    assert_parts_show(view)
    for motion in (view.motion, mb.simulate(model.with_values(**changes), duration=0.4)):
        assert_programs_give_the_views_numbers(view, motion)
    view.close()


def test_the_words_about_both_methods_are_told_by_the_program() -> None:
    view = mb.ReactionsView(ARM, duration=0.5)
    tables = view.page_tables()
    (entry,), (words,) = tables["words"], view.page_words()
    motion = mb.simulate(ARM.with_values(m3=1.0), duration=0.5)
    found = evaluated(tables, motion)[:, entry["first"] : entry["first"] + entry["columns"]]
    sizes = np.abs(found).max(axis=0)
    assert "the methods agree" in words.text_of(sizes.tolist())
    assert "the methods differ" in words.text_of([1.0, 2.0])
    np.testing.assert_allclose(sizes[1], np.abs(words.numbers(motion)).max(axis=0)[1], rtol=1e-12)
    view.close()


@pytest.mark.parametrize(
    ("model", "changes", "form"),
    [
        (mb.library.body_on_circle(), {"d": 0.8, "m": 2.0}, "paper"),
        (mb.library.body_on_circle(), {"d": 0.8, "g": 3.0}, "u"),
        (mb.library.four_bar(), {}, "u"),
    ],
)
def test_the_program_of_constraints_is_true_of_other_values(model: Any, changes: Any, form: str) -> None:
    view = mb.ConstrainedView(model, duration=0.5, form=form)
    tables = view.page_tables()
    fills = {f"IPY_MODEL_{fill.part.model_id}": fill for fill in view.page_fills()}
    for motion in (view.motion, mb.simulate(model.with_values(**changes), duration=0.4)):
        results = evaluated(tables, motion)
        for item in tables["fills"]:
            found, fill = results[:, item["first"] : item["first"] + item["columns"]], fills[item["part"]]
            expected = fill.values(motion)
            if fill.part is view.matrices and len(model.bodies) > 1:
                count = np.asarray(motion.closure.jacobian).reshape(len(motion), -1).shape[1]
                found, expected = found[:, :count], expected[:, :count]  # a basis of the rest is found by Python alone
            assert_same(found, expected)
    view.close()


def test_what_a_basis_leaves_is_not_told_where_a_page_finds_none() -> None:
    view = mb.ConstrainedView(mb.library.four_bar(), duration=0.2)
    (entry,) = view.page_tables()["words"]
    assert (entry["columns"], entry["otherwise"]) == (0, "")
    view.close()


def test_the_angle_that_is_followed_over_turns_and_drift_are_left_to_python() -> None:
    view = mb.ConstrainedView(duration=0.5)
    assert view.page_tables()["untold"] == untold_parts([view.figures[2], view.drift, view.energy])
    view.close()


def test_the_dial_is_a_parameter_of_the_pages_model() -> None:
    view = mb.ConstrainedView(duration=0.2, gravity_angle=30.0)
    given = view.page_model(view.model)
    turned, own = ([item.number(part) for part in item.gravity] for item in (given, view.model))
    np.testing.assert_allclose(turned, own, atol=1e-14)
    assert "dial" in view.page_solver.problem["names"]
    assert "dial" in view.page_solver.movable
    view.close()


def test_the_program_of_an_entry_is_true_of_other_values() -> None:
    model = mb.library.opnchain_manipulator()
    view = mb.EquationsView(model, duration=0.5)
    view.finish()
    tables = view.page_tables()
    plot, strip, said = tables["fills"]
    other = model.with_values(**{key: 1.2 * value for key, value in list(model.values.items())[:2]})
    motion = mb.simulate(other, duration=0.5, tau=EXERCISE)
    found = evaluated(tables, motion)
    expected = mb.covariant(model).metric[3, 1].evaluate(q=motion.q, **other.values)
    for item in (plot, strip, said):
        assert_same(found[:, item["first"]][:, None], np.broadcast_to(expected, (len(motion),))[:, None])
    view.close()


@pytest.mark.parametrize("name", ["opnchain_manipulator", "three_body_arm", "cart_pendulum"])
def test_the_equations_are_those_of_the_kernels_along_the_motion(name: str) -> None:
    view = mb.EquationsView(getattr(mb.library, name)(), duration=0.5)
    view.finish()
    tables = view.page_tables()
    (entry,) = tables["words"]
    gap, size = np.abs(evaluated(tables, view.motion)[:, entry["first"] : entry["first"] + 2]).max(axis=0)
    assert size > 0.0
    assert gap <= 1e-10 * size
    view.close()


def test_efforts_that_are_expressions_go_with_the_model_into_the_page() -> None:
    view = mb.EquationsView(duration=0.2)
    assert (view.page_solver.note, bool(view.page_solver.problem)) == ("", True)
    view.close()
    view = mb.EquationsView(mb.library.three_body_arm(), tau=lambda t, q, u: [0.1, 0.0, 0.0], duration=0.2)
    assert "Efforts given in Python act" in view.page_solver.note
    view.close()
