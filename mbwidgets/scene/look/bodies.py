"""A body on the stage: a group that the player moves, with meshes that follow the body's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pythreejs as three

from .meshes import Geometries, PartMesh, matt_material
from .paint import shell_tints
from .palette import Theme, body_colour
from .shapes import Part
from .shell import NOTHING, Shell
from .shell_mesh import ShellMesh, buried_material, mark_material, shell_material
from .surfaces import GLASS, selection_glow

__all__ = ["BodyView", "JointView", "PartGroup", "ShellGroup", "SpanView"]

GLASSY: Final = "glass"
"""By this name the page knows a surface that throws a shadow although it is seen through."""
THROUGH: Final = 2
"""When what bodies hide of a joint is drawn: after all bodies, before what stands over them."""
OVER: Final = 8
"""When a mark is drawn: after bodies and arrows, whose feet may lie under it."""


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


class ShellGroup:
    """A group with one mesh of many triangles, in the colours of their roles; updated in place while there is room."""

    def __init__(self, index: int, theme: Theme) -> None:
        """``index``: the body whose colour it has, or one below zero for the ground's."""
        self.group: Any = three.Group()
        self.index, self.theme = index, theme
        self._surface = shell_material()
        self._mesh: ShellMesh | None = None
        self._painted: Theme | None = None

    @property
    def meshes(self) -> list[Any]:
        """The three.js mesh, if there is anything to show."""
        return [] if self._mesh is None else [self._mesh.mesh]

    def has(self, mesh: Any) -> bool:
        """Whether a mesh is one of its own, for picking."""
        return mesh in self.meshes

    @property
    def shell(self) -> Shell:
        """What is shown."""
        return NOTHING if self._mesh is None else self._mesh.shell

    def show(self, shell: Shell) -> None:
        """Show this shell; the one that is shown in these colours needs nothing."""
        if self._mesh is not None and shell is self._mesh.shell and self._painted is self.theme:
            return
        self._painted = self.theme
        tints = shell_tints(shell, self.index, self.theme)
        if self._mesh is not None and self._mesh.fits(shell):
            self._mesh.update(shell, tints)
            return
        old = self._mesh
        gone = [] if old is None else [old.mesh]
        self._mesh = ShellMesh(shell, tints, self._surface) if len(shell) else None
        self.group.children = [*(child for child in self.group.children if child not in gone), *self.meshes]
        if old is not None:
            old.close()

    def repaint(self, theme: Theme) -> None:
        """Change to another theme."""
        self.theme = theme
        self.show(self.shell)

    def glow(self, colour: str) -> None:
        """Light the surface from within: the mark of what is selected."""
        self._surface.emissive = colour

    def close(self) -> None:
        """Free all that the group made."""
        if self._mesh is not None:
            self._mesh.close()
        for thing in (self._surface, self.group):
            thing.close()


class JointView(ShellGroup):
    """What a parent has of a joint; where bodies hide it, it may be seen pale through them."""

    def __init__(self, index: int, theme: Theme) -> None:
        super().__init__(index, theme)
        self._pale = buried_material()
        self._twin: Any = None

    def has(self, mesh: Any) -> bool:
        """Whether a mesh is one of its own."""
        return super().has(mesh) or (self._twin is not None and mesh is self._twin)

    def show(self, shell: Shell) -> None:
        """Show this shell, once more where it is hidden."""
        before = self._mesh
        super().show(shell)
        if self._mesh is before:
            return
        if self._twin is not None:
            self.group.remove(self._twin)
            self._twin.close()
        self._twin = None if self._mesh is None else self._mesh.once_more(self._pale)
        if self._twin is not None:
            self._twin.renderOrder, self._twin.visible = THROUGH, False
            self.group.add(self._twin)

    def show_through(self, buried: bool) -> None:
        """Show what bodies hide of the joint, or not."""
        if self._twin is not None:
            self._twin.visible = buried

    def close(self) -> None:
        """Free all that the joint made."""
        for thing in (self._pale, *([] if self._twin is None else [self._twin])):
            thing.close()
        super().close()


class SpanView:
    """What lies between two points: three groups in one, which the player lays along their line."""

    def __init__(self, theme: Theme) -> None:
        self.parts = [ShellGroup(-1, theme) for _ in range(3)]
        self.group: Any = three.Group(children=[part.group for part in self.parts])

    def show(self, shells: Sequence[Shell]) -> None:
        """Show what is at the first end, what is stretched, what is at the second."""
        for part, shell in zip(self.parts, shells, strict=True):
            part.show(shell)

    def repaint(self, theme: Theme) -> None:
        """Change to another theme."""
        for part in self.parts:
            part.repaint(theme)

    def close(self) -> None:
        """Free all that it made."""
        for part in self.parts:
            part.close()
        self.group.close()


class BodyView(ShellGroup):
    """A body, in the colour of its place in the model, with what is cut out of it."""

    def __init__(self, geometries: Geometries, index: int, theme: Theme) -> None:
        super().__init__(index, theme)
        self._geometries = geometries
        self._holes: PartGroup | None = None
        self._over = mark_material()
        self._mark: ShellMesh | None = None

    def point_out(self, mark: Shell, over: bool = True) -> None:
        """Show the mark of the mass centre, or none; ``over`` everything, or where it is."""
        self._over.depthTest = not over
        tints = shell_tints(mark, self.index, self.theme)
        if self._mark is not None and self._mark.fits(mark):
            self._mark.update(mark, tints)
            return
        if self._mark is not None:
            self.group.remove(self._mark.mesh)
            self._mark.close()
            self._mark = None
        if len(mark):
            self._mark = ShellMesh(mark, tints, self._over)
            self._mark.mesh.renderOrder = OVER
            self._mark.mesh.name = "centre"  # by this name the page knows what labels are not to cover
            self.group.add(self._mark.mesh)

    def cut(self, holes: Sequence[Part]) -> None:
        """Show what is cut out."""
        if holes and self._holes is None:
            self._holes = PartGroup(self._geometries, body_colour(self.index))
            self.group.add(self._holes.group)
        if self._holes is not None:
            self._holes.show(holes)

    def select(self, selected: bool, glass: bool = False) -> None:
        """Show whether the body is the selected one, which may be of glass."""
        self.glow(selection_glow(self.theme.selected) if selected else "#000000")
        clear = selected and glass
        with self._surface.hold_sync():
            self._surface.opacity = GLASS if clear else 1.0
            self._surface.transparent, self._surface.depthWrite = clear, not clear
            self._surface.name = GLASSY if clear else ""

    def close(self) -> None:
        """Free all that the body made."""
        if self._holes is not None:
            self._holes.close()
        if self._mark is not None:
            self._mark.close()
        self._over.close()
        super().close()
