"""The view of constrained motion without a browser: its numbers are the core's, and it stays alive."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.quantities.registry import as_subscript
from tests.symbolic.mechanisms import data

SAMPLE = data("body_on_circle.json")["trajectory"]["samples"][0]


@pytest.fixture
def view() -> Iterator[mb.ConstrainedView]:
    made = mb.ConstrainedView(duration=1.0)
    yield made
    made.close()


def numbers(view: mb.ConstrainedView, key: str) -> np.ndarray:
    return np.asarray(view.table.array()[:, [row["key"] for row in view.table.rows].index(key)])


def test_the_tables_hold_the_reference_at_one_second(view: mb.ConstrainedView) -> None:
    assert numbers(view, "λ1")[-1, 0] == pytest.approx(SAMPLE["lam"][0], rel=1e-5)
    assert numbers(view, "force 0")[-1, 1:3] == pytest.approx(SAMPLE["reaction_xy"], rel=1e-5)
    assert numbers(view, "φ")[-1, 0] == pytest.approx(SAMPLE["phi"], rel=1e-5)
    assert "rank 4 of 4" in view.rank.value
    assert "singular" in view.table.note


def test_the_matrices_are_those_of_the_exact_constraints(view: mb.ConstrainedView) -> None:
    exact = mb.constrained(view.model)
    np.testing.assert_allclose(view.matrices.array(0), exact.paper.L_lambda.evaluate(q=view.motion.q), atol=1e-6)
    np.testing.assert_allclose(view.matrices.array(1), exact.paper.L_tau.evaluate(q=view.motion.q), atol=1e-6)
    view.form = "u"
    np.testing.assert_allclose(view.matrices.array(0), exact.L_lambda.evaluate(q=view.motion.q), atol=1e-6)
    np.testing.assert_allclose(view.matrices.array(0) @ view.matrices.array(1), 0, atol=1e-5)


def test_the_dial_turns_gravity_and_keeps_its_size(view: mb.ConstrainedView) -> None:
    view.gravity_angle = 90.0
    g = [view.model.number(part) for part in view.model.gravity]
    assert g == pytest.approx([0, 9.81, 0], abs=1e-12)
    view.attempt(lambda model: model.with_values(g=5))
    assert np.linalg.norm([view.model.number(part) for part in view.model.gravity]) == pytest.approx(5)
    view.undo()
    view.undo()
    assert view.gravity_angle == pytest.approx(0)
    assert view.model == view.origin


def test_stabilisation_shows_in_the_drift(view: mb.ConstrainedView) -> None:
    view.tabs.selected_index = 1
    drift = np.frombuffer(view.drift.values, dtype=np.float32).reshape(-1, 3)
    projection, baumgarte, none = drift.max(axis=0)
    assert view.drift.names == ["projection", "baumgarte", "none"]
    assert projection < -13
    assert projection < baumgarte < none


def test_nine_figures_are_filled_with_the_reference(view: mb.ConstrainedView) -> None:
    view.tabs.selected_index = 2
    for number, key in ((2, "phi"), (3, "omega"), (6, "xC"), (9, "vOx1"), (10, "vOy1")):
        values = np.frombuffer(view.figures[number].values, dtype=np.float32)
        assert values[-1] == pytest.approx(SAMPLE[key], rel=1e-5)
        assert view.figures[number].title.startswith(f"Figure {number}: ")
    assert view.figures[8].array()[-1] == pytest.approx([SAMPLE["xC"], SAMPLE["yC"]], rel=1e-5)


def test_the_motion_shown_is_held_as_chosen(view: mb.ConstrainedView) -> None:
    held = view.motion.constraint_residual.max()
    view.stabilise = "none"
    assert view.motion.constraint_residual.max() > 10 * held
    np.testing.assert_array_equal(view.motion.q, mb.simulate(view.model, duration=1.0, stabilise="none").q)


def test_the_three_routes_are_compared(view: mb.ConstrainedView) -> None:
    found = re.search("largest relative difference ([0-9.e−]+)$", view.product.value.removesuffix("</div>"))
    assert found
    assert float(found[1].replace("−", "-")) < 1e-10


@pytest.mark.parametrize("name", ["body_on_circle", "bricard", "four_bar", "n_four_bar"])
def test_an_arrow_has_the_name_and_the_numbers_of_a_row(name: str) -> None:
    view = mb.ConstrainedView(getattr(mb.library, name)(), duration=0.2)
    rows = {row["key"]: row for row in view.table.rows}
    arrows = np.frombuffer(view.picture.player.vectors, np.float32).reshape(len(view.motion), -1, 6)
    assert view.picture.shown
    assert len({row["symbol"] + row["name"] for row in rows.values()}) == len(rows)
    for k, arrow in enumerate(view.picture.shown):
        if view.picture.composition.arrows[k].unit == "1":  # a direction at the body, which its multiplier's row lights
            continue
        letter, _, digits = rows[arrow.key]["symbol"].partition("_")
        assert arrow.label == letter + as_subscript(digits)
        np.testing.assert_allclose(arrows[:, k, 3:], numbers(view, arrow.key)[:, 1:], rtol=1e-6)
    # constraints are counted from 1, as multipliers are; a force tells which multipliers make it
    named = [row["name"] for row in view.table.rows if row["group"] == "Multipliers"]
    assert named[0].startswith("constraint 1: ")
    assert len(named) == view.motion.closure.equations
    assert "from λ₁" in rows[view.picture.shown[0].key]["name"]
    view.close()


@pytest.mark.parametrize("name", ["four_bar", "bricard", "slider_crank", "flyball_governor", "n_four_bar"])
def test_other_closed_mechanisms_are_shown(name: str) -> None:
    model = getattr(mb.library, name)()
    if not model.constraints:
        with pytest.raises(mb.ModelError, match="no constraints"):
            mb.ConstrainedView(model)
        return
    view = mb.ConstrainedView(model, duration=0.2)
    for tab in range(2):
        view.tabs.selected_index = tab
    closure = view.motion.closure
    assert f"rank {closure.rank} of {closure.equations}" in view.rank.value
    assert np.abs(view.matrices.array(0) @ view.matrices.array(1)).max() < 1e-4
    view.close()


def test_forbidden_ways_are_radial_and_across_and_left_ones_follow_the_circle() -> None:
    view = mb.ConstrainedView(duration=1.0)
    drawn = [arrow for arrow in view.picture.composition.arrows if arrow.key[0] in "λτ"]
    assert [arrow.key for arrow in drawn] == [name for name in ("λ1", "λ2", "λ3", "λ4", "τ1", "τ2") for _ in range(2)]
    for one, other in zip(drawn[::2], drawn[1::2], strict=True):
        np.testing.assert_allclose(one.value, -other.value)
        assert (one.label[0], other.label.strip()) == (one.key[0], "")
    way = {arrow.key: arrow.value for arrow in drawn[::2]}
    place = view.motion.poses[0][:, 0]
    radial = place / np.linalg.norm(place, axis=1)[:, None]  # the circle's middle is the origin
    speed = view.motion.point(0, (0, 0, 0)).velocity
    z = np.array([0.0, 0.0, 1.0])
    along = np.cross(z, radial)
    for key, line in (("λ1", radial), ("λ2", 0 * radial + z), ("τ1", along), ("τ2", 0 * radial + z)):
        np.testing.assert_allclose(np.cross(way[key], line), 0, atol=1e-9)  # constraints are held to 1e-9
        np.testing.assert_allclose(np.linalg.norm(way[key], axis=1), 1, atol=1e-9)
    np.testing.assert_allclose(np.cross(speed, along), 0, atol=1e-8)
    for key in ("λ3", "λ4"):
        np.testing.assert_allclose(way[key] @ z, 0, atol=1e-9)
    patterns = {arrow.key: (arrow.pattern, arrow.double) for arrow in drawn}
    assert [patterns[key] for key in ("λ1", "λ3", "τ1", "τ2")] == [
        ("barred", False),
        ("barred turn", True),
        ("", False),
        ("", True),
    ]
    rows, columns = view.matrices.shapes[0]["rowKeys"], view.matrices.shapes[1]["columnKeys"]
    assert [*rows, *columns] == [arrow.key for arrow in drawn[::2]], "a row that is pointed at lights its arrow"
    for ways, letters in (("left", {"τ"}), ("forbidden", {"λ"}), ("neither", set())):
        view.ways = ways
        assert {arrow.key[0] for arrow in view.picture.composition.arrows if arrow.key[0] in "λτ"} == letters
    view.close()
