"""What a stage shows in words, for who does not see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...model.model import Model
from .drawn_arrows import DrawnArrow

__all__ = ["in_words"]

MOST: Final = 8
"""Names in a list that is heard; the others are counted."""


def in_words(model: Model, arrows: Sequence[DrawnArrow]) -> str:
    """The mechanism, its bodies, and the arrows that are drawn."""
    bodies = _listed([body.name for body in model.bodies])
    said = (
        f"{model.name or 'mechanism'}, {len(model.bodies)} {'body' if len(model.bodies) == 1 else 'bodies'}: {bodies}."
    )
    labels = _listed(
        list(dict.fromkeys(arrow.label.replace("_", " ").strip() for arrow in arrows if arrow.label.strip()))
    )
    return f"{said} Arrows: {labels}." if labels else said


def _listed(names: list[str]) -> str:
    more = len(names) - MOST
    return ", ".join(names[:MOST]) + (f" and {more} more" if more > 0 else "")
