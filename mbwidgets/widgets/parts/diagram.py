"""A branch diagram: how permanent rotations change with the speed, and which of them small motions leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from ...scene.look.palette import SERIES
from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Diagram", "Series"]


@dataclass(frozen=True)
class Series:
    """One curve: ω (k,) rad/s, tilt (k,) degrees, growth (k,) 1/s, the body it is of, and what `chosen` is told."""

    speeds: np.ndarray
    tilts: np.ndarray
    growth: np.ndarray
    body: int
    key: int


class Diagram(anywidget.AnyWidget):
    """Tilts over speed. ``chosen(key, index)`` is called when a point is clicked."""

    _esm = join_modules(Path(__file__).parent / "diagram.js")
    _css = read_stylesheet(Path(__file__).parent / "diagram.css")

    series: Any = traitlets.List().tag(sync=True)
    """Each with its points [ω, tilt], whether small motions grow, a colour, a dash and a key."""
    names: Any = traitlets.List().tag(sync=True)
    """[body, colour] of the legend."""
    marks: Any = traitlets.List().tag(sync=True)
    """[ω, tilt, colour] of the present rotation."""
    critical: Any = traitlets.List().tag(sync=True)
    """Speeds at which branches cross."""
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody answers a click: a page without a kernel says so."""
    title = traitlets.Unicode().tag(sync=True)
    edit: Any = traitlets.Dict().tag(sync=True)
    """The newest point that was clicked: key, index, number."""

    def __init__(self, chosen: Callable[[int, int], None], **options: Any) -> None:
        super().__init__(**options)
        self._chosen = chosen
        self.observe(self._on_edit, "edit")

    def show(self, title: str, series: list[Series], names: tuple[str, ...], critical: Any = ()) -> None:
        """Draw these curves."""
        with self.hold_sync():
            self.title = title
            self.critical = [float(value) for value in critical]
            bodies = sorted({item.body for item in series})
            self.names = [[names[body], SERIES[body % len(SERIES)]] for body in bodies]
            self.series = [_row(item) for item in series]

    def blank(self, why: str) -> None:
        """No curves, and why."""
        with self.hold_sync():
            self.show(why, [], ())
            self.marks = []

    def mark(self, speeds: np.ndarray, tilts: np.ndarray) -> None:
        """Show where the present rotation stands."""
        self.marks = [
            [abs(float(speed)), float(tilt), SERIES[body % len(SERIES)]]
            for body, (speed, tilt) in enumerate(zip(speeds, tilts, strict=True))
        ]

    def _on_edit(self, change: Any) -> None:
        key, index = change.new.get("key"), change.new.get("index")
        if isinstance(key, int) and isinstance(index, int) and any(row["key"] == key for row in self.series):
            self._chosen(key, index)


def _row(item: Series) -> dict[str, Any]:
    points = [[round(float(x), 5), round(float(y), 4)] for x, y in zip(item.speeds, item.tilts, strict=True)]
    return {
        "points": points,
        "grows": [bool(value > 0.0) for value in item.growth],
        "growth": [round(float(value), 3) if np.isfinite(value) else None for value in item.growth],
        "colour": SERIES[item.body % len(SERIES)],
        "key": item.key,
    }
