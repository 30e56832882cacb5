"""Questions whose answer is a formula, or a vector or matrix of formulae."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final

from ..errors import ExpressionError
from ..expressions import Expression, parse_expression
from .answers import Entries, read_answer, symbol_names_in
from .balls import ball_precision
from .draws import exact_fraction
from .equality import Same, Sampler, letter_ranges, verdict_of_values
from .mistakes import FEEDBACK, Usual, recognise_mistake, usual_mistakes
from .questions import Question, register_question
from .results import Result, judged_result, share_of_points
from .variants import Variant

__all__ = ["Symbolic"]

MAX_LETTERS: Final = 60


@register_question
@dataclass(frozen=True, eq=False, kw_only=True)
class Symbolic(Question):
    """A formula in given letters, graded by exact equality (see `equality`), whatever form it is written in.

    Parameters
    ----------
    answer : the formula as text, ``"m*l**2*sin(q[1])**2"``, or a list or matrix of them
    letters : the letters that may occur, each with the range from which test points are drawn, or None for the usual
        one: ``{"m": None, "q[1]": None, "l": ["1/10", 2]}``; all ``q[i]`` are angles
    relative : tolerance for rounded coefficients; 0 for exact equality
    size : ``[]``, ``[3]`` or ``[3, 3]``; taken from the answer
    """

    type: ClassVar[str] = "symbolic"
    answer: str | None = None
    letters: Any = None
    relative: float = 0.0
    size: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number("relative", 0.0, 1.0)
        letters = self.letters
        if not isinstance(letters, Mapping) or not 1 <= len(letters) <= MAX_LETTERS:
            raise self.refused("the letters are not a table", 'give {"m": None, "q[0]": None, …}')
        object.__setattr__(self, "letters", {str(name): self._range(str(name), letters[name]) for name in letters})
        shape = tuple(self.size) if isinstance(self.size, list | tuple) else None
        if self.answer is not None:
            own = self._entries(self.answer)
            shape = own.shape
        if shape is None or len(shape) > 2 or not all(type(n) is int and 1 <= n <= 20 for n in shape):
            raise self.refused("the answer has no shape", "give a formula, a list or a matrix")
        for mistake in self.mistakes:
            if self._entries(mistake.answer).shape != shape:
                raise self.refused(f"the mistake {mistake.kind!r} has another shape", "write it as the answer")
        object.__setattr__(self, "size", shape)

    def _range(self, name: str, given: Any) -> Any:
        try:
            node = parse_expression(name, accelerations=True)
        except ExpressionError:
            node = None
        if not isinstance(node, Expression) or repr(node) != name or list(node.leaves()) != [node]:
            raise self.refused(f"{name!r:.40} is not a letter", "give a parameter, q[0], u[0], ud[0] or t")
        if given is None:
            return None
        if not isinstance(given, list | tuple) or len(given) != 2:
            raise self.refused(f"the range of {name!r} is not a pair", "give [low, high]")
        low, high = (exact_fraction(part, name) for part in given)
        if not low < high:
            raise self.refused(f"the range of {name!r} is empty", "give low < high")
        return [str(low), str(high)]

    @property
    def has_key(self) -> bool:
        return self.answer is not None

    def hint(self) -> str:
        shape = {0: "a formula", 1: f"[…] of {self.size and self.size[0]} formulae"}.get(len(self.size), "[[…], …]")
        return f"{shape} in {', '.join(self.letters)}"

    def _entries(self, text: Any) -> Entries:
        """Formulae of the key, in its letters."""
        entries = read_answer(text).entries
        unknown = symbol_names_in(entries) - set(self.letters)
        if unknown:
            raise self.refused(f"{', '.join(sorted(unknown)[:5])} is not among the letters", "declare it")
        return entries

    @property
    def sampler(self) -> Sampler:
        """The points at which formulae are compared."""
        angles = frozenset(int(name[2:-1]) for name in self.letters if name.startswith("q["))
        return Sampler(self.name, letter_ranges(self.letters), angles)

    def _given(self, answer: str, variant: Variant) -> Entries | str:
        read = read_answer(answer)
        if read.entries.shape != self.size:
            return f"The question asks for {self.hint()}."
        unknown = sorted(symbol_names_in(read.entries) - set(self.letters))
        if unknown:
            return f"Unknown here: {', '.join(unknown[:5])}; the letters are {', '.join(self.letters)}."
        return read.entries

    def _judge(self, given: Entries, variant: Variant) -> Result:
        right = self._entries(self.answer)
        sampler = self.sampler
        verdicts = [sampler.same(a, b, self.relative) for a, b in zip(given.flat, right.flat, strict=True)]
        fits = [bool(verdict) for verdict in verdicts]
        methods = "; ".join(dict.fromkeys(verdict.value for verdict in verdicts))
        if all(fits):
            return judged_result(self.name, 1.0, self.points, (), methods)
        if Same.UNKNOWN in verdicts:
            place = verdicts.index(Same.UNKNOWN) + 1
            feedback = f"Formula {place} has no value at most points: look for a zero divisor or a negative root."
            return judged_result(self.name, 0.0, self.points, (feedback,), methods)
        zero = [not isinstance(value, Expression) and value == 0 for value in right.flat]
        credit, found = self._diagnose(sampler, given, right)
        share = max(share_of_points(fits, zero), credit)
        return judged_result(self.name, share, self.points, (found or _which(fits),), methods)

    def _diagnose(self, sampler: Sampler, given: Entries, right: Entries) -> tuple[float, str | None]:
        ours, theirs = sampler.values(given.flat), sampler.values(right.flat)

        def agree(one: list[list[Any]], other: list[list[Any]]) -> bool:
            return all(verdict_of_values(a, b, self.relative) for a, b in zip(one, other, strict=True))

        for mistake in self.mistakes:
            wrong = sampler.values(self._entries(mistake.answer).flat)
            if agree(ours, wrong) and not agree(wrong, theirs):
                return mistake.credit, mistake.feedback

        def made(usual: Usual) -> list[list[Any]]:
            with ball_precision():
                factor = Fraction(usual.factor)
                scale = factor.numerator, factor.denominator
                return [[_scaled(ball, *scale) for ball in theirs[i]] for i in usual.order]

        found = recognise_mistake(
            list(usual_mistakes(self.size, numbers=False)),
            lambda usual: agree(ours, made(usual)),
            lambda usual: agree(made(usual), theirs),
        )
        if found is None and self._signs_alone(ours, theirs):
            found = FEEDBACK["some signs"]
        return 0.0, found

    def _signs_alone(self, ours: list[list[Any]], theirs: list[list[Any]]) -> bool:
        """Every entry is right or minus right."""
        with ball_precision():
            turned = [[_scaled(ball, -1, 1) for ball in row] for row in theirs]
        return all(
            bool(verdict_of_values(a, b, self.relative)) or bool(verdict_of_values(a, c, self.relative))
            for a, b, c in zip(ours, theirs, turned, strict=True)
        )


def _scaled(ball: Any, above: int, below: int) -> Any:
    return None if ball is None else ball * above / below


def _which(fits: list[bool]) -> str:
    if len(fits) == 1:
        return "This is not the right formula."
    wrong = [str(place + 1) for place, good in enumerate(fits) if not good]
    if len(wrong) == len(fits):
        return "None of the formulae is right."
    return f"{len(fits) - len(wrong)} of {len(fits)} formulae are right; look at number {', '.join(wrong[:12])}."
