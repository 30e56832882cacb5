"""The views of papers 3 and 4 in a real JupyterLab: drawn, moved by hand, and right against the core."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.browser.lab import Lab

IMPORT = "import mbwidgets as mb\nimport numpy as np"
# Places and turns of what the player moves, and the triangles of the cone.
BODIES = """async (manager, id) => {
    const player = await manager.get_model(id);
    const one = (item) => manager.get_model(item.replace("IPY_MODEL_", ""));
    const bodies = await Promise.all(player.get("bodies").map(one));
    return bodies.map(({ obj }) => [...obj.position.toArray(), ...obj.quaternion.toArray()]);
}"""
COLOURS = """async (manager, id) => {
    const mesh = await manager.get_model(id);
    const { position, color } = mesh.obj.geometry.attributes;
    return { position: [...position.array].slice(0, 900), color: [...color.array].slice(0, 900) };
}"""


def show(lab: Lab, code: str, height: int = 1450) -> None:
    """Run cells whose last shows `view`, at a laptop's width."""
    lab.page.set_viewport_size({"width": 1280, "height": height})
    lab.open_cells(IMPORT, f"view = {code}; view")
    errors = [cell.error for cell in lab.run_all()]
    assert errors == [None] * len(errors)
    lab.page.locator("canvas").first.wait_for()
    lab.page.get_by_role("slider", name="Time").first.wait_for()
    lab.page.wait_for_timeout(700)


def value(lab: Lab, expression: str) -> Any:
    return json.loads(lab.python(f"import json; print(json.dumps({expression}))"))


def until(lab: Lab, condition: Callable[[], bool], what: str, seconds: float = 20) -> None:
    """On a busy machine things take their time; they must come."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        lab.page.wait_for_timeout(100)
    pytest.fail(f"waited {seconds:g} s for {what}")


def settled(lab: Lab) -> None:
    """Wait until MathJax has typeset what there is."""
    lab.page.wait_for_timeout(900)


def drawn(lab: Lab) -> bool:
    """Whether the stage shows more than its background."""
    return float(lab.pixels(lab.page.locator("canvas").first).std()) > 0.02


def fits(lab: Lab) -> None:
    """Nothing is wider than its place at a laptop's width."""
    wide = "node => node.scrollWidth - node.clientWidth"
    assert lab.cell(1).locator(".jp-OutputArea-output").first.evaluate(wide) <= 1


@pytest.mark.thorough
def test_cells_keys_and_tabs_of_the_equations_view(lab: Lab) -> None:
    show(lab, "mb.EquationsView()")
    cell = lab.cell(1)
    settled(lab)
    assert drawn(lab)
    fits(lab)
    lab.screenshot("metric", cell)
    assert cell.get_by_role("gridcell", name="a₄₂: 3 terms").get_attribute("aria-selected") == "true"
    counts = value(lab, "[[e.terms if e else 0 for e in row] for row in mb.covariant(view.model).metric]")
    page = cell.locator(".mbw-heat td").all_inner_texts()
    assert [0 if text == "·" else int(text) for text in page] == [count for row in counts for count in row]

    cell.get_by_role("gridcell", name="a₂₂: 7 terms").click()
    until(lab, lambda: value(lab, "view.place") == [1, 1], "the clicked cell")
    lab.page.keyboard.press("ArrowRight")
    lab.page.keyboard.press("ArrowDown")
    until(lab, lambda: value(lab, "view.place") == [2, 2], "the arrow keys")
    settled(lab)
    assert value(lab, "'a_{33} &= 250' in view.entry")

    cell.get_by_role("button", name="Γ, first kind").click()
    cell.get_by_role("gridcell", name="Γ₅₅,₂: 2 terms").click()
    until(lab, lambda: value(lab, "view.place") == [4, 4, 1], "the Christoffel symbol")
    cell.get_by_text("their difference is exactly 0").wait_for()
    lab.python("view.time = 1.0")
    settled(lab)
    reading = float(cell.locator(".mbw-legend b").first.inner_text().replace("−", "-"))
    core = "float(mb.covariant(view.model).christoffel()[4, 4, 1].evaluate(q=view.motion.q[60]))"
    assert reading == pytest.approx(value(lab, core), rel=2e-3)
    lab.screenshot("christoffel", cell)

    cell.get_by_role("button", name="inverse").click()
    until(lab, lambda: value(lab, "view.tensor") == "inverse", "the inverse")  # before its entry is chosen
    lab.python("view.place = (0, 0)")
    cell.get_by_text("Plain expansion, as the paper prints it: 203 terms; in normal form 45.").wait_for()
    settled(lab)
    fits(lab)
    lab.screenshot("inverse", cell)

    cell.get_by_role("tab", name="Equations").click()
    cell.get_by_role("combobox", name="row α").wait_for()
    settled(lab)
    lab.screenshot("covariant", cell)
    cell.get_by_role("button", name="contravariant (10)").click()
    cell.get_by_text("788 terms are more than can be read").wait_for()
    cell.get_by_role("combobox", name="row α").select_option(label="2, turn")
    until(lab, lambda: value(lab, r"'\\ddot q^{2} &= \\frac{N}{\\Delta}' in view.equations"), "the second row")
    settled(lab)
    lab.screenshot("contravariant", cell)

    cell.get_by_role("tab", name="Code").click()
    cell.get_by_role("combobox", name="Language").select_option(label="C99")
    until(lab, lambda: "#include <math.h>" in cell.locator(".mbw-code pre").inner_text(), "C")
    assert cell.locator(".mbw-code pre").inner_text().strip() == lab.python("print(view.code.texts['c'])")
    with lab.page.expect_download() as saved:
        cell.get_by_role("button", name="save").click()
    assert saved.value.suggested_filename == "mechanism.c"
    lab.screenshot("code", cell)
    assert lab.errors == []


@pytest.mark.thorough
def test_a_slider_of_the_equations_view_changes_formula_and_motion(lab: Lab) -> None:
    show(lab, "mb.EquationsView(mb.library.pendulum(2), tensor='metric', place=(0, 0), duration=4)")
    cell = lab.cell(1)
    player = value(lab, "view.picture.player.model_id")
    settled(lab)
    lab.python("view.time = 2.0")
    before = lab.widgets(BODIES, player)
    cell.get_by_role("tab", name="Sliders").click()
    box = cell.get_by_role("spinbutton", name="l, number", exact=True)
    box.fill("2")
    box.press("Enter")
    until(lab, lambda: value(lab, "view.model.values['l']") == 2.0, "the length")
    until(lab, lambda: not np.allclose(lab.widgets(BODIES, player), before), "the motion")
    cell.get_by_role("tab", name="Over time").click()
    until(lab, lambda: value(lab, "view.plot.title") == "a₁₁ along the motion", "the plot")
    lab.screenshot("pendulum", cell)
    assert lab.errors == []


def drag_on_map(lab: Lab, axis: list[float]) -> None:
    """Drag the handle to where an axis (body axes) is on the map, as a hand would."""
    basis = np.array(value(lab, "view.map.basis"))
    right, up, centre = basis @ np.array(axis) / np.linalg.norm(axis)
    r = np.sqrt((1 - centre) / 2) / np.hypot(right, up)
    chart = lab.page.locator(".mbw-cone svg[role=slider]")
    box = chart.bounding_box()
    scale = box["width"] / 330
    handle = lab.page.locator(".mbw-cone-handle").bounding_box()
    start = np.array([handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2])
    target = np.array([box["x"] + scale * (165 + 146 * r * right), box["y"] + scale * (165 - 146 * r * up)])
    lab.page.mouse.move(*start)
    lab.page.mouse.down()
    for k in range(1, 7):
        lab.page.mouse.move(*(start + (target - start) * k / 6))
        lab.page.wait_for_timeout(30)
    assert chart.bounding_box() == box, "the map moves under the hand"
    lab.page.mouse.up()


@pytest.mark.thorough
def test_the_axis_is_dragged_along_the_cone_and_perturbed(lab: Lab) -> None:
    show(lab, "mb.PermanentRotationsView()")
    cell = lab.cell(1)
    cell.locator(".mbw-cone line").first.wait_for()
    settled(lab)
    assert drawn(lab)
    fits(lab)
    lab.screenshot("start", cell)
    mesh = lab.widgets(COLOURS, value(lab, "view.cone.mesh.model_id"))
    curve = value(lab, "[[list(map(float, c.axes[k])) for k in (0, 1)] for c in view.study._cone[1]][0]")
    length = value(lab, "0.75 * view.picture.stage.size")
    np.testing.assert_allclose(mesh["position"][3:9], length * np.ravel(curve), rtol=1e-4, atol=1e-6)
    assert np.std(mesh["color"][:900]) > 0.05, "the cone has one colour"

    assert cell.get_by_text("permanent", exact=True).is_visible()
    player = value(lab, "view.picture.player.model_id")
    before = lab.widgets(BODIES, player)
    drag_on_map(lab, [0.1, 0.5, 0.5])
    until(lab, lambda: not np.allclose(lab.widgets(BODIES, player), before, atol=1e-3), "the plate to turn")
    until(lab, lambda: value(lab, "float(view.rotation.omega[0])") < 8.5, "the cone's speed")
    nearest = value(lab, "list(mb.staude_cone(view.model).nearest((0.1, 0.5, 0.5)).axis)")
    shown = np.array(value(lab, "view.map.basis")).T @ value(lab, "view.map.handle['spot']")
    # a pixel of the map is half a degree
    np.testing.assert_allclose(shown, nearest, atol=0.02)
    assert value(lab, "view.rotation.holds")
    cell.get_by_text("unstable").wait_for()
    told = f"ω = {value(lab, 'float(view.rotation.omega[0])'):.4g} rad/s"
    until(lab, lambda: told in cell.locator(".mbw-cone-reading").inner_text(), f"the map to say {told}")

    cell.get_by_role("button", name="perturb").click()
    until(lab, lambda: value(lab, "view.perturbation") == 1.0, "the disturbance")
    until(lab, lambda: len(value(lab, "view.plot.names")) == 3, "the growth rate")
    lab.python("view.time = 1.25")
    settled(lab)
    lab.screenshot("perturbed", cell)
    lab.python("from mbwidgets.numeric.permanent.rotation_states import axis_errors")
    core = "float(np.degrees(axis_errors(view.rotation, view.motion)[75, 0]))"
    assert float(cell.locator(".mbw-legend b").first.inner_text().replace("−", "-")) == pytest.approx(
        value(lab, core), rel=2e-3
    )
    assert lab.errors == []


@pytest.mark.thorough
def test_a_branch_is_clicked_and_the_checklist_tells_what_fails(lab: Lab) -> None:
    show(lab, "mb.PermanentRotationsView()")
    cell = lab.cell(1)
    cell.get_by_role("tab", name="Branches").click()
    path = cell.locator(".mbw-diagram-stable").first
    path.wait_for(state="attached")
    until(lab, lambda: len(value(lab, "view.diagram.series")) == 4, "the branches")
    settled(lab)
    lab.screenshot("branches", cell)
    chart = cell.locator(".mbw-diagram > svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    speed, tilt = value(lab, "view.diagram.series[1]['points'][20]")
    right = value(lab, "max(p[0] for s in view.diagram.series for p in s['points'])")
    top = value(lab, "max(p[1] for s in view.diagram.series for p in s['points'])") * 1.04
    scale = box["width"] / 560
    chart.click(position={"x": scale * (46 + 502 * speed / right), "y": scale * (10 + 254 * (top - tilt) / top)})
    until(lab, lambda: abs(value(lab, "float(view.rotation.omega[0])") - speed) < 0.5, "the point of the branch")
    assert value(lab, "view.rotation.holds")

    box = cell.get_by_role("spinbutton", name="ω of plate, number")
    box.fill("3")
    box.press("Enter")
    cell.get_by_text("not permanent", exact=True).wait_for()
    until(lab, lambda: value(lab, "view.snap") is False, "the cone to be left")
    amount = value(lab, "view.rotation.failures[0].amount")
    assert cell.get_by_text(f"{amount:.3g} N m", exact=True).first.is_visible()
    settled(lab)
    lab.screenshot("failing", cell)
    cell.get_by_label("snap to the cone").check()
    cell.get_by_text("permanent", exact=True).wait_for()
    assert lab.errors == []


@pytest.mark.thorough
def test_a_chain_that_turns_as_one_shows_its_equilibria(lab: Lab) -> None:
    show(lab, "mb.PermanentRotationsView(mb.library.spherical_chain(2))")
    cell = lab.cell(1)
    cell.get_by_role("tab", name="Branches").click()
    until(lab, lambda: len(value(lab, "view.diagram.series")) == 6, "the branches", 60)
    settled(lab)
    assert drawn(lab)
    lab.screenshot("chain", cell)
    assert lab.errors == []


@pytest.mark.parametrize("name", ["EquationsView", "PermanentRotationsView"])
@pytest.mark.thorough
def test_the_views_are_legible_in_the_dark(lab: Lab, name: str) -> None:
    show(lab, f"mb.{name}(theme='dark')")
    lab.page.evaluate("() => window.jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    lab.page.wait_for_timeout(2500)
    lab.screenshot("dark", lab.cell(1))
    assert lab.errors == []
