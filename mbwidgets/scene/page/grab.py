"""A hand on a body: taken where it is seen, it follows the pointer. The page tells where, `moved` computes the rest.

A page without a kernel answers it itself, by ``rules``; where there are none, or it is told to be still, there is no
hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from ipywidgets import widget_serialization

from .javascript import join_modules, read_stylesheet

__all__ = ["Grab", "Hand"]


@dataclass(frozen=True)
class Hand:
    """Where a hand is: it holds the point ``at`` of a body, in its axes from O*, and is at ``place`` in the world, m.

    ``pulls``: the motion plays, and is to be pulled; else the pose is set. ``time`` is that of the motion in the page,
    s; ``last``: it lets go.
    """

    body: int
    at: tuple[float, float, float]
    place: tuple[float, float, float]
    pulls: bool
    time: float
    last: bool


class Grab(anywidget.AnyWidget):
    """The hand of one picture; it has no view of its own. ``moved(hand)`` is told where it is."""

    _esm = join_modules(Path(__file__).parent / "grab.js")
    _css = read_stylesheet(Path(__file__).parent / "grab.css")

    scene = traitlets.Any().tag(sync=True, **widget_serialization)
    player = traitlets.Any().tag(sync=True, **widget_serialization)
    edit: Any = traitlets.Dict().tag(sync=True)
    """The newest place of the hand in the page, with its number."""
    answered = traitlets.Int(0).tag(sync=True)
    """The number of the last edit that was dealt with."""
    words = traitlets.Unicode().tag(sync=True)
    """What is said beside the hand."""
    stiffness = traitlets.Float(0.0).tag(sync=True)
    """Of the spring that pulls, N/m."""
    still = traitlets.Bool(False).tag(sync=True)
    """Whether nobody answers: then there is no hand."""
    rules: Any = traitlets.Dict().tag(sync=True)
    """By which a page answers that has no kernel: limits of joints, whether a spring can pull, and words."""

    def __init__(self, picture: Any, moved: Callable[[Hand], None], **options: Any) -> None:
        super().__init__(scene=picture.stage.scene, player=picture.player, **options)
        self._picture, self._moved = picture, moved
        self.observe(self._on_edit, "edit")

    def _on_edit(self, change: Any) -> None:
        number = change.new.get("number")
        hand = _hand(change.new, len(self._picture.bodies))
        try:
            if hand is not None:
                # the picture has the spring of the hand, and nothing that would hold it
                self._picture.hand = hand.place if hand.pulls and not hand.last else None
                self._moved(hand)
        finally:
            self.answered = number if isinstance(number, int) else self.answered


def _hand(told: Any, bodies: int) -> Hand | None:
    """What a page told, or None where it makes no sense."""
    body, time = told.get("body"), told.get("time")
    at, place = _point(told.get("at")), _point(told.get("hand"))
    if isinstance(body, bool) or not isinstance(body, int) or not 0 <= body < bodies or at is None or place is None:
        return None
    if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time):
        return None
    return Hand(body, at, place, bool(told.get("pulls")), float(time), bool(told.get("last")))


def _point(value: Any) -> tuple[float, float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 3:
        return None
    if not all(isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item) for item in value):
        return None
    x, y, z = value
    return float(x), float(y), float(z)
