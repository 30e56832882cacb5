"""The Explorer's life: other front ends, many at once, out of sight, and for those who do not see."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.lab import ELSEWHERE, PATIENCE, Lab, show_elsewhere
from tests.browser.test_explorer import IMPORT, SHOW, objects, show

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")


def use(page: Page) -> None:
    """Draw, move a slider, play: the page must follow."""
    page.locator("canvas").first.wait_for(timeout=PATIENCE)
    length = page.locator(".mbw-readout .mbw-number").nth(7)
    expect(length).not_to_have_text("", timeout=PATIENCE)
    before = length.inner_text()
    box = page.get_by_label("m3, number", exact=True)
    box.fill("9.5")
    box.press("Enter")
    expect(length).not_to_have_text(before, timeout=PATIENCE)
    expect(page.locator(".mbw-formulae mjx-container, .mbw-formulae .MathJax").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Play").first.click()
    clock = page.locator(".mbw-clock").first
    first = clock.inner_text()
    page.wait_for_timeout(700)
    assert clock.inner_text() != first
    page.get_by_role("button", name="Pause").first.click()


@pytest.mark.parametrize("where", ELSEWHERE)
@pytest.mark.thorough
def test_another_front_end_draws_plays_and_follows_sliders(
    browser: Browser, tmp_path: Path, screenshots: Path, where: str
) -> None:
    def used(page: Page) -> None:
        use(page)
        page.screenshot(path=screenshots / f"{where}.png")

    show_elsewhere(browser, tmp_path, where, used, IMPORT, SHOW)


@pytest.mark.thorough
def test_a_notebook_out_of_sight_comes_back_right(lab: Lab) -> None:
    own = show(lab)
    lab.python("view.playing = True")
    lab.page.evaluate("() => void window.jupyterapp.commands.execute('launcher:create')")
    lab.page.wait_for_timeout(1500)
    assert not lab.page.locator("canvas").first.is_visible()
    lab.python("view.model = view.model.with_values(m2=9); view.playing = False; view.time = 2.0")
    lab.page.wait_for_timeout(500)
    lab.page.get_by_role("tab", name="cells--").first.click()
    lab.page.locator("canvas").first.wait_for()
    lab.page.wait_for_timeout(500)
    back = objects(lab, own["player"])
    lab.python("twin = mb.Explorer(view.model, vectors=view.vectors); twin.time = 2.0\n"
               "from IPython.display import display; display(twin.picture.player)")  # fmt: skip
    twin = lab.python("print(twin.picture.player.model_id)")
    lab.page.wait_for_timeout(800)
    assert back["bodies"] == objects(lab, twin)["bodies"]
    assert lab.errors == []


# Where the bodies, and the labels that are shown, stand in the picture: 0 … 1 from its left and top.
SEEN = """async (manager, [player, camera]) => {
    const one = (item) => manager.get_model(item.replace("IPY_MODEL_", ""));
    const all = async (name) => Promise.all((await manager.get_model(player)).get(name).map(one));
    const eye = (await manager.get_model(camera)).obj;
    const place = ({ obj }) => {
        const seen = obj.getWorldPosition(obj.position.clone()).project(eye);
        return [(1 + seen.x) / 2, (1 - seen.y) / 2];
    };
    const labels = (await all("labels")).filter(({ obj }) => obj.visible);
    return { bodies: (await all("bodies")).map(place), labels: labels.map(place) };
}"""


@pytest.mark.thorough
def test_a_mechanism_that_falls_stays_in_a_narrow_picture_beside_its_sliders(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    own = show(lab, "view = mb.Explorer(mb.library.opnchain_manipulator(), held=False); view")
    lab.page.evaluate("() => window.jupyterapp.shell.expandLeft()")
    lab.page.wait_for_timeout(800)
    view, canvas = lab.cell(1).locator(".mbw-view").first, lab.page.locator("canvas").first
    assert view.bounding_box()["width"] < 900
    assert view.evaluate("node => node.scrollWidth - node.clientWidth") <= 1, "wider than its place"
    stage, sliders = canvas.bounding_box(), lab.cell(1).locator(".mbw-controls").bounding_box()
    assert stage["x"] + stage["width"] <= sliders["x"], "the sliders are not beside the stage"
    assert abs(stage["y"] - sliders["y"]) < 20
    assert stage["width"] / stage["height"] == pytest.approx(748 / 452, rel=0.01)
    first, last = (
        lab.cell(1).get_by_role(role, name=name) for role, name in (("combobox", "body"), ("button", "lecture"))
    )
    assert abs(first.bounding_box()["y"] - last.bounding_box()["y"]) < 8, "the toolbar wraps"

    camera = lab.python("print(view.picture.stage.camera.model_id)")
    for time in (0.0, 0.5, 1.0, 5.0):
        lab.python(f"view.time = {time}")
        lab.page.wait_for_timeout(400)
        seen = lab.widgets(SEEN, [own["player"], camera])
        assert all(0.05 < x < 0.95 and 0.05 < y < 0.95 for x, y in seen["bodies"]), time
        assert all(0 < x < 1 and 0 < y < 1 for x, y in seen["labels"]), time
    assert "The camera goes along" in lab.cell(1).locator(".mbw-note").first.inner_text()
    lab.screenshot("fallen", lab.cell(1))

    # what is seen can be picked, and fitted anew
    x, y = seen["bodies"][1]
    canvas.dblclick(position={"x": x * stage["width"], "y": y * stage["height"]})
    lab.page.wait_for_timeout(700)
    assert lab.python("print(view.selected)") in ("turn", "lift")
    lab.cell(1).get_by_role("button", name="fit").click()
    lab.page.wait_for_timeout(700)
    seen = lab.widgets(SEEN, [own["player"], camera])["bodies"]
    assert all(0.05 < x < 0.95 and 0.05 < y < 0.95 for x, y in seen)
    assert lab.cell(1).locator(".mbw-note").first.inner_text() == ""
    assert lab.errors == []


LIVE = """() => [...document.querySelectorAll("canvas")].filter((canvas) => {
    const context = canvas.getContext("webgl") ?? canvas.getContext("webgl2");
    return context && !context.isContextLost();
}).length"""


NEXT = "() => void window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')"


@pytest.mark.thorough
def test_many_explorers_share_a_fixed_number_of_contexts(lab: Lab) -> None:
    cells = [f"v{k} = mb.Explorer(mb.library.pendulum(1), duration=1, width=300, height=200); v{k}" for k in range(10)]
    # anywidget gives a model two seconds; ten Explorers on a busy machine take longer, and are all waited for here
    lab.harmless.append((r"\[anywidget\] Failed to initialize model", "late, not lost: every timeline is waited for"))
    lab.open_cells(IMPORT, *cells)
    lab.page.evaluate(NEXT)
    for k in range(10):  # one after the other, as a reader does
        lab.page.evaluate(NEXT)
        lab.cell(k + 1).get_by_role("slider", name="Time").wait_for(timeout=PATIENCE)
        lab.page.wait_for_timeout(300)
    assert {cell.error for cell in lab.cells} == {None}
    assert 1 <= lab.page.evaluate(LIVE) <= 8
    lab.screenshot("frozen", lab.cell(1))
    picture = lab.pixels(lab.cell(1).locator(".jupyter-threejs").first)
    assert picture.std() > 0.02, "the oldest lost its picture"
    assert lab.errors == []


AUDIT = """async () => {
    const found = await axe.run(".jp-OutputArea-output .mbw-view, .mbw-view", { resultTypes: ["violations"] });
    return found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(" | ")}`);
}"""


DARK = "() => void window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.thorough
def test_axe_finds_no_serious_fault(lab: Lab, theme: str) -> None:
    show(lab)
    if theme == "dark":
        lab.page.evaluate(DARK)
        lab.python("view.theme = 'dark'")
        lab.page.wait_for_timeout(1500)
    lab.cell(1).get_by_text("Choose vectors").click()
    for group in ("Mass and inertia", "Joint", "Effort", "Start"):
        lab.cell(1).get_by_text(group, exact=True).click()
    lab.page.add_script_tag(path=AXE)
    for tab in ("Formulae", "Plots", "Model"):
        lab.cell(1).get_by_role("tab", name=tab).click()
        lab.page.wait_for_timeout(700)
        lab.screenshot(f"{theme}-{tab}", lab.cell(1))
        assert lab.page.evaluate(AUDIT) == [], tab
    assert lab.errors == []
