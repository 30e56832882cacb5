"""Files are written whole or not at all, and only where a file may be."""

from __future__ import annotations

import os
import resource
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets import export
from mbwidgets.__main__ import main
from mbwidgets.errors import FileError
from mbwidgets.files import whole

MODEL = mb.library.pendulum(1)
OLD = "what was here before"


@pytest.fixture(scope="module")
def motion() -> Any:
    return mb.simulate(MODEL, duration=0.2, rate=20)


WRITERS: dict[str, Callable[[Any, Path], object]] = {
    "model.json": lambda motion, path: mb.save(MODEL, path),
    "motion.csv": lambda motion, path: export.csv(motion, path, reactions=True),
    "table.csv": lambda motion, path: motion.table().to_csv(path),
    "picture.png": lambda motion, path: export.png(motion, path, width=80, height=60),
    "film.gif": lambda motion, path: export.gif(motion, path, rate=10, width=80, height=60),
    "page.html": lambda motion, path: export.html(mb.Explorer(MODEL), path, sliders=False),
    "formulae.tex": lambda motion, path: export.tex(mb.covariant(MODEL).metric, path),
    "derive.txt": lambda motion, path: main(["derive", "pendulum", "-o", str(path)]),
    "simulate.csv": lambda motion, path: main(["simulate", "pendulum", "--duration", "0.1", "--csv", str(path)]),
    "key.json": lambda motion, path: _save_key(path),
    "answers.json": lambda motion, path: mb.assignments.save_answers(path, "course", "s1", {"q": 1}),
    "grades.csv": lambda motion, path: _grade(path),
}
IN_PROCESS = [name for name in WRITERS if name not in ("derive.txt", "simulate.csv", "grades.csv")]


def _key() -> Any:
    a = mb.assignments
    template = a.Template("rotor", mb.library.rotor(), {"m": a.Grid(5, 15, "0.5")})
    return a.Assignment("course", template, [a.Scalar(name="q", answer="m")])


def _save_key(path: Path) -> None:
    mb.assignments.save_key(_key(), path)


def _grade(path: Path) -> None:
    from mbwidgets.assignments.batch import grade_all

    folder = path.parent / "submissions"
    folder.mkdir(exist_ok=True)
    mb.assignments.save_key(_key(), path.parent / "key of the class.json")
    grade_all(folder, path.parent / "key of the class.json", path)


@contextmanager
def full_disk(room: int = 64) -> Iterator[None]:
    """No file of this process can grow past so many bytes: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _left(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir() if ".tmp" in item.name)


@pytest.mark.parametrize("name", IN_PROCESS)
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(name: str, motion: Any, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(OLD)
    WRITERS[name](motion, tmp_path / f"first {name}")  # caches are warm before the disk is full
    with full_disk(), pytest.raises(FileError):
        WRITERS[name](motion, path)
    assert path.read_text() == OLD
    assert _left(tmp_path) == []


@pytest.mark.parametrize("name", WRITERS)
def test_an_interrupt_leaves_the_old_file_and_nothing_beside_it(
    name: str, motion: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(OLD)

    def interrupted(source: Any, target: Any) -> None:
        # other files of the same run are let through
        if Path(target) != path.resolve():
            replace(source, target)
            return
        raise KeyboardInterrupt

    replace = os.replace
    monkeypatch.setattr(whole.os, "replace", interrupted)
    try:
        code = WRITERS[name](motion, path)
    except KeyboardInterrupt:
        code = 130
    assert code
    assert path.read_text() == OLD
    assert _left(tmp_path) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_pipe_stays_a_pipe(name: str, motion: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    try:
        code = WRITERS[name](motion, path)
    except FileError as error:
        assert "pipe" in str(error)  # noqa: PT017
    else:
        assert code, capsys.readouterr()
        assert "pipe" in capsys.readouterr().err
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert _left(tmp_path) == []


def test_a_link_to_a_pipe_is_refused_and_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    # pipes of our own, never a device of the machine: a failure would destroy it
    pipe, away, link, real = (tmp_path / f"{name}.json" for name in ("pipe", "away", "link", "real"))
    os.mkfifo(pipe)
    away.symlink_to(pipe)
    with pytest.raises(FileError, match="device or a pipe"):
        mb.save(MODEL, away)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    real.write_text(OLD)
    real.chmod(0o640)
    link.symlink_to(real)
    mb.save(MODEL, link)
    assert link.is_symlink()
    assert mb.load(real) == MODEL
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_does_not_exist_is_told_before_the_work(
    name: str, motion: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in ("mbwidgets.commands.simulate_.find_model", "mbwidgets.commands.derive_.find_model"):
        monkeypatch.setattr(place, lambda *_: pytest.fail("the work was begun"))
    path = tmp_path / "nowhere" / name
    if name == "grades.csv":
        monkeypatch.setattr("mbwidgets.assignments.batch.load_key", lambda *_: pytest.fail("the work was begun"))
        with pytest.raises(FileError, match="no such folder"):
            mb.assignments.grade_all(tmp_path, tmp_path / "key.json", path)
        return
    try:
        code = WRITERS[name](motion, path)
    except FileError as error:
        assert "no such folder" in str(error)  # noqa: PT017
    else:
        assert code
        assert "no such folder" in capsys.readouterr().err


def test_a_very_long_name_is_an_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="too long"):
        mb.save(MODEL, tmp_path / ("ü" * 240 + ".json"))
    assert _left(tmp_path) == []
