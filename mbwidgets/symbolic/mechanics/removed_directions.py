"""The directions that a joint removes, in world axes."""

from __future__ import annotations

from ..ring.element import rational_element
from ..ring.scalar_reader import square_root
from ..ring.vectors import UNITS, Vec, cross
from .derivation import Study

__all__ = ["removed_directions"]


def removed_directions(study: Study, index: int) -> list[Vec]:
    """Rows of six: unit forces first, then unit moments at O_k, across all free directions of the joint."""
    free: dict[bool, list[Vec]] = {False: [], True: []}
    balls = False
    for d in study.virtual.joints:
        if study.mechanism.segments[d.segment].body == index:
            free[d.turn].append(study.elements(d.direction))
            balls = balls or study.mechanism.segments[d.segment].kind == "ball"
    nothing = [rational_element(0)] * 3
    forces = [[*v, *nothing] for v in _across(free[False])]
    return forces + [[*nothing, *v] for v in ([] if balls else _across(free[True]))]


def _across(free: list[Vec]) -> list[Vec]:
    if not free:
        return [list(unit) for unit in UNITS]
    if len(free) == 1:
        return _pair(free[0])
    if len(free) == 2:
        return [cross(*free)]
    return []


def _pair(e: Vec) -> list[Vec]:
    """Two unit vectors across a unit vector that may turn with q: y and z for x, z and x for y, x and y for z."""
    start = next(
        (k for k in range(3) if e[(k + 1) % 3] == rational_element(0) and e[(k + 2) % 3] == rational_element(0)), 2
    )
    unit = UNITS[(start + 1) % 3]
    share = e[(start + 1) % 3]
    square = 1 - share * share
    length = square_root(square)
    first = [(x - share * y) / length for x, y in zip(unit, e, strict=True)]
    return [first, cross(e, first)]
