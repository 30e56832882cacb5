"""Exported pages of every view on every library model that it can treat, and of awkward ones: no text lies on another.

Nothing hangs over the edge of the window either: at 1280 and 390 pixels, measured in the page.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.errors import MbwidgetsError

VIEWS = (
    "Explorer",
    "MassMomentsView",
    "RotatorsView",
    "ReactionsView",
    "ReleaseView",
    "EquationsView",
    "PermanentRotationsView",
    "ConstrainedView",
)
SIZES = ((1280, 800), (390, 844))
APART = 6  # of each view every sixth mechanism; MBWIDGETS_PAGES=all for all of them, half an hour
# Texts of the widgets that lie on one another, by more than a quarter of the smaller one: letters of one word and the
# next share a pixel. What scrolls in a box of its own, pictures and charts have their own rules.
ON_ONE_ANOTHER = """() => {
  const skip = "svg, canvas, mjx-container, .mbw-labels, .mbw-handles, .mbw-scales, style, option, select, [hidden]";
  const found = [];
  const walk = document.createTreeWalker(document.querySelector(".mbw-view"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    const own = node.parentElement;
    if (!node.textContent.trim() || own.closest(skip) || !own.checkVisibility({ visibilityProperty: true })) continue;
    let clip = own;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      let [l, t, r, b] = [box.left, box.top, box.right, box.bottom];
      for (let n = own; n; n = n.parentElement) {
        if (getComputedStyle(n).overflowX === "visible" && getComputedStyle(n).overflowY === "visible") continue;
        const c = n.getBoundingClientRect();
        [l, t, r, b] = [Math.max(l, c.left), Math.max(t, c.top), Math.min(r, c.right), Math.min(b, c.bottom)];
      }
      if (r - l > 1 && b - t > 1) found.push({ l, t, r, b, text: node.textContent.trim().slice(0, 30), own });
    }
  }
  const out = [];
  for (let i = 0; i < found.length; i++) for (let j = 0; j < i; j++) {
    const [p, q] = [found[i], found[j]];
    const wide = Math.min(p.r, q.r) - Math.max(p.l, q.l);
    const high = Math.min(p.b, q.b) - Math.max(p.t, q.t);
    if (wide < 2 || high < 2 || p.own === q.own) continue;
    const least = Math.min((p.r - p.l) * (p.b - p.t), (q.r - q.l) * (q.b - q.t));
    if (wide * high > 0.25 * least) out.push(`${p.text} | ${q.text}`);
  }
  return out.slice(0, 5);
}"""
WIDE = """() => [...document.querySelectorAll(".mbw-finding, .mbw-terms, .mbw-chains, .mbw-controls, .mbw-player")]
  .filter((node) => node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.className)"""


def rod(name: str, mass: Any, parent: str | None = None) -> mb.Body:
    joint = mb.Revolute("y") if parent is None else mb.Revolute("y", at=(0, 0, -1))
    inertia = (0.2, 0.2, 0.2)
    if parent is None:
        return mb.Body(name, joint, mass=mass, com=(0, 0, -0.5), inertia=inertia)
    return mb.Body(name, joint, parent=parent, mass=mass, com=(0, 0, -0.5), inertia=inertia)


def awkward() -> dict[str, mb.Model]:
    """The longest name that there may be, one that is read from the right, a parameter called as a moment, extremes."""
    long, right = "a rod with the longest name a body can have in any model of ours"[:64], "מוט ארוך"
    tiny = mb.Body("speck", mb.Revolute("y"), mass=1e-12, com=(0, 0, -1e-3), inertia=(1e-18, 1e-18, 1e-18))
    huge = mb.Body("planet", mb.Revolute("y"), mass=1e12, com=(0, 0, -1e3), inertia=(1e18, 1e18, 1e18))
    chain = [rod(f"rod {k}", 1, f"rod {k - 1}" if k else None) for k in range(60)]
    state = {"q": [0.5]}
    return {
        "long name": mb.Model([rod(long, mb.Parameter("J_xx", 2.0, min=1, max=3))], state=state),
        "right to left": mb.Model([rod(right, 2)], state=state),
        "tiny": mb.Model([tiny], state=state),
        "huge": mb.Model([huge], state=state),
        "sixty": mb.Model(chain),
    }


def laid_out(browser: Browser, path: Path) -> dict[int, list[str]]:
    """What lies on something else, or hangs over the edge, by the window's width."""
    found = {}
    page = browser.new_page(viewport={"width": SIZES[0][0], "height": SIZES[0][1]})
    try:
        page.goto(path.as_uri())
        page.locator(".mbw-view canvas").first.wait_for(timeout=60_000)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(1200)
            trouble = [*page.evaluate(ON_ONE_ANOTHER), *page.evaluate(WIDE)]
            if page.evaluate("document.documentElement.scrollWidth") > width:
                trouble.append("wider than the window")
            if trouble:
                found[width] = trouble
    finally:
        page.close()
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("kind", VIEWS)
def test_no_text_lies_on_another_whatever_the_model(browser: Browser, tmp_path: Path, kind: str) -> None:
    names = mb.library.names()
    # a page takes ten seconds: over the views every mechanism is met, each view has some of them
    step = 1 if os.environ.get("MBWIDGETS_PAGES") == "all" else APART
    models = {name: getattr(mb.library, name)() for name in names[VIEWS.index(kind) % step :: step]}
    seen, wrong = 0, {}
    for name, model in {**models, **awkward()}.items():
        try:
            view = getattr(mb, kind)(model, duration=0.2)
        except MbwidgetsError:  # a view says which models it can treat
            continue
        view.to_html(tmp_path / "page.html")
        view.close()
        seen += 1
        trouble = laid_out(browser, tmp_path / "page.html")
        if trouble:
            wrong[name] = trouble
    assert seen > 0
    assert wrong == {}


@pytest.mark.thorough
def test_a_text_that_is_laid_on_another_is_seen(browser: Browser, tmp_path: Path) -> None:
    view = mb.ReactionsView(mb.library.pendulum(1), duration=0.2)
    view.to_html(tmp_path / "page.html")
    view.close()
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((tmp_path / "page.html").as_uri())
    page.locator(".mbw-finding").first.wait_for(timeout=60_000)
    page.wait_for_timeout(1200)
    assert page.evaluate(ON_ONE_ANOTHER) == []
    page.evaluate("document.querySelector('.mbw-finding').style.marginBottom = '-40px'")
    assert page.evaluate(ON_ONE_ANOTHER) != []
    page.close()
