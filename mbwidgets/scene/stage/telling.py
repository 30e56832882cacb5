"""The most telling instant of a motion: at its start, where all is at rest, there is often nothing to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...numeric.motion.motion import Motion

__all__ = ["telling_instant"]

VARIES: Final = 1e-3
"""Share of its largest value by which a force changes, and one instant tells more than another."""


CLOSING: Final = 0.1
"""Share of a motion, at its end, in which nothing opens: a force that grows is largest there, and no motion is left."""
ALIKE: Final = 0.95
"""Of the largest peak: arrows that differ less look alike, and of peaks that look alike the first tells as much."""


def telling_instant(motion: Motion, index: int) -> float:
    """When the force in the joint of a body has its first large peak, s.

    Of the peaks before the motion's last tenth it is the earliest that is all but as high as the highest; a force that
    falls from the start has its peak there. Where there is none, as where it only grows, it is when the force is
    largest before that tenth. Where it never changes: the force in any joint, or of any constraint; else the start.
    """
    for forces in _candidates(motion, index):
        sizes = np.linalg.norm(forces, axis=2).max(axis=0, initial=0.0)
        sizes = np.where(np.isfinite(sizes), sizes, 0.0)
        if len(sizes) and np.ptp(sizes) > VARIES * sizes.max():
            return float(motion.t[_first_peak(sizes, _frames_before_closing(motion.t))])
    return float(motion.t[0])


def _frames_before_closing(t: np.ndarray) -> int:
    """How many frames of a motion are not of its last tenth: one at least."""
    return max(1, int(np.searchsorted(t, t[-1] - CLOSING * (t[-1] - t[0]))))


def _first_peak(sizes: np.ndarray, count: int) -> int:
    """Where the earliest high peak of the first ``count`` sizes is, or the largest of them where no peak is high."""
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
