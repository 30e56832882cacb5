"""Questions with a free choice: "place the mass so that D = 0". Every choice that meets the conditions is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ..errors import ExpressionError
from ..expressions import NAME, RESERVED, Expression, evaluate, parse_expression
from .answers import named_entries
from .questions import Question, register_question
from .results import Result, judged_result
from .variants import Variant

__all__ = ["FreeChoice"]

MAX_CONDITIONS: Final = 30
LARGEST: Final = 1e300


@register_question
@dataclass(frozen=True, eq=False, kw_only=True)
class FreeChoice(Question):
    """Numbers for some names, such that conditions hold; written ``m1 = 0.2, x1 = -0.1``.

    Parameters
    ----------
    choose : bounds of each name, ``{"m1": [0, 2]}``, or None
    conditions : expressions of the chosen names and of the template's parameters that must vanish, each with what is
        said where it does not: ``{"m*e + m1*x1": "The static moment is not zero."}``
    tolerance : how far from zero an expression may be; set it by the size of its terms
    """

    type: ClassVar[str] = "free choice"
    SECRET: ClassVar[tuple[str, ...]] = ("conditions", "mistakes")
    choose: Any = None
    conditions: Any = None
    tolerance: float = 1e-6

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number("tolerance", 0.0, 1e300)
        if not isinstance(self.choose, Mapping) or not 1 <= len(self.choose) <= MAX_CONDITIONS:
            raise self.refused("there is nothing to choose", 'give choose = {"m1": [0, 2]}')
        for name, bounds in self.choose.items():
            if not isinstance(name, str) or NAME.match(name) is None or RESERVED.match(name):
                raise self.refused(f"{name!r:.40} cannot be chosen", "use letters, digits and '_'")
            if bounds is not None and not _is_pair(bounds):
                raise self.refused(f"the bounds of {name!r} are not two numbers", "give [low, high] or None")
        if self.conditions is None:
            return
        if not isinstance(self.conditions, Mapping) or not 1 <= len(self.conditions) <= MAX_CONDITIONS:
            raise self.refused("there are no conditions", 'give {"m*e + m1*x1": "The static moment is not zero."}')
        for expression, feedback in self.conditions.items():
            parse_expression(expression)
            if not isinstance(feedback, str):
                raise self.refused("a condition has no feedback", "write a sentence")

    @property
    def has_key(self) -> bool:
        return self.conditions is not None

    def hint(self) -> str:
        return ", ".join(f"{name} = …" for name in self.choose)

    def _given(self, answer: str, variant: Variant) -> dict[str, float] | str:
        numbers = variant.numbers
        entries = named_entries(answer)
        lacking = [name for name in self.choose if name not in entries]
        extra = [name for name in entries if name not in self.choose]
        if lacking or extra:
            return f"Give values for {', '.join(self.choose)}, and for nothing else."
        values = {}
        for name, expression in entries.items():
            letters = [repr(leaf) for leaf in expression.leaves()] if isinstance(expression, Expression) else []
            if not set(letters) <= set(numbers):
                return f"{name} must be a number, or an expression of your parameters {', '.join(numbers)}."
            values[name] = evaluate(expression, numbers)
            bounds = self.choose[name]
            if bounds is not None and not bounds[0] <= values[name] <= bounds[1]:
                return f"{name} is outside its bounds {bounds[0]:g} … {bounds[1]:g}."
        return values

    def _judge(self, given: dict[str, float], variant: Variant) -> Result:
        known = {**variant.numbers, **given}
        told = [feedback for text, feedback in self.conditions.items() if not self._holds(text, known)]
        share = 1 - len(told) / len(self.conditions)
        return judged_result(self.name, share, self.points, tuple(told))

    def _holds(self, text: str, known: Mapping[str, Any]) -> bool:
        try:
            return abs(evaluate(parse_expression(text), known)) <= self.tolerance
        except ExpressionError:
            return False


def _is_pair(bounds: Any) -> bool:
    numbers = isinstance(bounds, list | tuple) and len(bounds) == 2
    return numbers and all(
        isinstance(part, int | float) and not isinstance(part, bool) and abs(part) <= LARGEST for part in bounds
    )
