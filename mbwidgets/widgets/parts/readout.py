"""The table of vectors: choose which are drawn, read their components at the shown time, set their scales.

The page fills it from the player's buffers, so that it follows the motion without the kernel; it is the text
reading of the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ...model.model import Model
from ...scene.page.javascript import join_modules, read_stylesheet
from ...scene.quantities.motion_quantities import find_quantity, quantity_names
from ...scene.stage.picture import Picture

__all__ = ["Readout", "table_column"]


def table_column(key: str, label: str, colour: str, owner: str) -> list[str]:
    """Of an arrow its quantity, whose it is, and its own symbol and colour where these are not the quantity's."""
    own = not label.startswith(find_quantity(key).label)
    return [key, owner, *([label, colour] if own else [])]


class Readout(anywidget.AnyWidget):
    """A table with one row an arrow: symbol, name, components, length, unit, scale; and the list to choose from."""

    _esm = join_modules(Path(__file__).parent / "readout.js")
    _css = read_stylesheet(Path(__file__).parent / "readout.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    rows: Any = traitlets.List().tag(sync=True)
    """The quantities there are."""
    columns: Any = traitlets.List().tag(sync=True)
    """(quantity, owner) of each arrow of the player, in its order."""
    chosen = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """Quantities that are drawn."""
    scales: Any = traitlets.Dict().tag(sync=True)
    """Metres for one unit of the quantities whose scale is set by hand."""
    automatic: Any = traitlets.Dict().tag(sync=True)
    """The scales that are in use."""
    missing: Any = traitlets.Dict().tag(sync=True)
    """Quantities that the model does not have, and why."""
    title = traitlets.Unicode().tag(sync=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.refresh()

    def refresh(self) -> None:
        """Read the registry of quantities again."""
        keys = ("key", "symbol", "name", "unit", "colour", "group")
        self.rows = [{key: getattr(find_quantity(name), key) for key in keys} for name in quantity_names()]

    def blank(self, why: str) -> None:
        """No vectors, and why."""
        with self.hold_sync():
            self.columns, self.automatic, self.missing, self.title = [], {}, {}, why

    def show(
        self, picture: Picture, model: Model, chosen: Sequence[str], scales: Mapping[str, float], title: str
    ) -> None:
        """Tell about the arrows of a picture."""
        several = len({item.body for item in picture.shown}) > 1
        columns = []
        for item in picture.shown:
            columns.append(
                table_column(item.key, item.label, item.colour, model.bodies[item.body].name if several else "")
            )
        with self.hold_sync():
            self.columns = columns
            self.chosen = list(chosen)
            self.scales = dict(scales)
            self.automatic = dict(picture.scales)
            self.missing = dict(picture.missing)
            self.title = title
