"""The tests that the ready assignments give to otter-grader: plain asserts with the feedback as their message."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.assignments.test_nbgrader import BUILD, NAMES

RIGHT = {"rotor": ("q1", "[0, m*e, 0]"), "arm": ("q3", "[0, m*g*l*cos(q[1])]")}
RIGHT["crusher"] = ("q3", "[[-m*R*sin(q[0]), -m*a*sin(q[1])], [m*R*cos(q[0]), m*a*cos(q[1])]]")


def written(name: str, question: str, folder: Path) -> Path:
    path = folder / f"{question}.py"
    path.write_text(BUILD.otter_tests(name)[question], encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_a_test_file_passes_the_right_answer_and_fails_the_wrong(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without otter: its decorator marks a function, and otter calls it with the notebook's variables."""
    otter, files = ModuleType("otter"), ModuleType("otter.test_files")
    files.test_case = lambda **options: lambda function: function  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "otter", otter)
    monkeypatch.setitem(sys.modules, "otter.test_files", files)
    question, right = RIGHT[name]
    spec = importlib.util.spec_from_file_location("otter_test", written(name, question, tmp_path))
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run = getattr(module, f"test_{question}")
    assert (module.OK_FORMAT, module.name) == (False, question)
    run("s1", right)
    with pytest.raises(AssertionError, match="It is twice what it should be"):
        run("s1", right.replace("m*", "2*m*"))
    with pytest.raises(AssertionError, match="not answered"):
        run("s1", "")


@pytest.mark.parametrize("name", NAMES)
def test_otter_itself_runs_the_files(name: str, tmp_path: Path) -> None:
    exceptions = pytest.importorskip("otter.test_files.exception_test", reason="otter-grader is not installed")
    question, right = RIGHT[name]
    points = BUILD.assignment(name).question(question).points
    for answer, wanted in ((right, points), ("", 0)):
        file = exceptions.ExceptionTestFile.from_file(str(written(name, question, tmp_path)))
        file.run({"student": "s1", question: answer})
        assert (file.score, file.possible) == (wanted, points)
