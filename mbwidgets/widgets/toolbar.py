"""The row above the stage: what is selected, where the camera stands, undo and redo, arrows and trail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ipywidgets

from ..scene.stage import VIEWS

__all__ = ["Toolbar"]

SIZES: Final = (("½ ×", 0.5), ("1 ×", 1.0), ("2 ×", 2.0), ("4 ×", 4.0))


class Toolbar(ipywidgets.HBox):
    """Buttons and menus of an Explorer."""

    def __init__(self, explorer: Any) -> None:
        self._explorer = explorer
        wide = {"width": "210px"}
        self._bodies = ipywidgets.Dropdown(description="body", layout=wide, style={"description_width": "36px"})
        self._views = ipywidgets.Dropdown(
            options=list(VIEWS), description="view", layout={"width": "130px"}, style={"description_width": "34px"}
        )
        self._sizes = ipywidgets.Dropdown(
            options=SIZES,
            value=1.0,
            description="arrows",
            layout={"width": "125px"},
            style={"description_width": "46px"},
        )
        self._trail = ipywidgets.ToggleButton(
            False, description="trail", tooltip="Path of the selected body's mass centre", layout={"width": "62px"}
        )
        self._fit = _button("fit", "Turn the camera back to the view", self._look)
        self._undo = _button("↶ undo", "Undo", lambda: explorer.undo())
        self._redo = _button("↷ redo", "Redo", lambda: explorer.redo())
        self._reset = _button("reset", "Back to the model that was given", lambda: explorer.reset())
        gap = {"flex_flow": "row wrap", "grid_gap": "4px", "align_items": "center"}
        parts = [
            self._bodies,
            self._views,
            self._fit,
            self._sizes,
            self._trail,
            self._undo,
            self._redo,
            self._reset,
        ]
        super().__init__(parts, layout=gap)
        self._bodies.observe(self._on_body, "value")
        self._views.observe(lambda change: self._set("view", change.new), "value")
        self._sizes.observe(lambda _: explorer._show(), "value")
        self._trail.observe(lambda _: explorer.show_trail(), "value")

    @property
    def magnify(self) -> float:
        """How much longer than usual the arrows are."""
        return float(self._sizes.value)

    @property
    def trail(self) -> bool:
        """Whether the path of the selected body is drawn."""
        return bool(self._trail.value)

    def refresh(self) -> None:
        """Show the Explorer's present choice."""
        explorer = self._explorer
        names = tuple(body.name for body in explorer.model.bodies)
        if tuple(self._bodies.options) != names:
            self._bodies.unobserve(self._on_body, "value")
            self._bodies.options = names
            self._bodies.observe(self._on_body, "value")
        if self._bodies.value != explorer.selected:
            self._bodies.value = explorer.selected
        self._views.value = explorer.view
        self._undo.disabled = not explorer.history.can_undo
        self._redo.disabled = not explorer.history.can_redo

    def _on_body(self, change: Any) -> None:
        if change.new is not None:
            self._set("selected", change.new)

    def _set(self, name: str, value: Any) -> None:
        setattr(self._explorer, name, value)

    def _look(self) -> None:
        self._explorer.picture.stage.look(self._explorer.view)


def _button(text: str, tooltip: str, action: Callable[[], None]) -> Any:
    button = ipywidgets.Button(description=text, tooltip=tooltip, layout={"width": "auto", "padding": "0 9px"})
    button.on_click(lambda _: action())
    return button
