"""The most telling instant of a motion: at its start, where all is at rest, there is often nothing to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion

__all__ = ["telling_instant"]

VARIES: Final = 1e-3
"""Share of its largest value by which a force changes, and one instant tells more than another."""


def telling_instant(motion: Motion, index: int) -> float:
    """When the force in the joint of a body is largest, s.

    Where it never changes: the force in any joint, or of any constraint; else the start.
    """
    for forces in _candidates(motion, index):
        sizes = np.linalg.norm(forces, axis=2).max(axis=0, initial=0.0)
        sizes = np.where(np.isfinite(sizes), sizes, 0.0)
        if len(sizes) and np.ptp(sizes) > VARIES * sizes.max():
            return float(motion.t[int(sizes.argmax())])
    return float(motion.t[0])


def _candidates(motion: Motion, index: int) -> Iterator[np.ndarray]:
    """Forces (k, frames, 3), the most telling first."""
    yield motion.reactions(index)[None, :, :3]
    yield np.stack([motion.reactions(body)[:, :3] for body in range(len(motion.model.bodies))])
    if motion.model.constraints:
        yield np.stack([item.force for item in motion.constraint_forces])
