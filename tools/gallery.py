"""Make the gallery of the README: real widgets, written as pages, opened in headless Chromium: ``make gallery``.

Each picture is cut to the widget, brought to a width that suits a README, and kept below 150 kB.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import mbwidgets as mb

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.lab import FLAGS  # noqa: E402

GALLERY: Final = ROOT / "docs" / "gallery"
WIDTH: Final = 1000
LARGEST: Final = 150_000
WAIT: Final = """async (time) => {
    for (const made of window.mbwidgets.models.values()) {
        const model = await made;
        if (model.get("_esm") && model.get("poses")) model.set("time", time);
    }
}"""


@dataclass(frozen=True)
class Scene:
    """A picture: the file's name, what makes the widget, the time that is shown, and a tab to open."""

    name: str
    make: Callable[[], Any]
    time: float = 0.0
    tab: str = ""


SCENES: Final = (
    Scene("explorer", lambda: mb.Explorer(mb.library.three_body_arm(), vectors=("axis", "force", "moment")), 1.3),
    Scene("plots", lambda: mb.Explorer(mb.library.scara(), vectors=("force", "angular velocity")), 2.0, "Plots"),
    Scene("walking", lambda: mb.Explorer(mb.library.walking_figure(), vectors=("force", "weight")), 0.4),
    Scene("reactions", lambda: mb.ReactionsView(mb.library.three_body_arm()), 0.8),
    Scene("rotators", lambda: mb.RotatorsView(mb.library.three_body_arm()), 0.3),
    Scene("mass_moments", lambda: mb.MassMomentsView(), 0.2),
    Scene("equations", lambda: mb.EquationsView(), 1.0),
    Scene("permanent_rotations", lambda: mb.PermanentRotationsView(), 0.5),
    Scene("release", lambda: mb.ReleaseView(), 0.5),
)


def shoot(browser: Browser, scene: Scene, folder: Path) -> Path:
    """Open the widget as a page, show its time, and keep a picture of it."""
    view = scene.make()
    try:
        alive = dict.fromkeys(list(view.model.parameters)[:3], 2)
        page_file = view.to_html(folder / f"{scene.name}.html", sliders=alive)
    finally:
        view.close()
    context = browser.new_context(offline=True, viewport={"width": 1240, "height": 1400})
    try:
        page = context.new_page()
        page.goto(page_file.as_uri())
        page.locator("html[data-ready=yes]").wait_for(timeout=90_000)
        if scene.tab:
            page.get_by_role("tab", name=scene.tab).click()
        page.evaluate(WAIT, scene.time)
        page.wait_for_timeout(1500)
        picture = Image.open(io.BytesIO(page.locator(".mbw-view").first.screenshot()))
    finally:
        context.close()
    return keep(picture.convert("RGB"), GALLERY / f"{scene.name}.png")


def keep(picture: Image.Image, path: Path) -> Path:
    """Write a picture with as many colours as fit into the size."""
    if picture.width > WIDTH:
        picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    for colours in (256, 128, 64):
        # the method that keeps rare hues: an arrow's colour is its name
        few = picture.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        if path.stat().st_size < LARGEST:
            break
    return path


def main() -> None:
    wanted = set(sys.argv[1:])
    chromium = os.environ.get("MBWIDGETS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium: install chromium, or set MBWIDGETS_CHROMIUM to a browser")
    GALLERY.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mbwidgets-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=60_000)
        for scene in SCENES:
            if not wanted or scene.name in wanted:
                path = shoot(browser, scene, Path(folder))
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.0f} KiB")
        browser.close()


if __name__ == "__main__":
    main()
