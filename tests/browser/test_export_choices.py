"""Maps of exported pages: what can be chosen there was computed beforehand; what cannot does not invite."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.widgets.text.derivation import entry_html
from tests.browser.test_export import STEP, Opened
from tests.browser.test_grab import PIXEL

GET = "async ([id, name]) => (await window.mbwidgets.get_model(id)).get(name)"


def read(page: Opened, widget: object, name: str) -> object:
    return page.page.evaluate(GET, [widget.model_id, name])


@pytest.mark.thorough
def test_a_cell_of_an_exported_tensor_shows_its_formula(browser: Browser, tmp_path: Path) -> None:
    view = mb.EquationsView(duration=2)
    found, model, player = mb.covariant(view.model), view.model, view.picture.player.model_id
    page = Opened(browser, view.to_html(tmp_path / "equations.html", sliders={"g": (1.62,)}))
    heat = page.page.locator(".mbw-heat")

    def shows(place: tuple[int, int]) -> bool:
        return read(page, view._entry, "value") == entry_html(found, model, "metric", place, view.motion).html

    cell = heat.get_by_role("gridcell", name="a₂₅: 3 terms")
    cell.click()
    page.until(lambda: shows((1, 4)), "the formula of the entry")
    assert cell.get_attribute("aria-selected") == "true"
    page.page.locator(".mbw-plot", has_text="a₂₅ along the motion").wait_for()
    reading = float(page.page.locator(".mbw-legend b").first.inner_text().replace("−", "-"))
    assert reading == pytest.approx(float(found.metric[1, 4].evaluate(q=view.motion.q[0])), rel=2e-3)

    # by the keyboard, and beside a slider
    page.page.keyboard.press("ArrowDown")
    page.until(lambda: shows((2, 4)), "the next entry")
    page.page.get_by_role("tab", name="Sliders").click()
    box = page.page.get_by_role("spinbutton", name="g, number", exact=True)
    box.fill("1.62")
    box.press("Enter")
    places = mb.simulate(model.with_values(g=1.62), **view.options()).poses[0]

    def moved() -> bool:
        poses = np.reshape(page.state(player)["poses"], (-1, 5, 7))
        return np.allclose(poses[:, :, :3], places, rtol=0, atol=STEP * np.ptp(places))

    page.until(moved, "the motion on the moon")
    assert shows((2, 4)), "the entry stays"
    page.page.get_by_role("tab", name="Over time").click()
    page.page.wait_for_timeout(500)
    page.shot("equations-choice")
    assert page.errors == []
    page.context.close()
    view.close()


@pytest.mark.thorough
def test_every_tensor_of_an_exported_page_can_be_chosen(browser: Browser, tmp_path: Path) -> None:
    view = mb.EquationsView(mb.library.pendulum(2), duration=1)
    found = mb.covariant(view.model)
    page = Opened(browser, view.to_html(tmp_path / "equations.html", sliders={"m": 2}))
    heat = page.page.locator(".mbw-heat")
    for title, key, cell, place in (
        ("Γ, first kind", "christoffel", "Γ₂₂,₁", (1, 1, 0)),
        ("gravity", "gradient", "∂Π/∂q²", (1,)),
        ("inverse", "inverse", "a¹²", (0, 1)),
    ):
        page.page.get_by_role("button", name=title, exact=True).click()
        heat.get_by_role("gridcell", name=f"{cell}:").click()
        wanted = entry_html(found, view.model, key, place, view.motion).html
        page.until(lambda wanted=wanted: read(page, view._entry, "value") == wanted, f"the formula of {cell}")
    assert "the map answer" in page.page.locator(".mbw-answers").inner_text()
    page.shot("equations-tensors")
    assert page.errors == []
    page.context.close()
    view.close()


@pytest.mark.thorough
def test_a_map_that_nobody_answers_is_still(browser: Browser, tmp_path: Path) -> None:
    view = mb.PermanentRotationsView(duration=1, snap=False)
    page = Opened(browser, view.to_html(tmp_path / "cone.html", sliders=False))
    cone = page.page.locator(".mbw-cone")
    assert cone.locator("svg[role=slider]").count() == 0
    assert cone.get_by_text("In a notebook the axis can be dragged along the cone.").is_visible()
    before = read(page, view.map, "handle")
    cone.locator("svg").first.click(position={"x": 80, "y": 80})
    page.page.wait_for_timeout(300)
    assert read(page, view.map, "handle") == before
    assert read(page, view.map, "edit") == {}
    page.shot("cone-still")
    assert page.errors == []
    page.context.close()
    view.close()


def test_a_body_that_is_clicked_twice_is_chosen(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.four_bar(), time=0.0, duration=1, rate=30, view="front", selected="rocker")
    page = Opened(browser, view.to_html(tmp_path / "picked.html"))
    player, point = view.picture.player.model_id, view.motion.point(0, (0.25, 0, 0)).position[0]
    told = [player, [float(item) for item in point]]
    x, y = page.page.evaluate(f"given => ({PIXEL})(window.mbwidgets, given)", told)
    box = page.page.locator("canvas").first.bounding_box()
    assert box is not None
    page.page.mouse.dblclick(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.page.get_by_text("Vectors of crank, world axes").wait_for(timeout=10_000)
    assert page.errors == []
    page.context.close()
    view.close()
