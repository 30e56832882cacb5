"""Trails: paths of points, drawn as lines and updated in place; and tails of comets, of which the past is seen.

``page/comets.js`` draws the tails of the page by the same rule; a test holds its numbers to these.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pythreejs as three

from .surfaces import TRAIL

__all__ = ["COMET_STRENGTH", "COMET_WIDTHS", "TAIL", "TRACE_STRENGTH", "TRACE_WIDTHS", "Trail", "comet_tail"]

COMET: Final = "comet"
"""By this name the page knows the lines whose points are places in every frame."""
TAIL: Final = 2.5
"""Length of a tail, in radii of what is seen."""
COMET_WIDTHS, COMET_STRENGTH = (0.6, 3.1), 0.95
"""Of the tail of a point: pixels of its faint and of its strong end, and how strong that is."""
TRACE_WIDTHS, TRACE_STRENGTH = (0.5, 1.7), 0.8
"""The same of the tip of a force."""


class Trail:
    """The path of one point. Its room is that of its first path; a longer one needs a new trail."""

    def __init__(self, points: np.ndarray, colour: str, comet: bool = False) -> None:
        """``comet``: its points are places in every frame, and only the past of them is drawn, by the page."""
        self._path = three.BufferAttribute(_finite(points), normalized=False, dynamic=True)
        self._curve = three.BufferGeometry(attributes={"position": self._path})
        self._ink = three.LineBasicMaterial(color=colour, transparent=True, opacity=TRAIL)
        self.comet = comet
        self.line: Any = three.Line(self._curve, self._ink, name=COMET if comet else "", frustumCulled=False)

    def fits(self, points: np.ndarray, comet: bool = False) -> bool:
        """Whether a path has room in it."""
        return self.comet == comet and len(points) <= len(self._path.array)

    def show(self, points: np.ndarray, colour: str) -> None:
        """Draw another path; what room is left stays at its last point."""
        path = _finite(points)
        room = len(self._path.array) - len(path)
        self._path.array = np.concatenate([path, np.repeat(path[-1:], room, axis=0)])
        self._ink.color = colour
        self.line.visible = True

    def hide(self) -> None:
        """Draw nothing."""
        self.line.visible = False

    def close(self) -> None:
        """Free it in the page."""
        for item in (self.line, self._curve, self._path, self._ink):
            item.close()


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


def _finite(points: np.ndarray) -> np.ndarray:
    path = points if len(points) > 1 else np.zeros((2, 3))
    return np.nan_to_num(path, posinf=0.0, neginf=0.0).astype(np.float32)
