"""Bodies as shells: the solid that a body is given, with eyes about its pins, or else the link that it is drawn as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...model import solids
from ...model.model import Model
from ...numeric.base.rotations import rotation_matrices, unit_vector
from .forms import (
    AROUND,
    ONE,
    ROUNDED,
    ball,
    cylinder,
    cylinder_outline,
    limb,
    revolved,
    rounded_box,
    scribed,
    sectors,
    tube,
)
from .links import BOSS, inlay, link_shell, plate_axis
from .nodes import ALONG, Node, body_nodes, body_radii, link_gauge, node_span, numbers_of
from .piercing import nearest_intervals, pierced
from .shapes import Part, body_extent, model_size, solid_parts
from .shell import NOTHING, Role, Shell, join_shells

__all__ = ["Anatomy", "anatomy_of", "body_holes", "body_shell", "centre_mark", "is_bar", "is_link"]

ONE_PLACE: Final = 1e-4
"""Distance over the radius of a link below which two places are one."""
SPAN: Final = 0.6
"""Of a solid's reach from its joint: what is held at its end and what is held in its middle are as thick."""
SLENDER: Final = 0.2
"""Thickness of a bar over its length, at most."""
EYE: Final = 2.2
"""Radius of the eye about a pin over half the thickness of what it is in, at most."""
STOUT: Final = 1.5
"""Radius of a bar over that of a link as long, at most."""
LONG: Final = 3.2
"""Length of what a pin goes through, in radii, beyond which it is a shaft, which needs no eye."""
NEAR_AXIS: Final = 0.2
"""How far the middle of a part may lie off the axis on which it spins, in its radii: unbalanced rotors spin too."""
OBLONG: Final = 2.5
"""Length over width of a box from which on its broad faces have pockets."""
SQUARE: Final = 0.55
"""Width of the narrow faces over that of the broad ones, from which on they have pockets too."""
SOFT: Final = 0.16
"""Radius of the edges of a box, over its shortest one."""
COLUMN: Final = 8.0
"""Length over radius of a cylinder from which on it is a column, turned down between its collars to ``WAIST`` of its
radius, which is drawing alone; ``COLLAR`` is how long these are and ``SHOULDER`` how soon they end, in radii."""
WAIST, COLLAR, SHOULDER = 0.86, 2.3, 0.8
STRIPE: Final = 1.2
"""Length over radius of what turns about its own axis, from which on a stripe marks it; below, quadrants."""


@dataclass(frozen=True, eq=False)
class Anatomy:
    """What the parts of a mechanism are drawn by: its size, the radius of its links, and each body's nodes and radius.

    ``shifts`` (bodies, 3), m, in body axes: how far each is laid aside along its joints' axis, for the drawing alone;
    ``up`` (3,) is against gravity.
    """

    size: float
    gauge: float
    nodes: list[list[Node]]
    radii: list[float]
    shifts: np.ndarray
    up: np.ndarray

    def eye(self, index: int) -> float:
        """Radius of the boss about a body's pins, m."""
        return BOSS * self.radii[index]


def anatomy_of(model: Model, shifts: np.ndarray | None = None) -> Anatomy:
    """How a model is drawn, its plates laid aside as told."""
    size, nodes = model_size(model), body_nodes(model)
    spans = [max(node_span(own), _solid_span(model, index)) for index, own in enumerate(nodes)]
    gauge = link_gauge(spans, size)
    aside = np.zeros((len(nodes), 3)) if shifts is None else shifts
    radii = [_radius_of_solid(model, index, radius) for index, radius in enumerate(body_radii(spans, gauge))]
    gravity = numbers_of(model, model.gravity)
    up = -unit_vector(gravity) if gravity.any() else np.eye(3)[2]
    return Anatomy(size, gauge, nodes, radii, aside, up)


def _solid_span(model: Model, index: int) -> float:
    """A length of a body's solid that counts as a distance of nodes, m: a rotor has all of them in one place."""
    return 0.0 if model.bodies[index].shape is None else SPAN * body_extent(model, index)


def is_bar(model: Model, index: int, nodes: Sequence[Node]) -> bool:
    """Whether a body is drawn as a thin bar across its axes, which can be laid aside."""
    axis, shape = plate_axis(nodes), model.bodies[index].shape
    if axis is None or model.bodies[index].joint.type not in ("revolute", "cylindrical", "free"):
        return False
    if shape is None or isinstance(shape, solids.Rod):
        return True
    (thick, way) = _bar_of(model, shape)
    return way is not None and thick > 0 and abs(way @ axis) < np.sqrt(1 - ALONG**2)


def is_link(model: Model, index: int, nodes: Sequence[Node]) -> bool:
    """Whether a body is drawn by its nodes, from joint to joint, and not as the solid that it is."""
    shape = model.bodies[index].shape
    return shape is None or isinstance(shape, solids.Rod) or is_bar(model, index, nodes)


def _bar_of(model: Model, shape: Any) -> tuple[float, np.ndarray | None]:
    """Thickness and direction of a solid that is a slender bar."""
    if isinstance(shape, solids.Cylinder | solids.Tube):
        radius = abs(model.number(shape.radius if isinstance(shape, solids.Cylinder) else shape.outer))
        slender = 2 * radius < SLENDER * abs(model.number(shape.length))
        return 2 * radius, numbers_of(model, shape.axis) if slender else None
    if isinstance(shape, solids.Box):
        edges = np.abs(numbers_of(model, shape.size))
        longest = int(np.argmax(edges))
        others = np.delete(edges, longest)
        turn = rotation_matrices(np.array([model.number(item) for item in shape.rotation], dtype=float))
        return float(others.max()), turn[:, longest] if others.max() < SLENDER * edges[longest] else None
    return 0.0, None


def _radius_of_solid(model: Model, index: int, radius: float) -> float:
    """A bar has eyes that suit its own thickness, and is as thick as it is where that is not clumsy."""
    thick, way = _bar_of(model, model.bodies[index].shape)
    return radius if way is None else max(min(radius, EYE * thick / 2 / BOSS), min(thick / 2, STOUT * radius))


def body_shell(model: Model, index: int, anatomy: Anatomy) -> Shell:
    """A body in its own axes, without its joints' pins."""
    body, nodes, radius = model.bodies[index], anatomy.nodes[index], anatomy.radii[index]
    shape, shift = body.shape, anatomy.shifts[index]
    if is_link(model, index, nodes):
        guide = numbers_of(model, body.joint.axis) if body.joint.type == "prismatic" else None
        return link_shell([*nodes, *_bar_ends(model, shape, nodes, radius)], radius, shift, guide)
    spin = nodes[0].axis if nodes[0].kind == "carrier" else None
    any_way = body.joint.type in ("spherical", "free")
    whole = [part for part in solid_parts(model, shape, anatomy.size, 0.5 * radius) if not part.ghost]
    parts = [part_shell(part, _own_axis(part) if any_way else spin) for part in whole]
    solid = join_shells(parts).moved(shift)
    return join_shells([solid, *_eyes(solid, nodes, anatomy.eye(index), shift), *_necks(solid, nodes, radius)])


def body_holes(model: Model, index: int, size: float) -> list[Part]:
    """What is cut out of a body's solid, which is seen through it."""
    shape = model.bodies[index].shape
    return [] if shape is None else [part for part in solid_parts(model, shape, size) if part.ghost]


def centre_mark(model: Model, index: int, radius: float) -> Shell:
    """The mark of a mass centre: a ball of octants, dark and bright by turns; none without mass."""
    body = model.bodies[index]
    if not model.number(body.mass) > 0:
        return NOTHING
    halves = []
    for low, roles in ((-np.pi / 2, (Role.DARK, Role.BRIGHT)), (0.0, (Role.BRIGHT, Role.DARK))):
        angle = np.linspace(low, low + np.pi / 2, 5)
        line = radius * np.column_stack([np.cos(angle), np.sin(angle)])
        line[0 if low < 0 else -1, 0] = 0.0  # a pole is a point
        halves.append(sectors(line, roles * 2, 16))
    mark = join_shells(halves)
    return Shell(mark.points, mark.points / radius, mark.faces, mark.roles).moved(numbers_of(model, body.com))


def _bar_ends(model: Model, shape: Any, nodes: Sequence[Node], radius: float) -> Iterator[Node]:
    """The ends of a rod, and of what is as slender, where no node is."""
    if shape is None:
        return
    middle = numbers_of(model, shape.at)
    if isinstance(shape, solids.Box):
        half = float(np.abs(numbers_of(model, shape.size)).max()) / 2 * np.asarray(_bar_of(model, shape)[1])
    else:
        half = model.number(shape.length) / 2 * numbers_of(model, shape.axis)
    for end in (middle - half, middle + half):
        if all(np.linalg.norm(node.place - end) > ONE_PLACE * radius for node in nodes):
            yield Node("centre", end)


def _eyes(solid: Shell, nodes: Sequence[Node], eye: float, shift: np.ndarray) -> Iterator[Shell]:
    """A boss about every pin that goes through a solid."""
    middle = (solid.points.min(axis=0) + solid.points.max(axis=0)) / 2 if len(solid) else np.zeros(3)
    for node in nodes:
        if node.axis is None or node.kind == "centre":
            continue
        place = node.place + shift
        # at the very end of a bar there is nothing to go through: a little before it there is
        inward = middle - place
        inward = inward - (inward @ node.axis) * node.axis
        far = float(np.linalg.norm(inward))
        probe = place + inward * min(1.0, 0.7 * eye / far) if far > 0 else place
        found, here = nearest_intervals(pierced(solid, probe, node.axis, eye), 0.5 * eye)
        if not here:
            continue
        low, high = found[0]
        if high - low > LONG * eye / BOSS:
            continue
        radius = min(eye, EYE * (high - low) / 2)
        boss = cylinder(radius, high - low + 0.24 * radius, rounding=0.1 * radius, steps=ONE)
        yield boss.along(node.axis, place + (low + high) / 2 * node.axis)


def _necks(solid: Shell, nodes: Sequence[Node], radius: float) -> Iterator[Shell]:
    """A thin limb from each joint that lies outside a solid to the nearest of its corners."""
    if not len(solid):
        return
    for node in nodes:
        if node.kind == "centre":
            continue
        near = solid.points[int(np.argmin(np.linalg.norm(solid.points - node.place, axis=1)))]
        gap = float(np.linalg.norm(near - node.place))
        ways = [node.axis] if node.axis is not None else []
        inside = any(
            nearest_intervals(pierced(solid, node.place, way, radius), radius)[0] for way in (*ways, *np.eye(3))
        )
        if gap > 1.5 * radius and not inside:
            yield limb(node.place, near, 0.45 * radius, 0.4 * radius)


def part_shell(part: Part, spin: np.ndarray | None = None) -> Shell:
    """A part of a solid, with rounded edges; what is round about the axis on which it spins has marks that turn."""
    turn = rotation_matrices(np.array(part.turn, dtype=float))
    a, b, _ = part.scale
    about = spin is not None and abs(turn[:, 1] @ spin) > ALONG and _on_axis(part, spin)
    match part.kind:
        case "box":
            edges = np.abs(part.scale)
            shell = join_shells([rounded_box(edges, SOFT * edges.min()), *_recesses(edges)])
        case "ball":
            unit = ball(1.0)
            normals = unit.normals / np.maximum(np.abs(part.scale), 1e-12 * max(part.scale, default=1.0))
            shell = Shell.of(
                unit.points * part.scale, normals / np.linalg.norm(normals, axis=1, keepdims=True), unit.faces
            )
        case "cone":
            shell = _turned([(0.0, -b / 2), (a, -b / 2), (0.0, b / 2)], about, b / a if a > 0 else np.inf)
        case "tube":
            shell = tube(a, part.hollow * a, b)
        case _:
            outline = _turned_outline(a, b)
            shell = _turned(outline, about, b / a if a > 0 else np.inf)
    return shell.moved(part.at, turn)


def _turned_outline(radius: float, length: float) -> list[tuple[float, float]]:
    """Of a cylinder; a column is turned down a little between collars at its ends, where others are joined to it."""
    outline = cylinder_outline(radius, length, ROUNDED * 0.6 * min(radius, length))
    if not length > COLUMN * radius > 0:
        return outline
    collar, waist, half = (COLLAR * radius, WAIST * radius, length / 2)
    shoulder = SHOULDER * radius
    low = [(radius, collar - half), (waist, collar + shoulder - half)]
    high = [(waist, half - collar - shoulder), (radius, half - collar)]
    middle = len(outline) // 2
    return [*outline[:middle], *low, *high, *outline[middle:]]


def _recesses(edges: np.ndarray) -> Iterator[Shell]:
    """Pockets along the broad faces of a long box, which are drawing alone; on all four where they are broad."""
    along, wide, thin = np.argsort(-edges, kind="stable")
    if not edges[along] > OBLONG * edges[wide] > 0:
        return
    for across, normal in ((wide, thin), (thin, wide)):
        if edges[across] < SQUARE * edges[wide]:
            continue
        radius, half = 0.6 * edges[across], edges[along] / 2 - 0.75 * edges[across]
        turn = np.zeros((3, 3))
        turn[along, 0] = turn[normal, 1] = 1.0
        turn[:, 2] = np.cross(turn[:, 0], turn[:, 1])
        ends = np.array([(-half, 0.0), (half, 0.0)])
        for side in (-1.0, 1.0):
            yield inlay(ends, radius, side * edges[normal] / 2, side).moved((0.0, 0.0, 0.0), turn)


def _turned(outline: Any, about: bool, slender: float) -> Shell:
    if not about:
        return revolved(outline, 2 * AROUND if slender < STRIPE else AROUND)
    if slender < STRIPE:
        return sectors(outline, (Role.BODY, Role.MARK) * 2, 2 * AROUND)
    return scribed(outline, 3 * AROUND // 2)


def _on_axis(part: Part, spin: np.ndarray) -> bool:
    """Whether the middle of a part is on an axis through O*."""
    across = np.asarray(part.at) - (np.asarray(part.at) @ spin) * spin
    return float(np.linalg.norm(across)) < NEAR_AXIS * max(part.scale[0], part.scale[2])


def _own_axis(part: Part) -> np.ndarray:
    """The axis of a part that is round about it."""
    return np.asarray(rotation_matrices(np.array(part.turn, dtype=float))[:, 1])
