"""What a model's springs, dampers and loads do to its bodies: forces at points, and moments, exactly.

Forces inside a joint (its spring, damper, friction, actuator) act along its free direction and belong to the
effort, not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...model.force_primitives import (
    AlignmentMoment,
    BodyLoad,
    ForcePrimitive,
    JointForce,
    LineForce,
    force_primitives,
)
from ..ring.element import rational_element
from ..ring.vectors import Vec, cross, dot, subtract
from .body_geometry import Geometry
from .derivation import Study
from .force_laws import tension_over_length

__all__ = ["Push", "applied_loads", "negative_load_wrench"]


class Push(NamedTuple):
    """A force at a point, or a moment (``point`` None), on a body of the model; inertial axes."""

    body: int
    point: Vec | None
    value: Vec


def _pushes(g: Geometry, part: ForcePrimitive) -> Iterator[Push]:
    match part:
        case LineForce():
            yield from _line(g, part)
        case BodyLoad():
            yield _load(g, part)
        case AlignmentMoment():
            yield from _alignment(g, part)
        case JointForce():
            pass


def _line(g: Geometry, part: LineForce) -> Iterator[Push]:
    """(tension/ℓ) d on the first end, d from it to the other; nothing where ℓ is always zero."""
    start, end = g.ends(part)
    d = subtract(end, start)
    square = dot(d, d)
    if not square:
        return
    pull, over = tension_over_length(g, part, square)
    pull = pull / over
    for body, point, sign in zip(part.bodies, (start, end), (1, -1), strict=True):
        if body >= 0:
            yield Push(body, point, [sign * pull * x for x in d])


def _load(g: Geometry, part: BodyLoad) -> Push:
    value = g.vector(part.value, part.title)
    if part.turned:
        value = g.turned(g.segment[part.body], value)
    return Push(part.body, None if part.point is None else g.point(part.body, part.point, part.title), value)


def _alignment(g: Geometry, part: AlignmentMoment) -> Iterator[Push]:
    """κ² e_b × e_a on the body, its opposite on the parent."""
    parent, body = part.bodies
    inner, outer = (g.unit(direction, part.title) for direction in reversed(part.directions))
    stiffness = g.read(part.stiffness, part.title)
    axes = g.turned(g.segment[body], inner), g.turned(g.segment[parent], outer)
    moment = [stiffness * x for x in cross(*axes)]
    yield Push(body, None, moment)
    if parent >= 0:
        yield Push(parent, None, [-x for x in moment])


def applied_loads(study: Study) -> Iterator[Push]:
    """Every applied force and moment of the model."""
    for part in force_primitives(study.model):
        yield from _pushes(study.geometry, part)


def negative_load_wrench(study: Study, segment: int) -> tuple[Vec, Vec]:
    """−ΣF and −Σ(M + r × F) about O_k over all that a segment carries."""
    pole = study.elements(study.rodrigues.joint(segment))
    carried = set(study.model.subtree(study.mechanism.segments[segment].body))
    force, moment = [rational_element(0)] * 3, [rational_element(0)] * 3
    for push in study.pushes:
        if push.body not in carried:
            continue
        if push.point is None:
            moment = subtract(moment, push.value)
            continue
        force = subtract(force, push.value)
        moment = subtract(moment, cross(subtract(push.point, pole), push.value))
    return force, moment
