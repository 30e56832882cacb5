"""What the camera must hold: the mechanism over its motion, unless it runs away."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...numeric.base.rotations import rotation_matrices
from ...numeric.motion.motion import Motion
from ..look.shapes import body_spots, model_size
from .setting import TRIAD

__all__ = ["Frame", "frame_of"]

FRAMES: Final = 40
"""Of the motion that are looked at."""
FAR: Final = 3.0
"""What comes this many radii from the middle has run away, and is not held."""
LEFT, ROOM = 1.2, 0.2
"""Where something runs away: radii that are held, and radii that the middle moves before the camera goes along."""


class Frame(NamedTuple):
    """Size of the mechanism, the middle and the radius of a ball that holds its motion, the height of the floor, m.

    ``balls`` (n, 4) are the middles and radii of what is held, more closely. A mechanism that runs away as a whole is
    followed once its bodies are ``room`` from ``home``, on average.
    """

    size: float
    middle: np.ndarray
    radius: float
    floor: float
    balls: np.ndarray
    home: np.ndarray
    room: float = np.inf

    def drift(self, motion: Motion) -> np.ndarray | None:
        """How far the camera goes along with a motion, (frames, 3), or None where it stays."""
        if not np.isfinite(self.room):
            return None
        with np.errstate(invalid="ignore", over="ignore"):
            way = motion.poses[0].mean(axis=1) - self.home
            far = np.linalg.norm(way, axis=1, keepdims=True)
            return np.asarray(way * (1 - self.room / np.maximum(far, self.room)))


def frame_of(motion: Motion, at: int = 0) -> Frame:
    """The frame for a motion, as it is seen from frame ``at``; the floor is below a mechanism that hangs."""
    model = motion.model
    size = model_size(model)
    count = len(motion)
    chosen = np.unique([*np.linspace(0, count - 1, min(FRAMES, count)).astype(int), at])
    here = int(np.searchsorted(chosen, at))
    places = motion.poses[0][chosen]
    turns = rotation_matrices(motion.poses[1][chosen])
    spots, radii = [np.zeros((len(chosen), 1, 3))], [np.array([0.05 * size])]
    for index in range(len(model.bodies)):
        corners, own = body_spots(model, index, size)
        spots.append(places[:, index, None] + corners @ np.swapaxes(turns[:, index], 1, 2))
        radii.append(own)
    points, reach = np.concatenate(spots, axis=1), np.concatenate(radii)
    if not np.isfinite(points[[0, here]]).all():
        return Frame(size, np.zeros(3), size, 0.0, np.array([[0.0, 0.0, 0.0, size]]), np.zeros(3))
    lowest = float(min(0.0, *places[0, :, 2]))
    floor = lowest - 0.4 * size if lowest < -0.05 * size else 0.0
    home = places[here].mean(axis=0)
    middle, radius = _ball(points[0], reach)
    limit = max(radius, 0.4 * size)
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(points - middle, axis=2)
        gone = far[:, 1:] > FAR * limit
        if gone.any(axis=0).all():
            middle, radius = _ball(points[here, 1:], reach[1:])
            radius = LEFT * max(radius, 0.4 * size)
            return Frame(size, middle, radius, floor, np.array([[*middle, radius]]), home, ROOM * radius)
        near = np.isfinite(far) & ((far < LEFT * limit) | (not gone.any()))
    near[here] = True
    held, reach = points[near], np.broadcast_to(reach, near.shape)[near]
    middle, radius = _ball(held, reach)
    radius = max(radius, 0.4 * size)
    axes = np.column_stack([TRIAD * radius * np.eye(3), np.full(3, 0.05 * radius)])
    balls = np.concatenate([np.column_stack([held, reach]), axes])
    return Frame(size, middle, radius, floor, balls, home)


def _ball(points: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and radius of a ball about balls."""
    low, high = (points - reach[:, None]).min(axis=0), (points + reach[:, None]).max(axis=0)
    middle = (low + high) / 2
    return middle, float((np.linalg.norm(points - middle, axis=1) + reach).max())
