"""The base of every view: what a subclass gets without writing it."""

from __future__ import annotations

import gc
import weakref
from types import SimpleNamespace

import ipywidgets
import pytest
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.scene.page.kernel_box import kernel_box
from mbwidgets.widgets.views.view import View

ARM = mb.library.three_body_arm()
UNSOLVABLE = mb.Model([mb.Body("a", mass=mb.Parameter("m"), com=(1, 0, 0), inertia=(1, 1, 1))])


class Small(View):
    """A view of one's own: the picture only, driven by an effort."""

    shown = 0

    def options(self):
        return {**super().options(), "tau": [1.0] + [0.0] * (self.model.nv - 1)}

    def show(self):
        super().show()
        self.shown += 1


@pytest.fixture
def view():
    made = Small(ARM, duration=0.5)
    yield made
    made.close()


def test_a_view_shows_its_motion_with_its_own_options(view: Small) -> None:
    assert view.shown == 1
    assert view.motion.q == pytest.approx(mb.simulate(ARM, duration=0.5, tau=[1, 0, 0]).q)
    view.selected = "base"
    assert (view.shown, view.index) == (2, 0)


def test_changes_are_undone_and_done_again(view: Small) -> None:
    view.attempt(lambda model: model.with_values(m1=3))
    assert view.motion.model.values["m1"] == 3
    view.undo()
    assert view.motion.model is view.model is ARM
    view.redo()
    assert view.model.values["m1"] == 3


def test_what_cannot_be_leaves_the_last_good_state_and_is_told(view: Small) -> None:
    view.attempt(lambda model: model.with_values(m1=3))
    good, motion = view.model, view.motion
    view.attempt(lambda model: model.with_values(m1=-3))
    assert "outside" in view.health.value
    view.model = UNSOLVABLE
    assert view.model is good
    assert view.motion is motion
    assert view.selected in {body.name for body in good.bodies}
    assert "has no value" in view.health.value
    view.undo()
    assert view.model is ARM
    assert "has no value" not in view.health.value


def test_another_mechanism_takes_its_place(view: Small) -> None:
    view.model = mb.library.rotor()
    assert view.selected == view.model.bodies[0].name
    assert view.origin is view.model
    assert view.motion.model is view.model


@pytest.mark.parametrize("kind", [mb.Explorer, mb.RotatorsView, mb.PermanentRotationsView])
def test_a_closed_view_is_collected_and_one_that_is_kept_holds_only_its_model(kind: type[View]) -> None:
    view = kind() if kind is mb.PermanentRotationsView else kind(mb.library.pendulum(1), duration=0.2)
    model = view.model
    part, whole = weakref.ref(view.controls), weakref.ref(view)
    view.close()
    view.drop_parts()  # as when its cell is run again
    gc.collect()
    assert part() is None, "Out[…] keeps a view, and by it all its parts"
    assert view.model is model
    view.close()  # again: nothing is left to free
    del view
    gc.collect()
    assert whole() is None


VIEWS = [
    mb.Explorer,
    mb.MassMomentsView,
    mb.RotatorsView,
    mb.ReactionsView,
    mb.EquationsView,
    mb.ReleaseView,
    mb.PermanentRotationsView,
    mb.ConstrainedView,
]


@pytest.mark.parametrize("kind", [Small, *VIEWS])
def test_closing_a_view_frees_every_widget(kind: type[View]) -> None:
    kernel_box()  # stays for the next view
    gc.collect()
    before = set(_instances)
    view = kind(*([ARM] if kind in {Small, mb.Explorer, mb.RotatorsView, mb.ReactionsView} else []), duration=0.1)
    for tabs in [part for part in view.children if isinstance(part, ipywidgets.Tab)]:
        for tab in range(len(tabs.children)):
            tabs.selected_index = tab
    view.close()
    assert [type(_instances[key]).__name__ for key in set(_instances) - before] == []


def test_all_widgets_can_be_closed_at_once() -> None:
    """`Widget.close_all` closes parts before the views that hold them."""
    views = [kind(*([ARM] if kind is mb.Explorer else []), duration=0.1) for kind in VIEWS]
    views[1].selected = views[1].model.bodies[0].name
    ipywidgets.Widget.close_all()
    assert not [widget for widget in _instances.values() if type(widget).__module__.startswith("mbwidgets")]
    for view in views:
        view.close()


def test_a_copied_notebook_on_the_same_kernel_leaves_the_original_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells of a copy have the same ids; a cell that runs again in its own notebook takes its old view's place."""

    def run(session: str, number: int) -> Small:
        header = {"session": session, "msg_id": f"{session} {number}"}
        shell = SimpleNamespace(parent_header={"header": header, "metadata": {"cellId": "a1b2"}})
        monkeypatch.setattr("IPython.get_ipython", lambda: shell)
        return Small(ARM, duration=0.1)

    original, copied = run("original", 1), run("copy", 1)
    assert original.comm is not None
    again = run("original", 2)
    assert original.comm is None
    assert copied.comm is not None
    for view in (copied, again):
        view.close()


def test_every_view_opens_on_the_last_body_unless_told() -> None:
    """One meaning of the default joint: the one that carries the last body."""
    for name in ("Explorer", "MassMomentsView", "RotatorsView", "ReactionsView", "ReleaseView", "EquationsView"):
        view = getattr(mb, name)(mb.library.three_body_arm(), duration=0.1)
        assert view.selected == "fore", name
        view.close()
