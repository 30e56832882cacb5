"""Models as arguments: what a function that is given one asks of it first."""

from __future__ import annotations

from typing import Any

from ..errors import ModelError, StateError, shorten
from .model import Model

__all__ = ["as_model", "refuse_constraints"]


def as_model(given: Any) -> Model:
    """What was given as a model, if it is one."""
    if not isinstance(given, Model):
        own = isinstance(getattr(given, "model", None), Model)
        remedy = "give its .model" if own else "give mb.Model(…) or one of mb.library"
        raise StateError(f"{shorten(given)} is not a Model", remedy=remedy)
    return given


def refuse_constraints(model: Model, what: str) -> None:
    """Refuse a model with constraints where they would be left out in silence."""
    if model.constraints:
        kinds = ", ".join(sorted({item.type for item in model.constraints}))
        raise ModelError(
            f"{what} does not solve constraints, and the model has {len(model.constraints)} ({kinds})",
            remedy="take the tree without them: model.replace(constraints=())",
        )
