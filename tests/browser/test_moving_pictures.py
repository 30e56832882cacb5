"""Pictures that follow one another are drawn with less where the machine is slow; at rest they are whole again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

import mbwidgets as mb

# A hand on the time line, to and fro and back to where it was, on a machine that takes 60 ms for all else in a picture;
# then the canvas as it is under the hand, and as it is when nothing has moved for a while.
DRAG = """async () => {
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const canvas = document.querySelector("canvas");
    const range = document.querySelector("input[type=range][aria-label=Time]");
    const start = Number(range.value);
    const put = (value) => {
        range.value = value;
        range.dispatchEvent(new Event("input", { bubbles: true }));
    };
    await pause(2500);
    const before = canvas.toDataURL();
    let moving = true;
    const burden = () => {
        const until = performance.now() + 60;
        while (performance.now() < until);
        if (moving) requestAnimationFrame(burden);
    };
    requestAnimationFrame(burden);
    for (let k = 0; k < 24; k++) {
        put(start + 0.1 + 0.02 * k);
        await pause(80);
    }
    put(start);
    await pause(120);
    const during = canvas.toDataURL();
    moving = false;
    await pause(2500);
    const { width, height } = canvas;
    return { same: canvas.toDataURL() === before, less: during !== before, size: [width, height] };
}"""


@pytest.mark.parametrize(("width", "height", "ratio"), [(1280, 1000, 1), (390, 844, 2)])
def test_pixels_at_rest_equal_those_before_a_drag(
    browser: Browser, tmp_path: Path, width: int, height: int, ratio: int
) -> None:
    view = mb.Explorer(mb.library.four_bar(), duration=2)
    path = view.to_html(tmp_path / "page.html")
    view.close()
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=ratio)
    page = context.new_page()
    page.goto(path.as_uri())
    page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
    page.locator("canvas").first.wait_for()
    found = page.evaluate(DRAG)
    context.close()
    assert found["less"], "a slow machine draws with less while things move"
    assert found["same"]
    assert found["size"][0] >= ratio * 300
