"""The Explorer's life: other front ends, many at once, out of sight, and for those who do not see."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

import axe_playwright_python
import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.lab import Lab
from tests.browser.server import LabServer, NotebookServer, VoilaServer
from tests.browser.test_explorer import IMPORT, SHOW, objects, show

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
PATIENCE = 60_000
"""Milliseconds that a front end may take to start a kernel and draw."""


@contextmanager
def page_of(browser: Browser, server: LabServer, address: str) -> Iterator[tuple[Page, list[str]]]:
    """A page, and what it complains of."""
    context = browser.new_context(viewport={"width": 1400, "height": 1200})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    context.route(_is_abroad, lambda route: route.abort())
    page.on("request", lambda request: errors.append(f"abroad: {request.url}") if _is_abroad(request.url) else None)
    try:
        page.goto(f"{server.url}{address}", timeout=PATIENCE)
        yield page, errors
    finally:
        context.close()


def _is_abroad(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and parts.hostname != "127.0.0.1"


def written(server: LabServer, name: str, *sources: str) -> str:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, server.root / f"{name}.ipynb")
    return quote(f"{name}.ipynb")


def use(page: Page) -> None:
    """Draw, move a slider, play: the page must follow."""
    page.locator("canvas").first.wait_for(timeout=PATIENCE)
    length = page.locator(".mbw-readout .mbw-number").nth(7)
    expect(length).not_to_have_text("", timeout=PATIENCE)
    before = length.inner_text()
    box = page.get_by_label("m3, number", exact=True)
    box.fill("9.5")
    box.press("Enter")
    expect(length).not_to_have_text(before, timeout=PATIENCE)
    expect(page.locator(".mbw-formulae mjx-container, .mbw-formulae .MathJax").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Play").first.click()
    clock = page.locator(".mbw-clock").first
    first = clock.inner_text()
    page.wait_for_timeout(700)
    assert clock.inner_text() != first
    page.get_by_role("button", name="Pause").first.click()


def beyond(errors: list[str], usual: list[str]) -> list[str]:
    """The complaints that a page without us does not have."""
    known = {error[:60] for error in usual}
    return [error for error in errors if error[:60] not in known]


def wait_for_kernel(page: Page) -> None:
    page.wait_for_function("() => window.jupyterapp?.shell.currentWidget?.context?.isReady", timeout=PATIENCE)
    idle = "() => window.jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
    page.wait_for_function(idle, timeout=PATIENCE)


@pytest.mark.thorough
def test_notebook_7_draws_plays_and_follows_sliders(browser: Browser, tmp_path: Path, screenshots: Path) -> None:
    with NotebookServer(tmp_path / "none", tmp_path / "home") as server:
        empty, book = written(server, "empty", "1 + 1"), written(server, "explorer", IMPORT, SHOW)
        with page_of(browser, server, f"/notebooks/{empty}?token={server.token}") as (page, usual):
            wait_for_kernel(page)
            page.wait_for_timeout(2000)
        with page_of(browser, server, f"/notebooks/{book}?token={server.token}") as (page, errors):
            wait_for_kernel(page)
            page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-all-cells')")
            use(page)
            page.screenshot(path=screenshots / "notebook-7.png")
        assert beyond(errors, usual) == []


@pytest.mark.thorough
def test_voila_draws_plays_and_follows_sliders(browser: Browser, tmp_path: Path, screenshots: Path) -> None:
    with VoilaServer(tmp_path / "none", tmp_path / "home") as server:
        plain = "import ipywidgets; ipywidgets.IntSlider(description='plain')"
        empty, book = written(server, "empty", plain), written(server, "explorer", IMPORT, SHOW)
        with page_of(browser, server, f"/voila/render/{empty}") as (page, usual):
            page.get_by_text("plain").wait_for(timeout=PATIENCE)
            page.wait_for_timeout(2000)
        with page_of(browser, server, f"/voila/render/{book}") as (page, errors):
            use(page)
            page.screenshot(path=screenshots / "voila.png")
        assert beyond(errors, usual) == []


@pytest.mark.thorough
def test_a_notebook_out_of_sight_comes_back_right(lab: Lab) -> None:
    own = show(lab)
    lab.python("view.playing = True")
    lab.page.evaluate("() => void window.jupyterapp.commands.execute('launcher:create')")
    lab.page.wait_for_timeout(1500)
    assert not lab.page.locator("canvas").first.is_visible()
    lab.python("view.model = view.model.with_values(m2=9); view.playing = False; view.time = 2.0")
    lab.page.wait_for_timeout(500)
    lab.page.get_by_role("tab", name="cells--").first.click()
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(500)
    back = objects(lab, own["player"])
    lab.python("twin = mb.Explorer(view.model, vectors=view.vectors); twin.time = 2.0\n"
               "from IPython.display import display; display(twin.picture.player)")  # fmt: skip
    twin = lab.python("print(twin.picture.player.model_id)")
    lab.page.wait_for_timeout(800)
    assert back["bodies"] == objects(lab, twin)["bodies"]
    assert lab.errors == []


LIVE = """() => [...document.querySelectorAll("canvas")].filter((canvas) => {
    const context = canvas.getContext("webgl") ?? canvas.getContext("webgl2");
    return context && !context.isContextLost();
}).length"""


NEXT = "() => void window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')"


@pytest.mark.thorough
def test_many_explorers_share_a_fixed_number_of_contexts(lab: Lab) -> None:
    cells = [f"v{k} = mb.Explorer(mb.library.pendulum(1), duration=1, width=300, height=200); v{k}" for k in range(10)]
    # anywidget gives a model two seconds; ten Explorers on a busy machine take longer, and are all waited for here
    lab.harmless.append((r"\[anywidget\] Failed to initialize model", "late, not lost: every timeline is waited for"))
    lab.open_cells(IMPORT, *cells)
    lab.page.evaluate(NEXT)
    for k in range(10):  # one after the other, as a reader does
        lab.page.evaluate(NEXT)
        lab.cell(k + 1).get_by_role("slider", name="Time").wait_for(timeout=PATIENCE)
        lab.page.wait_for_timeout(300)
    assert {cell.error for cell in lab.cells} == {None}
    assert 1 <= lab.page.evaluate(LIVE) <= 8
    lab.screenshot("frozen", lab.cell(1))
    picture = lab.pixels(lab.cell(1).locator(".jupyter-threejs").first)
    assert picture.std() > 0.02, "the oldest lost its picture"
    assert lab.errors == []


AUDIT = """async () => {
    const found = await axe.run(".jp-OutputArea-output .mbw-view, .mbw-view", { resultTypes: ["violations"] });
    return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`);
}"""


DARK = "() => void window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.thorough
def test_axe_finds_no_serious_fault(lab: Lab, theme: str) -> None:
    show(lab)
    if theme == "dark":
        lab.page.evaluate(DARK)
        lab.python("view.theme = 'dark'")
        lab.page.wait_for_timeout(1500)
    lab.cell(1).get_by_text("Choose vectors").click()
    for group in ("Mass and inertia", "Joint", "Effort", "Start"):
        lab.cell(1).get_by_text(group, exact=True).click()
    lab.page.add_script_tag(path=AXE)
    for tab in ("Formulae", "Plots", "Model"):
        lab.cell(1).get_by_role("tab", name=tab).click()
        lab.page.wait_for_timeout(700)
        lab.screenshot(f"{theme}-{tab}", lab.cell(1))
        assert lab.page.evaluate(AUDIT) == [], tab
    assert lab.errors == []
