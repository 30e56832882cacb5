"""Every view in every front end, light and dark: it draws, fits its width, and the page complains of nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lab import ELSEWHERE, PATIENCE, Lab, show_elsewhere

IMPORT = "import mbwidgets as mb"
VIEWS = [
    "MassMomentsView",
    "RotatorsView",
    "ReactionsView",
    "ReleaseView",
    "EquationsView",
    "PermanentRotationsView",
    "ConstrainedView",
]
DARK = "() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"
# Text that is too faint on what lies behind it: contrast below 3, for letters of the widgets that can be seen.
FAINT = """root => {
    const parse = (text) => {
        const numbers = (text.match(/[\\d.]+/g) ?? []).map(Number);
        return text.startsWith("color(srgb") ? numbers.map((v, k) => (k < 3 ? 255 * v : v)) : numbers;
    };
    const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
        .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    const behind = (node) => {
        for (let n = node; n; n = n.parentElement) {
            const c = parse(getComputedStyle(n).backgroundColor);
            if (c.length === 3 || c[3] > 0.5) return c;
        }
        return [255, 255, 255];
    };
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const node = walk.currentNode.parentElement;
        const text = walk.currentNode.textContent.trim();
        const box = node.getBoundingClientRect();
        const skipped = node.closest("svg, style, mjx-assistive-mml, .mbw-handles, :disabled");
        if (text.length < 2 || !box.width || !box.height || skipped) continue;
        const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 3) found.push(`${text.slice(0, 40)}: ${contrast.toFixed(2)}`);
    }
    return [...new Set(found)];
}"""


def drawn(page: Page, count: int) -> None:
    """Wait until so many pictures show more than their background."""
    canvases = page.locator("canvas")
    canvases.nth(count - 1).wait_for(timeout=PATIENCE)
    for k in range(count):
        canvases.nth(k).scroll_into_view_if_needed()
        for _ in range(60):
            image = page.evaluate(
                """k => { const c = document.querySelectorAll('canvas')[k];
                    return new Promise((resolve) => requestAnimationFrame(() => resolve(c.toDataURL().length))); }""",
                k,
            )
            if image > 6000:
                break
            page.wait_for_timeout(250)
        assert image > 3000, f"picture {k} is blank"


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.thorough
def test_a_view_is_legible_and_fits_a_laptop(lab: Lab, name: str, theme: str) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 900})
    lab.open_cells(IMPORT, f"view = mb.{name}(theme={theme!r}); view")
    if theme == "dark":
        lab.page.evaluate(DARK)
    assert [cell.error for cell in lab.run_all()] == [None, None]
    canvas = lab.page.locator("canvas").first
    canvas.wait_for()
    lab.page.get_by_role("slider", name="Time").first.wait_for()
    for _ in range(60):
        if np.ptp(lab.pixels(canvas)) > 0.3:
            break
        lab.page.wait_for_timeout(250)
    assert np.ptp(lab.pixels(canvas)) > 0.3, "nothing is drawn"
    lab.page.wait_for_timeout(1500)  # what is derived and typeset comes after the picture
    place = lab.cell(1).locator(".jp-OutputArea-output").first
    assert place.evaluate("node => node.scrollWidth - node.clientWidth") <= 1, "wider than its place"
    lab.screenshot("page")
    lab.page.set_viewport_size({"width": 1280, "height": 1500})  # so that the whole view is in its picture
    tabs = lab.cell(1).get_by_role("tab")
    for k in range(tabs.count()):
        tabs.nth(k).click()
        lab.page.wait_for_timeout(900)
        lab.screenshot(f"tab{k}", lab.cell(1))
        assert lab.cell(1).locator(".mbw-view").first.evaluate(FAINT) == [], f"too faint in tab {k}"
    assert lab.errors == []


@pytest.mark.parametrize("where", ELSEWHERE)
@pytest.mark.thorough
def test_every_view_draws_in_another_front_end(browser: Browser, tmp_path: Path, screenshots: Path, where: str) -> None:
    def used(page: Page) -> None:
        drawn(page, len(VIEWS))
        page.screenshot(path=screenshots / f"views-{where}.png")

    show_elsewhere(browser, tmp_path, where, used, IMPORT, *(f"mb.{name}(duration=2)" for name in VIEWS))
