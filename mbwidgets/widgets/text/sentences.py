"""Sentences that follow a motion: which case holds, which of several is the largest, the numbers in the words.

They are data, so that Python and the page say the same (`parts/sentences.js`). In a text ``{2:N}`` is the size of
number 2 with its unit, ``{2:+N}`` with its sign, ``{@0}`` name 0 as it stands, ``{pick}`` the words of a pick and
``{pick:+N}`` its number; ``[F_R]`` is a symbol and ``*…*`` stands out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from .numerals import shortest

__all__ = ["Case", "Pick", "Sentences", "below", "large", "small"]

DIGITS: Final = 3
"""Of a number in a sentence: a lecture hall reads no more."""
MARK: Final = re.compile(r"\{([^}]+)\}|\[([^\]]+)\]|\*([^*]+)\*")
TIGHT: Final = ("°", "%")
"""Units that stand at their numbers without a space."""


class Test(NamedTuple):
    """``small``: |a| ≤ factor · |b|; ``large``: not so; ``below``: a < factor · b. What is no number fails them all.

    ``first`` and ``second`` are places of numbers, or names of picks.
    """

    kind: str
    first: int | str
    factor: float
    second: int | str

    def holds(self, numbers: Sequence[float], picks: Mapping[str, Pick]) -> bool:
        """Whether it does, of these numbers."""
        a, b = (numbers[at] if isinstance(at, int) else picks[at].number(numbers) for at in (self.first, self.second))
        if self.kind == "below":
            return a < self.factor * b
        limit = self.factor * abs(b)
        return abs(a) <= limit if self.kind == "small" else abs(a) > limit


def small(first: int | str, factor: float, second: int | str) -> Test:
    """|number first| ≤ factor · |number second|."""
    return Test("small", first, factor, second)


def large(first: int | str, factor: float, second: int | str) -> Test:
    """|number first| > factor · |number second|."""
    return Test("large", first, factor, second)


def below(first: int | str, factor: float, second: int | str) -> Test:
    """Number first < factor · number second, with their signs."""
    return Test("below", first, factor, second)


class Pick(NamedTuple):
    """One of several numbers, the ``greatest`` or the ``least``, and the words for each."""

    among: tuple[int, ...]
    words: tuple[str, ...]
    which: str = "greatest"

    def chosen(self, numbers: Sequence[float]) -> int:
        """Its place among them; what is no number is never chosen, and the first of equals is."""
        sign = 1.0 if self.which == "greatest" else -1.0
        best, place = float("-inf"), 0
        for k, number in enumerate(self.among):
            if sign * numbers[number] > best:
                best, place = sign * numbers[number], k
        return place

    def number(self, numbers: Sequence[float]) -> float:
        """The one that is chosen."""
        return numbers[self.among[self.chosen(numbers)]]


@dataclass(frozen=True)
class Case:
    """Words for where all tests hold."""

    text: str
    tests: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Sentences:
    """Lines, each of which says the first of its cases that holds, or nothing where none does.

    ``picks`` by name, ``names`` as they stand, and ``colours`` by symbol.
    """

    lines: tuple[tuple[Case, ...], ...] = ()
    picks: Mapping[str, Pick] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "lines": [
                [{"text": case.text, "tests": [list(test) for test in case.tests]} for case in line]
                for line in self.lines
            ],
            "picks": {
                name: {**pick._asdict(), "among": list(pick.among), "words": list(pick.words)}
                for name, pick in self.picks.items()
            },
            "names": list(self.names),
            "colours": dict(self.colours),
        }

    @classmethod
    def of_document(cls, told: Mapping[str, Any]) -> Sentences:
        """Those that `document` gave."""
        lines = tuple(
            tuple(Case(case["text"], tuple(Test(*test) for test in case["tests"])) for case in line)
            for line in told["lines"]
        )
        picks = {
            name: Pick(tuple(pick["among"]), tuple(pick["words"]), pick["which"])
            for name, pick in told["picks"].items()
        }
        return cls(lines, picks, tuple(told["names"]), told["colours"])

    def said(self, numbers: Sequence[float]) -> list[str]:
        """The lines for these numbers as plain text."""
        found = []
        for cases in self.lines:
            held = next((case for case in cases if all(test.holds(numbers, self.picks) for test in case.tests)), None)
            if held is not None:
                found.append("".join(self._pieces(held.text, numbers)))
        return found

    def _pieces(self, text: str, numbers: Sequence[float]) -> Iterator[str]:
        at = 0
        for found in MARK.finditer(text):
            yield text[at : found.start()]
            at = found.end()
            token, symbol, strong = found.groups()
            if symbol is not None:
                yield re.sub(r"[_^{}]", "", symbol)
            elif strong is not None:
                yield from self._pieces(strong, numbers)
            else:
                yield from self._token(token, numbers)
        yield text[at:]

    def _token(self, token: str, numbers: Sequence[float]) -> Iterator[str]:
        what, _, unit = token.partition(":")
        if what.startswith("@"):
            yield self.names[int(what[1:])]
            return
        if what in self.picks:
            pick = self.picks[what]
            if unit:
                yield with_unit(pick.number(numbers), unit)
            else:
                yield from self._pieces(pick.words[pick.chosen(numbers)], numbers)
            return
        yield with_unit(numbers[int(what)], unit)


def with_unit(value: float, unit: str) -> str:
    """A number with its unit: its size, or after ``+`` with its sign."""
    signed, unit = unit.startswith("+"), unit.lstrip("+")
    text = shortest(abs(value), DIGITS)
    if signed and text != "0":
        text = ("−" if value < 0 else "+") + text
    return text + ("" if not unit or unit in TIGHT else " ") + unit
