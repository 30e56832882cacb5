"""Where a body is held: its joints, its mass centre and what else acts on it, with the axes there; and how thick it is.

All body frames are parallel at q = 0, so that an axis has the same components in a body and in its parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ...model.model import Model
from ...numeric.base.rotations import unit_vector

__all__ = [
    "ALONG",
    "Node",
    "body_nodes",
    "body_radii",
    "joint_axis",
    "link_gauge",
    "loop_axis",
    "numbers_of",
    "plane_bodies",
    "ring_axis",
]

ALONG: Final = 0.999
"""Cosine from which on two axes are taken for parallel: a turn of 2.6 degrees."""
ACROSS: Final = 0.01
"""Cosine below which a direction is across an axis."""
SAME: Final = 1e-6
"""Distance over the body's span below which two places are one."""
SLIM: Final = 0.046
"""Radius of a link over its span, of the mechanism's mean one."""
SHORT: Final = 0.25
"""Span of a body over the longest below which it tells nothing of links: a block, a wheel."""
THINNEST, THICKEST = 0.006, 0.055
"""Of that radius over the size of the whole mechanism: it can be seen, and it hides nothing."""
VISIBLE, STOUTEST = 0.0085, 0.12
"""Of small bodies far apart links are thicker: as much of the whole mechanism's size, but no more of their own span."""
LEAST, MOST = 0.88, 1.08
"""Radius of one body's link over that of the mechanism: a long one is slim, so that it hides little of the others;
``SLIMMER`` is it over what the mechanism's would be if all were as long."""
SLIMMER: Final = 0.96


@dataclass(frozen=True, eq=False)
class Node:
    """A place (3,) of a body, m, in its axes from O*, with the axis (3,) of what is joined there, if it has one.

    ``kind``: ``"carrier"`` where the parent carries it, ``"joint"`` where it carries another body, ``"loop"`` where a
    constraint holds it, ``"load"`` where a force acts, ``"centre"`` its mass centre. ``joint`` is the type of a joint.
    """

    kind: str
    place: np.ndarray
    axis: np.ndarray | None = None
    joint: str = ""


def numbers_of(model: Model, value: Any) -> np.ndarray:
    """The numbers of a vector (3,) with the model's present values."""
    return np.array([model.number(item) for item in value], dtype=float)


def joint_axis(model: Model, index: int, child: bool) -> np.ndarray | None:
    """The axis about which a body turns in its joint, as its own side has it or as its parent's does."""
    columns = [column for column in model.bodies[index].joint.columns() if column.kind != "translation"]
    if not columns:
        return None
    chosen = columns[-1] if child else columns[0]
    return None if chosen.kind == "ball" else unit_vector(numbers_of(model, chosen.axis))


def body_nodes(model: Model) -> list[list[Node]]:
    """The nodes of every body; the one that the parent carries is the first."""
    found: list[list[Node]] = [[] for _ in model.bodies]
    for index, body in enumerate(model.bodies):
        if body.joint.type != "free":
            found[index].append(Node("carrier", np.zeros(3), joint_axis(model, index, True), body.joint.type))
    for index, (body, parent) in enumerate(zip(model.bodies, model.parents, strict=True)):
        if parent >= 0 and body.joint.type != "free":
            place, axis = numbers_of(model, body.joint.at), joint_axis(model, index, False)
            found[parent].append(Node("joint", place, axis, body.joint.type))
    for kind, index, place, axis in _held_places(model):
        found[index].append(Node(kind, numbers_of(model, place), axis))
    for index, body in enumerate(model.bodies):
        if model.number(body.mass) > 0 or not found[index]:
            found[index].append(Node("centre", numbers_of(model, body.com)))
    return [_distinct(nodes) for nodes in found]


def _held_places(model: Model) -> Iterator[tuple[str, int, Any, np.ndarray | None]]:
    """Kind, body, place and axis of what constraints hold and of what springs and dampers pull at."""
    for kind, items in (("loop", model.constraints), ("load", model.forces)):
        for item in items:
            ends = [getattr(item, name, None) for name in ("a", "b", "start", "end")]
            bodies = [model.index(end.body) for end in ends if end is not None and end.body is not None]
            axis = loop_axis(model, bodies) if item.type in ("point", "weld") else None
            for end in ends:
                # what only turns two bodies alike holds no point
                if end is not None and end.body is not None and item.type not in ("parallel", "orientation"):
                    yield kind, model.index(end.body), end.at, axis
            if kind == "loop" and item.type.startswith("on_"):
                yield kind, model.index(item.body), item.at, ring_axis(model, item)


def ring_axis(model: Model, item: Any) -> np.ndarray | None:
    """The normal of the circle that holds a point of a body, where the body goes in its plane: there it is a pin."""
    if item.type != "on_circle":
        return None
    normal, index = unit_vector(numbers_of(model, item.normal)), model.index(item.body)
    if index in plane_bodies(model, normal):
        return normal
    for other in model.constraints:
        ends = [other.a, other.b] if other.type == "parallel" else []
        along = [abs(unit_vector(numbers_of(model, end.axis)) @ normal) > ALONG for end in ends]
        if {end.body for end in ends} == {item.body, None} and all(along):
            return normal
    return None


def loop_axis(model: Model, bodies: list[int]) -> np.ndarray | None:
    """The axis about which bodies turn that close a loop, where all of them go in one plane: there it is a pin."""
    axes = [axis for index in bodies if (axis := joint_axis(model, index, True)) is not None]
    return axes[0] if axes and set(bodies) <= set(plane_bodies(model, axes[0])) else None


def plane_bodies(model: Model, axis: np.ndarray) -> list[int]:
    """The bodies that turn about this direction alone and slide only across it."""
    good = [False] * len(model.bodies)
    for index in model.order:
        parent, able = model.parents[index], True
        for column in model.bodies[index].joint.columns():
            cosine = 0.0 if column.kind == "ball" else abs(unit_vector(numbers_of(model, column.axis)) @ axis)
            able &= cosine > ALONG if column.kind == "rotation" else column.kind == "translation" and cosine < ACROSS
        good[index] = able and (parent < 0 or good[parent])
    return [index for index, able in enumerate(good) if able]


def _distinct(nodes: list[Node]) -> list[Node]:
    """One node for each place, the first; a place that has no axis takes that of a later one there."""
    kept: list[Node] = []
    span = node_span(nodes)
    for node in nodes:
        same = next((k for k, old in enumerate(kept) if np.linalg.norm(old.place - node.place) <= SAME * span), None)
        if same is None:
            kept.append(node)
        elif kept[same].axis is None and node.axis is not None:
            kept[same] = replace(kept[same], axis=node.axis)
    return kept


def node_span(nodes: list[Node]) -> float:
    """The largest distance between two nodes, m."""
    if len(nodes) < 2:
        return 0.0
    places = np.array([node.place for node in nodes])
    return float(np.linalg.norm(places[:, None] - places[None], axis=2).max())


def link_gauge(spans: Sequence[float], size: float) -> float:
    """Radius of a link that suits the mechanism, m: that of its mean body, seen beside its ``size``."""
    known = [span for span in spans if np.isfinite(span) and span > SAME * size]
    long = [span for span in known if span > SHORT * max(known)]
    wanted = SLIM * float(np.mean(long)) if long else THICKEST * size
    stout = min(VISIBLE * size, STOUTEST * float(np.mean(long))) if long else 0.0
    return float(np.clip(wanted, max(THINNEST * size, stout), THICKEST * size))


def body_radii(spans: Sequence[float], gauge: float) -> list[float]:
    """Radius of each body's link, m."""
    return [float(np.clip(SLIMMER * SLIM * span, LEAST * gauge, MOST * gauge)) for span in spans]
