"""Handles on the kernel's side: what a page may say, and what it is answered."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.page.handles import Handle, Handles, Snap
from mbwidgets.scene.stage.picture import Picture


@pytest.fixture
def made() -> Any:
    picture = Picture()
    told: list[tuple[str, list[float]]] = []
    handles = Handles(picture, lambda key, value: told.append((key, value.tolist())))
    home = picture.stage.actors
    point = Handle("pole", "Pole", "O", "#000", home, (0, 0, 0), unit="m", snaps=[Snap((1, 2, 3), "C")])
    axis = Handle("axis", "Axis", "n", "#000", home, (0, 0, 0), (0, 0, 1), 0.5)
    handles.show([point, axis])
    yield handles, told
    handles.close()
    picture.close()


def test_an_edit_of_the_page_is_told_and_answered(made: Any) -> None:
    handles, told = made
    handles.edit = {"key": "pole", "value": [0.1, -2, 3], "number": 7}
    assert told == [("pole", [0.1, -2.0, 3.0])]
    assert handles.answered == 7


@pytest.mark.parametrize(
    "edit",
    [
        {"key": "nobody", "value": [0, 0, 1], "number": 1},
        {"key": "pole", "value": [0, 0], "number": 1},
        {"key": "pole", "value": [0, 0, math.inf], "number": 1},
        {"key": "pole", "value": "far", "number": 1},
        {"key": "axis", "value": [0, 0, 0], "number": 1},
        {"number": 1},
    ],
)
def test_nonsense_from_a_page_moves_nothing(made: Any, edit: dict[str, Any]) -> None:
    handles, told = made
    handles.edit = edit
    assert told == []
    assert handles.answered == 0


def test_what_is_refused_is_answered_too(made: Any) -> None:
    handles, _ = made

    def refuse(key: str, value: np.ndarray) -> None:
        raise mb.ModelError("no")

    handles._moved = refuse
    with pytest.raises(mb.ModelError):
        handles.edit = {"key": "axis", "value": [1, 0, 0], "number": 3}
    assert handles.answered == 3


def test_directions_are_drawn_to_snaps_by_angle_and_points_by_pixels(made: Any) -> None:
    point, axis = made[0].rows
    assert point["hold"] == -9
    assert axis["hold"] == pytest.approx(math.cos(math.radians(5)))
    assert point["snaps"] == [{"value": [1.0, 2.0, 3.0], "caption": "C"}]


def test_handles_of_the_views_move_what_they_show() -> None:
    view = mb.MassMomentsView(duration=0.5)
    view.handles.edit = {"key": "axis", "value": [0.6, 0, 0.8], "number": 1}
    view.handles.edit = {"key": "pole", "value": [0.1, 0, 0], "number": 2}
    assert view.axis == (0.6, 0.0, 0.8)
    assert view.pole == (0.1, 0.0, 0.0)
    assert view.handles.rows[0]["direction"] == [0.6, 0.0, 0.8]
    view.close()

    view = mb.RotatorsView(mb.library.rotor(), duration=0.1)
    centre = view.handles.rows[1]["snaps"][0]
    assert centre["caption"] == "through C: S = 0"
    view.handles.edit = {"key": "pole", "value": centre["value"], "number": 1}
    assert np.abs(view.motion.rotators(0).force).max() < 1e-6, "an axis through C makes no kinetic force"
    view.undo()
    assert np.abs(view.motion.rotators(0).force).max() > 1
    view.close()


def test_the_axis_of_a_permanent_rotation_goes_to_the_cone() -> None:
    view = mb.PermanentRotationsView(duration=0.5)
    view.handles.edit = {"key": "axis", "value": [0.1, 0.5, 0.5], "number": 1}
    axis = view.rotation.turns[0].T @ view.rotation.chain.basis[:, 2]
    assert view.rotation.holds
    assert axis == pytest.approx(mb.staude_cone(view.model).nearest((0.1, 0.5, 0.5)).axis, abs=1e-9)
    view.close()
