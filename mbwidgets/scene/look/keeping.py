"""Shells that were made once: what is drawn by the same numbers is the same object, whichever model has them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, TypeVar, cast

import numpy as np

from ...model.model import Model
from .body_shells import Anatomy, body_shell
from .nodes import numbers_of
from .shapes import solid_parts
from .shell import Shell

__all__ = ["bytes_of", "keep", "kept_body_shell"]

MANY: Final = 512
"""Things that are kept, tens of megabytes at most: bodies and joints of a large mechanism while a slider moves."""

Thing = TypeVar("Thing")
_things: OrderedDict[Hashable, object] = OrderedDict()
_lock = Lock()


def keep(key: Hashable, make: Callable[[], Thing]) -> Thing:
    """What was made for a key, or what is made now; those that were asked for last are kept."""
    with _lock:
        if key in _things:
            _things.move_to_end(key)
            return cast(Thing, _things[key])
    made = make()
    with _lock:
        _things[key] = made
        while len(_things) > MANY:
            _things.popitem(last=False)
    return made


def bytes_of(value: np.ndarray | None) -> bytes | None:
    """An array as a part of a key."""
    return None if value is None else np.asarray(value, dtype=float).tobytes()


def kept_body_shell(model: Model, index: int, anatomy: Anatomy) -> Shell:
    """`body_shell`, made anew only where a number that it depends on is another."""
    body, radius = model.bodies[index], anatomy.radii[index]
    parts = () if body.shape is None else tuple(solid_parts(model, body.shape, anatomy.size, 0.5 * radius))
    nodes = [(node.kind, node.joint, bytes_of(node.place), bytes_of(node.axis)) for node in anatomy.nodes[index]]
    axis = bytes_of(numbers_of(model, body.joint.axis)) if hasattr(body.joint, "axis") else None
    kind = type(body.shape).__name__, body.joint.type, axis
    key = ("body", kind, parts, tuple(nodes), radius, bytes_of(anatomy.shifts[index]))
    return keep(key, lambda: body_shell(model, index, anatomy))
