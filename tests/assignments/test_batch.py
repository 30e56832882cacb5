"""Grading without a display: the command, its limits, its journal."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
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
    assert all("is not a file of this folder" in table[f"{s}/answers.json"]["feedback"] for s in ("s2", "s3"))
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


def test_right_answers_are_right_in_many_threads() -> None:
    letters = dict.fromkeys(("m", "e", "omega"))
    question = a.Symbolic(name="q", answer="m*e*omega**2*sin(e)**2/(1+m)", letters=letters)
    key = a.Assignment("mechanics-2026", assignment().template, [question])
    answer = "m*e*omega**2*(1-cos(2*e))/2/(m+1)"

    def share(number: int) -> float:
        return sum(key.check(f"s{number}", "q", answer).points for _ in range(40))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(share, range(8))) == [40.0] * 8


@pytest.mark.parametrize(
    "bad", [None, True, {"a": None}, "file:missing.csv", f"file:{'x' * 300}", float("nan"), [None]]
)
def test_one_unreadable_answer_costs_only_its_own_points(place: Path, bad: Any) -> None:
    answers: dict[str, Any] = {**right_answers("s1", motion=False), "static": bad}
    data = {"format": "mbwidgets-answers", "version": 1, "assignment": "rotor", "student": "s1", "answers": answers}
    (place / "in" / "s1.json").write_text(json.dumps(data))
    assert grade(place).failed == 0
    (row,) = rows(place)
    assert (row["static"], row["points"]) == ("0", "10")
    assert "static: " in row["feedback"]


def test_a_number_that_no_float_holds_costs_only_its_own_points(place: Path) -> None:
    answers = {**right_answers("s1", motion=False), "static": 0}
    data = {"format": "mbwidgets-answers", "version": 1, "assignment": "rotor", "student": "s1", "answers": answers}
    for digits in ("1e999", "1e-999", "9" * 500):
        (place / "in" / "s1.json").write_text(json.dumps(data).replace('"static": 0', f'"static": {digits}'))
        assert grade(place).failed == 0
        assert rows(place)[0]["points"] == "10"


def test_a_limit_that_is_raised_gives_another_try(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mbwidgets.assignments import batch

    hand_in(place / "in", "s1", right_answers("s1", motion=False))
    failing = [("s1.json", {"error": "it took longer than 1 s"})]
    with monkeypatch.context() as patch:
        patch.setattr(batch, "_graded", lambda *_: iter(failing))
        assert grade(place, seconds=1.0).failed == 1
    assert (grade(place, seconds=1.0).kept, grade(place, seconds=0.5).kept) == (1, 1)
    again = grade(place, seconds=60.0)
    assert (again.graded, again.failed) == (1, 0)
    assert rows(place)[0]["points"] == "12"
    with monkeypatch.context() as patch:
        patch.setattr(batch, "_graded", lambda *_: iter([("s1.json", {"error": "it needs more memory"})]))
        assert grade(place, again=True, memory=500).failed == 1
    assert grade(place, memory=1000).graded == 1


@pytest.mark.parametrize("name", ["motion of s1.csv", "Bewegung für s1.csv", " motion.csv"])
def test_a_corrected_table_is_graded_anew_whatever_its_name(place: Path, name: str) -> None:
    own = a.Assignment("mechanics-2026", assignment().template, assignment().questions[6:])
    a.save_key(own, place / "key.json")
    (place / "in" / "s1").mkdir()
    data = {"format": "mbwidgets-answers", "version": 1, "assignment": "rotor", "student": "s1"}
    text = json.dumps({**data, "answers": {"motion": f"file:{name}"}})  # "ü" as \\u00fc, as many programs write it
    (place / "in" / "s1" / "answers.json").write_text(text)
    table = place / "in" / "s1" / name.strip()
    table.write_text("t,q\n0,1\n")
    grade(place)
    assert rows(place)[0]["points"] == "0"
    table.write_text(right_answers("s1")["motion"])
    assert grade(place).graded == 1
    assert rows(place)[0]["points"] == "1"


def _journal_changed(place: Path, change: Any) -> None:
    path = place / "grades.csv.journal"
    record = json.loads(path.read_text())
    path.write_text(change(record) if callable(change) else change)


DAMAGE: dict[str, Any] = {
    "no results": lambda record: json.dumps({**record, "grade": {**record["grade"], "results": []}}),
    "a number": lambda record: json.dumps({**record, "grade": 5}),
    "null": lambda record: json.dumps({**record, "grade": None}),
    "a result is a number": lambda record: json.dumps({**record, "grade": {**record["grade"], "results": [1] * 6}}),
    "points as text": lambda record: json.dumps({**record, "grade": {**record["grade"], "points": "12"}}),
    "another sum": lambda record: json.dumps({**record, "grade": {**record["grade"], "points": 99}}),
    "a bare error": lambda record: json.dumps({k: v for k, v in record.items() if k != "grade"} | {"error": 5}),
    "brackets": "[" * 200_000,
    "braces": '{"a":' * 200_000,
    "a list": "[1, 2]\n",
    "bytes": "\x00\x01\n",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_line_of_the_journal_is_graded_anew(place: Path, damage: str) -> None:
    hand_in(place / "in", "s1", right_answers("s1", motion=False))
    grade(place)
    _journal_changed(place, DAMAGE[damage])
    summary = grade(place)
    assert (summary.graded, summary.kept, summary.failed) == (1, 0, 0)
    assert rows(place)[0]["points"] == "12"


def test_a_file_name_that_is_not_utf_8_stops_nobody(place: Path) -> None:
    hand_in(place / "in", "good", right_answers("good", motion=False))
    text = (place / "in" / "good.json").read_bytes().replace(b'"good"', b'"other"')
    with open(os.fsencode(place / "in") + b"/caf\xe9.json", "wb") as stream:
        stream.write(text)
    summary = grade(place)
    assert (summary.total, summary.failed) == (2, 0)
    assert {row["student"] for row in rows(place)} == {"good", "other"}
    assert grade(place).kept == 2


@pytest.mark.parametrize("name", ["=1+1", "＝1+1", "﹦1+1", "＋1", "－1", "＠x", " =1+1", "\u3000＝1"])
def test_no_spreadsheet_takes_a_cell_for_a_formula(name: str) -> None:
    from mbwidgets.assignments.batch import _cell

    assert _cell(name).startswith("'")
    assert _cell("Ümit = 1") == "Ümit = 1"


@pytest.mark.parametrize("seconds", ["inf", "nan", "-1", "1e18"])
def test_a_time_limit_without_end_is_refused(place: Path, seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(place / "in", "s1", {})
    options = [str(place / "in"), "--key", str(place / "key.json"), "--csv", str(place / "grades.csv")]
    assert main(["grade", *options, "--seconds", seconds]) == 1
    assert "seconds" in capsys.readouterr().err
