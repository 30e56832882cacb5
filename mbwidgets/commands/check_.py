"""tell whether this machine has all that is needed: versions, the engine, a browser with WebGL"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NEEDED = ("numpy", "scipy", "sympy", "python-flint", "matplotlib", "ipywidgets", "pythreejs", "anywidget", "defusedxml")
WELCOME = {
    "wasmtime": "motions are computed as Python, slowly",
    "jupyterlab": "no `mbwidgets lab`: pip install 'mbwidgets[lab]'",
    "nbconvert": "notebooks cannot be exported: pip install 'mbwidgets[lab]'",
    "imageio-ffmpeg": "no MP4: pip install 'mbwidgets[film]'",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--virtual-time-budget=2000",
)
PAGE = """<body><script>
const gl = document.createElement("canvas").getContext("webgl");
document.body.textContent = gl ? "webgl: " + gl.getParameter(gl.VERSION) : "webgl: none";
</script></body>"""

Line = tuple[str, str, str]
"""Whether it is good (``ok``, ``note``, ``bad``), what it is of, what was found."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Whether the browser is to be tried."""
    parser.add_argument("--no-browser", action="store_true", help="do not start a browser to try WebGL")


def run(options: argparse.Namespace) -> int:
    """Print what was found; 1 if something is missing that nothing works without."""
    bad = 0
    for mark, what, found in _lines(options.no_browser):
        sign = {"ok": "✓", "note": "–", "bad": "✗"}[mark]
        print(f"{sign} {what:<16} {found}")
        bad += mark == "bad"
    return 1 if bad else 0


def _lines(no_browser: bool) -> Iterator[Line]:
    from .. import __version__

    yield "ok", "mbwidgets", f"{__version__} on Python {platform.python_version()}, {platform.platform()}"
    for name in NEEDED:
        found = _version(name)
        yield ("ok", name, found) if found else ("bad", name, f"is missing: pip install {name}")
    for name, otherwise in WELCOME.items():
        found = _version(name)
        yield ("ok", name, found) if found else ("note", name, otherwise)
    yield _engine()
    yield _motion()
    yield _page()
    if not no_browser:
        yield _browser()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _engine() -> Line:
    """What computes."""
    from ..numeric.engines.engine import engine

    slow = engine() == "python"
    return ("note" if slow else "ok"), "engine", "python, slow: pip install wasmtime" if slow else "wasm"


def _motion() -> Line:
    """A short motion, computed and judged by its energy."""
    from ..model.library import pendulum
    from ..numeric.simulation.simulate import simulate

    motion = simulate(pendulum(2), duration=1)
    good = motion.outcome.ok and motion.drift < 1e-8
    return ("ok" if good else "bad"), "a motion", f"{motion.outcome.message} Energy drift {motion.drift:.1e}."


def _page() -> Line:
    """The scripts of exported pages."""
    folder = Path(__file__).resolve().parents[1] / "export" / "page" / "static"
    wanted = json.loads((folder / "vendored.json").read_text(encoding="utf-8"))["sha256"]
    found = [path for name in wanted for path in folder.glob(f"{name}.*")]  # packed one way or another
    if len(found) < len(wanted):
        return "bad", "exported pages", f"scripts are missing from {folder}: install mbwidgets anew"
    return "ok", "exported pages", f"{len(found)} scripts, {sum(path.stat().st_size for path in found) / 1e6:.1f} MB"


def _browser() -> Line:
    """WebGL in Chromium, if there is one."""
    path = os.environ.get("MBWIDGETS_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        return "note", "WebGL", "no Chromium here to try it with; your own browser has it in all likelihood"
    with tempfile.TemporaryDirectory(prefix="mbwidgets-") as folder:
        page = Path(folder) / "webgl.html"
        page.write_text(PAGE, encoding="utf-8")
        command = [path, *FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        except (OSError, subprocess.TimeoutExpired) as error:
            return "note", "WebGL", f"{path} does not answer: {type(error).__name__}"
    found = done.stdout.partition("webgl: ")[2].partition("<")[0].strip()
    if not found or found == "none":
        return "note", "WebGL", f"{path} has none: 3-D views stay empty there"
    return "ok", "WebGL", f"{found} in {path}"
