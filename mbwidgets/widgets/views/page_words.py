"""Sentences with numbers of a whole motion that a page writes too: how large something is at most, and what follows.

The numbers are functions of a motion, of which the largest sizes over the frames are taken; a case holds where one of
them is small beside another. Python and the page write the same words (`live_words.js`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ..text.numerals import signed

__all__ = ["Case", "Words", "said", "written"]

PLACE: Final = re.compile(r"\{(\d+)(?:/(\d+)|:(\d))?\}")
"""``{0}``: a number; ``{0/1}``: one as a share of another, to one digit; ``{0:4}``: a number to four digits."""


class Case(NamedTuple):
    """Words for where number ``small`` ≤ ``factor`` · number ``large``."""

    small: int
    factor: float
    large: int
    html: str


@dataclass(frozen=True)
class Words:
    """What a part says: the first case that holds, or else ``otherwise``.

    From the number ``begins`` on they are those of the first frame, with their signs.
    """

    part: Any
    numbers: Callable[[Any], np.ndarray]
    cases: Sequence[Case]
    otherwise: str
    begins: int | None = None

    def text(self, motion: Any) -> str:
        """The words for a motion."""
        found = np.asarray(self.numbers(motion), dtype=float)
        begins = found.shape[1] if self.begins is None else self.begins
        sizes = [*np.abs(found[:, :begins]).max(axis=0), *found[0, begins:]]
        return self.text_of([float(value) for value in sizes])

    def text_of(self, sizes: Sequence[float]) -> str:
        """The words for these numbers; what is not finite is never small."""
        held = (case.html for case in self.cases if sizes[case.small] <= case.factor * sizes[case.large])
        return written(next(held, self.otherwise), sizes)

    def document(self) -> dict[str, Any]:
        """For JSON, without the numbers."""
        begins = {} if self.begins is None else {"begins": self.begins}
        return {"cases": [list(case) for case in self.cases], "otherwise": self.otherwise, **begins}


def said(words: str) -> str:
    """A line that is read out when it changes."""
    return f"<div role='status' style='font-size:12px;line-height:20px'>{words}</div>"


def written(html: str, sizes: Sequence[float]) -> str:
    """A sentence with its numbers, as powers of ten or to some digits."""

    def number(found: re.Match[str]) -> str:
        first, second, digits = found.groups()
        value = sizes[int(first)]
        if digits is not None:
            return signed(significant(value, int(digits)))
        if second is None:
            return signed(power_of_ten(value, 1))
        return signed(power_of_ten(value / sizes[int(second)] if sizes[int(second)] else 0.0, 0))

    return PLACE.sub(number, html)


def significant(value: float, digits: int) -> str:
    """As ``g`` writes a number, 0.01234 or 1.2e-7, to that many digits."""
    mantissa, _, power = f"{value:.{digits}g}".partition("e")
    return f"{mantissa}e{int(power)}" if power else mantissa


def power_of_ten(value: float, digits: int) -> str:
    """1.3e-13, as JavaScript's toExponential writes it but for the sign of a positive power."""
    mantissa, power = f"{value:.{digits}e}".split("e") if np.isfinite(value) else (f"{value}", "0")
    return f"{mantissa}e{int(power)}" if np.isfinite(value) else mantissa
