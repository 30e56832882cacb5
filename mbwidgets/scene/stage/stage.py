"""The stage: camera, light, ground, grid, world axes and the direction of gravity, as three.js objects."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pythreejs as three

from ...numeric.base.rotations import quaternion_of_matrix
from ..look.arrows import Arrow
from ..look.meshes import Geometries
from ..look.palette import THEMES, Theme
from ..look.shapes import triple_of
from ..look.surfaces import FLOOR, LIGHTS
from .setting import (
    AXES,
    GRAVITY,
    Setting,
    StillArrow,
    floor_part,
    gravity_arrow,
    gravity_arrow_balls,
    grid_cell,
    unit_grid,
    world_axes,
)
from .viewpoint import FIELD, Viewpoint, viewpoint_of

__all__ = ["Stage"]

FAR: Final = 1e6
"""m: lights shine by the direction to their place, which is the same wherever a stage that runs away has gone."""


class Stage:
    """A renderer with all that does not belong to one mechanism. ``add`` and ``remove`` put objects on it."""

    def __init__(self, width: int = 680, height: int = 460, theme: str = "light") -> None:
        self.geometries = Geometries()
        self.theme: Theme = THEMES[theme]
        self.setting = Setting(1.0, np.zeros(3), 1.0, 0.0, np.array([[0.0, 0.0, 0.0, 1.0]]))
        """What it is suited to."""
        self.view = "iso"
        self._pointed: tuple[float, ...] = (0.0, 0.0, 0.0)
        self._gravity: StillArrow | None = None
        # directional lights complain in the page when they are made
        self._lights = [
            three.HemisphereLight(
                light.above, light.below, intensity=light.strength, position=triple_of(FAR * np.array(light.up))
            )
            for light in LIGHTS
        ]
        self._make_ground()
        self._make_triad()
        self.gravity = Arrow(self.geometries, GRAVITY, "g", through=False)
        # the scene is turned so that up is up for the camera, and what has the picture's axes is turned back
        self._level: Any = three.Group(children=[*self._lights, self._floor, self._grid])
        self.actors: Any = three.Group()
        """What can be picked: the bodies and their joints, put here by the picture."""
        self.scene: Any = three.Scene(
            children=[self.actors, self._level, self._triad, *self.gravity.objects],
            background=self.theme.background,
        )
        self.camera: Any = three.PerspectiveCamera(fov=FIELD, aspect=width / height, near=0.01, far=200, up=(0, 0, 1))
        self.orbit: Any = three.OrbitControls(controlling=self.camera, screenSpacePanning=True)
        self.picker: Any = three.Picker(controlling=self.actors, event="dblclick")
        self.renderer: Any = three.Renderer(
            camera=self.camera,
            scene=self.scene,
            controls=[self.orbit, self.picker],
            width=width,
            height=height,
            antialias=True,
        )
        self.look()

    def _make_ground(self) -> None:
        self._paint = three.MeshBasicMaterial(
            color=self.theme.ground, transparent=True, opacity=FLOOR, side="DoubleSide", depthWrite=False
        )
        self._floor = three.Mesh(self.geometries["box"], self._paint)
        # a GridHelper would keep its geometry for ever
        self._ends = three.BufferAttribute(unit_grid().reshape(-1, 3).astype(np.float32), normalized=False)
        self._lines = three.BufferGeometry(attributes={"position": self._ends})
        self._ink = three.LineBasicMaterial(color=self.theme.lines)
        self._grid = three.LineSegments(self._lines, self._ink)

    def _make_triad(self) -> None:
        self._axes = [Arrow(self.geometries, colour, name) for name, _, colour in AXES]
        for arrow in self._axes:
            arrow.group.visible = True
        self._triad = three.Group(children=[item for arrow in self._axes for item in arrow.objects])

    def repaint(self, theme: str) -> None:
        """Change what lies behind the mechanism."""
        self.theme = THEMES[theme]
        self.scene.background = self.theme.background
        self._paint.color, self._ink.color = self.theme.ground, self.theme.lines

    def add(self, *objects: Any) -> None:
        """Put objects on the stage."""
        self.scene.children = [*self.scene.children, *objects]

    def remove(self, *objects: Any) -> None:
        """Take objects off the stage; whoever made them closes them."""
        gone = set(objects)
        self.scene.children = [child for child in self.scene.children if child not in gone]

    @property
    def size(self) -> float:
        """Of the mechanism, m."""
        return self.setting.size

    @property
    def radius(self) -> float:
        """Of what is seen, m."""
        return self.setting.radius

    def furnish(self, setting: Setting) -> None:
        """Suit ground, axes and camera to a mechanism."""
        self.setting = setting
        self.scene.quaternion = quaternion_of_matrix(setting.upright)
        self._level.quaternion = quaternion_of_matrix(setting.upright.T)
        self._lay_floor()
        for arrow, item in zip(self._axes, world_axes(setting), strict=True):
            _stand(arrow, item)
        self.point_gravity(self._pointed[:3])

    def _lay_floor(self) -> None:
        floor, cell = floor_part(self.setting), grid_cell(self.setting)
        self._grid.visible = self._floor.visible = floor is not None
        if floor is not None:
            self._grid.scale, self._grid.position = (cell, cell, 1.0), (0.0, 0.0, float(self.setting.floor or 0.0))
            self._floor.scale, self._floor.position = floor.scale, floor.at

    def point_gravity(self, gravity: Any) -> None:
        """Turn the gravity arrow, or hide it where there is none."""
        as_it_is = (*map(float, gravity), *self.setting.target, self.radius, *self.setting.upright.flat)
        if as_it_is == self._pointed:  # a change on the stage costs the page a whole picture
            return
        self._pointed = as_it_is
        self._gravity = gravity_arrow(self.setting, gravity)
        self.gravity.group.visible = self.gravity.label.sprite.visible = self._gravity is not None
        if self._gravity is not None:
            _stand(self.gravity, self._gravity)

    def look(self, view: str | None = None) -> None:
        """Turn the camera to a standard view, the last one unless told, and fit the mechanism into it."""
        self.view = view or self.view
        seen = self._viewpoint(self.view)
        with self.camera.hold_sync():
            self.camera.position = triple_of(seen.place)
            self.camera.near, self.camera.far = seen.near, seen.far
        self.orbit.target = triple_of(seen.target)
        self.camera.lookAt(self.orbit.target)

    def place_of(self, view: str) -> tuple[float, float, float]:
        """Where the camera stands for a view, with the mechanism fitted into it."""
        return triple_of(self._viewpoint(view).place)

    def target_of(self, view: str) -> tuple[float, float, float]:
        """Where the camera looks for a view."""
        return triple_of(self._viewpoint(view).target)

    def in_world(self, point: Any) -> np.ndarray:
        """A point (3,) of the picture's axes, as a click gives it, in those of the world."""
        return np.asarray(np.asarray(point, dtype=float) @ self.setting.upright)

    def _viewpoint(self, view: str) -> Viewpoint:
        marks = gravity_arrow_balls(self.setting, self._gravity)
        return viewpoint_of(self.setting, marks, view, self.camera.aspect)

    def close(self) -> None:
        """Free all that the stage made."""
        for arrow in (*self._axes, self.gravity):
            arrow.close()
        for item in (
            self._triad,
            self._level,
            self._grid,
            self._lines,
            self._ends,
            self._ink,
            self._floor,
            self._paint,
            *self._lights,
        ):
            item.close()
        self.geometries.close()
        for item in (
            self.actors,
            self.orbit,
            self.picker,
            self.renderer.shadowMap,
            self.renderer,
            self.scene,
            self.camera,
        ):
            item.close()


def _stand(arrow: Arrow, item: StillArrow) -> None:
    arrow.stand(item.begin, item.vector, item.head, item.label_place)
