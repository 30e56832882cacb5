"""A class's submissions, graded by a few processes with limits on time and memory, and resumed after a kill.

Every grade goes to a journal beside the table before the next submission is taken; a run that finds the journal grades
only what is new or changed. The table is written whole at the end, sorted, the same for the same submissions.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
import queue
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..errors import AssignmentError, FileError, MbwidgetsError, shorten
from ..files.text import read_text
from ..files.whole import writable_path, write_whole
from ..version import VERSION
from .assignment import Assignment
from .journal import Journal
from .keyfile import MAX_ANSWERS, load_key, read_answers, read_table_in_folder, table_files_by_question

__all__ = ["Summary", "grade_all"]

START_SECONDS: Final = 300.0
"""For a worker to start; the first may have to compile."""
MAX_JOBS: Final = 64
MAX_SECONDS: Final = 1e6
MAX_MEMORY: Final = 10**7
FORMULA: Final = frozenset("=+-@")
# -P: a folder of submissions that one works in is no place to import from
WORKER = ["-P", "-m", "mbwidgets.assignments.worker"]


@dataclass(frozen=True)
class Summary:
    """What a run did: submissions in all, graded now, taken from the journal, not gradable; and the records."""

    total: int
    graded: int
    kept: int
    failed: int
    records: tuple[dict[str, Any], ...]


def grade_all(
    folder: str | os.PathLike[str],
    key: str | os.PathLike[str],
    table: str | os.PathLike[str],
    *,
    jobs: int = 2,
    seconds: float = 10.0,
    memory: int = 1000,
    again: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Grade ``folder/*.json`` and ``folder/*/answers.json`` with a key, into a CSV table.

    Parameters
    ----------
    jobs : processes
    seconds, memory : what one submission may take; megabytes
    again : grade everything anew instead of going on with the journal ``<table>.journal``
    progress : called with how many are done, and how many there are
    """
    given = ((jobs, MAX_JOBS), (seconds, MAX_SECONDS), (memory, MAX_MEMORY))
    if not all(_is_number(value) and 0 < value <= largest for value, largest in given):
        raise AssignmentError(
            f"jobs = {shorten(jobs)}, seconds = {shorten(seconds)}, memory = {shorten(memory)}",
            where="grade",
            remedy=f"give positive numbers, at most {MAX_JOBS}, {MAX_SECONDS:g} s and {MAX_MEMORY:g} MB",
        )
    writable_path(table)
    assignment = load_key(key)
    unkeyed = [question.name for question in assignment.questions if not question.has_key]
    if unkeyed:
        raise AssignmentError(f"it has no answer for {', '.join(unkeyed)}", where="key", remedy="give the full key")
    place = Path(folder)
    files = submissions(place)
    journal = Journal(Path(f"{table}.journal"))
    if again:
        journal.clear()
    stamp = {"key_hash": assignment.hash, "version": VERSION}
    wanted = {name: {"file": name, "sha256": fingerprint(place / name), **stamp} for name in files}
    limits = {"seconds": float(seconds), "memory": int(memory)}
    names = [question.name for question in assignment.questions]
    done = {
        record["file"]: record
        for record in journal.records()
        if isinstance(record.get("file"), str)
        and record["file"] in wanted
        and _matches(record, wanted[record["file"]])
        and (_is_grade(record.get("grade"), names) if "grade" in record else _still_fails(record, limits))
    }
    kept = len(done)
    waiting = [name for name in files if name not in done]
    report = progress or (lambda _done, _total: None)
    report(len(done), len(files))
    with journal:
        for name, outcome in _graded(place, waiting, [os.fspath(key), str(int(memory))], jobs, seconds):
            done[name] = {**wanted[name], **outcome, **({"limits": limits} if "error" in outcome else {})}
            journal.write(done[name])
            report(len(done), len(files))
    records = tuple(done[name] for name in files)
    write_whole(table, table_of(assignment, records))
    failed = sum(1 for record in records if "error" in record)
    return Summary(len(files), len(waiting), kept, failed, records)


def submissions(folder: Path) -> list[str]:
    """The names of the submissions, relative to the folder, sorted; links are not followed."""
    try:
        if not folder.is_dir():
            raise FileError("not a folder", where=folder.name, remedy="give the folder of the submissions")
        found = [*folder.glob("*.json"), *folder.glob("*/answers.json")]
        regular = [path for path in found if path.is_file() and not path.is_symlink() and not path.parent.is_symlink()]
    except OSError as error:
        raise FileError(error.strerror or str(error), where=folder.name, remedy="check its rights") from None
    return sorted(path.relative_to(folder).as_posix() for path in regular)


def fingerprint(path: Path) -> str:
    """SHA-256 of a submission and of the tables beside it that it names."""
    digest = hashlib.sha256()
    try:
        text = read_text(path, MAX_ANSWERS)
    except MbwidgetsError as error:
        return hashlib.sha256(str(error).encode(errors="replace")).hexdigest()
    digest.update(text.encode(errors="replace"))
    try:
        tables = table_files_by_question(read_answers(text, path.name))
    except MbwidgetsError:
        tables = {}
    for name in sorted(set(tables.values())):
        try:
            beside = read_table_in_folder(path.parent, name)
        except MbwidgetsError as error:
            beside = str(error)
        digest.update(b"\0" + name.encode(errors="replace") + b"\0" + beside.encode(errors="replace"))
    return digest.hexdigest()


def _matches(record: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(record.get(name) == value for name, value in wanted.items())


def _still_fails(record: dict[str, Any], limits: dict[str, Any]) -> bool:
    """Whether a failure counts still: with more time or memory than it had the submission is tried again."""
    had = record.get("limits")
    if not isinstance(record.get("error"), str) or not isinstance(had, dict):
        return False
    return all(_is_number(had.get(name)) and value <= had[name] for name, value in limits.items())


def _is_grade(grade: Any, names: Sequence[str]) -> bool:
    """Whether a record of the journal holds a whole grade of these questions; else the submission is graded anew."""
    if not isinstance(grade, dict) or not isinstance(grade.get("results"), list):
        return False
    results = grade["results"]
    texts = ("student", "seed", "model_hash", "key_hash", "version")
    whole = all(isinstance(grade.get(name), str) for name in texts)
    whole = whole and all(_is_number(grade.get(name)) for name in ("points", "possible"))
    whole = whole and all(isinstance(result, dict) for result in results)
    if not whole or [result.get("question") for result in results] != list(names):
        return False
    if not all(_is_number(result.get(name)) for result in results for name in ("points", "possible")):
        return False
    told = all(
        isinstance(result.get("feedback"), list) and all(isinstance(text, str) for text in result["feedback"])
        for result in results
    )
    # written with six digits: a row whose sum is another has been changed
    return told and all(
        abs(sum(result[name] for result in results) - grade[name]) <= 1e-5 for name in ("points", "possible")
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class _Worker:
    """A process that grades, restarted when it has died or had to be killed."""

    def __init__(self, arguments: Sequence[str], seconds: float) -> None:
        self._arguments = [sys.executable, *WORKER, *arguments]
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None

    def _ask(self, line: str | None, seconds: float) -> tuple[dict[str, Any] | None, bool]:
        """The reply, and whether the time ran out."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            if line is not None:
                process.stdin.write(line + "\n")
                process.stdin.flush()
            reply = process.stdout.readline()
            return (json.loads(reply) if reply.endswith("\n") else None), late.is_set()
        except (OSError, ValueError):
            return None, late.is_set()
        finally:
            timer.cancel()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        ready, _ = self._ask(None, START_SECONDS)
        if ready is None or "ready" not in ready:
            self.close()
            raise AssignmentError("a grading process does not start", remedy="try: mbwidgets check")

    def grade(self, path: str) -> dict[str, Any]:
        """What the worker says about a submission."""
        if self._process is None:
            self._start()
        reply, late = self._ask(json.dumps(path), self._seconds)
        if reply is not None and not late:
            return reply
        self.close()
        why = f"it took longer than {self._seconds:g} s" if late else "the grading process ended: too much memory?"
        return {"error": why}

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _graded(folder: Path, names: Sequence[str], arguments: Sequence[str], jobs: int, seconds: float) -> Any:
    """(name, outcome) of each submission as it is graded, by so many workers."""
    tasks: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in names:
        tasks.put(name)
    results: queue.SimpleQueue[tuple[str, dict[str, Any]] | BaseException] = queue.SimpleQueue()
    stopping = threading.Event()

    def work() -> None:
        worker = _Worker(arguments, seconds)
        try:
            while not stopping.is_set():
                name = tasks.get_nowait()
                results.put((name, worker.grade(str(folder / name))))
        except queue.Empty:
            pass
        except BaseException as error:
            results.put(error)
        finally:
            worker.close()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(jobs, len(names)))]
    for thread in threads:
        thread.start()
    try:
        for _ in names:
            result = results.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        stopping.set()
        for thread in threads:
            thread.join(timeout=seconds + 5)


def table_of(assignment: Assignment, records: Sequence[dict[str, Any]]) -> str:
    """The grades as CSV text: one row a submission, one column a question."""
    names = [question.name for question in assignment.questions]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    last = ("feedback", "seed", "model_hash", "key_hash", "version", "note")
    writer.writerow(["student", "file", "points", "possible", *names, *last])
    seen: dict[str, str] = {}
    rows = []
    for record in records:
        grade = record.get("grade")
        if grade is None:
            row = ["", record["file"], 0, f"{assignment.possible:g}", *[""] * len(names), "", "", ""]
            rows.append([*row, record["key_hash"], record["version"], record["error"]])
            continue
        points = [f"{result['points']:g}" for result in grade["results"]]
        told = " ".join(f"{r['question']}: {' '.join(r['feedback'])}" for r in grade["results"] if r["feedback"])
        row = [grade["student"], record["file"], f"{grade['points']:g}", f"{grade['possible']:g}", *points, told]
        note = _note(record["file"], grade["student"], seen)
        rows.append([*row, grade["seed"], grade["model_hash"], grade["key_hash"], grade["version"], note])
    for row in sorted(rows, key=lambda row: (row[0], row[1])):
        writer.writerow([_cell(cell) for cell in row])
    return out.getvalue()


def _note(file: str, student: str, seen: dict[str, str]) -> str:
    place = Path(file)
    owner = place.parent.name if place.name == "answers.json" and place.parent.name else place.stem
    first = seen.setdefault(student, file)
    notes = [] if owner == student else [f"the file is named for {owner!r}"]
    return "; ".join([*notes, *([] if first == file else [f"the same student as in {first!r}"])])


def _cell(value: Any) -> str:
    """Text that no spreadsheet takes for a formula, in whatever width its signs are written, and that is UTF-8."""
    text = str(value).encode(errors="backslashreplace").decode()
    first = unicodedata.normalize("NFKC", text.lstrip())[:1]
    return f"'{text}" if first in FORMULA or text[:1] in ("\t", "\r") else text
