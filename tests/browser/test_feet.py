"""In a page the foot of an arrow lies on its pin, and has the colour of the body on which the arrow acts."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import mbwidgets as mb
from mbwidgets.scene.look.palette import body_colour

# Where the arrows begin that are seen, pixels of the page, by quantity.
FEET = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    const one = (item) => window.mbwidgets.get_model(item.replace("IPY_MODEL_", ""));
    const { obj: camera } = await one(player.get("camera"));
    const { left, top, width, height } = document.querySelector("canvas").getBoundingClientRect();
    const shown = player.get("_overlay") ?? { arrows: player.get("arrows"), quantities: player.get("quantities") };
    const arrows = shown.arrows ?? player.get("arrows");
    const keys = shown.quantities ?? player.get("quantities");
    const groups = await Promise.all(arrows.map(async (item) => (await one(item)).obj));
    return groups.flatMap((group, k) => {
        if (!group.visible) return [];
        const { x, y } = group.getWorldPosition(group.position.clone()).project(camera);
        return [[keys[k], left + (1 + x) * width / 2, top + (1 - y) * height / 2]];
    });
}"""


def seats(page: Page, player: str) -> dict[str, np.ndarray]:
    """The colour in the middle of the foot of each arrow."""
    found = {}
    picture = matplotlib.image.imread(io.BytesIO(page.screenshot()))[..., :3]
    for key, x, y in page.evaluate(FEET, player):
        found[key] = picture[round(y), round(x)]
    return found


def colour_of(body: int) -> np.ndarray:
    text = body_colour(body)
    return np.array([int(text[k : k + 2], 16) for k in (1, 3, 5)]) / 255


@pytest.mark.thorough
def test_the_foot_of_a_force_has_the_colour_of_the_body_that_is_chosen_and_the_legend_names_it(
    browser: Browser, tmp_path: Path
) -> None:
    model = mb.library.slider_crank()
    view = mb.Explorer(model, selected="rod", vectors=("force", "weight"), duration=1)
    path, player = view.to_html(tmp_path / "crank.html"), view.picture.player.model_id
    page = browser.new_context(viewport={"width": 1280, "height": 1000}, offline=True).new_page()
    page.goto(path.as_uri())
    page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
    legend = page.locator(".mbw-owners")
    legend.wait_for(timeout=30_000)
    page.wait_for_timeout(1000)
    assert legend.text_content() == "arrows act onrod"
    # steps of eight bits; the dot is flat, in no light
    assert np.abs(seats(page, player)["force"] - colour_of(1)).max() < 2.5 / 255
    page.get_by_label("body").first.select_option("crank")
    page.wait_for_timeout(1500)
    assert legend.text_content() == "arrows act oncrank"
    assert np.abs(seats(page, player)["force"] - colour_of(0)).max() < 2.5 / 255
    page.context.close()
    view.close()
