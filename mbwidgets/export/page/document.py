"""A page that needs neither kernel nor network: scripts, states of widgets and grids of states in one HTML file."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from ...scene.page.javascript import join_script
from ...scene.page.javascript_text import compact_text
from ...scene.page.kernel_box import packed_kernels
from .fitting import with_live_sliders
from .pack_code import pack_code
from .pack_states import Chunks, pack_states
from .record import CHOSEN, Sliders, affordable_grid, record_grid, recording_axes
from .thinking import thinking_page, thinks

__all__ = ["Page", "html_document"]

HERE: Final = Path(__file__).parent
SCRIPTS: Final = {
    "@jupyter-widgets/base": "base.js",
    "@jupyter-widgets/controls": "controls.js",
    "jupyter-threejs": "threejs.js",
    "anywidget": "anywidget.js",
}
"""Modules of the page in the order in which they are run, and their files in ``static``."""
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:",
        "worker-src blob:",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "font-src data:",
        "form-action 'none'",
        "base-uri 'none'",
    ]
)
"""What a page may do: run what it carries, and nothing else; nothing can be fetched or sent."""
KERNELS: Final = {"wasm", "twin", "table"}
"""The traits by which the box of compiled kernels is known."""
CODE: Final = ("_esm", "script")
"""The traits that are JavaScript; the page gets them as numbers of texts that it unpacks apart from the states."""
BUTTONS: Final = ("menu", "button")
"""Of a view's camera: what the page answers itself."""


class Page:
    """Collects widgets; `data` is what the page carries beside its text."""

    def __init__(self) -> None:
        self._chunks = Chunks()
        self._states: dict[str, Any] = {}
        self._grids: list[dict[str, Any]] = []
        self._cameras: list[dict[str, Any]] = []
        self._solvers: list[dict[str, Any]] = []
        self._all_kernels = False

    def add(
        self,
        widget: Any,
        sliders: Sliders = None,
        progress: Callable[[float], None] | None = None,
        share: float = 1.0,
    ) -> str:
        """Take a widget in; returns the HTML of its place, with a line that tells what answers there.

        ``share``: of what one page may hold of grids.
        """
        if (sliders is None or sliders is True) and thinks(widget):
            return self._add_thinking(widget)
        with getattr(widget, "without_history", nullcontext)():
            usual = sliders is None or sliders is True
            nodes, most = affordable_grid(widget, share) if usual else (1, CHOSEN)
            axes = recording_axes(widget, sliders if nodes > 1 or not usual else False, nodes)
            camera: dict[str, Any] = getattr(widget, "camera_controls", dict)()
            recording = with_live_sliders(
                record_grid(widget, axes, progress, most), [camera[name] for name in BUTTONS if camera]
            )
        if camera:
            self._cameras.append(camera)
        for identity, state in recording.states.items():
            self._states.setdefault(identity, state)
        choice = recording.choice
        if recording.handles or choice:
            if choice is not None:
                choice["nodes"] = [[self._chunks.add(pack_states(one)) for one in row] for row in recording.options]
            self._grids.append(
                {
                    "axes": recording.handles,
                    "at": [axis.at for axis in recording.axes],
                    "nodes": [self._chunks.add(pack_states(node)) for node in recording.nodes],
                    "choice": choice,
                }
            )
        alive = [axis.name for axis in axes if recording.handles]
        resting = usual and not set(getattr(getattr(widget, "model", None), "parameters", ())) <= set(alive)
        return place(widget.model_id) + _caption(alive, choice is not None, resting)

    def _add_thinking(self, widget: Any) -> str:
        """Take in a view whose page solves its motions itself."""
        camera: dict[str, Any] = widget.camera_controls()
        self._all_kernels = self._all_kernels or widget.asks_all_kernels
        answered = widget.answered_in_page()
        menus = widget.menus_in_page()
        fitted = thinking_page(widget, [*(camera[name] for name in BUTTONS), *answered.values(), *menus.values()])
        self._cameras.append({**camera, "sliders": widget.controls.model_id})
        self._solvers.append({"sliders": widget.controls.model_id, "table": widget.ticks_in_page(), **answered})
        for identity, state in fitted.states.items():
            self._states.setdefault(identity, state)
        words = "Every slider answers here: the page solves the motion itself. Only Python shows "
        alone = _listed(["another model", *widget.python_alone])
        code = f'<code>mb.{_public_name(widget)}(model).to_html("page.html")</code>'
        return f'{place(widget.model_id)}<p class="mbw-answers">{words}{html.escape(alone)}: {code}</p>'

    def foot(self) -> str:
        """A line for the end of the page."""
        rest = "Time, camera, tabs and the sliders named above answer; all else was fixed when the page was made."
        if self._solvers:
            rest = "Time, camera, tabs and sliders answer; what only Python can do says so."
        return f'<p class="mbw-foot">{rest} Made with mbwidgets; it loads nothing from elsewhere.</p>'

    def data(self) -> str:
        """Scripts and states as HTML, to stand at the end of the body."""
        chunks = self._chunks
        for state in self._states.values():
            if state.keys() >= KERNELS:
                if not self._solvers:  # nobody solves anything
                    state.update(wasm=b"", twin=b"")
                elif not self._all_kernels:
                    state.update(packed_kernels("pages"))
        states, code = _apart_from_code(self._states)
        scripts = [[name, chunks.add_packed(_static(file))] for name, file in SCRIPTS.items()]
        contents = {
            "scripts": scripts,
            "math": chunks.add_packed(_static("mathjax.js", "lzma")),
            "style": chunks.add_packed(_static("widgets.css")),
            "coded": CODE,
            "code": chunks.add_packed(pack_code(code)),
            "states": chunks.add(pack_states(states)),
            "grids": self._grids,
            "cameras": self._cameras,
            "solvers": self._solvers,
            "chunks": chunks.table,
        }
        text = json.dumps(contents, separators=(",", ":")).replace("<", "\\u003c")
        glue = compact_text(join_script(HERE / "page.js")).replace("</script", "<\\/script")
        return (
            f'<script type="text/plain" id="mbw-packed">{chunks.text()}</script>\n'
            f'<script type="application/json" id="mbw-contents">{text}</script>\n'
            f'<script type="module">\n{glue}</script>\n'
        )


def place(identity: str) -> str:
    """Where the page puts a widget."""
    return f'<div class="mbw-view" data-model="{html.escape(identity)}"><p class="mbw-waiting">One moment …</p></div>'


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _public_name(widget: Any) -> str:
    """The name by which a view is made; of a user's own the name of ours that it is made from."""
    own = __name__.split(".", 1)[0]
    return next(kind.__name__ for kind in type(widget).__mro__ if kind.__module__.split(".", 1)[0] == own)


def _caption(sliders: list[str], chosen: bool, resting: bool) -> str:
    """What answers in a view, in words, and why other parameters do not."""
    names = _listed([f"<i>{html.escape(name)}</i>" for name in sliders] or [""])
    parts = [f"the slider{'s' if len(sliders) > 1 else ''} of {names}"] if sliders else []
    text = " and ".join([*parts, "the map"] if chosen else parts)
    if not text:
        return ""
    many = len(sliders) + chosen > 1
    moving = f"{text[:1].upper()}{text[1:]} answer{'' if many else 's'} here"
    why = f" {'Other' if sliders else 'The'} parameters rest: with them the page would grow too large."
    return f'<p class="mbw-answers">{moving}: every value was computed beforehand.{why if resting else ""}</p>'


def html_document(title: str, body: str, data: str, style: str = "") -> str:
    """The whole file. ``body``, ``data`` and ``style`` are HTML and CSS; the title is text."""
    own = (HERE / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{html.escape(title)}</title>\n<style>\n{own}{style}</style>\n</head>\n"
        f"<body>\n{body}\n<noscript>This page needs JavaScript; it loads nothing from elsewhere.</noscript>\n"
        f"{data}</body>\n</html>\n"
    )


def _apart_from_code(states: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The states with numbers for their JavaScript, and the texts that these number: those alike are one."""
    code = {state[name] for state in states.values() for name in CODE if isinstance(state.get(name), str)}
    texts = sorted(code, key=lambda text: (len(text), text))
    at = {text: number for number, text in enumerate(texts)}
    bare = {
        identity: {
            name: at[value] if name in CODE and isinstance(value, str) else value for name, value in state.items()
        }
        for identity, state in states.items()
    }
    return bare, [compact_text(text) for text in texts]


def _static(name: str, packed: str = "gz") -> bytes:
    return (HERE / "static" / f"{name}.{packed}").read_bytes()
