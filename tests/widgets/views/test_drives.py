"""A machine that would fall for ever stands on drives in every view, and the view says so."""

from __future__ import annotations

import pytest

import mbwidgets as mb
from mbwidgets.scene.stage.framing import falls_for_ever

VIEWS = ("Explorer", "EquationsView", "MassMomentsView", "RotatorsView", "ReactionsView", "ReleaseView")


@pytest.mark.parametrize("kind", VIEWS)
def test_the_manipulator_stands_in_every_view(kind: str) -> None:
    model = mb.library.opnchain_manipulator()
    view = getattr(mb, kind)(model)
    try:
        assert falls_for_ever(view.motion) is None
        assert abs(view.motion.q[:, 0]).max() < 0.5
        assert "drives, no part of the model, act on lift" in view.health.value
        assert "falls" not in view.health.value
        assert view.model == model, "nothing is added to the model"
        assert not view.model.forces
    finally:
        view.close()


def test_a_machine_is_let_go_by_a_button_and_what_falls_is_told() -> None:
    view = mb.Explorer(mb.library.opnchain_manipulator())
    try:
        button = next(part for part in view.toolbar.children if getattr(part, "description", "") == "drives")
        assert button.layout.display is None
        button.value = False
        assert falls_for_ever(view.motion) > 400
        assert "nothing carries it: it falls" in view.health.value
        assert "drives" not in view.health.value
        button.value = True
        assert falls_for_ever(view.motion) is None
        view.model = view.model.with_values(g=0)
        assert button.layout.display == "none", "without weight there is nothing to hold"
        view.load("pendulum")
        assert button.layout.display == "none"
        assert "drives" not in view.health.value
    finally:
        view.close()


def test_another_machine_stands_by_the_same_rule() -> None:
    bodies = [
        mb.Body("mast", mb.Prismatic("z"), mass=20, inertia=mb.Box((0.2, 0.2, 1.0))),
        mb.Body("boom", mb.Revolute("z"), mass=5, com=(0.4, 0, 0), inertia=(0.1, 0.4, 0.4)),
        mb.Body("trolley", mb.Prismatic("x", at=(0.3, 0, 0)), mass=2, inertia=(0.01, 0.01, 0.01)),
    ]
    view = mb.Explorer(mb.Model(bodies, state={"u": [0, 1, 0]}, name="a crane"))
    try:
        assert abs(view.motion.q[:, [0, 2]]).max() < 0.2
        assert "act on mast" in view.health.value
    finally:
        view.close()
