"""Arrows: a shaft that is scaled and a head that is kept; a double head for moments and rotations.

The player places, scales, turns and hides them; here they are made and coloured.
"""

from __future__ import annotations

from typing import Any, Final

import pythreejs as three

from .labels import Label
from .meshes import Geometries

__all__ = ["BOLD", "HEAD", "Arrow"]

HEAD: Final = (0.017, 0.05)
"""Radius and length of the head, as shares of a size."""
SHAFT: Final = 0.0065
BOLD: Final = 1.4
"""The size that suits a picture, over the radius of what is seen."""


class Arrow:
    """An arrow along y of a group of its own: children are the shaft, the head and, if double, a second head."""

    def __init__(
        self, geometries: Geometries, colour: str, text: str, double: bool = False, through: bool = True
    ) -> None:
        """``through``: seen through bodies, as what acts inside them must be."""
        self.double, self.colour = double, colour
        # what is transparent is drawn after the bodies, and without the depth test over them
        self._surface = three.MeshPhongMaterial(
            color=colour,
            emissive=colour,
            emissiveIntensity=0.12,
            shininess=6,
            transparent=through,
            depthTest=not through,
        )
        self.shaft = three.Mesh(geometries["cylinder"], self._surface, renderOrder=5)
        self.heads = [three.Mesh(geometries["cone"], self._surface, renderOrder=6) for _ in range(1 + double)]
        self.group: Any = three.Group(children=[self.shaft, *self.heads], visible=False)
        self.label = Label(text, colour)

    @property
    def objects(self) -> list[Any]:
        """What stands on the stage."""
        return [self.group, self.label.sprite]

    def resize(self, size: float) -> None:
        """Thickness for this size, m, of an arrow that the player does not scale."""
        self.shaft.scale = (SHAFT * size, 1.0, SHAFT * size)
        for head in self.heads:
            head.scale = (HEAD[0] * size, HEAD[1] * size, HEAD[0] * size)

    def close(self) -> None:
        """Free all that the arrow made."""
        self.label.close()
        for item in (self.shaft, *self.heads, self.group, self._surface):
            item.close()
