"""The line that is always in sight: how the computation ended and how far its energy is from physics."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np

from ..numeric.motion import Motion
from .base import safe

__all__ = ["Health"]

GOOD: Final = 1e-6
"""Energy drift that the eye will never see."""


class Health(ipywidgets.HTML):
    """Outcome, energy drift, and the last thing that could not be done."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.layout.margin = "0"

    def show(self, motion: Motion, trouble: str = "") -> None:
        """Tell about a motion."""
        finite = bool(np.isfinite(motion.q).all() and np.isfinite(motion.u).all())
        drift = motion.drift if finite else float("nan")
        good = bool(motion.outcome) and finite and drift < GOOD
        mark, colour, word = ("●", "#007A59", "sound") if good else ("▲", "#B34700", "look here")
        parts = [
            f"<span style='color:{colour};font-weight:600'>{mark} {word}</span>",
            f"energy drift {drift:.1e}",
            f"{motion.method}, {motion.evaluations:,} evaluations",
        ]
        if not motion.outcome:
            parts.append(f"<span style='color:#B34700'>{safe(motion.outcome)}</span>")
        if trouble:
            parts.append(f"<span style='color:#B34700'>{safe(trouble)}</span>")
        self._set(" · ".join(parts))

    def progress(self, share: float) -> None:
        """Tell how far a long computation is."""
        self._set(f"computing the motion … {100 * share:.0f} %")

    def _set(self, text: str) -> None:
        self.value = f"<div role='status' style='line-height:20px;font-size:12px;white-space:normal'>{text}</div>"
