"""Undo and redo: the models that were, in order, each with the one that reset goes back to. A drag counts once."""

from __future__ import annotations

import time
from typing import Any, Final

from ...model.model import Model

__all__ = ["History"]

PAUSE: Final = 0.7
"""Seconds between two moves of a slider that make them two changes."""
DEEPEST: Final = 200
Step = tuple[Model, Model]
"""A model, and the given one that it was made of."""


class History:
    """Models before and after the present one. ``origin`` is the given model that the present one was made of."""

    def __init__(self, model: Model, origin: Model | None = None) -> None:
        self._past: list[Step] = []
        self._future: list[Step] = []
        self.present = model
        self.origin = model if origin is None else origin
        self._last: tuple[str, float] = ("", 0.0)
        self._before: dict[str, Any] = {}

    def record(self, model: Model, what: str = "", origin: Model | None = None) -> None:
        """A new present; moves of the same thing in quick succession are one change.

        ``origin``: where the model is not a change of the present one but given, itself.
        """
        self._remember()
        now = time.monotonic()
        same = bool(what) and self._last[0] == what and now - self._last[1] < PAUSE
        self._last = (what, now)
        if not same:
            self._past = [*self._past[-DEEPEST:], (self.present, self.origin)]
        self._future = []
        self.present = model
        self.origin = self.origin if origin is None else origin

    def undo(self) -> Model:
        """Go back by one change, as far as there is one."""
        return self._step("_past", "_future")

    def redo(self) -> Model:
        """Take back an undo."""
        return self._step("_future", "_past")

    def forget(self) -> None:
        """Be as before the last `record`, `undo` or `redo`: what it told of was refused."""
        vars(self).update(self._before)

    def _step(self, source: str, target: str) -> Model:
        self._remember()
        steps: list[Step] = getattr(self, source)
        if steps:
            setattr(self, target, [*getattr(self, target), (self.present, self.origin)])
            setattr(self, source, steps[:-1])
            self.present, self.origin = steps[-1]
        self._last = ("", 0.0)
        return self.present

    def _remember(self) -> None:
        self._before = {name: value for name, value in vars(self).items() if name != "_before"}

    @property
    def can_undo(self) -> bool:
        """Whether there is something to undo."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is something to redo."""
        return bool(self._future)
