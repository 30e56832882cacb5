"""What lies behind a mechanism in a picture, and over what is below the floor: the ground and its grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...scene.look.palette import Theme
from ...scene.look.surfaces import FLOOR, through_both_faces
from ...scene.stage.setting import Setting, floor_part, grid_lines
from .raster import Camera, Canvas, rgb

__all__ = ["Backdrop", "draw_backdrop"]


@dataclass(frozen=True, eq=False)
class Backdrop:
    """The picture without its mechanism, (rows, columns, 3), and what it takes to see the floor over what is below it.

    ``depth`` (rows, columns) is how far away the ground is, infinite beside it; ``tint`` its colour and ``share`` how
    strongly it is seen.
    """

    colours: np.ndarray
    depth: np.ndarray
    tint: np.ndarray
    share: np.ndarray

    def cover(self, canvas: Canvas) -> None:
        """Lay the ground over what has been drawn below it."""
        under = np.isfinite(canvas.depth) & (canvas.depth > self.depth)
        share = self.share[under][:, None]
        canvas.colours[under] = share * self.tint[under] + (1 - share) * canvas.colours[under]


def draw_backdrop(setting: Setting, camera: Camera, theme: Theme, width: int) -> Backdrop:
    """The background and the ground of a setting, with lines of a width, pixels."""
    depth = _ground_depth(setting, camera)
    lines = _lines(grid_lines(setting), camera, width)
    tint = np.where(lines[..., None], rgb(theme.lines), rgb(theme.ground))
    share = np.where(lines, 1.0, np.where(np.isfinite(depth), through_both_faces(FLOOR), 0.0))
    colours = share[..., None] * tint + (1 - share[..., None]) * rgb(theme.background)
    return Backdrop(colours, depth, tint, share)


def _ground_depth(setting: Setting, camera: Camera) -> np.ndarray:
    """How far away the ground is in every pixel (rows, columns), infinite beside it."""
    floor = floor_part(setting)
    if floor is None:
        return np.full(camera.pixels[::-1], np.inf)
    depth, places = camera.ground(float(setting.floor or 0.0))
    half = np.array(floor.scale[:2]) / 2
    return np.where((np.abs(places) <= half).all(axis=2), depth, np.inf)


def _lines(ends: np.ndarray, camera: Camera, width: int) -> np.ndarray:
    """Which pixels (rows, columns) straight lines (k, 2, 3) are on."""
    from PIL import Image, ImageDraw

    picture = Image.new("1", camera.pixels)
    pen = ImageDraw.Draw(picture)
    for pair in ends:
        line = _before_camera(pair, camera)
        if line is not None:
            pen.line([(float(x), float(y)) for x, y, _ in camera.project(line)], fill=1, width=width)
    return np.asarray(picture, dtype=bool)


def _before_camera(ends: np.ndarray, camera: Camera) -> np.ndarray | None:
    """A straight line (2, 3), cut off before it comes behind the camera; None if all of it is there."""
    along = camera.depth(ends)
    if along.max() <= camera.near:
        return None
    a, b = ends if along[0] >= along[1] else ends[::-1]
    if along.min() < camera.near:
        b = a + (b - a) * (along.max() - camera.near) / (along.max() - along.min())
    return np.array([a, b])
