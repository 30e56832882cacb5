"""The force that tells most of a motion, and the frames in which it is large: where a view may open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion

__all__ = ["first_peak", "frames_before_closing", "telling_forces"]

VARIES: Final = 1e-3
"""Share of its largest value by which a force changes, and one instant tells more than another."""
CLOSING: Final = 0.1
"""Share of a motion, at its end, in which nothing opens: a force that grows is largest there, and no motion is left."""
ALIKE: Final = 0.95
"""Of the largest peak: arrows that differ less look alike, and of peaks that look alike the first tells as much."""


def telling_forces(motion: Motion, index: int) -> np.ndarray | None:
    """The force (frames, 3) in the joint of a body, or what tells instead where that never changes; or None.

    Instead: of the forces in all joints, or of all constraints, the largest in each frame.
    """
    for forces in _candidates(motion, index):
        sizes = _sizes(forces)
        longest = sizes.max(axis=0, initial=0.0)
        if len(longest) and np.ptp(longest) > VARIES * longest.max():
            told = forces[sizes.argmax(axis=0), np.arange(len(longest))]
            return np.asarray(np.nan_to_num(told, posinf=0.0, neginf=0.0))
    return None


def _sizes(forces: np.ndarray) -> np.ndarray:
    """Of vectors (..., 3); zero where one is not finite."""
    sizes = np.linalg.norm(forces, axis=-1)
    return np.asarray(np.where(np.isfinite(sizes), sizes, 0.0))


def frames_before_closing(t: np.ndarray) -> int:
    """How many frames of a motion are not of its last tenth: one at least."""
    return max(1, int(np.searchsorted(t, t[-1] - CLOSING * (t[-1] - t[0]))))


def first_peak(sizes: np.ndarray, count: int) -> int:
    """Where the earliest high peak of the first ``count`` sizes is, or the largest of them where no peak is high.

    It is all but as high as the highest; what falls from the start has its peak there.
    """
    first = sizes[:count]
    after = np.append(sizes[1:], np.inf)[:count]
    before = np.append(-np.inf, sizes)[:count]
    peaks = (first >= before) & (first > after) & (first >= ALIKE * first.max())
    return int((peaks if peaks.any() else first).argmax())


def _candidates(motion: Motion, index: int) -> Iterator[np.ndarray]:
    """Forces (k, frames, 3), the most telling first."""
    yield motion.reactions(index)[None, :, :3]
    yield np.stack([motion.reactions(body)[:, :3] for body in range(len(motion.model.bodies))])
    if motion.model.constraints:
        yield np.stack([item.force for item in motion.constraint_forces])
