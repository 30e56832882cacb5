"""Sliders of a page: which values they take, and what is recorded at each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbwidgets as mb
from mbwidgets.export.page.fitting import with_live_sliders
from mbwidgets.export.page.pack_states import FRAMES
from mbwidgets.export.page.record import LARGEST, choose_axes, record_grid, recording_axes


@given(
    st.floats(-50, 50).map(lambda x: round(x, 3)),
    st.floats(0.01, 100),
    st.floats(0.01, 100),
    st.integers(2, 30),
)
def test_a_slider_has_at_most_so_many_values_in_its_range_and_the_present_one_among_them(
    present: float, below: float, above: float, count: int
) -> None:
    a = mb.Parameter("a", present, min=present - below, max=present + above)
    model = mb.Model(bodies=[mb.Body("one", joint=mb.Revolute("z", at=(a, 0, 0)), mass=1, inertia=(1, 1, 1))])
    (axis,) = choose_axes(model, {"a": count})
    assert 1 <= len(axis.values) <= count
    assert axis.values[axis.at] == present
    slack = 1e-3 * (below + above)
    assert present - below - slack <= axis.values[0]
    assert axis.values[-1] <= present + above + slack
    steps = np.diff(axis.values)
    assert (steps > 0).all()
    assert np.allclose(steps, steps.mean() if len(steps) else 0, rtol=1e-2)
    if count > 2 and min(below, above) > 0.1 * (below + above):
        assert 0 < axis.at < len(axis.values) - 1, "it goes both ways from the model's value"


def test_slips_are_refused_with_a_remedy() -> None:
    arm = mb.library.three_body_arm()
    with pytest.raises(mb.UnknownNameError, match="no parameter 'm9'"):
        choose_axes(arm, {"m9": 5})
    with pytest.raises(mb.ModelError, match="at most 3"):
        choose_axes(arm, dict.fromkeys(arm.parameters, 3))
    with pytest.raises(mb.ModelError, match=f"more than {LARGEST}"):
        choose_axes(arm, {"m1": 40, "m2": 40, "m3": 40})
    assert choose_axes(None) == choose_axes(arm, False) == ()


@pytest.fixture(scope="module")
def view():
    view = mb.Explorer(mb.library.three_body_arm(), selected="fore", duration=2)
    yield view
    view.close()


def test_every_node_holds_the_motion_of_its_values(view) -> None:
    model = view.model
    axes = choose_axes(model, {"m2": (1, 9), "l2": (0.4,)})
    recording = record_grid(view, axes)
    assert [axis.values for axis in axes] == [(1, 5, 9), (0.4, 0.6)]
    assert len(recording.nodes) == 6
    player = view.picture.player.model_id
    for number, (m2, l2) in enumerate((m2, l2) for m2 in (1, 5, 9) for l2 in (0.4, 0.6)):
        motion = mb.simulate(model.with_values(m2=m2, l2=l2), duration=2)
        vectors = np.frombuffer(recording.nodes[number][player]["vectors"], np.float32).reshape(121, 4, 6)
        force = motion.reactions("fore")[:, :3]
        # float32 of the same computation
        assert np.allclose(vectors[:, 0, 3:], force, rtol=1e-6, atol=1e-6 * np.abs(force).max())


def test_a_recorded_view_is_as_it_was_and_the_notebook_hears_nothing(view, monkeypatch) -> None:
    before = (view.model, view.motion, view.selected, view._tabs.selected_index)
    told: list[object] = []
    comm = type(view.picture.player.comm)
    monkeypatch.setattr(comm, "send", lambda *rest, **more: told.append(rest))
    record_grid(view, choose_axes(view.model, {"m2": 3}))
    assert (view.model, view.motion, view.selected, view._tabs.selected_index) == before
    assert told == []
    view.time = 0.5
    assert told != [], "afterwards it speaks again"


def test_a_page_keeps_the_sliders_that_live_and_no_button_that_does_not(view) -> None:
    axes = choose_axes(view.model, {"m2": (1, 9)})
    out = with_live_sliders(record_grid(view, axes))
    rows = out.states[view.controls.model_id]["rows"]
    assert [(row["key"], row["low"], row["high"], row["step"]) for row in rows] == [("parameter m2", 1, 9, 4)]
    assert [node[view.controls.model_id]["values"] for node in out.nodes] == [[1], [5], [9]]
    assert out.handles[0]["values"] == (1, 5, 9)
    held = {child for state in out.states.values() for child in state.get("children", ())}
    names = {out.states[child.removeprefix("IPY_MODEL_")]["_model_name"] for child in held}
    assert not names & {"ButtonModel", "ToggleButtonModel", "CheckboxModel"}
    drawn = out.states[view.readout.model_id]
    assert sorted(row["key"] for row in drawn["rows"]) == sorted(drawn["chosen"])
    assert sorted(drawn["chosen"]) == ["acceleration", "carried force", "force", "moment", "weight"]


def test_a_dial_of_a_view_stays_alive_beside_parameters() -> None:
    view = mb.ConstrainedView(duration=0.5)
    dial, d = recording_axes(view, None, nodes=25)
    assert (dial.key, dial.values) == ("dial", (-180, -90, 0, 90, 180))
    assert d.name == "d"
    out = with_live_sliders(record_grid(view, [dial]))
    rows = out.states[view.controls.model_id]["rows"]
    assert [(row["key"], row["low"], row["high"], row["step"]) for row in rows] == [("dial", -180, 180, 90)]
    player = view.picture.player.model_id
    down = view.model.replace(gravity=(0, "g", 0))
    places = mb.simulate(down, **view.options()).poses[0]
    drawn = np.frombuffer(out.nodes[3][player]["poses"], np.float32).reshape(-1, 1, 7)
    assert np.allclose(drawn[:, :, :3], places, rtol=0, atol=1e-6)
    assert view.gravity_angle == 0, "afterwards it is as it was"
    view.close()


def test_what_the_export_does_is_not_in_the_history(tmp_path) -> None:
    view = mb.Explorer(mb.library.pendulum(2), duration=1)
    name = next(iter(view.model.parameters))
    view.to_html(tmp_path / "pendulum.html", sliders={name: 3})
    assert not view.history.can_undo
    view.close()


def test_views_without_parameters_and_plain_widgets_are_pages_too(tmp_path) -> None:
    import ipywidgets

    slider = ipywidgets.FloatSlider(description="x")
    text = mb.export.html(slider, tmp_path / "slider.html", title="<b>").read_text()
    assert "<title>&lt;b&gt;</title>" in text
    assert slider.model_id in text


def test_values_at_which_a_mechanism_cannot_be_put_together_are_in_the_page_too(tmp_path) -> None:
    """At a coupler of 3 m the loop does not close: that motion has one frame, and a fast one has more than a slow."""
    view = mb.Explorer(mb.library.four_bar(), duration=10)
    sliders = {"l2": (1.2, 3.0), "omega": (4.0, 20.0)}
    recording = record_grid(view, choose_axes(view.model, sliders))
    words = [node[view.health.model_id]["value"] for node in recording.nodes]
    assert ["cannot be met together" in text for text in words] == [False, False, True, True]
    frames = [node[view.picture.player.model_id].get(FRAMES) for node in recording.nodes]
    assert frames[0] < frames[1]
    assert frames[2] is None
    assert view.to_html(tmp_path / "page.html", sliders=sliders).stat().st_size > 1e6
    view.close()


@pytest.mark.parametrize("wrong", [["m", "l"], ("m",), "m", 3])
def test_sliders_without_their_values_are_refused_with_a_remedy(wrong, tmp_path) -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=0.1)
    with pytest.raises(mb.errors.ModelError, match=r'sliders: .*as \{"m": 5\}'):
        view.to_html(tmp_path / "page.html", sliders=wrong)
    assert not list(tmp_path.iterdir())
    view.close()


@pytest.mark.parametrize("what", ["motion", "model", "text"])
def test_what_is_no_widget_has_no_page(what, tmp_path) -> None:
    model = mb.library.pendulum(1)
    subject = {"motion": mb.simulate(model, duration=0.1), "model": model, "text": "pendulum"}[what]
    with pytest.raises(mb.errors.ModelError, match=r"is not a widget; give a view"):
        mb.export.html(subject, tmp_path / "page.html")
    assert not list(tmp_path.iterdir())


def test_values_that_no_body_can_have_are_told_at_their_place_of_the_slider() -> None:
    J = mb.Parameter("J", 0.2, min=0.1, max=0.5)
    rod = mb.Body("rod", mb.Revolute("x"), mass=1, com=(0, 0, -1), inertia=(J, 0.2, 0.05))
    view = mb.Explorer(mb.Model([rod], state={"q": [1.0]}), duration=0.2)
    recording = record_grid(view, choose_axes(view.model, {"J": (0.2, 0.4)}))
    words = [node[view.health.model_id]["value"] for node in recording.nodes]
    assert ["triangle inequality" in text for text in words] == [False, True]
    assert view.model.values["J"] == 0.2
    view.close()
