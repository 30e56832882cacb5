"""What grading one question gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

__all__ = ["Result", "Verdict"]


class Verdict(StrEnum):
    """How an answer was judged."""

    RIGHT = "right"
    PARTLY = "partly right"
    WRONG = "not right"
    UNREADABLE = "could not be read"
    MISSING = "not answered"
    READ = "read, not judged"


@dataclass(frozen=True)
class Result:
    """The points of one question, and what is said about the answer.

    Attributes
    ----------
    points, possible : earned, and to be had
    feedback : sentences that help without giving the answer
    method : how formulae were compared
    """

    question: str
    verdict: Verdict
    points: float
    possible: float
    feedback: tuple[str, ...] = ()
    method: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "question": self.question,
            "verdict": str(self.verdict),
            "points": self.points,
            "possible": self.possible,
            "feedback": list(self.feedback),
            **({"method": self.method} if self.method else {}),
        }

    def __str__(self) -> str:
        return (
            f"{self.question}: {self.verdict}, {self.points:g} of {self.possible:g}. {' '.join(self.feedback)}".strip()
        )


def judged_result(name: str, share: float, possible: float, feedback: tuple[str, ...] = (), method: str = "") -> Result:
    """A result from the share of the points, rounded so that it prints the same everywhere."""
    points = round(possible * share, 6)
    verdict = Verdict.RIGHT if share >= 1 else Verdict.PARTLY if points > 0 else Verdict.WRONG
    return Result(name, verdict, points, possible, feedback, method)


def share_of_points(right: list[bool], right_value_is_zero: list[bool]) -> float:
    """The share of the points for components that are right.

    Entries whose right value is zero earn nothing (an empty vector would be partly right) but cost one when wrong.
    """
    if all(right):
        return 1.0
    wanted = [good for good, none in zip(right, right_value_is_zero, strict=True) if not none]
    spoilt = sum(1 for good, none in zip(right, right_value_is_zero, strict=True) if none and not good)
    return max(0.0, (sum(wanted) - spoilt) / len(wanted)) if wanted else sum(right) / len(right)
