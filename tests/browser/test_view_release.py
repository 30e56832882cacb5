"""The view of a released joint in JupyterLab: drawn, opened, moved by hand, and right against the core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Lab
from tests.browser.test_views_paper1 import row, settled, show, slide, values


def cells(view: Locator, name: str) -> list[float]:
    """The numbers of a matrix as the page shows them."""
    texts = view.locator(f'.mbw-matrices table[aria-label="matrix {name}"] td').all_inner_texts()
    return [float(text.replace("\u2212", "-")) for text in texts]


def tab(lab: Lab, view: Locator, name: str, text: str = "") -> None:
    """Open a tab, wait until it shows the text, and keep a screenshot."""
    view.get_by_role("tab", name=name).click()
    if text:
        view.get_by_text(text).first.wait_for(timeout=60_000)
    lab.page.wait_for_timeout(900)
    lab.screenshot(name.replace(" ", "-").lower(), view)


@pytest.mark.thorough
def test_the_hammer_opens_and_its_blocks_are_those_of_the_core(lab: Lab) -> None:
    view = show(lab, "mb.ReleaseView()")
    lab.python("view.time = 0.8")
    slide(view, "M", 20)
    core = "mb.simulate(mb.library.hammer_crusher().with_values(M=20), duration=2, rate=240)"
    lab.python(f"motion = {core}\nfreed = mb.release(motion.model, 'hammer', coordinates='absolute')")
    state = "q=np.cumsum(motion.q[192]), u=np.cumsum(motion.u[192]), **motion.model.values"
    A = np.array(values(lab, f"freed.A.evaluate({state})"))[:4, :4]
    R = np.array(values(lab, f"freed.reactions.evaluate({state})"))
    settled(lab, lambda: row(view, "Rx")[0], R[0])
    assert row(view, "Ry")[0] == pytest.approx(R[1], rel=1e-3)
    assert row(view, "force") == pytest.approx([np.hypot(R[0], R[1])] * 3, rel=1e-3)
    assert cells(view, "A") == pytest.approx(list(A.flat), rel=2e-3, abs=1e-6)
    assert cells(view, "R") == pytest.approx([0, 0, R[0], R[1]], rel=2e-3)
    assert "the methods agree" in view.inner_text()
    lab.screenshot("opened", view)

    canvas = lab.page.locator("canvas").first
    before = lab.pixels(canvas)
    slide(view, "gap", 0)
    lab.page.wait_for_timeout(1200)
    assert np.abs(lab.pixels(canvas) - before).max() > 0.1, "the joint did not close"
    slide(view, "gap", 0.3)
    for name in ("Formulae", "Over time"):
        tab(lab, view, name)
    reading = view.locator(".mbw-polar-reading")
    reading.wait_for()
    text = reading.inner_text().split(" N at ")
    assert float(text[0]) == pytest.approx(np.hypot(R[0], R[1]), rel=1e-3)
    view.get_by_role("tab", name="Matrices").click()
    view.get_by_label("rows", exact=True).select_option(label="all six")
    for _ in range(50):
        if len(cells(view, "A")) == 64:
            break
        lab.page.wait_for_timeout(100)
    assert len(cells(view, "A")) == 64
    lab.screenshot("all-six", view)
    assert lab.errors == []


@pytest.mark.thorough
def test_a_joint_is_picked_and_a_closed_loop_is_opened(lab: Lab) -> None:
    view = show(lab, "mb.ReleaseView(mb.library.four_bar(), duration=2)")
    lab.python("view.selected = view.model.bodies[0].name\nview.time = 0.5")
    wanted: Any = values(lab, "view.motion.reactions(0)[120, :3]")
    settled(lab, lambda: [row(view, f"R{axis}")[0] for axis in "xy"], wanted[:2])
    assert "the methods agree" in view.inner_text()
    lab.screenshot("four-bar", view)
    assert lab.errors == []
