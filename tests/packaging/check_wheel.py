"""Build the sdist and from it the wheel; install that into an environment of its own and simulate there.

Run by `make wheel`; uses nothing of the source tree after the build. The environment holds what the wheel asks for and
nothing else. It is made from nothing when the wheel asks for something else than the last time, and kept in `build`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "mbwidgets"
NOTEBOOKS = ROOT / "notebooks"
KEPT = ROOT / "build" / "wheel-check"
NPM = {"package.json", "package-lock.json", "node_modules"}

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


def _files(folder: Path) -> list[Path]:
    """What belongs to a folder, without what Python and Jupyter leave beside it."""
    left = {"__pycache__", ".ipynb_checkpoints"}
    return [path for path in folder.rglob("*") if path.is_file() and not left & set(path.parts)]


def check_sdist(archive: Path) -> None:
    """All of the package, and nothing of npm."""
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    faults = [
        f"missing: {path.relative_to(ROOT)}" for path in _files(PACKAGE) if str(path.relative_to(ROOT)) not in names
    ]
    faults += [f"does not belong: {name}" for name in sorted(names) if NPM & set(name.split("/"))]
    if faults:
        sys.exit(f"{archive.name}:\n  " + "\n  ".join(faults))


def check_contents(wheel: Path) -> None:
    """All of the package, `py.typed` and the data files included, and nothing but the package."""
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {path.relative_to(ROOT).as_posix() for path in _files(PACKAGE)}
    expected |= {f"mbwidgets/notebooks/{path.relative_to(NOTEBOOKS).as_posix()}" for path in _files(NOTEBOOKS)}
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


def environment(wheel: Path) -> Path:
    """The Python of an environment with what the wheel asks for, none of the extras, and nothing else."""
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    asked = [line for line in archive.read(metadata).decode().splitlines() if line.startswith("Requires-")]
    key = hashlib.sha256("\n".join([sys.version, *asked]).encode()).hexdigest()[:12]
    python = KEPT / key / "bin" / "python"
    if not (KEPT / key / "ready").is_file():
        shutil.rmtree(KEPT, ignore_errors=True)
        venv.create(KEPT / key, with_pip=False, symlinks=True)
        # most of what the dependencies bring is never imported here: compiling it takes longer than installing it
        run(*pip(python), "install", "--quiet", "--no-compile", wheel)
        (KEPT / key / "ready").touch()
    return python


def pip(python: Path) -> tuple[str | Path, ...]:
    """The command that installs for another interpreter."""
    return (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")


def check_install(wheel: Path, folder: Path) -> None:
    """Install into an environment that has none of the extras, and simulate outside of the source tree."""
    python = environment(wheel)
    run(*pip(python), "install", "--quiet", "--no-deps", "--force-reinstall", wheel)
    run(*pip(python), "check")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    place = Path(run(python, "-I", "-c", SIMULATE, cwd=elsewhere).splitlines()[-1])
    run(python, "-I", "-m", "mbwidgets", "export", "pendulum:2", "-o", "pendulum.html", "--no-sliders", cwd=elsewhere)
    run(python, "-I", "-c", NOTEBOOK, cwd=elsewhere)
    if not place.is_relative_to(KEPT):
        sys.exit(f"imported {place}, not the installed wheel")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="mbwidgets-wheel-") as name:
        folder = Path(name).resolve()
        wheel = build(folder / "dist")
        (archive,) = (folder / "dist").glob("*.tar.gz")
        check_sdist(archive)
        check_contents(wheel)
        check_install(wheel, folder)
        print(f"{wheel.name}: {wheel.stat().st_size / 1024:.0f} KiB, installs and simulates")


if __name__ == "__main__":
    main()
