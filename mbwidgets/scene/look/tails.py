"""Tails of comets as data: the past of a path, which fades; of points, and of the tips of forces about their joint.

``page/comets.js`` draws the tails of the page by the same rule; a test holds its numbers to these.
"""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = [
    "BETWEEN",
    "COMET_STRENGTH",
    "COMET_WIDTHS",
    "TAIL",
    "TRACE_STRENGTH",
    "TRACE_WIDTHS",
    "comet_tail",
    "path_velocities",
    "smooth_tail",
]

TAIL: Final = 2.5
"""Length of a tail, in radii of what is seen."""
BETWEEN: Final = 4
"""Parts into which each way from point to point is divided."""
COMET_WIDTHS, COMET_STRENGTH = (0.5, 2.2), 0.85
"""Of the tail of a point: pixels of its faint and of its strong end, and how strong that is."""
TRACE_WIDTHS, TRACE_STRENGTH = (0.5, 1.7), 0.8
"""The same of the tip of a force."""


def comet_tail(points: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """The last part (k, 3) of a path, as long as ``reach``, m, and shares (k,) that fall from one to zero.

    The first of them is where the path ends; what is not finite ends the tail.
    """
    back = points[::-1]
    bad = np.flatnonzero(~np.isfinite(back).all(axis=1))
    back = back[: bad[0]] if len(bad) else back
    gone = np.concatenate([[0.0], np.linalg.norm(np.diff(back, axis=0), axis=1).cumsum()])[: len(back)]
    if len(back) < 2 or not gone[-1] > 0:
        return np.zeros((0, 3)), np.zeros(0)
    if gone[-1] > reach:
        cut = int(np.searchsorted(gone, reach))
        share = (reach - gone[cut - 1]) / (gone[cut] - gone[cut - 1])
        end = back[cut - 1] + share * (back[cut] - back[cut - 1])
        back, gone = np.vstack([back[:cut], end]), np.append(gone[:cut], reach)
    return back, 1.0 - gone / gone[-1]


def path_velocities(path: np.ndarray) -> np.ndarray:
    """How far a path (frames, 3) goes in a frame, at each of them, by differences.

    Of five places in a row of the fourth order, at the ends and beside what is not finite of the second or the first.
    """
    far = np.pad(path, ((2, 2), (0, 0)), constant_values=np.nan)
    before, back, on, after = far[:-4], far[1:-3], far[3:-1], far[4:]
    ways = (
        (before - 8 * back + 8 * on - after) / 12,
        (on - back) / 2,
        (4 * on - 3 * path - after) / 2,
        (3 * path - 4 * back + before) / 2,
        on - path,
        path - back,
    )
    found = np.zeros_like(path)
    for way in reversed(ways):
        good = np.isfinite(way).all(axis=1)
        found[good] = way[good]
    return found


def smooth_tail(
    points: np.ndarray, shares: np.ndarray, velocities: np.ndarray, parts: int = BETWEEN
) -> tuple[np.ndarray, np.ndarray]:
    """With points between, on the curve of third order through all that has their velocities (k, 3), m a frame.

    The points go back from frame to frame, the last one perhaps over a part of a frame.
    """
    if len(points) < 2:
        return points, shares
    t = np.arange(parts)[:, None, None] / parts
    p, q, v, w = points[:-1], points[1:], velocities[:-1], velocities[1:]
    steps = np.ones((len(p), 1))
    # the part of a frame that is left of the last step, along its way
    along = float(np.linalg.norm(w[-1]) + np.linalg.norm(v[-1])) / 2
    steps[-1] = min(1.0, float(np.linalg.norm(q[-1] - p[-1])) / along) if along > 0 else 1.0
    v, w = -steps * v, -steps * w
    curve = (2 * t**3 - 3 * t**2 + 1) * p + (t**3 - 2 * t**2 + t) * v + (3 * t**2 - 2 * t**3) * q + (t**3 - t**2) * w
    faint = shares[:-1] + t[:, :, 0] * np.diff(shares)
    line = np.swapaxes(curve, 0, 1).reshape(-1, 3)
    return np.vstack([line, points[-1:]]), np.append(faint.T.ravel(), shares[-1])
