"""Pages of all views in narrow windows: nothing hangs over the edge, and tables show their last columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from tests.browser.test_export import Opened
from tests.browser.test_live_views import SETTLED
from tests.browser.test_page_refusals import ROUNDED

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


FEW = 10
"""Pixels of some 70,000."""
DRAG = """async ([group, label, share]) => {
    const fold = [...document.querySelectorAll(".mbw-controls details")]
        .find((node) => node.firstChild.textContent === group);
    fold.open = true;
    const range = [...fold.querySelectorAll("input[type=range]")]
        .find((node) => node.getAttribute("aria-label") === label);
    const home = Number(range.value);
    const go = async (value, kind) => {
        range.step = "any";
        range.value = value;
        range.dispatchEvent(new Event(kind, { bubbles: true }));
        await new Promise((done) => setTimeout(done, 60));
    };
    const far = home + share * (Number(range.max) - home);
    for (const part of [0.3, 0.7, 1]) await go(home + part * (far - home), "input");
    window.dragged = { home, go };
}"""


@pytest.mark.parametrize("name", ["arm", pytest.param("reactions", marks=pytest.mark.thorough)])
def test_a_slider_dragged_there_and_back_leaves_the_picture_as_it_was(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    """At rest no pixel of the canvas is another one, on a phone: floor, scales and ghost are those of before.

    Symbols of arrows keep the side that they went to, so that they do not jump: none is drawn here.
    """
    made: Any = {"arm": mb.Explorer, "reactions": mb.ReactionsView}
    view = made[name](mb.library.three_body_arm(), duration=1, time=0.5, vectors=())
    opened = Opened(browser, view.to_html(tmp_path / "page.html"), {"width": 390, "height": 844})
    settle = lambda: opened.page.evaluate(SETTLED, view.controls.model_id)  # noqa: E731
    opened.page.wait_for_timeout(1500)
    before = opened.pixels()
    assert before.shape[1] <= 390
    opened.page.evaluate(DRAG, ["Parameters", "l2", 0.4])
    assert settle()
    opened.page.wait_for_timeout(300)
    moved = opened.pixels()
    opened.page.evaluate("async () => { const { home, go } = window.dragged; await go(home, 'input');"
                         " await go(home, 'change'); }")  # fmt: skip
    assert settle()
    opened.page.wait_for_timeout(1500)
    after = opened.pixels()
    opened.shot(f"there-and-back-{name}")
    assert moved.shape == before.shape == after.shape
    assert np.abs(moved - before).max() > 0.3, "the slider moves the picture"
    # shapes are stretched and come back in float32: an edge may go to the pixel beside it
    assert (np.abs(after - before).max(axis=2) > ROUNDED).sum() <= FEW
    assert np.abs(after - before).max() < 0.1
    opened.context.close()
    view.close()
    assert opened.errors == []
