"""What the camera must hold: the mechanism over its motion, unless it runs away."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ..numeric.motion import Motion
from .rotations import matrices
from .shapes import body_balls, model_size

__all__ = ["Frame", "frame_of"]

FRAMES: Final = 40
"""Of the motion that are looked at."""
FAR: Final = 3.0
"""What is this many radii from the middle of the start has run away, and is not held."""
LEFT: Final = 1.4
"""Where something runs away, what is held: radii from the middle of the start. A mechanism that falls is seen large."""


class Frame(NamedTuple):
    """Size of the mechanism, the middle and the radius of a ball that holds its motion, the height of the floor, m."""

    size: float
    middle: np.ndarray
    radius: float
    floor: float


def frame_of(motion: Motion) -> Frame:
    """The frame for a motion; the floor is below a mechanism that hangs."""
    model = motion.model
    size = model_size(model)
    count = len(motion)
    chosen = np.unique(np.linspace(0, count - 1, min(FRAMES, count)).astype(int))
    places = motion.poses[0][chosen]
    turns = matrices(motion.poses[1][chosen])
    spots, radii = [np.zeros((len(chosen), 3))], [0.05 * size]
    for index in range(len(model.bodies)):
        for at, radius in body_balls(model, index, size):
            spots.append(places[:, index] + turns[:, index] @ at)
            radii.append(radius)
    points, reach = np.stack(spots, axis=1), np.array(radii)
    if not np.isfinite(points[0]).all():
        return Frame(size, np.zeros(3), size, 0.0)
    middle, radius = _ball(points[0], reach)
    radius = max(radius, 0.4 * size)
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(points - middle, axis=2)
        near = np.isfinite(points).all(axis=2) & (far < FAR * radius)
        if not near.all():
            near &= far < LEFT * radius
    middle, radius = _ball(points[near], np.broadcast_to(reach, near.shape)[near])
    lowest = float(min(0.0, *places[0, :, 2]))
    floor = lowest - 0.4 * size if lowest < -0.05 * size else 0.0
    return Frame(size, middle, max(radius, 0.4 * size), floor)


def _ball(points: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and radius of a ball about balls."""
    low, high = (points - reach[:, None]).min(axis=0), (points + reach[:, None]).max(axis=0)
    middle = (low + high) / 2
    return middle, float((np.linalg.norm(points - middle, axis=1) + reach).max())
