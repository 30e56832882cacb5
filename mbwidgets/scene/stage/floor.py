"""The floor: how low a mechanism comes in the whole of its motion."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion
from ..look.shell import Role
from .mechanism import Mechanism

__all__ = ["floor_below", "lowest_height"]

GAP: Final = 0.02
"""Between the floor and the lowest point over it, in sizes of the mechanism: seen as a gap, not as a contact."""


def floor_below(motion: Motion, seen: Mechanism, upright: np.ndarray) -> float:
    """The height of a floor below all of a motion, m, in the picture's axes."""
    return lowest_height(motion, seen, upright[2]) - GAP * seen.anatomy.size


def lowest_height(motion: Motion, seen: Mechanism, up: np.ndarray) -> float:
    """The least height along ``up``, m, of all that is drawn of bodies and joints, over the finite frames."""
    lowest = np.inf
    places, turns = motion.poses[0], motion.rotations
    with np.errstate(invalid="ignore", over="ignore"):
        for index, parent in enumerate(motion.model.parents):
            still = np.zeros((1, 3)), np.eye(3)[None]
            own = [(seen.bodies[index], (places[:, index], turns[:, index]))]
            own.append((seen.joints[index], still if parent < 0 else (places[:, parent], turns[:, parent])))
            for shell, (place, turn) in own:
                if len(shell):
                    # the line of an axis is no matter that could touch the ground
                    heights = shell.points[shell.roles != Role.AXIS] @ (up @ turn).T
                    heights = heights.min(axis=0) + place @ up
                    lowest = min(lowest, float(np.min(heights[np.isfinite(heights)], initial=np.inf)))
    return lowest
