"""A shell as one three.js mesh: its buffers have some room, so that a slider never makes a new geometry."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pythreejs as three

from .shell import Shell
from .surfaces import BURIED

__all__ = ["ShellMesh", "buried_material", "mark_material", "shell_material"]

SPARE: Final = 1.3
"""Room of a buffer over what is first in it: a joint of another kind fits in."""
BEYOND: Final = 4.0
"""Where points without a triangle lie, over the reach of the others: what picks by a ball about all finds the mesh
after it has grown, too."""


def shell_material() -> Any:
    """A surface with the colours of its points, a little bright where light falls."""
    return three.MeshPhongMaterial(
        color="#ffffff", vertexColors="VertexColors", shininess=34, specular="#2C3036", side="FrontSide"
    )


def mark_material() -> Any:
    """A surface that is seen over everything but arrows and words, unless it is told to be hidden."""
    return three.MeshPhongMaterial(
        color="#ffffff", vertexColors="VertexColors", shininess=34, transparent=True, depthTest=False, side="FrontSide"
    )


def buried_material() -> Any:
    """A surface of which only what is hidden is seen, pale: of a joint inside the bodies that it joins."""
    return three.MeshBasicMaterial(
        color="#ffffff",
        vertexColors="VertexColors",
        transparent=True,
        opacity=BURIED,
        depthFunc="GreaterDepth",
        depthWrite=False,
    )


class ShellMesh:
    """One mesh for a shell, which follows its numbers."""

    def __init__(self, shell: Shell, tints: np.ndarray, surface: Any) -> None:
        self.shell = shell
        self._points, self._faces = (int(SPARE * count) + 3 for count in (len(shell.points), len(shell.faces)))
        self._buffers = {
            name: three.BufferAttribute(values, normalized=False, dynamic=True)
            for name, values in self._arrays(shell, tints).items()
        }
        self._geometry = three.BufferGeometry(attributes=dict(self._buffers))
        # three.js would go on to hide it by where it was at first
        self.mesh: Any = three.Mesh(self._geometry, surface, frustumCulled=False)

    def once_more(self, surface: Any) -> Any:
        """Another mesh of the same triangles with another surface, which is closed by whoever asks."""
        return three.Mesh(self._geometry, surface, frustumCulled=False)

    def fits(self, shell: Shell) -> bool:
        """Whether there is room for a shell."""
        return 0 < len(shell.points) <= self._points and len(shell.faces) <= self._faces

    def update(self, shell: Shell, tints: np.ndarray) -> None:
        """Show another shell; nothing is sent of what is as it was."""
        self.shell = shell
        for name, values in self._arrays(shell, tints).items():
            if not np.array_equal(self._buffers[name].array, values):
                self._buffers[name].array = values

    def close(self) -> None:
        """Free the mesh and its geometry; the surface is another's."""
        for item in (self.mesh, self._geometry, *self._buffers.values()):
            item.close()

    def _arrays(self, shell: Shell, tints: np.ndarray) -> dict[str, np.ndarray]:
        count = len(shell.points)
        points, normals, colours = (np.zeros((self._points, 3), dtype=np.float32) for _ in range(3))
        faces = np.zeros(3 * self._faces, dtype=np.uint32)
        points[:count], normals[:count], colours[:count] = shell.points, shell.normals, tints
        middle = (shell.points.min(axis=0) + shell.points.max(axis=0)) / 2
        corners = np.array([middle + BEYOND * (end(shell.points) - middle) for end in (_low, _high)])
        points[count:] = np.resize(corners, (self._points - count, 3))
        faces[: 3 * len(shell.faces)] = shell.faces.reshape(-1)
        return {"position": points, "normal": normals, "color": colours, "index": faces}


def _low(points: np.ndarray) -> np.ndarray:
    return np.asarray(points.min(axis=0))


def _high(points: np.ndarray) -> np.ndarray:
    return np.asarray(points.max(axis=0))
