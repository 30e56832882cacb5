"""A table of numbers that follows the player: any rows, any columns, in the page and without the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Column", "Entry", "Ledger"]


@dataclass(frozen=True)
class Column:
    """A column: its title, a unit, and what it holds: a ``number``, a ``small`` one (as a power of ten), a ``text``."""

    title: str
    unit: str = ""
    kind: str = "number"


@dataclass(frozen=True)
class Entry:
    """A row: symbol (``_`` begins a subscript, ``^`` a superscript), name, unit, colour.

    ``group`` is a heading above the rows that share it; ``tick`` gives the row a box for what is drawn; ``strong``
    marks a sum; ``texts`` fill the columns of text.
    """

    key: str
    symbol: str
    name: str = ""
    unit: str = ""
    colour: str = ""
    group: str = ""
    tick: bool = False
    strong: bool = False
    texts: tuple[str, ...] = ()


class Ledger(anywidget.AnyWidget):
    """Rows of numbers at the player's time. ``chosen``: keys of ticked rows; ``picked``: the row that was clicked."""

    _esm = join_modules(Path(__file__).parent / "ledger.js")
    _css = read_stylesheet(Path(__file__).parent / "ledger.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    columns: Any = traitlets.List().tag(sync=True)
    rows: Any = traitlets.List().tag(sync=True)
    values = traitlets.Bytes().tag(sync=True)
    """(frames, rows, columns of numbers) float32."""
    version = traitlets.Int(0).tag(sync=True)
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    picked = traitlets.Unicode().tag(sync=True)
    pickable = traitlets.Bool(False).tag(sync=True)
    folded = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Groups whose rows are folded at first; where there are any, all groups can be folded by their headings."""
    tall = traitlets.Int(0).tag(sync=True)
    """Height in pixels beyond which it scrolls; 0: never."""

    def show(
        self, columns: Sequence[Column], rows: Sequence[Entry], values: np.ndarray, title: str = "", note: str = ""
    ) -> None:
        """Show values (frames, rows, columns of numbers); those that are not finite are shown as a dash."""
        self.take(self.state_of(columns, rows, title, note), values)

    def take(self, look: dict[str, Any], values: np.ndarray) -> None:
        """Show values with the traits of `state_of`."""
        with self.hold_sync():
            for name, value in look.items():
                setattr(self, name, value)
            with np.errstate(over="ignore"):
                self.values = np.ascontiguousarray(values, dtype=np.float32).tobytes()
            self.version += 1

    @staticmethod
    def state_of(
        columns: Sequence[Column], rows: Sequence[Entry], title: str = "", note: str = "", folded: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The traits that show these rows and columns; their numbers are not among them."""
        return {
            "folded": list(folded),
            "title": title,
            "note": note,
            "columns": [asdict(column) for column in columns],
            "rows": [{**asdict(row), "texts": list(row.texts)} for row in rows],
        }

    def blank(self, why: str) -> None:
        """No rows, and why."""
        self.show([], [], np.zeros((1, 0, 0)), why)

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames, rows, columns of numbers)."""
        numbers = sum(column["kind"] != "text" for column in self.columns)
        frames = -1 if self.values else 0
        return np.frombuffer(self.values, dtype=np.float32).reshape(frames, len(self.rows), numbers)
