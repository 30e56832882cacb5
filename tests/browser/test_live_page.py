"""Exported pages that think: every slider is answered there, with the bits of the core, and without network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.numeric.motion.pressure_spectrum import spectrum_of
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.scene.page.player import packed_poses
from mbwidgets.scene.stage.composition import ghost_parts
from mbwidgets.widgets.edit.places import editable_places
from mbwidgets.widgets.parts.model_panel import ModelPanel
from tests.browser.conftest import SCREENSHOTS
from tests.browser.lab import Lab
from tests.browser.test_export import Opened
from tests.browser.test_live_views import SETTLED

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
    const models = await Promise.all([...window.mbwidgets.models.values()]);
    const lives = models.map((model) => model.get("_live")).filter(Boolean);
    while (!lives.every((live) => live.isIdle())) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
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


@pytest.fixture(scope="module")
def long_open(browser: Browser, arm: tuple[Any, Path]) -> Iterator[Opened]:
    opened = Opened(browser, arm[1])
    yield opened
    opened.context.close()


@pytest.fixture
def reset_page(long_open: Opened, arm: tuple[Any, Path]) -> Opened:
    """A page in which others have moved sliders, and nothing else; they stand as at first."""
    long_open.page.get_by_role("button", name="reset", exact=True).click()
    assert long_open.page.evaluate(SETTLED, arm[0].controls.model_id)
    assert (long_open.requests, long_open.errors) == ([arm[1].as_uri()], [])
    return long_open


def poses_of(model: Any) -> np.ndarray:
    motion = mb.simulate(model, duration=2, rate=30)
    return packed_poses(*motion.poses).astype(np.float32)


def test_a_page_has_all_its_sliders_alive_in_two_megabytes(reset_page: Opened, arm: tuple[Any, Path]) -> None:
    sliders = reset_page.page.evaluate(ALIVE)
    assert len(sliders) >= 28
    assert [name for name, dead in sliders if dead] == ["g_z"]  # −g: it follows from a parameter
    assert arm[1].stat().st_size < 2e6


@pytest.mark.parametrize(
    ("group", "label", "value"),
    [("Parameters", "m2", 8.25), ("Mass and inertia", "J_x", 0.125), ("Joint", "elevation of e", 35.0)],
)
def test_a_slider_of_a_page_shows_the_bits_that_the_core_computes(
    reset_page: Opened, arm: tuple[Any, Path], group: str, label: str, value: float
) -> None:
    view, page = arm[0], reset_page
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


# each alone goes half of the way that both go
ONE_ALONE: Final = [pytest.param(name, marks=pytest.mark.thorough) for name in ("WebAssembly", "workers")]


@pytest.mark.parametrize("what", [*ONE_ALONE, "both"])
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


def test_undo_redo_and_reset_go_through_the_values_of_a_page(reset_page: Opened, arm: tuple[Any, Path]) -> None:
    view, page, sheet = arm[0], reset_page, reset_page.page
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


STAGE: Final = """async ([player, camera, orbit]) => {
    const find = (id) => window.mbwidgets.get_model(id);
    const [shown, eye, turning] = await Promise.all([player, camera, orbit].map(find));
    const { ground, radius } = shown.get("scenery");
    return { place: eye.obj.position.toArray(), target: turning.obj.target.toArray(), height: ground.height, radius };
}"""


def test_fit_turns_the_camera_of_a_page_to_what_its_sliders_have_made(page: Opened, arm: tuple[Any, Path]) -> None:
    sheet, stage = page.page, arm[0].picture.stage
    ids = [arm[0].picture.player.model_id, stage.camera.model_id, stage.orbit.model_id]
    before = sheet.evaluate(STAGE, ids)
    sheet.evaluate(MOVE, [ids[0], "Parameters", "l2", 1.17])
    other = mb.Explorer(arm[0].model.with_values(l2=1.17), duration=2, rate=30, time=0, selected="fore").picture.stage
    page.until(lambda: sheet.evaluate(STAGE, ids)["height"] < before["height"], "a lower floor")
    sheet.get_by_role("button", name="fit", exact=True).click()
    page.until(lambda: sheet.evaluate(STAGE, ids)["radius"] > 1.2 * before["radius"], "a wider stage")
    found = sheet.evaluate(STAGE, ids)
    page.shot("live-fit")
    # the page keeps its side
    other.furnish(replace(other.setting, turned=stage.setting.turned))
    # shapes of the page are stretched, not made anew: parts are as long, and some of them not as thick, as Python's
    near = 0.03 * other.radius
    assert found["radius"] == pytest.approx(other.radius, abs=near)
    assert found["height"] == pytest.approx(other.setting.floor, abs=near)
    assert found["target"] == pytest.approx(other.target_of("iso"), abs=near)
    sight = np.subtract(other.place_of("iso"), other.target_of("iso"))
    assert np.subtract(found["place"], found["target"]) == pytest.approx(sight, abs=0.05 * np.linalg.norm(sight))
    far = np.linalg.norm(np.subtract(found["place"], found["target"]))
    assert far == pytest.approx(np.linalg.norm(np.subtract(other.place_of("iso"), other.target_of("iso"))), rel=0.03)
    sheet.get_by_label("view").select_option("front")
    page.until(lambda: sheet.evaluate(STAGE, ids)["place"] != found["place"], "another view")
    assert sheet.evaluate(STAGE, ids)["radius"] == found["radius"]


GROUND: Final = """async (id) => {
    const player = await window.mbwidgets.get_model(id);
    const groups = await Promise.all(player.get("grounds").map((name) =>
        window.mbwidgets.get_model(name.replace("IPY_MODEL_", ""))));
    return groups.map(({ obj }) => {
        const { position, index } = [...obj.children].find((item) => item.geometry).geometry.attributes;
        const [sum, used] = [[0, 0, 0], new Set(obj.children[0].geometry.index.array)];
        for (const k of used) for (let j = 0; j < 3; j++) sum[j] += position.array[3 * k + j] / used.size;
        return sum;
    });
}"""


def test_what_carries_a_mechanism_goes_where_its_joint_on_the_ground_goes(page: Opened, arm: tuple[Any, Path]) -> None:
    sheet, player = page.page, arm[0].picture.player.model_id
    sheet.locator(".widget-dropdown select").first.select_option("base")
    before = np.array(sheet.evaluate(GROUND, player))
    sheet.evaluate(MOVE, [player, "Joint", "r_x", 0.3])
    carrier, joint = np.array(sheet.evaluate(GROUND, player)) - before
    assert joint == pytest.approx([0.3, 0.0, 0.0], abs=1e-6)  # float32
    assert carrier == pytest.approx([0.3, 0.0, 0.0], abs=1e-6)


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    view = mb.Explorer(mb.library.pendulum(2), duration=25, time=0)
    return view, view.to_html(tmp_path_factory.mktemp("page") / "pendulum.html")


def test_a_page_says_and_shades_until_when_a_chaotic_motion_is_known(
    browser: Browser, pendulum: tuple[Any, Path]
) -> None:
    view, path = pendulum
    opened = Opened(browser, path)
    sheet = opened.page
    known = f"known until t = {view.motion.horizon:g} s: beyond it one possible motion"
    opened.until(lambda: known in sheet.evaluate(HEALTH), "the horizon of the motion that was stored")
    sheet.get_by_role("tab", name="Plots").click()
    assert sheet.locator(".mbw-plot .mbw-unknown").count() == 1
    assert sheet.locator(".mbw-timeline .mbw-uncertain").count() == 1
    opened.shot("live-horizon")
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "phi0", 0.3])
    assert "known until" not in sheet.evaluate(HEALTH)
    sheet.wait_for_timeout(1500)  # it is computed at rest, and all of this motion is known
    assert "known until" not in sheet.evaluate(HEALTH)
    assert sheet.locator(".mbw-unknown, .mbw-uncertain").count() == 0
    assert opened.errors == []
    opened.context.close()


def test_trails_theme_sizes_and_scope_answer_in_a_page(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    player = view.picture.player.model_id
    sheet.evaluate("async (id) => { (await window.mbwidgets.get_model(id)).set('time', 1.5); }", player)
    light = page.pixels().mean()
    sheet.get_by_role("button", name="◐").click()
    page.until(lambda: page.pixels().mean() < 0.5 * light, "a dark stage")
    sheet.get_by_role("button", name="◐").click()
    page.until(lambda: page.pixels().mean() > 0.9 * light, "a light stage")
    lengths = "async (id) => (await window.mbwidgets.get_model(id)).get('_overlay')?.lengths ?? [0, 0]"
    sheet.get_by_label("arrows", exact=True).select_option("2 ×")
    page.until(lambda: sheet.evaluate(lengths, player)[1] == 2 * view.picture.player.lengths[1], "longer arrows")
    plain = page.pixels()
    sheet.get_by_role("button", name="trace").click()
    traces = "async (id) => (await window.mbwidgets.get_model(id)).get('traces').length"
    page.until(lambda: sheet.evaluate(traces, player) > 0, "the trace of a force")
    page.until(lambda: bool((abs(page.pixels() - plain) > 0.2).any()), "the trace in the picture")
    rows = sheet.locator(".mbw-readout tbody tr")
    one = rows.count()
    sheet.get_by_label("of", exact=True).select_option("all bodies")
    page.until(lambda: rows.count() > one, "vectors of the others")
    assert "Vectors of all bodies" in sheet.locator(".mbw-readout").inner_text()
    page.shot("live-looks")


def test_the_ellipsoid_of_a_page_is_that_of_the_chosen_body(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    look = """async (id) => {
        const { obj } = await window.mbwidgets.get_model(id);
        return obj.visible ? [obj.parent.children.length, ...obj.children[0].scale.toArray()] : [];
    }"""
    ellipsoid = view.picture.ellipsoid.model_id
    # where forces are drawn it would be in their way
    assert not sheet.evaluate(look, ellipsoid)
    choose = """async ([id, keys]) => {
        const table = await window.mbwidgets.get_model(id);
        table.set("chosen", keys);
    }"""
    sheet.evaluate(choose, [view.readout.model_id, ["angular velocity"]])
    before = sheet.evaluate(look, ellipsoid)
    for name in ("upper", "base"):
        sheet.locator(".widget-dropdown select").first.select_option(name)
        page.until(lambda before=before: sheet.evaluate(look, ellipsoid) != before, f"the ellipsoid of {name}")
        (expected,) = ghost_parts(view.model, view.model.index(name), view.picture.stage.size)
        assert sheet.evaluate(look, ellipsoid)[1:] == pytest.approx(expected.scale)
    # it follows the inertia
    place = next(place for place in editable_places(view.model, 0, 1.0) if place.key == "inertia 0 00")
    wanted = 0.8 * place.read(view.model)
    sheet.evaluate(
        """([label, value]) => {
            const fold = [...document.querySelectorAll(".mbw-controls details")]
                .find((node) => node.firstChild.textContent === "Mass and inertia");
            fold.open = true;
            const range = [...fold.querySelectorAll("input[type=range]")]
                .find((node) => node.getAttribute("aria-label") === label);
            range.step = "any";
            range.value = value;
            for (const kind of ["input", "change"]) range.dispatchEvent(new Event(kind, { bubbles: true }));
        }""",
        [place.title, wanted],
    )
    assert sheet.evaluate(SETTLED, view.controls.model_id)
    (expected,) = ghost_parts(place.write(view.model, wanted), 0, view.picture.stage.size)
    assert sorted(sheet.evaluate(look, ellipsoid)[1:]) == pytest.approx(sorted(expected.scale), rel=1e-6)


def test_spectra_of_a_page_follow_its_sliders(browser: Browser, pendulum: tuple[Any, Path]) -> None:
    view, path = pendulum
    page = Opened(browser, path)
    sheet = page.page
    sheet.get_by_role("tab", name="Plots").click()
    sheet.get_by_label("plot").select_option("Spectrum of the reaction force")
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m", 1.25])
    motion = mb.simulate(view.model.with_values(m=1.25), duration=25, rate=view.rate)
    curves = """async (id) => {
        const { times, values, note } = (await window.mbwidgets.get_model(id)).get("_overlay") ?? { times: [] };
        return { times: [...times], values: [...(values ?? [])], note };
    }"""
    page.until(lambda: bool(sheet.evaluate(curves, view.plot.model_id)["times"]), "a spectrum")
    found = sheet.evaluate(curves, view.plot.model_id)
    page.context.close()
    expected = spectrum_of("rod 2", motion.t, motion.reactions("rod 2"), [])
    shown = np.reshape(found["values"], (-1, 4))
    np.testing.assert_allclose(found["times"], expected.frequency, rtol=1e-6)
    np.testing.assert_allclose(shown[:, 3], expected.force, rtol=0, atol=1e-6 * expected.force.max())  # float32


@pytest.mark.thorough
def test_efforts_given_in_python_are_told_where_the_page_cannot_answer(lab: Lab) -> None:
    lab.open_cells("import mbwidgets as mb", "view = mb.Explorer(mb.library.six_axis_arm(), duration=1); view")
    lab.run_all()
    words = lab.python("print(view.page_solver.note)")
    assert (words == "") == (lab.python("print(view.motion.efforts is None)") == "True")
    lab.python("view.motion = mb.simulate(view.model, tau=lambda t, q, u: [0.1] + 5 * [0.0], duration=1)")
    lab.page.get_by_text("only Python computes their motion").wait_for()


def test_the_model_and_its_motion_are_saved_from_a_page_as_its_sliders_have_made_them(
    page: Opened, arm: tuple[Any, Path], tmp_path: Path
) -> None:
    view, sheet = arm[0], page.page
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Parameters", "m2", 8.25])
    sheet.evaluate(MOVE, [view.picture.player.model_id, "Mass and inertia", "J_x", 0.03])
    sheet.get_by_role("tab", name="Model").click()
    moved = view.model.with_values(m2=8.25)
    place = next(item for item in editable_places(moved, view.index, model_size(moved)) if item.title == "J_x")
    moved = place.write(moved, 0.03)
    expected = ModelPanel.state_of(moved)["json"]
    area = sheet.get_by_label("The model as text")
    page.until(lambda: area.input_value() == expected, "the file of the moved model")
    assert not sheet.get_by_label("Path of the file").is_visible()  # there is no kernel to save it for
    saved = {}
    for name in ("Download", "CSV"):
        with sheet.expect_download() as found:
            sheet.get_by_role("button", name=name, exact=True).click()
        saved[found.value.suggested_filename] = Path(found.value.path()).read_bytes()
    assert list(saved) == ["three-body-arm.json", "three-body-arm.csv"]
    assert saved["three-body-arm.json"].decode() == expected
    table = mb.export.csv(mb.simulate(moved, duration=2, rate=30), tmp_path / "motion.csv")
    assert saved["three-body-arm.csv"] == table.read_bytes()
    sheet.get_by_role("button", name="Python", exact=True).click()
    assert "model = model.with_values(m2=8.25)" in area.input_value()


def test_formulae_of_a_page_link_nowhere_and_run_nothing(reset_page: Opened) -> None:
    typeset = """async () => {
        const node = document.body.appendChild(document.createElement("p"));
        node.textContent = String.raw`\\(\\href{javascript:alert(1)}{x} + \\frac{a}{b}\\)`;
        await MathJax.typesetPromise([node]);
        return node.innerHTML;
    }"""
    found = reset_page.page.evaluate(typeset)
    assert "<svg" in found
    assert "javascript:" not in found


def test_numbers_beneath_a_formula_follow_the_sliders_and_the_time(page: Opened, arm: tuple[Any, Path]) -> None:
    view, sheet = arm[0], page.page
    player = view.picture.player.model_id
    sheet.get_by_label("formula").select_option(label="Potential\u00a0energy")
    shown = sheet.locator(".mbw-values b")
    page.until(lambda: shown.count() == 2 and shown.last.inner_text() not in ("", "…"), "a number")
    sheet.evaluate(MOVE, [player, "Parameters", "m2", 8.25])
    sheet.evaluate("async (id) => { (await window.mbwidgets.get_model(id)).set('time', 1.5); }", player)
    motion = mb.simulate(view.model.with_values(m2=8.25), duration=2, rate=30)
    k = motion.index(1.5)
    page.until(lambda: shown.first.inner_text() == f"{motion.t[k]:.3f}", "the time")
    number = float(shown.last.inner_text().replace("−", "-"))
    assert number == pytest.approx(float(motion.energy.potential[k]), rel=1e-5)  # six digits are shown
    assert re.search(r"kernel − formula \de−1[5-7]", sheet.evaluate(HEALTH))
    # a number that is no parameter stands in the formula as it was
    sheet.evaluate(MOVE, [player, "Mass and inertia", "J_x", 0.03])
    page.until(lambda: shown.last.inner_text() == "…", "no number")
    assert "kernel − formula" not in sheet.evaluate(HEALTH)


def test_a_page_shows_the_whole_motion_at_once_and_leaves_no_ghost_of_its_thinner_one(
    browser: Browser, tmp_path: Path
) -> None:
    view = mb.Explorer(mb.library.four_bar(), time=0)
    opened = Opened(browser, view.to_html(tmp_path / "whole.html"))
    frames = """async (id) => {
        const player = await window.mbwidgets.get_model(id);
        const stored = player.get("times").byteLength / 4;
        return [stored, player.get("_overlay")?.times.length ?? 0, [...(player.get("_overlay")?.poses ?? [])]];
    }"""
    said = opened.page.evaluate(HEALTH)
    player = view.picture.player.model_id
    opened.until(lambda: opened.page.evaluate(frames, player)[1] == len(view.motion), "all frames")
    stored, _, poses = opened.page.evaluate(frames, player)
    assert stored < len(view.motion)
    expected = packed_poses(*view.motion.poses).astype(np.float32)
    assert (np.array(poses, dtype=np.float32).reshape(expected.shape) == expected).all()
    assert opened.page.evaluate(HEALTH) == said
    assert opened.page.locator(".mbw-curve-before").count() == 0
    opened.page.screenshot(path=SCREENSHOTS / "live-whole.png")
    opened.context.close()
    view.close()
    assert opened.errors == []


@pytest.mark.thorough
def test_the_stage_of_a_page_turns_with_gravity(page: Opened, arm: tuple[Any, Path]) -> None:
    view, _ = arm
    told = view.picture.player.model_id
    turn = """async ([id, value, label]) => {
        const player = await window.mbwidgets.get_model(id);
        const scene = await window.mbwidgets.get_model(player.get("scene").replace("IPY_MODEL_", ""));
        const fold = [...document.querySelectorAll(".mbw-controls details")]
            .find((node) => node.firstChild.textContent === "Gravity");
        const range = [...fold.querySelectorAll("input[type=range]")]
            .find((node) => node.getAttribute("aria-label") === label);
        range.step = "any";
        range.value = value;
        for (const kind of ["input", "change"]) range.dispatchEvent(new Event(kind, { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 1500));
        const way = scene.obj.position.clone().set(value, 0, -9.81).applyQuaternion(scene.obj.quaternion);
        return [...way.toArray(), Boolean(player.get("scenery").ground)];
    }"""
    right, away, up, floor = page.page.evaluate(turn, [told, 9.81, "g_x"])
    assert [right, away] == pytest.approx([0, 0], abs=1e-6)
    assert up == pytest.approx(-9.81 * np.sqrt(2)), "it points down"
    assert not floor, "the floor was across the old one"
    *level, floor = page.page.evaluate(turn, [told, 0.0, "g_x"])
    assert level == pytest.approx([0, 0, -9.81], abs=1e-6)
    assert floor
    assert page.errors == []
