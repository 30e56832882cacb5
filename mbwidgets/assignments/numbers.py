"""Questions whose answer is a number, a vector or a matrix of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from ..errors import AssignmentError, ExpressionError
from ..expressions import Call, Power, Product, Sum, evaluate
from .answers import Entries, read_answer, symbol_names_in
from .mistakes import FEEDBACK, Usual, recognise_mistake, usual_mistakes
from .questions import Question, register_question
from .results import Result, judged_result, share_of_points
from .units import Unit, read_unit
from .variants import Variant

__all__ = ["Matrix", "Scalar", "Vector"]

ALL_ZERO: Final = 1e-3
"""What stands for the size of an answer whose components are all zero."""
KINDS = {0: "one number", 1: "a vector", 2: "a matrix"}
WORDS = {0: "one number", 1: "a vector [a, b, c]", 2: "a matrix [[a, b], [c, d]]"}


@dataclass(frozen=True, eq=False, kw_only=True)
class Numbers(Question):
    """Numbers with a unit: right where |x − y| ≤ absolute + relative |y|.

    Where the right value y of a component is zero, the smallest component that is not stands for it.

    Parameters
    ----------
    answer : expressions of the template's parameters, as text: ``"[0, m*e, 0]"``; None in the students' version
    absolute, relative : tolerances, the first in the question's unit
    size : of the vector or matrix, ``[3]`` or ``[3, 3]``; taken from the answer
    """

    dimensions: ClassVar[int] = 0
    answer: str | None = None
    absolute: float = 0.0
    relative: float = 1e-3
    size: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number("absolute", 0.0, 1e300)
        self.number("relative", 0.0, 1.0)
        self._unit()
        shape = tuple(self.size) if isinstance(self.size, list | tuple) else None
        if self.answer is not None:
            shape = self._entries(self.answer).shape
        if shape is None and self.dimensions == 0:
            shape = ()
        if shape is None or len(shape) != self.dimensions or not all(type(n) is int and 1 <= n <= 20 for n in shape):
            raise self.refused("the answer has the wrong shape", f"give {WORDS[self.dimensions]}")
        for mistake in self.mistakes:
            if mistake.entries().shape != shape:
                raise self.refused(f"the mistake {mistake.kind!r} has another shape", f"give {WORDS[self.dimensions]}")
        object.__setattr__(self, "size", shape)

    @property
    def has_key(self) -> bool:
        return self.answer is not None

    def hint(self) -> str:
        unit = f", in {self.unit} or with a unit" if self.unit else ""
        return {
            0: "a number, or an expression of your parameters",
            1: f"[{', '.join('abcdefghij'[: self.size[0]])}]" if self.size else "",
            2: f"{self.size[0]} rows of {self.size[1]}: [[a, …], …]" if self.dimensions == 2 else "",
        }[self.dimensions] + unit

    def _unit(self) -> Unit:
        try:
            return read_unit(self.unit)
        except (AssignmentError, AttributeError, TypeError):
            raise self.refused(f"{self.unit!r:.40} is not a unit", "write kg m², N m, rad/s …") from None

    def _entries(self, text: Any) -> Entries:
        return read_answer(text).entries

    def _given(self, answer: str, variant: Variant) -> np.ndarray | str:
        """The student's numbers in the question's unit, or what is wrong with their form."""
        numbers = variant.numbers
        read = read_answer(answer)
        if read.entries.shape != self.size:
            return f"The question asks for {KINDS[self.dimensions]}: {self.hint()}."
        unknown = sorted(symbol_names_in(read.entries) - set(numbers))
        if unknown:
            return f"Unknown here: {', '.join(unknown[:5])}; known are your parameters {', '.join(numbers)}."
        factor, own = 1.0, self._unit()
        if read.unit is not None:
            if not read.unit.converts_to(own):
                return f"The unit measures something else: the answer is asked in {self.unit or 'a pure number'}."
            factor = read.unit.factor / own.factor
        values = np.array([factor * evaluate(value, numbers) for value in read.entries.flat])
        return values if np.isfinite(values).all() else "The numbers are too large."

    def expected(self, numbers: Mapping[str, Any]) -> np.ndarray:
        """The right numbers of a variant, flat."""
        return np.array([evaluate(value, numbers) for value in self._entries(self.answer).flat])

    def _judge(self, given: np.ndarray, variant: Variant) -> Result:
        right = self.expected(variant.numbers)
        fits = self._fits(given, right)
        if all(fits):
            return judged_result(self.name, 1.0, self.points)
        share = share_of_points(fits, [bool(value == 0) for value in right])
        credit, feedback = self._diagnose(given, right, variant.numbers)
        if not feedback:
            feedback = _which(fits)
        return judged_result(self.name, max(share, credit), self.points, (feedback,))

    def _fits(self, given: np.ndarray, right: np.ndarray) -> list[bool]:
        sizes = abs(right)
        least = float(sizes[sizes > 0].min(initial=math.inf))
        tolerance = self.absolute + self.relative * np.where(sizes > 0, sizes, least if least < math.inf else ALL_ZERO)
        return [bool(fit) for fit in abs(given - right) <= tolerance]

    def _diagnose(self, given: np.ndarray, right: np.ndarray, numbers: Mapping[str, Any]) -> tuple[float, str]:
        for mistake in self.mistakes:
            wrong = np.array([evaluate(value, numbers) for value in mistake.entries().flat])
            if all(self._fits(given, wrong)) and not all(self._fits(wrong, right)):
                return mistake.credit, mistake.feedback
        if not right.any():
            return 0.0, ""

        def made(usual: Usual) -> np.ndarray:
            return usual.factor * right[list(usual.order)]

        found = recognise_mistake(
            list(usual_mistakes(self.size, numbers=True)),
            lambda usual: all(self._fits(given, made(usual))),
            lambda usual: all(self._fits(made(usual), right)),
        )
        if found is None and all(self._fits(abs(given), abs(right))):
            found = FEEDBACK["some signs"]
        return 0.0, found or self._degree_mode(given, right, numbers) or ""

    def _degree_mode(self, given: np.ndarray, right: np.ndarray, numbers: Mapping[str, Any]) -> str | None:
        """sin and cos of a calculator set to degrees: every angle counts as π/180 of itself."""
        if "sin" not in str(self.answer) and "cos" not in str(self.answer):
            return None
        try:
            wrong = np.array([_in_degrees(value, numbers) for value in self._entries(self.answer).flat])
        except (ExpressionError, ArithmeticError):
            return None
        recognised = all(self._fits(given, wrong)) and not all(self._fits(wrong, right))
        return FEEDBACK["degree mode"] if recognised else None


def _in_degrees(value: Any, numbers: Mapping[str, Any]) -> float:
    """The value with the argument of every sin, cos and tan taken in degrees."""
    match value:
        case Call(name="sin" | "cos" | "tan" as name, argument=argument):
            return evaluate(Call(name, evaluate(argument, numbers) * math.pi / 180), {})
        case Sum(terms=terms):
            return math.fsum(_in_degrees(term, numbers) for term in terms)
        case Product(factors=factors):
            return math.prod(_in_degrees(factor, numbers) for factor in factors)
        case Power(base=base, exponent=exponent):
            return float(_in_degrees(base, numbers) ** exponent)
    return evaluate(value, numbers)


def _which(fits: list[bool]) -> str:
    if len(fits) == 1:
        return "This is not the right number."
    wrong = [str(place + 1) for place, good in enumerate(fits) if not good]
    if len(wrong) == len(fits):
        return "None of the components is right."
    listed = ", ".join(wrong[:12])
    return f"{len(fits) - len(wrong)} of {len(fits)} components are right; look at number {listed}, counted row by row."


@register_question
class Scalar(Numbers):
    """One number."""

    type = "scalar"
    dimensions = 0


@register_question
class Vector(Numbers):
    """A vector of numbers, partial credit per component."""

    type = "vector"
    dimensions = 1


@register_question
class Matrix(Numbers):
    """A matrix of numbers, partial credit per component."""

    type = "matrix"
    dimensions = 2
