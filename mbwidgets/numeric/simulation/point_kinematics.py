"""Place and velocity of a point of a body as expressions of q, u and the parameters, for joints of every kind."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError
from ...expressions import Expression, Variable, cos, sin, sqrt
from ...model.model import Model

__all__ = ["point_expressions"]

Triple = list[Any]


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
    """r cos φ + e × r sin φ + e (e·r)(1 − cos φ)   (Rodrigues)."""
    along = sum((a * b for a, b in zip(e, r, strict=True)), start=0)
    across = _cross(e, r)
    return [cos(angle) * r[k] + sin(angle) * across[k] + (1 - cos(angle)) * along * e[k] for k in range(3)]


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
