"""Unit geometries and meshes in the page: made once, placed and scaled for ever after."""

from __future__ import annotations

from typing import Any

import numpy as np
import pythreejs as three

from .shapes import Part
from .surfaces import GHOST

__all__ = ["Geometries", "PartMesh", "matt_material"]


class Geometries:
    """The unit geometries that every mesh of one stage shares."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, kind: str) -> Any:
        if kind not in self._made:
            self._made[kind] = _make(kind)
        return self._made[kind]

    def close(self) -> None:
        """Free them in the page."""
        for geometry in self._made.values():
            geometry.close()
        self._made.clear()


def _make(kind: str) -> Any:
    match kind:
        case "box":
            return three.BoxBufferGeometry(1, 1, 1)
        case "ball":
            return three.SphereBufferGeometry(1, 40, 24)
        case "dot":
            return three.SphereBufferGeometry(1, 12, 8)
        case "cone":
            return three.CylinderBufferGeometry(0, 1, 1, 40)
        case "cylinder":
            return three.CylinderBufferGeometry(1, 1, 1, 40)
    raise KeyError(kind)


def matt_material(colour: str, ghost: bool = False) -> Any:
    """A matt surface; a ghost is see-through and hides nothing."""
    return three.MeshPhongMaterial(
        color=colour,
        shininess=18,
        specular="#222222",
        transparent=ghost,
        opacity=GHOST if ghost else 1.0,
        depthWrite=not ghost,
        side="DoubleSide",
    )


class PartMesh:
    """One part as a mesh that follows the part's numbers."""

    def __init__(self, part: Part, geometries: Geometries, surface: Any) -> None:
        self.kind, self.ghost = part.kind, part.ghost
        self._own: list[Any] = []
        self._hollow = part.hollow
        if part.kind == "tube":
            self._points = three.BufferAttribute(_ring(part.hollow), normalized=False)
            index = three.BufferAttribute(_ring_faces(), normalized=False)
            geometry = three.BufferGeometry(attributes={"position": self._points, "index": index})
            self._own += [geometry, self._points, index]
            self._own.append(surface := _faceted(surface))
        else:
            geometry = geometries[part.kind]
        self.mesh = three.Mesh(geometry, surface)
        self.update(part)

    def fits(self, part: Part) -> bool:
        """Whether the mesh can show a part by its numbers alone."""
        return self.kind == part.kind and self.ghost == part.ghost

    def update(self, part: Part) -> None:
        """Show the part's present numbers; nothing is sent for those that are as they were."""
        # one message for three traits
        with self.mesh.hold_sync():
            self.mesh.position, self.mesh.quaternion, self.mesh.scale = part.at, part.turn, part.scale
        if part.hollow != self._hollow:
            self._hollow = part.hollow
            self._points.array = _ring(part.hollow)

    def close(self) -> None:
        """Free the mesh and what is its own; shared geometry and surface stay."""
        for item in (self.mesh, *self._own):
            item.close()


SEGMENTS = 48


def _faceted(surface: Any) -> Any:
    """A copy of a surface for a geometry that carries no normals."""
    return three.MeshPhongMaterial(
        color=surface.color, shininess=18, specular="#222222", flatShading=True, side="DoubleSide"
    )


def _ring(hollow: float) -> np.ndarray:
    """Points of a tube about y with outer radius 1 and length 1: four circles, (4 · SEGMENTS, 3)."""
    angle = np.linspace(0, 2 * np.pi, SEGMENTS, endpoint=False)
    circle = np.stack([np.cos(angle), np.zeros(SEGMENTS), np.sin(angle)], axis=1)
    up = np.array([0, 0.5, 0])
    return np.concatenate([circle + up, circle - up, hollow * circle - up, hollow * circle + up]).astype(np.float32)


def _ring_faces() -> np.ndarray:
    """Triangles that close circle k to circle k + 1 all round."""
    faces = []
    for k in range(4):
        a, b = k * SEGMENTS, (k + 1) % 4 * SEGMENTS
        for i in range(SEGMENTS):
            j = (i + 1) % SEGMENTS
            faces += [a + i, a + j, b + i, a + j, b + j, b + i]
    return np.array(faces, dtype=np.uint32)
