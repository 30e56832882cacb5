"""What notices a tolerance: each is made ten times as large and as small, and the tests of constraints are run.

    python tools/tolerances.py                    # all, some forty minutes
    python tools/tolerances.py DEPENDENT          # one

A tolerance that nothing notices in either direction has room, or lacks a test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from mbwidgets.numeric.base.tolerances import TABLE

CLONE: Final = Path(__file__).resolve().parents[1]
TESTS: Final = (
    "tests/numeric/simulation/test_constrained.py",
    "tests/numeric/simulation/test_constraint_faults.py",
    "tests/numeric/simulation/test_turning_loops.py",
    "tests/numeric/simulation/test_scales.py",
    "tests/numeric/simulation/test_pathologies.py",
    "tests/numeric/states",
    "tests/numeric/kernels",
)
FAILED: Final = re.compile(r"^FAILED \S+/(\w+)\.py::(\w+)", re.MULTILINE)


def noticed(name: str, factor: float) -> list[str]:
    """The tests that fail when one tolerance is so many times as large."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("mbwidgets", "tests"):
            shutil.copytree(
                CLONE / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "browser", "static")
            )
        shutil.copy(CLONE / "pyproject.toml", copy)
        file = copy / "mbwidgets" / "numeric" / "base" / "tolerances.py"
        pattern = rf'(_declare\(\s*"{name}",\s*)([0-9.e+-]+)'
        text, count = re.subn(
            pattern, lambda match: f"{match[1]}{float(match[2]) * factor!r}", file.read_text(encoding="utf-8")
        )
        assert count == 1, name
        file.write_text(text, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": folder}
        translate = "from mbwidgets.numeric.engines.translate.entries import write_products; write_products()"
        subprocess.run([sys.executable, "-c", translate], cwd=copy, env=environment, check=True)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:nbval", "-p", "no:cacheprovider", *TESTS]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    return sorted({f"{file}::{test}" for file, test in FAILED.findall(done.stdout)})


def main(names: list[str]) -> None:
    """Print, for each tolerance and each direction, how many tests fail and which."""
    for name in names or TABLE:
        for sign, factor in (("× 10", 10.0), ("÷ 10", 0.1)):
            found = noticed(name, factor)
            print(f"{name} {sign}: {len(found)}", *found[:3], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
