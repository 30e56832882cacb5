"""open JupyterLab on the quick start"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from ..errors import FileError, MissingError
from .shared import print_status

QUICK_START = "00_quickstart.ipynb"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the notebooks go, and what JupyterLab is told besides."""
    parser.add_argument(
        "folder",
        nargs="?",
        default="mbwidgets-notebooks",
        help="where the notebooks are put, unless this is a clone (default mbwidgets-notebooks)",
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--dry-run", action="store_true", help="put the notebooks there and print the command")


def run(options: argparse.Namespace) -> int:
    """Find or copy the notebooks, start JupyterLab."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise MissingError("JupyterLab is not installed", remedy="pip install 'mbwidgets[lab]'")
    notebook = place_notebooks(Path(options.folder))
    # with the file itself as argument JupyterLab opens it, but the address that it prints leads elsewhere
    address = [f"--ServerApp.root_dir={notebook.parent.resolve()}", f"--LabApp.default_url=/lab/tree/{notebook.name}"]
    command = [sys.executable, "-m", "jupyterlab", *address]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    if options.no_browser:
        command.append("--no-browser")
    if options.dry_run:
        print(" ".join(command))
        return 0
    if os.name == "posix":  # JupyterLab takes this process over: Control-C ends it and its kernels, as it should
        os.execv(command[0], command)
    try:
        return subprocess.call(command)
    except KeyboardInterrupt:
        return 0


def place_notebooks(folder: Path) -> Path:
    """The quick start: that of a clone as it is; otherwise a copy in the folder, where nothing is written over."""
    package = Path(__file__).resolve().parents[1]
    clone = package.parent / "notebooks" / QUICK_START
    if clone.is_file() and (package.parent / "pyproject.toml").is_file():
        return clone
    shipped = package / "notebooks"
    if not (shipped / QUICK_START).is_file():
        raise FileError("the notebooks are not in this installation", where=str(shipped), remedy="install it anew")
    for source in sorted(shipped.rglob("*")):
        target = folder / source.relative_to(shipped)
        if source.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    print_status(f"the notebooks are in {folder}")
    return folder / QUICK_START
