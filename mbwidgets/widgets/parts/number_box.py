"""A box for one number, read as people write it: a comma or a point before the decimals, never a guess."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

import ipywidgets
import traitlets

__all__ = ["NumberBox", "read_number"]

WRITTEN: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def read_number(text: str) -> float:
    """The number that a text is; nan for anything else. The page's `readNumber` has the same rule."""
    plain = text.strip().replace("−", "-", 1).replace(",", ".", 1)
    return float(plain) if WRITTEN.fullmatch(plain) else math.nan


class NumberBox(ipywidgets.Text):
    """A text box that holds ``number``, between ``low`` and ``high``; ``refused(why)`` is told what is not taken."""

    number = traitlets.Float()

    def __init__(self, number: float, low: float, high: float, refused: Callable[[str], None], **options: Any) -> None:
        self._low, self._high, self._refused = low, high, refused
        super().__init__(value=f"{number:g}", continuous_update=False, **options)
        self.number = number
        self.observe(self._on_value, "value")
        self.observe(lambda change: self.set_trait("value", f"{change.new:g}"), "number")

    def _on_value(self, change: Any) -> None:
        number = read_number(change.new)
        if self._low <= number <= self._high:
            self.number = number
        else:
            shown = change.new.strip()[:24]
            self._refused(f"“{shown}” is not a number from {self._low:g} to {self._high:g}; {self.number:g} stays")
        self.value = f"{self.number:g}"  # as it is read, or as it was
