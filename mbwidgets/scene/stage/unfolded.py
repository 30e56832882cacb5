"""How well the frames of a motion are seen from one side: how far bodies stand apart, and arrows from each other."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...numeric.kernels.body_vectors import A_C
from ...numeric.motion.motion import Motion
from ..look.shell import Shell
from .mechanism import Mechanism
from .peaks import first_peak, frames_before_closing
from .upright import gravity_of

__all__ = ["MANY", "telling_frame"]

MANY: Final = 12
"""Bodies beyond which sight does not decide: of so many some hide others from everywhere, at any time."""
LARGE: Final = 0.4
"""Of its peak: an arrow that is so long is seen well."""
READ: Final = 0.2
"""Of the largest acceleration: an arrow that is so long is read, as one of a scale's shortest is."""
LOOKED: Final = 60
"""Frames that are looked at, at most."""

POINTS: Final = 240
"""On the surface of a body; of many bodies ``MOST`` together."""
MOST: Final = 4000
CELLS: Final = 48
"""In which the largest width of the picture is divided: a link is some three of them wide."""
EVENLY: Final = np.array([0.7548776662466927, 0.5698402909980532])
"""Steps that fill a square evenly, however many there are: powers of the root of x³ = x + 1."""
FLAT: Final = 0.4
"""What an arrow counts for that points at the camera or lies along the weight, of one that lies across both; and the
frame in which bodies cover least, of that in which they cover most."""


def telling_frame(motion: Motion, index: int, seen: Mechanism, forces: np.ndarray, view: np.ndarray) -> int:
    """The frame before a motion's last tenth in which a body's forces (frames, 3) are large and best seen from a side.

    ``view`` (3, 3) are right, up and back of the camera, in the world's axes. Of many bodies, or where the motion is
    not finite, it is the first high peak of the forces.
    """
    sizes, count = np.linalg.norm(forces, axis=1), frames_before_closing(motion.t)
    peak = first_peak(sizes, count)
    good = np.isfinite(motion.poses[0][:count]).all(axis=(1, 2))
    frames = np.flatnonzero((sizes[:count] >= LARGE * sizes[peak]) & good)
    if len(seen.bodies) > MANY or not len(frames):
        return peak
    # the peak is one of them, and the others are spread
    frames = np.unique(np.append(frames[:: -(-len(frames) // LOOKED)], peak))
    good = _how_good(motion, seen, frames, forces[frames], view) * _moved(motion, index, frames, view)
    return int(frames[int(np.argmax(good))])


def _moved(motion: Motion, index: int, frames: np.ndarray, view: np.ndarray) -> np.ndarray:
    """How well the acceleration of a body's mass centre is seen in each frame (k,), of at most one.

    Its arrow is read against the largest of any body: a share `READ` of that is as good as all.
    """
    every = np.linalg.norm(np.nan_to_num(motion.body_vectors[..., A_C : A_C + 3]), axis=2)
    flat = np.linalg.norm(motion.body_vectors[frames, index, A_C : A_C + 3] @ view[:2].T, axis=1)
    share = np.minimum(1.0, flat / max(READ * float(every.max(initial=0.0)), np.finfo(float).tiny))
    return np.asarray(FLAT + (1 - FLAT) * share)


def _how_good(motion: Motion, seen: Mechanism, frames: np.ndarray, forces: np.ndarray, view: np.ndarray) -> np.ndarray:
    """How good each of some frames is to look at (k,), of at most one; a force counts by its root, as it is large.

    A frame is good where ``forces`` (k, 3) are long and across the view, and where they are apart from the weight, and
    where bodies cover much of the picture: they are spread then, and none is before another.
    """
    sizes = np.linalg.norm(forces, axis=1)
    flat = forces @ view[:2].T
    share = np.linalg.norm(flat, axis=1) / np.maximum(sizes, np.finfo(float).tiny)
    down = view[:2] @ gravity_of(motion.model)
    weight = float(np.linalg.norm(down))
    if weight > 0:
        across = np.abs(flat @ np.array([-down[1], down[0]])) / (weight * np.maximum(sizes, np.finfo(float).tiny))
        share = np.minimum(share, across)
    covered = covered_cells(motion, seen, frames, view).astype(float)
    spread = (covered - covered.min()) / max(float(np.ptp(covered)), 1.0)
    long = np.sqrt(sizes / max(float(sizes.max()), np.finfo(float).tiny))
    return np.asarray(long * (FLAT + (1 - FLAT) * share) * (FLAT + (1 - FLAT) * spread))


def covered_cells(motion: Motion, seen: Mechanism, frames: np.ndarray, view: np.ndarray) -> np.ndarray:
    """How many cells of the picture bodies cover in each frame (k,)."""
    count = max(1, min(POINTS, MOST // max(len(seen.bodies), 1)))
    places, turns = motion.poses[0][frames], motion.rotations[frames]
    found = [
        (places[:, k, None] + surface_points(shell, count) @ np.swapaxes(turns[:, k], 1, 2)) @ view[:2].T
        for k, shell in enumerate(seen.bodies)
        if len(shell)
    ]
    points = np.nan_to_num(np.concatenate(found, axis=1)) if found else np.zeros((len(frames), 1, 2))
    # of one frame: what runs away makes no cell larger
    width = float(np.ptp(points, axis=1).max(axis=1).min(initial=np.inf))
    cells = np.floor(points / max(width / CELLS, np.finfo(float).tiny))
    cells = np.clip(cells - cells.min(axis=(0, 1)), 0, 1 << 20).astype(np.int64)
    return np.array([len(np.unique(row[:, 0] << 21 | row[:, 1])) for row in cells])


def surface_points(shell: Shell, count: int) -> np.ndarray:
    """Points (count, 3) spread over a surface by area, the same ones every time."""
    corners = shell.corners
    edge, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = np.linalg.norm(np.cross(edge, other), axis=1).cumsum()
    face = np.searchsorted(areas, areas[-1] * (np.arange(count) + 0.5) / count).clip(max=len(areas) - 1)
    s, t = ((np.arange(1, count + 1)[:, None] * EVENLY) % 1).T
    beyond = s + t > 1
    s, t = np.where(beyond, 1 - s, s), np.where(beyond, 1 - t, t)
    return np.asarray(corners[face, 0] + s[:, None] * edge[face] + t[:, None] * other[face])
