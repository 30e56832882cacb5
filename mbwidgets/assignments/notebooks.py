"""Calls for the test cells of notebooks: `score` for nbgrader, `demand` for otter-grader and plain pytest."""

from __future__ import annotations

import re
from typing import Any, Final

from .answers import answer_text
from .assignment import Assignment
from .keyfile import read_key
from .results import Verdict

__all__ = ["demand", "preview", "score"]

SHOWN: Final = 600
_LONG: Final = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def preview(answer: Any) -> str:
    """What will be graded, shortened for the eye: six digits of a decimal, the beginning of a table."""
    text = answer_text(answer).strip()
    if not text:
        return "not answered yet"
    short = _LONG.sub(lambda found: f"{float(found[0]) + 0.0:.6g}", text[: 2 * SHOWN])
    lines = short.splitlines()
    return "\n".join([*lines[:3], "…"] if len(lines) > 4 else lines)[:SHOWN]


def score(key: str | Assignment, student: str, question: str, answer: Any) -> float:
    """The points of an answer, after its verdict and feedback are printed.

    nbgrader takes the number that a test cell ends with as partial credit.
    """
    assignment = read_key(key) if isinstance(key, str) else key
    result = assignment.check(student, question, answer)
    print(result)
    return result.points


def demand(key: str | Assignment, student: str, question: str, answer: Any) -> None:
    """As a plain assert: passes for full points, else fails with the feedback as its message."""
    assignment = read_key(key) if isinstance(key, str) else key
    result = assignment.check(student, question, answer)
    if result.verdict is not Verdict.RIGHT:
        raise AssertionError(str(result))
