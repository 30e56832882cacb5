"""Commands of the terminal: what they print, what they write, and with which code they end."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mbwidgets as mb
from mbwidgets.__main__ import main
from mbwidgets.commands import COMMANDS, lab_
from mbwidgets.commands.shared import Bar, find_model


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert "usage: mbwidgets" in capsys.readouterr().out


def test_what_is_not_understood_ends_with_two() -> None:
    for arguments in ([], ["dance"], ["simulate"], ["derive", "pendulum", "--part", "soul"]):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        assert end.value.code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "pendulumm"], "no mechanism 'pendulumm'"),
        (["simulate", "nowhere.json"], "no such file"),
        (["simulate", "pendulum", "--set", "m"], "write it as m2=7.5"),
        (["simulate", "pendulum", "--set", "m=nan"], "write it as m2=7.5"),
        (["simulate", "pendulum", "--set", "zz=1"], "zz"),
        (["simulate", "pendulum:x"], "pendulum:3"),
        (["derive", "pendulum", "--code", "cobol"], "cobol"),
        (["export", "pendulum", "-o", "pendulum.doc"], ".html"),
        (["export", "pendulum", "-o", "nowhere/pendulum.html"], "no such folder"),
        (["export", "nowhere.ipynb"], "no such notebook"),
        (["export", "pendulum", "--slider", "m"], "write it as m2=7"),
    ],
)
def test_what_cannot_be_done_ends_with_one_and_says_why(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert error.startswith("mbwidgets: ")
    assert message in error


def test_list_names_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out.split() == list(mb.library.names())


def test_simulate_writes_the_motion_and_its_reactions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.csv"
    options = ["--set", "m2=7", "--duration", "1", "--rate", "10", "--csv", str(path), "--reactions"]
    assert main(["simulate", "three_body_arm", *options]) == 0
    assert "11 frames to 1 s" in capsys.readouterr().out
    motion = mb.simulate(mb.library.three_body_arm().with_values(m2=7), duration=1, rate=10)
    with path.open(newline="") as file:
        names, *rows = csv.reader(file)
    table = np.array(rows, dtype=float)
    assert names[:4] == ["t", "q base", "q upper", "q fore"]
    assert np.array_equal(table[:, 1:4], motion.q), "all digits"
    assert np.array_equal(table[:, names.index("Fx fore")], motion.reactions("fore")[:, 0])


def test_simulate_ends_with_one_when_the_motion_is_not_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "walking_figure", "--duration", "1e5", "--rate", "0.1", "--seconds", "0.05"]) == 1
    assert "computed to its end" not in capsys.readouterr().out


def test_derive_prints_text_latex_and_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    equations = mb.covariant(mb.library.pendulum(2))
    assert main(["derive", "pendulum:2", "--part", "metric"]) == 0
    assert capsys.readouterr().out.strip() == str(equations.metric)
    assert main(["derive", "pendulum:2", "--part", "metric", "--latex"]) == 0
    assert capsys.readouterr().out.strip() == equations.metric.latex()
    assert main(["derive", "pendulum:2", "--code", "c"]) == 0
    assert capsys.readouterr().out.strip() == equations.code("c").strip()
    path = tmp_path / "equations.tex"
    assert main(["derive", "pendulum:2", "--latex", "-o", str(path)]) == 0
    text = path.read_text()
    assert text.startswith("\\documentclass")
    assert equations.equations().latex() in text


def test_files_are_models_too(tmp_path: Path) -> None:
    mb.save(mb.library.pendulum(2), tmp_path / "two.json")
    assert find_model(str(tmp_path / "two.json"), []) == mb.library.pendulum(2)
    assert len(find_model("pendulum:4", []).bodies) == 4
    robot = Path(__file__).parents[1] / "files" / "arm.urdf"
    assert len(find_model(str(robot), []).bodies) > 0


def test_export_writes_each_kind_of_file(tmp_path: Path) -> None:
    for name, start in (("p.html", b"<!DOCTYPE html>"), ("p.png", b"\x89PNG"), ("p.gif", b"GIF8"), ("p.csv", b"t,q")):
        path = tmp_path / name
        arguments = ["export", "pendulum:2", "-o", str(path), "--duration", "0.2", "--no-sliders"]
        assert main(arguments) == 0
        assert path.read_bytes().startswith(start), name


def test_check_finds_this_machine_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--no-browser"]) == 0
    out = capsys.readouterr().out
    assert "✓ numpy" in out
    assert "✗" not in out


def test_lab_opens_the_quick_start_of_a_clone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "--dry-run", "--no-browser"]) == 0
    command = capsys.readouterr().out
    # the address that JupyterLab prints is made of these
    assert f"--ServerApp.root_dir={Path(__file__).parents[2] / 'notebooks'} " in command
    assert "--LabApp.default_url=/lab/tree/00_quickstart.ipynb" in command
    assert "--no-browser" in command


def test_lab_copies_the_notebooks_of_a_wheel_and_writes_nothing_over(tmp_path: Path, monkeypatch) -> None:
    package = tmp_path / "site" / "mbwidgets"
    (package / "commands").mkdir(parents=True)
    (package / "notebooks").mkdir()
    (package / "notebooks" / lab_.QUICK_START).write_text("new")
    (package / "notebooks" / "01.ipynb").write_text("new")
    monkeypatch.setattr(lab_, "__file__", str(package / "commands" / "lab_.py"))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "01.ipynb").write_text("what I changed")
    assert lab_.place_notebooks(mine).read_text() == "new"
    assert (mine / "01.ipynb").read_text() == "what I changed"


def test_the_bar_is_for_terminals_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, shown in ((Terminal(), True), (io.StringIO(), False)):
        with Bar("work", stream) as bar:
            for share in (0, 0.5, 1):
                bar(share)
        assert ("100 %" in stream.getvalue()) is shown
        assert bool(stream.getvalue()) is shown


def test_the_module_is_the_command_and_survives_a_closed_pipe() -> None:
    command = f"{sys.executable} -m mbwidgets list | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, env=os.environ)
    assert done.stdout.strip() == mb.library.names()[0]
    assert done.stderr == ""


def test_warm_says_when_the_kernels_are_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm"]) == 0
    assert "ready" in capsys.readouterr().out
