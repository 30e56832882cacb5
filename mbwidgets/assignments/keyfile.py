"""Files of assignments: the key (JSON), the answers of a student (JSON), tables beside them (CSV).

All are untrusted: read with limits, refused with typed errors, nothing in them is executed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import AssignmentError, FileError, MbwidgetsError, shorten
from ..files.jsonfile import parse_json, write_json
from ..files.text import as_path, read_text
from ..files.whole import write_whole
from .answers import answer_text
from .assignment import MAX_QUESTIONS, Assignment
from .motions import MAX_LENGTH
from .variants import normalised_name

__all__ = ["Submission", "load_answers", "load_key", "read_key", "save_answers", "save_key"]

ANSWERS: Final = "mbwidgets-answers"
MAX_ANSWERS: Final = 4_000_000
TABLE: Final = "file:"


@dataclass(frozen=True)
class Submission:
    """What a student handed in: texts by question, and what is wrong with the answers that are no text."""

    student: str
    assignment: str
    answers: Mapping[str, str]
    errors: Mapping[str, MbwidgetsError] = field(default_factory=dict)


def read_key(text: str | bytes, name: str = "key") -> Assignment:
    """The assignment that JSON text describes."""
    try:
        return Assignment.from_dict(parse_json(text, name))
    except MbwidgetsError as error:
        raise error if isinstance(error, FileError) else error.at(name) from None


def load_key(path: str | os.PathLike[str]) -> Assignment:
    """The assignment in a key file."""
    return read_key(read_text(path), as_path(path).name)


def save_key(assignment: Assignment, path: str | os.PathLike[str], *, secret: bool = True) -> None:
    """Write an assignment to a JSON file; without ``secret`` the students' version, with no right answer in it."""
    write_whole(path, write_json(assignment.to_dict(secret)))


def save_answers(
    path: str | os.PathLike[str], assignment: str, student: str, answers: Mapping[str, Any]
) -> dict[str, Any]:
    """Write a student's answers to a JSON file that `load_answers` and ``mbwidgets grade`` read."""
    data = {
        "format": ANSWERS,
        "version": 1,
        "assignment": normalised_name(assignment, "assignment"),
        "student": normalised_name(student, "student"),
        "answers": {str(name): answer_text(value) for name, value in answers.items()},
    }
    write_whole(path, write_json(data))
    return data


def load_answers(path: str | os.PathLike[str]) -> Submission:
    """The answers in a JSON file; an answer ``file:motion.csv`` is the table of that name in the same folder.

    An answer that cannot be read, or whose table is missing, stands among the ``errors`` and costs no other answer.
    """
    path = as_path(path)
    submission = read_answers(read_text(path, MAX_ANSWERS), path.name)
    texts, errors = dict(submission.answers), dict(submission.errors)
    for question, name in table_files_by_question(submission).items():
        try:
            texts[question] = read_table_in_folder(path.parent, name)
        except MbwidgetsError as error:
            errors[question] = error
            del texts[question]
    return Submission(submission.student, submission.assignment, texts, errors)


def table_files_by_question(submission: Submission) -> dict[str, str]:
    """The tables that answers name, by question."""
    return {
        question: text[len(TABLE) :].strip() for question, text in submission.answers.items() if text.startswith(TABLE)
    }


def read_answers(text: str | bytes, name: str = "answers") -> Submission:
    """The answers that JSON text describes; tables in other files are not opened."""
    # numbers stay as they are written: what one of them says is that answer's affair
    data = parse_json(text, name, numbers=str)
    if not isinstance(data, Mapping) or data.get("format") != ANSWERS or data.get("version") != "1":
        raise AssignmentError(
            "these are not answers", where=name, remedy=f'"format" should be "{ANSWERS}", "version" 1'
        )
    answers = data.get("answers")
    if set(data) != {"format", "version", "assignment", "student", "answers"} or not isinstance(answers, Mapping):
        raise AssignmentError("the fields are wrong", where=name, remedy="give assignment, student, answers")
    if len(answers) > MAX_QUESTIONS:
        raise AssignmentError(f"{len(answers)} answers", where=name, remedy=f"give at most {MAX_QUESTIONS}")
    texts: dict[str, str] = {}
    errors: dict[str, MbwidgetsError] = {}
    for key, value in answers.items():
        try:
            texts[key] = answer_text(value)
        except MbwidgetsError as error:
            errors[key] = error
    try:
        student, assignment = (
            normalised_name(data["student"], "student"),
            normalised_name(data["assignment"], "assignment"),
        )
    except MbwidgetsError as error:
        raise error.at(name) from None
    return Submission(student, assignment, texts, errors)


def read_table_in_folder(folder: Path, name: str) -> str:
    """A table beside the answers: a plain file name, so that no path leaves the folder; a link is not followed."""
    place = folder / name
    plain = name == Path(name).name and name not in ("", ".", "..") and "\\" not in name and "\0" not in name
    if not plain or os.path.islink(place):
        raise AssignmentError(f"{shorten(name)} is not a file of this folder", remedy="give its name alone")
    return read_text(place, MAX_LENGTH)
