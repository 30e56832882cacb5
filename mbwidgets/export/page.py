"""A page that needs neither kernel nor network: scripts, states of widgets and grids of states in one HTML file."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from .fitting import fitted
from .pack import Chunks, pack
from .record import FEWEST, Sliders, affordable, choice_count, choose_axes, record

__all__ = ["Page", "document"]

HERE: Final = Path(__file__).parent
SCRIPTS: Final = {
    "@jupyter-widgets/base": "base.js",
    "@jupyter-widgets/controls": "controls.js",
    "jupyter-threejs": "threejs.js",
    "anywidget": "anywidget.js",
}
"""Modules of the page in the order in which they are run, and their files in ``static``."""


class Page:
    """Collects widgets; `data` is what the page carries beside its text."""

    def __init__(self) -> None:
        self._chunks = Chunks()
        self._states: dict[str, Any] = {}
        self._grids: list[dict[str, Any]] = []
        self._alive: list[str] = []
        self._chosen = False

    def add(
        self,
        widget: Any,
        sliders: Sliders = None,
        progress: Callable[[float], None] | None = None,
        share: float = 1.0,
    ) -> str:
        """Take a widget in; returns the HTML of its place. ``share``: of what one page may hold of grids."""
        with getattr(widget, "at_rest", nullcontext)():
            nodes = affordable(widget, share) if sliders is None or sliders is True else 1
            if sliders is None and nodes < FEWEST and choice_count(widget):
                sliders = False
            axes = choose_axes(getattr(widget, "model", None), sliders, nodes)
            recording = fitted(record(widget, axes, progress))
        for identity, state in recording.states.items():
            self._states.setdefault(identity, state)
        if recording.handles or recording.choice:
            self._alive += [axis.name for axis in recording.axes if recording.handles]
            choice = recording.choice
            if choice is not None:
                self._chosen = True
                choice["nodes"] = [[self._chunks.add(pack(one)) for one in row] for row in recording.options]
            self._grids.append(
                {
                    "axes": recording.handles,
                    "at": [axis.at for axis in recording.axes],
                    "nodes": [self._chunks.add(pack(node)) for node in recording.nodes],
                    "choice": choice,
                }
            )
        return place(widget.model_id)

    def foot(self) -> str:
        """A line that tells what answers here and what does not."""
        alive = list(dict.fromkeys(self._alive))
        names = ", ".join(f"<i>{html.escape(name)}</i>" for name in alive)
        parts = [f"the slider{'s' if len(alive) > 1 else ''} of {names}"] if alive else []
        text = " and ".join([*parts, "the map"] if self._chosen else parts)
        many = len(alive) + self._chosen > 1
        moving = f"{text[:1].upper()}{text[1:]} answer{'' if many else 's'} here: every value was computed beforehand. "
        moving = moving if text else ""
        rest = "Time, camera and tabs can be moved; what else there is was fixed when the page was made."
        return f'<p class="mbw-foot">{moving}{rest} Made with mbwidgets; it loads nothing from elsewhere.</p>'

    def data(self) -> str:
        """Scripts and states as HTML, to stand at the end of the body."""
        chunks = self._chunks
        scripts = [[name, chunks.add_packed(_static(file))] for name, file in SCRIPTS.items()]
        contents = {
            "scripts": scripts,
            "math": chunks.add_packed(_static("mathjax.js")),
            "style": chunks.add_packed(_static("widgets.css")),
            "states": chunks.add(pack(self._states)),
            "grids": self._grids,
            "chunks": chunks.table,
        }
        text = json.dumps(contents, separators=(",", ":")).replace("<", "\\u003c")
        glue = (HERE / "page.js").read_text(encoding="utf-8").replace("</script", "<\\/script")
        return (
            f'<script type="text/plain" id="mbw-packed">{chunks.text()}</script>\n'
            f'<script type="application/json" id="mbw-contents">{text}</script>\n'
            f'<script type="module">\n{glue}</script>\n'
        )


def place(identity: str) -> str:
    """Where the page puts a widget."""
    return f'<div class="mbw-view" data-model="{html.escape(identity)}"><p class="mbw-waiting">One moment …</p></div>'


def document(title: str, body: str, data: str, style: str = "") -> str:
    """The whole file. ``body``, ``data`` and ``style`` are HTML and CSS; the title is text."""
    own = (HERE / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{own}{style}</style>\n</head>\n"
        f"<body>\n{body}\n<noscript>This page needs JavaScript; it loads nothing from elsewhere.</noscript>\n"
        f"{data}</body>\n</html>\n"
    )


def _static(name: str) -> bytes:
    return (HERE / "static" / f"{name}.gz").read_bytes()
