"""The bodies and joints of a motion as shells: the one that pictures, stills, the camera and the floor all go by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.body_shells import Anatomy, anatomy_of, body_holes, body_shell
from ..look.joints import Travel, joint_fitting
from ..look.shapes import Part
from ..look.shell import NOTHING, Shell, join_shells

__all__ = ["Mechanism", "mechanism_of", "travels_of"]

WIDEST = 1.5
"""Sizes of the mechanism that a rail goes from the joint, at most: what runs away has no rail for ever."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """What a motion's model looks like: each body in its axes, and what its parent, or the world, has of its joint.

    ``holes`` are what is cut out of each body, in its axes.
    """

    anatomy: Anatomy
    bodies: list[Shell]
    joints: list[Shell]
    holes: list[list[Part]]
    travels: list[Travel]


def mechanism_of(motion: Motion, shifts: np.ndarray | None = None) -> Mechanism:
    """The shells of a motion's model, with plates laid aside by ``shifts`` (bodies, 3); made once a model and state."""
    model = motion.model
    aside = np.zeros((len(model.bodies), 3)) if shifts is None else shifts
    anatomy = anatomy_of(model, aside)
    travels = travels_of(motion, anatomy.size)
    key = (aside.tobytes(), tuple(travels))
    kept = model.reductions.get("shells")
    if kept is not None and kept[0] == key:
        return kept[1]  # type: ignore[no-any-return]
    made = _made(model, anatomy, travels)
    model.reductions["shells"] = (key, made)
    return made


def _made(model: Model, anatomy: Anatomy, travels: list[Travel]) -> Mechanism:
    bare = [body_shell(model, index, anatomy) for index in range(len(model.bodies))]
    bodies, joints = [], []
    for index, (own, parent) in enumerate(zip(bare, model.parents, strict=True)):
        carrier = bare[parent] if parent >= 0 else NOTHING
        fitting = joint_fitting(model, index, anatomy, own, carrier, travels[index])
        bodies.append(join_shells([own, fitting.inner]))
        joints.append(fitting.outer)
    holes = [body_holes(model, index, anatomy.size) for index in range(len(bare))]
    return Mechanism(anatomy, bodies, joints, holes, travels)


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
