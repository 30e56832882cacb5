"""Undo and redo: the models that were, in order. A drag of one slider counts once."""

from __future__ import annotations

import time
from typing import Final

from ..model.model import Model

__all__ = ["History"]

PAUSE: Final = 0.7
"""Seconds between two moves of a slider that make them two changes."""
DEEPEST: Final = 200


class History:
    """Models before and after the present one."""

    def __init__(self, model: Model) -> None:
        self._past: list[Model] = []
        self._future: list[Model] = []
        self.present = model
        self._last: tuple[str, float] = ("", 0.0)

    def record(self, model: Model, what: str = "") -> None:
        """A new present; moves of the same thing in quick succession are one change."""
        now = time.monotonic()
        same = bool(what) and self._last[0] == what and now - self._last[1] < PAUSE
        self._last = (what, now)
        if not same:
            self._past = [*self._past[-DEEPEST:], self.present]
        self._future.clear()
        self.present = model

    def undo(self) -> Model:
        """Go back by one change, as far as there is one."""
        if self._past:
            self._future.append(self.present)
            self.present = self._past.pop()
        self._last = ("", 0.0)
        return self.present

    def redo(self) -> Model:
        """Take back an undo."""
        if self._future:
            self._past.append(self.present)
            self.present = self._future.pop()
        self._last = ("", 0.0)
        return self.present

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self._future)
