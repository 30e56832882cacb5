"""Constraints as scalar rows: what each constraint of a model asks, said once for the compiled and the exact layer.

A row is one scalar equation. A position row asks Φ(t, q) = 0, a velocity row A(t, q) u + b(t, q) = 0. The order and the
scale of the rows are part of what is said: by them the multipliers are forces (N), moments (N·m) or, of an expression,
efforts. Numbers stay the model's own scalars, exact or expressions of parameters; a reader evaluates or derives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import ModelError
from ..expressions import Variable
from . import constraints as kinds
from .point_places import in_coordinates

if TYPE_CHECKING:
    from .model import Model

__all__ = [
    "AngleRow",
    "ConstraintRow",
    "CurveRow",
    "Direction",
    "DistanceRow",
    "ExpressionRow",
    "PositionRow",
    "SeparationRow",
    "VelocityRow",
    "constraint_rows",
    "constraint_title",
    "reduce_constraint",
]

Vector: TypeAlias = tuple[Any, Any, Any]
Pair: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Direction:
    """A unit vector: along ``axis``, which may have any length, or one of two across it.

    ``across`` 0 or 1: the first or second of x and y, turned as z is to the axis (`joints.perpendicular_axes`).
    ``letter`` names its components in exact formulae where its length is no number; ``field`` tells a message where it
    was given.
    """

    axis: Vector
    across: int | None = None
    letter: str = "n"
    field: str = ""


X, Y, Z = Direction((1, 0, 0)), Direction((0, 1, 0)), Direction((0, 0, 1))


@dataclass(frozen=True)
class _Row:
    """``owner``: the number of the model's constraint; ``title``: that constraint as messages name it."""

    owner: int
    title: str


@dataclass(frozen=True)
class SeparationRow(_Row):
    """Φ = n·(p_a − p_b) − c, in m: points of two bodies, apart by c along a direction of the ground.

    ``bodies`` are indices, −1 the ground; ``points`` stand in their axes, from O*. So in all rows.
    """

    bodies: Pair
    points: tuple[Vector, Vector]
    direction: Direction
    value: Any = 0


@dataclass(frozen=True)
class DistanceRow(_Row):
    """Φ = |p_a − p_b| − c, in m, c > 0.

    A reader may write (d·d − c²)/2c instead, which has the same zeros and there the same slope.
    """

    bodies: Pair
    points: tuple[Vector, Vector]
    value: Any


@dataclass(frozen=True)
class AngleRow(_Row):
    """Φ = x_a·y_b − c: directions that are fixed in two bodies, at the angle whose cosine is c."""

    bodies: Pair
    directions: tuple[Direction, Direction]
    value: Any = 0


@dataclass(frozen=True)
class ExpressionRow(_Row):
    """Φ = f(t, q), in the unit that its author chose."""

    expression: Any


@dataclass(frozen=True)
class CurveRow(_Row):
    """Φ = n·(p − x(s)), in m, at the curve's point s nearest to p, n the first or second direction across x′(s).

    ``curve`` is x(s), an expression of the symbol ``parameter``. The two rows of a point stand together, the first
    first; with the unit tangent (a, b, c) and σ = 1 for c ≥ 0, else −1, their directions are
    n₀ = (1 − σ a²/(σ + c), −σ a b/(σ + c), −σ a) and n₁ = (−a b/(σ + c), σ − b²/(σ + c), −b).
    """

    body: int
    point: Vector
    curve: Vector
    parameter: str
    across: int


@dataclass(frozen=True)
class VelocityRow(_Row):
    """Σ A_k(t, q) u_k + b(t, q) = 0, which need not be the rate of any Φ: rolling, a knife edge.

    ``slopes``: (k, A_k), k the place in u; ``rest`` is b. No constraint of a model is reduced to it yet, and both
    readers refuse it.
    """

    slopes: tuple[tuple[int, Any], ...]
    rest: Any = 0


PositionRow: TypeAlias = SeparationRow | DistanceRow | AngleRow | ExpressionRow | CurveRow
ConstraintRow: TypeAlias = PositionRow | VelocityRow


def constraint_title(owner: int, constraint: Any) -> str:
    """A constraint as messages name it."""
    return f"constraint {owner} ({constraint.type})"


def constraint_rows(model: Model) -> tuple[ConstraintRow, ...]:
    """The rows of all constraints of a model, in their order; made once a model."""
    rows: tuple[ConstraintRow, ...] | None = model.reductions.get("constraints")
    if rows is None:
        rows = tuple(row for k, item in enumerate(model.constraints) for row in reduce_constraint(model, k, item))
        model.reductions["constraints"] = rows
    return rows


def reduce_constraint(model: Model, owner: int, constraint: Any) -> list[ConstraintRow]:
    """The rows of one constraint, the model's number ``owner``."""
    name = owner, constraint_title(owner, constraint)
    match constraint:
        case kinds.PointConstraint(a=a, b=b):
            return [*_together(name, *_anchored(model, a, b))]
        case kinds.WeldConstraint(a=a, b=b):
            bodies, points = _anchored(model, a, b)
            return [*_together(name, bodies, points), *_square(name, bodies)]
        case kinds.OrientationConstraint(a=a, b=b):
            return [*_square(name, _anchored(model, a, b)[0])]
        case kinds.ParallelConstraint(a=a, b=b):
            axis = Direction(a.axis, None, f"a{owner + 1}", "a")
            sides = [Direction(b.axis, k, f"b{owner + 1}", "b") for k in (0, 1)]
            return [AngleRow(*name, _anchored(model, a, b)[0], (axis, side)) for side in sides]
        case kinds.DistanceConstraint(a=a, b=b, length=length):
            return [DistanceRow(*name, *_anchored(model, a, b), length)]
        case kinds.OnPlane(body=body, at=at, point=point, normal=n):
            return [SeparationRow(*name, *_guided(model, body, at, point), Direction(n, None, f"n{owner + 1}"))]
        case kinds.OnLine(body=body, at=at, point=point, direction=n):
            ends, sides = _guided(model, body, at, point), [Direction(n, k, f"n{owner + 1}") for k in (0, 1)]
            return [SeparationRow(*name, *ends, side) for side in sides]
        case kinds.OnSphere(body=body, at=at, centre=centre, radius=radius):
            return [DistanceRow(*name, *_guided(model, body, at, centre), radius)]
        case kinds.OnCircle(body=body, at=at, centre=centre, radius=radius, normal=n):
            ends, normal = _guided(model, body, at, centre), Direction(n, None, f"n{owner + 1}")
            return [DistanceRow(*name, *ends, radius), SeparationRow(*name, *ends, normal)]
        case kinds.OnCurve(body=body, at=at, curve=curve, parameter=symbol):
            return [CurveRow(*name, model.index(body), at, curve, symbol, k) for k in (0, 1)]
        case kinds.EquationConstraint(expression=expression):
            return [ExpressionRow(*name, in_coordinates(model, expression))]
        case kinds.Prescribed(joint=joint, value=value, coordinate=k):
            return [ExpressionRow(*name, Variable("q", model.q_offsets[model.index(joint)] + k) - value)]
    raise ModelError(
        "this constraint has no scalar equations", where=name[1], remedy="write them in reduce_constraint of the model"
    )


def _anchored(model: Model, a: Any, b: Any) -> tuple[Pair, tuple[Vector, Vector]]:
    first, second = (-1 if end.body is None else model.index(end.body) for end in (a, b))
    return (first, second), (a.at, b.at)


def _guided(model: Model, body: Any, at: Vector, place: Vector) -> tuple[Pair, tuple[Vector, Vector]]:
    """A point of a body and one of the ground."""
    return (model.index(body), -1), (at, place)


def _together(name: tuple[int, str], bodies: Pair, points: tuple[Vector, Vector]) -> list[SeparationRow]:
    """Two points coincide: no separation along the world's axes."""
    return [SeparationRow(*name, bodies, points, n) for n in (X, Y, Z)]


def _square(name: tuple[int, str], bodies: Pair) -> list[AngleRow]:
    """Two bodies keep their zero-pose orientation to each other: x·y′ = y·z′ = z·x′ = 0."""
    return [AngleRow(*name, bodies, pair) for pair in ((X, Y), (Y, Z), (Z, X))]
