"""From which side a mechanism is first seen: where neither bodies nor the pins of its joints are hidden by others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...numeric.kernels.body_vectors import C
from ...numeric.motion.motion import Motion
from ..look.nodes import joint_axis, numbers_of
from ..look.piercing import pierced
from ..look.shell import Role
from .layers import layer_shifts
from .mechanism import Mechanism, mechanism_of
from .peaks import telling_forces
from .pin_feet import Pin, pin_heads
from .unfolded import MANY, telling_frame
from .upright import picture_axes
from .viewpoint import ASIDE, VIEWS, turned_about_up, view_axes

__all__ = ["Sight", "sight_of"]

TURNS: Final = (0.0, -2 * ASIDE, np.pi, np.pi - 2 * ASIDE)
"""Of the first view about the vertical: as usual, as much on the other side of the front, and likewise at the back."""
FACED: Final = 0.3
"""What a pin that is seen from the side counts for, of one that is seen along its axis."""
CLEARLY: Final = 0.25
"""How much more another side must show than the usual one."""
PLANE: Final = np.radians(22.0) - ASIDE
"""By which the first view of a plane mechanism is turned: nearer to the front, so that plates are seen as they are."""


class Sight(NamedTuple):
    """How a mechanism is first seen.

    ``upright`` (3, 3) are the picture's axes, ``seen`` its bodies and joints, laid aside by ``shifts`` (bodies, 3), m;
    ``heads`` are where pins end. The first view is ``turned`` about the vertical from the usual one, rad.
    """

    upright: np.ndarray
    shifts: np.ndarray
    seen: Mechanism
    heads: Mapping[Pin, np.ndarray]
    turned: float

    @property
    def view(self) -> np.ndarray:
        """Right, up and back (3, 3) of the camera of the first view, in the world's axes."""
        return np.asarray(view_axes(turned_about_up(VIEWS["iso"], self.turned)) @ self.upright)


_kept: WeakKeyDictionary[Motion, Sight] = WeakKeyDictionary()


def sight_of(motion: Motion) -> Sight:
    """How a motion that begins with finite places is first seen."""
    if motion not in _kept:
        upright = picture_axes(motion.model, motion.rotations[0])
        shifts = layer_shifts(motion, upright)
        seen = mechanism_of(motion, shifts)
        heads = pin_heads(motion, seen)
        sight = Sight(upright, shifts, seen, heads, PLANE if heads else 0.0)
        _kept[motion] = sight if heads else sight._replace(turned=_clearest(motion, sight))
    return _kept[motion]


def _clearest(motion: Motion, sight: Sight) -> float:
    """By which angle about the vertical the first view is turned from the usual one, rad.

    To that side from which, at the instant that is told, the pins of joints between bodies and the mass centre of the
    last body are best seen.
    """
    seen, last = sight.seen, len(sight.seen.bodies) - 1
    pins = [] if len(seen.bodies) > MANY else _pin_ends(motion, seen)
    forces = telling_forces(motion, last) if pins else None
    if not pins:
        return 0.0
    shows = []
    for turn in TURNS:
        view = sight._replace(turned=turn).view
        frame = 0 if forces is None else telling_frame(motion, last, seen, forces, view)
        if not np.isfinite(motion.poses[0][frame]).all():
            return 0.0
        joints = sum(_share_seen(motion, seen, frame, pin, view[2]) for pin in pins)
        centre = motion.body_vectors[frame, -1, C : C + 3]
        shows.append(joints + (not _is_hidden(motion, seen, frame, centre, view[2], but=last)))
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
