"""The button that lets the stage fill the screen, for a lecture hall."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets
from ipywidgets import widget_serialization

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["Lecture"]


class Lecture(anywidget.AnyWidget):
    """Fills the screen with the stage: type one and a half times as large, sliders over it, keys for all.

    The page does it alone, with a kernel and without one; nothing of it is told to Python.
    """

    _esm = join_modules(Path(__file__).parent / "lecture.js")
    _css = read_stylesheet(Path(__file__).parent / "lecture.css")

    player = traitlets.Any().tag(sync=True, **widget_serialization)
