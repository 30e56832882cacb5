"""Build the sdist and from it the wheel; install that into an empty environment and simulate there.

Run by `make wheel`; uses nothing of the source tree after the build.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "mbwidgets"
NOTEBOOKS = ROOT / "notebooks"

SIMULATE = """
import mbwidgets as mb
motion = mb.simulate(mb.library.pendulum(2), duration=1)
assert motion.outcome.ok, motion.outcome
print(mb.__file__)
"""

NOTEBOOK = """
from pathlib import Path
from mbwidgets.commands.lab_ import place_notebooks
assert place_notebooks(Path("mine")).is_file()
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """What a command prints; when it fails, its whole output and the end."""
    # a wheel that works only beside the source tree must not pass
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(target: Path) -> Path:
    """Build both distributions into `target`, the wheel from the sdist; return the wheel."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target)
    (wheel,) = target.glob("*.whl")
    return wheel


def check_contents(wheel: Path) -> None:
    """All of the package, `py.typed` and the data files included, and nothing but the package."""
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    expected |= {
        f"mbwidgets/notebooks/{path.relative_to(NOTEBOOKS).as_posix()}"
        for path in NOTEBOOKS.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }
    inside = {name for name in names if ".dist-info/" not in name}
    faults = [f"missing: {name}" for name in sorted(expected - inside)]
    faults += [f"does not belong: {name}" for name in sorted(inside - expected)]
    faults += [
        f"no {what}"
        for what, found in {
            "mbwidgets/py.typed": "mbwidgets/py.typed" in inside,
            "JSON Schema in mbwidgets/files/": any(
                name.startswith("mbwidgets/files/") and name.endswith(".json") for name in inside
            ),
            "licence": any(name.endswith("/licenses/LICENSE") for name in names),
            "command `mbwidgets`": any(name.endswith("/entry_points.txt") for name in names),
        }.items()
        if not found
    ]
    if faults:
        sys.exit(f"{wheel.name}:\n  " + "\n  ".join(faults))


def check_install(wheel: Path, folder: Path) -> None:
    """Install into an empty environment, with none of the extras, and simulate outside of the source tree."""
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    run(*pip, "install", "--quiet", wheel)
    run(*pip, "check")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    place = Path(run(python, "-I", "-c", SIMULATE, cwd=elsewhere).splitlines()[-1])
    run(python, "-I", "-m", "mbwidgets", "export", "pendulum:2", "-o", "pendulum.html", "--no-sliders", cwd=elsewhere)
    run(python, "-I", "-c", NOTEBOOK, cwd=elsewhere)
    if not place.is_relative_to(folder):
        sys.exit(f"imported {place}, not the installed wheel")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mbwidgets-wheel-") as name:
        folder = Path(name).resolve()
        wheel = build(folder / "dist")
        check_contents(wheel)
        check_install(wheel, folder)
        print(f"{wheel.name}: {wheel.stat().st_size / 1024:.0f} KiB, installs and simulates")


if __name__ == "__main__":
    main()
