"""The bodies and joints of a motion as shells: the one that pictures, stills, the camera and the floor all go by."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from weakref import ReferenceType

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import unit_vector
from ...numeric.motion.motion import Motion
from ..look.body_shells import Anatomy, anatomy_of, body_holes
from ..look.forms import ball, cylinder
from ..look.joints import HEAD, PIN, axis_line, joint_fitting, pin_between
from ..look.keeping import bytes_of, keep, kept_body_shell
from ..look.nodes import loop_axis, numbers_of, ring_axis
from ..look.piercing import nearest_intervals, pierced
from ..look.shapes import Part
from ..look.shell import NOTHING, Role, Shell, join_shells
from ..look.slides import Slide, Travel, slide_of
from .upright import picture_axes

__all__ = ["Mechanism", "mechanism_of", "ring_shift", "travels_of", "wire_radius"]

WIDEST: Final = 1.5
"""Sizes of the mechanism that a rail goes from the joint, at most: what runs away has no rail for ever. ``HELD`` is
that of rails that another body carries, which hang in the air."""
HELD: Final = 0.5
RINGED: Final = 0.8
"""How far a pin on a ring reaches before its body, in radii of its link."""
WIRE: Final = 0.42
"""Radius of a guide, in radii of a link."""
ROUND: Final = 0.02
"""Radius of a ring's wire over that of the ring, at least."""
BEHIND: Final = 0.6
"""Distance between a ring and the plane in which its body is drawn before it, in radii of a link."""
COLLAR: Final = (1.9, 2.8)
"""Radius and length of the collar on a ring, and ``BEAD`` the radius of what slides on another guide, in radii of its
wire; a collar is wider than the link before it by ``SEEN``, in radii of that."""
SEEN: Final = 1.25
BEAD: Final = 1.7
FAR: Final = 4.0
"""Radii within which a loop's pin finds the plates that it joins."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """What a motion's model looks like: each body in its axes, and what its parent, or the world, has of its joint.

    ``holes`` are what is cut out of each body, in its axes; ``slides`` the rails of what slides; ``away`` (3,) is the
    way from the camera of the front.
    """

    anatomy: Anatomy
    bodies: list[Shell]
    joints: list[Shell]
    holes: list[list[Part]]
    travels: list[Travel]
    slides: list[Slide | None]
    away: np.ndarray


_kept: deque[tuple[ReferenceType[Motion], bytes, Mechanism]] = deque(maxlen=4)
"""The last ones: a picture, its stills and its frame ask for the same. Motions are not kept by it."""


def mechanism_of(motion: Motion, shifts: np.ndarray | None = None) -> Mechanism:
    """The shells of a motion's model, with plates laid aside by ``shifts`` (bodies, 3).

    A body or a joint is made anew only where a number that it is drawn by is another; else it is the same object.
    """
    model = motion.model
    aside = np.zeros((len(model.bodies), 3)) if shifts is None else shifts
    key = aside.tobytes()
    for seen, known, made in tuple(_kept):
        if seen() is motion and known == key:
            return made
    anatomy = anatomy_of(model, aside)
    turns = motion.rotations[0]
    away = picture_axes(model, turns)[1] if np.isfinite(turns).all() else np.eye(3)[1]
    made = _made(model, anatomy, travels_of(motion, anatomy.size), away)
    _kept.appendleft((ReferenceType(motion), key, made))
    return made


def _made(model: Model, anatomy: Anatomy, travels: list[Travel], away: np.ndarray) -> Mechanism:
    bare = [kept_body_shell(model, index, anatomy) for index in range(len(model.bodies))]
    held = [_held(model, index, anatomy, bare, travels[index]) for index in range(len(bare))]
    bodies, joints, slides = [item.body for item in held], [item.joint for item in held], [item.slide for item in held]
    pins: dict[int, list[Shell]] = {}
    for index, part in (*_loop_pins(model, anatomy, bare, away), *_load_pins(anatomy)):
        pins.setdefault(index, []).append(part)
    for index, parts in pins.items():
        bodies[index] = _with_pins(bodies[index], parts)
    holes = [body_holes(model, index, anatomy.size) for index in range(len(bare))]
    return Mechanism(anatomy, bodies, joints, holes, travels, slides, away)


class _Held(NamedTuple):
    """A body with what it has of its joint, what its parent has of it, and its rails."""

    body: Shell
    joint: Shell
    slide: Slide | None


def _held(model: Model, index: int, anatomy: Anatomy, bare: list[Shell], travel: Travel) -> _Held:
    """A body in its joint; shells are themselves parts of the key, which is why they must be kept."""
    body, parent = model.bodies[index], model.parents[index]
    joint, own, carrier = body.joint, bare[index], bare[parent] if parent >= 0 else NOTHING
    numbers = [numbers_of(model, getattr(joint, name)) for name in ("at", "axis", "second") if hasattr(joint, name)]
    toward = numbers_of(model, body.com) if joint.type == "fixed" else None
    radii = anatomy.radii[index], anatomy.radii[parent] if parent >= 0 else None
    ways = tuple(bytes_of(item) for item in (*numbers, toward, anatomy.up))
    solid = body.shape is not None

    def make() -> _Held:
        slide = slide_of(model, index, anatomy, own, travel)
        fitting = joint_fitting(model, index, anatomy, own, carrier, travel, slide)
        return _Held(join_shells([own, fitting.inner]), fitting.outer, slide)

    return keep(("joint", joint.type, ways, radii, travel, solid, own, carrier), make)


def _with_pins(body: Shell, parts: list[Shell]) -> Shell:
    """A body with pins through it."""
    places = tuple((bytes_of(part.points), part.roles.tobytes()) for part in parts)
    return keep(("pins", body, places), lambda: join_shells([body, *parts]))


def travels_of(motion: Motion, size: float) -> list[Travel]:
    """From where to where each body goes along its joint's axis, m; zero for what does not slide."""
    model, found = motion.model, []
    for index, body in enumerate(model.bodies):
        travel = (0.0, 0.0)
        if body.joint.type in ("prismatic", "cylindrical"):
            way = motion.q[:, model.q_offsets[index]]
            way = way[np.isfinite(way)]
            if len(way):
                far = (WIDEST if model.parents[index] < 0 else HELD) * size
                low, high = np.clip([way.min(), way.max()], -far, far)
                travel = (float(low), float(high))
        found.append(travel)
    return found


def _loop_pins(model: Model, anatomy: Anatomy, bare: list[Shell], away: np.ndarray) -> Iterator[tuple[int, Shell]]:
    """The pin, or the ball, by which a loop closes or a guide holds a body, with the body to which it belongs."""
    for item in model.constraints:
        if item.type.startswith("on_"):
            index = model.index(item.body)
            yield index, _held_point(model, item, anatomy, anatomy.radii[index], away)
        if item.type not in ("point", "weld"):
            continue
        ends = [end for end in (item.a, item.b) if end.body is not None]
        bodies = [model.index(end.body) for end in ends]
        if not ends:
            continue
        radius = min(anatomy.radii[index] for index in bodies)
        places = [numbers_of(model, end.at) for end in ends]
        axis = loop_axis(model, bodies)
        if axis is None:
            yield bodies[0], ball(0.85 * radius, Role.PIN).moved(places[0])
            continue
        spans = [
            span
            for index, place in zip(bodies, places, strict=True)
            for span in nearest_intervals(pierced(bare[index], place, axis, radius), FAR * radius)[0]
        ]
        low, high = min((span[0] for span in spans), default=0.0), max((span[1] for span in spans), default=0.0)
        head = HEAD * radius
        pin = pin_between(low - head, high + head, PIN * radius, axis, places[0])
        yield bodies[0], join_shells([pin, axis_line(low - head, high + head, radius, axis, places[0])])


def wire_radius(model: Model, item: Any, gauge: float) -> float:
    """Radius of the wire of a guide, m, where links are as thick as ``gauge``."""
    return max(WIRE * gauge, ROUND * abs(model.number(item.radius))) if item.type == "on_circle" else WIRE * gauge


def ring_shift(model: Model, item: Any, gauge: float, away: np.ndarray) -> np.ndarray:
    """How far a circle is drawn behind its plane (3,), m: a body that goes in that plane is before it."""
    axis = ring_axis(model, item)
    if axis is None:
        return np.zeros(3)
    return np.asarray(axis * np.sign(axis @ away or 1.0) * (BEHIND * gauge + wire_radius(model, item, gauge)))


def _held_point(model: Model, item: Any, anatomy: Anatomy, radius: float, away: np.ndarray) -> Shell:
    """What holds a point of a body to a guide: on a circle in the plane of which it goes a pin with a collar about the
    wire, round about the pin, because the body turns on it; else a bead on the wire, or a ball on a surface."""
    place, gauge = numbers_of(model, item.at), anatomy.gauge
    wire, shift = wire_radius(model, item, gauge), ring_shift(model, item, gauge, away)
    if not shift.any():
        bead = 0.6 * radius if item.type in ("on_plane", "on_sphere") else max(0.6 * radius, BEAD * wire)
        return ball(bead, Role.PIN, 16).moved(place)
    back = unit_vector(shift)
    reach, far = RINGED * radius, float(np.linalg.norm(shift))
    wide, long = max(COLLAR[0] * wire, SEEN * radius), COLLAR[1] * wire
    collar = cylinder(wide, long, Role.PIN, middle=far)
    return join_shells(
        [
            pin_between(-reach, far, PIN * radius, back, place),
            collar.along(back, place),
            axis_line(-reach, far + long / 2, radius, back, place),
        ]
    )


def _load_pins(anatomy: Anatomy) -> Iterator[tuple[int, Shell]]:
    """Pins from a plate that is laid aside back to where springs and dampers pull at it."""
    for index, (nodes, shift) in enumerate(zip(anatomy.nodes, anatomy.shifts, strict=True)):
        length = float(np.linalg.norm(shift))
        for node in nodes if length > 0 else ():
            if node.kind == "load":
                yield index, pin_between(0.0, length, 0.3 * anatomy.radii[index], shift / length, node.place)
