"""Vector rotators of a body as vectors that can be drawn   (Cajić-Lazarević (53), (56)); one-axis joints.

Of the many rotators of a chain these belong to the selected body's own axis: ℜ on its static moment, ℜ* on its
deviation moment, and one for each axis before it that turns the static moment too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...numeric.motion.motion import Motion
from ...numeric.motion.rotators import RotatorFrames
from ..look.palette import QUANTITY
from .reading import kinematics_of
from .registry import Quantity, as_subscript, register_quantity

__all__ = ["declare_rotator_quantities"]


def _rows(motion: Motion, index: int, kind: str, carrier: str) -> list[RotatorFrames]:
    table = kinematics_of(motion).rotators(motion, index)
    own = max(i for i, segment in enumerate(table.carriers.r.segments) if segment.body == index)
    return [
        row for row in table if row.row.body == own and row.row.b == own and row.kind == kind and row.carrier == carrier
    ]


def _single(kind: str, carrier: str) -> Callable[[Motion, int], np.ndarray]:
    def values(motion: Motion, index: int) -> np.ndarray:
        found = _rows(motion, index, kind, carrier)
        return found[0].rotator if found else np.full((len(motion), 3), np.nan)

    return values


def _coupled(motion: Motion, index: int) -> np.ndarray:
    found = _rows(motion, index, "coupled", "S")
    return np.stack([row.rotator for row in found], axis=1) if found else np.zeros((len(motion), 0, 3))


def _coupled_labels(motion: Motion, index: int) -> list[str]:
    pairs = (row.label.text.partition("(")[0].removeprefix("R") for row in _rows(motion, index, "coupled", "S"))
    return [f"ℜ{as_subscript(pair)}" for pair in pairs]


def _declare(
    key: str, symbol: str, label: str, name: str, values: Callable[[Motion, int], np.ndarray], several: bool = False
) -> None:
    labels = _coupled_labels if several else None
    register_quantity(
        Quantity(key, symbol, label, name, "1/s²", QUANTITY[key], "O*", values, False, "Rotators", labels)
    )


def declare_rotator_quantities() -> None:
    """Register them, in the order of menus."""
    _declare("rotator", "ℜ", "ℜ", "own rotator, on S", _single("own", "S"))
    _declare("coupled rotators", "ℜ_ab", "ℜᵃᵇ", "coupled rotators, on S", _coupled, True)
    _declare("deviation rotator", "ℜ_*", "ℜ_*", "own rotator, on D", _single("deviation", "D"))
