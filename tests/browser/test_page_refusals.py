"""What a page cannot show: the last good picture stays, the reason stands beside it, and the next move works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pytest
from playwright.sync_api import Browser

import mbwidgets as mb
from mbwidgets.scene.page.player import packed_poses
from tests.browser.conftest import SCREENSHOTS
from tests.browser.test_export import Opened
from tests.browser.test_live_views import SETTLED, SHOWN
from tests.thorough import THOROUGH

OPTIONS: Final = {"duration": 1, "rate": 30, "time": 0}
SAID: Final = """() => [...document.querySelectorAll("[role=status], [role=alert], .mbw-controls")]
    .map((node) => node.innerText).join(" ")"""
ROUNDED: Final = 1.5 / 255
"""One step of a colour: where edges are smoothed the graphics round either way."""
UNFOLD: Final = "() => document.querySelectorAll('.mbw-controls details').forEach((fold) => { fold.open = true; })"


def pendulum(**numbers: Any) -> mb.Model:
    """A pendulum on a spring, as stiff as one likes, whose inertia a parameter gives."""
    stiffness = mb.Parameter("k", 20, min=1, max=1e18, unit="N m")
    mass = mb.Parameter("m", 1, min=0.5, max=4, unit="kg")
    inertia = mb.Parameter("J", 0.1, min=0.01, max=5, unit="kg m^2")
    rod = mb.Body("rod", mb.Revolute("y"), mass=mass, com=(0, 0, -0.5), inertia=(inertia, 0.1, 0.1))
    found = mb.Model([rod], forces=[mb.JointSpring("rod", stiffness)], state={"q": [0.5]}, name="sprung pendulum")
    return found.with_values(**numbers)


class Case(NamedTuple):
    """A model, a number that is typed, what is said of it, and a parameter that is moved after it."""

    make: Callable[..., mb.Model]
    label: str
    text: str
    said: str
    then: str
    value: float


CASES: Final = {
    "no number": Case(mb.library.three_body_arm, "m2", "nan", "“nan” is not a number; 5 stays", "m3", 4.5),
    "too large": Case(mb.library.three_body_arm, "m2", "1e400", "“1e400” is too large for a number", "m3", 4.5),
    "inertia": Case(pendulum, "J", "1", "break the triangle inequality: no body has them", "m", 2.0),
    "open loops": Case(mb.library.four_bar, "l4", "3", "the loops cannot be closed at these values", "g", 5.0),
}


class Typed(Opened):
    """A page in which numbers are typed."""

    def __init__(self, browser: Browser, view: Any, path: Path) -> None:
        super().__init__(browser, view.to_html(path))
        self.view = view
        self.page.evaluate(UNFOLD)

    def type(self, label: str, text: str) -> None:
        box = self.page.get_by_label(f"{label}, number", exact=True).first
        box.fill(text)
        box.press("Enter")

    def poses(self) -> np.ndarray:
        found = self.page.evaluate(SHOWN.replace(".values", ".poses"), self.view.picture.player.model_id)
        return np.array(found, dtype=np.float32)

    def until_said(self, words: str) -> None:
        """Longer than a page tries to follow a motion: 20 s."""
        self.page.wait_for_function("(words) => document.body.innerText.includes(words)", arg=words, timeout=60_000)

    def pixels_at_rest(self) -> np.ndarray:
        """The picture once it stays as it is: the floor has gone below what is shown, and edges are drawn sharp."""
        self.page.wait_for_timeout(900)
        seen = self.pixels()
        for _ in range(20):
            self.page.wait_for_timeout(1200)  # a slow machine takes a second before it draws all again
            last, seen = seen, self.pixels()
            if (last == seen).all():
                break
        return seen

    def finish(self) -> None:
        self.context.close()
        self.view.close()
        assert self.errors == []

    def settle(self) -> None:
        assert self.page.evaluate(SETTLED, self.view.controls.model_id)


def motion_of(model: mb.Model) -> np.ndarray:
    return packed_poses(*mb.simulate(model, duration=1, rate=30).poses).astype(np.float32).reshape(-1)


@pytest.mark.parametrize("name", CASES)
def test_the_last_good_picture_stays_beside_the_reason_and_the_next_move_works(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    make, label, text, why, then, value = CASES[name]
    view = mb.Explorer(make(), **OPTIONS)
    page = Typed(browser, view, tmp_path / "page.html")
    page.type(then, str(0.9 * value))
    page.settle()
    good, seen = page.poses(), page.pixels_at_rest()
    page.type(label, text)
    page.settle()
    after = page.pixels_at_rest()
    said = page.page.evaluate(SAID)
    page.page.screenshot(path=SCREENSHOTS / f"refused-{name.replace(' ', '-')}.png")
    assert why in said
    assert (page.poses() == good).all()
    if THOROUGH:  # a busy machine may draw the last picture with less than all
        assert np.abs(after - seen).max() < ROUNDED
    page.type(then, str(value))
    page.settle()
    assert (page.poses() == motion_of(make().with_values(**{then: value}))).all()
    assert "look here" not in page.page.evaluate(SAID)
    page.finish()


def test_a_motion_without_end_gives_way_to_the_next_move(browser: Browser, tmp_path: Path) -> None:
    """So stiff that no patience is enough for it: nobody has to wait."""
    view = mb.Explorer(pendulum(), **OPTIONS)
    page = Typed(browser, view, tmp_path / "page.html")
    page.type("m", "2")
    page.settle()
    good = page.poses()
    page.type("k", "1e18")
    page.page.wait_for_timeout(700)
    assert (page.poses() == good).all()
    page.type("k", "30")
    page.settle()
    assert (page.poses() == motion_of(pendulum(m=2.0, k=30.0))).all()
    page.finish()


@pytest.mark.thorough
def test_a_motion_without_end_is_given_up_in_words(browser: Browser, tmp_path: Path) -> None:
    view = mb.Explorer(pendulum(), **OPTIONS)
    page = Typed(browser, view, tmp_path / "page.html")
    page.type("m", "2")
    page.settle()
    good = page.poses()
    page.type("k", "1e18")
    page.until_said("the motion takes too long to be followed here")
    assert (page.poses() == good).all()
    page.type("m", "3")
    page.settle()
    assert (page.poses() == motion_of(pendulum(m=3.0))).all()
    page.finish()
