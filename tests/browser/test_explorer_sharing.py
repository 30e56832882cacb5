"""Explorers that are linked, and a model that is taken out of the page: copied, downloaded, saved."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator

import mbwidgets as mb
from mbwidgets.scene.stage.viewpoint import VIEWS
from tests.browser.lab import Lab
from tests.browser.test_explorer import ids, objects, show

PAIR = (
    "import ipywidgets, traitlets\n"
    "arm = mb.library.three_body_arm()\n"
    "view, twin = (mb.Explorer(arm, vectors=('force',), width=420, height=300) for _ in range(2))\n"
)
SHOWN = "\nipywidgets.VBox([view, twin])"


def pair(lab: Lab, links: str) -> tuple[dict[str, str], dict[str, str]]:
    """Two Explorers in one cell, linked; ids of their widgets."""
    own = show(lab, PAIR + links + SHOWN)
    lab.page.get_by_role("slider", name="Time").nth(1).wait_for()
    return own, ids(lab, "twin")


def same(lab: Lab, a: dict[str, str], b: dict[str, str], before: Any) -> None:
    """Wait until both pages' objects have left where they were, and stand alike."""
    seen: Any = None
    for _ in range(100):
        seen = [objects(lab, own["player"]) for own in (a, b)]
        # heads of arrows are suited to the screen when a picture is drawn, and each page draws in its own time
        alike = all(seen[0][name] == seen[1][name] for name in ("bodies", "arrows"))
        if seen[0]["bodies"] != before["bodies"] and alike:
            return
        lab.page.wait_for_timeout(100)
    raise AssertionError(f"not alike: {seen}")


@pytest.mark.thorough
def test_explorers_linked_by_time_and_model_move_together(lab: Lab) -> None:
    a, b = pair(lab, "for name in ('time', 'model'): traitlets.link((view, name), (twin, name))")
    before = objects(lab, b["player"])
    scrub = lab.page.get_by_role("slider", name="Time").first
    scrub.evaluate(
        "node => { node.value = 1.5; for (const e of ['input', 'change']) node.dispatchEvent(new Event(e)); }"
    )
    same(lab, b, a, before)

    before = objects(lab, a["player"])
    box = lab.page.get_by_label("m3, number", exact=True).nth(1)  # of the twin: the link holds both ways
    box.fill("12")
    box.press("Enter")
    same(lab, a, b, before)
    assert lab.python("print(view.model == twin.model, view.model.values['m3'])") == "True 12.0"
    assert lab.errors == []


# The kernel is busy until a file is there, but never for ever.
BUSY = """import pathlib, time
end = time.monotonic() + 120
while not pathlib.Path({path!r}).exists() and time.monotonic() < end: time.sleep(0.1)
"""
ASK = "(manager, code) => void manager.kernel.requestExecute({ code })"


@pytest.mark.thorough
def test_players_linked_in_the_page_move_together_while_the_kernel_is_busy(lab: Lab, tmp_path: Path) -> None:
    a, b = pair(lab, "joined = ipywidgets.jslink((view.picture.player, 'time'), (twin.picture.player, 'time'))")
    before = objects(lab, b["player"])
    done = tmp_path / "done"
    lab.widgets(ASK, BUSY.format(path=str(done)))
    scrub = lab.page.get_by_role("slider", name="Time").first
    scrub.evaluate("node => { node.value = 1.5; node.dispatchEvent(new Event('input')); }")
    same(lab, b, a, before)
    assert lab.widgets("manager => manager.kernel.status") == "busy"
    done.touch()
    assert lab.errors == []


def text_in(lab: Lab, cell: Locator, form: str) -> str:
    """What the Copy button puts on the clipboard."""
    cell.get_by_role("button", name=form, exact=True).click()
    lab.page.wait_for_timeout(300)
    cell.get_by_role("button", name="Copy", exact=True).click()
    cell.get_by_text("copied").wait_for()
    return str(lab.page.evaluate("() => navigator.clipboard.readText()"))


@pytest.mark.thorough
def test_a_model_is_copied_downloaded_and_saved_as_it_is(lab: Lab, tmp_path: Path) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    show(lab)
    box = lab.cell(1).get_by_label("m2, number", exact=True)
    box.fill("7.25")
    box.press("Enter")
    lab.cell(1).get_by_role("tab", name="Model").click()
    expected = mb.library.three_body_arm().with_values(m2=7.25)
    area = lab.cell(1).get_by_label("The model as text")
    for _ in range(100):
        if "7.25" in area.input_value():
            break
        lab.page.wait_for_timeout(100)

    (tmp_path / "copied.json").write_text(text_in(lab, lab.cell(1), "JSON"), encoding="utf-8")
    assert mb.load(tmp_path / "copied.json") == expected
    code = text_in(lab, lab.cell(1), "Python")
    space: dict[str, Any] = {}
    exec(compile(code, "model", "exec"), space)  # noqa: S102
    assert expected in [value for value in space.values() if isinstance(value, mb.Model)]

    lab.cell(1).get_by_role("button", name="JSON", exact=True).click()
    lab.page.wait_for_timeout(300)
    with lab.page.expect_download() as download:
        lab.cell(1).get_by_role("button", name="Download", exact=True).click()
    assert download.value.suggested_filename == "three-body-arm.json"
    download.value.save_as(tmp_path / "downloaded.json")
    assert mb.load(tmp_path / "downloaded.json") == expected

    lab.cell(1).get_by_label("Path of the file").fill(str(tmp_path / "saved.json"))
    lab.cell(1).get_by_role("button", name="Save", exact=True).click()
    lab.cell(1).get_by_text("saved as").wait_for()
    assert mb.load(tmp_path / "saved.json") == expected
    assert json.loads((tmp_path / "saved.json").read_text())["name"] == "three-body arm"
    assert lab.errors == []


TRAILS = """async (manager, id) => {
    const scene = (await manager.get_model(id)).obj;
    return scene.children.filter((item) => item.type === "Line" && item.visible)
        .map((line) => line.geometry.attributes.position.array)
        .map((array) => [array.length, ...array.slice(0, 3)]);
}"""
# Where the camera stands, and where it looks.
CAMERA = """async (manager, id) => {
    const camera = (await manager.get_model(id)).obj;
    return [...camera.position.toArray(), camera.getWorldDirection(camera.position.clone()).toArray()];
}"""


@pytest.mark.thorough
def test_trails_and_standard_views_are_drawn(lab: Lab) -> None:
    show(lab)
    scene, camera = lab.python("print(view.picture.stage.scene.model_id, view.picture.stage.camera.model_id)").split()
    ((length, *first),) = lab.widgets(TRAILS, scene)
    point = "view.motion.point(2, view.model.bodies[2].com).position[0]"
    place = json.loads(lab.python(f"print(list(map(float, {point})))"))
    assert length == 3 * 601
    assert first == pytest.approx(place, abs=1e-5)
    lab.cell(1).get_by_role("button", name="trail").click()
    lab.page.wait_for_timeout(800)
    assert lab.widgets(TRAILS, scene) == []

    # from the side where the arm's pins and forces are seen
    turned = float(lab.python("print(view.picture.stage.setting.turned)"))
    assert turned != 0
    aside, above = math.radians(30) + turned, math.radians(18)
    directions = {
        "front": (0, -1, 0),
        "back": (0, 1, 0),
        "left": (-1, 0, 0),
        "right": (1, 0, 0),
        "top": (0, 0, 1),
        "iso": (math.sin(aside) * math.cos(above), -math.cos(aside) * math.cos(above), math.sin(above)),
    }
    menu = lab.cell(1).get_by_role("combobox", name="view")
    assert menu.locator("option").all_inner_texts() == list(VIEWS)
    assert set(directions) == set(VIEWS)
    canvas = lab.page.locator("canvas").first
    pictures = []
    for name, direction in directions.items():
        menu.select_option(name)
        lab.page.wait_for_timeout(600)
        *place, ahead = lab.widgets(CAMERA, camera)
        target = json.loads(lab.python("print(list(map(float, view.picture.stage.orbit.target)))"))
        seen = [x - y for x, y in zip(place, target, strict=True)]
        size = sum(x * x for x in seen) ** 0.5
        assert [x / size for x in seen] == pytest.approx(direction, abs=0.01), name
        assert ahead == pytest.approx([-x for x in direction], abs=0.01), f"{name}: it looks elsewhere"
        pictures.append(lab.pixels(canvas))
    for (a, one), (b, other) in itertools.combinations(zip(directions, pictures, strict=True), 2):
        assert (abs(one - other).max(axis=2) > 0.1).mean() > 0.01, f"{a} and {b} look alike"
    assert lab.errors == []
