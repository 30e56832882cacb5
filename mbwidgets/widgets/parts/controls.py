"""Rows of sliders: each with a number box, a unit and a way back; one widget for all of them.

The page shows names as text, never as HTML. While a slider is dragged the page sends its newest value when the
kernel is ready for it, and forgets those in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ...model.model import Model
from ...scene.page.javascript import join_modules, read_stylesheet
from ...symbolic.code.latex import symbol_text
from ..edit.place import Place

__all__ = ["Controls", "row_of"]


class Controls(anywidget.AnyWidget):
    """Sliders for places of a model. ``moved(place, value)`` is called when one is moved."""

    _esm = join_modules(Path(__file__).parent / "controls.js")
    _css = read_stylesheet(Path(__file__).parent / "controls.css")

    rows: Any = traitlets.List().tag(sync=True)
    """What each row is: key, group, title, unit, low, high, note, options of a choice, the value for reset, and the
    symbol of a parameter whose name is one."""
    values: Any = traitlets.List().tag(sync=True)
    """The rows' values."""
    opened = traitlets.List(traitlets.Unicode(), ["Parameters"]).tag(sync=True)
    """The groups that are unfolded."""
    note = traitlets.Unicode().tag(sync=True)
    """Why there are no sliders."""
    edit = traitlets.Dict().tag(sync=True)
    """The newest change in the page: key, value, number."""

    def __init__(self, moved: Callable[[Place, float], None], **options: Any) -> None:
        super().__init__(**options)
        self._moved = moved
        self._places: dict[str, Place] = {}
        self.observe(self._on_edit, "edit")

    def show(self, places: Sequence[Place], model: Model, origin: Model) -> None:
        """Show these places of a model; ``origin`` holds what reset goes back to."""
        self._places = {place.key: place for place in places}
        rows = [row_of(place, origin) for place in places]
        values = [_read(place, model) for place in places]
        with self.hold_sync():
            if not _same_rows(rows, self.rows):
                self.rows = rows
            self.values, self.note = values, ""

    def blank(self, why: str) -> None:
        """No sliders, and why."""
        self._places = {}
        with self.hold_sync():
            self.rows, self.values, self.note = [], [], why

    def reveal(self, group: str) -> None:
        """Unfold a group and bring it into sight."""
        self.send({"reveal": group})

    def _on_edit(self, change: Any) -> None:
        place = self._places.get(str(change.new.get("key")))
        value = change.new.get("value")
        if place is not None and isinstance(value, int | float) and math.isfinite(value) and not place.note:
            before = self.values
            self._moved(place, min(max(float(value), place.low), place.high))
            if self.values == before:  # refused: the slider in the page goes back
                self.send_state("values")
                self.send({"refused": True})


def row_of(place: Place, origin: Model) -> dict[str, Any]:
    """What the page knows of a place; ``origin`` holds what reset goes back to."""
    return {
        "key": place.key,
        "group": place.group,
        "title": place.title,
        "symbol": symbol_text(place.title) if place.group == "Parameters" else "",
        "unit": place.unit,
        "low": place.low,
        "high": place.high,
        "note": place.note,
        "options": list(place.options),
        "origin": _read(place, origin),
    }


def _read(place: Place, model: Model) -> float | None:
    try:
        value = place.read(model)
    except (IndexError, AttributeError, KeyError):  # the place is not in that model
        return None
    return value if math.isfinite(value) else None


def _same_rows(new: list[dict[str, Any]], old: list[dict[str, Any]]) -> bool:
    """Whether the page can keep its rows: ranges may have grown with the values, and stay while they hold."""
    if [row["key"] for row in new] != [row["key"] for row in old]:
        return False
    same = ("title", "unit", "note", "origin", "options")
    return all(
        all(a[key] == b[key] for key in same) and a["low"] >= b["low"] and a["high"] <= b["high"]
        for a, b in zip(new, old, strict=True)
    )
