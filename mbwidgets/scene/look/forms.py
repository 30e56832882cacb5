"""Forms that bodies and joints are made of, as shells: what is turned, extruded, boxed or round; all along y."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from .shell import Role, Shell, join_shells

__all__ = [
    "AROUND",
    "FEW",
    "ONE",
    "ball",
    "cylinder",
    "extruded",
    "hull_outline",
    "limb",
    "revolved",
    "rounded_box",
    "scribed",
    "sectors",
    "tube",
]

AROUND: Final = 24
"""Sides of what is round."""
RIM: Final = 3
"""Steps of a rounded rim; of a small one ``FEW``, and of the smallest ``ONE``, which is a chamfer."""
FEW, ONE = 2, 1
HULL: Final = 32
"""Directions in which the outline of a plate turns."""
SHARP: Final = np.cos(np.radians(46.0))
"""Cosine of the angle between two faces from which on there is an edge between them."""
BEND: Final = np.cos(np.radians(13.0))
"""Cosine of the angle between a flat part and a rounded rim beside it, at most; that of a ball's end is smaller."""
ROUNDED: Final = 0.22
"""Radius of a rounded rim, as a share of the thickness."""

SCRIBED: Final = np.radians(7.0)
"""Width of the line along what is slender and spins, about its axis."""
KEPT: Final = 128
"""Forms that are kept, some ten megabytes: those of one large mechanism, while its sliders move."""


def revolved(
    outline: Any, around: int = AROUND, role: Role = Role.BODY, begin: float = 0.0, whole: float = 2 * np.pi
) -> Shell:
    """An outline (m, 2) of radius and height turned about y, its outside on the right of its way."""
    line = tuple((float(radius), float(height)) for radius, height in outline)
    return _revolved(line, around, role, begin, whole)


# a slider moves a few bodies: the forms of the others are there already
@lru_cache(maxsize=KEPT)
def _revolved(outline: tuple[tuple[float, float], ...], around: int, role: Role, begin: float, whole: float) -> Shell:
    line = np.asarray(outline, dtype=float)
    line = line[np.concatenate([[True], np.linalg.norm(np.diff(line, axis=0), axis=1) > 0])]
    if len(line) < 2:
        return Shell.of([], [], [])
    steps = np.diff(line, axis=0)
    steps = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    outward = np.column_stack([steps[:, 1], -steps[:, 0]])
    starts, ends = outward.copy(), outward.copy()
    for k in range(len(outward) - 1):
        if outward[k] @ outward[k + 1] > SHARP:
            middle = outward[k] + outward[k + 1]
            ends[k] = starts[k + 1] = middle / np.linalg.norm(middle)
    angle = begin + np.linspace(0.0, whole, around + 1)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    points, normals, faces, roles, count = [], [], [], [], 0
    rims = _rim_ends(line, outward)
    for (r0, h0), (r1, h1), n0, n1, dark in zip(line[:-1], line[1:], starts, ends, rims, strict=True):
        for r, h, n, edge in ((r0, h0, n0, dark[0]), (r1, h1, n1, dark[1])):
            roles.append(np.full(around + 1, role.edge if edge else role, dtype=np.uint8))
            points.append(np.column_stack([r * circle[:, 0], np.full(around + 1, h), r * circle[:, 1]]))
            normals.append(np.column_stack([n[0] * circle[:, 0], np.full(around + 1, n[1]), n[0] * circle[:, 1]]))
        low = count + np.arange(around)
        high = low + around + 1
        if r0 > 0:
            faces.append(np.column_stack([low, high, low + 1]))
        if r1 > 0:
            faces.append(np.column_stack([low + 1, high, high + 1]))
        count += 2 * (around + 1)
    made = Shell.of(np.concatenate(points), np.concatenate(normals), np.concatenate(faces), role)
    return replace(made, roles=np.concatenate(roles))


def _rim_ends(line: np.ndarray, outward: np.ndarray) -> np.ndarray:
    """Which ends (segments, 2) of the pieces of an outline are where a rounded rim begins, beside something flat."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    bent = (outward[:-1] * outward[1:]).sum(axis=1) < BEND
    found = np.zeros((len(lengths), 2), dtype=bool)
    found[1:, 0] = bent & (lengths[1:] < 0.5 * lengths[:-1])
    found[:-1, 1] = bent & (lengths[:-1] < 0.5 * lengths[1:])
    return found


def _rim(radius: float, height: float, rounding: float, up: bool, steps: int = RIM) -> list[tuple[float, float]]:
    """A rounded rim between a side of a radius and an end at a height, in the order of rising heights."""
    angle = np.linspace(0.0, np.pi / 2, steps + 1)
    if up:
        return [(radius - rounding * (1 - np.cos(a)), height - rounding * (1 - np.sin(a))) for a in angle]
    return [(radius - rounding * (1 - np.cos(a)), height + rounding * (1 - np.sin(a))) for a in angle[::-1]]


def cylinder(
    radius: float,
    length: float,
    role: Role = Role.BODY,
    rounding: float | None = None,
    middle: float = 0.0,
    steps: int = RIM,
) -> Shell:
    """A cylinder about y with rounded rims, its middle at a height."""
    soft = ROUNDED * min(radius, length) if rounding is None else rounding
    return revolved(cylinder_outline(radius, length, soft, middle, steps), role=role)


def cylinder_outline(
    radius: float, length: float, soft: float, middle: float = 0.0, steps: int = RIM
) -> list[tuple[float, float]]:
    """Of a cylinder with rims that are rounded by ``soft``, in so many steps."""
    low, high = middle - length / 2, middle + length / 2
    rims = _rim(radius, low, soft, up=False, steps=steps), _rim(radius, high, soft, up=True, steps=steps)
    return [(0.0, low), *rims[0], *rims[1], (0.0, high)]


def tube(outer: float, inner: float, length: float, role: Role = Role.BODY) -> Shell:
    """A tube about y with rounded outer rims."""
    soft, half = ROUNDED * min(outer - inner, length), length / 2
    outside = [*_rim(outer, -half, soft, up=False), *_rim(outer, half, soft, up=True)]
    return revolved([(inner, half), (inner, -half), *outside, (inner, half)], around=2 * AROUND, role=role)


@cache
def _unit_ball(around: int) -> Shell:
    angle = np.linspace(-np.pi / 2, np.pi / 2, around // 2 + 1)
    line = np.column_stack([np.cos(angle), np.sin(angle)])
    line[[0, -1], 0] = 0.0
    made = revolved(line, around)
    return Shell(made.points, made.points.copy(), made.faces, made.roles)


def ball(radius: float, role: Role = Role.BODY, around: int = AROUND) -> Shell:
    """A ball about the origin."""
    return _unit_ball(around).scaled(radius).painted(role)


def limb(start: Any, end: Any, begin: float, finish: float, role: Role = Role.BODY) -> Shell:
    """A round limb between two points that tapers from one radius to another, with round ends."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    if not length > 0:
        return ball(max(begin, finish), role).moved(a)
    low, high = np.linspace(-np.pi / 2, 0.0, 5), np.linspace(0.0, np.pi / 2, 5)
    line = [(begin * np.cos(t), begin * np.sin(t)) for t in low]
    line += [(finish * np.cos(t), length + finish * np.sin(t)) for t in high]
    line[0], line[-1] = (0.0, -begin), (0.0, length + finish)
    return revolved(line, role=role).along(b - a, a)


def rounded_box(edges: Any, rounding: float | None = None, role: Role = Role.BODY) -> Shell:
    """A box about the origin whose edges and corners are rounded."""
    half = np.abs(np.asarray(edges, dtype=float)) / 2
    soft = ROUNDED * float(half.min()) if rounding is None else min(rounding, float(half.min()))
    turn = np.linspace(0.0, np.pi / 2, RIM + 1)
    high = np.concatenate([turn - np.pi / 2, turn])
    sides = np.concatenate([turn + k * np.pi / 2 for k in range(4)])
    away = np.concatenate([np.full(RIM + 1, k) for k in range(4)])
    signs = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])[away]
    up = np.repeat([-1, 1], RIM + 1)
    normals = np.stack(
        [
            np.cos(high)[:, None] * np.cos(sides),
            np.sin(high)[:, None] * np.ones(len(sides)),
            np.cos(high)[:, None] * np.sin(sides),
        ],
        axis=2,
    )
    octant = np.stack(
        [
            np.broadcast_to(signs[:, 0], normals.shape[:2]),
            np.broadcast_to(up[:, None], normals.shape[:2]),
            np.broadcast_to(signs[:, 1], normals.shape[:2]),
        ],
        axis=2,
    )
    points = soft * normals + octant * (half - soft)
    return _boxed(points, normals, role)


def _boxed(points: np.ndarray, normals: np.ndarray, role: Role) -> Shell:
    """A box from a grid of points and normals (rows, columns, 3) about its rounded edges, with flat sides between."""
    rows, columns = normals.shape[:2]
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b = index[:-1], index[1:]
    # the flat sides have corners of their own: the edge about each does not shade it
    flat = np.zeros(a.shape, dtype=bool)
    flat[RIM, RIM :: RIM + 1] = True
    after_a, after_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    round_about = np.concatenate(
        [np.stack([a, b, after_a], axis=2)[~flat], np.stack([after_a, b, after_b], axis=2)[~flat]]
    )
    corner = np.arange(4) * (RIM + 1)
    sides_of = [np.stack([a, b, after_b, after_a], axis=2)[flat], index[-1, corner][None, ::-1], index[0, corner][None]]
    own = np.concatenate(sides_of)
    square = rows * columns + 4 * np.arange(len(own))[:, None, None] + np.array([(0, 1, 2), (0, 2, 3)])
    points, normals = points.reshape(-1, 3), normals.reshape(-1, 3)
    made = Shell.of(
        np.concatenate([points, points[own.ravel()]]),
        np.concatenate([normals, normals[own.ravel()]]),
        np.concatenate([round_about, square.reshape(-1, 3)]),
        role,
    )
    ends = np.isin(np.arange(columns) % (RIM + 1), (0, RIM))
    edge = np.isin(np.arange(rows), (0, RIM, RIM + 1, rows - 1))[:, None] & ends
    made.roles[: rows * columns][edge.ravel()] = role.edge
    return made


def hull_outline(centres: Any, radii: Any, around: int = HULL) -> tuple[np.ndarray, np.ndarray]:
    """The hull of circles in a plane: points (m, 2) counter-clockwise and outward normals (m, 2)."""
    middles, reach = np.asarray(centres, dtype=float).reshape(-1, 2), np.asarray(radii, dtype=float)
    angle = np.linspace(0.0, 2 * np.pi, around, endpoint=False)
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    # exactly across each pair of circles, so that the straight sides are tangents
    apart = middles[None] - middles[:, None]
    far = np.linalg.norm(apart, axis=2)
    first, second = np.nonzero(far > np.abs(reach[None] - reach[:, None]))
    along = apart[first, second] / far[first, second][:, None]
    cosine = (reach[first] - reach[second]) / far[first, second]
    sine = np.sqrt(np.maximum(0.0, 1 - cosine**2))
    across = np.column_stack([-along[:, 1], along[:, 0]])
    tangents = cosine[:, None] * along - sine[:, None] * across
    own = [np.argmax(ways @ middles.T + reach, axis=1)]
    found, held = [ways], own
    if len(tangents):
        top = (tangents @ middles.T + reach).max(axis=1)
        # of a tangent both circles touch it, and the hull turns from one to the other
        real = np.abs((tangents * middles[first]).sum(axis=1) + reach[first] - top) <= 1e-9 * (far.max() + reach.max())
        found += [tangents[real], tangents[real]]
        held += [first[real], second[real]]
    every, owner = np.concatenate(found), np.concatenate(held)
    turn = np.arctan2(every[:, 1], every[:, 0])
    points = middles[owner] + reach[owner][:, None] * every
    across_turn = np.column_stack([-every[:, 1], every[:, 0]])
    order = np.lexsort(((points * across_turn).sum(axis=1), np.round(turn, 9)))
    return points[order], every[order]


def extruded(points: np.ndarray, normals: np.ndarray, thickness: float, rounding: float, role: Role) -> Shell:
    """A convex outline in the plane of x and z, of a thickness along y, with rounded rims."""
    angle = np.concatenate([np.linspace(-np.pi / 2, 0.0, FEW + 1), np.linspace(0.0, np.pi / 2, FEW + 1)])
    heights = rounding * np.sin(angle) + np.where(np.arange(len(angle)) > FEW, 1, -1) * (thickness / 2 - rounding)
    inset = rounding * (1 - np.cos(angle))
    flat = points[None] - inset[:, None, None] * normals[None]
    rows, count = len(angle), len(points)
    ring = np.stack([flat[..., 0], np.broadcast_to(heights[:, None], (rows, count)), -flat[..., 1]], axis=2)
    cosine, sine = np.cos(angle)[:, None], np.sin(angle)[:, None]
    out = np.stack([cosine * normals[:, 0], np.broadcast_to(sine, (rows, count)), -cosine * normals[:, 1]], axis=2)
    index = np.arange(rows * count).reshape(rows, count)
    a, b = index[:-1], index[1:]
    after_a, after_b = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    faces = [
        np.stack([a, after_a, b], axis=2).reshape(-1, 3),
        np.stack([after_a, after_b, b], axis=2).reshape(-1, 3),
    ]
    fan = np.arange(1, count - 1)
    # the flat sides have points of their own: the edge about each does not shade it
    low, top = rows * count + np.arange(count), (rows + 1) * count + np.arange(count)
    faces += [
        np.column_stack([np.full(len(fan), top[0]), top[fan], top[fan + 1]]),
        np.column_stack([np.full(len(fan), low[0]), low[fan + 1], low[fan]]),
    ]
    made = Shell.of(
        np.concatenate([ring, ring[[0, -1]]]), np.concatenate([out, out[[0, -1]]]), np.concatenate(faces), role
    )
    made.roles[: rows * count].reshape(rows, count)[[0, -1]] = role.edge
    return made


def sectors(outline: Any, roles: tuple[Role, ...], around: int = AROUND) -> Shell:
    """An outline turned about y, its sectors of these roles one after the other."""
    each = 2 * np.pi / len(roles)
    return join_shells(
        revolved(outline, max(1, around // len(roles)), role, k * each, each) for k, role in enumerate(roles)
    )


def scribed(outline: Any, around: int = AROUND) -> Shell:
    """An outline turned about y, with a line along it that shows how it turns."""
    return join_shells(
        [
            revolved(outline, around, Role.BODY, 0.0, 2 * np.pi - SCRIBED),
            revolved(outline, 1, Role.EDGE, 2 * np.pi - SCRIBED, SCRIBED),
        ]
    )
