"""A class of synthetic submissions: seconds on two processes, the same grades twice, nothing lost to ``kill -9``."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.dynamics import Report
from mbwidgets import assignments as a
from mbwidgets.assignments.journal import Journal
from tests.assignments.samples import assignment, right_answers

SEED = 9
WRONG = ("", "[0, 0, 0]", "nonsense(", "-3.5 kN", "[1, 2", "__import__('os')", "sin(" * 40, "p1 = 1, p2 = 2")


def hand_in(folder: Path, students: int) -> None:
    """Submissions of all kinds: right ones, and ones with some answers spoilt."""
    source = random.Random(SEED)
    for number in range(students):
        student = f"s{number:04}"
        answers = right_answers(student)
        for name in list(answers):
            if source.random() < 0.3:
                answers[name] = source.choice(WRONG)
        a.save_answers(folder / f"{student}.json", "rotor", student, answers)


def run(quick: bool = False) -> int:
    """Print the figures; returns how many targets were missed."""
    report = Report()
    students = 100 if quick else 1000
    with tempfile.TemporaryDirectory() as home:
        place = Path(home)
        (place / "in").mkdir()
        key = assignment()
        a.save_key(key, place / "key.json")
        hand_in(place / "in", students)
        begin = time.perf_counter()
        summary = a.grade_all(place / "in", place / "key.json", place / "one.csv")
        report.target(
            f"{summary.total} submissions of {len(key.questions)} answers", time.perf_counter() - begin, 60, " s"
        )
        a.grade_all(place / "in", place / "key.json", place / "two.csv")
        first, second = (place / "one.csv").read_bytes(), (place / "two.csv").read_bytes()
        report.target("different grades on a second run", int(first != second), 0)
        kept, lost = killed(place, students // 3)
        third = (place / "three.csv").read_bytes()
        report.target(f"grades lost of {kept} when killed", lost, 0)
        report.target("different grades after the kill", int(first != third), 0)
    return report.missed


def killed(place: Path, after: int) -> tuple[int, int]:
    """How many grades a run had when it was killed, and how many of them the next run did not keep."""
    command = [sys.executable, "-m", "mbwidgets", "grade", str(place / "in"), "--key", str(place / "key.json")]
    command += ["--csv", str(place / "three.csv")]
    journal = Journal(place / "three.csv.journal")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, start_new_session=True, **quiet)
    while process.poll() is None and len(list(journal.records())) < after:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    had = len(list(journal.records()))
    summary = a.grade_all(place / "in", place / "key.json", place / "three.csv")
    return had, had - summary.kept
