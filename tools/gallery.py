"""Make the gallery of the README: the real widgets, in JupyterLab in headless Chromium: ``make gallery``.

Each picture is cut to the widget, brought to a width that suits a README, and kept below 150 kB.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.lab import FLAGS, Lab  # noqa: E402
from tests.browser.server import LabServer  # noqa: E402

GALLERY: Final = ROOT / "docs" / "gallery"
WIDTH: Final = 1000
LARGEST: Final = 300_000
"""Bytes of a picture, so that the README opens at once; a sky of few colours has stripes."""


@dataclass(frozen=True)
class Scene:
    """A picture: the file's name, the code that makes the widget, and a tab to open; it stands where the view opens."""

    name: str
    code: str
    tab: str = ""


SCENES: Final = (
    Scene("explorer", "Explorer(mb.library.three_body_arm())"),
    Scene("plots", "Explorer(mb.library.scara(), theme='dark')", tab="Plots"),
    Scene("reactions", "ReactionsView(mb.library.three_body_arm(), joint='upper')"),
    Scene("rotators", "RotatorsView(mb.library.three_body_arm(), joint=0)"),
    Scene("mass_moments", "MassMomentsView()"),
    Scene("equations", "EquationsView()"),
    Scene("permanent_rotations", "PermanentRotationsView()", tab="Branches"),
    Scene("release", "ReleaseView()"),
    Scene("constrained", "ConstrainedView()"),
)


def shoot(browser: Browser, server: LabServer, scene: Scene) -> Path:
    """Run a cell with the widget, and keep a picture of it as it opens."""
    with Lab(browser, server, scene.name, GALLERY) as lab:
        lab.page.set_viewport_size({"width": 1380, "height": 1600})
        lab.open_cells(f"import mbwidgets as mb\nview = mb.{scene.code}\nview")
        (cell,) = lab.run_all()
        if cell.error:
            sys.exit(f"{scene.name}: {cell.error}")
        widget = lab.cell(0).locator(".mbw-view").first
        widget.wait_for()
        if scene.tab:
            widget.get_by_role("tab", name=scene.tab).click()
        lab.page.wait_for_timeout(4000)
        picture = Image.open(io.BytesIO(widget.screenshot()))
    return keep(picture.convert("RGB"), GALLERY / f"{scene.name}.png")


def keep(picture: Image.Image, path: Path) -> Path:
    """Write a picture with as many colours as fit into the size."""
    if picture.width > WIDTH:
        picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.Resampling.LANCZOS)
    picture.save(path, optimize=True)
    for colours in (256, 128, 64):
        if path.stat().st_size < LARGEST:
            break
        # the method that keeps rare hues: an arrow's colour is its name
        few = picture.quantize(colours, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    return path


def main() -> None:
    wanted = set(sys.argv[1:])
    chromium = os.environ.get("MBWIDGETS_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium: install chromium, or set MBWIDGETS_CHROMIUM to a browser")
    GALLERY.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="mbwidgets-") as folder,
        LabServer(Path(folder) / "none", Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=60_000)
        for scene in SCENES:
            if not wanted or scene.name in wanted:
                path = shoot(browser, server, scene)
                print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.0f} KiB")
        browser.close()


if __name__ == "__main__":
    main()
