"""A place in a model that holds a number a slider can move, or a choice from a list."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ...model.model import Model

__all__ = ["Place", "symmetric_range"]


@dataclass(frozen=True)
class Place:
    """A number of the model with a title, a unit, a range, and functions that read and write it.

    ``note`` says why a place cannot be moved; it is empty for those that can. With ``options`` it is a choice, and
    the number counts them from 0.
    """

    key: str
    group: str
    title: str
    unit: str
    low: float
    high: float
    read: Callable[[Model], float]
    write: Callable[[Model, float], Model]
    note: str = ""
    options: tuple[str, ...] = ()


def symmetric_range(value: float) -> tuple[float, float]:
    """A symmetric range about zero that has room for a value."""
    size = 3 * abs(value) or 1.0
    # a round number, so that the range does not creep from one slider event to the next
    step = 10.0 ** math.floor(math.log10(size))
    high = math.ceil(size / step) * step
    return (-high, high)
