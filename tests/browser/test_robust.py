"""Pictures of what goes wrong: a lost graphics context, frames without numbers, mechanisms of no size or of any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.widgets.views.view import View
from tests.browser.test_export import Opened

LOSE = """async ([id, back]) => {
    const player = await window.mbwidgets.get_model(id);
    const model = await window.mbwidgets.get_model(player.get("renderer").replace("IPY_MODEL_", ""));
    const { renderer } = await Object.values(model.views)[0];
    window.losing ??= renderer.context.getExtension("WEBGL_lose_context");
    if (back) window.losing.restoreContext();
    else window.losing.loseContext();
    await new Promise((done) => setTimeout(done, 1200));
}"""
SPOIL = """async ([id, first]) => {
    const player = await window.mbwidgets.get_model(id);
    const poses = new Float32Array(player.get("poses").buffer.slice(0));
    const count = player.get("bodies").length;
    for (let k = 7 * count * first; k < poses.length; k++) poses[k] = NaN;
    player.set({ poses: new DataView(poses.buffer), version: player.get("version") + 1 });
    await new Promise((done) => setTimeout(done, 300));
}"""
GO = "async ([id, time]) => void (await window.mbwidgets.get_model(id)).set('time', time)"


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., tuple[Opened, str]]]:
    """Export a view and open the page."""
    pages, views = [], []

    def open_page(view: Any) -> tuple[Opened, str]:
        views.append(view)
        pages.append(Opened(browser, view.to_html(tmp_path / f"{len(views)}.html", sliders=False)))
        pages[-1].page.wait_for_timeout(900)
        return pages[-1], view.picture.player.model_id

    yield open_page
    for page in pages:
        page.context.close()
    for view in views:
        view.close()


def differs(one: np.ndarray, other: np.ndarray) -> float:
    """Share of the pixels that are not the same."""
    return float((np.abs(one - other).max(axis=2) > 0.1).mean())


def test_a_lost_context_is_told_and_the_picture_comes_back(opened: Callable[..., tuple[Opened, str]]) -> None:
    page, player = opened(mb.Explorer(mb.library.three_body_arm(), duration=1, time=0.0))
    seen = page.pixels()
    page.page.evaluate(LOSE, [player, False])
    fault = page.page.locator(".mbw-fault")
    assert "taken the graphics back" in fault.inner_text()
    page.page.evaluate(GO, [player, 0.5])  # nobody is hurt by what is drawn meanwhile
    page.page.wait_for_timeout(200)
    page.page.evaluate(GO, [player, 0.0])
    page.page.evaluate(LOSE, [player, True])
    page.until(lambda: fault.inner_text() == "", "the word to go")
    page.until(lambda: differs(page.pixels(), seen) < 0.01, "the picture to come back")
    page.page.get_by_role("button", name="One frame on").click()
    assert page.state(player)["time"] > 0
    assert page.errors == []


@pytest.mark.thorough
def test_frames_without_numbers_leave_the_last_good_picture_and_a_word(
    opened: Callable[..., tuple[Opened, str]],
) -> None:
    page, player = opened(mb.Explorer(mb.library.three_body_arm(), duration=1, vectors=()))
    frames = len(page.state(player)["times"])
    page.page.evaluate(SPOIL, [player, frames // 2])
    page.page.evaluate(GO, [player, 0.2])
    page.page.wait_for_timeout(400)
    seen = page.pixels()
    page.page.evaluate(GO, [player, 0.9])
    page.page.wait_for_timeout(400)
    assert "not finite" in page.page.locator(".mbw-fault").inner_text()
    assert differs(page.pixels(), seen) < 0.01
    page.page.evaluate(GO, [player, 0.1])
    page.page.wait_for_timeout(400)
    assert page.page.locator(".mbw-fault").inner_text() == ""
    assert differs(page.pixels(), seen) > 0.001, "it goes on"
    assert page.errors == []


class Plain(View):
    """A stage without formulae, which take long for many bodies."""

    arrows: tuple[str, ...] = ()

    def show(self) -> None:
        self.picture.show(self.motion, self.arrows, tuple(range(len(self.model.bodies))), self.index)


class Arrows(Plain):
    arrows = ("force", "weight", "moment", "axis")


def sized(scale: float) -> mb.Model:
    """Two rods of so many metres, with their masses in proportion."""
    mass = 1000 * scale**3
    bodies = [
        mb.Body(
            name,
            mb.Revolute("y", at=(0, 0, at)),
            mass=mass,
            com=(0, 0, -0.5 * scale),
            inertia=tuple(mass * scale**2 * k for k in (0.1, 0.1, 0.01)),
        )
        for name, at in (("upper", 0), ("lower", -scale))
    ]
    return mb.Model(bodies, state={"q": [0.5, 0.4]}, name=f"rods of {scale:g} m")


def pointlike() -> mb.Model:
    """Bodies without extension, all in one point."""
    bodies = [
        mb.Body(name, mb.Spherical(), parent=mb.ground, mass=1, inertia=(0.1, 0.1, 0.1)) for name in ("a", "b", "c")
    ]
    return mb.Model(bodies, state={"u": [1, 0, 0, 0, 2, 0, 0, 0, 3]}, name="bodies in one point")


def many(count: int) -> mb.Model:
    bodies = [
        mb.Body(f"link {k}", mb.Revolute("xy"[k % 2], at=(0, 0, -0.1 if k else 0)), mass=0.1, com=(0, 0, -0.05),
                inertia=(1e-3, 1e-3, 1e-4))
        for k in range(count)
    ]  # fmt: skip
    return mb.Model(bodies, state={"q": [0.02] * count}, name=f"{count} links")


CASES: dict[str, Callable[[], View]] = {
    "micrometres": lambda: Plain(sized(1e-6), duration=0.01, rate=6000),
    "megametres": lambda: Plain(sized(1e6), duration=100),
    "one point": lambda: Plain(pointlike(), duration=0.5),
    "no size": lambda: Plain(mb.Model([mb.Body("dot", mb.Free(), mass=1)], gravity=(0, 0, 0)), duration=0.5),
    "200 bodies": lambda: Plain(many(200), duration=0.05),
    "a hundred arrows": lambda: Arrows(many(25), duration=0.1),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_a_sensible_picture_of(opened: Callable[..., tuple[Opened, str]], name: str) -> None:
    page, player = opened(CASES[name]())
    page.shot(f"robust-{name.replace(' ', '-')}")
    picture = page.pixels()
    height, _width = picture.shape[:2]
    background = np.median(picture.reshape(-1, 3), axis=0)
    drawn = np.abs(picture - background).max(axis=2) > 0.25
    rows, _columns = np.nonzero(drawn)
    assert drawn.mean() > 0.002, "something is seen"
    assert np.ptp(rows) > 0.2 * height, "it fills the picture"
    assert drawn.mean() < 0.6, "nothing is in front of everything"
    assert page.page.locator(".mbw-fault").inner_text() == ""
    page.page.get_by_role("button", name="One frame on").click()
    page.page.wait_for_timeout(300)
    bodies = np.array(page.state(player)["bodies"], dtype=float)
    assert np.isfinite(bodies).all()
    assert page.errors == []


@pytest.mark.thorough
def test_who_wants_little_motion_begins_it_by_hand(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(mb.library.pendulum(1), duration=1)
    view.playing = True
    path = view.to_html(tmp_path / "plays.html", sliders=False)
    found = {}
    for wish in ("no-preference", "reduce"):
        context = browser.new_context(offline=True, reduced_motion=wish)
        page = context.new_page()
        page.goto(path.as_uri())
        page.locator("html[data-ready=yes]").wait_for(timeout=30_000)
        page.wait_for_timeout(1500)
        found[wish] = page.get_by_role("button", name="Pause", exact=True).count()
        context.close()
    view.close()
    assert found == {"no-preference": 1, "reduce": 0}
