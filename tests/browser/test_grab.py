"""A body is taken by hand in the picture: at rest it sets the pose, while the motion plays a spring pulls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from tests.browser.conftest import SCREENSHOTS
from tests.browser.lab import Lab
from tests.browser.test_export import Opened
from tests.browser.test_handles import until
from tests.browser.test_live_views import SETTLED, SHOWN
from tests.browser.test_views_paper1 import values

CAMERA = "[*view.picture.stage.camera.position, *view.picture.stage.camera.quaternion]"
PIXEL = """async (manager, [id, point]) => {
    const model = await manager.get_model(id);
    const scene = await manager.get_model(model.get("scene").replace("IPY_MODEL_", ""));
    const camera = await manager.get_model(model.get("camera").replace("IPY_MODEL_", ""));
    const at = camera.obj.position.clone().set(...point).applyMatrix4(scene.obj.matrixWorld).project(camera.obj);
    return [(1 + at.x) / 2, (1 - at.y) / 2];
}"""


def show(lab: Lab, code: str) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    lab.open_cells("import numpy as np\nimport mbwidgets as mb", f"view = {code}\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(900)
    assert np.ptp(lab.pixels(lab.page.locator("canvas").first)) > 0.3, "nothing is drawn"


def pixel(lab: Lab, point: Any) -> tuple[float, float]:
    """Where a point of the world is on the page."""
    player = lab.python("print(view.picture.player.model_id)")
    x, y = lab.widgets(PIXEL, [player, [float(item) for item in point]])
    box = lab.cell(1).locator("canvas").first.bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def middle_of(lab: Lab, body: int, share: float = 0.5) -> list[float]:
    """A point on the first rod of a pendulum or a crank, in the world, at the frame that is shown."""
    return values(lab, f"view.motion.point({body}, ({share}, 0, 0)).position[view.motion.index(view.time)]")


def pull(lab: Lab, start: tuple[float, float], x: float, y: float, hold: int = 0, shot: str = "") -> None:
    lab.page.mouse.move(*start)
    lab.page.mouse.down()
    for k in range(1, 9):
        lab.page.mouse.move(start[0] + x * k / 8, start[1] + y * k / 8)
        lab.page.wait_for_timeout(60)
    lab.page.wait_for_timeout(hold)
    if shot:
        lab.screenshot(shot)
    lab.page.mouse.up()


@pytest.mark.thorough
def test_a_closed_loop_is_posed_by_hand_and_pulled_while_it_plays(lab: Lab) -> None:
    show(lab, "mb.Explorer(mb.library.four_bar(), time=0.0, view='front')")
    seen = values(lab, CAMERA)
    angle = values(lab, "view.model.values['phi0']")
    start = pixel(lab, middle_of(lab, 0, 0.25))
    lab.page.mouse.move(*start)
    assert lab.cell(1).locator("canvas").first.evaluate("node => node.style.cursor") == "grab"
    pull(lab, start, -60, 25, hold=400, shot="posed")
    until(lab, lambda: abs(values(lab, "view.model.values['phi0']") - angle) > 0.3, "the crank to turn")
    lab.page.wait_for_timeout(500)
    hand = (start[0] - 60, start[1] + 25)
    pivot, tip = pixel(lab, (0, 0, 0)), pixel(lab, middle_of(lab, 0, 0.25))
    angles = [np.degrees(np.arctan2(y - pivot[1], x - pivot[0])) for x, y in (tip, hand)]
    assert abs((angles[1] - angles[0] + 180) % 360 - 180) < 4, "the crank does not point at the hand"
    assert values(lab, CAMERA) == seen, "the camera moved with the hand"
    assert values(lab, "view.motion.constraint_residual.max()") < 1e-9
    assert values(lab, "len(view.model.forces)") == 0

    lab.python("view.picture.player.speed = 0.001")  # slow enough to be aimed at
    lab.cell(1).get_by_role("button", name="Play", exact=True).click()
    lab.page.wait_for_timeout(300)
    spot = pixel(lab, middle_of(lab, 0, 0.25))
    lab.page.mouse.move(*spot)
    lab.page.mouse.down()
    lab.page.mouse.move(spot[0] + 60, spot[1] - 130, steps=6)
    lab.python("view.picture.player.speed = 1.0")
    until(lab, lambda: values(lab, "len(view.motion.model.forces)") == 2, "the spring")
    lab.page.wait_for_timeout(900)
    lab.screenshot("pulled")
    assert "N" in lab.cell(1).locator(".mbw-grab-words").inner_text()
    assert lab.cell(1).locator(".mbw-grab").is_visible()
    assert values(lab, "len(view.model.forces)") == 0, "the spring is in the model"
    lab.page.mouse.up()
    until(lab, lambda: values(lab, "len(view.motion.model.forces)") == 0, "the hand to let go")
    assert not lab.cell(1).locator(".mbw-grab").is_visible()
    assert values(lab, "view.motion.model is view.model")
    lab.cell(1).get_by_text("a hand has moved it").wait_for()
    assert lab.errors == []


@pytest.mark.thorough
def test_the_camera_turns_beside_bodies_and_with_a_key(lab: Lab) -> None:
    show(lab, "mb.Explorer(mb.library.pendulum(1), time=0.0, duration=2)")
    box = lab.cell(1).locator("canvas").first.bounding_box()
    seen = values(lab, CAMERA)
    pull(lab, (box["x"] + 20, box["y"] + 20), 60, 20)
    until(lab, lambda: values(lab, CAMERA) != seen, "the camera to turn")
    seen, q = values(lab, CAMERA), values(lab, "view.model.q0")
    rod = pixel(lab, values(lab, "view.motion.point(0, (0, 0, -0.5)).position[0]"))
    lab.page.keyboard.down("Control")
    pull(lab, rod, 50, 0)
    lab.page.keyboard.up("Control")
    assert values(lab, "view.model.q0") == q, "with Ctrl the camera has the pointer"
    assert lab.errors == []


@pytest.mark.thorough
def test_a_finger_takes_a_body_and_the_page_does_not_scroll(lab: Lab) -> None:
    show(lab, "mb.Explorer(mb.library.pendulum(1), time=0.0, duration=2, view='front')")
    rod = pixel(lab, values(lab, "view.motion.point(0, (0, 0, -0.5)).position[0]"))
    q = values(lab, "view.model.q0")
    session = lab.page.context.new_cdp_session(lab.page)

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        lab.page.wait_for_timeout(50)

    touch("touchStart", *rod)
    for k in range(1, 8):
        touch("touchMove", rod[0] + 8 * k, rod[1] - 6 * k)
    touch("touchEnd", 0, 0)
    until(lab, lambda: values(lab, "view.model.q0") != q, "the rod to follow the finger")
    assert lab.errors == []


@pytest.mark.thorough
def test_a_page_without_a_kernel_has_no_hand(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=1)
    page = Opened(browser, view.to_html(tmp_path / "view.html", sliders={"m": 2}))
    page.page.wait_for_timeout(500)
    box = page.page.locator("canvas").first.bounding_box()
    for share in (0.35, 0.45, 0.5, 0.55):
        page.page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.5 * box["height"])
        assert page.page.locator("canvas").first.evaluate("node => node.style.cursor") != "grab"
    assert page.page.locator(".mbw-grab").count() == 0
    assert page.errors == []
    page.context.close()
    view.close()


def test_in_a_page_a_hand_sets_the_pose_of_a_loop_and_pulls_it_by_a_spring(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.four_bar(), time=0.0, duration=4, rate=60, view="front")
    opened = Opened(browser, view.to_html(tmp_path / "hand.html"))
    page, player, controls = opened.page, view.picture.player.model_id, view.controls.model_id
    angle, start = view.model.values["phi0"], view.motion.point(0, (0.25, 0, 0)).position[0]
    canvas, words, said = page.locator("canvas").first, page.locator(".mbw-grab-words"), page.locator("body")
    slider = page.get_by_role("slider", name="phi0")
    box = canvas.bounding_box()
    assert box is not None

    def seen(point: Any) -> tuple[float, float]:
        told = [player, [float(item) for item in point]]
        x, y = page.evaluate(f"given => ({PIXEL})(window.mbwidgets, given)", told)
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def settled() -> None:
        assert page.evaluate(SETTLED, controls)

    settled()
    page.mouse.move(*seen(start))
    assert canvas.evaluate("node => node.style.cursor") == "grab"
    hand = start + np.array([-0.2, -0.1, 0.0])
    page.mouse.down()
    page.mouse.move(*seen(hand), steps=6)
    settled()
    assert words.inner_text() != ""
    page.mouse.up()
    settled()
    value = float(slider.input_value())
    assert abs(value - angle) > 0.3
    # the crank points at the hand: a parameter, and what the other joints take from it by hand
    pose = page.evaluate(SHOWN.replace(".values", ".poses"), player)[:7]
    wanted = np.arctan2(hand[1], hand[0])
    assert abs(np.sin(0.5 * (2 * np.arctan2(pose[5], pose[6]) - wanted))) < 0.03, "rad; the pointer has whole pixels"
    assert value == pytest.approx(2 * np.arctan2(pose[5], pose[6]), abs=1e-4)

    page.evaluate("async id => { (await window.mbwidgets.get_model(id)).set('speed', 0.001); }", player)
    page.get_by_role("button", name="Play", exact=True).click()
    place = 0.25 * np.array([np.cos(value), np.sin(value), 0.0])
    page.mouse.move(*seen(place))
    page.mouse.down()
    page.mouse.move(*seen(place + np.array([0.2, 0.4, 0.0])), steps=4)
    settled()
    assert re.fullmatch(r"the hand pulls with [\d.]+ N", words.inner_text())
    assert "a hand pulls it by a spring" in said.inner_text()
    page.screenshot(path=SCREENSHOTS / "hand-in-a-page.png")
    page.mouse.up()
    settled()
    assert "a hand has moved it: reset starts anew" in said.inner_text()
    page.get_by_role("button", name="reset", exact=True).click()
    settled()
    assert float(slider.input_value()) == pytest.approx(angle, abs=1e-5)
    assert "hand" not in said.inner_text()
    assert opened.errors == []
    opened.context.close()
    view.close()
