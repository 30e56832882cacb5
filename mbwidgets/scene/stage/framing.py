"""What the camera must hold: the mechanism over its motion, unless it runs away."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.joints import joint_parts
from ..look.shapes import body_spots, model_size, part_spots
from .floor import lowest_height
from .setting import TRIAD, Setting
from .upright import upright_axes

__all__ = ["Frame", "framing_of_motion"]

GAP: Final = 0.02
"""Between the floor and the lowest point over it, in sizes of the mechanism: seen as a gap, not as a contact."""
FAR: Final = 3.0
"""What comes this many radii from the middle has run away, and is not held."""
LEFT, ROOM = 1.2, 0.2
"""Where something runs away: radii that are held, and radii that the middle moves before the camera goes along."""


class Frame(NamedTuple):
    """Size of the mechanism, the middle and the radius of a ball that holds its motion, the height of the floor, m.

    Where something runs away, or falls for ever, there is no ``floor``. ``balls`` (n, 4) are the middles and radii of
    what is held, more closely; ``upright`` (3, 3) are the picture's axes. A mechanism that runs away as a whole is
    followed once its bodies are ``room`` from ``home``, on average.
    """

    size: float
    middle: np.ndarray
    radius: float
    floor: float | None
    balls: np.ndarray
    upright: np.ndarray
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


def framing_of_motion(motion: Motion, at: int = 0) -> Frame:
    """The frame for a motion, as it is seen from frame ``at``; the floor is below all of it."""
    model = motion.model
    size = model_size(model)
    places, turns, here = motion.poses[0], motion.rotations, at
    points, reach, still = _spots(motion, size)
    if not np.isfinite(points[[0, here]]).all():
        return Frame(size, np.zeros(3), size, None, np.array([[0.0, 0.0, 0.0, size]]), np.eye(3), np.zeros(3))
    upright = upright_axes(model, turns[0])
    home = places[here].mean(axis=0)
    middle, radius = _ball(points[0], reach)
    limit = max(radius, 0.4 * size)
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(points - middle, axis=2)
        gone = far[:, still:] > FAR * limit
        if gone.any(axis=0).all():
            middle, radius = _ball(points[here, still:], reach[still:])
            radius = LEFT * max(radius, 0.4 * size)
            alone = Frame(size, middle, radius, None, np.array([[*middle, radius]]), upright, home, ROOM * radius)
            return _following(alone, motion, points[:, still:], reach[still:])
        near = np.isfinite(far) & ((far < LEFT * limit) | (not gone.any()))
    near[here] = True
    held, reach = points[near], np.broadcast_to(reach, near.shape)[near]
    middle, radius = _ball(held, reach)
    radius = max(radius, 0.4 * size)
    axes = np.column_stack([TRIAD * radius * np.eye(3), np.full(3, 0.05 * radius)])
    balls = np.concatenate([np.column_stack([held, reach]), axes])
    floor = None if gone.any() else floor_below(motion, size, upright)
    return Frame(size, middle, radius, floor, balls, upright, home)


def _following(frame: Frame, motion: Motion, points: np.ndarray, reach: np.ndarray) -> Frame:
    """The frame of a mechanism that runs away as a whole, with all that is seen of it while the camera goes along."""
    drift = frame.drift(motion)
    if drift is None:
        return frame
    seen = points - drift[:, None]
    near = np.linalg.norm(seen - frame.middle, axis=2) < FAR * frame.radius
    balls = np.column_stack([seen[near], np.broadcast_to(reach, near.shape)[near]])
    middle, radius = _ball(balls[:, :3], balls[:, 3])
    return frame._replace(middle=middle, radius=max(radius, frame.radius), balls=balls)


def _spots(motion: Motion, size: float) -> tuple[np.ndarray, np.ndarray, int]:
    """Balls that hold bodies and joints: middles (frames, k, 3), radii (k,), and how many of the first do not move."""
    model, (places, turns) = motion.model, (motion.poses[0], motion.rotations)
    fixed, moving = [(np.zeros((1, 3)), np.array([0.05 * size]))], []
    for index, parent in enumerate(model.parents):
        moving.append((index, *body_spots(model, index, size)))
        pins = part_spots(joint_parts(model, index, size))
        if parent < 0:
            fixed.append(pins)
        else:
            moving.append((parent, *pins))
    still = np.concatenate([spots for spots, _ in fixed])
    points = [np.broadcast_to(still, (len(motion), *still.shape))]
    points += [places[:, body, None] + spots @ np.swapaxes(turns[:, body], 1, 2) for body, spots, _ in moving]
    radii = [*(radius for _, radius in fixed), *(radius for _, _, radius in moving)]
    return np.concatenate(points, axis=1), np.concatenate(radii), len(still)


def floor_below(motion: Motion, size: float, upright: np.ndarray) -> float:
    """The height of a floor below all of a motion, m, in the picture's axes."""
    return lowest_height(motion, size, upright[2]) - GAP * size


def floor_under(motion: Motion, setting: Setting) -> float | None:
    """The floor of a stage for another motion: as it is where that stays above it, or lower; None if it runs away."""
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.linalg.norm(motion.poses[0] - setting.target, axis=2)
    if not (far < FAR * setting.radius).all():
        return None
    lowest = floor_below(motion, setting.size, setting.upright)
    return lowest if setting.floor is None else min(setting.floor, lowest)


def _ball(points: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and radius of a ball about balls."""
    low, high = (points - reach[:, None]).min(axis=0), (points + reach[:, None]).max(axis=0)
    middle = (low + high) / 2
    return middle, float((np.linalg.norm(points - middle, axis=1) + reach).max())
