"""Labels of an exported page, which are those of every page: sharp, without a halo, in nobody's way."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import mbwidgets as mb

PHONE = {"width": 390, "height": 844}
LABELS = """() => [...document.querySelectorAll(".mbw-label")].filter((node) => node.style.display !== "none")
    .map((node) => {
        const { x, y, width, height } = node.getBoundingClientRect();
        return { text: node.textContent, plate: node.classList.contains("mbw-label-plate"), x, y, width, height,
            colour: getComputedStyle(node).color.match(/\\d+/g).map(Number) };
    })"""
# Heads of the arrows and mass centres that are seen, pixels of the page.
MARKS = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    const one = (name) => window.mbwidgets.get_model(player.get(name).replace("IPY_MODEL_", ""));
    const [scene, camera] = (await Promise.all([one("scene"), one("camera")])).map(({ obj }) => obj);
    const { left, top, width, height } = document.querySelector("canvas").getBoundingClientRect();
    const seen = (point) => {
        const { x, y } = point.project(camera);
        return [left + (1 + x) * width / 2, top + (1 - y) * height / 2];
    };
    const found = [];
    scene.traverseVisible((item) => {
        if (item.name === "arrow") {
            const [, head] = item.children;
            found.push(seen(head.getWorldPosition(head.position.clone())));
        }
        if (item.name !== "centre") return;
        item.geometry.computeBoundingBox();
        found.push(seen(item.geometry.boundingBox.getCenter(item.position.clone()).applyMatrix4(item.matrixWorld)));
    });
    return found;
}"""


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    view = mb.Explorer(mb.library.three_body_arm(), selected="base", duration=1)
    view.time, view.view = 0.5, "right"  # from there F_R comes out of the base, in which the weight acts
    yield view, view.to_html(tmp_path_factory.mktemp("labels") / "arm.html")
    view.close()


@pytest.fixture(scope="module")
def hammer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    view = mb.Explorer(mb.library.hammer_crusher(), duration=4)
    view.time = 0.0
    yield view.to_html(tmp_path_factory.mktemp("labels") / "hammer.html")
    view.close()


def opened(browser: Browser, path: Path, ratio: float = 1, size: dict[str, int] | None = None) -> Page:
    viewport = size or {"width": 1280, "height": 1000}
    page = browser.new_context(viewport=viewport, device_scale_factor=ratio, offline=True).new_page()
    page.goto(path.as_uri())
    page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
    page.locator(".mbw-triad text").first.wait_for(timeout=30_000)
    page.wait_for_timeout(1000)
    return page


@pytest.mark.parametrize("ratio", [1, 2])
def test_a_label_is_ink_on_what_is_behind_it_and_as_sharp_as_the_screen(
    browser: Browser, arm: tuple[Any, Path], ratio: int
) -> None:
    page = opened(browser, arm[1], ratio)
    label = next(item for item in page.evaluate(LABELS) if item["text"] == "FR")
    # it begins where a pixel of the screen does, but for single precision
    assert [label[k] * ratio for k in "xy"] == pytest.approx([round(label[k] * ratio) for k in "xy"], abs=1e-2)
    clip = page.locator(".mbw-label i", has_text="F").first.bounding_box()
    with_it = matplotlib.image.imread(io.BytesIO(page.screenshot(clip=clip)))[..., :3]
    page.add_style_tag(content=".mbw-label { visibility: hidden }")
    without = matplotlib.image.imread(io.BytesIO(page.screenshot(clip=clip)))[..., :3]
    ink = np.array(label["colour"]) / 255
    way = ink - without
    share = ((with_it - without) * way).sum(axis=2) / (way * way).sum(axis=2)
    # between ink and paper, on all three channels alike: neither a halo nor a fringe, but for steps of eight bits
    assert np.abs(with_it - without - share[..., None] * way).max() < 2.5 / 255
    assert share.min() > -0.02
    # pixels of whole ink over those of edges; a label of ratio 1 that is enlarged keeps half as many at 2, one that is
    # smeared by a pixel has less
    whole, edge = (share > 0.9).sum(), ((share > 0.1) & (share < 0.9)).sum()
    assert whole / edge > {1: 0.4, 2: 1.2}[ratio]
    page.context.close()


def test_labels_stand_apart_and_cover_neither_heads_nor_mass_centres(browser: Browser, arm: tuple[Any, Path]) -> None:
    page = opened(browser, arm[1])
    labels = page.evaluate(LABELS)
    assert "FR" in {item["text"] for item in labels}
    assert page.locator(".mbw-triad text").all_text_contents() != []
    assert len({item["text"] for item in labels}) == len(labels)
    for a, b in combinations(labels, 2):
        apart = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
        assert apart or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"], (a["text"], b["text"])
    for x, y in page.evaluate(MARKS, arm[0].picture.player.model_id):
        for item in labels:
            inside = 0 < x - item["x"] < item["width"] and 0 < y - item["y"] < item["height"]
            assert not inside, item["text"]
    page.context.close()


@pytest.mark.thorough
def test_a_label_over_a_body_has_a_plate_and_one_beside_it_has_none(browser: Browser, arm: tuple[Any, Path]) -> None:
    page = opened(browser, arm[1])
    plates = {item["text"]: item["plate"] for item in page.evaluate(LABELS)}
    assert plates["G"], "the weight acts inside the base"
    assert not plates["FR"]
    page.context.close()


def test_a_phone_has_its_scale_bars_below_the_picture_and_is_told_what_is_too_short(
    browser: Browser, hammer: Path
) -> None:
    page = opened(browser, hammer, 2, PHONE)
    canvas, bars = page.locator("canvas").first.bounding_box(), page.locator(".mbw-scales").first.bounding_box()
    assert bars["y"] >= canvas["y"] + canvas["height"]
    assert bars["x"] + bars["width"] <= PHONE["width"]
    assert (
        page.locator(".mbw-unseen:not(.mbw-past)").text_content()
        == "too short to see:FA31\u00a0NG29\u00a0NaC0.51\u00a0m/s²"
    )
    assert not {"e", "FR", "G"} & {item["text"] for item in page.evaluate(LABELS)}, "letters without arrows"
    # while it plays no amount is written, which would be another one in each picture
    page.get_by_role("button", name="Play", exact=True).first.click()
    page.wait_for_function("""() => {
        const rows = [...document.querySelectorAll(".mbw-unseen:not(.mbw-past)")].map((row) => row.textContent);
        return rows.length && rows.every((row) => !/\\d/.test(row));
    }""")
    page.context.close()
