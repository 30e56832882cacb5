"""What was, in an exported page: tails of points and forces, the ghost of the motion before a change, and its curve."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from tests.browser.test_export import Opened

# Ribbons and ghosts that are seen, and where the first points of the ribbons are.
PAST = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    const { obj: scene } = await window.mbwidgets.get_model(player.get("scene").replace("IPY_MODEL_", ""));
    const found = { ribbons: [], ghosts: 0, lines: 0 };
    scene.traverseVisible((item) => {
        if (item.geometry?.attributes?.ahead) {
            const { position } = item.geometry.attributes;
            const count = item.geometry.drawRange.count / 6 + 1;
            found.ribbons.push(Array.from({ length: count }, (_, k) => [...position.array.slice(6 * k, 6 * k + 3)]));
        }
        if (item.renderOrder >= 9 && item.isMesh) found.ghosts++;
        if (item.name === "comet" && item.layers.test({ mask: 1 })) found.lines++;
    });
    return found;
}"""
# Another motion again and again, as a slider gives it, and what the renderer has of it.
CHANGES = """async ([id, count]) => {
    const player = await window.mbwidgets.get_model(id);
    const { views } = await window.mbwidgets.get_model(player.get("renderer").replace("IPY_MODEL_", ""));
    const { renderer } = await Object.values(views)[0];
    const poses = player.get("poses");
    const changed = new DataView(poses.buffer.slice(poses.byteOffset, poses.byteOffset + poses.byteLength));
    const found = [];
    for (let k = 0; k < count; k++) {
        changed.setFloat32(0, 1e-3 * (k + 1), true);
        const bytes = new DataView(changed.buffer.slice(0));
        player.set({ poses: bytes, version: player.get("version") + 1, forgotten: player.get("forgotten") + (k % 2) });
        if (k % 100 !== 99) continue;
        await new Promise((done) => setTimeout(done, 400));
        const nodes = document.querySelectorAll("*").length;
        found.push([renderer.info.memory.geometries, renderer.info.memory.textures, nodes]);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    view = mb.Explorer(mb.library.three_body_arm(), duration=2, vectors=("force", "weight"))
    view._trace.value = True
    view.time = 1.0
    view._tabs.selected_index = 1
    view._curves.value = "reaction force"
    yield view, view.to_html(tmp_path_factory.mktemp("past") / "arm.html", sliders={"m3": 3})
    view.close()


@pytest.fixture
def opened(browser: Browser, exported: tuple[Any, Path]) -> Iterator[Opened]:
    page = Opened(browser, exported[1])
    page.page.wait_for_timeout(1000)
    yield page
    page.context.close()


def test_a_tail_begins_at_the_mass_centre_and_goes_back_in_time_only(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    view, player = exported[0], exported[0].picture.player.model_id
    found = opened.page.evaluate(PAST, player)
    assert len(found["ribbons"]) == 2, "of the mass centre and of the force"
    assert found["lines"] == 0, "the whole path is drawn too"
    tail = np.array(found["ribbons"][0])
    motion, now = view.motion, view.motion.index(view.time)
    path = motion.point("fore", motion.model.body("fore").com).position
    assert tail[0] == pytest.approx(path[now], abs=1e-5)  # single precision of a metre
    nearest = np.linalg.norm(tail[:, None] - path[None], axis=2).min(axis=1)
    step = np.linalg.norm(np.diff(path[: now + 1], axis=0), axis=1).max()
    assert nearest.max() < step, "not on the path"
    ahead = np.linalg.norm(tail[:, None] - path[None, now + 3 :], axis=2).min()
    assert ahead > 0, "the future is drawn"
    assert opened.errors == []


def test_a_tail_begins_at_the_mass_centre_in_a_page_that_keeps_fewer_frames(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.body_on_circle(), duration=10)
    view.time = 5.0
    page = Opened(browser, view.to_html(tmp_path / "circle.html", sliders=False))
    page.page.wait_for_timeout(1000)
    (tail, *_) = page.page.evaluate(PAST, view.picture.player.model_id)["ribbons"]
    centre = view.picture.drawn_centre(view.motion, 0)[view.motion.index(view.time)]
    # positions are kept to 24 bits
    assert tail[0] == pytest.approx(centre, abs=1e-4)
    page.context.close()
    view.close()


def test_a_slider_leaves_a_ghost_in_the_picture_and_a_pale_curve_in_the_plot(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    page, player = opened.page, exported[0].picture.player.model_id
    assert opened.page.evaluate(PAST, player)["ghosts"] == 0
    assert page.locator(".mbw-curve-before").count() == 0
    page.get_by_label("m3, number").fill("1.5")
    page.get_by_label("m3, number").press("Enter")
    # a mesh that sets the depth and one that is seen, for each of three bodies
    opened.until(lambda: page.evaluate(PAST, player)["ghosts"] == 6, "the ghost")
    opened.until(lambda: page.locator(".mbw-curve-before").count() == 4, "the curves of before")
    forget = "async (id) => { const p = await window.mbwidgets.get_model(id); p.set('forgotten', 99); }"
    page.evaluate(forget, player)
    opened.until(lambda: page.evaluate(PAST, player)["ghosts"] == 0, "the ghost to go, as by reset")
    opened.until(lambda: page.locator(".mbw-curve-before").count() == 0, "the curves to go")
    assert opened.errors == []


@pytest.mark.thorough
def test_nothing_grows_over_a_thousand_changes(opened: Opened, exported: tuple[Any, Path]) -> None:
    counts = np.array(opened.page.evaluate(CHANGES, [exported[0].picture.player.model_id, 1000]))
    # the same geometries, textures and elements after each hundred changes
    assert (counts == counts[0]).all(), counts.tolist()
    assert opened.errors == []
