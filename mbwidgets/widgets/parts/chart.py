"""A chart of one thing over another, drawn in the page as SVG, with marks: spectra and their eigenfrequencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Chart", "Mark"]


@dataclass(frozen=True)
class Mark:
    """A place on the horizontal axis with a text."""

    at: float
    text: str
    colour: str = "var(--jp-ui-font-color1, #23272E)"


class Chart(anywidget.AnyWidget):
    """Curves over any axis; the numbers under the pointer are read out."""

    _esm = join_modules(Path(__file__).parent / "chart.js")
    _css = read_stylesheet(Path(__file__).parent / "plots.css")

    title = traitlets.Unicode().tag(sync=True)
    along = traitlets.Unicode().tag(sync=True)
    """What the horizontal axis is, with its unit."""
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    colours = traitlets.List(traitlets.Unicode()).tag(sync=True)
    marks: Any = traitlets.List().tag(sync=True)
    x = traitlets.Bytes().tag(sync=True)
    y = traitlets.Bytes().tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def show(
        self,
        x: np.ndarray,
        y: np.ndarray,
        names: Sequence[str],
        colours: Sequence[str],
        *,
        title: str,
        along: str,
        marks: Sequence[Mark] = (),
    ) -> None:
        """Draw curves y (points, curves) over x (points,)."""
        with self.hold_sync():
            self.title, self.along = title, along
            self.names, self.colours = list(names), list(colours)
            self.marks = [asdict(mark) for mark in marks]
            self.x, self.y = _bytes(x), _bytes(y)
            self.version += 1

    def blank(self, why: str) -> None:
        """No curves, and why."""
        self.show(np.zeros(0), np.zeros((0, 1)), [], [], title=why, along="")


def _bytes(values: Any) -> bytes:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(values, dtype=np.float32).tobytes()
