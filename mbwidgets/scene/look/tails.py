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
    "smooth_tail",
]

TAIL: Final = 2.5
"""Length of a tail, in radii of what is seen."""
BETWEEN: Final = 4
"""Parts into which each way from point to point is divided."""
COMET_WIDTHS, COMET_STRENGTH = (0.6, 3.1), 0.95
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


def smooth_tail(points: np.ndarray, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """With points between, on a smooth curve through all (Catmull-Rom): from frame to frame a fast force goes far.

    The first part, which in the page goes from the moment to the last frame and is shorter, stays straight.
    """
    t = np.arange(1, BETWEEN) / BETWEEN
    weights = np.stack([((2 - t) * t - 1) * t, (3 * t - 5) * t * t + 2, ((4 - 3 * t) * t + 1) * t, (t - 1) * t * t]) / 2
    found, strength = [points[:2]], [shares[:2]]
    for k in range(2, len(points)):
        four = np.stack([points[max(k - 2, 1)], points[k - 1], points[k], points[min(k + 1, len(points) - 1)]])
        found += [weights.T @ four, points[k : k + 1]]
        strength += [shares[k - 1] + t * (shares[k] - shares[k - 1]), shares[k : k + 1]]
    return np.concatenate(found), np.concatenate(strength)
