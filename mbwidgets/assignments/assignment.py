"""An assignment: a template, questions, and the grade of one student's answers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ..errors import AssignmentError, CompatibilityError, MbwidgetsError, UnknownNameError, shorten
from ..version import VERSION as PACKAGE
from .answers import answer_text
from .questions import Question, read_question
from .results import Result, Verdict
from .variants import Template, Variant, normalised_name

__all__ = ["Assignment", "Grade"]

FORMAT: Final = "mbwidgets-assignment"
VERSION: Final = 1
MAX_QUESTIONS: Final = 100


@dataclass(frozen=True)
class Grade:
    """All results of one student, with what it takes to reproduce them.

    Attributes
    ----------
    results : one `Result` a question
    seed : of the variant
    model_hash, key_hash : SHA-256 of the student's model file, and of the key
    version : of mbwidgets
    """

    course: str
    assignment: str
    student: str
    results: tuple[Result, ...]
    seed: str
    model_hash: str
    key_hash: str
    version: str

    @property
    def points(self) -> float:
        """Earned."""
        return round(sum(result.points for result in self.results), 6)

    @property
    def possible(self) -> float:
        """To be had."""
        return round(sum(result.possible for result in self.results), 6)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        names = ("course", "assignment", "student", "points", "possible", "seed", "model_hash", "key_hash", "version")
        own = {name: getattr(self, name) for name in names}
        return {**own, "results": [result.to_dict() for result in self.results]}

    def __str__(self) -> str:
        lines = [f"{self.assignment}, {self.student}: {self.points:g} of {self.possible:g}"]
        return "\n".join([*lines, *(f"  {result}" for result in self.results)])


@dataclass(frozen=True, eq=False)
class Assignment:
    """Questions about each student's own variant of a model.

    Parameters
    ----------
    course : the key of the draw
    template : the model and its draws; its name is the assignment's
    questions : `Scalar`, `Vector`, `Matrix`, `Symbolic`, `FreeChoice`, `MotionTable`
    """

    course: str
    template: Template
    questions: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "course", normalised_name(self.course, "course"))
        if not isinstance(self.template, Template):
            raise AssignmentError(f"{shorten(self.template)} is not a Template", remedy="give a Template")
        given = self.questions
        if not isinstance(given, list | tuple) or not 1 <= len(given) <= MAX_QUESTIONS:
            raise AssignmentError("the questions are not a list", remedy=f"give 1 to {MAX_QUESTIONS} questions")
        questions = tuple(read_question(item) for item in given)
        names = [question.name for question in questions]
        for name in names:
            if names.count(name) > 1:
                raise AssignmentError(f"two questions are named {name!r}", remedy="rename one")
        object.__setattr__(self, "questions", questions)

    @property
    def name(self) -> str:
        """The template's name."""
        return self.template.name

    @property
    def possible(self) -> float:
        """Points to be had."""
        return float(sum(question.points for question in self.questions))

    def variant(self, student: str) -> Variant:
        """The student's numbers and model."""
        return Variant(self.course, student, self.template)

    def question(self, name: str) -> Question:
        """A question by its name."""
        for question in self.questions:
            if question.name == name:
                return question  # type: ignore[no-any-return]
        known = ", ".join(question.name for question in self.questions)
        raise UnknownNameError(f"no question {shorten(name)}", where=self.name, remedy=f"known: {known}")

    def grade(self, student: str, answers: Mapping[str, Any]) -> Grade:
        """The grade for answers by question; what is missing earns nothing."""
        variant = self.variant(student)
        results = tuple(_judge(question, answers.get(question.name, ""), variant) for question in self.questions)
        return Grade(
            self.course,
            self.name,
            variant.student_id,
            results,
            variant.seed,
            variant.model_hash,
            self.hash,
            PACKAGE,
        )

    def check(self, student: str, question: str, answer: Any) -> Result:
        """Judge one answer: a text, numbers, a list, an array or a formula."""
        return _judge(self.question(question), answer, self.variant(student))

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the assignment's JSON form, hexadecimal."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def public(self) -> Assignment:
        """The students' version: no right answers, no mistakes."""
        return Assignment.from_dict(self.to_dict(secret=False))

    def to_dict(self, secret: bool = True) -> dict[str, Any]:
        """The JSON form; without ``secret`` the students' version."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "course": self.course,
            "template": self.template.to_dict(),
            "questions": [question.to_dict(secret) for question in self.questions],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Assignment:
        """The assignment that a JSON object describes."""
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise AssignmentError("this is not an assignment", remedy=f'its "format" should be "{FORMAT}"')
        if data.get("version") != VERSION:
            raise CompatibilityError(f"version {shorten(data.get('version'))}", remedy=f"this package reads {VERSION}")
        if set(data) != {"format", "version", "course", "template", "questions"}:
            raise AssignmentError(f"its fields are {shorten(sorted(data))}", remedy="give course, template, questions")
        return cls(data["course"], Template.from_dict(data["template"]), data["questions"])

    def __repr__(self) -> str:
        return f"Assignment {self.name!r} of {self.course!r}: {len(self.questions)} questions, {self.possible:g} points"


def _judge(question: Question, answer: Any, variant: Variant) -> Result:
    try:
        text = answer_text(answer)
    except MbwidgetsError as error:
        return Result(question.name, Verdict.UNREADABLE, 0.0, question.points, (f"{error}.",))
    return question.grade(text, variant)
