"""Stories: a step is refused where its numbers are none, and knows all that the ones before have set."""

from __future__ import annotations

import pytest

import mbwidgets as mb
from mbwidgets.widgets.parts.story import whole_steps

STEPS = [
    mb.Step("level", time=0.0),
    mb.Step("heavier", values={"m": 3}, vectors=("force",)),
    mb.Step("later", time=2.0, playing=True),
    mb.Step("lighter", values={"m": 1, "mass 1": 2}),
]


def test_a_step_has_what_the_ones_before_have_set() -> None:
    first, second, third, last = whole_steps(STEPS, {"m": 2.0, "g": 9.81})
    assert first["values"] == {"parameter m": 2.0}  # going back restores what was given
    assert second["values"] == third["values"] == {"parameter m": 3.0}
    assert last["values"] == {"parameter m": 1.0, "mass 1": 2.0}
    assert [step["time"] for step in (first, second, third, last)] == [0.0, 0.0, 2.0, 2.0]
    assert [step["playing"] for step in (first, second, third, last)] == [False, False, True, False]
    assert (first["vectors"], second["vectors"], last["vectors"]) == (None, ["force"], ["force"])


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"time": float("nan")}, "not finite"),
        ({"values": {"m": float("inf")}}, "not finite"),
        ({"values": {"m": "2"}}, "not finite"),
        ({"camera": (1.0, 2.0, 3.0)}, "3 numbers for the camera"),
    ],
)
def test_a_step_without_numbers_is_refused(options: dict[str, object], what: str) -> None:
    with pytest.raises(mb.ModelError, match=what):
        mb.Step("no", **options)


def test_a_view_holds_its_story_and_lets_it_go() -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=0.5)
    view.tell_story(*STEPS[:1], mb.Step("seen", camera=view.camera), title="A swing")
    assert view.teller.title == "A swing"
    assert view.teller.steps[1]["camera"] == pytest.approx(view.camera)
    assert view.teller.table is view.readout
    view.tell_story()
    assert view.teller.steps == []
    view.close()
