"""A small software renderer: triangles with a depth buffer, lit from above; lines and words over them."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from .triangles import Mesh

__all__ = ["Camera", "Canvas", "rgb"]

FIELD: Final = np.radians(35.0)
"""Of the camera, as on the stage."""
LIGHTS: Final = (
    (np.array([0.25, -0.55, 0.8]), 0.66, np.array([141, 143, 150]) / 255),
    (np.array([0.9, 0.3, 0.2]), 0.32, np.array([91, 94, 102]) / 255),
)
"""The stage's two hemispheres: the way up, the strength, and the colour from below."""


def rgb(colour: str) -> np.ndarray:
    """``#RRGGBB`` as three shares."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255


class Camera:
    """A place that looks at a target, z up; `project` gives pixels and the distance."""

    def __init__(self, target: Any, direction: Any, distance: float, width: int, height: int) -> None:
        back = np.asarray(direction, dtype=float)
        back /= np.linalg.norm(back)
        right = np.cross([0.0, 0.0, 1.0], back)
        right /= np.linalg.norm(right)
        self.axes = np.stack([right, np.cross(back, right), back])
        self.place = np.asarray(target, dtype=float) + back * distance
        self.near = 0.02 * distance
        self._scale = height / 2 / np.tan(FIELD / 2)
        self._middle = np.array([width / 2, height / 2])

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels to the right and down, and the distance, of points (…, 3)."""
        seen = (points - self.place) @ self.axes.T
        depth = np.maximum(-seen[..., 2], self.near)
        out = np.empty(seen.shape)
        out[..., 0] = self._middle[0] + self._scale * seen[..., 0] / depth
        out[..., 1] = self._middle[1] - self._scale * seen[..., 1] / depth
        out[..., 2] = depth
        return out


class Canvas:
    """Colours and distances of the pixels."""

    def __init__(self, picture: np.ndarray, camera: Camera) -> None:
        self.colours = picture
        self.camera = camera
        self.depth: np.ndarray = np.full(picture.shape[:2], np.inf)

    @cached_property
    def _layer(self) -> tuple[np.ndarray, np.ndarray]:
        """Colours and distances of what is drawn by itself and then laid over the picture."""
        return np.empty_like(self.colours), np.full_like(self.depth, np.inf)

    def draw(self, mesh: Mesh, colour: np.ndarray, through: float = 0.0, glow: float = 0.0) -> None:
        """Draw triangles; ``through``: how strongly they are seen behind what is nearer, as arrows are."""
        layer = self._layer if through else (self.colours, self.depth)
        flat = self.camera.project(mesh.corners)
        x, y = flat[..., 0], flat[..., 1]
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        middles = mesh.corners.mean(axis=1)
        facing = ((self.camera.place - middles) * mesh.normals.mean(axis=1)).sum(axis=1) > 0
        shades = np.minimum(1.0, _lit(mesh.normals) * colour + glow * colour)
        for k in np.flatnonzero(facing & (np.abs(area) > 1e-9)):
            self._triangle(layer, flat[k], shades[k], area[k])
        if through:
            self._lay_over(self._box(flat), through)

    def _lay_over(self, box: tuple[slice, slice], through: float) -> None:
        """Put what was drawn by itself into the picture, and forget it."""
        colours, depth = (part[box] for part in self._layer)
        drawn, front = np.isfinite(depth), depth <= self.depth[box]
        share = np.where(front, 1.0, through)[drawn][:, None]
        under = self.colours[box]
        under[drawn] = share * colours[drawn] + (1 - share) * under[drawn]
        np.copyto(self.depth[box], depth, where=drawn & front)
        depth[:] = np.inf

    def _box(self, flat: np.ndarray) -> tuple[slice, slice]:
        """The rows and columns of the picture that these pixels (…, 3) span."""
        height, width = self.depth.shape
        x, y = flat[..., 0], flat[..., 1]
        left, right = (int(min(width, max(0, edge))) for edge in (x.min(), x.max() + 2))
        top, bottom = (int(min(height, max(0, edge))) for edge in (y.min(), y.max() + 2))
        return slice(top, bottom), slice(left, right)

    def _triangle(
        self, layer: tuple[np.ndarray, np.ndarray], corner: np.ndarray, shade: np.ndarray, area: float
    ) -> None:
        rows, columns = self._box(corner)
        left, right, top, bottom = columns.start, columns.stop, rows.start, rows.stop
        if left >= right or top >= bottom:
            return
        px = np.arange(left, right) + 0.5
        py = (np.arange(top, bottom) + 0.5)[:, None]
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corner
        # shares of the corners: each grows linearly over the picture
        b = ((px - x0) * (y2 - y0) - (x2 - x0) * (py - y0)) / area
        c = ((x1 - x0) * (py - y0) - (px - x0) * (y1 - y0)) / area
        a = 1 - b - c
        near = a / z0 + b / z1 + c / z2
        inside = (a >= -1e-6) & (b >= -1e-6) & (c >= -1e-6) & (near > 0)
        depth = np.where(inside, 1 / np.where(near > 0, near, 1), np.inf)
        colours, distances = layer
        window = distances[rows, columns]
        seen = depth < window
        if not seen.any():
            return
        window[seen] = depth[seen]
        weights = np.stack([a[seen] / z0, b[seen] / z1, c[seen] / z2], axis=1) * depth[seen, None]
        colours[rows, columns][seen] = weights @ shade


def _lit(normals: np.ndarray) -> np.ndarray:
    """How light falls on surfaces with these normals, three colours each."""
    out = np.zeros(normals.shape)
    for way, strength, below in LIGHTS:
        share = (0.5 + 0.5 * normals @ (way / np.linalg.norm(way)))[..., None]
        out += strength * (share + (1 - share) * below)
    return out
