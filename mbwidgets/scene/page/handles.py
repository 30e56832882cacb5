"""Handles in the picture: a point or a direction that is dragged where it is seen.

A point moves in the plane of the screen, a direction on the sphere about its foot. The page moves the handle at once
and tells the newest value, never more than one at a time; the kernel answers as it does for a slider. A page without
a kernel answers them by ``rules``; where there are none it makes them still.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from .javascript import join_modules, read_stylesheet

__all__ = ["Handle", "Handles", "Snap"]

NEAR: Final = 9.0
"""Pixels within which a point is drawn to a snap."""
CLOSE: Final = 5.0
"""Degrees within which a direction is."""


@dataclass(frozen=True)
class Snap:
    """A value that a handle is drawn to, and what is said there."""

    value: Any
    caption: str


@dataclass(frozen=True, eq=False)
class Handle:
    """A point, or with ``direction`` a unit vector, in the axes of ``home``, a group of the stage.

    Attributes
    ----------
    key, title, symbol, unit, colour : its name, what it is called, and how its value is shown while it is dragged
    at : the point, or the foot of the direction
    length : m, from the foot to the handle
    live : whether values are told while it is dragged, or only when it is let go
    snaps : values that it is drawn to; ``always``: to the nearest of them, however far
    """

    key: str
    title: str
    symbol: str
    colour: str
    home: Any
    at: Any
    direction: Any = None
    length: float = 0.0
    unit: str = ""
    live: bool = True
    snaps: Sequence[Snap] = ()
    always: bool = False

    def row(self) -> dict[str, Any]:
        """What the page is told."""
        hold = None if self.always else -NEAR if self.direction is None else math.cos(math.radians(CLOSE))
        return {
            "key": self.key,
            "title": self.title,
            "symbol": self.symbol,
            "colour": self.colour,
            "at": _list(self.at),
            "direction": None if self.direction is None else _list(self.direction),
            "length": float(self.length),
            "unit": self.unit,
            "live": self.live,
            "hold": hold,
            "snaps": [{"value": _list(snap.value), "caption": snap.caption} for snap in self.snaps],
        }


class Handles(anywidget.AnyWidget):
    """The handles of one picture; it has no view of its own. ``moved(key, value)`` gets what a hand makes of them.

    The value is that of the axes of the handle's home: a point (3,), or a unit vector.
    """

    _esm = join_modules(Path(__file__).parent / "handles.js")
    _css = read_stylesheet(Path(__file__).parent / "handles.css")

    scene = traitlets.Any().tag(sync=True, **widget_serialization)
    player = traitlets.Any().tag(sync=True, **widget_serialization)
    homes: Any = traitlets.List().tag(sync=True, **widget_serialization)
    """The group of each handle."""
    rows: Any = traitlets.List().tag(sync=True)
    edit: Any = traitlets.Dict().tag(sync=True)
    """The newest value in the page: key, value, number."""
    rules: Any = traitlets.Dict().tag(sync=True)
    """By which a page answers that has no kernel: of each handle the keys of the sliders that it stands for."""
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody answers: then no handle is shown."""
    answered = traitlets.Int(0).tag(sync=True)
    """The number of the last edit that was dealt with; a handle that was refused goes back then."""

    def __init__(self, picture: Any, moved: Callable[[str, np.ndarray], None], **options: Any) -> None:
        super().__init__(scene=picture.stage.scene, player=picture.player, **options)
        self._moved = moved
        self.observe(self._on_edit, "edit")

    def show(self, handles: Sequence[Handle], rules: dict[str, Any] | None = None) -> None:
        """Show these handles and no others; ``rules`` by which a page answers them."""
        with self.hold_sync():
            self.rules = rules or {}
            self.homes = [handle.home for handle in handles]
            self.rows = [handle.row() for handle in handles]

    def blank(self, why: str) -> None:
        """No handles; they have no words."""
        self.show([], {})

    def _on_edit(self, change: Any) -> None:
        key, number = change.new.get("key"), change.new.get("number")
        row = next((row for row in self.rows if row["key"] == key), None)
        try:
            value = np.array(change.new.get("value"), dtype=float)
        except (TypeError, ValueError):
            return
        if row is None or value.shape != (3,) or not np.isfinite(value).all():
            return
        if row["direction"] is not None and not np.linalg.norm(value) > 1e-6:
            return
        try:
            self._moved(row["key"], value)
        finally:
            self.answered = number if isinstance(number, int) else self.answered


def _list(value: Any) -> list[float]:
    return [float(item) for item in value]
