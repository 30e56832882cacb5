"""Letters of joints, as one writes them into the figure of a plane mechanism: O, A, B."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...model.model import Model
from ..look.nodes import numbers_of
from .pin_feet import Feet, Pin

__all__ = ["Letter", "joint_letters", "lettered_pins"]

LETTERS: Final = "OABDEH"
"""In the order of joints; C is a mass centre, F a force, G a weight. More would be a crowd."""


class Letter(NamedTuple):
    """A letter at a place (3,) of a body, m, in its axes."""

    text: str
    body: int
    place: np.ndarray


def lettered_pins(model: Model, feet: Feet) -> dict[Pin, str]:
    """The letter of every pin whose head is seen: of joints in the order of bodies, then of loops; none in a crowd."""
    found = [
        pin
        for pin in feet.heads
        if (pin.kind == "joint" and model.bodies[pin.number].joint.type == "revolute")
        or (pin.kind == "loop" and model.constraints[pin.number].type in ("point", "weld"))
    ]
    return dict(zip(found, LETTERS, strict=False)) if 1 < len(found) <= len(LETTERS) else {}


def joint_letters(model: Model, feet: Feet) -> list[Letter]:
    """The letters where they stand: at the heads of their pins."""
    return [Letter(text, *_place_of(model, pin, feet.heads[pin])) for pin, text in lettered_pins(model, feet).items()]


def _place_of(model: Model, pin: Pin, head: np.ndarray) -> tuple[int, np.ndarray]:
    """A body that is on a pin, and the head of the pin in its axes."""
    if pin.kind == "joint":
        return pin.number, head
    item = model.constraints[pin.number]
    end = next(end for end in (item.a, item.b) if end.body is not None)
    return model.index(end.body), numbers_of(model, end.at) + head
