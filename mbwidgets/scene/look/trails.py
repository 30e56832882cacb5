"""Trails: paths of points over a motion, drawn as lines and updated in place; the page draws comets of some of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pythreejs as three

from .surfaces import TRAIL

__all__ = ["Trail"]

COMET: Final = "comet"
"""By this name the page knows the lines whose points are places in every frame."""


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


def _finite(points: np.ndarray) -> np.ndarray:
    path = points if len(points) > 1 else np.zeros((2, 3))
    with np.errstate(over="ignore"):  # beyond single precision there is no picture
        return np.asarray(np.nan_to_num(path.astype(np.float32), posinf=0.0, neginf=0.0))
