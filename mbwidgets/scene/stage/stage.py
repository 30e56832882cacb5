"""The stage: camera and light as three.js objects; the ground, gravity and the world's axes as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pythreejs as three

from ...numeric.base.rotations import quaternion_of_matrix
from ..look.meshes import Geometries
from ..look.palette import DARK, THEMES, Theme
from ..look.shapes import triple_of
from ..look.surfaces import SKYLIGHTS
from .setting import (
    AXES,
    GRAVITY,
    Setting,
    axis_directions,
    gravity_direction,
    ground_of,
)
from .viewpoint import FIELD, Viewpoint, sun_of, viewpoint_of

__all__ = ["Stage", "behind"]

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
        self._gravity: tuple[float, ...] = (0.0, 0.0, 0.0)
        self.furnished: Callable[[], None] = lambda: None
        """Called when the ground or the colours behind the mechanism have changed."""
        # lights with a direction complain in the page when they are made: the player makes them there
        self._lights = [
            three.HemisphereLight(
                light.above, light.below, intensity=light.strength, position=triple_of(FAR * np.array(light.up))
            )
            for light in SKYLIGHTS
        ]
        # the scene is turned so that up is up for the camera, and what has the picture's axes is turned back
        self.level: Any = three.Group(children=list(self._lights))
        """What has the picture's axes; the player puts the ground and its lights here."""
        self.actors: Any = three.Group()
        """What can be picked: the bodies and their joints, put here by the picture."""
        self.scene: Any = three.Scene(
            children=[self.actors, self.level],
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
            antialias=False,  # the player smooths edges itself, where there is time (page/edges.js)
        )
        self.look()

    def repaint(self, theme: str) -> None:
        """Change what lies behind the mechanism."""
        self.theme = THEMES[theme]
        self.scene.background = self.theme.background
        self.furnished()

    @property
    def scenery(self) -> dict[str, Any]:
        """What the player draws about the mechanism: sky, lights with a direction, the ground if there is one."""
        ground = ground_of(self.setting)
        return {
            **behind(self.theme),
            "dark": behind(DARK),
            "sun": sun_of(self.setting)._asdict(),
            "ground": None if ground is None else ground._asdict(),
            "axes": [
                {"name": name, "colour": colour, "direction": way}
                for (name, colour), way in zip(AXES, axis_directions(self.setting), strict=True)
            ],
            "gravity": _down(gravity_direction(self.setting, self._gravity)),
            "middle": triple_of(self.setting.upright @ self.setting.target),
            "radius": float(self.setting.radius),
        }

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
        """Suit ground and camera to a mechanism."""
        self.setting = setting
        self.scene.quaternion = quaternion_of_matrix(setting.upright)
        self.level.quaternion = quaternion_of_matrix(setting.upright.T)
        self.furnished()

    def point_gravity(self, gravity: Any) -> None:
        """Turn the arrow of gravity, or leave it out where there is none."""
        pointed = tuple(map(float, gravity))
        if pointed == self._gravity:  # a change on the stage costs the page a whole picture
            return
        self._gravity = pointed
        self.furnished()

    def look(self, view: str | None = None) -> None:
        """Turn the camera to a standard view, the last one unless told, and fit the mechanism into it."""
        self.view = view or self.view
        seen = self.viewpoint(self.view)
        with self.camera.hold_sync():
            self.camera.position = triple_of(seen.place)
            self.camera.near, self.camera.far = seen.near, seen.far
        self.orbit.target = triple_of(seen.target)
        self.camera.lookAt(self.orbit.target)

    def place_of(self, view: str) -> tuple[float, float, float]:
        """Where the camera stands for a view, with the mechanism fitted into it."""
        return triple_of(self.viewpoint(view).place)

    def target_of(self, view: str) -> tuple[float, float, float]:
        """Where the camera looks for a view."""
        return triple_of(self.viewpoint(view).target)

    def in_world(self, point: Any) -> np.ndarray:
        """A point (3,) of the picture's axes, as a click gives it, in those of the world."""
        return np.asarray(np.asarray(point, dtype=float) @ self.setting.upright)

    def viewpoint(self, view: str) -> Viewpoint:
        """The camera for a view, with the mechanism fitted into it."""
        return viewpoint_of(self.setting, view, self.camera.aspect)

    def close(self) -> None:
        """Free all that the stage made."""
        for item in (self.level, *self._lights):
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


def behind(theme: Theme) -> dict[str, Any]:
    """What lies behind the mechanism."""
    names = ("background", "sky", "lines", "shade")
    return {name: getattr(theme, name) for name in names}


def _down(direction: tuple[float, float, float] | None) -> dict[str, Any] | None:
    """What the player draws of gravity in a corner."""
    return None if direction is None else {"direction": direction, "colour": GRAVITY}
