"""The view of permanent rotations as a page that thinks: axis, speeds, bodies, push, cone and map, with no kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.scene.look.shapes import model_size
from mbwidgets.scene.page.player import packed_poses
from mbwidgets.widgets.edit.places import editable_places
from tests.browser.lab import Lab
from tests.browser.test_live import DRAG, numbers, opened
from tests.browser.test_live_views import CLOSE, SHOWN, Moved

MAP: Final = """async (id) => {
    const map = await window.mbwidgets.get_model(id);
    const [basis, curves] = [map.get("basis"), map.get("curves")];
    return { ...map.get("handle"), note: map.get("note"), basis, curves };
}"""
FAN: Final = """async (id) => {
    const { position } = (await window.mbwidgets.get_model(id)).obj.geometry.attributes;
    return [...position.array];
}"""


def poses(page: Moved) -> np.ndarray:
    return np.array(page.page.evaluate(SHOWN.replace(".values", ".poses"), page.view.picture.player.model_id))


def assert_rotation(page: Moved, view: Any, exactly: bool = False) -> None:
    """The page shows what a view of Python shows: poses, curves, map, cone and verdict.

    Poses bit for bit where both were moved in one step; a key pressed five times snaps five times, and the map's axis
    is a product of matrices.
    """
    drawn = packed_poses(*view.motion.poses).astype(np.float32)
    found = poses(page).reshape(drawn.shape).astype(np.float32)
    np.testing.assert_allclose(found, drawn, rtol=0, atol=0 if exactly else 1e-6)
    for part, other in ((page.view.plot, view.plot), (page.view.residual, view.residual)):
        expected = np.frombuffer(other.values, dtype=np.float32).reshape(len(view.motion), -1)
        found = np.array(page.page.evaluate(SHOWN, part.model_id), dtype=float).reshape(len(view.motion), -1)
        columns = min(found.shape[1], expected.shape[1])  # growth of the whole chain is told by Python alone
        size = np.nanmax(np.abs(expected), initial=0.0)
        np.testing.assert_allclose(found[:, :columns], expected[:, :columns], rtol=0, atol=CLOSE * size + 1e-6)
    shown: Any = page.page.evaluate(MAP, page.view.map.model_id)
    axis = view.rotation.turns[0].T @ view.rotation.chain.basis[:, 2]
    np.testing.assert_allclose(np.array(shown["basis"]).T @ shown["spot"], axis, atol=1e-9)
    assert shown["speed"] == pytest.approx(view.rotation.omega[0], rel=1e-9)
    cone = mb.staude_cone(view.model)
    for curve in shown["curves"]:
        for point, speed in zip(curve["points"], curve["speeds"], strict=True):
            assert abs(cone.cone(np.array(shown["basis"]).T @ point)) < 1e-5
            assert speed is not None
    text = page.page.inner_text("body")
    assert ("not permanent" in text) != view.rotation.holds
    assert ("✓" in page.page.locator("[role=status]", has_text="barycentre").first.inner_text()) == view.rotation.holds
    for omega in view.rotation.omega:
        assert f"{omega:.4g}".replace("-", "−") in text


def test_a_page_of_permanent_rotations_follows_sliders_and_snaps_to_the_cone(browser: Browser, tmp_path: Path) -> None:
    view = mb.PermanentRotationsView(duration=2, rate=60)
    page = Moved(browser, view, tmp_path / "rotations.html")
    twin = mb.PermanentRotationsView(duration=2, rate=60)
    twin.finish()
    before = page.page.evaluate(FAN, view.cone.mesh.model_id)
    page.page.get_by_role("tab", name="Sliders").click()
    page.page.get_by_label("m2, number", exact=True).fill("2.5")
    page.page.get_by_label("m2, number", exact=True).press("Enter")
    page.settle()
    twin._move(next(place for place in twin_places(twin) if place.title == "m2"), 2.5)
    assert_rotation(page, twin, exactly=True)
    after = page.page.evaluate(FAN, view.cone.mesh.model_id)
    assert np.abs(np.subtract(before, after)).max() > 0.01
    value = page.move("Speeds about the vertical", "ω of rotor")
    twin.speeds.edit = {"key": "speed 1", "value": value, "number": 1}
    assert_rotation(page, twin)
    text = page.page.inner_text("body")
    for row in twin._bodies.value.split("<td")[1::2]:
        assert row.split(">")[1].split("<")[0] in text
    page.finish("rotations")
    twin.close()


def twin_places(view: Any) -> list[Any]:
    return editable_places(view.model, view.index, model_size(view.origin))


@pytest.mark.thorough
def test_the_axis_is_dragged_on_the_map_of_a_page_and_leaves_the_cone_by_its_own_speed(
    browser: Browser, tmp_path: Path
) -> None:
    view = mb.PermanentRotationsView(duration=2, rate=60)
    page = Moved(browser, view, tmp_path / "axis.html")
    twin = mb.PermanentRotationsView(duration=2, rate=60)
    twin.finish()
    wanted = np.array(twin.map.basis) @ np.array([0.1, 0.5, 0.5])
    page.page.evaluate(
        """async ([id, axis]) => {
            const live = (await window.mbwidgets.get_model(id)).get("_live");
            live.move("axis", live.axisOf(axis));
        }""",
        [view.map.model_id, list(wanted)],
    )
    page.settle()
    twin.map.edit = {"axis": list(wanted), "number": 1}
    assert_rotation(page, twin)
    page.page.get_by_role("button", name="perturb").click()
    page.settle()
    twin.perturbation = 1.0
    assert_rotation(page, twin)
    page.page.get_by_role("button", name="perturb").click()
    value = page.move("Speeds about the vertical", "ω of plate")
    twin.perturbation = 0.0
    twin.speeds.edit = {"key": "speed 0", "value": value, "number": 2}
    assert not twin.snap
    assert not page.page.get_by_label("snap to the cone").is_checked()
    assert_rotation(page, twin)
    page.page.get_by_label("snap to the cone").check()
    page.settle()
    twin.snap = True
    assert_rotation(page, twin)
    page.finish("axis")
    twin.close()


@pytest.mark.thorough
@pytest.mark.parametrize("slider", ["m2", "ω of rotor"])
def test_with_a_kernel_the_page_snaps_as_python_does(lab: Lab, slider: str) -> None:
    opened(lab, "view = mb.PermanentRotationsView(duration=1, rate=30, time=0); view")
    player = lab.python("print(view.picture.player.model_id)")
    found: Any = lab.widgets(DRAG, [player, slider, [3.0, 3.1, 2.5], 60], timeout=60)
    assert found["sent"] == []
    assert found["page"]["poses"] == found["kernel"]["poses"]  # bit for bit
    assert numbers(found["page"]["poses"]).size
    assert lab.python("print(view.rotation.holds, view.snap)") == "True True"
    assert lab.errors == []
