"""A view in a page of other things: keys stay in it, wheel and finger scroll the page, keys turn its stage."""

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
    lab.open_cells(
        "import mbwidgets as mb", "view = mb.Explorer(mb.library.three_body_arm(), duration=2)\nview", "'last'"
    )
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
        lab.page.keyboard.press("Escape")  # L, and Enter on its button, fill the screen
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


def test_a_lecture_fills_the_screen_and_gives_it_back(browser: Browser, tmp_path: Path) -> None:
    view = mb.ReactionsView(mb.library.three_body_arm(), joint="upper", duration=2)
    player, camera, path = view.picture.player.model_id, view.picture.stage.camera.model_id, tmp_path / "page.html"
    view.to_html(str(path))
    view.close()
    opened = Opened(browser, path)
    page = opened.page
    page.set_viewport_size({"width": 1024, "height": 768})
    canvas = page.locator("canvas").first
    page.wait_for_timeout(600)
    lens = "async id => { const { obj } = await window.mbwidgets.get_model(id); return [obj.fov, obj.aspect]; }"
    before, shape = page.evaluate(lens, camera), canvas.bounding_box()
    page.get_by_role("button", name="lecture").click()
    page.wait_for_timeout(900)
    box, line = canvas.bounding_box(), page.locator(".mbw-timeline").bounding_box()
    assert box["width"] == pytest.approx(1024, abs=1)
    assert box["height"] + line["height"] == pytest.approx(768, abs=1)
    size = page.locator(".mbw-label").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size == pytest.approx(1.6 * 17, abs=0.5)
    # what is found lies over the stage and leaves the mechanism free
    assert page.locator(".mbw-finding").is_visible()
    assert page.locator(".mbw-controls input[type=range]").first.is_visible()
    assert not page.locator(".mbw-terms").is_visible()
    playing = "async id => (await window.mbwidgets.get_model(id)).get('playing')"
    page.keyboard.press("Space")
    assert page.evaluate(playing, player)
    page.keyboard.press("Space")
    place = page.evaluate(PLACE, camera)
    page.keyboard.press("2")
    page.wait_for_timeout(400)
    assert page.evaluate(PLACE, camera) != place
    page.keyboard.press("v")
    page.wait_for_timeout(300)
    assert page.locator(".mbw-label:visible").count() == 0
    page.keyboard.press("l")
    page.wait_for_timeout(600)
    assert page.evaluate(lens, camera) == pytest.approx(before)
    assert canvas.bounding_box() == pytest.approx(shape, abs=1)
    assert page.locator(".mbw-label:visible").count() > 0
    assert opened.errors == []
    opened.context.close()


def test_a_story_goes_on_and_back_in_a_page(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.hammer_crusher(), duration=2)
    steps = (
        mb.Step("It *begins* slowly.", time=0.2),
        mb.Step("Half the torque: [F_R] is *smaller*.", time=1.5, values={"M": 6}, vectors=("force",)),
    )
    view.tell_story(*steps, title="The crusher")
    player, readout, path = view.picture.player.model_id, view.readout.model_id, tmp_path / "page.html"
    chosen = list(view.vectors)
    view.to_html(str(path))
    view.close()
    opened = Opened(browser, path)
    page = opened.page
    story = page.locator(".mbw-story")
    assert "2 steps" in story.inner_text()
    assert story.get_by_role("button", name="Back").is_disabled()
    torque = page.get_by_label("M, number", exact=True)
    ask = "async ([id, name]) => (await window.mbwidgets.get_model(id)).get(name)"
    for _ in range(2):
        story.get_by_role("button", name="Next").click()
    opened.until(lambda: torque.input_value() == "6", "the torque of the second step")
    assert story.locator("b").inner_text() == "smaller"
    assert story.locator(".mbw-sign sub").inner_text() == "R"
    assert page.evaluate(ask, [player, "time"]) == pytest.approx(1.5)
    assert page.evaluate(ask, [readout, "chosen"]) == ["force"] != chosen
    story.get_by_role("button", name="Back").click()
    opened.until(lambda: torque.input_value() == "12", "the torque of the first step")
    assert page.evaluate(ask, [player, "time"]) == pytest.approx(0.2)
    assert opened.errors == []
    opened.context.close()
