"""What lies behind a mechanism in a picture: the background, the ground and its grid."""

from __future__ import annotations

import numpy as np

from ...scene.look.palette import Theme
from ...scene.look.surfaces import FLOOR
from ...scene.stage.setting import Setting, floor_part, grid_lines
from .raster import Camera, rgb

__all__ = ["draw_backdrop"]


def draw_backdrop(setting: Setting, camera: Camera, theme: Theme, pixels: tuple[int, int], width: int) -> np.ndarray:
    """Colours (rows, columns, 3) of a picture without its mechanism, with lines of a width."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", pixels, theme.background)
    pen = ImageDraw.Draw(picture)
    ground = FLOOR * rgb(theme.ground) + (1 - FLOOR) * rgb(theme.background)
    corners = _before_camera(_floor_corners(setting), camera, closed=True)
    if len(corners) > 2:
        pen.polygon(_spots(corners, camera), fill=tuple(round(255 * part) for part in ground))
    for ends in grid_lines(setting):
        line = _before_camera(ends, camera, closed=False)
        if len(line) == 2:
            pen.line(_spots(line, camera), fill=theme.lines, width=width)
    return np.asarray(picture, dtype=float) / 255


def _floor_corners(setting: Setting) -> np.ndarray:
    part = floor_part(setting)
    (x, y, z), (a, b, _) = part.at, part.scale
    return np.array([(x + i * a / 2, y + j * b / 2, z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def _spots(points: np.ndarray, camera: Camera) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y, _ in camera.project(points)]


def _before_camera(points: np.ndarray, camera: Camera, closed: bool) -> np.ndarray:
    """A line or a polygon (k, 3), cut off where it comes behind the camera."""
    depth = camera.depth(points)
    out = []
    for k in range(len(points)):
        if depth[k] > camera.near:
            out.append(points[k])
        after = (k + 1) % len(points)
        if (closed or after > k) and (depth[k] > camera.near) != (depth[after] > camera.near):
            share = (depth[k] - camera.near) / (depth[k] - depth[after])
            out.append(points[k] + share * (points[after] - points[k]))
    return np.array(out).reshape(-1, 3)
