"""Questions: full marks, partial credit, and feedback on the usual mistakes that never gives the answer away."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mbwidgets as mb
from mbwidgets import assignments as a
from mbwidgets.assignments import FEEDBACK, Verdict
from tests.assignments.samples import COURSE, assignment, right_answers, template

KEY = assignment()
STUDENT = "s1234567"
OWN = {name: float(value) for name, value in KEY.variant(STUDENT).numbers.items()}


def test_right_answers_get_full_marks_and_no_answers_none() -> None:
    full = KEY.grade(STUDENT, right_answers(STUDENT))
    assert [str(result.verdict) for result in full.results] == ["right"] * 7, str(full)
    assert full.points == full.possible == 13
    assert KEY.grade(STUDENT, {}).points == 0


@given(st.text("abcdefgh0123456789", min_size=1, max_size=12))
def test_right_answers_are_right_for_every_student(student: str) -> None:
    grade = KEY.grade(student, right_answers(student, motion=False))
    assert grade.points == grade.possible - 1, str(grade)


def test_another_students_numbers_are_not_right() -> None:
    other = KEY.variant("s7654321").numbers
    answer = [0, float(other["m"] * other["e"]), 0]
    assert KEY.check("s7654321", "static", answer).verdict is Verdict.RIGHT
    assert KEY.check(STUDENT, "static", answer).verdict is Verdict.WRONG


m, e, c, Jxz, omega = (OWN[name] for name in ("m", "e", "c", "Jxz", "omega"))
WRONG: list[tuple[str, Any, str, float]] = [
    ("static", [0, -m * e, 0], FEEDBACK["sign"], 0),
    ("static", [m * e, 0, 0], FEEDBACK["order"], 0),
    ("static", [0, 2 * m * e, 0], FEEDBACK["double"], 0),
    ("static", [0, m * e / 2, 0], FEEDBACK["half"], 0),
    ("static", "[0, m*e, 0] g m", FEEDBACK["power of ten"], 0),
    ("static", [0, 9.81 * m * e, 0], FEEDBACK["weight"], 0),
    ("static", "[0, m*e, 0] N", "The unit measures something else: the answer is asked in kg m.", 0),
    ("deviation", [Jxz, 0, 0], FEEDBACK["pole"], 0.25),
    ("tensor", [[m * e**2, 0], [2 * m, m * c**2]], FEEDBACK["transposed"], 4 / 3),
    ("tensor", [[m * e**2, -2 * m], [0, m * c**2]], FEEDBACK["some signs"], 8 / 3),
    ("speed", omega * math.cos(e) * 180 / math.pi, FEEDBACK["degrees"], 0),
    ("speed", omega * math.cos(e) / (2 * math.pi), FEEDBACK["turns"], 0),
    ("force", "[m*e*omega**2, -m*e*alpha, 0]", FEEDBACK["sign"], 0),
    ("force", "[m*e*omega**2, m*e*alpha, 0]", FEEDBACK["some signs"], 1),
    ("force", "[-2*m*e*omega**2, 2*m*e*alpha, 0]", FEEDBACK["double"], 0),
    ("force", "[m*e*alpha, -m*e*omega**2, 0]", FEEDBACK["order"], 0),
    ("force", "[-m*e*omega, m*e*alpha, 0]", "2 of 3 formulae are right; look at number 1.", 1),
    ("balance", f"p1 = 0, p2 = {-m * e}", "The deviation moment is not zero.", 1),
    ("balance", "p1 = 99, p2 = 0", "p1 is outside its bounds -5 … 5.", 0),
]


@pytest.mark.parametrize(("question", "answer", "feedback", "points"), WRONG, ids=range(len(WRONG)))
def test_a_usual_mistake_gets_its_feedback(question: str, answer: Any, feedback: str, points: float) -> None:
    result = KEY.check(STUDENT, question, answer)
    assert (result.feedback, result.points) == ((feedback,), pytest.approx(points, abs=1e-6)), str(result)


def test_a_calculator_set_to_degrees_is_recognised() -> None:
    question = a.Scalar(name="x", answer="m*sin(omega) + 1", unit="N")
    own = a.Assignment(COURSE, template(), [question])
    wrong = m * math.sin(math.radians(omega)) + 1
    assert own.check(STUDENT, "x", wrong).feedback == (FEEDBACK["degree mode"],)


@pytest.mark.parametrize(
    ("change", "feedback"),
    [
        (lambda rows: [[t, -q, -u] for t, q, u in rows], FEEDBACK["sign"]),
        (lambda rows: [[t, math.degrees(q), math.degrees(u)] for t, q, u in rows], FEEDBACK["degrees"]),
        (lambda rows: [[t, u, q] for t, q, u in rows], FEEDBACK["order"]),
        (
            lambda rows: [[t, q + (t > 0.25) * 9, u] for t, q, u in rows],
            "It leaves the right motion near t = 0.3 s.",
        ),
        (lambda rows: [[t, q + 9, u] for t, q, u in rows], "It does not begin in the initial state that is given."),
    ],
    ids=range(5),
)
def test_a_wrong_motion_gets_its_feedback(change: Any, feedback: str) -> None:
    lines = right_answers(STUDENT)["motion"].splitlines()[1:]
    rows = change([[float(cell) for cell in line.split(",")] for line in lines])
    text = "\n".join(",".join(map(repr, row)) for row in rows)
    result = KEY.check(STUDENT, "motion", text)
    assert result.feedback == (feedback,)


def test_no_feedback_gives_a_number_of_the_answer_away() -> None:
    secret = {f"{value:.3g}" for value in (m * e, Jxz - m * e * c, m * e**2, m * c**2, omega * math.cos(e))}
    for question, answer, _, _ in WRONG:
        told = " ".join(KEY.check(STUDENT, question, answer).feedback)
        assert not any(number in told for number in secret)


@given(st.floats(-0.9e-3, 0.9e-3), st.floats(1.1e-3, 1e-2))
def test_the_relative_tolerance_is_kept(inside: float, outside: float) -> None:
    assert KEY.check(STUDENT, "speed", omega * math.cos(e) * (1 + inside)).verdict is Verdict.RIGHT
    assert KEY.check(STUDENT, "speed", omega * math.cos(e) * (1 + outside)).verdict is Verdict.WRONG


def test_units_are_converted() -> None:
    assert KEY.check(STUDENT, "speed", f"{omega * math.cos(e) * 30 / math.pi!r} rpm").verdict is Verdict.RIGHT
    assert KEY.check(STUDENT, "static", f"[0, {1e3 * m * e!r}, 0] g m").verdict is Verdict.RIGHT


def test_a_zero_beside_a_large_component_is_not_lost_in_its_tolerance() -> None:
    question = a.Vector(name="x", answer="[800, 0, 1/4]", relative=1e-3)
    own = a.Assignment(COURSE, template(), [question])
    assert own.check(STUDENT, "x", "[800.5, 1e-16, 0.25]").verdict is Verdict.RIGHT
    assert own.check(STUDENT, "x", "[800, 0.5, 0.25]").verdict is Verdict.PARTLY


def test_zeros_alone_earn_nothing() -> None:
    assert KEY.check(STUDENT, "static", "[0, 0, 0]").points == 0
    assert KEY.check(STUDENT, "force", "[0, 0, 0]").points == 0
    assert KEY.check(STUDENT, "tensor", "[[0, 0], [0, 0]]").points == 0


def test_the_students_version_holds_no_answer() -> None:
    public = KEY.public()
    text = json.dumps(public.to_dict())
    for secret in ("m*e", "conditions", "mistakes", "omega*cos", "answer"):
        assert secret not in text
    assert public.check(STUDENT, "static", right_answers(STUDENT)["static"]).verdict is Verdict.READ
    assert public.check(STUDENT, "static", "[1, 2]").verdict is Verdict.UNREADABLE
    assert public.check(STUDENT, "motion", right_answers(STUDENT)["motion"]).verdict is Verdict.READ
    assert public.grade(STUDENT, right_answers(STUDENT)).points == 0


def test_a_key_survives_its_file_and_carries_its_hash(tmp_path: Any) -> None:
    a.save_key(KEY, tmp_path / "key.json")
    again = a.load_key(tmp_path / "key.json")
    assert again.hash == KEY.hash
    grade = again.grade(STUDENT, right_answers(STUDENT))
    assert grade.to_dict() == KEY.grade(STUDENT, right_answers(STUDENT)).to_dict()
    assert (grade.version, grade.seed) == (mb.__version__, KEY.variant(STUDENT).seed)
    assert grade.model_hash == a.model_hash(KEY.variant(STUDENT).model)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "1"},
        {"name": ["x"]},
        {"points": -1},
        {"points": "1"},
        {"points": float("nan")},
        {"unit": "parsec"},
        {"unit": 3},
        {"answer": "[1, 2"},
        {"answer": 3},
        {"mistakes": [{"kind": "sign"}]},
        {"mistakes": [{"kind": "sign", "answer": "3"}]},
        {"mistakes": 5},
        {"relative": 2},
        {"extra": 1},
        {"type": "riddle"},
        {"text": 5},
    ],
)
def test_a_question_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    data = {**KEY.questions[0].to_dict(), **change}
    with pytest.raises(mb.MbwidgetsError):
        a.Assignment(COURSE, template(), [data])


def test_score_and_demand_serve_graders(capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(KEY.to_dict())
    assert a.score(text, STUDENT, "static", [0, m * e, 0]) == 2
    assert "right, 2 of 2" in capsys.readouterr().out
    a.demand(text, STUDENT, "static", [0, m * e, 0])
    with pytest.raises(AssertionError, match="opposite"):
        a.demand(text, STUDENT, "static", [0, -m * e, 0])
    with pytest.raises(mb.UnknownNameError):
        a.score(text, STUDENT, "nothing", 1)
