"""The drawing of a mechanism's geometry: every coordinate has its name, and arcs begin where angles are zero."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.export.geometry import INK
from mbwidgets.scene.look.palette import BLUE


def words(figure: object) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts if text.get_text()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", mb.library.names())
def test_every_coordinate_of_every_mechanism_is_named_once(name: str) -> None:
    model = getattr(mb.library, name)()
    found = words(mb.figures.geometry(model))
    kinds = [column.kind for body in model.bodies for column in body.joint.columns()]
    # a ball's three velocities are no coordinates
    first = [sum(3 if kind == "ball" else 1 for kind in kinds[:k]) for k in range(len(kinds))]
    wanted = [f"$q_{{{place + 1}}}$" for place, kind in zip(first, kinds, strict=True) if kind != "ball"]
    assert [word for word in found if word.startswith("$q_")] == wanted
    assert found.count("ball") == kinds.count("ball")
    assert ("$g$" in found) == any(model.number(item) for item in model.gravity)


@pytest.mark.parametrize("angle", [0.7, 1.9, -2.4])
def test_an_arc_goes_from_where_the_angle_is_zero_to_the_link(angle: float) -> None:
    body = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.0))
    model = mb.Model([body], state={"q": [angle]})
    sheet = mb.figures.geometry(model).axes[0]
    (arc,) = (line for line in sheet.lines if line.get_color() == BLUE)
    x, y = (np.asarray(item) for item in arc.get_data())
    # seen from −y, x to the right: a turn about y carries −z towards −x
    turned = np.unwrap(np.arctan2(-x, -y))
    assert turned[0] == pytest.approx(0.0, abs=1e-9)
    assert turned[-1] == pytest.approx(angle, abs=abs(angle) / 30), "the arrow's head takes the last piece"
    (link,) = (line for line in sheet.lines if line.get_linewidth() == 0.8 and line.get_color() == INK)
    assert np.arctan2(-link.get_xdata()[1], -link.get_ydata()[1]) == pytest.approx(angle, abs=1e-6)


def test_an_unknown_view_is_refused_by_name() -> None:
    with pytest.raises(mb.ModelError, match="no view 'askew'"):
        mb.figures.geometry(mb.library.pendulum(1), view="askew")
