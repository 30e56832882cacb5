"""The row above the stage: what is selected, where the camera stands, undo and redo, and what a view adds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from ...scene.stage.viewpoint import VIEWS
from .lecture import Lecture

__all__ = ["Toolbar"]


class Toolbar(ipywidgets.HBox):
    """Buttons and menus of a view."""

    def __init__(self, view: Any) -> None:
        self._view = view
        wide = {"flex": "1 1 92px", "max_width": "180px"}
        self._bodies = ipywidgets.Dropdown(description="body", layout=wide, style={"description_width": "34px"})
        self._views = ipywidgets.Dropdown(
            options=list(VIEWS), description="view", layout={"width": "104px"}, style={"description_width": "32px"}
        )
        self._fit = _button("fit", "Turn the camera to what is shown", lambda: view.fit())
        self._theme = _button("◐", "Light or dark", self._switch)
        self._held = ipywidgets.ToggleButton(
            True,
            description="drives",
            tooltip="Drives hold the slides, which would fall for ever: they are no part of the model",
            layout={"width": "auto", "padding": "0 4px", "display": "none"},
        )
        self._undo = _button("↶", "Undo", lambda: view.undo())
        self._redo = _button("↷", "Redo", lambda: view.redo())
        self._reset = _button("reset", "Back to the model that was given", lambda: view.reset())
        for part, name in ((self._views, "mbw-views"), (self._fit, "mbw-fit")):
            part.add_class(name)
        for menu in (self._bodies, self._views):
            menu.add_class("mbw-plain-menu")
        gap = {"flex_flow": "row wrap", "grid_gap": "3px 2px", "align_items": "center"}
        self._parts: list[Any] = [
            self._bodies,
            self._views,
            self._fit,
            self._theme,
            self._held,
            self._undo,
            self._redo,
            self._reset,
            Lecture(player=view.picture.player),
        ]
        super().__init__(self._parts, layout=gap)
        self._bodies.observe(self._on_body, "value")
        self._held.observe(lambda change: self._set("held", change.new), "value")
        self._views.observe(lambda change: self._set("view", change.new), "value")

    def insert(self, *parts: Any) -> None:
        """Put parts of a view's own after the camera's."""
        at = self._parts.index(self._theme)
        self._parts[at:at] = parts
        self.children = tuple(self._parts)

    def refresh(self) -> None:
        """Show the view's present choice."""
        view = self._view
        names = tuple(body.name for body in view.model.bodies)
        if tuple(self._bodies.options) != names:
            self._bodies.unobserve(self._on_body, "value")
            self._bodies.options = names
            self._bodies.observe(self._on_body, "value")
        if self._bodies.value != view.selected:
            self._bodies.value = view.selected
        self._views.value = view.view
        self._held.value = view.held
        self._held.layout.display = None if view.holdable else "none"
        self._undo.disabled = not view.history.can_undo
        self._redo.disabled = not view.history.can_redo

    @property
    def camera(self) -> dict[str, str]:
        """Ids of the menu of views and of the button beside it."""
        return {"menu": str(self._views.model_id), "button": str(self._fit.model_id)}

    @property
    def history(self) -> dict[str, str]:
        """Ids of the buttons that go back and forth."""
        buttons = {"undo": self._undo, "redo": self._redo, "reset": self._reset}
        return {name: str(button.model_id) for name, button in buttons.items()}

    @property
    def theme_button(self) -> str:
        """Id of the button for light and dark."""
        return str(self._theme.model_id)

    @property
    def body_menu(self) -> str:
        """Id of the menu of bodies."""
        return str(self._bodies.model_id)

    def _on_body(self, change: Any) -> None:
        if change.new is not None:
            self._set("selected", change.new)

    def _set(self, name: str, value: Any) -> None:
        setattr(self._view, name, value)

    def _switch(self) -> None:
        player = self._view.picture.player
        dark = self._view.theme == "dark" or (player.follows and player.on_dark)
        player.follows = False
        self._view.theme = "light" if dark else "dark"


def _button(text: str, tooltip: str, action: Callable[[], None]) -> Any:
    layout = {"width": "auto", "padding": "0 5px"}
    button = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout)
    button.on_click(lambda _: action())
    return button
