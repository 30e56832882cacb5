"""What constraints do to a body, as vectors that can be drawn: one arrow a constraint, at its point."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from ...numeric.motion.constraint_forces import ConstraintForce
from ...numeric.motion.motion import Motion
from ..look.palette import QUANTITY
from .registry import PageSource, Quantity, as_subscript, register_quantity

__all__ = ["declare_constraint_quantities"]


ROUNDING: Final = 1e-9
"""A force or moment this much smaller than that of the strongest constraint is none: such a constraint has no arrow."""


def _acting(motion: Motion, index: int, field: str) -> list[ConstraintForce]:
    """What constraints do to a body, those that do nothing of this kind left out."""
    name = motion.model.bodies[index].name
    largest = max((_size(getattr(item, field)) for item in motion.constraint_forces), default=0.0)
    acting = [item for item in motion.constraint_forces if item.body == name]
    return [item for item in acting if _size(getattr(item, field)) > ROUNDING * largest]


def _size(values: np.ndarray) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


def _stacked(field: str, acting: str) -> Callable[[Motion, int], np.ndarray]:
    def values(motion: Motion, index: int) -> np.ndarray:
        found = [getattr(item, field) for item in _acting(motion, index, acting)]
        return np.stack(found, axis=1) if found else np.zeros((len(motion), 0, 3))

    return values


def _labels(letter: str, acting: str) -> Callable[[Motion, int], list[str]]:
    def labels(motion: Motion, index: int) -> list[str]:
        return [f"{letter}{as_subscript(str(item.constraint + 1))}" for item in _acting(motion, index, acting)]

    return labels


def _in_page(field: str, column: int) -> Callable[[Motion, int], list[PageSource]]:
    def sources(motion: Motion, index: int) -> list[PageSource]:
        acting = _acting(motion, index, field)
        return [PageSource("constraints", column, 1, "O", index, item.constraint) for item in acting]

    return sources


def _declare(key: str, symbol: str, label: str, unit: str, field: str, moment: bool) -> None:
    colour, point, values = QUANTITY[key], _stacked("point", field), _stacked(field, field)
    labels, sources = _labels(label, field), _in_page(field, 3 if moment else 0)
    register_quantity(
        Quantity(key, symbol, label, key, unit, colour, point, values, moment, "Constraints", labels, sources=sources)
    )


def declare_constraint_quantities() -> None:
    """Register them, in the order of menus."""
    _declare("constraint force", "R", "R", "N", "force", False)
    _declare("constraint moment", "M", "M", "N m", "moment", True)
