"""Unit vectors under sliders: two angles or three components move them, and they stay unit vectors.

The kernels of `numeric.kernels.moved_numbers` compute them, here as in a page.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...numeric.kernels import moved_numbers
from ...numeric.steps.intervals import machine_of_lines

__all__ = [
    "Azimuths",
    "axis_with_component",
    "azimuth_and_elevation",
    "unit_vector_at_angles",
    "unit_vector_with_component",
]

Azimuths = dict[str, float]
"""Azimuths of axes that stand at a pole, in degrees, by a key of the axis: what was last set is remembered."""


def azimuth_and_elevation(axis: Sequence[float], remembered: float = 0.0) -> tuple[float, float]:
    """Azimuth and elevation, degrees; at a pole the azimuth is the remembered one."""
    angles = np.empty(2)
    moved_numbers.azimuth_and_elevation(*machine_of_lines(()), np.array(axis, dtype=float), float(remembered), angles)
    return float(angles[0]), float(angles[1])


def unit_vector_at_angles(azimuth: float, elevation: float) -> tuple[float, ...]:
    """The unit vector with these angles, degrees."""
    vector = np.empty(3)
    moved_numbers.unit_vector_at_angles(*machine_of_lines(()), np.array([azimuth, elevation], dtype=float), vector)
    moved_numbers.unit_axis(vector)
    return tuple(vector.tolist())


def unit_vector_with_component(vector: Sequence[float], k: int, value: float) -> tuple[float, ...]:
    """The vector of unit length, but for twelve decimals, with component k as wanted; the others keep their
    proportions."""
    found = np.empty(len(vector))
    moved_numbers.unit_vector_with_component(np.array(vector, dtype=float), k, float(value), found)
    return tuple(found.tolist())


def axis_with_component(vector: Sequence[float], k: int, value: float) -> tuple[float, ...]:
    """The same for an axis, of unit length to the last digit."""
    found = np.array(unit_vector_with_component(vector, k, value))
    moved_numbers.unit_axis(found)
    return tuple(found.tolist())
