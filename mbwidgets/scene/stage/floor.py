"""The floor: how low a mechanism comes in the whole of its motion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...numeric.base.rotations import rotation_matrices
from ...numeric.motion.motion import Motion
from ..look.joints import joint_parts
from ..look.shapes import Part, body_parts

__all__ = ["lowest_height"]


def lowest_height(motion: Motion, size: float, up: np.ndarray) -> float:
    """The least height along ``up``, m, of all that is drawn of bodies and joints, over the finite frames."""
    model, lowest = motion.model, np.inf
    places, turns = motion.poses[0], motion.rotations
    with np.errstate(invalid="ignore", over="ignore"):
        for index, parent in enumerate(model.parents):
            joint = joint_parts(model, index, size)
            still = np.zeros((1, 3)), np.eye(3)[None]
            own = [(body_parts(model, index, size), (places[:, index], turns[:, index]))]
            own.append((joint, still if parent < 0 else (places[:, parent], turns[:, parent])))
            for parts, (place, turn) in own:
                for heights in _heights(parts, place @ up, up @ turn):
                    lowest = min(lowest, float(np.min(heights[np.isfinite(heights)], initial=np.inf)))
    return lowest


def _heights(parts: Sequence[Part], origin: np.ndarray, up: np.ndarray) -> Iterator[np.ndarray]:
    """The least height of each part in every frame; ``origin`` (frames,) is that of its axes, ``up`` seen in them."""
    for part in parts:
        if not part.ghost:
            yield origin + up @ np.array(part.at) - _depth(part, up @ rotation_matrices(np.array(part.turn)))


def _depth(part: Part, up: np.ndarray) -> np.ndarray:
    """How far a part reaches below its middle, for directions ``up`` (frames, 3) in its own axes."""
    a, b, c = part.scale
    x, y, z = up.T
    if part.kind == "box":
        return np.asarray((np.abs(up) @ np.array(part.scale)) / 2)
    if part.kind == "ball":
        return np.asarray(np.sqrt((a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2))
    rim, half = np.hypot(a * x, c * z), b * y / 2
    return np.maximum(-half, rim + half) if part.kind == "cone" else np.asarray(rim + np.abs(half))
