"""Letters of joints, as one writes them into the figure of a plane mechanism: O, A, B."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...model.model import Model
from ..look.nodes import numbers_of
from .pin_feet import Feet

__all__ = ["Letter", "joint_letters"]

LETTERS: Final = "OABDEH"
"""In the order of joints; C is a mass centre, F a force, G a weight. More would be a crowd."""


class Letter(NamedTuple):
    """A letter at a place (3,) of a body, m, in its axes."""

    text: str
    body: int
    place: np.ndarray


def joint_letters(model: Model, feet: Feet) -> list[Letter]:
    """At every pin whose head is seen: of joints in the order of bodies, then of loops; none where there is a crowd."""
    found: list[tuple[int, np.ndarray]] = []
    for pin, head in feet.heads.items():
        if pin.kind == "joint" and model.bodies[pin.number].joint.type == "revolute":
            found.append((pin.number, head))
        elif pin.kind == "loop" and model.constraints[pin.number].type in ("point", "weld"):
            item = model.constraints[pin.number]
            end = next(end for end in (item.a, item.b) if end.body is not None)
            found.append((model.index(end.body), numbers_of(model, end.at) + head))
    several = 1 < len(found) <= len(LETTERS)
    return [Letter(text, *where) for text, where in zip(LETTERS, found, strict=False)] if several else []
