"""A hand on a body of a view, as the page tells of it: it sets the pose at rest, and pulls what plays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb


class Held:
    """A view, and the hand of its page."""

    def __init__(self, view: Any) -> None:
        self.view, self.grab, self._number = view, view.grabbing.grab, 0

    def at(self, body: int, place: Any, at: Any = (0, 0, 0), time: float = 0.0, **more: Any) -> None:
        self._number += 1
        told = {"body": body, "at": list(at), "hand": list(place), "time": time, "number": self._number}
        self.grab.edit = {**told, "pulls": False, "last": False, **more}
        assert self.grab.answered == self._number


@pytest.fixture
def four_bar() -> Iterator[Held]:
    view = mb.Explorer(mb.library.four_bar(), duration=2)
    yield Held(view)
    view.close()


TIP = (0.5, 0, 0)


def test_a_hand_sets_the_pose_of_a_closed_loop(four_bar: Held) -> None:
    view = four_bar.view
    before, motion = view.model, view.motion
    four_bar.at(0, (0, 0.5, 0), TIP)
    assert view.motion.point(0, TIP).position[0] == pytest.approx([0, 0.5, 0], abs=1e-5)
    assert view.motion.constraint_residual.max() < 1e-9
    assert view.motion is not motion
    assert view.model.values["phi0"] == pytest.approx(np.pi / 2, abs=1e-4)
    assert view.model.forces == before.forces
    four_bar.at(0, (0, 0.5, 0), TIP, last=True)
    view.undo()
    assert view.model == before, "a drag is one step of undo"


def test_a_pose_is_taken_at_the_time_that_is_shown_and_becomes_the_start(four_bar: Held) -> None:
    view = four_bar.view
    view.time = 1.0
    shown = view.motion.point(0, TIP).position[view.motion.index(1.0)]
    four_bar.at(0, shown, TIP, time=1.0)
    assert view.time == 0
    assert view.motion.point(0, TIP).position[0] == pytest.approx(shown, abs=1e-5)


def test_what_is_out_of_reach_is_said_beside_the_hand(four_bar: Held) -> None:
    four_bar.at(0, (3, 0, 0), TIP)
    assert four_bar.grab.words == "out of reach by 2.5 m"
    four_bar.at(0, (3, 0, 0), TIP, last=True)
    assert four_bar.grab.words == ""


def test_a_pose_past_the_bounds_of_its_parameter_is_refused_in_words() -> None:
    angle = mb.Parameter("angle", 0.2, min=-0.5, max=0.5, unit="rad")
    rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    view = mb.Explorer(mb.Model([rod], state={"q": [angle]}), duration=1)
    try:
        held = Held(view)
        held.at(0, (-1, 0, 0), (0, 0, -1))
        assert "angle" in held.grab.words
        assert "0.5" in held.grab.words
        assert view.model.values["angle"] == 0.2, "the last good pose stays"
        held.at(0, (-0.3, 0, -0.95), (0, 0, -1))
        assert view.model.values["angle"] == pytest.approx(np.arctan2(0.3, 0.95), abs=1e-3)
    finally:
        view.close()


def test_a_spring_pulls_what_plays_and_never_stays_in_the_model(four_bar: Held) -> None:
    view = four_bar.view
    model, own = view.model, view.motion
    frame = view.motion.index(0.5)
    four_bar.at(0, (0, 2, 0), TIP, time=0.505, pulls=True)
    assert view.model is model
    assert view.is_current
    assert [force.type for force in view.motion.model.forces] == ["spring", "damper"]
    assert view.motion.q[0] == pytest.approx(own.q[frame]), "it goes on from the frame that was shown"
    assert view.motion.u[0] == pytest.approx(own.u[frame])
    assert view.picture.player.shift == pytest.approx(0.5)
    assert view.picture.composition.spans, "the spring is part of the picture"
    assert "a hand pulls it" in view.health.value
    assert four_bar.grab.stiffness > 0
    four_bar.at(0, (0, 2, 0), TIP, time=0.25, pulls=True, last=True)
    assert view.motion.model is model
    assert not view.picture.composition.spans
    assert "a hand has moved it" in view.health.value
    assert view.model.forces == ()
    assert not view.history.can_undo
    view.reset()
    assert view.motion.q == pytest.approx(own.q), "its own motion again"
    assert "hand" not in view.health.value
    assert view.picture.player.shift == 0


def test_a_pulled_motion_loads_the_joints_and_keeps_its_energy(four_bar: Held) -> None:
    view = four_bar.view
    own = np.linalg.norm(view.motion.reactions("crank")[0, :3])
    four_bar.at(0, (0, 20, 0), TIP, pulls=True)
    assert np.linalg.norm(view.motion.reactions("crank")[0, :3]) > 2 * own, "the pin carries the hand's pull"
    assert view.motion.drift < 1e-6


@pytest.mark.parametrize("kind", ["MassMomentsView", "RotatorsView", "ReactionsView", "EquationsView", "ReleaseView"])
def test_every_view_of_a_start_can_be_taken_by_hand(kind: str) -> None:
    view = getattr(mb, kind)(mb.library.three_body_arm(), duration=0.5)
    try:
        held = Held(view)
        place = view.motion.point(2, (0.1, 0, 0)).position[0] + [0.05, 0, 0]
        held.at(2, place, (0.1, 0, 0))
        assert view.motion.point(2, (0.1, 0, 0)).position[0] == pytest.approx(place, abs=1e-4)
        held.at(2, place, (0.1, 0, 0), pulls=True, time=0.1)
        assert len(view.motion.model.forces) == 2
        held.at(2, place, (0.1, 0, 0), pulls=True, time=0.1, last=True)
        assert view.motion.model.forces == ()
    finally:
        view.close()


def test_a_rotation_that_is_no_start_has_no_hand() -> None:
    view = mb.PermanentRotationsView(duration=0.2)
    try:
        assert view.grabbing.grab.still
    finally:
        view.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"body": 7},
        {"body": True},
        {"body": "crank"},
        {"at": [0, 0]},
        {"hand": [0, 0, float("nan")]},
        {"hand": "abc"},
        {"time": None},
        {"time": float("inf")},
    ],
)
def test_what_makes_no_sense_is_not_acted_on(four_bar: Held, wrong: dict[str, Any]) -> None:
    model, motion = four_bar.view.model, four_bar.view.motion
    told = {"body": 0, "at": [0, 0, 0], "hand": [0, 0.5, 0], "time": 0.0, "pulls": False, "last": False, "number": 1}
    four_bar.grab.edit = {**told, **wrong}
    assert four_bar.view.model is model
    assert four_bar.view.motion is motion
