"""A question: what every kind shares. Kinds: `Scalar`, `Vector`, `Matrix`, `Symbolic`, `FreeChoice`, `MotionTable`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from ..errors import AssignmentError, MbwidgetsError, shorten
from .mistakes import Mistake
from .results import Result, Verdict, judged_result
from .variants import Variant

__all__ = ["Question", "read_question", "register_question"]

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}\Z", re.ASCII)
MAX_TEXT: Final = 5000
MAX_MISTAKES: Final = 50
MAX_POINTS: Final = 1000.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """One question of an assignment.

    Parameters
    ----------
    name : a short name, such as ``q1``
    text : what is asked, Markdown
    points : to be had
    unit : of the answer; an answer in another unit is converted, one without is taken to be in this
    mistakes : wrong answers that are foreseen

    ``SECRET`` names the fields that the students' version leaves out.
    """

    type: ClassVar[str] = ""
    SECRET: ClassVar[tuple[str, ...]] = ("answer", "mistakes")
    name: Any
    text: Any = ""
    points: float = 1.0
    unit: str = ""
    mistakes: Any = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or NAME.match(self.name) is None:
            raise AssignmentError(
                f"{shorten(self.name)} cannot name a question", remedy="use a letter, then letters, digits and '_'"
            )
        if not isinstance(self.text, str) or len(self.text) > MAX_TEXT:
            raise self.refused("the text is not a short text", "give Markdown")
        self.number("points", 0.0, MAX_POINTS)
        if not isinstance(self.mistakes, list | tuple) or len(self.mistakes) > MAX_MISTAKES:
            raise self.refused("the mistakes are not a short list", "give [Mistake(kind, answer), …]")
        object.__setattr__(self, "mistakes", tuple(Mistake.from_dict(item) for item in self.mistakes))

    @property
    def has_key(self) -> bool:
        """Whether the right answer is known here."""
        return True

    def grade(self, answer: str, variant: Variant) -> Result:
        """Judge a text. A text that cannot be read earns nothing; no text makes this fail."""
        if not answer.strip():
            return Result(self.name, Verdict.MISSING, 0.0, self.points)
        try:
            given = self._given(answer, variant)
            if not self.has_key:
                return self._read(given)
            if isinstance(given, str):
                return judged_result(self.name, 0.0, self.points, (given,))
            return self._judge(given, variant)
        except MbwidgetsError as error:
            return Result(self.name, Verdict.UNREADABLE, 0.0, self.points, (f"{error}.",))
        except RecursionError:
            return Result(self.name, Verdict.UNREADABLE, 0.0, self.points, ("It is nested too deeply.",))

    def _given(self, answer: str, variant: Variant) -> Any:
        """What an answer says; as a text, why its form is not the one that is asked for."""
        raise NotImplementedError

    def _judge(self, given: Any, variant: Variant) -> Result:
        raise NotImplementedError

    def _read(self, given: Any) -> Result:
        """Without the key: whether the answer has the form that is asked for."""
        if isinstance(given, str):
            return Result(self.name, Verdict.UNREADABLE, 0.0, self.points, (given,))
        return Result(self.name, Verdict.READ, 0.0, self.points)

    def hint(self) -> str:
        """How the answer is written."""
        return "a number"

    def refused(self, problem: str, remedy: str) -> AssignmentError:
        """An error about this question."""
        return AssignmentError(problem, where=f"question {shorten(self.name)}", remedy=remedy)

    def number(self, field: str, low: float, high: float) -> None:
        """Check that a field is a number within bounds."""
        value = getattr(self, field)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.refused(f"{field} = {shorten(value)}", f"give a number from {low:g} to {high:g}")
        object.__setattr__(self, field, float(value))

    def to_dict(self, secret: bool = True) -> dict[str, Any]:
        """The JSON form; without ``secret`` the students' version."""
        result: dict[str, Any] = {"type": self.type}
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if (field.name in self.SECRET and not secret) or value == field.default:
                continue
            if field.name == "mistakes":
                value = [item.to_dict() for item in value]
            result[field.name] = _plain(value)
        return result


Kind = TypeVar("Kind", bound=Question)
_KINDS: Final[dict[str, type[Question]]] = {}


def register_question(kind: type[Kind]) -> type[Kind]:
    """Make a kind of question known to key files."""
    _KINDS[kind.type] = kind
    return kind


def read_question(data: Any) -> Question:
    """The question that a JSON object describes."""
    if isinstance(data, Question):
        return data
    if not isinstance(data, Mapping) or not isinstance(data.get("type"), str) or data["type"] not in _KINDS:
        raise AssignmentError(f"{shorten(data)} is not a question", remedy=f"give a type: {', '.join(_KINDS)}")
    kind = _KINDS[data["type"]]
    known = {field.name for field in dataclasses.fields(kind)}
    rest = {key: value for key, value in data.items() if key != "type"}
    if "name" not in rest or not set(rest) <= known:
        extra = shorten(sorted(set(rest) - known)) if "name" in rest else "a question without a name"
        raise AssignmentError(extra, where="question", remedy=f"known fields: {', '.join(sorted(known))}")
    return kind(**rest)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
