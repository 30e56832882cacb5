"""A tensor as a map of its terms: one cell an entry, darker where the formula is longer, empty where it is zero.

The cells are a grid for the keyboard too: arrow keys walk, and each cell tells its name and its size.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["HeatMap"]


class HeatMap(anywidget.AnyWidget):
    """Panels of cells. ``chosen`` is (panel, row, column), counted from 0; it can be set and observed."""

    _esm = join_modules(Path(__file__).parent / "heatmap.js")
    _css = read_stylesheet(Path(__file__).parent / "heatmap.css")

    panels: Any = traitlets.List().tag(sync=True)
    """Each with a title, the labels of its rows and columns, and names and counts of its cells."""
    chosen: Any = traitlets.List([0, 0, 0]).tag(sync=True)
    answered: Any = traitlets.List([0, 0, 0]).tag(sync=True)
    """The last choice that was answered; one that nobody answers falls back to it."""
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody answers: a page without a kernel says so."""
    symmetric = traitlets.Bool(False).tag(sync=True)
    """Whether (row, column) and (column, row) are the same entry."""
    colour = traitlets.Unicode("#0072B2").tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    """What is said beneath the map."""
    busy = traitlets.Unicode().tag(sync=True)
    """What is being derived; empty at rest."""

    def show(self, panels: list[dict[str, Any]], chosen: list[int], colour: str, symmetric: bool, note: str) -> None:
        """Show other panels, with one cell chosen."""
        with self.hold_sync():
            self.panels, self.colour, self.symmetric, self.note, self.busy = panels, colour, symmetric, note, ""
            self.chosen = self.answered = chosen

    def blank(self, why: str) -> None:
        """No cells, and why."""
        self.show([], [0, 0, 0], self.colour, False, why)

    @traitlets.validate("chosen")
    def _check_chosen(self, proposal: Any) -> list[int]:
        try:
            panel, row, column = map(int, proposal.value)
        except (TypeError, ValueError):
            return list(self.chosen)
        return [panel, row, column] if self._has(panel, row, column) else list(self.chosen)

    def _has(self, panel: int, row: int, column: int) -> bool:
        if not self.panels:
            return min(panel, row, column) >= 0
        if not 0 <= panel < len(self.panels):
            return False
        counts = self.panels[panel]["counts"]
        return 0 <= row < len(counts) and 0 <= column < len(counts[row])
