"""Exported pages that think: every slider is answered there, with the bits of the core, and without network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.scene.page.player import packed_poses
from mbwidgets.widgets.edit.places import editable_places
from tests.browser.conftest import SCREENSHOTS
from tests.browser.test_export import Opened

# Move a slider as a hand does, wait for the picture, and tell what it shows.
MOVE: Final = """async ([id, group, label, value]) => {
    const player = await window.mbwidgets.get_model(id);
    const fold = [...document.querySelectorAll(".mbw-controls details")]
        .find((node) => node.firstChild.textContent === group);
    fold.open = true;
    const range = [...fold.querySelectorAll("input[type=range]")]
        .find((node) => node.getAttribute("aria-label") === label);
    range.step = "any";
    range.value = value;
    const shown = new Promise((resolve, reject) => {
        setTimeout(reject, 5000, `${label} moved nothing`);
        player.once("change:version", resolve);
    });
    range.dispatchEvent(new Event("input", { bubbles: true }));
    range.dispatchEvent(new Event("change", { bubbles: true }));
    await shown;
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { poses, times } = player.get("_overlay");
    return { poses: [...poses], times: [...times], value: range.value };
}"""
ALIVE: Final = """() => [...document.querySelectorAll(".mbw-controls input[type=range]")]
    .map((node) => [node.getAttribute("aria-label"), node.disabled])"""
HEALTH: Final = """() => [...document.querySelectorAll("[role=status]")].map((node) => node.textContent).join(" ")"""


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    view = mb.Explorer(mb.library.three_body_arm(), duration=2, rate=30, time=0, selected="fore")
    return view, view.to_html(tmp_path_factory.mktemp("page") / "arm.html")


@pytest.fixture
def page(browser: Browser, arm: tuple[Any, Path]) -> Iterator[Opened]:
    opened = Opened(browser, arm[1])
    yield opened
    assert opened.requests == [arm[1].as_uri()]
    assert opened.errors == []
    opened.context.close()


def poses_of(model: Any) -> np.ndarray:
    motion = mb.simulate(model, duration=2, rate=30)
    return packed_poses(*motion.poses).astype(np.float32)


def test_a_page_has_all_its_sliders_alive_in_two_megabytes(page: Opened, arm: tuple[Any, Path]) -> None:
    sliders = page.page.evaluate(ALIVE)
    assert len(sliders) >= 28
    assert [name for name, dead in sliders if dead] == ["g_z"]  # −g: it follows from a parameter
    assert arm[1].stat().st_size < 2e6


@pytest.mark.parametrize(
    ("group", "label", "value"),
    [("Parameters", "m2", 8.25), ("Mass and inertia", "J_x", 0.125), ("Joint", "elevation of e", 35.0)],
)
def test_a_slider_of_a_page_shows_the_bits_that_the_core_computes(
    page: Opened, arm: tuple[Any, Path], group: str, label: str, value: float
) -> None:
    view = arm[0]
    found = page.page.evaluate(MOVE, [view.picture.player.model_id, group, label, value])
    places = editable_places(view.model, view.index, model_size(view.model))
    place = next(place for place in places if (place.group, place.title) == (group, label))
    expected = poses_of(place.write(view.model, value))
    assert (np.array(found["poses"], dtype=np.float32).reshape(expected.shape) == expected).all()
    assert "sound" in page.page.evaluate(HEALTH)
    page.page.screenshot(path=SCREENSHOTS / f"live-page-{label.split()[0]}.png")


FORBIDDING: Final = {
    "WebAssembly": lambda text: text.replace(" 'wasm-unsafe-eval'", "", 1),
    "workers": lambda text: text.replace("worker-src blob:", "worker-src 'none'", 1),
    "both": lambda text: text.replace(" 'wasm-unsafe-eval'", "", 1).replace("worker-src blob:", "worker-src 'none'", 1),
}


@pytest.mark.parametrize("what", FORBIDDING)
def test_a_page_whose_policy_forbids(what: str, browser: Browser, arm: tuple[Any, Path], tmp_path: Path) -> None:
    """Solves all the same, to the same bits."""
    view, path = arm
    text = path.read_text(encoding="utf-8")
    strict = FORBIDDING[what](text)
    assert strict != text
    (tmp_path / "strict.html").write_text(strict, encoding="utf-8")
    opened = Opened(browser, tmp_path / "strict.html")
    found = opened.page.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m2", 8.25])
    opened.context.close()
    expected = poses_of(view.model.with_values(m2=8.25))
    assert (np.array(found["poses"], dtype=np.float32).reshape(expected.shape) == expected).all()


def test_a_page_lives_in_the_frame_of_a_course_platform(
    browser: Browser, arm: tuple[Any, Path], tmp_path: Path
) -> None:
    """With scripts alone: no storage, no origin of its own, nothing of the page around it."""
    view, path = arm
    frame = f'<iframe sandbox="allow-scripts" style="width:100%;height:1100px" src="{path.as_uri()}"></iframe>'
    (tmp_path / "course.html").write_text(f"<!DOCTYPE html><title>course</title>{frame}", encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 1150})
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.goto((tmp_path / "course.html").as_uri())
    inside = page.frames[1]
    inside.locator("html[data-ready=yes]").wait_for(timeout=30_000)
    found = inside.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m2", 8.25])
    context.close()
    expected = poses_of(view.model.with_values(m2=8.25))
    assert (np.array(found["poses"], dtype=np.float32).reshape(expected.shape) == expected).all()
    assert errors == []


def test_another_body_of_a_page_has_its_own_sliders_vectors_and_curves(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    sheet.locator(".widget-dropdown select").first.select_option("upper")
    found = sheet.evaluate(MOVE, [view.picture.player.model_id, "Mass and inertia", "J_y", 0.05])
    index = view.model.index("upper")
    place = next(item for item in editable_places(view.model, index, model_size(view.model)) if item.title == "J_y")
    moved = place.write(view.model, 0.05)
    expected = poses_of(moved)
    assert (np.array(found["poses"], dtype=np.float32).reshape(expected.shape) == expected).all()
    motion = mb.simulate(moved, duration=2, rate=30)
    force = f"{np.linalg.norm(motion.reactions('upper')[0, :3]):.4g}"
    row = sheet.locator(".mbw-readout tbody tr", has_text="reaction force")
    assert force in row.inner_text().replace("−", "-")
    sheet.get_by_role("tab", name="Plots").click()
    sheet.get_by_label("plot").select_option("Energies")
    page.until(lambda: "kinetic T" in sheet.locator(".mbw-legend").inner_text(), "the energies")
    total = f"{float(motion.energy.kinetic[0]):.4g}"
    page.until(lambda: total in sheet.locator(".mbw-legend").inner_text(), "their values")


def test_undo_redo_and_reset_go_through_the_values_of_a_page(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m2", 8.25])
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "l2", 0.75])
    box = {name: sheet.get_by_label(f"{name}, number", exact=True) for name in ("m2", "l2")}

    def shows(m2: str, l2: str) -> bool:
        return (box["m2"].input_value(), box["l2"].input_value()) == (m2, l2)

    for button, values in (("↶", ("8.25", "0.6")), ("↶", ("5", "0.6")), ("↷", ("8.25", "0.6"))):
        sheet.get_by_role("button", name=button, exact=True).click()
        page.until(lambda values=values: shows(*values), f"{button} to {values}")
    sheet.get_by_role("button", name="reset", exact=True).click()
    page.until(lambda: shows("5", "0.6"), "the values of the beginning")


def test_what_python_refuses_a_page_refuses_and_the_next_move_works(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    sheet.get_by_text("Mass and inertia").click()
    box = sheet.get_by_label("J_x, number", exact=True)
    box.fill("oops")
    box.press("Enter")
    assert "oops" in sheet.locator(".mbw-controls").inner_text()
    found = sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m3", 4.5])
    expected = poses_of(view.model.with_values(m3=4.5))
    assert (np.array(found["poses"], dtype=np.float32).reshape(expected.shape) == expected).all()
