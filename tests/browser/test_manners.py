"""A view in a page of other things: keys stay in it, wheel and finger scroll the page, its stage can be used by keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from tests.browser.lab import Lab
from tests.browser.test_export import Opened

SINGLE = ["a", "b", "d", "d", "c", "x", "v", "z", "m", "y", "r", "1", "0", "0", "i", "i", "j", "k", "l", "o", "s"]
SINGLE += ["h", "f", "Shift+L", "Shift+M", "Shift+V", "Enter", "Escape", "Shift+Enter", "Delete"]
"""Keys that JupyterLab takes for commands when a cell is chosen, and those that run or leave it."""
PLACE = """async (id) => {
    const model = await window.mbwidgets.get_model(id);
    return model.obj.position.toArray();
}"""


def test_no_key_that_is_pressed_in_a_view_reaches_the_notebook(lab: Lab) -> None:
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.three_body_arm(), duration=2)\nview", "'last'")
    assert [cell.error for cell in lab.run_all()] == [None] * 3
    before = [(cell.source, cell.execution_count) for cell in lab.cells]
    view = lab.cell(1).locator(".mbw-view")
    view.locator(".mbw-controls").wait_for()
    view.get_by_role("button", name="Play").click()
    for control in (
        view.get_by_role("button", name="Pause"),
        view.get_by_role("slider", name="Time"),
        view.locator(".mbw-controls [aria-label]").first,
        view.locator("canvas").first,
        view.get_by_role("button", name="fit"),
    ):
        control.focus()
        for key in SINGLE:
            lab.page.keyboard.press(key)
    assert [(cell.source, cell.execution_count) for cell in lab.cells] == before
    assert lab.page.locator(".jp-Dialog").count() == 0
    assert lab.errors == []


def test_wheel_and_finger_scroll_the_page_until_the_stage_is_clicked(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=1)
    camera, path = view.picture.stage.camera.model_id, tmp_path / "page.html"
    view.to_html(str(path))
    view.close()
    opened = Opened(browser, path)
    page = opened.page
    page.set_viewport_size({"width": 1000, "height": 600})
    canvas = page.locator("canvas").first
    canvas.wait_for()
    page.wait_for_timeout(800)
    box = canvas.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + 30)
    start = page.evaluate(PLACE, camera)
    page.mouse.move(*middle)
    page.mouse.wheel(0, 120)
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") > 60
    np.testing.assert_allclose(page.evaluate(PLACE, camera), start, atol=1e-9)
    page.evaluate("scrollTo(0, 0)")
    page.mouse.click(*middle)
    page.mouse.wheel(0, 120)
    page.wait_for_timeout(300)
    assert page.evaluate("scrollY") == 0
    moved = np.array(page.evaluate(PLACE, camera))
    assert np.linalg.norm(moved - start) > 1e-3, "the stage, which has the focus, took the wheel for nothing"
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(200)
    turned = np.array(page.evaluate(PLACE, camera))
    assert np.linalg.norm(turned - moved) > 1e-3
    assert turned[2] == pytest.approx(moved[2], abs=1e-9)
    assert canvas.get_attribute("aria-label").startswith("three-body arm, 3 bodies: base, upper, fore.")
    assert opened.errors == []
    opened.context.close()
