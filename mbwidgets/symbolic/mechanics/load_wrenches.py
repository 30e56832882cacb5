"""What a model's springs, dampers and loads do to its bodies: forces at points, and moments, exactly.

Forces inside a joint (its spring, damper, friction, actuator) act along its free direction and belong to the
effort, not here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ...errors import ModelError
from ..ring.element import Element, rational_element
from ..ring.scalar_reader import square_root
from ..ring.unit_axes import unit_axis
from .derivation import Study
from .generalised_forces import INSIDE, Loads, dot

__all__ = ["Push", "applied_loads", "applied_wrench"]

Vec = list[Element]


class Push(NamedTuple):
    """A force at a point, or a moment (``point`` None), on a body of the model; inertial axes."""

    body: int
    point: Vec | None
    value: Vec


def _spring(g: Loads, load: Any, where: str) -> Iterator[Push]:
    """k (1 − ℓ₀/ℓ) d on the first end, d from it to the other; a damper has c (d·ḋ)/ℓ² d; nothing where ℓ is zero."""
    start, end = (g.point(end.body, end.at, where) for end in (load.start, load.end))
    d = [y - x for x, y in zip(start, end, strict=True)]
    square = dot(d, d)
    if not square:
        return
    if load.type == "spring":
        rest = g.read(load.length, where)
        pull = g.read(load.stiffness, where)
        if rest:
            pull = pull * (rational_element(1) - rest / square_root(square, where))
    else:
        pull = g.read(load.damping, where) * g.rate(square) / (2 * square)
    for anchor, point, sign in ((load.start, start, 1), (load.end, end, -1)):
        if anchor.body is not None:
            yield Push(g.model.index(anchor.body), point, [sign * pull * x for x in d])


def _load(g: Loads, load: Any, where: str) -> Iterator[Push]:
    value = g.vector(load.value, where)
    if load.axes == "body":
        value = g.turned(g.place(load.body), value)
    point = g.point(load.body, load.at, where) if load.type == "force" else None
    yield Push(g.model.index(load.body), point, value)


def _alignment(g: Loads, load: Any, where: str) -> Iterator[Push]:
    """κ² e_child × e_parent on the body, its opposite on the parent."""
    body = g.model.index(load.joint)
    parent = g.model.parents[body]
    reader = g.m.reader
    inner = list(unit_axis(load.axis_child, reader, f"{where}, axis_child", f"c{body + 1}"))
    outer = list(unit_axis(load.axis_parent, reader, f"{where}, axis_parent", f"p{body + 1}"))
    inner = g.turned(g.segment[body], inner)
    if parent >= 0:
        outer = g.turned(g.segment[parent], outer)
    stiffness = g.read(load.stiffness, where)
    moment = [stiffness * part for part in _cross(inner, outer)]
    yield Push(body, None, moment)
    if parent >= 0:
        yield Push(parent, None, [-part for part in moment])


_RULES: dict[str, Callable[[Loads, Any, str], Iterator[Push]]] = {
    "spring": _spring,
    "damper": _spring,
    "force": _load,
    "torque": _load,
    "elastic_alignment": _alignment,
}


def applied_loads(study: Study) -> Iterator[Push]:
    """Every applied force and moment of the model."""
    for place, load in enumerate(study.model.forces):
        if load.type in INSIDE:
            continue
        rule = _RULES.get(load.type)
        if rule is None:
            raise ModelError(
                f"a {load.type} has no exact form here",
                where=f"force {place}",
                remedy="leave it out, or use the compiled dynamics: mb.Dynamics(model)",
            )
        yield from rule(study.loads, load, f"force {place} ({load.type})")


def applied_wrench(study: Study, segment: int) -> tuple[Vec, Vec]:
    """−ΣF and −Σ(M + r × F) about O_k over all that a segment carries."""
    pole = study.elements(study.rodrigues.joint(segment))
    carried = set(study.model.subtree(study.mechanism.segments[segment].body))
    force, moment = [rational_element(0)] * 3, [rational_element(0)] * 3
    for push in study.pushes:
        if push.body not in carried:
            continue
        if push.point is None:
            moment = [x - y for x, y in zip(moment, push.value, strict=True)]
            continue
        arm = [x - y for x, y in zip(push.point, pole, strict=True)]
        force = [x - y for x, y in zip(force, push.value, strict=True)]
        moment = [x - y for x, y in zip(moment, _cross(arm, push.value), strict=True)]
    return force, moment


def _cross(a: Vec, b: Vec) -> Vec:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
