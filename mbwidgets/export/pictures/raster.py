"""A small software renderer: triangles with a depth buffer, lit from above; lines and words over them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...numeric.base.rotations import unit_vector
from ...scene.look.surfaces import KEY, SKYLIGHTS, Sun
from ...scene.stage.viewpoint import FIELD, view_axes
from .batches import draw_small_triangles
from .triangles import Mesh

__all__ = ["Camera", "Canvas", "rgb"]


def rgb(colour: str) -> np.ndarray:
    """``#RRGGBB`` as three shares."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255


class Camera:
    """A place that looks at a target, z up; `project` gives pixels and the distance."""

    def __init__(
        self, target: Any, direction: Any, distance: float, width: int, height: int, near: float | None = None
    ) -> None:
        self.axes = view_axes(direction)
        self.place = np.asarray(target, dtype=float) + self.axes[2] * distance
        self.near = 0.02 * distance if near is None else near
        self._scale = height / 2 / np.tan(np.radians(FIELD / 2))
        self._middle = np.array([width / 2, height / 2])
        self.pixels = (width, height)

    def depth(self, points: np.ndarray) -> np.ndarray:
        """How far before the camera points (…, 3) are; negative behind it."""
        return np.asarray(-((points - self.place) @ self.axes[2]))

    def pixel(self, point: np.ndarray) -> float:
        """How wide a pixel is at the depth of a point (3,), m."""
        return float(max(self.depth(point), self.near) / self._scale)

    def ground(self, height: float) -> tuple[np.ndarray, np.ndarray]:
        """How far away z = height is in every pixel (rows, columns), infinite where it is not, and x, y there."""
        x, y = (np.arange(count) + 0.5 for count in self.pixels)
        right, up = (x - self._middle[0]) / self._scale, (self._middle[1] - y[:, None]) / self._scale
        rays = right[None, :, None] * self.axes[0] + up[..., None] * self.axes[1] - self.axes[2]
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = (height - self.place[2]) / rays[..., 2]
            depth = np.where(depth > self.near, depth, np.inf)
            return depth, self.place[:2] + depth[..., None] * rays[..., :2]

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

    def __init__(self, picture: np.ndarray, camera: Camera, sun: Sun = KEY) -> None:
        self.colours = picture
        self.sun = sun
        self.camera = camera
        self.depth: np.ndarray = np.full(picture.shape[:2], np.inf)

    @cached_property
    def _layer(self) -> tuple[np.ndarray, np.ndarray]:
        """Colours and distances of what is drawn by itself and then laid over the picture."""
        return np.empty_like(self.colours), np.full_like(self.depth, np.inf)

    def draw(
        self,
        mesh: Mesh,
        colour: np.ndarray,
        *,
        opacity: float = 1.0,
        through: float = 0.0,
        glow: Any = 0.0,
        lit: bool = True,
    ) -> None:
        """Draw triangles in a colour (3,), or with one at each corner (k, 3, 3).

        ``opacity``: how strongly they are seen; what is less than opaque hides nothing. ``through``: how strongly they
        are seen behind what is nearer. ``glow``: the colour with which they shine by themselves. What is not ``lit``
        has its colour in every light, and is seen from both sides.
        """
        if not len(mesh.corners):
            return
        layered = bool(through) or opacity < 1.0
        layer = self._layer if layered else (self.colours, self.depth)
        flat = self.camera.project(mesh.corners)
        x, y = flat[..., 0], flat[..., 1]
        area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
        middles = mesh.corners.mean(axis=1)
        facing = ((self.camera.place - middles) * mesh.normals.mean(axis=1)).sum(axis=1) > 0
        light = _lit(mesh.normals, self.sun) if lit else np.ones(mesh.normals.shape)
        shades = np.minimum(1.0, light * colour + glow)
        # what reaches behind the camera has no place in the picture
        ahead = (self.camera.depth(mesh.corners) > self.camera.near).all(axis=1)
        some = np.flatnonzero((facing | (not lit)) & ahead & (np.abs(area) > 1e-9))
        large = draw_small_triangles(*layer, flat[some], shades[some], area[some])
        for k in some[large]:
            self._triangle(layer, flat[k], shades[k], area[k])
        if layered:
            self._lay_over(self._box(flat), opacity, through)

    def _lay_over(self, box: tuple[slice, slice], opacity: float, through: float) -> None:
        """Put what was drawn by itself into the picture, and forget it."""
        colours, depth = (part[box] for part in self._layer)
        drawn, front = np.isfinite(depth), depth <= self.depth[box]
        share = np.where(front, opacity, through * opacity)[drawn][:, None]
        under = self.colours[box]
        under[drawn] = share * colours[drawn] + (1 - share) * under[drawn]
        if opacity == 1.0:
            np.copyto(self.depth[box], depth, where=drawn & front)
        depth[:] = np.inf

    def line(self, points: np.ndarray, colour: np.ndarray, opacity: float, width: int, through: float = 0.0) -> None:
        """Draw a path (k, 3) so many pixels wide; what is nearer hides it but for a share of it."""
        flat = self.camera.project(points)
        seen = np.isfinite(flat).all(axis=1) & (self.camera.depth(points) > self.camera.near)
        height, across = self.depth.shape
        dots = [_between(flat[k], flat[k + 1], width * (height + across)) for k in np.flatnonzero(seen[:-1] & seen[1:])]
        if not dots:
            return
        spots = np.concatenate(dots)
        mask, behind = np.zeros((2, *self.depth.shape), dtype=bool)
        offsets = np.arange(width) - (width - 1) // 2
        for right in offsets:
            for down in offsets:
                x, y = spots[:, 0].astype(int) + right, spots[:, 1].astype(int) + down
                inside = (x >= 0) & (x < across) & (y >= 0) & (y < height)
                x, y, depth = x[inside], y[inside], spots[inside, 2]
                front = depth <= self.depth[y, x] * (1 + 1e-6)
                mask[y[front], x[front]] = True
                behind[y[~front], x[~front]] = True
        for seen_so, share in ((mask, opacity), (behind & ~mask, opacity * through)):
            self.colours[seen_so] = share * colour + (1 - share) * self.colours[seen_so]

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


def _lit(normals: np.ndarray, sun: Sun) -> np.ndarray:
    """How light falls on surfaces with these normals, three colours each."""
    out = sun.strength * np.maximum(normals @ unit_vector(sun.towards), 0.0)[..., None] * rgb(sun.colour)
    for light in SKYLIGHTS:
        share = (0.5 + 0.5 * normals @ unit_vector(light.up))[..., None]
        out = out + light.strength * (share * rgb(light.above) + (1 - share) * rgb(light.below))
    return np.asarray(out)


def _between(a: np.ndarray, b: np.ndarray, most: int) -> np.ndarray:
    """A point (x, y, distance) for every pixel of a straight line."""
    count = int(min(np.abs(b - a)[:2].max(), most)) + 2
    return np.asarray(a + np.linspace(0.0, 1.0, count)[:, None] * (b - a))
