"""The equivalent ellipsoid of a body's inertia: as pale as breath, with a line about each of its axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pythreejs as three

from .ellipse import ellipse_lines
from .meshes import Geometries
from .shapes import Part
from .surfaces import BREATH, OUTLINE

__all__ = ["EllipsoidView"]


class EllipsoidView:
    """An ellipsoid in a group that can hang on any body; it hides nothing and throws no shadow."""

    def __init__(self, geometries: Geometries, colour: str) -> None:
        self.group: Any = three.Group()
        look = {"color": colour, "transparent": True, "depthWrite": False}
        self._skin = three.MeshBasicMaterial(opacity=BREATH, side="DoubleSide", **look)
        self._ink = three.LineBasicMaterial(opacity=OUTLINE, **look)
        lines = ellipse_lines()
        pairs = np.stack([lines[:, :-1], lines[:, 1:]], axis=2).reshape(-1, 3)
        self._points = three.BufferAttribute(pairs.astype(np.float32), normalized=False)
        self._curves = three.BufferGeometry(attributes={"position": self._points})
        self._parts = [
            three.Mesh(geometries["ball"], self._skin, renderOrder=2),
            three.LineSegments(self._curves, self._ink, renderOrder=2),
        ]
        self.group.children = self._parts
        self.group.visible = False

    def show(self, part: Part | None) -> None:
        """Show an ellipsoid, a scaled ball, or none."""
        self.group.visible = part is not None
        if part is None:
            return
        for item in self._parts:
            with item.hold_sync():
                item.position, item.quaternion, item.scale = part.at, part.turn, part.scale

    def paint(self, colour: str) -> None:
        """Change the colour."""
        self._skin.color = self._ink.color = colour

    def close(self) -> None:
        """Free all that it made."""
        for item in (*self._parts, self._curves, self._points, self._skin, self._ink, self.group):
            item.close()
