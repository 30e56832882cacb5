"""The line that is always in sight: how the computation ended and how far its numbers are from physics."""

from __future__ import annotations

from typing import Any, Final

import ipywidgets
import numpy as np

from ...errors import MbwidgetsError
from ...numeric.base.outcome import Result
from ...numeric.motion.motion import Motion
from ...scene.stage.framing import falls_for_ever
from ..base.lifetime import Debounced, LatestOnly, blank_on_error, escape
from ..text.numerals import scientific
from .second_way import formula_difference

__all__ = ["WORDS", "Health"]

GOOD: Final = 1e-6
"""Relative errors that the eye will never see."""
MANY: Final = 60
"""Bodies beyond which the two methods, whose sums grow with the cube of their number, would take a minute."""
PAUSE: Final = 0.2
"""Seconds without a new motion before the two methods are compared."""


WORDS: Final[dict[str, Any]] = {
    "line": "<div role='status' style='line-height:20px;font-size:12px;white-space:normal'>{}</div>",
    "sound": "<span style='color:#007A59' aria-hidden='true'>●</span> <b>sound</b>",
    "alarm": "<span style='color:#B34700' aria-hidden='true'>▲</span> <b>look here</b>",
    "good_below": GOOD,
    "drift": "energy drift {}",
    "residual": "constraint residual {}",
    "effort": "{}, {} evaluations",
    "formula": "kernel − formula {}",
    "horizon": "known until t = {} s: beyond it one possible motion",
    "page": "solved in this page",
    "outcomes": {
        "step too small": Result.STEP_TOO_SMALL.value,
        "not finite": Result.NOT_FINITE.value,
        "singular": Result.SINGULAR.value,
        "stalled": Result.UNDETERMINED.value,
    },
}
"""All that the line says, of motions that Python and that pages have solved: HTML, with {} for what is told."""


class Health(ipywidgets.HTML):
    """Outcome, energy drift, constraint residual, the two methods' difference, and what could not be done."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.layout.margin = "0"
        self._told: tuple[Motion, str] | None = None
        self._methods = ""
        self._later = Debounced(PAUSE)
        self._work = LatestOnly(self._compared, lambda _: None)

    def show(self, motion: Motion, trouble: str = "", joint: int | None = None) -> None:
        """Tell about a motion; with a joint the two methods for its reaction are compared, later and aside."""
        if self._told is None or self._told[0] is not motion:
            self._methods = ""
        self._told = (motion, trouble)
        self._write()
        if joint is not None:
            self._later(lambda: self._work(lambda: (motion, differences(motion, joint))))

    def progress(self, share: float) -> None:
        """Tell how far a long computation is."""
        self._set(f"computing the motion … {100 * share:.0f} %")

    def close(self) -> None:
        """Free it in the page; what waits is forgotten."""
        self._later.cancel()
        self._work.close()
        self._told = None
        super().close()

    def _compared(self, found: tuple[Motion, str]) -> None:
        motion, text = found
        if self._told is not None and self._told[0] is motion:
            self._methods = text
            self._write()

    def _write(self) -> None:
        if self._told is not None:
            with blank_on_error(self):
                self._set(self._words(*self._told))

    def blank(self, why: str) -> None:
        """Nothing is known of the motion, and why."""
        trouble = "" if self._told is None else self._told[1]
        parts = [f"<b>{escape(text)}</b>" for text in (why, trouble) if text]
        self._set(" · ".join([WORDS["alarm"], *parts]))

    def _words(self, motion: Motion, trouble: str) -> str:
        finite = bool(np.isfinite(motion.q).all() and np.isfinite(motion.u).all())
        drift = motion.drift if finite else float("nan")
        residual = getattr(motion, "constraint_residual", None) if motion.model.constraints else None
        worst = None if residual is None else float(np.abs(residual).max(initial=0.0))
        good = bool(motion.outcome) and finite and drift < GOOD and (worst is None or worst < GOOD)
        parts = [
            WORDS["sound" if good else "alarm"],
            WORDS["drift"].format(scientific(drift, 1)),
            "" if worst is None else WORDS["residual"].format(scientific(worst, 1)),
            self._methods,
            WORDS["effort"].format(motion.method, f"{motion.evaluations:,}"),
        ]
        words = "" if motion.outcome else str(motion.outcome)
        depth = falls_for_ever(motion)
        fall = "" if depth is None else f"nothing carries it: it falls {depth:.3g} m"
        parts.append(escape(_drives(motion)))
        parts += [f"<b>{escape(text)}</b>" for text in (words, fall, trouble) if text]
        return " · ".join(filter(None, parts))

    def _set(self, text: str) -> None:
        self.value = WORDS["line"].format(text)


def _drives(motion: Motion) -> str:
    """Which joints have efforts that were given to the motion."""
    if motion.efforts is None:
        return ""
    driven = np.abs(motion.efforts).max(axis=0, initial=0.0) > 0.0
    joints = [
        body.name
        for body, first, end in zip(
            motion.model.bodies, motion.model.u_offsets, motion.model.u_offsets[1:], strict=False
        )
        if driven[first:end].any()
    ]
    return f"drives, no part of the model, act on {', '.join(joints)}" if joints else ""


def differences(motion: Motion, joint: int) -> str:
    """Two ways to each of two numbers: how far the kernels' energy is from the formula's, and the methods are apart."""
    parts = []
    try:
        apart = formula_difference(motion)
        if apart is not None and np.isfinite(apart):
            parts.append(WORDS["formula"].format(scientific(apart, 0)))
    except MbwidgetsError:  # a motion that is not finite
        pass
    return " · ".join(filter(None, [*parts, difference(motion, joint)]))


def difference(motion: Motion, joint: int) -> str:
    """How far the Rodrigues approach and the rotators are apart for a joint's reaction, relative to it."""
    if len(motion.model.bodies) > MANY:
        return ""
    try:
        residual = motion.method_residual(joint)
    except MbwidgetsError:  # balls, and what the paper does not cover
        return ""
    reaction = motion.reactions(joint)
    apart = 0.0
    for part in (slice(3), slice(3, 6)):
        # a moment that vanishes is compared with the force at a millimetre
        scale = max(np.abs(reaction[:, part]).max(initial=0.0), 1e-3 * np.abs(reaction).max(initial=0.0))
        if scale > 0.0:
            apart = max(apart, float(np.abs(residual[:, part]).max(initial=0.0) / scale))
    return f"methods apart by {scientific(apart, 0)}" if np.isfinite(apart) else ""
