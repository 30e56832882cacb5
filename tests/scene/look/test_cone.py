"""The Staude cone on the stage: colours by speed, buffers that keep their size, and a clean end."""

from __future__ import annotations

import numpy as np
from ipywidgets.widgets.widget import _instances

import mbwidgets as mb
from mbwidgets.numeric.permanent.cone_curves import cone_curves
from mbwidgets.scene.look.cone import Barycentres, Cone
from mbwidgets.scene.look.cone_shape import ANY, RAMP, SpeedScale
from mbwidgets.scene.look.meshes import Geometries


def test_the_colours_go_by_the_logarithm_of_the_speed_and_end_at_the_ends() -> None:
    scale = SpeedScale(1.0, 100.0)
    np.testing.assert_allclose(scale.share([0.0, 1.0, 10.0, 100.0, 1e9]), [0, 0, 0.5, 1, 1], atol=1e-15)
    assert scale.hexes([0.5, 1e4, np.nan]) == ["#{:02X}{:02X}{:02X}".format(*RAMP[k]) for k in (0, -1)] + [ANY]
    assert scale.ticks == [1, 2, 5, 10, 20, 50, 100]


def test_the_fan_has_a_triangle_for_every_step_along_a_curve_in_buffers_of_one_size() -> None:
    geometries = Geometries()
    cone = Cone(geometries)
    size = cone._points.array.shape
    curves = cone_curves(mb.staude_cone(mb.library.carousel()), 12)
    cone.show(curves, SpeedScale(1.0, 20.0), 0.5)
    assert cone._points.array.shape == size
    steps = sum(len(curve.axes) - 1 for curve in curves)
    triangles = cone._points.array.reshape(-1, 3, 3)
    np.testing.assert_allclose(np.linalg.norm(triangles[:steps, 1:], axis=2), 0.5, rtol=1e-6)
    assert not triangles[:, 0].any()
    assert not triangles[steps:].any()
    cone.close()
    geometries.close()


def test_closing_frees_the_cone_and_the_barycentres() -> None:
    before = set(_instances)
    geometries = Geometries()
    cone, balls = Cone(geometries), Barycentres(geometries)
    import pythreejs as three

    groups = [three.Group(), three.Group()]
    balls.show(groups, np.zeros((2, 3)), np.array([3.0, 1.0]), 1.0)
    assert [len(group.children) for group in groups] == [1, 1]
    assert balls.balls[0].scale[0] > balls.balls[1].scale[0]
    for item in (cone, balls, geometries, *groups):
        item.close()
    assert set(_instances) == before
