"""Letters of joints, as one writes them into the figure of a plane mechanism: O, A, B."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...model.model import Model
from ..look.extras import WORLD
from ..look.nodes import numbers_of
from .feet import Ground
from .pin_feet import Feet, Pin

__all__ = ["Letter", "body_names", "joint_letters", "lettered_pins"]

LETTERS: Final = "OABDEH"
"""In the order of joints; C is a mass centre, F a force, G a weight. More would be a crowd."""


BEFORE: Final = 4.5
"""How far before the foot of what carries a body its name stands, in radii of a link."""


class Letter(NamedTuple):
    """A letter at a place (3,) of a body, m, in its axes, or of the `WORLD`."""

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


def body_names(model: Model, ground: Ground, gauge: float) -> list[Letter]:
    """The name of every body at its joint; before the foot of what carries it, where the ground does."""
    found = []
    for index, (body, parent) in enumerate(zip(model.bodies, model.parents, strict=True)):
        at = numbers_of(model, body.joint.at)
        height = ground.height(at) if parent < 0 and body.joint.type != "free" else None
        if height is None:
            found.append(Letter(body.name, index, np.zeros(3)))
        else:
            found.append(Letter(body.name, WORLD, at - height * ground.up - BEFORE * gauge * ground.away))
    return found


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
