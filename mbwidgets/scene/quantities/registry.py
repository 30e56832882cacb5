"""The registry of vectors that can be drawn: arrows, tables and menus read it and nothing else.

A theory adds its own with `register_quantity`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ...errors import ModelError, UnknownNameError
from ...model.fields import suggest_name
from ...model.model import Model
from ...numeric.motion.motion import Motion
from .reading import kinematics_of

__all__ = [
    "Drawn",
    "PageSource",
    "Quantity",
    "arrow_origin",
    "arrows_of",
    "as_subscript",
    "find_quantity",
    "place_of",
    "quantity_names",
    "register_quantity",
]

PLACES: Final = ("O", "O*", "C", "held")
SMALL: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def as_subscript(digits: str) -> str:
    """Digits as the index of a label."""
    return digits.translate(SMALL)


@dataclass(frozen=True)
class Quantity:
    """A vector of each joint or body, over the frames of a motion, or several of one kind.

    Attributes
    ----------
    key : its name in code
    symbol : its symbol in tables; what follows ``_`` is a subscript
    label : its symbol next to the arrow, written alike
    name : its name in words
    unit : SI; arrows of one unit have one automatic scale, so that they can be compared
    colour : the one colour of this quantity
    at : where the arrow stands: ``"O"`` (the joint's point in the parent), ``"O*"``, ``"C"``, ``"held"`` (O, or O*
        where the joint slides: there the body is), or a function of (motion, index of the body) → (frames, 3), or
        (frames, k, 3)
    values : (motion, index of the body) → (frames, 3), world axes, or (frames, k, 3) for several arrows; NaN where
        there is none; `ModelError` where the theory does not cover the model
    double : two heads, for moments and rotations
    group : the heading under which it stands in menus
    labels : for several arrows: (motion, index of the body) → k labels
    source : from which of the kernels' tables a page takes it without Python: its name, the first of three columns, and
        a sign; None where it cannot, or where there are several: then ``sources`` tells those of a body's arrows
    """

    key: str
    symbol: str
    label: str
    name: str
    unit: str
    colour: str
    at: str | Callable[[Motion, int], np.ndarray]
    values: Callable[[Motion, int], np.ndarray]
    double: bool = False
    group: str = "More"
    labels: Callable[[Motion, int], Sequence[str]] | None = None
    source: tuple[str, int, int] | None = None
    sources: Callable[[Motion, int], list[PageSource]] | None = None

    def page_sources(self, motion: Motion, index: int) -> list[PageSource] | None:
        """Where a page finds the arrows of a body; None where it cannot."""
        if self.sources is not None:
            return self.sources(motion, index)
        if self.source is None or callable(self.at):
            return None
        return [PageSource(*self.source, place_of(self.at, motion.model, index), index)]


class PageSource(NamedTuple):
    """Where a page finds an arrow: table, first of three columns, sign; at which point of which body it begins.

    ``owner``: of the table of constraints, which of them.
    """

    table: str
    column: int
    sign: int
    at: str
    body: int
    owner: int = -1


class Drawn(NamedTuple):
    """One arrow over the frames of a motion."""

    label: str
    begin: np.ndarray
    value: np.ndarray


_registry: dict[str, Quantity] = {}


def register_quantity(item: Quantity) -> Quantity:
    """Make a quantity known to arrows, tables and menus; a key can be registered once."""
    if item.key in _registry:
        raise ModelError(f"a quantity {item.key!r} is already registered", remedy="choose another key")
    if not callable(item.at) and item.at not in PLACES:
        raise ModelError(f"no place {item.at!r}", where=f"quantity {item.key!r}", remedy=f"use one of {PLACES}")
    _registry[item.key] = item
    return item


def find_quantity(key: str) -> Quantity:
    """A quantity by its key."""
    if key not in _registry:
        raise UnknownNameError(f"no quantity {key!r}", remedy=suggest_name(key, _registry))
    return _registry[key]


def quantity_names() -> tuple[str, ...]:
    """The keys, in the order of registration."""
    return tuple(_registry)


def arrow_origin(item: Quantity, motion: Motion, index: int) -> np.ndarray:
    """Where the arrow begins, (frames, 3), or (frames, k, 3)."""
    if callable(item.at):
        return item.at(motion, index)
    look = kinematics_of(motion)
    place = place_of(item.at, motion.model, index)
    if place == "O":
        return look.joint_point(index)
    return look.positions[:, index] if place == "O*" else look.mass_centre(index)


def place_of(at: str, model: Model, index: int) -> str:
    """The place of a body that is meant: what is held by a joint that slides is held at O*, elsewhere at O."""
    if at != "held":
        return at
    slides = any(column.kind == "translation" for column in model.bodies[index].joint.columns())
    return "O*" if slides else "O"


def arrows_of(item: Quantity, motion: Motion, index: int) -> list[Drawn]:
    """The arrows of a quantity for one body: mostly one, none where there is nothing to draw."""
    values, begin = item.values(motion, index), arrow_origin(item, motion, index)
    if values.ndim == 2:
        return [Drawn(item.label, begin, values)]
    count = values.shape[1]
    labels = [item.label] * count if item.labels is None else item.labels(motion, index)
    begins = begin if begin.ndim == 3 else np.repeat(begin[:, None], count, axis=1)
    return [Drawn(labels[k], begins[:, k], values[:, k]) for k in range(count)]
