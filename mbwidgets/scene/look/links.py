"""A body without a solid of its own: a machined link through its joints and its mass centre.

Where all axes are parallel it is a plate across them, the hull of a circle at each node; else limbs between bosses that
stand along their own axes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from .forms import ONE, ROUNDED, ball, cylinder, extruded, hull_outline, limb, revolved, rounded_box
from .nodes import ALONG, Node, node_span
from .shell import Role, Shell, join_shells, turn_from_y

__all__ = ["BOSS", "THICK", "cup", "inlay", "link_shell", "plate_axis"]

TAPER: Final = 0.84
"""Radius of the circles at the other nodes over that at the carrier."""
THICK: Final = 0.7
"""Thickness of a plate, in radii of its link."""
BOSS, POCKET = 0.74, 0.43
"""Radius of the raised ring about a pin, and of the pocket between two, in radii of the link."""
RAISED, SUNK = 0.09, 0.024
"""How far a boss stands out of the plate and how far a pocket's floor, which is drawn as an inlay, lies off it."""
POCKET_SIDES: Final = 24
"""Directions in which the outline of a pocket turns."""
BORDER: Final = 0.035
"""Width of the line about a pocket, in radii of the link."""
LIMB: Final = 0.62
"""Radius of a round limb, in radii of the link."""
FORK: Final = 1.5
"""How far before a joint a limb divides into the two cheeks of a fork, in radii of the link."""
COAXIAL: Final = 0.8
"""Cosine between a limb and an axis from which on the limb goes along it."""
ALONE: Final = 1.7
"""How much larger a body is drawn that has one place only: the mark of its mass centre leaves something of it."""
STEEP: Final = 0.35
"""Share of the span by which nodes may lie off a plate's plane: beyond it the body is no plate."""


def plate_axis(nodes: Sequence[Node]) -> np.ndarray | None:
    """The axis across which a body can be a plate, as that of its first node with one; None where it cannot."""
    axes = [node.axis for node in nodes if node.axis is not None]
    if not axes or any(abs(axes[0] @ axis) < ALONG for axis in axes[1:]):
        return None
    if any(node.joint == "universal" for node in nodes):  # a cross needs forks
        return None
    heights = np.array([node.place for node in nodes]) @ axes[0]
    span = node_span(list(nodes))
    return axes[0] if np.ptp(heights) <= STEEP * span else None


def link_shell(nodes: Sequence[Node], radius: float, shift: np.ndarray, guide: np.ndarray | None = None) -> Shell:
    """The link through nodes, in body axes; ``shift`` (3,) is how far a plate is laid aside along its axis.

    ``guide``: the direction in which the parent guides it; there it sits with a block.
    """
    parts = []
    if guide is not None:
        block = rounded_box((2.6 * radius, 2.2 * radius, 2.6 * radius), 0.35 * radius)
        parts.append(block.along(guide, nodes[0].place))
    if guide is None or len(nodes) > 1:
        axis = plate_axis(nodes)
        parts.append(_limbs(nodes, radius) if axis is None else _plate(nodes, axis, radius, shift))
    return join_shells(parts)


def _plate(nodes: Sequence[Node], axis: np.ndarray, radius: float, shift: np.ndarray) -> Shell:
    """A plate across an axis with a boss at every joint and a pocket between them."""
    turn = turn_from_y(axis)
    own = np.array([node.place for node in nodes]) @ turn  # x and z across the axis, y along it
    level = float(own[0, 1] + shift @ axis)
    flat = np.column_stack([own[:, 0], -own[:, 2]])
    radii = radius * np.where(np.arange(len(nodes)) == 0, 1.0, TAPER)
    thickness = THICK * radius
    plate = extruded(*hull_outline(flat, radii), thickness, ROUNDED * thickness, Role.BODY)
    parts = [plate.moved((0.0, level, 0.0)), *_pockets(flat, radius, level)]
    for node, (x, y, z) in zip(nodes, own, strict=True):
        if node.kind == "centre":
            if not shift.any() and abs(y - level) > thickness / 2:
                parts.append(limb((x, level, z), (x, y, z), LIMB * radius, POCKET * radius))
            continue
        low, high = min(y, level) - thickness / 2, max(y, level) + thickness / 2
        # a plate that is laid aside does not reach back: the pin does
        low, high = (level - thickness / 2, level + thickness / 2) if shift.any() else (low, high)
        height = high - low + 2 * RAISED * radius
        boss = cylinder(BOSS * radius, height, rounding=RAISED * radius * 0.9, steps=ONE)
        parts.append(boss.moved((x, (low + high) / 2, z)))
    return join_shells(parts).moved((0.0, 0.0, 0.0), turn)


def _pockets(flat: np.ndarray, radius: float, level: float) -> Iterator[Shell]:
    """The floor of the pocket on both faces: the hull of the nodes, drawn in from each of them."""
    middle = flat.mean(axis=0)
    apart = np.linalg.norm(flat - middle, axis=1)
    clear = (BOSS + POCKET + 0.2) * radius
    if len(flat) < 2 or apart.min() < 1e-9 * radius:
        far = flat[apart > clear]
        ends = middle + (far - middle) * (1 - clear / np.linalg.norm(far - middle, axis=1))[:, None]
        ends = np.concatenate([ends, middle[None]]) if len(ends) == 1 else ends
    else:
        ends = middle + (flat - middle) * np.maximum(0.0, 1 - clear / apart)[:, None]
    if len(ends) < 2 or np.linalg.norm(ends - ends[0], axis=1).max() < 0.4 * radius:
        return
    for side in (-1.0, 1.0):
        yield inlay(ends, radius, level + side * THICK / 2 * radius, side)


def inlay(ends: np.ndarray, radius: float, height: float, side: float) -> Shell:
    """The floor of a pocket about points (k, 2) of a face at a height along y, which looks up or down by its side.

    It has the width that suits a link of a radius. The line about it lies below its floor.
    """
    parts = []
    for wide, sunk, role in ((POCKET + BORDER, 0.5 * SUNK, Role.EDGE), (POCKET, SUNK, Role.POCKET)):
        points, _ = hull_outline(ends, np.full(len(ends), wide * radius), POCKET_SIDES)
        level = height + side * sunk * radius
        place = np.column_stack([points[:, 0], np.full(len(points), level), -points[:, 1]])
        fan = np.arange(1, len(points) - 1)
        faces = np.column_stack([np.zeros(len(fan), dtype=int), fan, fan + 1])
        normals = np.tile((0.0, side, 0.0), (len(points), 1))
        parts.append(Shell.of(place, normals, faces[:, :: int(side)], role))
    return join_shells(parts)


def _limbs(nodes: Sequence[Node], radius: float) -> Shell:
    """Round limbs along the shortest tree of the nodes, each ending in the boss, the fork or the cup of its node."""
    places = np.array([node.place for node in nodes])
    near = np.array([node.kind == "carrier" for node in nodes], dtype=bool)
    parts: list[Shell] = []
    toward: dict[int, np.ndarray] = {}
    for start, end in _shortest_tree(places):
        length = float(np.linalg.norm(places[end] - places[start]))
        way = (places[end] - places[start]) / length
        ends = []
        for number, sign in ((start, 1.0), (end, -1.0)):
            toward.setdefault(number, sign * way)
            ends.append(places[number] + sign * way * min(_short(nodes[number], radius), 0.4 * length))
        thin = [LIMB * radius * (1.0 if near[k] or nodes[k].kind == "centre" else TAPER) for k in (start, end)]
        parts.append(limb(ends[0], ends[1], thin[0], thin[1]))
    for number, node in enumerate(nodes):
        if node.kind != "centre" or len(nodes) == 1:
            wide = radius * (1.0 if number == 0 else TAPER) * (ALONE if len(nodes) == 1 else 1.0)
            parts += _node_parts(node, toward.get(number), wide, radius)
    return join_shells(parts)


def _shortest_tree(places: np.ndarray) -> Iterator[tuple[int, int]]:
    """Pairs of places that are joined so that all are, by the shortest ways."""
    joined, left = [0], list(range(1, len(places)))
    while left:
        gap = np.linalg.norm(places[left][:, None] - places[joined][None], axis=2)
        k, j = np.unravel_index(int(np.argmin(gap)), gap.shape)
        end = left.pop(int(k))
        yield joined[int(j)], end
        joined.append(end)


def _short(node: Node, radius: float) -> float:
    """How far before a node a limb ends, where the node has something of its own between."""
    forked = node.axis is not None and (node.kind == "joint" or node.joint == "universal")
    return FORK * radius if forked else 0.0


def _node_parts(node: Node, way: np.ndarray | None, wide: float, radius: float) -> Iterator[Shell]:
    """What stands at a node: the boss that turns on a pin, or the fork or the cup that carries another's.

    ``way`` (3,) leads from it to the rest of the body.
    """
    if node.axis is None:
        if node.joint == "spherical" and node.kind == "joint" and way is not None:
            yield cup(1.18 * wide).along(-way, node.place)
        else:
            yield ball(0.9 * wide).moved(node.place)
        return
    straight = 0.0 if way is None else float(way @ node.axis)
    if abs(straight) > COAXIAL:
        # along the limb: the two bosses stand end to end
        side = np.sign(straight) * node.axis
        yield cylinder(0.95 * wide, 1.5 * wide).along(side, node.place + 0.75 * wide * side)
    elif (node.kind == "joint" or node.joint == "universal") and way is not None:
        root = node.place + FORK * radius * way
        for side in (-1.0, 1.0):
            cheek = node.place + side * 0.74 * radius * node.axis
            yield cylinder(0.9 * wide, 0.36 * wide).along(node.axis, cheek)
            yield limb(root, cheek, 0.5 * wide, 0.24 * wide)
    else:
        yield cylinder(0.95 * wide, 1.0 * radius).along(node.axis, node.place)


def cup(radius: float, role: Role = Role.BODY) -> Shell:
    """A cup about the origin that is open along y."""
    outside, inside = np.linspace(-np.pi / 2, 0.25, 9), np.linspace(0.25, -np.pi / 2, 9)
    line = [(radius * np.cos(t), radius * np.sin(t)) for t in outside]
    line += [(0.86 * radius * np.cos(t), 0.86 * radius * np.sin(t)) for t in inside]
    line[0], line[-1] = (0.0, -radius), (0.0, -0.86 * radius)
    return revolved(line, role=role)
