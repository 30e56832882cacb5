"""Exported pages from file://, with the network cut: they draw, play, scrub, and their sliders answer rightly."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib.image
import nbformat
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Request, ViewportSize

import mbwidgets as mb
from mbwidgets.export.page.record import choose_axes
from tests.browser.conftest import SCREENSHOTS

STEP = 1e-6
"""Of a range: half a step of 24 bits is 3e-8 of it, and float32 keeps seven digits."""
STATE = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    const floats = (name) => Array.from(new Float32Array(player.get(name).buffer));
    const one = (item) => window.mbwidgets.get_model(item.replace("IPY_MODEL_", ""));
    const bodies = await Promise.all(player.get("bodies").map(one));
    return { times: floats("times"), poses: floats("poses"), vectors: floats("vectors"), time: player.get("time"),
        bodies: bodies.map(({ obj }) => [...obj.position.toArray(), ...obj.quaternion.toArray()]) };
}"""


SCREEN: ViewportSize = {"width": 1280, "height": 1150}


class Opened:
    """A page from a file, and all that it asked for or complained of."""

    def __init__(self, browser: Browser, path: Path, size: ViewportSize = SCREEN) -> None:
        self.context = browser.new_context(offline=True, viewport=size)
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.page.on("request", self._asked)
        self.page.on("console", lambda m: m.type == "error" and self.errors.append(m.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(path.as_uri())
        self.page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
        self.page.locator("canvas").first.wait_for()

    def _asked(self, request: Request) -> None:
        # a blob is made in the page and stays there
        if not request.url.startswith(("blob:", "data:")):
            self.requests.append(request.url)

    def state(self, player: str) -> dict[str, Any]:
        return self.page.evaluate(STATE, player)

    def pixels(self) -> np.ndarray:
        return matplotlib.image.imread(io.BytesIO(self.page.locator("canvas").first.screenshot()))[..., :3]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        for _ in range(200):
            if condition():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"waited in vain for {what}; {self.errors}")

    def shot(self, name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"export-{name}.png", full_page=True)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    view = mb.Explorer(mb.library.three_body_arm(), selected="fore", vectors=("axis", "force", "moment"))
    path = view.to_html(tmp_path_factory.mktemp("export") / "arm.html", sliders={"m2": 4, "l2": 3, "m3": 3})
    yield view, path
    view.close()


@pytest.fixture
def opened(browser: Browser, exported: tuple[Any, Path]) -> Iterator[Opened]:
    page = Opened(browser, exported[1])
    yield page
    page.context.close()


@pytest.mark.thorough
def test_a_page_from_a_disk_draws_plays_and_scrubs_without_a_request(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    player = exported[0].picture.player.model_id
    page = opened.page
    first = opened.pixels()
    assert first.std() > 0.02, "an empty picture"
    assert page.locator("mjx-container svg").count() > 0, "the formula is not typeset"
    opened.shot("start")
    page.get_by_role("button", name="Play", exact=True).click()
    opened.until(lambda: opened.state(player)["time"] > 0.5, "time to pass")
    page.get_by_role("button", name="Pause", exact=True).click()
    assert np.abs(opened.pixels() - first).mean() > 1e-3, "nothing moved"
    scrub = page.get_by_role("slider", name="Time")
    scrub.fill("4")
    opened.until(lambda: abs(opened.state(player)["time"] - 4) < 1e-4, "the scrubbed time")
    state = opened.state(player)
    motion = exported[0].motion
    places, _ = motion.poses
    shown = np.array(state["bodies"])
    assert np.allclose(shown[:, :3], places[240], rtol=0, atol=STEP * np.ptp(places))
    page.get_by_role("tab", name="Plots").click()
    page.locator(".mbw-plot").wait_for()
    before = page.locator(".mbw-cursor").get_attribute("x1")
    scrub.fill("6")
    opened.until(lambda: page.locator(".mbw-cursor").get_attribute("x1") != before, "the plot's cursor")
    opened.shot("plots")
    assert [re.sub(r".*/", "", url) for url in opened.requests] == ["arm.html"]
    assert opened.errors == []


def test_sliders_of_a_page_show_what_the_core_computes(opened: Opened, exported: tuple[Any, Path]) -> None:
    view = exported[0]
    player, page = view.picture.player.model_id, opened.page
    chosen = {}
    for name, keys in (("m2", ["ArrowRight", "ArrowRight"]), ("l2", ["End"]), ("m3", ["End"])):
        slider = page.get_by_role("slider", name=name, exact=True)
        before = opened.state(player)["poses"]
        for key in keys:
            slider.press(key)
        opened.until(lambda before=before: opened.state(player)["poses"] != before, f"{name} to change the motion")
        page.wait_for_timeout(300)
        chosen[name] = float(slider.input_value())
        assert page.get_by_label(f"{name}, number").input_value() == f"{chosen[name]:g}"
    assert chosen["m2"] > 5
    assert chosen["m3"] > 3
    model = view.model.with_values(**chosen)
    motion = mb.simulate(model)
    state = opened.state(player)
    frames = len(state["times"])
    assert np.allclose(state["times"], motion.t[::2], atol=1e-5)
    vectors = np.reshape(state["vectors"], (frames, 3, 6))
    force = motion.reactions("fore")[::2, :3]
    assert np.allclose(vectors[:, 1, 3:], force, rtol=0, atol=STEP * np.ptp(force))
    places, _ = motion.poses
    poses = np.reshape(state["poses"], (frames, 3, 7))
    assert np.allclose(poses[:, :, :3], places[::2], rtol=0, atol=STEP * np.ptp(places))
    page.get_by_role("slider", name="Time").fill("2")
    row = page.locator(".mbw-readout tbody tr", has_text="reaction force")
    shown = [float(text.replace("−", "-")) for text in row.locator(".mbw-number").all_inner_texts()]
    assert shown[:3] == pytest.approx(force[60], rel=2e-3, abs=1e-3 * np.abs(force).max())
    page.get_by_text("Choose vectors").click()
    page.get_by_label("Draw reaction moment").uncheck()
    lengths = page.evaluate("async (id) => (await window.mbwidgets.get_model(id)).get('lengths')", player)
    assert [length > 0 for length in lengths] == [True, True, False], "an arrow that is not wanted has no length"
    opened.shot("sliders")
    assert opened.errors == []


@pytest.mark.thorough
def test_a_number_between_two_values_goes_to_the_nearer_and_reset_goes_back(
    opened: Opened, exported: tuple[Any, Path]
) -> None:
    values = choose_axes(exported[0].model, {"m2": 4})[0].values
    box = opened.page.get_by_label("m2, number")
    box.fill("8.4")
    box.press("Enter")
    opened.until(lambda: box.input_value() not in ("8.4", "5"), "the nearer value")
    assert float(box.input_value()) == min(values, key=lambda value: abs(value - 8.4))
    opened.page.get_by_role("button", name="Reset m2").click()
    opened.until(lambda: box.input_value() == "5", "the way back")
    assert opened.errors == []


EYE = """async ([camera, orbit]) => {
    const [eye, turning] = await Promise.all([camera, orbit].map((id) => window.mbwidgets.get_model(id)));
    return [...eye.obj.position.toArray(), ...turning.obj.target.toArray()];
}"""


@pytest.mark.thorough
def test_the_camera_of_a_page_is_turned_back(opened: Opened, exported: tuple[Any, Path]) -> None:
    page, stage = opened.page, exported[0].picture.stage

    def eye() -> list[float]:
        return page.evaluate(EYE, [stage.camera.model_id, stage.orbit.model_id])

    start, first = eye(), opened.pixels()
    box = page.locator("canvas").first.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 420, box["y"] + 260, steps=4)
    page.mouse.up()
    page.mouse.wheel(0, 400)
    opened.until(lambda: np.abs(np.subtract(eye(), start)).max() > 0.1, "another place of the camera")
    page.get_by_role("button", name="fit").click()
    opened.until(lambda: np.allclose(eye(), start, atol=1e-6), "the camera's way back")
    opened.until(lambda: np.abs(opened.pixels() - first).mean() < 1e-3, "the picture as it was")
    page.get_by_label("view").select_option("front")
    opened.until(lambda: np.allclose(eye()[:3], stage.place_of("front"), atol=1e-6), "the view from the front")
    assert opened.errors == []


BARS = """() => [...document.querySelectorAll(".mbw-scale")].map((row) => ({
    text: row.textContent, size: parseFloat(getComputedStyle(row).fontSize), lit: row.matches(".mbw-scale-lit"),
    line: row.querySelector(".mbw-scale-line").getBoundingClientRect().width,
    box: [row.getBoundingClientRect().left, row.getBoundingClientRect().bottom] }))"""
SCALES = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    return player.get("quantities").map((key, k) => [key, player.get("lengths")[k]]);
}"""
RESCALE = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    player.set("lengths", player.get("lengths").map((length) => length / 2));
}"""


def test_the_scale_bars_of_a_page_are_true_and_lit_when_they_change(opened: Opened, exported: tuple[Any, Path]) -> None:
    page, picture = opened.page, exported[0].picture
    opened.until(lambda: len(page.evaluate(BARS)) == 2, "the bars of force and moment")
    canvas = page.locator("canvas").first.bounding_box()
    away = np.linalg.norm(np.subtract(picture.stage.camera.position, picture.stage.orbit.target))
    metre = canvas["height"] / (2 * away * np.tan(np.radians(picture.stage.camera.fov / 2)))
    scales = dict(page.evaluate(SCALES, picture.player.model_id))
    for key, bar in zip(("force", "moment"), page.evaluate(BARS), strict=True):
        value = float(re.match(r"[\d.]+", bar["text"])[0])
        # the page lays out elements in 64ths of a pixel
        assert bar["line"] == pytest.approx(value * scales[key] * metre, abs=0.05)
        assert bar["size"] >= 12
        assert not bar["lit"]
        # within the picture: the line about the motion's health is below it
        assert canvas["x"] < bar["box"][0] and bar["box"][1] < canvas["y"] + canvas["height"]  # noqa: PT018
    page.evaluate(RESCALE, picture.player.model_id)
    opened.until(lambda: all(bar["lit"] for bar in page.evaluate(BARS)), "the bars of another scale")
    assert opened.errors == []


ARM = """import mbwidgets as mb
m2 = mb.Parameter("m2", 5.0, min=1, max=9, unit="kg")
body = mb.Body("upper", joint=mb.Revolute("x"), mass=m2, com=(0, 0.3, 0), inertia=(0.1, 0.1, 0.1))
arm = mb.Model(name="swing", bodies=[body])"""
LECTURE = [
    ("markdown", "# A lecture\n\nWith $q^1$ in a line and\n\n$$a_{11} = \\frac{1}{3} m l^2$$"),
    ("code", ARM),
    ("code", "mb.covariant(arm).metric[0, 0]"),
    ("code", "mb.Explorer(arm, duration=2)"),
    ("code", "mb.Explorer(mb.library.rotor(), duration=1)"),
]


@pytest.mark.thorough
def test_a_whole_notebook_lives_without_a_kernel(browser: Browser, tmp_path: Path) -> None:
    make = {"markdown": nbformat.v4.new_markdown_cell, "code": nbformat.v4.new_code_cell}
    content = nbformat.v4.new_notebook(cells=[make[kind](source) for kind, source in LECTURE])
    nbformat.write(content, tmp_path / "lecture.ipynb")
    path = mb.export.notebook(tmp_path / "lecture.ipynb")
    assert not nbformat.read(tmp_path / "lecture.ipynb", as_version=4).cells[1].outputs, "the notebook is left alone"
    opened = Opened(browser, path)
    page = opened.page
    assert page.title() == "A lecture"
    assert page.locator("canvas").count() == 2
    assert page.locator(".text_cell_render mjx-container").count() == 2
    assert page.locator(".output_latex mjx-container").count() == 1
    assert page.get_by_text("mb.covariant(arm)").count() == 1
    assert page.locator(".mbw-view mjx-container").count() >= 2, "formulae of both views"
    answers = page.locator(".mbw-answers").all_inner_texts()
    assert len(answers) == 2
    assert all(text.startswith("Every slider answers here: the page solves the motion itself.") for text in answers)
    slider = page.get_by_role("slider", name="m2", exact=True)
    row = page.locator(".mbw-readout").first.locator("tbody tr", has_text="reaction force")
    before = row.inner_text()
    slider.press("End")
    opened.until(lambda: row.inner_text() != before, "another force")
    opened.shot("notebook")
    assert [re.sub(r".*/", "", url) for url in opened.requests] == ["lecture.html"]
    assert opened.errors == []
    opened.context.close()


@pytest.mark.thorough
def test_a_notebook_that_fails_is_refused_with_its_error(tmp_path: Path) -> None:
    content = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    nbformat.write(content, tmp_path / "broken.ipynb")
    with pytest.raises(mb.FileError, match="ZeroDivisionError"):
        mb.export.notebook(tmp_path / "broken.ipynb")
    (tmp_path / "text.ipynb").write_text("no notebook")
    with pytest.raises(mb.FileError, match="cannot be read as a notebook"):
        mb.export.notebook(tmp_path / "text.ipynb")
