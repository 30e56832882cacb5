"""Plates side by side: how far each is laid aside along its joints' axis, so that none cuts another while it moves.

This is of the drawing alone: the axes are parallel, and along them nothing moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from ...model.model import Model
from ...numeric.motion.motion import Motion
from ..look.body_shells import Anatomy, anatomy_of, body_shell, is_bar
from ..look.links import plate_axis
from ..look.nodes import ALONG, numbers_of
from ..look.shell import Shell

__all__ = ["layer_shifts"]

FRAMES: Final = 16
"""Of a motion that are looked at for plates that meet."""
DOTS: Final = 7
"""On each line of a plate, from node to node."""
APART: Final = 0.1
"""Between two plates, in radii of a link."""
MANY: Final = 60
"""Bodies beyond which only neighbours are laid aside: of so many the picture tells no plate from another."""


def layer_shifts(motion: Motion, upright: np.ndarray) -> np.ndarray:
    """How far each body is laid aside (bodies, 3), m, in its own axes; towards the camera of the front."""
    model = motion.model
    anatomy = anatomy_of(model)
    shifts = np.zeros((len(model.bodies), 3))
    axes = [_axis_of(model, index, anatomy, upright) for index in range(len(model.bodies))]
    if not any(axis is not None for axis in axes):
        return shifts
    shells = [body_shell(model, index, anatomy) for index in range(len(model.bodies))]
    rest = _rest_places(model)
    meets = _meetings(motion, anatomy, axes)
    placed: list[int] = []
    for index in model.order:
        axis = axes[index]
        if axis is not None:
            others = [other for other in placed if meets[index, other] and _goes_across(anatomy, other, axis)]
            taken = [_range(shells[other], rest[other] + shifts[other], axis) for other in others]
            low, high = _range(shells[index], rest[index], axis)
            shifts[index] = _free_way(low, high, taken, APART * anatomy.gauge) * axis
        placed.append(index)
    _draw_up(model, shifts, axes, shells, rest, meets, APART * anatomy.gauge)
    return shifts


def _draw_up(
    model: Model,
    shifts: np.ndarray,
    axes: list[np.ndarray | None],
    shells: list[Shell],
    rest: np.ndarray,
    meets: np.ndarray,
    gap: float,
) -> None:
    """Lay plates on the ground next to those that they carry, where nothing is between: their pin is short."""
    for index, (axis, parent) in enumerate(zip(axes, model.parents, strict=True)):
        carried = [k for k, other in enumerate(model.parents) if other == index]
        if axis is None or parent >= 0 or not carried or any(_cosine(axes[k], axis) < ALONG for k in carried):
            continue
        heights = {
            k: shells[k].points @ axis + (rest[k] + shifts[k]) @ axis for k in (index, *np.flatnonzero(meets[index]))
        }
        high = float(heights[index].max())
        before = {k: float(along.min()) - gap for k, along in heights.items() if k != index and along.min() > high}
        first = min(before, key=before.__getitem__, default=-1)
        if first in carried:
            shifts[index] += (before[first] - high) * axis


def _axis_of(model: Model, index: int, anatomy: Anatomy, upright: np.ndarray) -> np.ndarray | None:
    """The axis of a plate, towards the camera of the front, or up."""
    nodes = anatomy.nodes[index]
    if not is_bar(model, index, nodes):
        return None
    axis = plate_axis(nodes)
    if axis is None:
        return None
    toward, up = -upright[1], upright[2]
    side = axis @ toward if abs(axis @ toward) > 0.1 else axis @ up
    return np.asarray(-axis if side < 0 else axis)


def _goes_across(anatomy: Anatomy, index: int, axis: np.ndarray) -> bool:
    """Whether a body is joined along this axis alone: along it, it stays where it is."""
    return all(node.axis is None or abs(node.axis @ axis) > ALONG for node in anatomy.nodes[index])


def _rest_places(model: Model) -> np.ndarray:
    """O* of every body (bodies, 3) at q = 0: along its axes a plate stays where it is there."""
    places = np.zeros((len(model.bodies), 3))
    for index in model.order:
        parent = model.parents[index]
        places[index] = numbers_of(model, model.bodies[index].joint.at) + (places[parent] if parent >= 0 else 0.0)
    return places


def _range(shell: Shell, place: np.ndarray, axis: np.ndarray) -> tuple[float, float]:
    """From where to where a body is along an axis; plates turn about it, so that this stays."""
    heights = shell.points @ axis + place @ axis
    return float(heights.min(initial=0.0)), float(heights.max(initial=0.0))


def _free_way(low: float, high: float, taken: list[tuple[float, float]], gap: float) -> float:
    """The shortest way forward by which an interval comes clear of others."""
    way = 0.0
    for begin, end in sorted(taken):
        if low + way < end + gap and high + way > begin - gap:
            way = end + gap - low
    return way


def _meetings(motion: Motion, anatomy: Anatomy, axes: list[np.ndarray | None]) -> np.ndarray:
    """Which bodies (n, n) must not lie in one layer: neighbours, and plates that come together in the motion."""
    model, count = motion.model, len(axes)
    meets = np.zeros((count, count), dtype=bool)
    for a, b in _neighbours(model):
        meets[a, b] = meets[b, a] = a != b
    if count <= MANY:
        lines = [None if axis is None else _lines(motion, anatomy, k, axis) for k, axis in enumerate(axes)]
        for a in range(count):
            for b in range(a):
                first, second = lines[a], lines[b]
                if first is None or second is None or meets[a, b] or abs(_cosine(axes[a], axes[b])) < ALONG:
                    continue
                meets[a, b] = meets[b, a] = _come_near(first, second, anatomy.radii[a] + anatomy.radii[b])
    return meets


def _cosine(a: np.ndarray | None, b: np.ndarray | None) -> float:
    return 0.0 if a is None or b is None else float(a @ b)


def _neighbours(model: Model) -> Iterator[tuple[int, int]]:
    """Pairs of bodies that share a joint or the pin of a loop; also those that one body carries in one place."""
    for index, parent in enumerate(model.parents):
        if parent >= 0:
            yield index, parent
    places = [[model.number(item) for item in body.joint.at] for body in model.bodies]
    for a in range(len(places)):
        for b in range(a):
            if model.parents[a] == model.parents[b] and np.allclose(places[a], places[b]):
                yield a, b
    loops: dict[tuple[int, tuple[float, ...]], list[int]] = {}
    for item in model.constraints:
        ends = [end for end in (getattr(item, "a", None), getattr(item, "b", None)) if end is not None]
        if item.type in ("point", "weld") and all(end.body is not None for end in ends):
            first, second = (model.index(end.body) for end in ends)
            yield first, second
            pin = (first, tuple(model.number(part) for part in ends[0].at))
            for other in loops.setdefault(pin, []):
                yield second, other
            loops[pin].append(second)


def _lines(motion: Motion, anatomy: Anatomy, index: int, axis: np.ndarray) -> np.ndarray:
    """Dots (frames, dots, 3) along the lines of a body from its first node to the others, as seen along its axis."""
    frames = np.unique(np.linspace(0, len(motion) - 1, FRAMES).astype(int))
    places = np.array([node.place for node in anatomy.nodes[index]])
    share = np.linspace(0.0, 1.0, DOTS)[:, None, None]
    dots = (places[0] + share * (places - places[0])).reshape(-1, 3)
    turns, origins = motion.rotations[frames, index], motion.poses[0][frames, index]
    dots = dots @ np.swapaxes(turns, 1, 2) + origins[:, None]
    axes = turns @ axis
    return np.asarray(dots - (dots * axes[:, None]).sum(axis=2)[..., None] * axes[:, None])


def _come_near(first: np.ndarray, second: np.ndarray, reach: float) -> bool:
    """Whether two bodies' dots are ever nearer than this."""
    gaps = np.linalg.norm(first[:, :, None] - second[:, None], axis=3)
    # dots stand apart on their lines: a part of the largest step is added
    step = max(float(np.linalg.norm(np.diff(dots, axis=1), axis=2).max(initial=0.0)) for dots in (first, second))
    return bool(np.nanmin(gaps, initial=np.inf) < reach + 0.25 * step)
