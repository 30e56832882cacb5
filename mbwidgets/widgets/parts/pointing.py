"""Pointing: a line of a formula under the pointer, or in focus, lights its arrow on the stage, and the reverse."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Pointing"]


class Pointing(anywidget.AnyWidget):
    """Shows nothing: it joins what carries ``data-key`` in the panel about it to the player's highlight."""

    _esm = join_modules(Path(__file__).parent / "pointing.js")
    _css = read_stylesheet(Path(__file__).parent / "pointing.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
