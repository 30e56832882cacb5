"""The most telling instant of a motion: at its start, where all is at rest, there is often nothing to be seen."""

from __future__ import annotations

import numpy as np

from ...numeric.motion.motion import Motion
from .peaks import first_peak, frames_before_closing, telling_forces
from .sight import sight_of
from .unfolded import telling_frame

__all__ = ["telling_instant"]


def telling_instant(motion: Motion, index: int) -> float:
    """When the force in the joint of a body is large and well seen, s.

    Of the frames before the motion's last tenth in which it is not much smaller than at its first peak it is the best
    to look at from where the mechanism is first seen: bodies and arrows are spread and none is before another. Of many
    bodies some always are; there it is the peak. Where the force never changes: that in any joint, or of any
    constraint; else the start.
    """
    forces = telling_forces(motion, index)
    if forces is None:
        return float(motion.t[0])
    if not np.isfinite(motion.poses[0][0]).all():  # nothing is seen
        return float(motion.t[first_peak(np.linalg.norm(forces, axis=1), frames_before_closing(motion.t))])
    sight = sight_of(motion)
    return float(motion.t[telling_frame(motion, index, sight.seen, forces, sight.view, sight.around)])
