"""The grading widget without a page: inputs, check, record."""

from __future__ import annotations

from pathlib import Path

import ipywidgets
import pytest

import mbwidgets as mb
from mbwidgets import assignments as a
from mbwidgets.assignments import FEEDBACK, Verdict
from tests.assignments.samples import COURSE, assignment, right_answers, template


def pages_of(view: mb.AssignmentView) -> str:
    return " ".join(row.verdict.value for row in view._rows.values()) + view._sum.value


def test_answers_are_checked_and_recorded_for_the_grader(tmp_path: Path) -> None:
    view = mb.AssignmentView(assignment(), "s1", tmp_path / "mine.json")
    view.answers = right_answers("s1")
    view.check_all()
    assert {result.verdict for result in view.results.values()} == {Verdict.RIGHT}
    assert "13 of 13 points" in view._sum.value
    view.record()
    handed_in = a.load_answers(tmp_path / "mine.json")
    assert assignment().grade(handed_in.student, handed_in.answers).points == 13 == view.grade.points
    assert "written to mine.json" in view._sum.value
    view.close()


def test_a_wrong_answer_is_told_why_and_may_be_mended() -> None:
    view = mb.AssignmentView(assignment(), "s1")
    view.answers = {"static": "[0, -m*e, 0]"}
    assert view.check("static").verdict is Verdict.WRONG
    assert FEEDBACK["sign"][:20] in pages_of(view)
    view.answers = {"static": "[0, m*e, 0]"}
    assert view.check("static").verdict is Verdict.RIGHT
    assert view.tries["static"] == 2
    with pytest.raises(mb.UnknownNameError):
        view.check("nothing")


def test_a_text_that_arrives_after_its_click_is_the_one_that_is_checked() -> None:
    view = mb.AssignmentView(assignment(), "s1")
    row = view._rows["static"]
    row.button.click()
    assert view.results["static"].verdict is Verdict.MISSING
    row.answer.value = "[0, m*e, 0]"
    assert view.results["static"].verdict is Verdict.RIGHT
    assert view.tries["static"] == 1
    row.clicked -= 60
    row.answer.value = "[0, 0, 0]"
    assert "static" not in view.results
    assert "changed, not checked" in pages_of(view)


def test_the_students_version_reads_and_does_not_judge() -> None:
    view = mb.AssignmentView(assignment().public(), "s1")
    view.answers = {"static": "[1, 2, 3]", "deviation": "[1"}
    view.check_all()
    assert view.results["static"].verdict is Verdict.READ
    assert view.results["deviation"].verdict is Verdict.UNREADABLE
    assert "points" not in view._sum.value


def test_a_record_that_cannot_be_written_is_said_and_the_widget_lives(tmp_path: Path) -> None:
    view = mb.AssignmentView(assignment(), "s1", tmp_path / "no" / "such" / "x.json")
    view.record()
    assert "not written" in view._sum.value
    assert view.check("static").verdict is Verdict.MISSING


def test_texts_of_a_file_are_only_text_in_the_page() -> None:
    evil = "<script>alert(1)</script> $x$ <img src=x onerror=alert(1)>"
    question = a.Scalar(name="x", text=evil, answer="1", mistakes=[a.Mistake(evil, "2")])
    view = mb.AssignmentView(a.Assignment(evil, template(), [question]), evil)
    view.answers = {"x": "2"}
    view.check("x")
    shown = "".join(str(w.value) for w in walk(view) if isinstance(w, ipywidgets.HTML))
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert "$x$" not in shown


def test_a_closed_view_leaves_no_widgets() -> None:
    from ipywidgets.widgets.widget import _instances

    before = set(_instances)
    view = mb.AssignmentView(assignment(), "s1")
    assert len(set(_instances) - before) > 10
    view.close()
    assert set(_instances) - before == set()


def test_what_is_no_assignment_is_refused() -> None:
    with pytest.raises(mb.AssignmentError):
        mb.AssignmentView(3, "s1")  # type: ignore[arg-type]
    with pytest.raises(mb.AssignmentError):
        mb.AssignmentView(a.Assignment(COURSE, template(), assignment().questions), "")


def walk(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    return [widget, *(part for child in getattr(widget, "children", ()) for part in walk(child))]
