"""Marks that are fixed in a body and seen through it: points, lines and planes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pythreejs as three

from .extras import Extra
from .meshes import Geometries, PartMesh
from .shapes import Part

__all__ = ["Markers"]


class Markers:
    """A few named parts in a group that can hang on any body; each name has its colour and opacity for ever."""

    def __init__(self, geometries: Geometries, looks: Mapping[str, tuple[str, float]]) -> None:
        self._geometries = geometries
        self.group: Any = three.Group()
        self._surfaces = {name: _surface(*look) for name, look in looks.items()}
        self._meshes: dict[str, PartMesh] = {}
        self._home: Any = None
        self._looks = dict(looks)
        self._parts: dict[str, Part | None] = {}

    def show(self, home: Any, parts: Mapping[str, Part | None]) -> None:
        """Show parts, in the axes of the group of a body; None hides one."""
        for name, part in parts.items():
            self._show(name, part)
        if self._home is not home:
            self.leave()
            home.add(self.group)
            self._home = home

    def _show(self, name: str, part: Part | None) -> None:
        self._parts[name] = part
        if part is None:
            if name in self._meshes:
                self._meshes[name].mesh.visible = False
            return
        if name not in self._meshes:
            self._meshes[name] = PartMesh(part, self._geometries, self._surfaces[name])
            self._meshes[name].mesh.renderOrder = 3
            self.group.add(self._meshes[name].mesh)
        self._meshes[name].update(part)
        self._meshes[name].mesh.visible = True

    @property
    def meshes(self) -> dict[str, Any]:
        """The meshes that have been needed so far, by name."""
        return {name: mesh.mesh for name, mesh in self._meshes.items()}

    def extras(self, groups: Sequence[Any]) -> list[Extra]:
        """The marks that are seen, in the axes of their body."""
        if self._home not in groups:
            return []
        home = list(groups).index(self._home)
        return [
            Extra(home, self._looks[name][0], [part], self._looks[name][1], through=True)
            for name, part in self._parts.items()
            if part is not None
        ]

    def blank(self, why: str) -> None:
        """No marks; they have no words."""
        for name in self._meshes:
            self._show(name, None)

    def leave(self) -> None:
        """Take the marks off their body."""
        if self._home is not None and self.group in self._home.children:
            self._home.remove(self.group)
        self._home = None

    def close(self) -> None:
        """Free all that the marks made; the body that they are on is closed with them."""
        for mesh in self._meshes.values():
            mesh.close()
        for item in (*self._surfaces.values(), self.group):
            item.close()


def _surface(colour: str, opacity: float) -> Any:
    """Flat colour over all that is drawn before it."""
    return three.MeshBasicMaterial(
        color=colour, transparent=True, opacity=opacity, depthTest=False, depthWrite=False, side="DoubleSide"
    )
