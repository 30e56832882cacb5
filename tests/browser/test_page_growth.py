"""Many moves in a page of each view that thinks: nothing of it grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from tests.browser.test_every_slider import VIEWS
from tests.browser.test_explorer_growth import CHANGES, ROOM, WARM
from tests.browser.test_export import Opened

MOVES: Final = """async ([controlsId, first, count]) => {
    const controls = await window.mbwidgets.get_model(controlsId);
    const live = controls.get("_live");
    const rows = controls.get("rows").filter((row) => row.note === "" && row.options.length === 0);
    for (let k = first; k < first + count; k++) {
        const { key, low, high, origin } = rows[k % rows.length];
        const round = Math.floor(k / rows.length);
        live.move(key, round % 2 ? origin : origin + 0.03 * (1 + (round % 7)) * (high - low) * (origin > 0 ? -1 : 1));
        live.rest();
        while (!live.isIdle()) await new Promise(requestAnimationFrame);
    }
}"""
COUNTS: Final = """async (rendererId) => {
    const { models } = window.mbwidgets;
    const view = await Object.values((await models.get(rendererId)).views)[0];
    return { models: models.size, nodes: document.querySelectorAll("*").length,
             geometries: view.renderer.info.memory.geometries };
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["rotators", "reactions", "release", "permanent", "constrained", "mass moments"])
def test_many_moves_in_a_page_leave_nothing_behind(browser: Browser, tmp_path: Path, name: str) -> None:
    """`make growth` makes 1,000 of them."""
    view = VIEWS[name]()
    opened = Opened(browser, view.to_html(tmp_path / "page.html"))
    opened.page.set_default_timeout(600_000)
    session = opened.context.new_cdp_session(opened.page)

    def measured() -> tuple[Any, float]:
        for _ in range(2):  # what finalizers let go of is collected by the second
            session.send("HeapProfiler.collectGarbage")
        counts = opened.page.evaluate(COUNTS, view.picture.stage.renderer.model_id)
        return counts, session.send("Runtime.getHeapUsage")["usedSize"]

    opened.page.evaluate(MOVES, [view.controls.model_id, 0, WARM])
    opened.page.wait_for_timeout(800)
    before, used = measured()
    for first in range(WARM, WARM + CHANGES, 50):
        opened.page.evaluate(MOVES, [view.controls.model_id, first, min(50, WARM + CHANGES - first)])
    opened.page.wait_for_timeout(800)
    after, now = measured()
    print(f"{name}: {CHANGES} moves, {after}, grown by {(now - used) / 1e6:.2f} MB")
    assert after["models"] == before["models"]
    assert after["geometries"] == before["geometries"]
    assert abs(after["nodes"] - before["nodes"]) <= 20  # a line more or less in a legend or a note
    assert now - used < ROOM
    opened.context.close()
    view.close()
    assert opened.errors == []
