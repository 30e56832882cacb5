"""The table of vectors: choose which are drawn, and read their components at the time that is shown.

The page fills it from the player's buffers, so that it follows the motion without the kernel; it is the text
reading of the picture.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ..scene.quantities import names, quantity

__all__ = ["Readout"]


class Readout(anywidget.AnyWidget):
    """A table with one row a quantity: whether it is drawn, symbol, name, components, length, unit."""

    _esm = Path(__file__).parent / "readout.js"
    _css = Path(__file__).parent / "readout.css"

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    rows: Any = traitlets.List().tag(sync=True)
    columns: Any = traitlets.List().tag(sync=True)
    """(quantity, owner) of each arrow of the player, in its order."""
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Quantities that are drawn."""
    title = traitlets.Unicode().tag(sync=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.refresh()

    def refresh(self) -> None:
        """Read the registry of quantities again."""
        keys = ("key", "symbol", "name", "unit", "colour")
        self.rows = [{key: getattr(quantity(name), key) for key in keys} for name in names()]
