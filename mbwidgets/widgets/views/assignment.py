"""`AssignmentView`: the questions of an assignment with a place for each answer, a check and a record.

With a key every check is judged at once, for practice and for lectures. With the students' version of an assignment a
check only says whether the answer can be read as what is asked, and the record is handed in.
"""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import ipywidgets

from ...assignments.assignment import Assignment, Grade
from ...assignments.keyfile import save_answers
from ...assignments.questions import Question
from ...assignments.results import Result, Verdict
from ...assignments.variants import Variant
from ...errors import AssignmentError, MbwidgetsError, shorten
from ..base.lifetime import close_previous_run, close_tree, escape

__all__ = ["AssignmentView"]

GOOD: Final = "#007A59"
BAD: Final = "#B34700"
QUIET: Final = "#595959"
MARKS: Final[dict[Verdict, tuple[str, str]]] = {
    Verdict.RIGHT: ("●", GOOD),
    Verdict.PARTLY: ("◐", BAD),
    Verdict.WRONG: ("▲", BAD),
    Verdict.UNREADABLE: ("▲", BAD),
    Verdict.MISSING: ("○", QUIET),
    Verdict.READ: ("●", QUIET),
}
GRACE: Final = 2.0
"""Seconds: the page may send a click before the text that was typed before it."""
LONG: Final = frozenset({"matrix", "symbolic", "motion", "free choice"})


class _Row(ipywidgets.VBox):
    """One question: what is asked, the answer, a check and what came of it."""

    def __init__(self, view: AssignmentView, question: Question) -> None:
        self.question = question
        self.tries = 0
        self.result: Result | None = None
        self.clicked = -GRACE
        head = (
            f"<div style='line-height:20px'><b>{escape(question.name)}</b> "
            f"<span style='color:{QUIET}'>· {question.points:g} {'point' if question.points == 1 else 'points'}</span>"
            f" &ensp;{escape(question.text)}</div>"
        )
        kind = ipywidgets.Textarea if question.type in LONG else ipywidgets.Text
        options = {"rows": 4 if question.type == "motion" else 2} if question.type in LONG else {}
        self.answer = kind(
            placeholder=question.hint(),
            continuous_update=False,
            tooltip=f"Your answer to {question.name}",
            layout={"flex": "1 1 auto", "width": "auto"},
            **options,
        )
        self.button = ipywidgets.Button(
            description="check", tooltip=f"Check {question.name}", layout={"width": "72px", "flex": "0 0 auto"}
        )
        self.button.on_click(lambda _: view._on_click(self))
        self.answer.observe(lambda _: view._on_text(self), "value")
        self.verdict = ipywidgets.HTML(layout={"margin": "0"})
        line = ipywidgets.HBox([self.answer, self.button], layout={"align_items": "flex-start", "width": "100%"})
        super().__init__(
            [ipywidgets.HTML(head, layout={"margin": "0"}), line, self.verdict],
            layout={"margin": "0 0 10px 0", "width": "100%"},
        )

    def show(self, result: Result) -> None:
        """Tell about a result."""
        self.result = result
        mark, colour = MARKS[result.verdict]
        points = "" if result.verdict is Verdict.READ else f" · {result.points:g} of {result.possible:g}"
        said = " ".join(escape(sentence) for sentence in result.feedback)
        self.verdict.value = (
            "<div role='status' style='line-height:20px;font-size:12px;white-space:normal'>"
            f"<span style='color:{colour};font-weight:600'>{mark} {escape(result.verdict)}{points}</span>"
            f"{f' &ensp;{said}' if said else ''}</div>"
        )

    def clear(self) -> None:
        """Forget the result: the answer has changed since."""
        if self.result is not None:
            self.result = None
            self.verdict.value = (
                f"<div style='line-height:20px;font-size:12px;color:{QUIET}'>changed, not checked</div>"
            )


class AssignmentView(ipywidgets.VBox):
    """An assignment to be answered in the page.

    Parameters
    ----------
    assignment : with its key, or the students' version (`Assignment.public`)
    student : whose numbers
    path : where `record` writes the answers; ``<assignment>-<student>.json`` in the current folder by default

    >>> a = mb.assignments
    >>> question = a.Scalar(name="q1", text="The weight?", answer="m*g", unit="N")
    >>> key = a.Assignment("course", a.Template("rotor", mb.library.rotor(), {"m": a.Grid(5, 15, "0.5")}), [question])
    >>> mb.AssignmentView(key, "s1").close()
    """

    def __init__(self, assignment: Assignment, student: str, path: str | Path | None = None) -> None:
        if not isinstance(assignment, Assignment):
            raise AssignmentError(f"{shorten(assignment)} is not an Assignment", remedy="give load_key(…)")
        self.assignment = assignment
        self.variant = assignment.variant(student)
        self.path = Path(path) if path is not None else Path(_file_name(assignment.name, self.variant.student_id))
        self._rows = {question.name: _Row(self, question) for question in assignment.questions}
        self._sum = ipywidgets.HTML(layout={"margin": "0 0 0 8px"})
        buttons = [
            self._button("check all", "Check every answer", self.check_all),
            self._button("record", "Write the answers to a file", self.record),
        ]
        foot = ipywidgets.HBox([*buttons, self._sum], layout={"align_items": "center"})
        head = ipywidgets.HTML(_heading(assignment, self.variant), layout={"margin": "0 0 10px 0"})
        super().__init__([head, *self._rows.values(), foot], layout={"max_width": "900px"})
        self._tell()
        close_previous_run(self)

    def _button(self, text: str, tooltip: str, action: Any) -> Any:
        button = ipywidgets.Button(description=text, tooltip=tooltip, layout={"width": "auto", "padding": "0 12px"})
        button.on_click(lambda _: action())
        return button

    @property
    def answers(self) -> dict[str, str]:
        """The texts as they stand, by question."""
        return {name: row.answer.value for name, row in self._rows.items()}

    @answers.setter
    def answers(self, texts: dict[str, str]) -> None:
        for name, text in texts.items():
            self.assignment.question(name)
            self._rows[name].answer.value = text

    @property
    def results(self) -> dict[str, Result]:
        """What the latest check of each question gave."""
        return {name: row.result for name, row in self._rows.items() if row.result is not None}

    @property
    def tries(self) -> dict[str, int]:
        """How often each question has been checked."""
        return {name: row.tries for name, row in self._rows.items()}

    @property
    def grade(self) -> Grade:
        """The grade of the texts as they stand."""
        return self.assignment.grade(self.variant.student_id, self.answers)

    def check(self, name: str) -> Result:
        """Judge one answer and show the verdict."""
        row = self._rows[self.assignment.question(name).name]
        result = self.assignment.check(self.variant.student_id, name, row.answer.value)
        row.tries += 1
        row.show(result)
        self._tell()
        return result

    def _on_click(self, row: _Row) -> None:
        row.clicked = time.monotonic()
        self.check(row.question.name)

    def _on_text(self, row: _Row) -> None:
        """A text that comes just after the click was meant by it; a later one makes the verdict old."""
        if time.monotonic() - row.clicked < GRACE:
            row.tries -= 1
            self.check(row.question.name)
        else:
            row.clear()
            self._tell()

    def check_all(self) -> None:
        """Judge every answer."""
        for name in self._rows:
            self.check(name)

    def record(self) -> None:
        """Write the answers to the file; `mbwidgets grade` reads it."""
        try:
            save_answers(self.path, self.assignment.name, self.variant.student_id, self.answers)
        except MbwidgetsError as error:
            self._tell(f"not written: {error}", BAD)
            return
        self._tell(f"written to {self.path.name}", GOOD)

    def _tell(self, more: str = "", colour: str = QUIET) -> None:
        results = self.results.values()
        answered = sum(1 for text in self.answers.values() if text.strip())
        parts = [f"{answered} of {len(self._rows)} answered"]
        if all(question.has_key for question in self.assignment.questions):
            points = sum(result.points for result in results)
            parts.append(f"{points:g} of {self.assignment.possible:g} points")
        checks = sum(self.tries.values())
        parts.append(f"{checks} check{'' if checks == 1 else 's'}")
        said = f" · <span style='color:{colour}'>{escape(more)}</span>" if more else ""
        self._sum.value = f"<div role='status' style='font-size:13px'>{escape(' · '.join(parts))}{said}</div>"

    def close(self) -> None:
        """Take the widget and all of its parts out of the page."""
        for child in getattr(self, "children", ()):
            close_tree(child)
        if self.layout is not None:
            self.layout.close()
        super().close()


def _heading(assignment: Assignment, variant: Variant) -> str:
    cells = "".join(
        f"<td style='padding:1px 14px 1px 0'><span style='color:{QUIET}'>{escape(name)}</span> = "
        f"{escape(_shown(value))} {escape(assignment.template.model.parameters[name].unit)}</td>"
        for name, value in variant.values.items()
    )
    return (
        f"<div style='font-size:15px;font-weight:600'>{escape(assignment.name)}</div>"
        f"<div style='color:{QUIET};font-size:12px'>{escape(assignment.course)} · {escape(variant.student_id)} · "
        f"{assignment.possible:g} points</div><table style='font-size:13px'><tr>{cells}</tr></table>"
    )


def _shown(value: Any) -> str:
    decimal = f"{float(value):.6g}"
    return decimal if Fraction(decimal) == value else str(value)


def _file_name(*parts: str) -> str:
    plain = "-".join("".join(letter if letter.isalnum() else "_" for letter in part) for part in parts)
    return f"{plain[:100]}.json"
