"""Arrows for what joints let their bodies do: as many as there are, along and about the right axes, seen when asked."""

from __future__ import annotations

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.scene.look.body_shells import anatomy_of, body_shell
from mbwidgets.scene.look.freedoms import freedom_arrows
from mbwidgets.scene.look.shell import Role, Shell

KINDS = {
    "fixed": (mb.Fixed(), 0, 0),
    "revolute": (mb.Revolute("y"), 1, 0),
    "prismatic": (mb.Prismatic("x"), 0, 1),
    "cylindrical": (mb.Cylindrical("z"), 1, 1),
    "universal": (mb.Universal("x", "y"), 2, 0),
    "planar": (mb.Planar("z"), 1, 2),
}


def arrows_of(joint: object, com: tuple[float, float, float]) -> list[Shell]:
    model = mb.Model([mb.Body("a", joint, mass=1, com=com, inertia=(0.1, 0.1, 0.1))])
    anatomy = anatomy_of(model)
    return list(freedom_arrows(model, 0, anatomy, body_shell(model, 0, anatomy)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_freedom_has_an_arrow(kind: str) -> None:
    joint, turns, slides = KINDS[kind]
    shells = arrows_of(joint, (0.3, 0.02, 0.1))
    # an arc and a pair of straight arrows, each of which is always as many points
    arc, pair = (len(arrows_of(kind, (0.3, 0.02, 0.1))[1]) for kind in (mb.Revolute("y"), mb.Prismatic("x")))
    assert arc > 0
    assert pair > 0
    assert sum(len(shell) for shell in shells) == turns * arc + slides * pair
    assert all((shell.roles == Role.MOTION).all() for shell in shells)


def test_an_arc_lies_across_its_axis_and_a_straight_arrow_along_it() -> None:
    _, arc = arrows_of(mb.Revolute("y"), (0.3, 0, 0.1))
    gauge = anatomy_of(mb.Model([mb.Body("a", mb.Revolute("y"), mass=1, com=(0.3, 0, 0.1))])).gauge
    assert np.abs(arc.points[:, 1]).max() < 0.6 * gauge
    assert np.linalg.norm(arc.points, axis=1).min() > gauge
    # the mass centre is in its middle: the body can go both ways
    assert np.cross(arc.points.mean(axis=0), (0.3, 0, 0.1)) == pytest.approx(
        0, abs=1e-2 * gauge
    )  # a head is a fan of its points
    _, pair = arrows_of(mb.Prismatic("x"), (0.3, 0, 0.1))
    assert np.ptp(pair.points[:, 0]) > 5 * np.ptp(pair.points[:, 1])
    assert pair.points[:, 0].max() == pytest.approx(-pair.points[:, 0].min())


def test_an_explorer_tells_names_and_freedoms_when_asked() -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=0.1)
    bodies = view.picture.composition.bodies
    assert not any((shell.roles == Role.MOTION).any() for shell in bodies)
    view.freedoms = True
    seen = view.picture.composition
    assert all((shell.roles == Role.MOTION).any() for shell in seen.bodies)
    assert [letter.text for letter in seen.letters] == ["base", "upper", "fore"]
    # a slider makes only those bodies anew that it changes
    view.model = view.model.with_values(m3=2 * view.model.values["m3"])
    again = view.picture.composition
    assert [one is other for one, other in zip(again.bodies, seen.bodies, strict=True)] == [True] * 3
    view.freedoms = False
    assert [len(shell) for shell in view.picture.composition.bodies] == [len(shell) for shell in bodies]
    view.close()
