"""What a view cannot show it refuses whole, and what it goes back to is what was given."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.widgets.parts import formulas

ROD = mb.Model(
    [mb.Body("rod", mb.Revolute("x"), mass=2, com=(0, 0, -0.5), inertia=(0.2, 0.2, 0.01))],
    gravity=(0, 0, -9.81),
    state={"q": [1.0]},
)
SHORT: dict[str, Any] = {"duration": 0.4, "rate": 30}


def fix(view: Any) -> None:
    """Choose a joint that does not move, by its menu."""
    row = next(row for row in view.controls.rows if row["options"])
    view.controls.edit = {"key": row["key"], "value": row["options"].index("fixed"), "number": 1}


def test_speeds_that_nearly_coincide_leave_nothing_of_the_rotation_before() -> None:
    view = mb.PermanentRotationsView(duration=0.5)
    before = view.lasting
    view._move(next(place for place in view.speeds._places.values() if place.title == "ω of rotor"), 1.3794)
    view.turn_to((-0.599333, -0.104887, 0.793599))
    assert view.rotation.holds
    assert float(np.ptp(view.rotation.omega)) < 0.01
    assert f"λ = {view.rotation.growth:.4g} 1/s" in view.lasting != before
    assert "unstable" in view.lasting
    view.close()


def test_a_joint_that_no_longer_moves_is_released_all_the_same() -> None:
    view = mb.ReleaseView(ROD, **SHORT)
    fix(view)
    assert view.model.nv == 0
    assert view.motion.model is view.model
    assert view.history.can_undo
    parts = view.components.array()[0, :, 0]
    np.testing.assert_allclose(parts[[0, 1, 2]], [0, 0, 2 * 9.81], atol=1e-6)
    assert view.matrices.array(0).shape[1:] == (len(view._chosen()),) * 2
    view.undo()
    assert view.model is ROD
    view.close()


def test_equations_of_a_body_that_does_not_move_are_refused_and_those_before_stay() -> None:
    view = mb.EquationsView(ROD, **SHORT)
    entry, map_, check = view.entry, view.map.panels, view._check.value
    fix(view)
    assert view.model is ROD is view.motion.model
    assert (view.entry, view.map.panels, view._check.value) == (entry, map_, check)
    assert "no coordinate is left" in view.health.value
    assert not view.history.can_undo
    view.close()


@pytest.mark.parametrize("kind", [mb.PermanentRotationsView, mb.ConstrainedView])
def test_a_model_that_a_view_cannot_treat_is_refused(kind: Any) -> None:
    view = kind(**SHORT)
    good, motion, shown = view.model, view.motion, view.picture.player.poses
    for model in (mb.library.pendulum(2), mb.library.rotor()):
        view.model = model
        assert view.model is good
        assert view.motion is motion
        assert view.selected in {body.name for body in good.bodies}
        assert view.picture.player.poses == shown
        assert "look here" not in view.health.value
        assert "; " in view.health.value, "a remedy is told"
        assert not view.history.can_undo
        view.motion = mb.simulate(model, duration=0.1)
        assert view.motion is motion
    view.close()


def test_figures_of_one_body_are_there_for_one_body_only() -> None:
    view = mb.ConstrainedView(**SHORT)
    view.tabs.selected_index = 2
    circle = view.model
    view.model = mb.library.four_bar()
    assert view.motion.model is view.model
    assert view.tabs.titles == ("Formulae", "Drift")
    assert view.form == "u"
    assert "sound" in view.health.value
    assert "Gravity's dial" not in {row["group"] for row in view.controls.rows}
    view.model = circle
    assert "Figures 2-10" in view.tabs.titles
    view.tabs.selected_index = 2
    assert view.figures[2].values
    view.close()
    view = mb.ConstrainedView(mb.library.four_bar(), **SHORT)
    assert view.tabs.titles == ("Formulae", "Drift")
    view.close()


def test_after_another_model_is_loaded_sliders_go_back_to_its_own_numbers() -> None:
    view = mb.Explorer(mb.library.pendulum(1), **SHORT)
    view.load("three_body_arm")
    arm = mb.library.three_body_arm()
    assert view.origin == arm
    for row in view.controls.rows:
        place = view.controls._places[row["key"]]
        assert row["origin"] == pytest.approx(place.read(arm)), row["title"]
    view.close()


def test_a_model_of_the_same_bodies_that_is_loaded_is_the_one_to_go_back_to() -> None:
    own = mb.library.three_body_arm().with_values(m1=11)
    view = mb.Explorer(mb.library.three_body_arm(), presets={"mine": own}, **SHORT)
    view.load("mine")
    view.attempt(lambda model: model.with_values(m1=12))
    view.reset()
    assert view.model.values["m1"] == 11
    view.close()


def test_undo_and_reset_give_the_model_that_was_given() -> None:
    arm = mb.library.three_body_arm()
    view = mb.Explorer(arm, **SHORT)
    given = arm.values["m1"]
    view.attempt(lambda model: model.with_values(m1=15))
    view.load("rotor")
    view.undo()
    assert view.model.values["m1"] == 15
    assert view.origin is arm
    row = next(row for row in view.controls.rows if row["key"] == "parameter m1")
    assert row["origin"] == given
    view.reset()
    assert view.model.values["m1"] == given
    view.undo()
    view.redo()
    assert view.origin is arm
    view.close()


def test_a_refused_model_leaves_undo_and_redo_as_they_were() -> None:
    view = mb.EquationsView(ROD, **SHORT)
    view.attempt(lambda model: model.with_body("rod", mass=3))
    view.undo()
    assert view.history.can_redo
    fix(view)
    assert view.history.can_redo
    assert not view.history.can_undo
    assert not view.toolbar._redo.disabled
    view.close()


def test_a_time_that_the_motion_does_not_have_is_not_taken() -> None:
    view = mb.Explorer(ROD, **SHORT)
    view.time = 99
    assert view.time == view.motion.t[-1] == view.picture.player.time
    view.time = -1
    assert view.time == 0
    view.time = 0.2
    with pytest.raises(mb.errors.StateError, match="give seconds"):
        view.time = float("nan")
    assert view.time == 0.2
    view.close()


def test_curves_of_drift_are_those_of_the_step_that_is_chosen() -> None:
    view = mb.ConstrainedView(**SHORT)
    view.tabs.selected_index = 1
    before = view.drift.values
    view._step.value = 1e-2
    coarse = view.drift.values
    assert coarse != before
    view._step.value = 2e-3
    assert view.drift.values == before
    view.close()


def test_no_kind_of_rotators_leaves_no_row_and_no_sum() -> None:
    view = mb.RotatorsView(**SHORT)
    assert len(view.table.rows) > 2
    view.kinds = ()
    assert view.table.rows == []
    assert view.table.array().size == 0
    assert "No kind" in view.table.note
    assert view.picture.player.quantities == []
    view.kinds = ("own",)
    assert view.table.rows
    view.close()


def test_a_formula_that_comes_late_is_not_shown_when_its_row_is_no_longer_looked_at() -> None:
    async def look() -> None:
        view = mb.RotatorsView(**SHORT)
        view.rotator = view._rows[0].label.text
        view.rotator = ""
        assert "Click a row" in view.formula.value
        await asyncio.sleep(0.6)
        assert "Click a row" in view.formula.value
        view.rotator = view._rows[1].label.text
        assert "on its way" in view.formula.value
        await asyncio.sleep(0.2)
        view.rotator = ""
        await asyncio.sleep(0.8)
        assert "Click a row" in view.formula.value
        view.close()

    asyncio.run(look())


def test_the_angle_of_a_perturbation_is_shown() -> None:
    view = mb.PermanentRotationsView(perturbation=5, **SHORT)
    assert view._angle.value == "5"
    assert view._push.value
    view._angle.value = "1,5"
    assert view.perturbation == 1.5
    assert view._angle.value == "1.5"
    for wrong in ("", "abc", "1e400", "61", "-1", "1,2,3"):
        view._angle.value = wrong
        assert view.perturbation == 1.5
        assert view._angle.value == "1.5"
        assert "1.5 stays" in view.health.value
    for wide in (-1.0, 61.0, float("nan")):
        with pytest.raises(mb.errors.ModelError, match="give 0 to 60"):
            view.perturbation = wide
    view.close()


def test_what_is_on_its_way_does_not_show_what_was_before() -> None:
    """With an event loop, as in a notebook: rates, cones and formulae of another state are gone before theirs come."""

    async def change() -> None:
        view = mb.PermanentRotationsView(**SHORT)
        await asyncio.sleep(1.5)
        assert "neutral" in view.lasting
        assert view.map.curves
        view.attempt(lambda model: model.with_values(m2=4.0))
        assert "being computed" in view.lasting
        assert view.map.curves == []
        for _ in range(40):
            await asyncio.sleep(0.25)
            if view.map.curves:
                break
        assert view.map.curves
        assert "being computed" not in view.lasting
        view.close()

    asyncio.run(change())


def test_a_formula_that_takes_long_leaves_no_formula_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    async def change() -> None:
        view = mb.Explorer(ROD, **SHORT)
        await asyncio.sleep(1.0)
        assert "Q_{1}" in view.formulae.text
        works = formulas.formula_groups

        def slowly(*arguments: Any) -> Any:
            time.sleep(0.8)
            return works(*arguments)

        monkeypatch.setattr(formulas, "formula_groups", slowly)
        view.attempt(lambda model: model.with_body("rod", mass=3))
        await asyncio.sleep(0.55)
        assert "Being derived" in view.formulae.text
        await asyncio.sleep(1.0)
        assert "Q_{1}" in view.formulae.text
        view.close()

    asyncio.run(change())
