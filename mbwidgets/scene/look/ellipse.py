"""Lines about the axes of an ellipsoid, as data."""

from __future__ import annotations

from typing import Final

import numpy as np

__all__ = ["ellipse_lines"]

STEPS: Final = 64
"""Of each of the three lines."""


def ellipse_lines() -> np.ndarray:
    """Circles (3, steps + 1, 3) of radius one about x, y and z."""
    angle = np.linspace(0.0, 2 * np.pi, STEPS + 1)
    flat = np.column_stack([np.zeros(STEPS + 1), np.cos(angle), np.sin(angle)])
    return np.stack([np.roll(flat, k, axis=1) for k in range(3)])
