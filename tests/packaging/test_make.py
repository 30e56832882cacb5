"""The Makefile: what is installed for whom, and that nothing is installed twice."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import mbwidgets as mb

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


def test_kernels_have_the_time_that_a_loaded_machine_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".ready").touch()
    command = ["make", "--dry-run", f"VENV={tmp_path}", "notebooks"]
    out = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, timeout=60, check=True).stdout
    told = re.search(r"--nbval-kernel-startup-timeout (\d+)", out)
    assert told is not None
    assert int(told[1]) >= 600  # the usual minute is ten times what an idle machine needs

    def started(*_: Any, **options: Any) -> None:
        raise _StartedError(options["startup_timeout"])

    monkeypatch.setattr("nbclient.NotebookClient", started)
    with pytest.raises(_StartedError) as found:
        mb.export.notebook(CLONE / "notebooks" / "00_quickstart.ipynb", tmp_path / "page.html")
    assert found.value.args[0] >= 600


class _StartedError(Exception):
    """Instead of a kernel."""
