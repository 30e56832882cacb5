"""The Makefile: what is installed for whom, and that nothing is installed twice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("there", "goal", "installed"),
    [
        ((), "lab", ".[lab]"),
        ((), "setup", ".[lab,test]"),
        ((".lab",), "lab", None),
        ((".lab",), "setup", ".[lab,test]"),
        ((".ready",), "lab", None),
        ((".lab", ".ready"), "setup", None),
    ],
)
def test_each_goal_installs_what_it_needs_and_only_once(
    there: tuple[str, ...], goal: str, installed: str | None, tmp_path: Path
) -> None:
    for stamp in there:
        (tmp_path / stamp).touch()
    command = ["make", "--dry-run", f"VENV={tmp_path}", goal]
    out = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, timeout=60, check=True).stdout
    assert ("pip install" in out) == (installed is not None)
    assert installed is None or f"--editable '{installed}'" in out
