"""From which side a mechanism out of one plane is first seen: where the pins of its joints are not hidden by bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from ...numeric.kernels.body_vectors import C
from ...numeric.motion.motion import Motion
from ..look.nodes import joint_axis, numbers_of
from ..look.piercing import pierced
from ..look.shell import Role
from .mechanism import Mechanism
from .pin_feet import Pin
from .telling import telling_instant
from .viewpoint import ASIDE, VIEWS, turned_about_up

__all__ = ["first_sight"]

TURNS: Final = (0.0, -2 * ASIDE, np.pi, np.pi - 2 * ASIDE)
"""Of the first view about the vertical: as usual, as much on the other side of the front, and likewise at the back."""
FACED: Final = 0.3
"""What a pin that is seen from the side counts for, of one that is seen along its axis."""
CLEARLY: Final = 0.25
"""How much more another side must show than the usual one."""
MANY: Final = 12
"""Bodies beyond which the usual side is taken: of so many some hide others from everywhere."""


def first_sight(motion: Motion, seen: Mechanism, heads: Mapping[Pin, np.ndarray], upright: np.ndarray) -> float:
    """By which angle about the vertical the first view is turned from the usual one, rad.

    Only where no joint shows the head of its pin to the front, and to that side from which the pins of joints between
    bodies, and the mass centre of the last body, are best seen at the most telling instant.
    """
    pins = [] if heads or len(seen.bodies) > MANY else _pin_ends(motion, seen)
    if not pins:
        return 0.0
    frame = int(np.searchsorted(motion.t, telling_instant(motion, len(seen.bodies) - 1)))
    if not np.isfinite(motion.poses[0][frame]).all():
        return 0.0
    last, shows = motion.body_vectors[frame, -1, C : C + 3], []
    for turn in TURNS:
        way = upright.T @ turned_about_up(VIEWS["iso"], turn)
        way = way / np.linalg.norm(way)
        joints = sum(_share_seen(motion, seen, frame, pin, way) for pin in pins)
        shows.append(joints + (not _is_hidden(motion, seen, frame, last, way, but=len(seen.bodies) - 1)))
    best = int(np.argmax(shows))
    return TURNS[best] if shows[best] > shows[0] + CLEARLY else 0.0


Ends = tuple[int, np.ndarray, np.ndarray]


def _pin_ends(motion: Motion, seen: Mechanism) -> list[Ends]:
    """Of each pin between two bodies: the body that has it, both ends (2, 3) and its axis (3,), in that body's axes."""
    model, found = motion.model, list[Ends]()
    for index, parent in enumerate(model.parents):
        axis, shell = joint_axis(model, index, False), seen.joints[index]
        points = shell.points[shell.roles == Role.PIN]
        if parent < 0 or axis is None or not len(points) or model.bodies[index].joint.type != "revolute":
            continue
        at = numbers_of(model, model.bodies[index].joint.at)
        far = (points - at) @ axis
        found.append((parent, at + np.outer([far.min(), far.max()], axis), axis))
    return found


def _share_seen(motion: Motion, seen: Mechanism, frame: int, pin: Ends, way: np.ndarray) -> float:
    """How well the better end of a pin is seen along a direction (3,) to the eye: not at all where a body hides it."""
    body, ends, axis = pin
    turn, place = motion.rotations[frame, body], motion.poses[0][frame, body]
    best = 0.0
    for end, sign in zip(ends, (-1.0, 1.0), strict=True):
        if not _is_hidden(motion, seen, frame, place + turn @ end, way):
            best = max(best, FACED + (1 - FACED) * max(0.0, sign * float(turn @ axis @ way)))
    return best


def _is_hidden(
    motion: Motion, seen: Mechanism, frame: int, point: np.ndarray, way: np.ndarray, but: int | None = None
) -> bool:
    """Whether some body, but one, is between a point of the world and an eye far away in a direction."""
    gauge = seen.anatomy.gauge
    for body, shell in enumerate(seen.bodies):
        if body == but:
            continue
        turn = motion.rotations[frame, body]
        own = (point - motion.poses[0][frame, body]) @ turn
        if any(end > 0.1 * gauge for _, end in pierced(shell, own, way @ turn, gauge)):
            return True
    return False
