"""The shadow on the ground: what casts one is projected along the light, seen from below, and blurred.

``scene/page/soft_shadow.js`` draws the same in the page; a test holds its numbers to these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ...scene.look.surfaces import KEY, Sun
from ...scene.stage.setting import Ground
from .raster import Camera, Canvas
from .triangles import Mesh

__all__ = ["Shadow", "cast_shadow"]

FINE: Final = 192
"""Pixels of the shadow's picture each way."""
ROOM: Final = 1.5
"""Half its width, in radii of what is seen."""
BLUR, SHARP = 0.022, 0.3
"""Of its width; and of that for the dark line where something touches the ground."""
FAR, TOUCH = 2.2, 0.05
"""Heights, in half widths, at which the wide shadow has faded, and the dark line by a factor e."""
WIDE, LINE = 0.85, 0.45
"""How dark each of the two is."""
RIM: Final = 0.08
"""Share of the picture at its rim in which the shadow fades."""
TAPS: Final = np.arange(-4, 5)
WEIGHTS: Final = np.exp(-0.14 * TAPS**2) / np.exp(-0.14 * TAPS**2).sum()
BENEATH: Final = -0.02
"""Half widths below the ground, where a thing casts no shadow on it."""


@dataclass(frozen=True, eq=False)
class Shadow:
    """How dark the ground is, (FINE, FINE) in 0 … 1, with y up, about a middle (2,) and for half a width, m."""

    dark: np.ndarray
    middle: np.ndarray
    half: float

    def at(self, places: np.ndarray) -> np.ndarray:
        """How dark it is at places (k, 2) on the ground."""
        q = (places - self.middle) / (2 * self.half) + 0.5
        rim = np.clip(np.minimum(q, 1 - q) / RIM, 0.0, 1.0)
        rim = rim * rim * (3 - 2 * rim)
        cell = np.clip(q * FINE - 0.5, 0, FINE - 1.001)
        low, share = cell.astype(int), cell % 1.0
        total = np.zeros(len(q))
        for right in (0, 1):
            for up in (0, 1):
                weight = np.abs(1 - right - share[:, 0]) * np.abs(1 - up - share[:, 1])
                total += weight * self.dark[low[:, 1] + up, low[:, 0] + right]
        return np.asarray(total * rim.prod(axis=1))


class _FromBelow(Camera):
    """Sees a square of the ground along the light, from below: the lowest is the nearest."""

    def __init__(self, ground: Ground, middle: np.ndarray, half: float, sun: Sun) -> None:
        self._ground, self._middle, self._half, self._sun = ground, middle, half, sun
        self.place, self.near, self.pixels = np.zeros(3), 0.0, (FINE, FINE)

    def height(self, points: np.ndarray) -> np.ndarray:
        """Of points (…, 3) above the ground, in half widths."""
        return np.asarray((points[..., 2] - self._ground.height) / self._half)

    def depth(self, points: np.ndarray) -> np.ndarray:
        # so far away that what lies between corners is seen half way between them
        return np.where(self.height(points) > BENEATH, 1e6 + self.height(points), -1.0)

    def project(self, points: np.ndarray) -> np.ndarray:
        x, y, z = self._sun.towards
        high = np.maximum(points[..., 2] - self._ground.height, 0.0)[..., None]
        flat = (points[..., :2] - high * np.array([x / z, y / z]) - self._middle) / self._half
        return np.concatenate([(flat + 1) * FINE / 2, 1e6 + self.height(points)[..., None]], axis=-1)


def cast_shadow(meshes: Sequence[Mesh], ground: Ground, middle: np.ndarray, sun: Sun = KEY) -> Shadow:
    """The shadow that meshes cast on the ground; ``middle`` (3,) is that of the mechanism, in the picture's axes."""
    x, y, z = sun.towards
    half = ROOM * ground.radius
    shift = 0.5 * max(float(middle[2]) - ground.height, 0.0) * np.array([x / z, y / z])
    eye = _FromBelow(ground, middle[:2] - shift, half, sun)
    canvas = Canvas(np.zeros((FINE, FINE, 3)), eye)
    for mesh in meshes:
        high = np.maximum(eye.height(mesh.corners), 0.0)
        shade = np.stack([np.maximum(0.0, 1 - high / FAR), np.exp(-high / TOUCH), np.zeros_like(high)], axis=-1)
        canvas.draw(mesh, shade, lit=False)
    wide, line = (_blurred(canvas.colours[..., k], share * BLUR) for k, share in ((0, 1.0), (1, SHARP)))
    return Shadow(np.minimum(1.0, WIDE * wide + LINE * line), eye._middle, half)


def _blurred(picture: np.ndarray, radius: float) -> np.ndarray:
    """Nine places along each direction, as far as a share of the width from the middle one."""
    places = np.arange(FINE)
    for axis in (1, 0):
        rows = []
        for tap in TAPS:
            at = np.clip(places + tap / 4 * radius * FINE, 0, FINE - 1.001)
            low, share = at.astype(int), at % 1.0
            share = share if axis else share[:, None]
            rows.append((1 - share) * picture.take(low, axis) + share * picture.take(low + 1, axis))
        picture = np.tensordot(WEIGHTS, np.array(rows), axes=1)
    return picture
