"""Unit vectors under sliders: two angles or three components move them, and they stay unit vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["Azimuths", "azimuth_and_elevation", "unit_vector_at_angles", "unit_vector_with_component"]

POLE = 1e-9
"""A vector this close to the pole has no azimuth of its own."""

Azimuths = dict[str, float]
"""Azimuths of axes that stand at a pole, in degrees, by a key of the axis: what was last set is remembered."""


def azimuth_and_elevation(axis: Sequence[float], remembered: float = 0.0) -> tuple[float, float]:
    """Azimuth and elevation, degrees; at a pole the azimuth is the remembered one."""
    x, y, z = axis
    level = math.hypot(x, y)
    azimuth = math.degrees(math.atan2(y, x)) if level > POLE else remembered
    return azimuth, math.degrees(math.atan2(z, level))


def unit_vector_at_angles(azimuth: float, elevation: float) -> tuple[float, float, float]:
    """The unit vector with these angles, degrees."""
    turn, rise = math.radians(azimuth), math.radians(elevation)
    level = math.cos(rise)
    return _exact((level * math.cos(turn), level * math.sin(turn), math.sin(rise)))  # type: ignore[return-value]


def unit_vector_with_component(vector: Sequence[float], k: int, value: float) -> tuple[float, ...]:
    """The unit vector with component k as wanted; the others keep their proportions."""
    value = min(1.0, max(-1.0, value))
    others = math.sqrt(sum(item * item for place, item in enumerate(vector) if place != k))
    rest = math.sqrt(max(0.0, 1.0 - value * value))
    if others > POLE:
        return _exact([value if place == k else item * rest / others for place, item in enumerate(vector)])
    free = (k + 1) % len(vector)  # nothing to keep: the next component takes it all
    return _exact([value if place == k else rest if place == free else 0.0 for place in range(len(vector))])


def _exact(vector: Sequence[float]) -> tuple[float, ...]:
    # cos 90° is not quite zero in floats: vectors that are meant to be exact become so
    return tuple(round(item, 12) + 0.0 for item in vector)
