"""Two calls for the test cells of notebooks: `score` for nbgrader, `demand` for otter-grader and plain pytest."""

from __future__ import annotations

from typing import Any

from .assignment import Assignment
from .keyfile import read_key
from .results import Verdict

__all__ = ["demand", "score"]


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
