"""The bodies and joints of a motion as shells: the one that pictures, stills, the camera and the floor all go by."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.body_shells import Anatomy, anatomy_of, body_holes, body_shell
from ..look.forms import ball
from ..look.joints import HEAD, PIN, axis_line, joint_fitting, pin_between
from ..look.nodes import loop_axis, numbers_of
from ..look.piercing import nearest_intervals, pierced
from ..look.shapes import Part
from ..look.shell import NOTHING, Role, Shell, join_shells
from ..look.slides import Slide, Travel, slide_of

__all__ = ["Mechanism", "mechanism_of", "travels_of"]

WIDEST: Final = 1.5
"""Sizes of the mechanism that a rail goes from the joint, at most: what runs away has no rail for ever."""
FAR: Final = 4.0
"""Radii within which a loop's pin finds the plates that it joins."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """What a motion's model looks like: each body in its axes, and what its parent, or the world, has of its joint.

    ``holes`` are what is cut out of each body, in its axes; ``slides`` the rails of what slides.
    """

    anatomy: Anatomy
    bodies: list[Shell]
    joints: list[Shell]
    holes: list[list[Part]]
    travels: list[Travel]
    slides: list[Slide | None]


_kept: deque[tuple[Model, Any, Mechanism]] = deque(maxlen=4)
"""The last shells: a picture, its stills and its frame ask for the same ones. Not kept by models: an undo remembers
hundreds of these."""


def mechanism_of(motion: Motion, shifts: np.ndarray | None = None) -> Mechanism:
    """The shells of a motion's model, with plates laid aside by ``shifts`` (bodies, 3); made once a model and state."""
    model = motion.model
    aside = np.zeros((len(model.bodies), 3)) if shifts is None else shifts
    anatomy = anatomy_of(model, aside)
    travels = travels_of(motion, anatomy.size)
    key = (aside.tobytes(), tuple(travels))
    for seen, known, made in tuple(_kept):
        if seen is model and known == key:
            return made
    made = _made(model, anatomy, travels)
    _kept.appendleft((model, key, made))
    return made


def _made(model: Model, anatomy: Anatomy, travels: list[Travel]) -> Mechanism:
    bare = [body_shell(model, index, anatomy) for index in range(len(model.bodies))]
    bodies, joints, slides = [], [], list[Slide | None]()
    for index, (own, parent) in enumerate(zip(bare, model.parents, strict=True)):
        carrier = bare[parent] if parent >= 0 else NOTHING
        slides.append(slide_of(model, index, anatomy, own, travels[index]))
        fitting = joint_fitting(model, index, anatomy, own, carrier, travels[index], slides[index])
        bodies.append(join_shells([own, fitting.inner]))
        joints.append(fitting.outer)
    for index, part in (*_loop_pins(model, anatomy, bare), *_load_pins(anatomy)):
        bodies[index] = join_shells([bodies[index], part])
    holes = [body_holes(model, index, anatomy.size) for index in range(len(bare))]
    return Mechanism(anatomy, bodies, joints, holes, travels, slides)


def travels_of(motion: Motion, size: float) -> list[Travel]:
    """From where to where each body goes along its joint's axis, m; zero for what does not slide."""
    model, found = motion.model, []
    for index, body in enumerate(model.bodies):
        travel = (0.0, 0.0)
        if body.joint.type in ("prismatic", "cylindrical"):
            way = motion.q[:, model.q_offsets[index]]
            way = way[np.isfinite(way)]
            if len(way):
                low, high = np.clip([way.min(), way.max()], -WIDEST * size, WIDEST * size)
                travel = (float(low), float(high))
        found.append(travel)
    return found


def _loop_pins(model: Model, anatomy: Anatomy, bare: list[Shell]) -> Iterator[tuple[int, Shell]]:
    """The pin, or the ball, by which a loop closes or a guide holds a body, with the body to which it belongs."""
    for item in model.constraints:
        if item.type.startswith("on_"):
            index = model.index(item.body)
            yield index, ball(0.6 * anatomy.radii[index], Role.PIN, 16).moved(numbers_of(model, item.at))
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


def _load_pins(anatomy: Anatomy) -> Iterator[tuple[int, Shell]]:
    """Pins from a plate that is laid aside back to where springs and dampers pull at it."""
    for index, (nodes, shift) in enumerate(zip(anatomy.nodes, anatomy.shifts, strict=True)):
        length = float(np.linalg.norm(shift))
        for node in nodes if length > 0 else ():
            if node.kind == "load":
                yield index, pin_between(0.0, length, 0.3 * anatomy.radii[index], shift / length, node.place)
