"""Pages of reactions, constraints and equations: their tables follow sliders, menus and ticks, with no kernel."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.widgets.parts.formulas import FORMULAE, formula_html
from mbwidgets.widgets.views.page_formulae import UNSTORED
from mbwidgets.widgets.views.page_variants import Otherwise
from mbwidgets.widgets.views.reaction_spectrum import CLEAR
from tests.browser.test_live_views import CLOSE, SHOWN, Moved

CHOOSE: Final = "async ([id, k]) => void (await window.mbwidgets.get_model(id)).set('index', k)"


def shown(page: Moved, part: Any) -> np.ndarray:
    return np.array(page.page.evaluate(SHOWN, part.model_id), dtype=float)


def assert_part(page: Moved, fill: Any, motion: Any) -> None:
    expected = np.asarray(fill.values(motion), dtype=float).reshape(-1)
    largest = np.nanmax(np.abs(expected), initial=0.0)
    np.testing.assert_allclose(shown(page, fill.part), expected, rtol=0, atol=CLOSE * largest)


def choose(page: Moved, menu: Any, index: int) -> None:
    page.page.evaluate(CHOOSE, [menu.model_id, index])
    page.page.wait_for_timeout(50)  # what a menu chooses is looked up first
    page.settle()


def test_a_page_of_reactions_follows_sliders_joints_and_curves(browser: Browser, tmp_path: Path) -> None:
    view = mb.ReactionsView(mb.library.three_body_arm(), joint=1, duration=2, rate=120)
    page = Moved(browser, view, tmp_path / "reactions.html")
    page.set("Parameters", "m3", by_mouse=True)
    page.set("Parameters", "l2")
    page.set("Mass and inertia", "J_z")
    motion = page.motion()
    page.assert_shown(motion)
    assert "the methods agree" in page.page.inner_text("body")
    stiffness = page.move("Shaft", "stiffness c")
    page.page.get_by_role("tab", name="Spectrum").click()
    page.settle()
    assert_spectrum(page, motion.pressure_spectrum(1, stiffness=stiffness), "force")
    choose(page, view._half, 1)
    assert_spectrum(page, motion.pressure_spectrum(1, stiffness=stiffness), "moment")
    assert "Formulae hold for the numbers that the page was made with" in page.page.inner_text("body")
    page.page.get_by_role("tab", name="Formulae").click()
    text = "async (id) => (await window.mbwidgets.get_model(id)).get('value')"
    kept = page.page.evaluate(text, view.formulae.written.model_id)
    choose(page, view.formulae.menu, list(FORMULAE).index("potential energy"))
    other = page.page.evaluate(text, view.formulae.written.model_id)
    assert other in (formula_html(view.model, 1, FORMULAE["potential energy"]), UNSTORED)
    choose(page, view.formulae.menu, list(FORMULAE).index(view.formulae.kind))
    assert page.page.evaluate(text, view.formulae.written.model_id) == kept
    assert kept == formula_html(view.model, 1, FORMULAE[view.formulae.kind])
    page.page.get_by_role("tab", name="Spectrum").click()
    choose(page, view.toolbar.children[0], 0)
    choose(page, view._curves, 1)
    assert_spectrum(page, motion.pressure_spectrum(0, stiffness=stiffness), "moment")
    assert "on joint 'base', N m" in page.page.locator(".mbw-plot-title", has_text="Spectrum").inner_text()
    other = Otherwise(view, selected="base", _curves=view.page_menus()[-1].values[1])
    for fill in other.page_fills():
        assert_part(page, fill, motion)
    assert "What the ground does to base" in page.page.inner_text("body")
    page.finish("reactions")


def assert_spectrum(page: Moved, expected: Any, half: str) -> None:
    """Lines, and the mark of the shaft, are those of Python."""
    chart = page.view.spectrum.model_id
    x, y = (np.array(page.page.evaluate(SHOWN.replace(".values", f".{name}"), chart)) for name in "xy")
    np.testing.assert_allclose(x, expected.frequency, rtol=1e-6)
    np.testing.assert_allclose(y, getattr(expected, half), rtol=0, atol=CLOSE * getattr(expected, half).max())
    (mark,) = page.page.evaluate(SHOWN.replace(".values", ".marks"), chart)
    assert mark["at"] == pytest.approx(expected.eigenfrequencies[0], rel=1e-12)
    assert ("at a peak" in mark["text"]) == bool(expected.resonances(half, CLEAR))


@pytest.mark.thorough
def test_ticks_of_a_page_of_reactions_draw_arrows(browser: Browser, tmp_path: Path) -> None:
    view = mb.ReactionsView(mb.library.three_body_arm(), joint=1, duration=1, rate=30)
    page = Moved(browser, view, tmp_path / "ticks.html")
    quantities = "async (id) => (await window.mbwidgets.get_model(id)).get('quantities')"
    player = view.picture.player.model_id
    page.page.get_by_label("Draw pressure").first.check()
    page.until(lambda: "pressure" in page.page.evaluate(quantities, player), "the arrow that was ticked")
    page.page.get_by_label("Draw static").first.uncheck()
    page.until(lambda: "static force" not in page.page.evaluate(quantities, player), "it to go")
    page.settle()
    lengths = SHOWN.replace(".values", ".lengths")
    before = np.array(page.page.evaluate(lengths, player))
    choose(page, view._sizes, 3)  # 4 ×
    np.testing.assert_allclose(page.page.evaluate(lengths, player), 4 * before)
    page.finish("ticks")


def test_a_page_of_constraints_follows_sliders_and_its_dial(browser: Browser, tmp_path: Path) -> None:
    view = mb.ConstrainedView(duration=2, rate=60)
    page = Moved(browser, view, tmp_path / "constrained.html")
    page.set("Parameters", "d", by_mouse=True)
    page.set("Parameters", "R")
    page.set("Parameters", "g")
    motion = page.motion()
    for fill in view.page_fills():
        if fill.kind == "values" and fill.part is not view.figures[2]:
            assert_part(page, fill, motion)
    turned = page.move("Gravity's dial", "g from x")
    twin = mb.ConstrainedView(page.model, duration=2, rate=60)
    twin.gravity_angle = turned
    # the page multiplies cosines that Python rounds to 15 digits; two seconds later that is still far below a pixel
    found, expected = shown(page, view.table), np.asarray(view._table_values(twin.motion), dtype=float).reshape(-1)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.nanmax(np.abs(expected)))
    twin.close()
    page.finish("constrained")


@pytest.mark.thorough
def test_a_ring_in_a_page_has_the_radius_of_its_slider(browser: Browser, tmp_path: Path) -> None:
    view = mb.ConstrainedView(duration=1, rate=30)
    page = Moved(browser, view, tmp_path / "ring.html")
    widest = """async (id) => {
        const { obj } = await window.mbwidgets.get_model(id);
        let most = 0;
        obj.traverse(({ geometry, isMesh }) => {
            const [places, used] = isMesh ? [geometry.attributes.position.array, geometry.index.array] : [[], []];
            for (const k of used) most = Math.max(most, Math.abs(places[3 * k + 1]));
        });
        return most;
    }"""
    group = view.picture.supports.group.model_id
    before = page.page.evaluate(widest, group)
    radius = page.move("Parameters", "R", by_mouse=True)
    after = page.page.evaluate(widest, group)
    # feet of posts are wider than the ring by the same on both sides
    np.testing.assert_allclose(after - before, radius - 1.0, rtol=0.02)
    page.finish("ring")


@pytest.mark.thorough
def test_a_page_of_equations_holds_every_entry(browser: Browser, tmp_path: Path) -> None:
    view = mb.EquationsView(duration=1, rate=30)  # the page waits for what is still being derived
    page = Moved(browser, view, tmp_path / "equations.html")
    cells = page.page.locator("[role=gridcell]")
    cells.nth(6).click()
    page.until(lambda: "a₂₂ along the motion" in page.page.inner_text("body"), "another entry")
    page.page.get_by_role("tab", name="Sliders").click()
    model = view.model
    name = next(iter(model.parameters))
    value = page.move("Parameters", name)
    motion = mb.simulate(model.with_values(**{name: value}), **view.options())
    entry = mb.covariant(model).metric[1, 1]
    expected = np.broadcast_to(entry.evaluate(q=motion.q, **motion.model.values), len(motion))
    np.testing.assert_allclose(shown(page, view.plot), expected, rtol=1e-5)
    assert "of the compiled kernels: largest difference" in page.page.inner_text("body")
    page.page.get_by_role("tab", name="Over time").click()
    page.page.get_by_role("button", name=re.compile("first kind")).first.click()
    page.until(lambda: "the two routes agree" in page.page.inner_text("body"), "an entry of another tensor")
    page.finish("equations")
