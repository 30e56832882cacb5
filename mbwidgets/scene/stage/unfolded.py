"""How well the frames of a motion are seen from one side: how far bodies stand apart, and arrows from each other."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...numeric.kernels.body_vectors import A_C, C, G
from ...numeric.motion.motion import Motion
from ..look.shell import NOTHING, Shell
from .mechanism import Mechanism
from .peaks import first_peak, frames_before_closing
from .upright import gravity_of

__all__ = ["MANY", "Cover", "acting_on", "cover_of", "frames_to_look_at", "how_good", "large_force", "telling_frame"]

MANY: Final = 12
"""Bodies beyond which sight does not decide: of so many some hide others from everywhere, at any time."""
LARGE: Final = 0.4
"""Of its peak: an arrow that is so long is seen well."""
MOSTLY, SPIKE = 0.9, 2.0
"""Share of the frames, and how many times their largest force counts, at most: where a linkage folds flat forces are
many times as large for an instant, and then everything lies in one line."""
READ: Final = 0.2
"""Of the largest acceleration: an arrow that is so long is read, as one of a scale's shortest is."""
LOOKED: Final = 60
"""Frames that are looked at, at most."""

POINTS: Final = 240
"""On the surface of a body; of many bodies ``MOST`` together."""
MOST: Final = 4000
STANDS: Final = 3000
"""On what stands about, which does not move."""
STRIP, STRIPS = 0.15, 8
"""How far below a mass centre the picture is looked at, where its weight is drawn, in widths of the picture."""
CELLS: Final = 48
"""In which the largest width of the picture is divided: a link is some three of them wide."""
EVENLY: Final = np.array([0.7548776662466927, 0.5698402909980532])
"""Steps that fill a square evenly, however many there are: powers of the root of x³ = x + 1."""
FLAT: Final = 0.4
"""What an arrow counts for that points at the camera or lies along the weight, of one that lies across both; and the
frame in which bodies cover least, of that in which they cover most."""
STRESS: Final = 0.75
"""Power of what forces are of their largest by which they count: one half as large is seen nearly as well."""
FREE: Final = 0.2
"""What a body counts for that is wholly before or behind others and what carries them, of one that stands free; by the
sixth power of what is free, as a tenth that is not can be all that matters."""
APART: Final = 0.4
"""Sine between two arrows of one point from which on they are told apart: 24 degrees."""
SLIGHT: Final = 0.1
"""Of the longest force: a shorter one hides none."""


def large_force(sizes: np.ndarray) -> float:
    """From which size on one of some forces (k,) is large: a share `LARGE` of the largest, but for a few spikes."""
    return LARGE * float(min(sizes.max(), SPIKE * np.quantile(sizes, MOSTLY)))


class Cover(NamedTuple):
    """What is seen of bodies in frames (k,): ``cells`` (k,) of the picture that all of them cover, and for each body
    (k, bodies) which share of its own cells nothing else covers, before or behind it."""

    cells: np.ndarray
    free: np.ndarray


def frames_to_look_at(motion: Motion, forces: np.ndarray, most: int = LOOKED) -> tuple[int, np.ndarray]:
    """The first high peak of forces (frames, 3), and the frames before a motion's last tenth in which they are large.

    Of many some, evenly spread, and the peak.
    """
    sizes, count = np.linalg.norm(forces, axis=1), frames_before_closing(motion.t)
    peak = first_peak(sizes, count)
    good = np.isfinite(motion.poses[0][:count]).all(axis=(1, 2))
    frames = np.flatnonzero((sizes[:count] >= large_force(sizes[:count])) & good)
    return peak, np.unique(np.append(frames[:: -(-len(frames) // most)], peak)) if len(frames) else frames


def telling_frame(
    motion: Motion, index: int, seen: Mechanism, forces: np.ndarray, view: np.ndarray, around: Shell = NOTHING
) -> int:
    """The frame before a motion's last tenth in which a body's forces (frames, 3) are large and best seen from a side.

    ``view`` (3, 3) are right, up and back of the camera, in the world's axes; ``around`` is what stands on the ground.
    Of many bodies, or where the motion is not finite, it is the first high peak of the forces.
    """
    peak, frames = frames_to_look_at(motion, forces)
    if len(seen.bodies) > MANY or not len(frames):
        return peak
    cover = cover_of(motion, seen, frames, view, around)
    return int(frames[int(np.argmax(how_good(motion, index, frames, forces[frames], view, cover)))])


def how_good(
    motion: Motion, index: int, frames: np.ndarray, forces: np.ndarray, view: np.ndarray, cover: Cover, most: int = 0
) -> np.ndarray:
    """How good each of some frames is to look at (k,), of at most one; a force counts by how large it is.

    A frame is good where ``forces`` (k, 3) are long and across the view, where all that acts on the body is, and is
    apart from the weight, where bodies cover much of the picture (``most`` cells are all), as they are spread then,
    and where the body stands free of the others.
    """
    long = _long(motion, index, frames, forces) ** STRESS
    low, high = int(cover.cells.min()), max(int(cover.cells.max()), most)
    spread = (cover.cells - (0 if most else low)) / max(high - (0 if most else low), 1)
    free = FREE + (1 - FREE) * cover.free[:, index] ** 6
    return np.asarray(
        long
        * _flat(motion, index, frames, forces, view)
        * (FLAT + (1 - FLAT) * spread)
        * free
        * _moved(motion, index, frames, view)
    )


def _long(motion: Motion, index: int, frames: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """How large the forces on a body are in frames (k,), on average, each over its largest in any of these."""
    every = [np.linalg.norm(force, axis=1) for force in (forces, *(item[frames] for item in acting_on(motion, index)))]
    shares = [sizes / sizes.max() for sizes in every if sizes.max() > 0]
    return np.asarray(np.mean(shares, axis=0)) if shares else np.ones(len(frames))


def acting_on(motion: Motion, index: int) -> list[np.ndarray]:
    """Forces on a body (frames, 3) that are drawn of it: in its joint, in those that it carries, of its constraints."""
    model, name = motion.model, motion.model.bodies[index].name
    found = [motion.reactions(index)[:, :3]]
    found += [motion.reactions(k)[:, :3] for k, parent in enumerate(model.parents) if parent == index]
    found += [item.force for item in (motion.constraint_forces if model.constraints else ()) if item.body == name]
    return [np.nan_to_num(item, posinf=0.0, neginf=0.0) for item in found]


def _flat(motion: Motion, index: int, frames: np.ndarray, forces: np.ndarray, view: np.ndarray) -> np.ndarray:
    """How long the forces on a body are seen of what they are, and how far across the weight, (k,)."""
    least = np.finfo(float).tiny
    every = np.array([force[frames] for force in acting_on(motion, index)])
    every = every if every.any() else forces[None]
    flat, whole = every @ view[:2].T, np.linalg.norm(every, axis=2)
    shown = np.linalg.norm(flat, axis=2)
    down = view[:2] @ gravity_of(motion.model)
    if np.linalg.norm(down) > 0:
        shown = shown * np.abs(_sine(flat, np.broadcast_to(down, flat.shape)))
    return np.asarray(FLAT + (1 - FLAT) * shown.sum(axis=0) / np.maximum(whole.sum(axis=0), least))


def _sine(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Of the angle between pairs of directions (..., 2) of the picture; zero where one has no length."""
    sizes = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    cross = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return np.asarray(cross / np.maximum(sizes, np.finfo(float).tiny))


def _moved(motion: Motion, index: int, frames: np.ndarray, view: np.ndarray) -> np.ndarray:
    """How well the acceleration of a body's mass centre is seen in each frame (k,), of at most one.

    Its arrow is read against the largest of any body: a share `READ` of that is as good as all. It begins where the
    weight does, and is to be told from that, and from the forces, which may begin there too.
    """
    every = np.linalg.norm(np.nan_to_num(motion.body_vectors[..., A_C : A_C + 3]), axis=2)
    flat = np.nan_to_num(motion.body_vectors[frames, index, A_C : A_C + 3]) @ view[:2].T
    share = np.linalg.norm(flat, axis=1) / max(READ * float(every.max(initial=0.0)), np.finfo(float).tiny)
    weight = motion.body_vectors[frames, index, G : G + 3]
    others = [weight, *(force[frames] for force in acting_on(motion, index))]
    longest = max(float(np.linalg.norm(item, axis=1).max(initial=0.0)) for item in others)
    apart = np.ones(len(frames))
    for item in others:
        line = item @ view[:2].T
        slight = np.linalg.norm(item, axis=1) < SLIGHT * longest
        along = (flat * line).sum(axis=1) < 0  # against one another they are told apart
        apart = np.minimum(apart, np.where(slight | along, 1.0, np.abs(_sine(flat, line)) / APART))
    return np.asarray((FLAT + (1 - FLAT) * np.minimum(1.0, share)) * (FLAT + (1 - FLAT) * np.minimum(1.0, apart)))


def cover_of(
    motion: Motion, seen: Mechanism, frames: np.ndarray, view: np.ndarray, around: Shell = NOTHING, most: int = MOST
) -> Cover:
    """What bodies cover of the picture in frames (k,), with ``around`` standing still; of ``most`` points in all."""
    bodies = len(seen.bodies)
    count = max(1, min(POINTS, most // max(bodies, 1)))
    places, turns = motion.poses[0][frames], motion.rotations[frames]
    points, owners = [], list[int]()
    for k, shell in enumerate(seen.bodies):
        if not len(shell):
            continue
        own = surface_points(shell, count)
        moved = places[:, k, None] + own @ np.swapaxes(turns[:, k], 1, 2)
        points.append(np.nan_to_num(moved) @ view[:2].T)
        owners += [k] * count
    if not owners:
        return Cover(np.zeros(len(frames), dtype=int), np.ones((len(frames), bodies)))
    flat, owner = np.concatenate(points, axis=1), np.array(owners)
    # of one frame: what runs away makes no cell larger
    width = float(np.ptp(flat, axis=1).max(axis=1).min(initial=np.inf))
    cell, corner = max(width / CELLS, np.finfo(float).tiny), flat.min(axis=(0, 1))
    still = surface_points(around, STANDS) @ view[:2].T if len(around) else np.zeros((0, 2))
    # where mass centres are, and the weights below them
    down = view[:2] @ gravity_of(motion.model)
    down = down / max(float(np.linalg.norm(down)), np.finfo(float).tiny)
    reach = np.linspace(0.0, STRIP * width, STRIPS)[:, None] * down
    centres = np.nan_to_num(motion.body_vectors[frames, :, C : C + 3]) @ view[:2].T
    strips = centres[:, :, None] + reach

    def cells(places: np.ndarray) -> np.ndarray:
        at = np.clip(np.floor((places - corner) / cell), -1, 1 << 20).astype(np.int64) + 1
        return np.asarray(at[..., 0] << 21 | at[..., 1])

    return _shares(cells(flat), owner, cells(still), cells(strips))


def _shares(cells: np.ndarray, owner: np.ndarray, still: np.ndarray, strips: np.ndarray) -> Cover:
    """Of the cells (k, points) of points with their owners: how many bodies cover, and what share of each it alone.

    ``still`` (n,) are the cells of what stands about, ``strips`` (k, bodies, s) those about each body's mass centre,
    which are as much as all the rest of it.
    """
    count, bodies = strips.shape[:2]
    _, known = np.unique(np.concatenate([cells.ravel(), still, strips.ravel()]), return_inverse=True)
    cells, still, strips = np.split(known, np.cumsum([cells.size, still.size]))
    cells, strips = cells.reshape(count, -1), strips.reshape(count, bodies, -1)
    there = np.zeros((count, bodies, int(known.max()) + 1), dtype=bool)
    there[np.arange(count)[:, None], owner, cells] = True
    layers = there.sum(axis=1)
    layers[:, np.unique(still)] += 1
    own, alone = there.sum(axis=2), (there & (layers == 1)[:, None]).sum(axis=2)
    k, body = np.arange(count)[:, None, None], np.arange(bodies)[:, None]
    clear = (layers[k, strips] - there[k, body, strips] == 0).mean(axis=2)
    covered = there.any(axis=1).sum(axis=1)
    return Cover(covered, (alone / np.maximum(own, 1) + clear) / 2)


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
