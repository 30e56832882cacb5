"""Small triangles, thousands at once: what round surfaces are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

__all__ = ["draw_small_triangles"]

SIDES: Final = (4, 8, 16, 32)
"""Pixels of the squares into which triangles are sorted; what is larger than the last is drawn by itself."""
AT_ONCE: Final = 400_000
"""Pixels that are looked at at a time: some tens of megabytes."""
EDGE: Final = -1e-6
"""A share of a corner down to which a pixel is inside: rounding leaves no seam between two triangles."""


def draw_small_triangles(
    colours: np.ndarray, distances: np.ndarray, corners: np.ndarray, shades: np.ndarray, areas: np.ndarray
) -> np.ndarray:
    """Draw triangles with corners (n, 3, 3) in pixels and distance; returns which (n,) are too large for it.

    ``shades`` (n, 3, 3) are the colours at the corners, ``areas`` (n,) twice the areas in pixels, with their signs.
    """
    height, width = distances.shape
    low = np.floor(corners[..., :2].min(axis=1)).astype(np.int64)
    extent = (np.floor(corners[..., :2].max(axis=1)).astype(np.int64) - low + 1).max(axis=1)
    inside = (low < (width, height)).all(axis=1) & (low + extent[:, None] > 0).all(axis=1)
    begin = 0
    for side in SIDES:
        fits = np.flatnonzero(inside & (extent > begin) & (extent <= side))
        for some in _pieces(fits, AT_ONCE // side**2):
            _draw(colours, distances, (low[some], side), corners[some], shades[some], areas[some])
        begin = side
    return np.asarray(inside & (extent > SIDES[-1]))


def _pieces(items: np.ndarray, count: int) -> Iterator[np.ndarray]:
    for start in range(0, len(items), count):
        yield items[start : start + count]


def _draw(
    colours: np.ndarray,
    distances: np.ndarray,
    squares: tuple[np.ndarray, int],
    corners: np.ndarray,
    shades: np.ndarray,
    areas: np.ndarray,
) -> None:
    (low, side), (height, width) = squares, distances.shape
    step = np.arange(side)
    columns, rows = low[:, 0, None, None] + step[None, None], low[:, 1, None, None] + step[None, :, None]
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = (
        tuple(corners[:, k, m][:, None, None] for m in range(3)) for k in range(3)
    )
    px, py, area = columns + 0.5, rows + 0.5, areas[:, None, None]
    # shares of the corners: each grows linearly over the picture
    b = ((px - x0) * (y2 - y0) - (x2 - x0) * (py - y0)) / area
    c = ((x1 - x0) * (py - y0) - (px - x0) * (y1 - y0)) / area
    a = 1 - b - c
    seen = (a >= EDGE) & (b >= EDGE) & (c >= EDGE)
    seen &= (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    owner, row, column = np.nonzero(seen)
    if not len(owner):
        return
    shares = np.stack([a[seen] / z0[owner, 0, 0], b[seen] / z1[owner, 0, 0], c[seen] / z2[owner, 0, 0]], axis=1)
    near = shares.sum(axis=1)
    depth = np.where(near > 0, 1 / np.where(near > 0, near, 1), np.inf)
    places = (low[owner, 1] + row) * width + low[owner, 0] + column
    front = depth < distances.reshape(-1)[places]
    owner, places, depth, shares = owner[front], places[front], depth[front], shares[front]
    # of what falls on one pixel the nearest is written last
    order = np.argsort(-depth, kind="stable")
    owner, places, depth = owner[order], places[order], depth[order]
    weights = shares[order] * depth[:, None]
    distances.reshape(-1)[places] = depth
    colours.reshape(-1, 3)[places] = np.einsum("pk,pkc->pc", weights, shades[owner])
