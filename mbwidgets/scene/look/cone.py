"""The Staude cone on the stage: a fan of axes fixed in a body, coloured by speed, and the vertical beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pythreejs as three

from ...numeric.permanent.cone_curves import ConeCurve
from .cone_shape import SpeedScale, barycentre_parts, cone_fan, vertical_parts
from .extras import WORLD, Extra, Fan
from .labels import Label
from .meshes import Geometries, PartMesh
from .palette import GREY, QUANTITY
from .shapes import STRAIGHT, Part
from .surfaces import FAN

__all__ = ["Barycentres", "Cone"]

ROOM: Final = 1200
"""Triangles that the buffers have room for: they never change their size."""


class Cone:
    """A fan of triangles from the joint along the axes; ``group`` goes into the group of the body."""

    def __init__(self, geometries: Geometries) -> None:
        self._points = three.BufferAttribute(np.zeros((3 * ROOM, 3), dtype=np.float32), normalized=False, dynamic=True)
        self._tints = three.BufferAttribute(np.ones((3 * ROOM, 3), dtype=np.float32), normalized=False, dynamic=True)
        self._fan = three.BufferGeometry(attributes={"position": self._points, "color": self._tints})
        self._surface = three.MeshBasicMaterial(
            vertexColors="VertexColors", side="DoubleSide", transparent=True, opacity=FAN, depthWrite=False
        )
        self.mesh = three.Mesh(self._fan, self._surface, renderOrder=2)
        self.group: Any = three.Group(children=[self.mesh])
        self._dark = three.MeshBasicMaterial(color=GREY)
        kinds = ("cylinder", "cone")
        self._upright = [PartMesh(Part(kind, (0, 0, 0), STRAIGHT, (1, 1, 1)), geometries, self._dark) for kind in kinds]
        self._label = Label("ν", GREY)
        self.vertical: Any = three.Group(children=[item.mesh for item in self._upright])
        self._shown: Any = None
        self._cone = Fan(np.zeros((0, 3, 3)), np.zeros((0, 3, 3)))
        self._drawn: list[Extra] = []

    @property
    def objects(self) -> list[Any]:
        """What stands on the stage: the vertical and its name."""
        return [self.vertical, self._label.sprite]

    def show(self, curves: Sequence[ConeCurve], scale: SpeedScale, length: float) -> None:
        """Show these curves as a fan of this length, m."""
        wanted = (tuple(curve.axes.tobytes() for curve in curves), scale, length)
        if wanted == self._shown:
            return
        self._shown = wanted
        self._cone = cone_fan(curves, scale, length)
        self._points.array, self._tints.array = _padded(self._cone.corners), _padded(self._cone.tints)

    def blank(self, why: str) -> None:
        """No fan; it has no words."""
        self.show([], SpeedScale(1.0, 10.0), 0.0)

    def stand(self, at: Any, down: Any, length: float) -> None:
        """Draw the vertical through a point, ``down`` a unit vector, with ν at its lower end."""
        parts, word = vertical_parts(at, down, length)
        for item, part in zip(self._upright, parts, strict=True):
            item.update(part)
        self._label.sprite.position = word.place
        self._drawn = [Extra(WORLD, GREY, parts, words=[word])]

    def extras(self, groups: Sequence[Any]) -> list[Extra]:
        """The vertical, and the fan in the axes of the body that it is fixed in."""
        home = next((k for k, group in enumerate(groups) if self.group in group.children), None)
        if home is None or not self.group.visible:
            return self._drawn
        return [*self._drawn, Extra(home, GREY, opacity=FAN, fan=self._cone)]

    def close(self) -> None:
        """Free all that was made here."""
        self._label.close()
        own = (self.mesh, self._fan, self._points, self._tints, self._surface, *self._upright, self._dark)
        for item in (*own, self.group, self.vertical):
            item.close()


class Barycentres:
    """Balls at the barycentres of the augmented bodies, larger where more mass is counted, fixed in their bodies."""

    def __init__(self, geometries: Geometries) -> None:
        self._geometries = geometries
        # seen through the bodies that they are in
        self._surface = three.MeshPhongMaterial(color=QUANTITY["static"], transparent=True, depthTest=False)
        self.balls: list[Any] = []
        self._parts: list[Part] = []

    def show(self, groups: Sequence[Any], places: np.ndarray, masses: np.ndarray, size: float) -> None:
        """Put one into each body's group: ``places`` (n, 3) in body axes, ``masses`` (n,) m_i + m_i*."""
        while len(self.balls) < len(groups):
            self.balls.append(three.Mesh(self._geometries["ball"], self._surface, renderOrder=4))
        self._parts = barycentre_parts(places, masses, size)
        for ball, group, part in zip(self.balls, groups, self._parts, strict=False):
            with ball.hold_sync():
                ball.position, ball.scale = part.at, part.scale
            if ball not in group.children:
                group.add(ball)
            ball.visible = True

    def extras(self, groups: Sequence[Any]) -> list[Extra]:
        """The balls, each in the axes of its body."""
        return [Extra(k, self._surface.color, [part], through=True, lit=True) for k, part in enumerate(self._parts)]

    def blank(self, why: str) -> None:
        """No balls; they have no words."""
        self._parts = []
        for ball in self.balls:
            ball.visible = False

    def close(self) -> None:
        """Free them in the page."""
        for item in (*self.balls, self._surface):
            item.close()


def _padded(rows: np.ndarray) -> np.ndarray:
    out = np.zeros((3 * ROOM, 3), dtype=np.float32)
    given = rows.reshape(-1, 3)[: 3 * ROOM]
    out[: len(given)] = given
    return out
