"""Handles in the picture: dragged with the mouse, and all that is shown follows, right against the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

import mbwidgets as mb
from mbwidgets.model.moved_joint import with_joint_moved
from tests.browser.lab import Lab
from tests.browser.test_export import Opened
from tests.browser.test_live_views import Moved
from tests.browser.test_views_paper1 import row, settled, show, values


def knob(lab: Lab, name: str) -> Locator:
    return lab.page.get_by_role("button", name=f"{name}: drag it")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(lab: Lab, name: str, x: float, y: float, shot: str = "") -> None:
    """Take a handle by its middle and move it by so many pixels."""
    place = knob(lab, name)
    place.wait_for()
    start = middle(place)
    lab.page.mouse.move(*start)
    lab.page.mouse.down()
    for k in range(1, 9):
        lab.page.mouse.move(start[0] + x * k / 8, start[1] + y * k / 8)
        lab.page.wait_for_timeout(40)
    assert np.hypot(*np.subtract(middle(place), start)) > 5, "the handle does not follow the hand"
    if shot:
        lab.screenshot(shot)
    lab.page.mouse.up()


def until(lab: Lab, condition: Any, what: str) -> None:
    for _ in range(200):
        if condition():
            return
        lab.page.wait_for_timeout(100)
    pytest.fail(f"waited in vain for {what}; {lab.errors}")


CAMERA = "[*view.picture.stage.camera.position, *view.picture.stage.camera.quaternion]"


@pytest.mark.thorough
def test_pole_and_axis_of_mass_moments_are_dragged(lab: Lab) -> None:
    view = show(lab, "mb.MassMomentsView(duration=2)")
    seen = values(lab, CAMERA)
    drag(lab, "Axis n", 60, 40, "axis")
    until(lab, lambda: values(lab, "view.axis") != [0, 0, 1], "the axis")
    lab.page.wait_for_timeout(500)
    axis = values(lab, "view.axis")
    assert np.linalg.norm(axis) == pytest.approx(1)
    assert axis[2] < 0.999
    core = "mb.simulate(view.model, duration=2).mass_moments(0, view.axis, view.pole)"
    names = ("static", "inertia", "deviation")

    def wanted() -> list[list[float]]:
        return [values(lab, f"view.motion.rotations[0, 0].T @ ({core}).{name}[0]") for name in names]

    for name, value in zip(names, wanted(), strict=True):
        settled(lab, lambda name=name: row(view, name)[:3], value)

    drag(lab, "Pole", -50, -30, "pole")
    until(lab, lambda: values(lab, "view.pole") != [0, 0, 0], "the pole")
    lab.page.wait_for_timeout(500)
    assert np.linalg.norm(values(lab, "view.pole")) > 0.01
    assert values(lab, "view.axis") == axis, "the axis stays"
    for name, value in zip(names, wanted(), strict=True):
        settled(lab, lambda name=name: row(view, name)[:3], value)
    assert values(lab, CAMERA) == seen, "the camera moved with the handle"
    assert lab.errors == []


def away(lab: Lab, name: str, place: tuple[float, float]) -> float:
    """Pixels between a handle and a place."""
    return float(np.hypot(*np.subtract(middle(knob(lab, name)), place)))


@pytest.mark.thorough
def test_handles_snap_and_are_moved_by_keys(lab: Lab) -> None:
    show(lab, "mb.MassMomentsView(duration=2)")
    start = middle(knob(lab, "Pole"))
    lab.python("view.pole = tuple(view.chosen.centre)")
    until(lab, lambda: away(lab, "Pole", start) > 1, "the handle to follow the kernel")
    target = middle(knob(lab, "Pole"))
    lab.python("view.pole = (0.3, 0.1, 0.2)")
    until(lab, lambda: away(lab, "Pole", target) > 20, "the handle to go elsewhere")
    start = middle(knob(lab, "Pole"))
    # beside C, on the side away from O*, which catches it as well
    drag(lab, "Pole", target[0] - start[0] - 3, target[1] - start[1] + 4)
    until(lab, lambda: values(lab, "view.pole") == pytest.approx(values(lab, "view.chosen.centre")), "C to catch it")
    assert "Sn = 0" in lab.cell(1).inner_text()

    knob(lab, "Axis n").focus()
    for _ in range(12):
        lab.page.keyboard.press("ArrowRight")
        lab.page.wait_for_timeout(60)
    until(lab, lambda: values(lab, "view.axis")[2] < 0.99, "the arrow keys")
    assert lab.errors == []


@pytest.mark.thorough
def test_the_joint_of_a_rotor_is_dragged_through_its_mass_centre(lab: Lab) -> None:
    view = show(lab, "mb.RotatorsView(mb.library.rotor().with_values(omega=3), duration=2, time=0.0)")
    lab.screenshot("before", view)
    drag(lab, "Axis of the joint", 70, 30, "axis")
    until(
        lab,
        lambda: values(lab, "view.model.number(view.model.bodies[0].joint.axis[2])") < 0.99,
        "the axis",
    )
    lab.page.wait_for_timeout(800)
    drag(lab, "Pole O", 45, -25, "pole")
    until(
        lab,
        lambda: np.linalg.norm(values(lab, "[view.model.number(x) for x in view.model.bodies[0].joint.at]")) > 0.01,
        "the pole",
    )
    lab.page.wait_for_timeout(800)
    core = "(lambda m: m.rotators(0).force[0])(mb.simulate(view.model, duration=2))"
    settled(lab, lambda: row(view, "sum")[3:6], values(lab, core))
    assert np.linalg.norm(values(lab, core)) > 1e-3
    lab.screenshot("after", view)
    assert lab.errors == []


@pytest.mark.thorough
def test_the_axis_of_a_permanent_rotation_snaps_to_the_cone(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1250})
    lab.open_cells("import numpy as np\nimport mbwidgets as mb", "view = mb.PermanentRotationsView()\nview")
    assert [cell.error for cell in lab.run_all()] == [None, None]
    lab.cell(1).locator(".mbw-cone line").first.wait_for()
    until(lab, lambda: values(lab, "len(view.handles.rows[0]['snaps'])") > 50, "the cone")
    before = values(lab, "view.handles.rows[0]['direction']")
    drag(lab, "Axis that is vertical", 70, -60, "dragged")
    axis = "view.rotation.turns[0].T @ view.rotation.chain.basis[:, 2]"
    until(lab, lambda: np.linalg.norm(np.subtract(values(lab, axis), before)) > 0.05, "the body to turn")
    lab.page.wait_for_timeout(600)
    away = values(lab, f"np.linalg.norm(mb.staude_cone(view.model).nearest({axis}).axis - ({axis}))")
    assert away < 1e-7, "the axis is off the cone"
    assert values(lab, "view.rotation.holds")
    assert lab.cell(1).get_by_text("permanent", exact=True).is_visible()
    lab.screenshot("turned", lab.cell(1))

    lab.cell(1).get_by_label("snap to the cone").uncheck()
    until(lab, lambda: values(lab, "view.handles.rows[0]['snaps']") == [], "the free axis")
    lab.page.wait_for_timeout(300)
    drag(lab, "Axis that is vertical", -45, -20)
    lab.cell(1).get_by_text("not permanent", exact=True).wait_for()
    assert lab.errors == []


@pytest.mark.thorough
def test_a_page_without_a_kernel_has_no_handles(browser: Browser, tmp_path: Path) -> None:
    view = mb.MassMomentsView(duration=1)
    page = Opened(browser, view.to_html(tmp_path / "view.html", sliders={"e": 2}))
    page.page.evaluate("for (const fold of document.querySelectorAll('.mbw-controls details')) fold.open = true")
    page.page.get_by_role("slider", name="e", exact=True).press("Home")
    page.page.wait_for_timeout(500)
    assert page.page.locator(".mbw-handle").count() == 0
    assert page.errors == []
    page.context.close()
    view.close()


def drag_in_page(page: Any, key: str, x: float, y: float) -> None:
    """Drag a handle of a page by so many pixels, and wait until the page has answered."""
    box = page.page.locator(f".mbw-handle[data-key={key}]").bounding_box()
    assert box is not None, key
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(*spot)
    page.page.mouse.down()
    page.page.mouse.move(spot[0] + x, spot[1] + y, steps=5)
    page.page.mouse.up()
    page.page.wait_for_timeout(400)  # what was answered coarsely is answered again when the hand rests
    page.settle()


def own(page: Any, *labels: str) -> list[float]:
    fold = {"azimuth": "Axis n", "elevation": "Axis n"}
    script = """([group, label]) => Number([...document.querySelectorAll(".mbw-controls details")]
        .find((node) => node.firstChild.textContent === group)
        .querySelector(`input[type=range][aria-label="${label}"]`).value)"""
    return [page.page.evaluate(script, [fold.get(label, "Pole"), label]) for label in labels]


def test_in_a_page_handles_and_buttons_set_pole_and_axis(browser: Browser, tmp_path: Path) -> None:
    view = mb.MassMomentsView(duration=1, rate=30)
    page = Moved(browser, view, tmp_path / "mass.html")
    drag_in_page(page, "axis", 30, 22)
    angles = own(page, "azimuth", "elevation")
    assert angles[1] < 85, "the axis was upright"
    drag_in_page(page, "pole", 25, 20)
    pole = own(page, "x", "y", "z")
    assert np.linalg.norm(pole) > 0.01
    verdict = page.page.locator("body")
    assert "Dn ≠ 0" in verdict.inner_text()
    a, e = np.radians(angles)
    view.axis, view.pole = (np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)), tuple(pole)
    page.assert_shown(view.motion)
    for name in ("at C", "principal 2"):
        page.page.get_by_role("button", name=name, exact=True).click()
        page.settle()
    assert own(page, "x", "y", "z") == pytest.approx(view.chosen.centre, abs=1e-12)
    before = own(page, "x", "y", "z")
    box = page.page.locator("canvas").first.bounding_box()
    assert box is not None
    for share in (0.4, 0.5, 0.6):  # the rotor is in the middle; handles and marks may be before it
        page.page.mouse.dblclick(box["x"] + share * box["width"], box["y"] + 0.4 * box["height"])
    page.settle()
    assert own(page, "x", "y", "z") != before, "a double click puts the pole there"
    for name in ("at C", "principal 2"):
        page.page.get_by_role("button", name=name, exact=True).click()
        page.settle()
    text = verdict.inner_text()
    assert "Sn = 0" in text, "the axis passes through C"
    assert "Dn = 0" in text, "to 1e-10 of the inertia"
    page.finish("handles")


@pytest.mark.thorough
def test_in_a_page_the_place_of_a_joint_is_dragged_and_the_bodies_stay(browser: Browser, tmp_path: Path) -> None:
    bodies = [
        mb.Body("low", mb.Revolute("z"), mass=2, com=(0.1, 0, 0.3), inertia=(0.2, 0.3, 0.1)),
        mb.Body("high", mb.Revolute("x", at=(0, 0, 0.6)), mass=1, com=(0.1, 0, 0.2), inertia=(0.1, 0.1, 0.05)),
    ]
    model = mb.Model(bodies, state={"u": [2.0, 3.0]})
    view = mb.RotatorsView(model, joint=0, duration=1, rate=30, time=0.0)
    page = Moved(browser, view, tmp_path / "rotators.html")
    drag_in_page(page, "pole", 30, -18)
    shown = page.page.evaluate(
        """async id => (await window.mbwidgets.get_model(id)).get("rows")
        .find(({ key }) => key === "pole").at""",
        view.handles.model_id,
    )
    assert np.linalg.norm(shown) > 0.02
    page.model = with_joint_moved(model, 0, shown)
    page.assert_shown(page.motion())
    page.finish("joint-dragged")
