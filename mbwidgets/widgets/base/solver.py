"""Motions for a widget: quick ones at once; long ones in the background, with progress, ended by the next change."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, Final

from ...model.model import Model
from ...numeric.base.outcome import Budget, Result
from ...numeric.motion.motion import Motion
from ...numeric.simulation.simulate import simulate

__all__ = ["Solver"]

QUICK: Final = 0.4
"""Seconds that a motion may take before it goes on in the background."""
LONG: Final = 60.0
"""Seconds that it may take there."""


class Solver:
    """Solves for the newest model only. ``done(motion)`` may come twice: what there is at once, then the whole."""

    def __init__(self, done: Callable[[Motion], None], progress: Callable[[float], None]) -> None:
        self._done, self._progress = done, progress
        self._number = 0

    def solve(self, model: Model, **options: Any) -> None:
        """Solve a model; whatever is under way is cancelled."""
        self._number += 1
        loop = _loop()
        if loop is None:
            self._done(simulate(model, budget=Budget(seconds=LONG), **options))
            return
        motion = simulate(model, budget=Budget(seconds=QUICK), **options)
        self._done(motion)
        if motion.outcome.result is Result.BUDGET:
            number = self._number
            threading.Thread(target=self._go_on, args=(model, options, number, loop), daemon=True).start()

    def cancel(self) -> None:
        """End what is under way."""
        self._number += 1

    def _go_on(self, model: Model, options: Any, number: int, loop: asyncio.AbstractEventLoop) -> None:
        def deliver(work: Callable[..., None], value: Any) -> None:
            def now() -> None:
                if self._number == number:
                    work(value)

            loop.call_soon_threadsafe(now)

        budget = Budget(
            seconds=LONG,
            cancel=lambda: self._number != number,
            progress=lambda share: deliver(self._progress, share),
        )
        motion = simulate(model, budget=budget, **options)
        if motion.outcome.result is not Result.CANCELLED:
            deliver(self._done, motion)


def _loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
