"""Every slider of every view, in its exported page, on a screen and on a phone: moved, answered, put back."""

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
from tests.browser.conftest import SCREENSHOTS
from tests.browser.test_narrow_pages import OVER, SCROLLED

VIEWS: Final[dict[str, Any]] = {
    "explorer": lambda: mb.Explorer(mb.library.three_body_arm(), duration=1, rate=30, time=0),
    "closed loop": lambda: mb.Explorer(mb.library.slider_crank(), duration=1, rate=30, time=0),
    "mass moments": lambda: mb.MassMomentsView(duration=1, rate=30),
    "rotators": lambda: mb.RotatorsView(duration=1, rate=30),
    "reactions": lambda: mb.ReactionsView(duration=1, rate=30),
    "equations": lambda: mb.EquationsView(mb.library.pendulum(2), duration=1, rate=30),
    "release": lambda: mb.ReleaseView(duration=1, rate=30),
    "permanent": lambda: mb.PermanentRotationsView(duration=1, rate=30),
    "constrained": lambda: mb.ConstrainedView(duration=1, rate=30),
}
SIZES: Final = {"screen": (1280, 800), "phone": (390, 844)}
FEWEST: Final = {"explorer": 28, "equations": 4, "permanent": 20}
"""Sliders that a page has at least; of the other views 12."""
EVERY: Final = 6
"""Of the sliders of the model one in so many is compared with a model of Python."""

MOVE: Final = """async ([playerId, controlsId, index]) => {
    const { mbwidgets: manager } = window;
    const [player, controls] = await Promise.all([playerId, controlsId].map((id) => manager.get_model(id)));
    const rows = controls.get("rows");
    const row = rows[index];
    // a force and a moment of a free joint are called alike
    const twins = rows.slice(0, index).filter(({ group, title }) => group === row.group && title === row.title).length;
    const folds = [...document.querySelectorAll(".mbw-controls details")];
    const called = (node) => node.getAttribute("aria-label") === row.title;
    const ranges = (fold) => [...fold.querySelectorAll("input[type=range]")].filter(called);
    const fold = folds.find((node) => node.firstChild.textContent === row.group && ranges(node).length);
    if (!fold) return { ...row, missing: true };
    fold.open = true;
    const range = ranges(fold)[twins];
    if (range.disabled) return { ...row, disabled: true };
    const live = controls.get("_live");
    const idle = async () => {
        const end = performance.now() + 20000;
        do await new Promise(requestAnimationFrame); while (!live.isIdle() && performance.now() < end);
        if (!live.isIdle()) throw new Error(`${row.title} is not answered`);
    };
    const health = () => [...document.querySelectorAll("[role=status]")].map((node) => node.textContent).join(" ");
    await idle();
    const before = player.get("_overlay");
    const poses = before ? [...before.poses] : null;
    const told = health();
    const old = Number(range.value);
    const [low, high] = [Number(range.min), Number(range.max)];
    const aim = low + (old < (low + high) / 2 ? 0.7 : 0.3) * (high - low);
    range.step = "any";
    range.value = aim;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    range.dispatchEvent(new Event("change", { bubbles: true }));
    const value = Number(range.value);
    await idle();
    const after = player.get("_overlay");
    const said = health();
    const found = {
        ...row, value, answered: after !== before, refused: said !== told && after === before, said,
        changed: !poses || after.poses.some((number, k) => number !== poses[k]), poses: [...(after?.poses ?? [])],
        wide: document.documentElement.scrollWidth,
    };
    range.closest(".mbw-row").querySelector("button").click();
    await idle();
    found.back = Number(range.value);
    return found;
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", VIEWS)
def test_every_slider_of_a_page_answers(browser: Browser, tmp_path: Path, name: str, size: str) -> None:
    view = VIEWS[name]()
    path = view.to_html(tmp_path / "page.html")
    width, height = SIZES[size]
    context = browser.new_context(
        offline=True, viewport={"width": width, "height": height}, has_touch=size == "phone", is_mobile=size == "phone"
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.locator("html[data-ready=yes]").wait_for(timeout=60_000)
    for tab in page.get_by_role("tab", name="Sliders").all():
        tab.click()
    player = view.picture.player.model_id
    counted, resting = 0, []
    for table in filter(None, (view.controls, getattr(view, "speeds", None))):
        for index in range(len(table.rows)):
            found: Any = page.evaluate(MOVE, [player, table.model_id, index])
            label = f"{found['group']}: {found['title']}"
            assert not found.get("missing") or found["options"], f"{label} is not in the page"
            if found.get("disabled") or found.get("missing"):
                resting.append((label, found["note"]))
                continue
            counted += 1
            assert found["answered"] or found["refused"], f"{label} = {found['value']} is not answered"
            assert found["wide"] <= width, f"{label} makes the page {found['wide']} wide"
            if name != "permanent":  # what snaps to the cone has no way back but undo
                near = pytest.approx(found["origin"], abs=1e-6 * max(1.0, abs(found["origin"])))
                assert found["back"] == near, label
            if table is view.controls and found["answered"] and index % EVERY == 0:
                compare(view, found)
    assert counted >= FEWEST.get(name, 12), (counted, resting)
    # what rests says why, or is another choice that only Python makes
    assert all(note for label, note in resting), resting
    assert page.evaluate(OVER, SCROLLED) == []
    page.screenshot(path=SCREENSHOTS / f"every-{name.replace(' ', '-')}-{size}.png", full_page=True)
    print(f"{name}, {size}: {counted} sliders answered, {len(resting)} rest")
    context.close()
    view.close()
    assert errors == []


def compare(view: Any, found: dict[str, Any]) -> None:
    """The page's poses are those of a model of Python with that value."""
    if isinstance(view, mb.PermanentRotationsView):
        return  # compared in test_live_rotations, which knows where it snaps
    places = editable_places(view.model, view.index, model_size(view.origin))
    place = next((place for place in places if place.key == found["key"]), None)
    if place is None:
        return  # one of the view's own
    motion = mb.simulate(place.write(view.model, found["value"]), **view.options())
    drawn = packed_poses(*motion.poses).astype(np.float32)
    if isinstance(view, mb.ReleaseView):
        drawn = drawn[:, : view.index]  # what is beyond the gap stands apart
    poses = np.array(found["poses"], dtype=np.float32).reshape(len(motion), -1, 7)[:, : drawn.shape[1]]
    np.testing.assert_allclose(poses, drawn, rtol=0, atol=1e-5, err_msg=f"{found['group']}: {found['title']}")
