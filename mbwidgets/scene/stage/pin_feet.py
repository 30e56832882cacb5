"""Where arrows at pins begin on the stage: at the head of the pin that the camera of the front sees.

The axis of such a pin is level and stands still, so that along it nothing is told by the picture: as plates are laid
aside along it, the foot of an arrow comes out of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.nodes import joint_axis, loop_axis, numbers_of, plane_bodies, ring_axis
from ..look.piercing import pierced
from ..look.shell import Role, Shell
from .mechanism import Mechanism

__all__ = ["Feet", "Pin", "buried_joints", "pin_heads"]

FACING: Final = 0.5
"""Cosine between an axis and the way to the camera of the front from which on the heads of its pins are seen."""
CARRIED: Final = 6.0
"""Radii of a link from a joint's place to what its carrier has of it, at most."""
FARTHEST: Final = 16.0
"""Radii of a link that a pin's head may be from its place: an arrow does not begin at the end of a long shaft."""


SHAFT: Final = 7.5
"""Length of a pin, in radii of its link, from which on it is a shaft, whose ends are seen far from what hides it."""


class Pin(NamedTuple):
    """What an arrow acts at: a ``"joint"``, by the body that it carries, a ``"loop"``, by its constraint, a
    ``"centre"``, the mass centre of a body, a ``"slide"``, the O* of one that slides, or a ``"carrier"``, what a body
    has of the joint by which it carries another, by that one."""

    kind: str
    number: int


@dataclass(frozen=True, eq=False)
class Feet:
    """How far from its point an arrow begins, in the axes of its body.

    ``shifts`` (bodies, 3), m, are those of the bodies, which plates are laid aside by; ``heads`` (3,), m, lead from the
    places of pins to their heads, in the axes of each body that is on them, and from mass centres to their marks.
    """

    shifts: np.ndarray
    heads: Mapping[Pin, np.ndarray] = field(default_factory=dict)

    def shift(self, body: int | None, pin: Pin | None) -> np.ndarray:
        """Of an arrow of a body, at a pin or elsewhere."""
        if body is None:
            return np.zeros(3)
        head = None if pin is None else self.heads.get(pin)
        if pin is not None and pin.kind == "carrier" and head is None:
            head = self.heads.get(Pin("joint", pin.number))
        return self.shifts[body] if head is None else head


def pin_heads(motion: Motion, seen: Mechanism) -> dict[Pin, np.ndarray]:
    """The way (3,) from the place of each pin to the head of it that is towards the camera of the front, m.

    Of pins only whose axis stays where it is and faces that camera; where there are any, from each mass centre that
    goes in that plane to the face of its body towards the camera: there bodies before it hide its mark, and its own
    does not.
    """
    model, found = motion.model, dict[Pin, np.ndarray]()
    for index in range(len(model.bodies)):
        axis = joint_axis(model, index, True)
        if axis is None or model.bodies[index].joint.type != "revolute":
            continue
        place = numbers_of(model, model.bodies[index].joint.at)
        head = _head(model, seen, seen.joints[index], [index], axis, place)
        if head is not None:
            found[Pin("joint", index)] = head
    for number, item in enumerate(model.constraints):
        if item.type in ("point", "weld"):
            ends = [end for end in (item.a, item.b) if end.body is not None]
            bodies = [model.index(end.body) for end in ends]
            axis = loop_axis(model, bodies)
        elif item.type == "on_circle":
            ends, bodies, axis = [item], [model.index(item.body)], ring_axis(model, item)
        else:
            continue
        if axis is not None and bodies:
            place = numbers_of(model, ends[0].at)
            head = _head(model, seen, seen.bodies[bodies[0]], bodies, axis, place)
            if head is not None:
                found[Pin("loop", number)] = head
    carriers = {} if found else _carriers(model, seen)
    return {**found, **(_centres(motion, seen, found) if found else carriers)}


def _carriers(model: Model, seen: Mechanism) -> dict[Pin, np.ndarray]:
    """From the place of each joint along its axis to what the carrier has of it, where that is not at the place itself.

    What a body gets from one that it carries acts there on it.
    """
    found = {}
    for index, parent in enumerate(model.parents):
        axis = joint_axis(model, index, False)
        if parent < 0 or axis is None:
            continue
        place = numbers_of(model, model.bodies[index].joint.at)
        spans = pierced(seen.bodies[parent], place, axis, seen.anatomy.gauge)
        # from the place to the nearer face of the nearest part
        ways = [0.0 if low <= 0.0 <= high else min(low, high, key=abs) for low, high in spans]
        way = min(ways, key=abs, default=0.0)
        if 0.0 < abs(way) < CARRIED * seen.anatomy.gauge:
            found[Pin("carrier", index)] = way * axis
    return found


def _centres(motion: Motion, seen: Mechanism, heads: Mapping[Pin, np.ndarray]) -> dict[Pin, np.ndarray]:
    """From the mass centre of each body that goes across the way of the front's camera to its face towards it.

    Likewise from where a slide is held. What is on the axis of a pin of the body is seen at the head of that.
    """
    model, found = motion.model, dict[Pin, np.ndarray]()
    still = set(plane_bodies(model, seen.away)) if np.isfinite(seen.away).all() else set()
    for index in still:
        # a body that goes in this plane has the direction in its axes that the world has
        places = {"centre": numbers_of(model, model.bodies[index].com)}
        if model.bodies[index].joint.type == "prismatic":  # what guides it acts at O*
            places["slide"] = np.zeros(3)
        for kind, place in places.items():
            ahead = [head + pin for pin, head in _pins_on(model, index, heads) if _is_along(pin - place, head, seen)]
            if ahead:
                found[Pin(kind, index)] = ahead[0] - place
                continue
            ends = [end for _, end in pierced(seen.bodies[index], place, -seen.away, seen.anatomy.gauge)]
            if ends and abs(max(ends)) < FARTHEST * seen.anatomy.gauge:
                found[Pin(kind, index)] = -max(ends) * seen.away
    return found


def _pins_on(model: Model, index: int, heads: Mapping[Pin, np.ndarray]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The places of pins on a body, in its axes, and the ways to their heads."""
    for pin, head in heads.items():
        if pin.kind == "joint" and pin.number == index:
            yield np.zeros(3), head
        elif pin.kind == "joint" and model.parents[pin.number] == index:
            yield numbers_of(model, model.bodies[pin.number].joint.at), head
        elif pin.kind == "loop":
            item = model.constraints[pin.number]
            for end in (item.a, item.b) if item.type in ("point", "weld") else ():
                if end.body is not None and model.index(end.body) == index:
                    yield numbers_of(model, end.at), head


def _is_along(way: np.ndarray, axis: np.ndarray, seen: Mechanism) -> bool:
    """Whether a way leads along an axis, to a hundredth of a link's radius."""
    along = axis / max(float(np.linalg.norm(axis)), np.finfo(float).tiny)
    return float(np.linalg.norm(way - (way @ along) * along)) < 0.01 * seen.anatomy.gauge


def _head(
    model: Model, seen: Mechanism, shell: Shell, bodies: list[int], axis: np.ndarray, place: np.ndarray
) -> np.ndarray | None:
    """From a place to the end of the pin there, of a shell that has it, towards the camera; None where it is not."""
    front = -axis if axis @ seen.away > 0 else axis
    still = model.bodies[bodies[0]].joint.type == "free" or set(bodies) <= set(plane_bodies(model, axis))
    if -front @ seen.away < FACING or not still:
        return None
    pins = shell.points[shell.roles == Role.PIN] - place
    across = np.linalg.norm(pins - np.outer(pins @ axis, axis), axis=1)
    here = pins[across < seen.anatomy.gauge] @ front
    far = float(here.max(initial=-np.inf))
    return far * front if abs(far) < FARTHEST * seen.anatomy.gauge else None


def buried_joints(motion: Motion, seen: Mechanism, heads: Mapping[Pin, np.ndarray]) -> list[bool]:
    """Which joints turn about a short pin whose head the camera may not see: these are seen pale through the bodies."""
    return [
        body.joint.type == "revolute"
        and motion.model.parents[index] >= 0
        and Pin("joint", index) not in heads
        and _pin_length(motion.model, index, seen) < SHAFT * seen.anatomy.radii[index]
        for index, body in enumerate(motion.model.bodies)
    ]


def _pin_length(model: Model, index: int, seen: Mechanism) -> float:
    """From end to end of all pins of a joint, m."""
    axis, shell = joint_axis(model, index, True), seen.joints[index]
    along = shell.points[shell.roles == Role.PIN] @ (np.zeros(3) if axis is None else axis)
    return float(np.ptp(along)) if len(along) else 0.0
