"""Generated code in the page: choose a language, read, copy, save. The text is only text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import anywidget
import traitlets

from ...scene.page.javascript import join_modules, read_stylesheet

__all__ = ["SUFFIX", "CodeBox"]

SUFFIX: Final = {"python": "py", "c": "c", "javascript": "js", "mathematica": "m", "modelica": "mo", "latex": "tex"}
"""How files of each language end."""
TITLES: Final = {
    "python": "Python",
    "c": "C99",
    "javascript": "JavaScript",
    "mathematica": "Mathematica",
    "modelica": "Modelica",
    "latex": "LaTeX",
}


class CodeBox(anywidget.AnyWidget):
    """Code in several languages; the page shows one of them without asking the kernel."""

    _esm = join_modules(Path(__file__).parent / "codebox.js")
    _css = read_stylesheet(Path(__file__).parent / "codebox.css")

    texts: Any = traitlets.Dict().tag(sync=True)
    """Language → code."""
    language = traitlets.Unicode("python").tag(sync=True)
    titles: Any = traitlets.Dict(TITLES).tag(sync=True)
    suffixes: Any = traitlets.Dict(SUFFIX).tag(sync=True)
    name = traitlets.Unicode("mechanism").tag(sync=True)
    """Of the file that is saved."""
    note = traitlets.Unicode().tag(sync=True)

    def show(self, texts: dict[str, str]) -> None:
        """Show code, by its language."""
        with self.hold_sync():
            self.texts, self.note = texts, ""

    def blank(self, why: str) -> None:
        """No code, and why."""
        with self.hold_sync():
            self.texts, self.note = {}, why

    @property
    def text(self) -> str:
        """The code that is shown."""
        return str(self.texts.get(self.language, ""))
