"""Arrows, as thick on the screen wherever they stand; a double head for moments and rotations.

The player places, scales, turns and hides them; here they are made and coloured.
"""

from __future__ import annotations

from typing import Any

import pythreejs as three

from .arrow_bands import DASHES, HEADLESS, PATTERNS, STRIPES, band_name
from .labels import Label
from .meshes import Geometries
from .surfaces import ARROW_GLOW, ARROW_LIT, dimmed, paled

__all__ = ["Arrow"]


class Arrow:
    """An arrow along y of a group of its own: shaft, head, a second one if double, bands, the foot and its middle."""

    def __init__(
        self,
        geometries: Geometries,
        colour: str,
        text: str,
        double: bool = False,
        through: bool = True,
        pattern: str = "",
        acts: bool = True,
    ) -> None:
        """``through``: seen through bodies, as what acts inside them must be; ``pattern``: one of `PATTERNS`.

        ``acts``: it acts where it begins, and has a foot there; a direction does not.
        """
        self.double, self.colour = double, colour
        # what is transparent is drawn after the bodies; the page draws what they hide of it once more, pale
        self._surface = _surface(colour, through)
        self._pale = _surface(paled(colour), through) if pattern == STRIPES else None
        self.shaft = three.Mesh(geometries["cylinder"], self._surface, renderOrder=5, visible=pattern != DASHES)
        heads = 0 if pattern in HEADLESS else 1 + double
        self.heads = [three.Mesh(geometries["cone"], self._surface, renderOrder=6) for _ in range(heads)]
        self.bands = [
            three.Mesh(geometries["cylinder"], self._pale or self._surface, renderOrder=6, name=band_name(band))
            for band in PATTERNS.get(pattern, ())
        ]
        self._dot = three.MeshBasicMaterial(color=colour, transparent=True, depthTest=False, depthWrite=False)
        # below the mark of a mass centre, over all else: where an arrow acts is seen through what hides it
        self.foot = three.Mesh(geometries["dot"], self._dot, renderOrder=6, name="foot")
        self._core = three.MeshBasicMaterial(color=colour, transparent=True, depthTest=False, depthWrite=False)
        self.seat = three.Mesh(geometries["dot"], self._core, renderOrder=7, name="seat")
        parts = [self.shaft, *self.heads, *self.bands, *([self.foot, self.seat] if acts else [])]
        self.group: Any = three.Group(children=parts, visible=False, name="arrow")
        self.label = Label(text, colour)

    @property
    def objects(self) -> list[Any]:
        """What stands on the stage."""
        return [self.group, self.label.sprite]

    @property
    def _meshes(self) -> list[Any]:
        return [self.shaft, *self.heads, *self.bands, self.foot, self.seat]

    def close(self) -> None:
        """Free all that the arrow made."""
        self.label.close()
        surfaces = [self._surface] if self._pale is None else [self._surface, self._pale]
        for item in (*self._meshes, self.group, self._dot, self._core, *surfaces):
            item.close()


def _surface(colour: str, through: bool) -> Any:
    return three.MeshPhongMaterial(
        color=dimmed(colour, ARROW_LIT),
        emissive=colour,
        emissiveIntensity=ARROW_GLOW,
        shininess=6,
        transparent=through,
    )
