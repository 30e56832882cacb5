"""What the camera must hold: the mechanism over its motion, unless it runs away."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.shapes import model_size
from .feet import Ground
from .floor import floor_below
from .guides import guide_shell
from .mechanism import Mechanism, mechanism_of
from .pin_feet import Pin
from .setting import Setting
from .sight import sight_of
from .spans import spans_of
from .supports import support_shell
from .upright import gravity_of

__all__ = ["Frame", "falls_for_ever", "framing_of_motion"]

FAR: Final = 3.0
"""What comes this many radii from the middle has run away, and is not held."""
LEFT, ROOM = 1.2, 0.2
"""Where something runs away: radii that are held, and radii that the middle moves before the camera goes along."""
LEAST: Final = 0.4
"""Of the mechanism's size: the radius that is held at least."""
ORIGIN: Final = 0.05
"""Of the mechanism's size: what is held about the world's origin."""

AROUND: Final = np.array([way for way in np.ndindex(3, 3, 3) if way != (1, 1, 1)], dtype=float) - 1.0
"""Directions (26, 3) in which the outermost points of a body are held: along axes, edges and corners of a cube."""


class Frame(NamedTuple):
    """Size of the mechanism, the middle and the radius of a ball that holds its motion, the height of the floor, m.

    Where something runs away, or falls for ever, there is no ``floor``. ``balls`` (n, 4) are the middles and radii of
    what is held, more closely; ``upright`` (3, 3) are the picture's axes; ``shifts`` (bodies, 3) lay plates side by
    side, and ``heads`` are where pins end. A mechanism that runs away as a whole is followed once its bodies are
    ``room`` from ``home``, on average. The first view is ``turned`` about the vertical, rad.
    """

    size: float
    middle: np.ndarray
    radius: float
    floor: float | None
    balls: np.ndarray
    upright: np.ndarray
    home: np.ndarray
    shifts: np.ndarray
    room: float = np.inf
    heads: Mapping[Pin, np.ndarray] = MappingProxyType({})
    turned: float = 0.0

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
    places, here = motion.poses[0], at
    if not np.isfinite(places[[0, here]]).all():
        balls, straight = np.array([[0.0, 0.0, 0.0, size]]), np.zeros((len(model.bodies), 3))
        return Frame(size, np.zeros(3), size, None, balls, np.eye(3), np.zeros(3), straight)
    upright, shifts, seen, heads, stands, below, turned = sight_of(motion)
    points, reach, still = _spots(motion, seen)
    home = places[here].mean(axis=0)
    middle, radius = _ball(points[0], reach)
    limit = max(radius, LEAST * size)
    with np.errstate(invalid="ignore"):
        far = np.linalg.norm(points - middle, axis=2)
        gone = far[:, still:] > FAR * limit
        if gone.any(axis=0).all():
            middle, radius = _ball(points[here, still:], reach[still:])
            radius = LEFT * max(radius, LEAST * size)
            ball = np.array([[*middle, radius]])
            alone = Frame(size, middle, radius, None, ball, upright, home, shifts, ROOM * radius, heads)
            return _following(alone, motion, points[:, still:], reach[still:])
        near = np.isfinite(far) & ((far < LEFT * limit) | (not gone.any()))
    near[here] = True
    held, reach = points[near], np.broadcast_to(reach, near.shape)[near]
    middle, radius = _ball(held, reach)
    radius = max(radius, LEAST * size)
    floor = None if gone.any() else below
    ground = Ground(upright[2], upright[1], None)
    around = (support_shell(motion, seen, ground), guide_shell(motion, seen, ground)) if floor is None else (stands,)
    feet = np.concatenate([_anchored(motion, seen), *(shell.support(AROUND) for shell in around)])
    balls = np.concatenate([np.column_stack([held, reach]), np.column_stack([feet, np.zeros(len(feet))])])
    return Frame(size, middle, radius, floor, balls, upright, home, shifts, heads=heads, turned=turned)


def falls_for_ever(motion: Motion) -> float | None:
    """How far a mechanism falls as a whole, m, where nothing carries it; None where it does not.

    Every body ends so many sizes of the mechanism below its start as what has run away, and goes on down.
    """
    gravity = gravity_of(motion.model)
    strength = float(np.linalg.norm(gravity))
    if not (strength > 0 and len(motion) > 1):
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        depths = (motion.poses[0] - motion.poses[0][0]) @ (gravity / strength)
    good = depths[np.isfinite(depths).all(axis=1)]
    if len(good) < 2 or good[-1].min() < FAR * model_size(motion.model) or not (good[-1] > good[-2]).all():
        return None
    return float(good[-1].min())


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


def _spots(motion: Motion, seen: Mechanism) -> tuple[np.ndarray, np.ndarray, int]:
    """Points that hold bodies and joints: places (frames, k, 3), radii (k,), and how many of the first do not move."""
    places, turns, size = motion.poses[0], motion.rotations, seen.anatomy.size
    fixed, moving = [np.zeros((1, 3))], []
    for index, parent in enumerate(motion.model.parents):
        moving.append((index, np.concatenate([np.zeros((1, 3)), seen.bodies[index].support(AROUND)])))
        pins = seen.joints[index].support(AROUND)
        if parent < 0:
            fixed.append(pins)
        else:
            moving.append((parent, pins))
    still = np.concatenate(fixed)
    points = [np.broadcast_to(still, (len(motion), *still.shape))]
    points += [places[:, body, None] + spots @ np.swapaxes(turns[:, body], 1, 2) for body, spots in moving]
    held = np.concatenate(points, axis=1)
    radii = np.zeros(held.shape[1])
    radii[0] = ORIGIN * size
    return held, radii, len(still)


def _anchored(motion: Motion, seen: Mechanism) -> np.ndarray:
    """Places (k, 3) of the ground from which springs, dampers and rods go."""
    ends = [span.ends[0] for span in spans_of(motion, seen.anatomy)]
    return np.concatenate(ends) if ends else np.zeros((0, 3))


def floor_under(motion: Motion, setting: Setting) -> float | None:
    """The floor of a stage for another motion: as it is where that stays above it, or lower; None if it runs away."""
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.linalg.norm(motion.poses[0] - setting.target, axis=2)
    if not (far < FAR * setting.radius).all():
        return None
    lowest = floor_below(motion, mechanism_of(motion, setting.shifts_of(motion.model)), setting.upright)
    return lowest if setting.floor is None else min(setting.floor, lowest)


def _ball(points: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and radius of a ball about balls."""
    low, high = (points - reach[:, None]).min(axis=0), (points + reach[:, None]).max(axis=0)
    middle = (low + high) / 2
    return middle, float((np.linalg.norm(points - middle, axis=1) + reach).max())
