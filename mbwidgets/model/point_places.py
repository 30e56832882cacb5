"""Place and velocity of a point of a body as expressions of q, u and the parameters, for joints of every kind.

A model's forces and constraints keep ``x[rod]`` as it is written; their primitives hold what it is in coordinates.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..errors import ModelError
from ..expressions import Expression, PointVariable, Variable, cos, sin, sqrt

if TYPE_CHECKING:
    from .model import Model

__all__ = ["holds_points", "in_coordinates", "point_expressions", "primitive_in_coordinates"]

Triple = list[Any]
Primitive = TypeVar("Primitive")
MOST: Final = 20_000
"""Parts of an expression in coordinates, ten times those of a text: each is computed in every step."""


def holds_points(value: Any) -> bool:
    """Whether an expression holds places or velocities of points."""
    return isinstance(value, Expression) and any(isinstance(leaf, PointVariable) for leaf in value.leaves())


def in_coordinates(model: Model, value: Any) -> Any:
    """An expression with q, u and parameters for places and velocities of points."""
    if not holds_points(value):
        return value

    def component(leaf: Any) -> Any:
        if not isinstance(leaf, PointVariable):
            return leaf
        place, velocity = point_expressions(model, model.index(leaf.body), leaf.at)
        return (place if leaf.kind == "q" else velocity)["xyz".index(leaf.name[-1])]

    found = value.replace(component)  # of a long chain quickly too: its parts are shared, and counted by whom reads it
    if _parts(found) > MOST:
        raise ModelError(
            f"{value} has more than {MOST} parts in the coordinates of so many joints",
            remedy="name a point that fewer joints carry, or give it in tau of mb.simulate",
        )
    return found


def primitive_in_coordinates(model: Model, part: Primitive) -> Primitive:
    """A force's or constraint's primitive with coordinates for points, in the expressions of its fields."""
    changes: dict[str, Any] = {}
    for field in fields(part):  # type: ignore[arg-type]  # all primitives are dataclasses
        value = getattr(part, field.name)
        if isinstance(value, tuple) and any(map(holds_points, value)):
            changes[field.name] = tuple(in_coordinates(model, item) for item in value)
        elif holds_points(value):
            changes[field.name] = in_coordinates(model, value)
        elif is_dataclass(value) and field.name == "law":
            changes[field.name] = primitive_in_coordinates(model, value)
    return replace(part, **changes) if changes else part  # type: ignore[type-var]


def _parts(value: Any) -> int:
    """How many parts an expression has, or more than `MOST`: it stops there."""
    count, waiting = 0, [value]
    while waiting and count <= MOST:
        node = waiting.pop()
        count += 1
        if isinstance(node, Expression):
            waiting += node.children()
    return count


def point_expressions(model: Model, index: int, at: Any) -> tuple[Triple, Triple]:
    """Place and velocity, m and m/s, world axes, of the point ``at`` of a body, m in its axes from O*.

    From the body to the ground, joint by joint: r ← r_in + s e + R r; of a turn ṙ ← R ṙ + φ̇ e × R r, of a ball, whose ω
    is in the body's axes, ṙ ← R (ṙ + ω × r).
    """
    place, velocity = list(at), [0, 0, 0]
    while index >= 0:
        joint = model.bodies[index].joint
        q, u = model.q_offsets[index], model.u_offsets[index]
        steps = []
        for column in joint.columns():
            steps.append((column, q, u))
            q, u = q + (4 if column.kind == "ball" else 1), u + (3 if column.kind == "ball" else 1)
        for column, k, n in reversed(steps):
            if column.kind == "ball":
                turn = _ball([Variable("q", k + j) for j in range(4)])
                spin = [Variable("u", n + j) for j in range(3)]
                velocity = _turned(turn, _added(velocity, _cross(spin, place)))
                place = _turned(turn, place)
                continue
            axis, angle, speed = _unit(column.axis), Variable("q", k), Variable("u", n)
            if column.kind == "translation":
                place = _added(place, [angle * part for part in axis])
                velocity = _added(velocity, [speed * part for part in axis])
            else:
                place, velocity = _rotated(axis, angle, place), _rotated(axis, angle, velocity)
                velocity = _added(velocity, [speed * part for part in _cross(axis, place)])
        place = _added(list(joint.at), place)
        index = model.parents[index]
    return place, velocity


def _unit(axis: Any) -> Triple:
    square = sum(part * part for part in axis)
    if isinstance(square, Expression):
        return [part / sqrt(square) for part in axis]
    length = float(square) ** 0.5
    if not length > 0.0:
        raise ModelError("an axis of no length", remedy="give a direction")
    return list(axis) if length == 1.0 else [float(part) / length for part in axis]


def _rotated(e: Triple, angle: Any, r: Triple) -> Triple:
    """r turned by an angle about the unit vector e; an axis of the frame leaves its own component as it is."""
    c, s = cos(angle), sin(angle)
    if sum(part == 0 for part in e) == 2 and all(part in (-1, 0, 1) for part in e):
        across = _cross(e, r)
        return [r[k] if e[k] != 0 else c * r[k] + s * across[k] for k in range(3)]
    side = [[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]]
    turn = [[(1 - c) * (e[i] * e[j]) + s * side[i][j] + (c if i == j else 0) for j in range(3)] for i in range(3)]
    return _turned(turn, r)  # e eᵀ (1 − cos φ) + [e] sin φ + 1 cos φ   (Rodrigues)


def _ball(quaternion: Triple) -> list[Triple]:
    """The rotation matrix of a unit quaternion x, y, z, w."""
    x, y, z, w = quaternion
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def _turned(turn: list[Triple], r: Triple) -> Triple:
    return [sum((row[k] * r[k] for k in range(3)), start=0) for row in turn]


def _added(a: Triple, b: Triple) -> Triple:
    return [x + y for x, y in zip(a, b, strict=True)]


def _cross(a: Triple, b: Triple) -> Triple:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
