"""The most telling instant of a motion: at its start, where all is at rest, there is often nothing to be seen."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion

__all__ = ["telling_instant"]

VARIES: Final = 1e-3
"""Share of its largest value by which a force changes, and one instant tells more than another."""


def telling_instant(motion: Motion, index: int) -> float:
    """When the force in the joint of a body is largest, s; where it never changes, in any joint; else the start."""
    for bodies in ([index], range(len(motion.model.bodies))):
        forces = np.stack([np.linalg.norm(motion.reactions(body)[:, :3], axis=1) for body in bodies]).max(axis=0)
        forces = np.where(np.isfinite(forces), forces, 0.0)
        if np.ptp(forces) > VARIES * forces.max():
            return float(motion.t[int(forces.argmax())])
    return float(motion.t[0])
