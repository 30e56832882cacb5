"""Arrows: a shaft that is scaled and a head that is kept; a double head for moments and rotations.

The player places, turns and hides them; here they are made, coloured and given their thickness.
"""

from __future__ import annotations

from typing import Any, Final

import pythreejs as three

from .labels import Label
from .meshes import Geometries

__all__ = ["HEAD", "Arrow"]

HEAD: Final = (0.017, 0.05)
"""Radius and length of the head, as shares of the model's size."""
SHAFT: Final = 0.0065
LABEL: Final = 0.054


class Arrow:
    """An arrow along y of a group of its own: children are the shaft, the head and, if double, a second head."""

    def __init__(
        self, geometries: Geometries, colour: str, text: str, double: bool, size: float, through: bool = True
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
        self.label = Label(text, colour, LABEL * size)
        self.resize(size)

    @property
    def objects(self) -> list[Any]:
        """What stands on the stage."""
        return [self.group, self.label.sprite]

    def resize(self, size: float) -> None:
        """Thickness for a mechanism of this size; lengths are the player's."""
        self.shaft.scale = (SHAFT * size, 1.0, SHAFT * size)
        for head in self.heads:
            head.scale = (HEAD[0] * size, HEAD[1] * size, HEAD[0] * size)
        self.label.resize(LABEL * size)

    def close(self) -> None:
        """Free all that the arrow made."""
        self.label.close()
        for item in (self.shaft, *self.heads, self.group, self._surface):
            item.close()
