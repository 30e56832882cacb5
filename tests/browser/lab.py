"""JupyterLab for tests: a page that opens a notebook, runs it and tells what went wrong.

    def test_a_slider_moves_the_arm(lab):
        lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.three_body_arm()); view")
        lab.run_all()
        lab.cell(1).get_by_role("slider").first.press("ArrowRight")
        assert lab.python("print(view.time)") == "0.1"
        assert lab.errors == []

Every wait has a time limit in seconds. `lab.page` is the Playwright page, for all that is not here.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlsplit

import matplotlib.image
import nbformat
import numpy as np
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.server import LabServer, NotebookServer, VoilaServer

# WebGL in software, and a browser that talks to nobody.
FLAGS = [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-gpu-rasterization",
]

# Console errors of JupyterLab that say nothing about us: (pattern, why it is harmless).
HARMLESS: list[tuple[str, str]] = []

# JavaScript functions. `panel` is JupyterLab's NotebookPanel.
PANEL = """path => {
    const widgets = window.jupyterapp ? [...window.jupyterapp.shell.widgets("main")] : [];
    return widgets.find(widget => widget.context?.path === path);
}"""
KERNEL_IS_IDLE = "panel => panel.sessionContext.session?.kernel?.status === 'idle'"
CODE_CELLS = """panel => [...panel.content.model.cells]
    .map((cell, index) => ({ cell, index }))
    .filter(({ cell }) => cell.type === "code")
    .map(({ cell, index }) => ({
        index,
        source: cell.sharedModel.source,
        execution_count: cell.executionCount,
        outputs: cell.outputs.toJSON(),
    }))"""
RUN_PYTHON = """async (panel, code) => {
    const request = panel.sessionContext.session.kernel.requestExecute({ code, store_history: false });
    const reply = { text: "", error: null };
    request.onIOPub = ({ header, content }) => {
        if (header.msg_type === "stream") reply.text += content.text;
        if (header.msg_type === "error") reply.error = `${content.ename}: ${content.evalue}`;
    };
    await request.done;
    return reply;
}"""
WIDGET_MANAGER = """panel => panel.content.rendermime
    .createRenderer("application/vnd.jupyter.widget-view+json")._manager.promise"""


@dataclass(frozen=True)
class Cell:
    """A code cell as the page has it after a run. `outputs` are nbformat dictionaries."""

    index: int
    source: str
    execution_count: int | None
    outputs: Sequence[dict[str, Any]]

    @property
    def text(self) -> str:
        """All that it printed or showed as plain text."""
        streams = [output["text"] for output in self.outputs if output["output_type"] == "stream"]
        return "\n".join(map(_joined, streams + self._data("text/plain")))

    @property
    def html(self) -> str:
        """All that it showed as HTML."""
        return "\n".join(map(_joined, self._data("text/html")))

    @property
    def error(self) -> str | None:
        """The exception it ended with, as `Name: message`."""
        errors = (o for o in self.outputs if o["output_type"] == "error")
        return next((f"{o['ename']}: {o['evalue']}" for o in errors), None)

    def _data(self, kind: str) -> list[Any]:
        return [o["data"][kind] for o in self.outputs if kind in o.get("data", {})]


class Lab:
    """One page on JupyterLab, with one notebook and one kernel of its own."""

    def __init__(self, browser: Browser, server: LabServer, name: str, screenshots: Path) -> None:
        self._server = server
        self._name = name
        self._screenshots = screenshots
        self._waits = itertools.count()
        self._notebook: str | None = None
        self._context = browser.new_context(viewport={"width": 1400, "height": 1000})
        self._context.set_default_timeout(20_000)
        self._context.route(_is_abroad, self._refuse)
        self.page = self._context.new_page()
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self._report(f"uncaught: {error}"))
        self.errors: list[str] = []
        """Console errors, uncaught exceptions and requests beyond this machine, in order."""
        self.harmless = list(HARMLESS)
        """Complaints that this test expects: (pattern, why)."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # a page that broke must not hide the failure that broke it
        with contextlib.suppress(TimeoutError, PlaywrightError):
            if self._notebook is not None:
                self._wait(10, "the kernel to stop", "panel => panel.sessionContext.shutdown()")
        self._context.close()

    def open(self, notebook: str | Path, timeout: float = 60) -> None:
        """Open a copy of a notebook of notebooks/, or of a path, without its outputs; wait for its kernel."""
        source = self._server.root / notebook
        content = nbformat.read(source, as_version=4)
        for cell in content.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        folder = source.parent if source.is_relative_to(self._server.root) else self._server.root
        self._open(content, folder / f"{source.stem}--{self._name}.ipynb", timeout)

    def open_cells(self, *sources: str, timeout: float = 60) -> None:
        """Open a new notebook with these code cells; wait for its kernel."""
        content = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        self._open(content, self._server.root / f"cells--{self._name}.ipynb", timeout)

    def open_saved(self, content: nbformat.NotebookNode, timeout: float = 60) -> None:
        """Open a notebook as it was saved, with its outputs, as a stranger's."""
        self._open(content, self._server.root / f"saved--{self._name}.ipynb", timeout)

    def _open(self, content: nbformat.NotebookNode, path: Path, timeout: float) -> None:
        if self._notebook is not None:
            raise RuntimeError("this page has its notebook: one notebook, one kernel, one test")
        content.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(content, path)
        self._notebook = path.relative_to(self._server.root).as_posix()
        address = f"{self._server.url}/lab/workspaces/{self._name}/tree/{quote(self._notebook)}"
        self.page.goto(f"{address}?token={self._server.token}", timeout=1000 * timeout)
        self._until(timeout, "JupyterLab to open the notebook", "panel => panel.context.isReady")
        self._until(timeout, "the kernel to start", KERNEL_IS_IDLE)
        self.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")

    def run_all(self, timeout: float = 120) -> list[Cell]:
        """Run every cell, wait until the kernel rests, and return the code cells."""
        self._wait(
            timeout,
            "the notebook to run",
            """panel => {
                window.jupyterapp.shell.activateById(panel.id);
                return window.jupyterapp.commands.execute("notebook:run-all-cells");
            }""",
        )
        self._until(timeout, "the kernel to rest", KERNEL_IS_IDLE)
        return self.cells

    @property
    def cells(self) -> list[Cell]:
        """The code cells as they are now."""
        return [Cell(**cell) for cell in self._wait(10, "the cells", CODE_CELLS)]

    def cell(self, index: int) -> Locator:
        """Where a cell is in the page, counted from 0 over all cells: `lab.cell(2).get_by_role("slider")`."""
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").nth(index)

    def python(self, code: str, timeout: float = 30) -> str:
        """Run code in the kernel, behind the notebook's back, and return what it prints."""
        reply = self._wait(timeout, "the kernel to answer", RUN_PYTHON, code)
        if reply["error"]:
            raise AssertionError(f"{code!r} raised {reply['error']}")
        return str(reply["text"]).strip()

    def widgets(self, function: str, argument: Any = None, timeout: float = 20) -> Any:
        """Call a JavaScript function (manager, argument) with the page's widget manager; return its value.

        lab.widgets("async (manager, id) => (await manager.get_model(id)).get('value')", model_id)
        """
        call = f"async (panel, argument) => ({function})(await ({WIDGET_MANAGER})(panel), argument)"
        return self._wait(timeout, "the widgets", call, argument)

    def pixels(self, place: Locator) -> np.ndarray:
        """What is seen at a place of the page: (height, width, 3) in 0 … 1."""
        place.scroll_into_view_if_needed()
        return matplotlib.image.imread(io.BytesIO(place.screenshot()))[..., :3]

    def screenshot(self, name: str, place: Locator | None = None) -> Path:
        """Save the page, or a place of it, as artefacts/screenshots/<test>-<name>.png."""
        path = self._screenshots / f"{self._name}-{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        (place or self.page).screenshot(path=path)
        return path

    def _wait(self, seconds: float, what: str, function: str, argument: Any = None) -> Any:
        """Call a JavaScript function (panel, argument), async or not; TimeoutError after so many seconds.

        The page keeps the result and is polled: a promise that never settles cannot hold the test.
        """
        key = next(self._waits)
        self.page.evaluate(
            f"""([path, key, argument]) => {{
                const settle = (window.mbwidgetsTest ??= {{}});
                Promise.resolve().then(() => ({function})(({PANEL})(path), argument)).then(
                    value => {{ settle[key] = {{ value }}; }},
                    error => {{ settle[key] = {{ error: String(error?.stack ?? error) }}; }});
            }}""",
            [self._notebook, key, argument],
        )
        settled = self._poll(seconds, what, "key => window.mbwidgetsTest[key]", key)
        if "error" in settled:
            raise RuntimeError(f"{what}: {settled['error']}")
        return settled.get("value")

    def _until(self, seconds: float, what: str, condition: str) -> None:
        """Poll until a JavaScript condition of the panel is true."""
        function = f"path => {{ const panel = ({PANEL})(path); return panel && ({condition})(panel); }}"
        self._poll(seconds, what, function, self._notebook)

    def _poll(self, seconds: float, what: str, function: str, argument: Any) -> Any:
        try:
            return self.page.wait_for_function(function, arg=argument, timeout=1000 * seconds, polling=50).json_value()
        except PlaywrightTimeout:
            raise TimeoutError(f"waited {seconds:g} s for {what}; page errors: {self.errors}") from None

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._report(f"console: {message.text} ({message.location.get('url', '')})")

    def _refuse(self, route: Route) -> None:
        self._report(f"request beyond this machine: {route.request.url}")
        route.abort()

    def _report(self, message: str) -> None:
        if not any(re.search(pattern, message) for pattern, _ in self.harmless):
            self.errors.append(message)


PATIENCE = 60_000
"""Milliseconds that another front end may take to start a kernel and draw."""
ELSEWHERE = ("Notebook 7", "Voilà")
"""The other front ends."""


def show_elsewhere(browser: Browser, home: Path, where: str, use: Callable[[Page], None], *sources: str) -> None:
    """Run these code cells in another front end and use the page; it may complain of nothing that is ours."""
    make, plain = (NotebookServer, "1 + 1") if where == "Notebook 7" else (VoilaServer, PLAIN)
    with make(home / "none", home / "home") as server:
        # what a page without us complains of is not our matter
        with _page(browser, server, plain) as (page, usual):
            if where == "Voilà":
                page.get_by_text("plain").wait_for(timeout=PATIENCE)
            page.wait_for_timeout(2000)
        with _page(browser, server, *sources) as (page, errors):
            if where == "Notebook 7":
                page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-all-cells')")
            use(page)
    known = {error[:60] for error in usual}
    assert [error for error in errors if error[:60] not in known] == []


PLAIN = "import ipywidgets; ipywidgets.IntSlider(description='plain')"
KERNEL_RESTS = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.context?.isReady && panel.sessionContext.session?.kernel?.status === "idle";
}"""


@contextlib.contextmanager
def _page(browser: Browser, server: LabServer, *sources: str) -> Iterator[tuple[Page, list[str]]]:
    """A page of a server with a notebook of these cells, ready to be run, and what it complains of."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, server.root / "book.ipynb")
    context = browser.new_context(viewport={"width": 1400, "height": 1200})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    context.route(_is_abroad, lambda route: route.abort())
    page.on("request", lambda request: errors.append(f"abroad: {request.url}") if _is_abroad(request.url) else None)
    try:
        if isinstance(server, VoilaServer):
            page.goto(f"{server.url}/voila/render/book.ipynb", timeout=PATIENCE)
        else:
            page.goto(f"{server.url}/notebooks/book.ipynb?token={server.token}", timeout=PATIENCE)
            page.wait_for_function(KERNEL_RESTS, timeout=PATIENCE)
        yield page, errors
    finally:
        context.close()


def _is_abroad(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and parts.hostname != "127.0.0.1"


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)
