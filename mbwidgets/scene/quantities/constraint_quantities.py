"""What constraints do to a body, as vectors that can be drawn: one arrow a constraint, at its point."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.palette import QUANTITY
from .registry import Quantity, as_subscript, register_quantity

__all__ = ["declare_constraint_quantities"]


def _acting(motion: Motion, index: int) -> list[object]:
    name = motion.model.bodies[index].name
    return [item for item in motion.constraint_forces if item.body == name]


def _stacked(field: str) -> Callable[[Motion, int], np.ndarray]:
    def values(motion: Motion, index: int) -> np.ndarray:
        found = [getattr(item, field) for item in _acting(motion, index)]
        return np.stack(found, axis=1) if found else np.zeros((len(motion), 0, 3))

    return values


def _labels(letter: str) -> Callable[[Motion, int], list[str]]:
    def labels(motion: Motion, index: int) -> list[str]:
        numbers = (str(getattr(item, "constraint", 0) + 1) for item in _acting(motion, index))
        return [f"{letter}{as_subscript(number)}" for number in numbers]

    return labels


def _declare(key: str, symbol: str, label: str, unit: str, field: str, moment: bool) -> None:
    colour, point, values = QUANTITY[key], _stacked("point"), _stacked(field)
    register_quantity(
        Quantity(key, symbol, label, key, unit, colour, point, values, moment, "Constraints", _labels(label))
    )


def declare_constraint_quantities() -> None:
    """Register them, in the order of menus."""
    _declare("constraint force", "R", "R", "N", "force", False)
    _declare("constraint moment", "M", "M", "N m", "moment", True)
