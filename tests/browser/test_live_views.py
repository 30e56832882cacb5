"""Views of the papers as pages that think: their tables, plots and arrows follow every slider, with no kernel."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.scene.page.player import packed_poses
from mbwidgets.widgets.edit.places import editable_places
from mbwidgets.widgets.views.page_tables import often
from mbwidgets.widgets.views.release_parts import opened_motion
from tests.browser.conftest import SCREENSHOTS
from tests.browser.test_export import Opened

CLOSE: Final = 2e-6
"""Of the largest number of a part: the page shows float32, seven digits, and sums in another order."""
RANGE: Final = """([group, label]) => {
    const fold = [...document.querySelectorAll(".mbw-controls details")]
        .find((node) => node.firstChild.textContent === group);
    fold.open = true;
    const range = [...fold.querySelectorAll("input[type=range]")]
        .find((node) => node.getAttribute("aria-label") === label);
    range.scrollIntoView({ block: "center" });
    range.id = "moved";
}"""
SHOWN: Final = """async (id) => {
    const part = await window.mbwidgets.get_model(id);
    return [...(part.get("_overlay")?.values ?? [])];
}"""


SETTLED: Final = """async (id) => {
    const live = (await window.mbwidgets.get_model(id)).get("_live");
    const deadline = performance.now() + 15000;
    while (!live.isIdle() && performance.now() < deadline) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return live.isIdle();
}"""


class Moved(Opened):
    """A view exported to a page, whose sliders are moved by hand; ``model`` follows in Python."""

    def __init__(self, browser: Browser, view: Any, path: Path) -> None:
        self.view, self.model = view, view.model
        super().__init__(browser, view.to_html(path))

    def move(self, group: str, label: str, by_mouse: bool = False) -> float:
        """Drag a slider to three quarters, or press the right arrow five times; the value that it has then."""
        self.page.evaluate("document.querySelector('#moved')?.removeAttribute('id')")
        self.page.evaluate(RANGE, [group, label])
        slider = self.page.locator("#moved")
        before = slider.input_value()
        if by_mouse:
            box = slider.bounding_box()
            assert box is not None
            self.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
            self.page.mouse.down()
            self.page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
            self.page.mouse.up()
        else:
            slider.focus()
            for _ in range(5):
                slider.press("ArrowRight")
        assert slider.input_value() != before
        self.settle()
        return float(slider.input_value())

    def settle(self) -> None:
        """Wait until the page has answered all that it was asked."""
        assert self.page.evaluate(SETTLED, self.view.controls.model_id)

    def set(self, group: str, label: str, by_mouse: bool = False) -> None:
        """Move a slider of the model, and the model likewise."""
        value = self.move(group, label, by_mouse)
        places = editable_places(self.model, self.view.index, model_size(self.view.origin))
        place = next(place for place in places if (place.group, place.title) == (group, label))
        self.model = place.write(self.model, value)

    def assert_shown(self, motion: Any) -> None:
        """Every part shows what the view computes of this motion."""
        for fill in often(self.view.page_fills()):
            if fill.kind in ("shift", "look"):
                continue
            expected = np.asarray(fill.values(motion), dtype=float).reshape(-1)
            found = np.array(self.page.evaluate(SHOWN, fill.part.model_id), dtype=float)
            assert found.shape == expected.shape
            largest = np.nanmax(np.abs(expected), initial=0.0)
            np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE * largest)

        self.assert_drawn(motion)

    def assert_drawn(self, motion: Any) -> None:
        """Every arrow has the value that the view gives it; what has none is not drawn."""
        items = self.view.page_arrows(motion)
        player = self.view.picture.player.model_id
        vectors = np.array(self.page.evaluate(SHOWN.replace(".values", ".vectors"), player), dtype=float)
        found = vectors.reshape(len(motion), len(items), 6)[:, :, 3:]
        for k, item in enumerate(items):
            largest = np.nanmax(np.abs(item.value), initial=0.0)
            np.testing.assert_allclose(found[:, k], item.value, rtol=0, atol=CLOSE * largest, err_msg=item.key)

    def motion(self) -> Any:
        return mb.simulate(self.model, **self.view.options())

    def finish(self, name: str) -> None:
        self.page.screenshot(path=SCREENSHOTS / f"live-view-{name}.png", full_page=True)
        self.context.close()
        self.view.close()
        assert self.errors == []


@pytest.mark.parametrize("half", ["force", pytest.param("moment", marks=pytest.mark.thorough)])
def test_a_page_of_rotators_follows_its_sliders(browser: Browser, tmp_path: Path, half: str) -> None:
    view = mb.RotatorsView(mb.library.three_body_arm(), joint=0, duration=2, rate=60, half=half)
    page = Moved(browser, view, tmp_path / "rotators.html")
    page.set("Parameters", "m3", by_mouse=True)
    page.set("Parameters", "l2")
    page.set("Mass and inertia", "J_z")
    motion = page.motion()
    page.assert_shown(motion)
    total = page.page.locator(".mbw-ledger tr[data-key=sum]").inner_text()
    frame = motion.index(view.time)
    length = np.linalg.norm(getattr(motion.rotators(0), half)[frame])
    assert f"{length:.4g}" in total
    other = "moment" if half == "force" else "force"
    page.page.get_by_role("button", name=other, exact=True).click()
    page.settle()
    page.page.locator("caption", has_text=f"Contributions to the kinetic {other}").wait_for(timeout=10_000)
    view.half = other
    page.assert_shown(motion)
    page.finish(f"rotators-{half}")


@pytest.mark.thorough
def test_what_a_page_of_a_rotor_says_of_balance_gives_way_when_a_slider_is_moved(
    browser: Browser, tmp_path: Path
) -> None:
    view = mb.RotatorsView(mb.library.rotor(), duration=0.5)
    page = Moved(browser, view, tmp_path / "rotor.html")
    page.page.get_by_role("tab", name="Balance").click()
    page.until(lambda: "|S| =" in page.page.inner_text("body"), "the state of balance")
    page.set("Parameters", "m")
    page.assert_shown(page.motion())
    assert "|S| =" not in page.page.inner_text("body")
    assert "computed in the notebook" in page.page.inner_text("body")
    page.finish("rotor")


MARKS: Final = """async (ids) => Promise.all(ids.map(async (id) => {
    const { obj } = await window.mbwidgets.get_model(id);
    return { at: obj.position.toArray(), turn: obj.quaternion.toArray(), seen: obj.visible };
}))"""


def test_a_page_of_mass_moments_follows_pole_axis_and_body(browser: Browser, tmp_path: Path) -> None:
    view = mb.MassMomentsView(duration=2, rate=60)
    page = Moved(browser, view, tmp_path / "moments.html")
    page.set("Parameters", "m", by_mouse=True)
    elevation = page.move("Axis n", "elevation", by_mouse=True)
    height = page.move("Pole", "y")
    page.set("Mass and inertia", "J_x")
    before = view.page_tables()["own"]
    marks = page.page.evaluate(MARKS, [mesh.model_id for mesh in view.markers.meshes.values()])
    chart = np.array(page.page.evaluate(SHOWN.replace(".values", ".y"), view.chart.model_id))
    words = page.page.locator("[role=status]", has_text="off the axis").first.inner_text()
    view.pole = (before[2], height, before[4])
    azimuth = np.radians(before[0])
    angle = np.radians(elevation)
    view.axis = (np.cos(angle) * np.cos(azimuth), np.cos(angle) * np.sin(azimuth), np.sin(angle))
    page.assert_shown(page.motion())
    view.model = page.model
    assert words.split() == view.finding.said().split()
    for mesh, mark in zip(view.markers.meshes.values(), marks, strict=True):
        assert mark["seen"] == mesh.visible
        np.testing.assert_allclose(mark["at"], mesh.position, rtol=0, atol=1e-6)
    # of two axes that turn a line alike the page may have found the other; a ball is not turned at all
    expected = view.chosen.turned(np.linspace(-90, 90, 181)).reshape(-1)
    np.testing.assert_allclose(chart, expected, rtol=0, atol=CLOSE * expected.max())
    page.page.get_by_role("tab", name="Formulae").click()
    assert "derived in the notebook" in page.page.inner_text("body")
    page.finish("mass-moments")


@pytest.mark.thorough
def test_the_axes_and_ticks_of_a_page_of_mass_moments_answer(browser: Browser, tmp_path: Path) -> None:
    view = mb.MassMomentsView(duration=2, rate=60)
    page = Moved(browser, view, tmp_path / "moments.html")
    page.page.get_by_role("button", name="world").click()
    page.page.get_by_label("Draw pole to C").check()
    page.set("Parameters", "e")
    view.axes, view.vectors = "world", (*view.table.chosen, "lever")
    page.assert_shown(page.motion())
    page.finish("mass-moments-world")


@pytest.mark.parametrize(
    ("name", "joint"), [("hammer_crusher", -1), pytest.param("four_bar", 1, marks=pytest.mark.thorough)]
)
def test_a_page_of_a_released_joint_follows_its_sliders(
    browser: Browser, tmp_path: Path, name: str, joint: int
) -> None:
    """Matrices, components, curves and arrows; bodies beyond the gap stand apart by it."""
    view = mb.ReleaseView(getattr(mb.library, name)(), joint=joint, duration=1, rate=60)
    page = Moved(browser, view, tmp_path / "release.html")
    page.set("Parameters", "m", by_mouse=True)
    gap = page.move("Opening", "gap", by_mouse=True)
    page.set("Parameters", "g")
    page.set("Parameters", "phi0")
    found = page.page.evaluate(SHOWN.replace(".values", ".poses"), view.picture.player.model_id)
    motion, view.gap = page.motion(), gap
    page.assert_shown(motion)
    drawn = packed_poses(*opened_motion(motion, view.index, gap)[0].poses).astype(np.float32)
    np.testing.assert_allclose(np.array(found).reshape(drawn.shape), drawn, rtol=0, atol=1e-6)
    assert "the methods agree" in page.page.locator("[role=status]", has_text="release against").inner_text()
    page.page.get_by_role("tab", name="Over time").click()
    page.page.get_by_label("axes", exact=True).select_option("of the body")
    page.set("Parameters", "m")
    view._axes.value = "body"
    page.assert_shown(page.motion())
    page.page.get_by_role("tab", name="Matrices").click()
    page.page.get_by_label("angles", exact=True).select_option("of the joints")
    page.page.get_by_label("rows", exact=True).select_option("all six")
    page.settle()
    view.coordinates, view.rows = "joint", "all six"
    page.assert_shown(page.motion())
    page.finish(f"release-{name}")


def _plain(html: str) -> str:
    return re.sub("<[^>]*>", "", html).replace("&nbsp;", " ")
