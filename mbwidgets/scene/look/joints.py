"""Handles of joints: what each kind looks like, in the parent's axes, at O_k."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import quaternion_from_y
from .shapes import STRAIGHT, Part, triple_of

__all__ = ["joint_parts"]

PIN: Final = (0.022, 0.13)
"""Radius and length of a revolute joint's pin, as shares of the model's size."""


def joint_parts(model: Model, index: int, size: float) -> list[Part]:
    """The handle of a body's joint: a pin, a rail, a ball, a cross, a plate, a block."""
    joint = model.bodies[index].joint
    at = np.array([model.number(item) for item in joint.at])
    radius, length = PIN[0] * size, PIN[1] * size

    def pin(direction: Any, thick: float = 1.0, long: float = 1.0) -> Part:
        return Part(
            "cylinder", triple_of(at), quaternion_from_y(direction), (thick * radius, long * length, thick * radius)
        )

    axis = [model.number(item) for item in joint.axis] if hasattr(joint, "axis") else None
    match joint.type:
        case "revolute":
            return [pin(axis)]
        case "prismatic":
            edge = 1.1 * radius
            return [Part("box", triple_of(at), quaternion_from_y(axis), (edge, 3.4 * length, edge))]
        case "cylindrical":
            return [pin(axis, 0.5, 3.4), pin(axis, 1.2, 0.6)]
        case "universal":
            return [pin(axis, 0.8), pin([model.number(item) for item in joint.second], 0.8)]
        case "planar":
            edge = 1.6 * length
            turn = quaternion_from_y(axis)
            return [Part("box", triple_of(at), turn, (edge, 0.1 * radius, edge), ghost=True), pin(axis, 0.7, 0.5)]
        case "spherical":
            return [Part("ball", triple_of(at), STRAIGHT, (1.7 * radius,) * 3)]
        case "fixed":
            return [Part("box", triple_of(at), STRAIGHT, (2.4 * radius,) * 3)]
    return []
