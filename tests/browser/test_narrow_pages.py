"""Pages of all views in narrow windows: nothing hangs over the edge, and tables show their last columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import mbwidgets as mb

VIEWS: dict[str, Callable[[], object]] = {
    "explorer": lambda: mb.Explorer(mb.library.four_bar(), duration=1),
    "mass moments": lambda: mb.MassMomentsView(duration=1),
    "rotators": lambda: mb.RotatorsView(duration=1),
    "reactions": lambda: mb.ReactionsView(duration=1),
    "equations": lambda: mb.EquationsView(mb.library.pendulum(2), duration=1),
    "release": lambda: mb.ReleaseView(duration=1),
    "permanent": lambda: mb.PermanentRotationsView(duration=1),
    "constrained": lambda: mb.ConstrainedView(duration=1),
}
SCROLLED = ".mbw-matrices, mjx-container, .widget-htmlmath, .widget-tab-contents"
"""Matrices, long tables in tabs and formulae scroll sideways in a box of their own."""

OVER = """(scrolled) => [...document.querySelectorAll(".mbw-view *")].filter((node) => {
  const box = node.getBoundingClientRect();
  if (!box.width || !box.height || node.closest(scrolled) || node.closest("svg")) return false;
  const cut = getComputedStyle(node).overflowX !== "visible" && node.scrollWidth > node.clientWidth + 4;
  return box.right > innerWidth + 1 || (cut && node.matches(".mbw-scroll, .mbw-ledger, .mbw-controls, .widget-hbox"));
}).map((node) => `${node.tagName} ${node.className}: ${node.textContent.slice(0, 40)}`)"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", VIEWS)
def test_nothing_of_a_page_hangs_over_the_edge_of_a_narrow_window(browser: Browser, tmp_path: Path, name: str) -> None:
    view = VIEWS[name]()
    view.to_html(tmp_path / "page.html", sliders=False)
    view.close()
    for width, height in ((1024, 768), (390, 844)):
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto((tmp_path / "page.html").as_uri())
        page.locator(".mbw-view canvas").first.wait_for()
        page.wait_for_timeout(1500)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OVER, SCROLLED) == [], width
        page.close()
