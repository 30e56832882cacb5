"""From which side a mechanism is first seen: where neither bodies nor the pins of its joints are hidden by others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.nodes import joint_axis, numbers_of
from ..look.piercing import pierced
from ..look.shell import Role, Shell, join_shells
from .feet import Ground
from .floor import floor_below
from .guides import guide_shell
from .layers import layer_shifts
from .mechanism import Mechanism, mechanism_of
from .peaks import telling_forces
from .pin_feet import Pin, pin_heads
from .supports import support_shell
from .unfolded import MANY, cover_of, frames_to_look_at, how_good
from .upright import picture_axes
from .viewpoint import ASIDE, VIEWS, turned_about_up, view_axes

__all__ = ["Sight", "sight_of"]

PLANE: Final = tuple(float(np.radians(angle) - ASIDE) for angle in (22.0, -22.0))
"""By which the first view of a plane mechanism is turned: nearer to the front, so that plates are seen as they are."""
AZIMUTHS: Final = (30.0, -30.0, 60.0, -60.0, 75.0, -75.0, 105.0, -105.0, 120.0, -120.0, 150.0, -150.0)
TURNS: Final = tuple(float(np.radians(angle) - ASIDE) for angle in AZIMUTHS)
"""Of the first view of another about the vertical: as usual, as much on the other side of the front, and all round, but
never along one of the picture's axes, which would be seen end-on."""
FACED: Final = 0.3
"""What a pin that is seen from the side counts for, of one that is seen along its axis."""
PINS: Final = 0.3
"""What the pins between bodies count for, of all that makes a side good."""
CLEARLY: Final = 1.15
"""How much better another side must be than the usual one; ``USED`` is that for a plane mechanism, whose reader is used
to one side."""
USED: Final = 1.3
FALLEN: Final = 10.0
"""Sizes of the mechanism below its start from which on there is no floor beneath it."""
GLANCES, POINTS = 24, 1200
"""Frames that are looked at from each side, and points of all bodies."""


class Sight(NamedTuple):
    """How a mechanism is first seen.

    ``upright`` (3, 3) are the picture's axes, ``seen`` its bodies and joints, laid aside by ``shifts`` (bodies, 3), m;
    ``heads`` are where pins end, ``around`` is what stands on the ground, ``floor`` is the height of one below
    all of the motion, m. The first view is ``turned`` about the vertical from the usual one, rad.
    """

    upright: np.ndarray
    shifts: np.ndarray
    seen: Mechanism
    heads: Mapping[Pin, np.ndarray]
    around: Shell
    floor: float
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
        floor = floor_below(motion, seen, upright)
        around = _around(motion, seen, upright, floor)
        sight = Sight(upright, shifts, seen, heads, around, floor, PLANE[0] if _is_flat(heads) else 0.0)
        _kept[motion] = sight._replace(turned=_clearest(motion, sight))
    return _kept[motion]


def _is_flat(heads: Mapping[Pin, np.ndarray]) -> bool:
    """Whether there are pins whose heads the camera of the front sees: then it is to stay there."""
    return any(pin.kind in ("joint", "loop") for pin in heads)


def _around(motion: Motion, seen: Mechanism, upright: np.ndarray, floor: float) -> Shell:
    """What stands on the ground."""
    low = float((motion.poses[0][0] @ upright[2]).min()) - FALLEN * seen.anatomy.size
    ground = Ground(upright[2], upright[1], floor if floor > low else None)
    return join_shells([support_shell(motion, seen, ground), guide_shell(motion, seen, ground)])


def _clearest(motion: Motion, sight: Sight) -> float:
    """By which angle about the vertical the first view is turned from the usual one, rad.

    To that side from which, each at its best instant, the forces on bodies are seen longest, the bodies most freely,
    and the pins of joints between them.
    """
    seen, turns = sight.seen, PLANE if _is_flat(sight.heads) else TURNS
    forces = {index: found for index in range(len(seen.bodies)) if (found := telling_forces(motion, index)) is not None}
    if len(seen.bodies) > MANY or not forces:
        return turns[0]
    frames = np.unique(np.concatenate([frames_to_look_at(motion, force, GLANCES)[1] for force in forces.values()]))
    if not len(frames):
        return turns[0]
    frames = frames[:: -(-len(frames) // GLANCES)]
    views = [sight._replace(turned=turn).view for turn in turns]
    covers = [cover_of(motion, seen, frames, view, sight.around, POINTS) for view in views]
    most = max(int(cover.cells.max()) for cover in covers)
    pins, shows = _pin_ends(motion, seen), []
    for view, cover in zip(views, covers, strict=True):
        good = [how_good(motion, k, frames, force[frames], view, cover, most) for k, force in forces.items()]
        best = int(frames[int(np.argmax(good[-1]))])
        joints = [_share_seen(motion, seen, best, pin, view[2]) for pin in pins] or [1.0]
        shows.append(float(np.mean(np.max(good, axis=1))) * (1 - PINS + PINS * float(np.mean(joints))))
    clearest, much = int(np.argmax(shows)), USED if turns is PLANE else CLEARLY
    return turns[clearest] if shows[clearest] > much * shows[0] else turns[0]


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
