"""A body on the stage: a group that the player moves, with meshes that follow the body's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pythreejs as three

from .meshes import Geometries, PartMesh, matt_material
from .palette import Theme, body_colour
from .shapes import Part
from .surfaces import selection_glow

__all__ = ["BodyView", "PartGroup"]


class PartGroup:
    """A group of parts with one surface, updated in place; meshes are made anew only where the kinds change."""

    def __init__(self, geometries: Geometries, colour: str) -> None:
        self.group = three.Group()
        self._geometries = geometries
        self._solid, self._ghost = matt_material(colour), matt_material(colour, ghost=True)
        self._meshes: list[PartMesh] = []

    @property
    def meshes(self) -> list[Any]:
        """The three.js meshes, for picking."""
        return [item.mesh for item in self._meshes]

    def show(self, parts: Sequence[Part]) -> None:
        """Show these parts."""
        if len(parts) == len(self._meshes) and all(
            mesh.fits(part) for mesh, part in zip(self._meshes, parts, strict=True)
        ):
            for mesh, part in zip(self._meshes, parts, strict=True):
                mesh.update(part)
            return
        old = self._meshes
        self._meshes = [PartMesh(part, self._geometries, self._ghost if part.ghost else self._solid) for part in parts]
        gone = {item.mesh for item in old}
        self.group.children = [child for child in self.group.children if child not in gone] + self.meshes
        for item in old:
            item.close()

    def paint(self, colour: str) -> None:
        """Change the colour."""
        self._solid.color = self._ghost.color = colour

    def glow(self, colour: str) -> None:
        """Light the surface from within: the mark of what is selected."""
        self._solid.emissive = colour

    def close(self) -> None:
        """Free all that the group made."""
        for item in self._meshes:
            item.close()
        for thing in (self._solid, self._ghost, self.group):
            thing.close()


class BodyView(PartGroup):
    """A body: its parts, in the colour of its place in the model."""

    def __init__(self, geometries: Geometries, index: int, theme: Theme) -> None:
        super().__init__(geometries, body_colour(index))
        self.index = index
        self.mark = theme.selected

    def select(self, selected: bool) -> None:
        """Show whether the body is the selected one."""
        self.glow(selection_glow(self.mark) if selected else "#000000")
