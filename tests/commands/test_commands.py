"""Commands of the terminal: what they print, what they write, and with which code they end."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import time
from fractions import Fraction
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


def _run(*arguments: str, options: tuple[str, ...] = (), **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *options, "-m", "mbwidgets", *arguments]
    return subprocess.run(command, capture_output=True, env={**os.environ, **environment}, check=False)


# what no encoding has is written by one rule; ASCII has the least
RICHER = [pytest.param(name, marks=pytest.mark.thorough) for name in ("latin-1", "cp1252")]


@pytest.mark.parametrize("encoding", ["ascii", *RICHER])
@pytest.mark.parametrize(
    "command", [("list", "--long"), ("derive", "spinning_top", "--part", "metric"), ("check", "--no-browser")]
)
def test_a_terminal_without_utf_8_loses_no_result(command: tuple[str, ...], encoding: str) -> None:
    plain = _run(*command, PYTHONIOENCODING="utf-8")
    found = _run(*command, PYTHONIOENCODING=encoding)
    assert found.returncode == plain.returncode
    assert b"Traceback" not in found.stderr
    if command[0] != "check":  # which tells times
        assert found.stdout.decode(encoding) == plain.stdout.decode().encode(encoding, "backslashreplace").decode(
            encoding
        )


@pytest.mark.parametrize(
    "command", [("--help",), ("list",), ("list", "--long"), ("derive", "pendulum"), ("derive", "--help")]
)
def test_commands_need_no_docstrings(command: tuple[str, ...]) -> None:
    found = _run(*command, options=("-OO",), PYTHONIOENCODING="utf-8")
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout.strip()


@pytest.mark.parametrize(
    "arguments",
    [
        ("derive", "pendulum:" + "9" * 5000),
        ("simulate", "pendulum:" + "1" * 4400),
        ("export", "pendulum", "-o", "p.html", "--slider", "m=" + "9" * 5000),
        ("derive", "pendulum", "--set", "m=" + "9" * 5000),
        ("derive", "pendulum", "--set", "m=1e-400"),
        ("derive", "pendulum", "--set", "m=nan"),
        ("derive", "pendulum", "--seconds", "nan"),
    ],
    ids=range(7),
)
def test_absurd_numbers_are_refused_in_words(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(list(arguments)) == 1
    said = capsys.readouterr().err
    assert said.startswith("mbwidgets: ")
    assert len(said) < 400


def test_set_takes_exact_numbers() -> None:
    assert find_model("pendulum", ["m=1/3"]).values["m"] == Fraction(1, 3)
    assert find_model("pendulum", ["m=0.1"]).values["m"] == 0.1


@pytest.mark.parametrize("part", ["equations", "metric", "christoffel"])
def test_code_keeps_to_the_time_limit(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    begin = time.monotonic()
    assert main(["derive", "pendulum:60", "--part", part, "--code", "c", "--seconds", "0.02"]) == 1
    assert "longer than 0.02 s" in capsys.readouterr().err
    # the model itself, which no limit holds, takes one second; a loaded machine may be twenty times slower
    assert time.monotonic() - begin < 20.0
