"""The stage: camera, light, ground, grid, world axes and the direction of gravity."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pythreejs as three

from ...numeric.base.rotations import quaternion_from_y
from ..look.arrows import BOLD, HEAD, Arrow
from ..look.meshes import Geometries
from ..look.palette import THEMES, Theme
from .framing import TRIAD

__all__ = ["VIEWS", "Stage"]

VIEWS: Final[dict[str, tuple[float, float, float]]] = {
    "iso": (1.0, -1.25, 0.75),
    "front": (0.0, -1.0, 0.0),
    "back": (0.0, 1.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "top": (0.0, -1e-3, 1.0),
}
"""Directions from the target to the camera, z up."""
FIELD: Final = 35.0
CLOSE: Final = 1.06
"""Distance of the camera over that at which what it must hold touches the sides of the picture."""
CELLS: Final = 16
"""Of the grid, each 1, 2 or 5 of a decade wide."""
AXES: Final = (("x", (1, 0, 0), "#C0392B"), ("y", (0, 1, 0), "#2E8B57"), ("z", (0, 0, 1), "#2C6FBB"))
GRAVITY: Final = "#7A7F87"
"""Colour of gravity's arrow; ``CORNER`` is where it begins, in radii from the target."""
CORNER: Final = np.array([-0.72, -0.35, 0.55])


class Stage:
    """A renderer with all that does not belong to one mechanism. ``add`` and ``remove`` put objects on it."""

    def __init__(self, width: int = 680, height: int = 460, theme: str = "light") -> None:
        self.geometries = Geometries()
        self.theme: Theme = THEMES[theme]
        self.size = self.radius = 1.0
        self.view = "iso"
        self._pointed: tuple[float, ...] = ()
        self._target = np.zeros(3)
        self._balls, self._marks = np.array([[0.0, 0.0, 0.0, 1.0]]), np.zeros((0, 4))
        # Hemispheres shade by direction; directional lights complain in the page when they are made.
        self._lights = [
            three.HemisphereLight("#ffffff", "#8d8f96", intensity=0.66, position=(0.25, -0.55, 0.8)),
            three.HemisphereLight("#ffffff", "#5b5e66", intensity=0.32, position=(0.9, 0.3, 0.2)),
        ]
        self._make_ground()
        self._make_triad()
        self.gravity = Arrow(self.geometries, GRAVITY, "g", through=False)
        self.actors: Any = three.Group()
        """What can be picked: the bodies and their joints, put here by the picture."""
        self.scene: Any = three.Scene(
            children=[self.actors, *self._lights, self._floor, self._grid, self._triad, *self.gravity.objects],
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
            color=self.theme.ground, transparent=True, opacity=0.2, side="DoubleSide", depthWrite=False
        )
        self._floor = three.Mesh(self.geometries["box"], self._paint)
        # a GridHelper would keep its geometry for ever
        self._ends = three.BufferAttribute(_grid_lines(), normalized=False)
        self._lines = three.BufferGeometry(attributes={"position": self._ends})
        self._ink = three.LineBasicMaterial(color=self.theme.lines)
        self._grid = three.LineSegments(self._lines, self._ink)

    def _make_triad(self) -> None:
        # seen through the bodies, which often stand at the origin
        self._axes = [Arrow(self.geometries, colour, name) for name, _, colour in AXES]
        parts = []
        for arrow, (_, direction, _) in zip(self._axes, AXES, strict=True):
            arrow.group.visible = True
            arrow.group.quaternion = quaternion_from_y(direction)
            parts += arrow.objects
        self._triad = three.Group(children=parts)

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

    def furnish(self, size: float, target: Any, radius: float, floor: float = 0.0, balls: Any = None) -> None:
        """Suit ground, axes and camera to a mechanism of this size, within ``radius`` of the target.

        ``balls``: middles and radii (n, 4) that the camera must hold; all of the ball about the target unless given.
        """
        self.size, self.radius, self._target = size, radius, np.asarray(target, dtype=float)
        self._balls = np.array([[*self._target, radius]]) if balls is None else balls
        decade = 10 ** np.floor(np.log10(size))
        cell = float(decade * (0.5 if size / decade >= 2.5 else 0.2))
        self._grid.scale = (cell, cell, 1.0)
        self._floor.scale = (CELLS * cell, CELLS * cell, 1e-3 * size)
        self._floor.position = (0.0, 0.0, floor - 2e-3 * size)
        self._grid.position = (0.0, 0.0, floor)
        for arrow, (_, direction, _) in zip(self._axes, AXES, strict=True):
            _still(arrow, TRIAD * radius, np.zeros(3), np.array(direction, dtype=float), 0.75 * BOLD * radius)

    def point_gravity(self, gravity: Any) -> None:
        """Turn the gravity arrow, or hide it where there is none."""
        g = np.asarray(gravity, dtype=float)
        as_it_is = (*g, *self._target, self.radius)
        if as_it_is == self._pointed:  # a change on the stage costs the page a whole picture
            return
        self._pointed = as_it_is
        strength = float(np.linalg.norm(g))
        self.gravity.group.visible = self.gravity.label.sprite.visible = strength > 0
        self._marks = np.zeros((0, 4))
        if strength > 0:
            place = self._target + CORNER * self.radius
            length = 0.26 * self.radius * min(2.0, strength / 9.81)
            ends = np.array([place, place + (length + 0.08 * self.radius) * g / strength])
            self._marks = np.column_stack([ends, np.full(2, 0.04 * self.radius)])
            self.gravity.group.quaternion = quaternion_from_y(g)
            _still(self.gravity, length, place, g / strength, 0.75 * BOLD * self.radius)

    def look(self, view: str | None = None) -> None:
        """Turn the camera to a standard view, the last one unless told, and fit the mechanism into it."""
        self.view = view or self.view
        with self.camera.hold_sync():
            self.camera.position = self.place_of(self.view)
            self.camera.near, self.camera.far = 0.01 * self.size, 200.0 * self.size
        self.orbit.target = tuple(map(float, self._target))
        self.camera.lookAt(self.orbit.target)

    def place_of(self, view: str) -> tuple[float, float, float]:
        """Where the camera stands for a view, with the mechanism fitted into it."""
        back = np.array(VIEWS[view]) / np.linalg.norm(VIEWS[view])
        right = np.cross((0.0, 0.0, 1.0), back)
        right /= np.linalg.norm(right)
        balls = np.concatenate([self._balls, self._marks])
        seen, reach = (balls[:, :3] - self._target) @ np.array([right, np.cross(back, right), back]).T, balls[:, 3:]
        slope = np.tan(np.radians(FIELD / 2)) * np.array([self.camera.aspect, 1.0])
        # the least distance at which each ball touches none of the four sides
        aside = np.abs(seen[:, :2]) / slope + reach / np.sin(np.arctan(slope))
        distance = max(CLOSE * float((seen[:, 2:] + aside).max()), self.radius)
        x, y, z = self._target + distance * back
        return (float(x), float(y), float(z))

    def close(self) -> None:
        """Free all that the stage made."""
        for arrow in (*self._axes, self.gravity):
            arrow.close()
        for item in (
            self._triad,
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


def _grid_lines() -> np.ndarray:
    """Ends of the lines of a grid of unit cells in the plane z = 0, (lines · 2, 3)."""
    half = CELLS / 2
    places = np.arange(CELLS + 1) - half
    ends = [((x, -half, 0), (x, half, 0)) for x in places] + [((-half, y, 0), (half, y, 0)) for y in places]
    return np.array(ends, dtype=np.float32).reshape(-1, 3)


def _still(arrow: Arrow, length: float, at: np.ndarray, direction: np.ndarray, radius: float) -> None:
    """Place an arrow that the player does not move, as thick as in a picture of this radius."""
    arrow.resize(radius)
    head = min(HEAD[1] * radius, 0.6 * length)
    arrow.group.position = tuple(map(float, at))
    arrow.shaft.scale = (arrow.shaft.scale[0], length - head, arrow.shaft.scale[2])
    arrow.shaft.position = (0.0, (length - head) / 2, 0.0)
    arrow.heads[0].position = (0.0, length - head / 2, 0.0)
    tip = at + direction * (length + 0.06 * radius)
    arrow.label.sprite.position = tuple(map(float, tip))
