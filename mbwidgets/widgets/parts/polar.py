"""A vector in a plane as a polar curve that follows the player: which way a pin is pushed, and how hard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Polar"]


class Polar(anywidget.AnyWidget):
    """The tip of a plane vector over the frames; clicking the curve moves the time there."""

    _esm = join_modules(Path(__file__).parent / "polar.js")
    _css = read_stylesheet(Path(__file__).parent / "polar.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
    title = traitlets.Unicode().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    names = traitlets.List(traitlets.Unicode(), ["x", "y"]).tag(sync=True)
    """Of the two directions."""
    colour = traitlets.Unicode("#D55E00").tag(sync=True)
    down = traitlets.Bool(False).tag(sync=True)
    """Draw the first direction downwards and the second to the right, as the paper's figure has them."""
    values = traitlets.Bytes().tag(sync=True)
    """(frames, 2) float32."""
    version = traitlets.Int(0).tag(sync=True)

    def show(self, values: np.ndarray, title: str, unit: str, names: Any, colour: str, down: bool = False) -> None:
        """Draw the curve of values (frames, 2)."""
        self.take(self.look_of(title, unit, names, colour, down), values)

    def take(self, look: dict[str, Any], values: np.ndarray) -> None:
        """Draw the curve of values (frames, 2) with the traits of `look_of`."""
        with self.hold_sync():
            for name, value in look.items():
                setattr(self, name, value)
            with np.errstate(over="ignore"):
                self.values = np.ascontiguousarray(values, dtype=np.float32).tobytes()
            self.version += 1

    @staticmethod
    def look_of(title: str, unit: str, names: Any, colour: str, down: bool = False) -> dict[str, Any]:
        """The traits of a curve; its points are not among them."""
        return {"title": title, "unit": unit, "names": list(names), "colour": colour, "down": down}

    def blank(self, why: str) -> None:
        """No curve, and why."""
        self.show(np.zeros((0, 2)), why, "", self.names, self.colour)

    def array(self) -> np.ndarray:
        """The numbers that the page has, (frames, 2)."""
        return np.frombuffer(self.values, dtype=np.float32).reshape(-1, 2)
