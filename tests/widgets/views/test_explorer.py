"""The Explorer without a page: its traits, its changes, its life."""

from __future__ import annotations

import asyncio
import gc
import html
import json
import time
from pathlib import Path

import pytest
import traitlets
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.widgets.base.history import History
from mbwidgets.widgets.base.lifetime import Debounced, LatestOnly, escape
from mbwidgets.widgets.base.solver import Solver
from tests.thorough import THOROUGH

ARM = mb.library.three_body_arm()


@pytest.fixture
def view():
    made = mb.Explorer(ARM, duration=2)
    yield made
    made.close()


def drag(view: mb.Explorer, key: str, value: float) -> None:
    """What a slider in the page sends."""
    view.controls.edit = {"key": key, "value": value, "number": time.monotonic()}


def shown(view: mb.Explorer) -> tuple[object, ...]:
    player = view.picture.player
    table = [{**row, "origin": None} for row in view.controls.rows]
    return (player.poses, player.vectors, player.lengths, view.formulae.text, view.controls.values, table)


def test_sliders_end_where_a_fresh_explorer_of_the_same_model_is(view: mb.Explorer) -> None:
    drag(view, "parameter m2", 9.0)
    drag(view, "parameter m2", 7.5)
    drag(view, "axis 2 0", 30.0)
    drag(view, "inertia 2 00", 0.02)
    view.fit()  # until then the arrows keep the scale that they had
    fresh = mb.Explorer(view.model, duration=2)
    assert view.model.values["m2"] == 7.5
    assert shown(view)[:5] == shown(fresh)[:5]
    assert [row["key"] for row in view.controls.rows] == [row["key"] for row in fresh.controls.rows]
    fresh.close()


def test_a_slider_changes_motion_arrows_and_formula(view: mb.Explorer) -> None:
    for key, value in (("parameter m2", 9.0), ("axis 2 0", 30.0), ("inertia 2 00", 0.02)):
        before = shown(view)
        drag(view, key, value)
        after = shown(view)
        for part in (0, 1):
            assert before[part] != after[part], (key, part)
    assert before[3] != after[3]


def test_traits_can_be_set_and_observed(view: mb.Explorer) -> None:
    seen: list[str] = []
    view.observe(lambda change: seen.append(change.name), ["model", "motion", "selected", "vectors", "time", "view"])
    view.model = ARM.with_values(m1=3)
    view.selected = "base"
    view.vectors = ("weight", "momentum")
    view.time = 1.0
    view.view = "top"
    assert set(seen) == {"model", "motion", "selected", "vectors", "time", "view"}
    assert view.motion.model is view.model
    assert view.picture.player.time == 1.0
    assert [item[:2] for item in view.picture.shown] == [("weight", 0), ("momentum", 0)]
    with pytest.raises(mb.UnknownNameError):
        view.selected = "nobody"
    with pytest.raises(mb.UnknownNameError):
        view.vectors = ("nothing",)


def test_the_tips_of_forces_leave_a_trace_where_it_is_wanted(view: mb.Explorer) -> None:
    view.vectors = ("weight", "force")
    player = view.picture.player
    assert player.traces == []
    view._trace.value = True
    assert [player.quantities[place] for place in player.traces] == ["force"]
    view._trace.value = False
    assert player.traces == []


def test_the_path_of_the_mass_centre_is_drawn_at_first_and_can_be_left_out(view: mb.Explorer) -> None:
    assert view._trail.value
    assert [trail.line.visible for trail in view.picture._trails] == [True]
    view._trail.value = False
    assert [trail.line.visible for trail in view.picture._trails] == [False]


def test_an_export_leaves_the_stage_as_it_was(view: mb.Explorer, tmp_path: Path) -> None:
    setting, scenery = view.picture.stage.setting, view.picture.player.scenery
    view.to_html(tmp_path / "arm.html", sliders={"l2": 3})
    assert view.picture.stage.setting is setting, "a longer arm lowers the floor"
    assert view.picture.player.scenery == scenery


def test_reset_and_another_mechanism_leave_no_ghost_behind(view: mb.Explorer) -> None:
    player = view.picture.player
    assert player.ghost
    before = player.forgotten
    view.model = view.model.with_values(m2=7)
    assert player.forgotten == before, "a slider leaves one"
    view.reset()
    assert player.forgotten > before
    before = player.forgotten
    view.load("pendulum")
    assert player.forgotten > before
    view._ghost.value = False
    assert not player.ghost


def test_vectors_and_trails_of_all_bodies_can_be_drawn(view: mb.Explorer) -> None:
    view.vectors = ("force",)
    view.scope = "all"
    assert [item.body for item in view.picture.shown] == [0, 1, 2]
    assert view.readout.columns == [["force", "base"], ["force", "upper"], ["force", "fore"]]
    assert [trail.line.visible for trail in view.picture._trails] == [True, True, True]
    view.scope = "selected"
    assert [trail.line.visible for trail in view.picture._trails] == [True, False, False]
    assert len(view.picture.shown) == 1


def test_scales_are_set_in_the_page_or_by_the_trait(view: mb.Explorer) -> None:
    view.readout.scales = {"force": 0.01}
    assert view.scales == {"force": 0.01}
    assert view.picture.scales["force"] == 0.01
    view.readout.scales = {"force": -1}
    assert view.scales == {"force": 0.01}
    assert "not positive" in view.health.value
    view.scales = {}
    assert view.readout.scales == {}
    assert view.picture.scales["force"] != 0.01


def test_a_motion_of_ones_own_can_be_shown(view: mb.Explorer) -> None:
    motion = mb.simulate(ARM, tau=[5, 0, 0], duration=1)
    view.motion = motion
    assert view.motion is motion
    assert len(view.picture.player.times) == 4 * 61


def test_two_explorers_can_be_linked() -> None:
    first, second = mb.Explorer(ARM, duration=1), mb.Explorer(ARM, duration=1)
    traitlets.link((first, "model"), (second, "model"))
    traitlets.link((first, "time"), (second, "time"))
    drag(first, "parameter m1", 4.0)
    first.time = 0.5
    assert second.model.values["m1"] == 4.0
    assert second.picture.player.poses == first.picture.player.poses
    assert second.time == 0.5
    first.close()
    second.close()


def test_undo_redo_and_reset(view: mb.Explorer) -> None:
    drag(view, "parameter m2", 9.0)
    drag(view, "parameter m2", 9.5)
    drag(view, "parameter m1", 2.0)
    view.undo()
    assert (view.model.values["m2"], view.model.values["m1"]) == (9.5, 8.0)
    view.undo()
    assert view.model == ARM
    view.redo()
    view.redo()
    assert view.model.values["m1"] == 2.0
    view.reset()
    assert view.model == ARM
    view.undo()
    assert view.model.values["m1"] == 2.0


def test_a_drag_is_one_step_of_the_history() -> None:
    history = History(ARM)
    for value in (1, 2, 3):
        history.record(ARM.with_values(m1=value), "m1")
    assert history.undo() == ARM
    assert history.redo().values["m1"] == 3


def test_a_change_that_cannot_be_is_refused_in_words(view: mb.Explorer) -> None:
    before = view.model
    view._move(view.controls._places["parameter m2"], 1e9)
    assert view.model is before
    assert "outside 0.1 … 20" in view.health.value
    for value in (float("nan"), float("inf"), "<script>", None):
        drag(view, "parameter m2", value)
    drag(view, "no such row", 1.0)
    assert view.model is before
    drag(view, "parameter m2", 6.0)
    assert "outside" not in view.health.value


def test_a_motion_that_stops_early_is_shown_with_the_reason() -> None:
    model = mb.Model(
        [mb.Body("a", mb.Prismatic("x"), mass=1)], forces=[mb.Effort("a", "1e3*exp(40*t)")], state={"q": [0.0]}
    )
    view = mb.Explorer(model, duration=30)
    assert "look here" in view.health.value
    view.close()


def test_many_changes_make_no_new_widgets(view: mb.Explorer) -> None:
    for name in ("base", "upper", "fore"):
        view.selected = name
    before = len(_instances)
    changes = 100 if THOROUGH else 30  # one that is left over by each change is seen after the first
    for k in range(changes):
        drag(view, "parameter m2", 1 + k / 10)
        view.selected = ("base", "upper", "fore")[k % 3]
    assert len(_instances) == before
    assert view.model.values["m2"] == pytest.approx(0.9 + changes / 10)


def test_closing_frees_every_widget() -> None:
    gc.collect()
    before = set(_instances)
    view = mb.Explorer(ARM, duration=0.5)
    view.model = mb.library.rotor()
    view.close()
    assert [type(_instances[key]).__name__ for key in set(_instances) - before] == []


def test_a_model_that_cannot_be_solved_is_refused_and_leaves_nothing() -> None:
    model = mb.Model([mb.Body("a", mass=mb.Parameter("m"), com=(1, 0, 0), inertia=(1, 1, 1))])
    before = set(_instances)
    with pytest.raises(mb.MbwidgetsError):
        mb.Explorer(model)
    assert set(_instances) == before


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "$\\href{javascript:alert(1)}{x}$",
    "\\(\\unicode{60}\\)",
    "'\"><svg onload=alert(1)>",
    "&lt;b&gt;",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_escaped_wherever_html_is_written(name: str) -> None:
    mass = mb.Parameter("m", 1.0, unit=name)
    model = mb.Model([mb.Body("a", mb.Spherical(), mass=mass, com=(1, 0, 0), inertia=(1, 1, 1))], name=name)
    view = mb.Explorer(model, duration=0.1)
    view.health.show(view.motion, name)
    for text in (view.health.value, view.formulae.text):
        assert name not in text
    assert view.controls.rows[0]["unit"] == name, "the page shows it as text"
    view.close()


def test_safe_text_holds_no_markup_and_no_formula() -> None:
    for name in HOSTILE:
        text = escape(name)
        bare = text.replace("<!-- -->", "")
        assert not set(bare) & set("<>\"'$\\")
        assert html.unescape(bare) == name


def test_the_model_tab_holds_the_model_file(view: mb.Explorer) -> None:
    drag(view, "parameter m2", 6.0)
    view._tabs.selected_index = 2
    assert mb.Model.from_dict(json.loads(view.text.json)) == view.model
    assert view.text.code == view.model.to_code()
    assert view.text.file == "three-body-arm.json"


def test_the_model_is_saved_where_the_page_wishes(view: mb.Explorer, tmp_path: Path) -> None:
    drag(view, "parameter m2", 6.0)
    view._tabs.selected_index = 2
    view.text.wish = {"path": str(tmp_path / "arm.json"), "number": 1}
    assert mb.load(tmp_path / "arm.json") == view.model
    assert "arm.json" in view.text.note
    view.text.wish = {"path": str(tmp_path / "nowhere" / "arm.json"), "number": 2}
    assert view.text.note.endswith("there is no such folder; make the folder, or name another")
    view.text.wish = {"path": 7, "number": 3}


def test_models_of_the_library_and_of_ones_own_can_be_loaded() -> None:
    own = mb.library.pendulum(2)
    view = mb.Explorer(ARM, duration=0.2, presets={"mine": own})
    view._presets.value = "mine"
    assert view.model is own
    assert view._presets.value == ""
    for name in mb.library.names():
        view.load(name)
        assert view.motion.model is view.model
    view.undo()
    with pytest.raises(mb.UnknownNameError):
        view.load("nothing")
    view.close()


def test_a_joint_changes_its_kind_by_the_menu(view: mb.Explorer) -> None:
    drag(view, "kind 2", 2)
    assert view.model.bodies[2].joint.type == "spherical"
    assert view.motion.q.shape[1] == 6
    view.undo()
    assert view.model == ARM


def test_an_angle_at_a_pole_is_kept_in_the_page(view: mb.Explorer) -> None:
    drag(view, "axis 2 0", 40.0)
    drag(view, "axis 2 1", 90.0)
    drag(view, "axis 2 0", 75.0)
    shown = dict(zip((row["key"] for row in view.controls.rows), view.controls.values, strict=True))
    assert shown["axis 2 0"] == pytest.approx(75.0)
    assert shown["axis 2 1"] == pytest.approx(90.0)


def test_only_the_newest_work_is_done() -> None:
    done: list[int] = []

    async def ask() -> None:
        later = Debounced(0.01)
        for k in range(50):
            later(lambda k=k: done.append(k))
        await asyncio.sleep(0.1)

    asyncio.run(ask())
    assert done == [49]


def test_slow_work_is_done_off_the_loop_and_the_newest_wins() -> None:
    done: list[int] = []
    started: list[int] = []

    def work(k: int) -> int:
        started.append(k)
        time.sleep(0.05)
        return k

    async def ask() -> None:
        newest = LatestOnly(done.append, done.append)
        for k in range(20):
            newest(lambda k=k: work(k))
        await asyncio.sleep(0.3)

    asyncio.run(ask())
    assert done == [19]
    assert started == [0, 19]


def test_a_long_motion_goes_on_in_the_background_and_is_ended_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mbwidgets.widgets.base.solver.QUICK", 0.02)
    found: list[mb.Motion] = []
    told: list[float] = []
    slow = mb.library.pendulum(10)

    async def ask() -> None:
        solver = Solver(found.append, told.append)
        solver.solve(slow, duration=500.0, rate=5.0)
        solver.solve(ARM, duration=1.0)
        solver.solve(slow, duration=10.0)
        for _ in range(200):
            await asyncio.sleep(0.05)
            if found[-1].outcome:
                break

    asyncio.run(ask())
    assert found[-1].outcome
    assert found[-1].t[-1] == pytest.approx(10.0)
    assert all(motion.t[-1] <= 10.0 or not motion.outcome for motion in found)
    assert all(0 <= share <= 1 for share in told)


def test_a_mechanism_brings_the_forces_of_its_own_free_bodies_and_a_choice_stays() -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=0.2)
    assert view.vectors == ("force", "weight", "acceleration")
    view.load("four_bar")
    assert view.vectors == ("force", "carried force", "constraint force", "weight", "acceleration")
    # the crank, which closes no loop
    assert view.picture.player.quantities == ["force", "carried force", "weight", "acceleration"]
    view.undo()
    assert view.vectors == ("force", "weight", "acceleration")
    view.vectors = ("momentum",)
    view.load("four_bar")
    assert view.vectors == ("momentum",)
    view.close()
