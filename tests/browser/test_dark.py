"""Light and dark: an exported page follows the browser, a view in JupyterLab its theme, and all can be read."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib.image
import pytest
from playwright.sync_api import Browser, Page

import mbwidgets as mb
from tests.browser.conftest import SCREENSHOTS
from tests.browser.lab import Lab
from tests.browser.test_handles import until

TEXTS = """() => {
    const parts = (text) => text.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => {
        const one = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        return 0.2126 * one(r) + 0.7152 * one(g) + 0.0722 * one(b);
    };
    const paper = (node) => {
        for (let at = node; at; at = at.parentElement) {
            const [r, g, b, a = 1] = parts(getComputedStyle(at).backgroundColor);
            if (a > 0.5) return [r, g, b];
        }
        return [255, 255, 255];
    };
    const weak = [];
    const walk = document.createTreeWalker(document.querySelector(".mbw-view"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode.parentElement;
        if (!walk.currentNode.textContent.trim() || !node.checkVisibility({ visibilityProperty: true })) continue;
        if (node.closest("mjx-assistive-mml, .mbw-scales, .mbw-heat, option, style, [aria-hidden=true]")) continue;
        const style = getComputedStyle(node);
        const ink = node.ownerSVGElement ? style.fill : style.color;
        if (!/^rgb/.test(ink)) continue;
        const [a, b] = [light(parts(ink)), light(paper(node))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) weak.push(`${walk.currentNode.textContent.trim().slice(0, 30)}: ${contrast.toFixed(1)}`);
    }
    return weak;
}"""


def brightness(page: Page) -> tuple[float, float]:
    """Of the corner of the stage and of the page."""
    stage = matplotlib.image.imread(io.BytesIO(page.locator("canvas").first.screenshot()))[..., :3]
    whole = matplotlib.image.imread(io.BytesIO(page.screenshot()))[..., :3]
    return float(stage[4:40, 4:40].mean()), float(whole[4:20, 4:20].mean())


@pytest.mark.parametrize("kind", ["Explorer", pytest.param("EquationsView", marks=pytest.mark.thorough)])
def test_an_exported_page_is_as_dark_as_the_browser_and_all_can_be_read(
    browser: Browser, tmp_path: Path, kind: str
) -> None:
    view = getattr(mb, kind)(mb.library.pendulum(2), duration=1)
    path = view.to_html(tmp_path / "page.html", sliders=False)
    view.close()
    for scheme in ("light", "dark"):
        context = browser.new_context(offline=True, viewport={"width": 1280, "height": 1100}, color_scheme=scheme)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
        page.wait_for_timeout(2500)
        stage, around = brightness(page)
        page.screenshot(path=SCREENSHOTS / f"export-{kind}-{scheme}.png", full_page=True)
        if scheme == "light":
            assert min(stage, around) > 0.9
        else:
            assert max(stage, around) < 0.2
        assert page.evaluate(TEXTS) == [], "text of too little contrast"
        context.close()


@pytest.mark.thorough
def test_a_theme_that_was_chosen_stays_whatever_the_browser_wants(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=0.5, theme="light")
    path = view.to_html(tmp_path / "page.html", sliders=False)
    view.close()
    context = browser.new_context(offline=True, color_scheme="dark")
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
    page.wait_for_timeout(1500)
    assert brightness(page)[0] > 0.9
    context.close()


@pytest.mark.thorough
def test_a_view_follows_the_theme_of_jupyterlab(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.pendulum(1), duration=1)\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(900)

    def corner() -> float:
        return float(lab.pixels(lab.page.locator("canvas").first)[4:40, 4:40].mean())

    change = "name => window.jupyterapp.commands.execute('apputils:change-theme', { theme: name })"
    assert corner() > 0.9
    lab.page.evaluate(change, "JupyterLab Dark")
    until(lab, lambda: corner() < 0.2, "the stage to become dark")
    lab.screenshot("dark")
    lab.cell(1).get_by_role("button", name="◐").click()
    until(lab, lambda: corner() > 0.9, "the button, which makes light of dark")
    lab.page.evaluate(change, "JupyterLab Light")
    lab.page.wait_for_timeout(500)
    assert corner() > 0.9
    assert lab.python("print(view.theme, view.picture.player.follows)") == "light False"
    assert lab.errors == []
