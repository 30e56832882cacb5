"""Grading without a display: the command, its limits, its journal."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import mbwidgets as mb
from mbwidgets import assignments as a
from mbwidgets.__main__ import main
from mbwidgets.assignments.batch import grade_all
from mbwidgets.assignments.journal import Journal
from tests.assignments.samples import assignment, right_answers

KEY = a.Assignment("mechanics-2026", assignment().template, assignment().questions[:6])


def hand_in(folder: Path, student: str, answers: dict[str, str]) -> None:
    a.save_answers(folder / f"{student}.json", "rotor", student, answers)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    a.save_key(KEY, tmp_path / "key.json")
    return tmp_path


def grade(place: Path, **options: Any) -> Any:
    return grade_all(place / "in", place / "key.json", place / "grades.csv", **options)


def rows(place: Path) -> list[dict[str, str]]:
    with open(place / "grades.csv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_class_is_graded_the_same_twice_and_changes_are_seen(place: Path) -> None:
    for i in range(6):
        answers = right_answers(f"s{i}", motion=False)
        hand_in(place / "in", f"s{i}", dict(list(answers.items())[: i + 1]))
    first = grade(place)
    assert (first.total, first.graded, first.kept, first.failed) == (6, 6, 0, 0)
    text = (place / "grades.csv").read_bytes()
    assert [row["points"] for row in rows(place)] == ["2", "3", "7", "8", "10", "12"]
    again = grade(place)
    assert (again.graded, again.kept) == (0, 6)
    assert grade(place, again=True, jobs=1).graded == 6
    assert (place / "grades.csv").read_bytes() == text
    hand_in(place / "in", "s0", right_answers("s0", motion=False))
    assert (grade(place).graded, rows(place)[0]["points"]) == (1, "12")


def test_every_row_can_be_reproduced_from_what_it_carries(place: Path) -> None:
    hand_in(place / "in", "s1", right_answers("s1", motion=False))
    grade(place)
    (row,) = rows(place)
    variant = KEY.variant(row["student"])
    assert row["seed"] == variant.seed
    assert row["model_hash"] == a.model_hash(variant.model)
    assert (row["key_hash"], row["version"]) == (KEY.hash, mb.__version__)


def test_broken_foreign_and_doubtful_files_are_noted_and_harm_nobody(place: Path) -> None:
    hand_in(place / "in", "good", right_answers("good", motion=False))
    (place / "in" / "broken.json").write_text('{"format": ')
    (place / "in" / "huge.json").write_text("[" * 5_000_000)
    (place / "in" / "empty.json").write_text("")
    a.save_answers(place / "in" / "other.json", "another", "other", {})
    a.save_answers(place / "in" / "borrowed.json", "rotor", "good", {})
    a.save_answers(place / "in" / "formula.json", "rotor", "=cmd()", {"static": "@x"})
    (place / "in" / "link.json").symlink_to("/etc/passwd")
    (place / "in" / "s9").mkdir()
    a.save_answers(place / "in" / "s9" / "answers.json", "rotor", "s9", right_answers("s9", motion=False))
    summary = grade(place)
    assert (summary.total, summary.failed) == (8, 4)
    table = {row["file"]: row for row in rows(place)}
    assert table["good.json"]["points"] == table["s9/answers.json"]["points"] == "12"
    assert "not JSON" in table["broken.json"]["note"]
    assert "another" in table["other.json"]["note"]
    assert "'borrowed'" in table["borrowed.json"]["note"]
    assert table["formula.json"]["student"] == "'=cmd()"  # no spreadsheet runs it
    assert "link.json" not in table


def test_a_table_is_read_from_the_own_folder_only(place: Path) -> None:
    own = a.Assignment("mechanics-2026", assignment().template, assignment().questions[6:])
    a.save_key(own, place / "key.json")
    for student, name in (("s1", "file:motion.csv"), ("s2", "file:../key.json"), ("s3", "file:/etc/passwd")):
        (place / "in" / student).mkdir()
        a.save_answers(place / "in" / student / "answers.json", "rotor", student, {"motion": name})
    (place / "in" / "s1" / "motion.csv").write_text(right_answers("s1")["motion"])
    grade(place)
    table = {row["file"]: row for row in rows(place)}
    assert table["s1/answers.json"]["points"] == "1"
    assert all("is not a file of this folder" in table[f"{s}/answers.json"]["note"] for s in ("s2", "s3"))
    (place / "in" / "s1" / "motion.csv").write_text("t,q\n0,1\n")
    assert grade(place).graded == 1
    assert rows(place)[2]["points"] == "0"


SLOW = """
import time, sys
from mbwidgets.assignments import worker
inner = worker.load_answers
def answers(path):
    if path.endswith("slow.json"): time.sleep(1000)
    if path.endswith("large.json"): x = bytearray(2 * 10**9)
    if path.endswith("dies.json"): import os; os._exit(7)
    return inner(path)
worker.load_answers = answers
sys.exit(worker.main(sys.argv[1:]))
"""


def test_a_slow_a_large_and_a_dying_submission_do_not_stop_the_others(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "dies", "large", "slow", "z"):
        hand_in(place / "in", name, right_answers(name, motion=False))
    (place / "slow_worker.py").write_text(SLOW)
    from mbwidgets.assignments import batch

    monkeypatch.setattr(batch, "WORKER", [str(place / "slow_worker.py")])
    summary = grade(place, seconds=6.0, memory=500)
    notes = {row["file"]: row["note"] for row in rows(place)}
    assert summary.failed == 3
    assert notes["slow.json"] == "it took longer than 6 s"
    assert notes["large.json"] == "it needs more memory than is allowed"
    assert "ended" in notes["dies.json"]
    assert notes["a.json"] == notes["z.json"] == ""


def test_a_killed_run_goes_on_and_loses_nothing(place: Path) -> None:
    for i in range(60):
        hand_in(place / "in", f"s{i:02}", right_answers(f"s{i:02}", motion=False))
    command = [sys.executable, "-m", "mbwidgets", "grade", str(place / "in"), "--key", str(place / "key.json")]
    command += ["--csv", str(place / "grades.csv")]
    journal = Journal(place / "grades.csv.journal")
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while len(list(journal.records())) < 10 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(20)
    before = list(journal.records())
    assert not (place / "grades.csv").exists()
    with open(journal.path, "ab") as stream:  # what a kill in the middle of a write leaves
        stream.write(b'{"file": "s59.json", "sha')
    summary = grade(place)
    assert summary.kept == len(before) >= 10
    assert summary.graded == 60 - len(before)
    text = (place / "grades.csv").read_bytes()
    assert list(journal.records())[: len(before)] == before
    grade(place, again=True)
    assert (place / "grades.csv").read_bytes() == text


def test_another_key_grades_everything_anew(place: Path) -> None:
    hand_in(place / "in", "s1", right_answers("s1", motion=False))
    grade(place)
    other = a.Assignment("mechanics-2026", KEY.template, [KEY.questions[0]])
    a.save_key(other, place / "key.json")
    assert grade(place).graded == 1
    assert rows(place)[0]["possible"] == "2"


def test_the_command_grades_and_says_so(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(place / "in", "s1", right_answers("s1", motion=False))
    options = [str(place / "in"), "--key", str(place / "key.json"), "--csv", str(place / "grades.csv")]
    assert main(["grade", *options]) == 0
    said = capsys.readouterr()
    assert "1 submissions" in said.out
    assert "graded 1 of 1" in said.err
    assert main(["grade", str(place / "nowhere"), *options[1:]]) == 1
    a.save_key(KEY.public(), place / "public.json")
    options[2] = str(place / "public.json")
    assert main(["grade", *options]) == 1
    assert "no answer" in capsys.readouterr().err


def test_a_submission_file_can_be_read_back(tmp_path: Path) -> None:
    data = a.save_answers(tmp_path / "x.json", "rotor", "s1", {"q": [1, 2.5], "p": {"m": 1}})
    assert data["answers"] == {"q": "[1, 2.5]", "p": "m = 1"}
    assert a.load_answers(tmp_path / "x.json").answers == data["answers"]
    assert json.loads((tmp_path / "x.json").read_text()) == data
