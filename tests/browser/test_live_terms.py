"""Beneath the stage of an exported Explorer: the terms of forces and equations, which follow sliders and bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, expect

import mbwidgets as mb
from mbwidgets.widgets.views.explorer_terms import equation_values, force_values, quick_equations
from tests.browser.test_export import Opened
from tests.browser.test_live_page import MOVE
from tests.browser.test_live_views import CLOSE, SETTLED, SHOWN


def test_the_terms_beneath_the_stage_follow_sliders_and_bodies(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.three_body_arm(), duration=2, rate=30, time=0, selected="fore")
    page = Opened(browser, view.to_html(tmp_path / "terms.html"))
    page.page.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m2", 8.25])
    expect(
        page.page.locator(".mbw-row", has=page.page.get_by_label("m2", exact=True)).locator(".mbw-before")
    ).to_have_text("5")
    page.page.get_by_label("body", exact=True).select_option("upper")
    assert page.page.evaluate(SETTLED, view.controls.model_id)
    motion = mb.simulate(view.model.with_values(m2=8.25), duration=2, rate=30)
    found = quick_equations(motion.model)
    expected = {view.force_terms: force_values(motion, 1), view.equation_terms: equation_values(motion, 1, found)}
    for part, values in expected.items():
        shown = np.array(page.page.evaluate(SHOWN, part.model_id), dtype=float).reshape(values.shape)
        np.testing.assert_allclose(shown, values, rtol=0, atol=CLOSE * np.abs(values).max())
    frame = motion.index(float(page.page.get_by_label("Time", exact=True).input_value()))
    force = page.page.locator(".mbw-term-number").first
    expect(force).to_have_text(f"{expected[view.force_terms][frame, 0]:.4g} N")
    expect(page.page.locator(".mbw-terms").first).to_contain_text("what base does to upper")
    assert page.errors == []
    page.context.close()
    view.close()
