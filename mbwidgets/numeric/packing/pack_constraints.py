"""From a model's constraints, reduced to scalar rows, to the rows of the constraint table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...expressions import TIME, Expression, Symbol, Variable, derivative
from ...model.constraint_primitives import (
    AngleRow,
    ConstraintRow,
    CurveRow,
    DistanceRow,
    ExpressionRow,
    SeparationRow,
    VelocityRow,
)
from ...model.model import Model
from ...model.tensors import quaternion_rate
from ..kernels import memory_layout as layout
from .packed_places import Places

DENSE: Final = 24
"""Unknowns up to which an order of elimination does not pay."""

X = (1.0, 0.0, 0.0)
"""What stands in a row where no vector is given."""


def constraint_table_rows(places: Places, primitives: Sequence[ConstraintRow]) -> list[list[Any]]:
    """The table of all constraints, as cells; an expression has one more row for each velocity that it depends on."""
    rows: list[list[Any]] = []
    for primitive in primitives:
        try:
            made = _table_rows(places, primitive, rows)
        except MbwidgetsError as error:
            raise error.at(primitive.title) from None
        for row in made:
            row[layout.C_OWNER] = primitive.owner
        rows += made
    return rows


def given_lengths(rows: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int, int]]:
    """The lengths that constraints are given by: row, first column, count."""
    for number, row in enumerate(rows):
        if row[layout.C_KIND] in (layout.SEPARATION, layout.DISTANCE):
            yield number, layout.C_FIRST, layout.C_NORMAL - layout.C_FIRST
            yield number, layout.C_VALUE, 1


def order_of_elimination(model: Model, rows: Sequence[Sequence[Any]]) -> tuple[np.ndarray, int]:
    """Where each velocity and each equation stands in the constraints' linear system, and its half band width.

    Neighbours stand together (reverse Cuthill-McKee), so that a row of a hundred loops costs a hundred times one loop.
    """
    touched = _touched(model, rows)
    nv, size = model.nv, model.nv + len(touched)
    if not touched:
        return np.arange(nv), 0
    if size <= DENSE:
        return np.arange(size), size - 1
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    pattern = np.eye(size, dtype=np.int8)
    for chain in _chains(model):
        pattern[np.ix_(chain, chain)] = 1
    for k, columns in enumerate(touched):
        pattern[nv + k, columns] = pattern[columns, nv + k] = 1
    place = np.empty(size, dtype=int)
    place[reverse_cuthill_mckee(csr_array(pattern), symmetric_mode=True)] = np.arange(size)
    i, j = np.nonzero(pattern)
    return place, int(abs(place[i] - place[j]).max())


def _chains(model: Model) -> list[list[int]]:
    """For each body the velocities of its joint and of all that carry it."""
    chains: dict[int, list[int]] = {-1: []}
    for index in model.order:
        own = range(model.u_offsets[index], model.u_offsets[index + 1])
        chains[index] = [*chains[model.parents[index]], *own]
    return [chains[index] for index in range(len(model.bodies))]


def _touched(model: Model, rows: Sequence[Sequence[Any]]) -> list[list[int]]:
    """For each equation the velocities on which its rate depends."""
    chains = _chains(model)
    found: list[list[int]] = []
    for row in rows:
        if row[layout.C_KIND] == layout.SLOPE:
            found[-1].append(int(row[layout.C_UI]))
            continue
        bodies = [int(row[place]) for place in (layout.C_A, layout.C_B)]
        found.append(sorted({c for body in bodies if body >= 0 for c in chains[model.order[body]]}))
    return found


def equation_groups(rows: Sequence[Sequence[Any]]) -> list[int]:
    """For each equation the group in which its row is compared by length."""
    groups = {layout.ANGLE: layout.ANGLES, layout.EQUATION: layout.EXPRESSIONS}
    return [groups.get(int(row[layout.C_KIND]), layout.LENGTHS) for row in rows if row[layout.C_KIND] != layout.SLOPE]


def _row(
    kind: int,
    bodies: tuple[int, int] = (-1, -1),
    first: Sequence[Any] = X,
    second: Sequence[Any] = X,
    normal: Sequence[Any] = X,
    value: Any = 0.0,
    program: int = -1,
    ui: int = -1,
) -> list[Any]:
    return [kind, *bodies, program, ui, -1, *first, *second, *normal, value]


def _table_rows(places: Places, row: ConstraintRow, before: list[list[Any]]) -> list[list[Any]]:
    match row:
        case SeparationRow(bodies=bodies, points=(a, b), direction=n):
            return [_row(layout.SEPARATION, places.bodies(bodies), a, b, places.unit(n), row.value)]
        case DistanceRow(bodies=bodies, points=(a, b)):
            return [_row(layout.DISTANCE, places.bodies(bodies), a, b, X, row.value)]
        case AngleRow(bodies=bodies, directions=(x, y)):
            return [_row(layout.ANGLE, places.bodies(bodies), places.unit(x), places.unit(y), X, row.value)]
        case ExpressionRow(expression=expression):
            return _equation(places, expression)
        case CurveRow(across=0):
            return [_curve(places, row)]
        case CurveRow():
            return [[layout.CURVE_NEXT, *before[-1][1:]]]
        case VelocityRow():
            raise ModelError(
                "an equation of velocities A(t, q) u + b(t, q) = 0 is not solved yet",
                remedy="give constraints of positions",
            )


def _curve(places: Places, row: CurveRow) -> list[Any]:
    """A point on x(s): programs x, x′, x″ of s, which they read as their time; the value is s, sought later."""
    symbol = Symbol(row.parameter)
    shapes = [row.curve]
    for _ in range(2):
        x, y, z = (derivative(item, symbol) for item in shapes[-1])
        shapes.append((x, y, z))
    program = places.curve_programs(*(_as_time(item, symbol) for shape in shapes for item in shape))
    return _row(layout.CURVE, (places.body(row.body), -1), row.point, program=program)


def _as_time(value: Any, symbol: Symbol) -> Any:
    return value.replace(lambda leaf: TIME if leaf == symbol else leaf) if isinstance(value, Expression) else value


def _equation(places: Places, f: Any) -> list[list[Any]]:
    """f(t, q) = 0 with ḟ = f_t + Σ f_q q̇, which gives J = ∂ḟ/∂u, and f̈ at u̇ = 0; programs f, f_t, f̈."""
    if not _coordinates(f):
        raise ModelError(f"{f} holds no coordinate", remedy="write an expression of q[0], q[1] …")
    rates = _coordinate_rates(places.model)
    slow = derivative(f, TIME)
    first = slow + _sum(derivative(f, q) * rates[q.index] for q in _coordinates(f))
    second = derivative(first, TIME) + _sum(derivative(first, q) * rates[q.index] for q in _coordinates(first))
    program = places.programs(f, slow, second)
    velocities = sorted({leaf.index for leaf in first.leaves() if isinstance(leaf, Variable) and leaf.kind == "u"})
    kinds = [kind for body in places.model.bodies for kind in _kinds_of_velocities(body.joint)]
    slopes = [
        _row(
            layout.SLOPE,
            value=float(kinds[index] == "translation"),
            program=places.programs(derivative(first, Variable("u", index))),
            ui=index,
        )
        for index in velocities
    ]
    return [_row(layout.EQUATION, program=program), *slopes]


def _kinds_of_velocities(joint: Any) -> list[str]:
    return [column.kind for column in joint.columns() for _ in range(3 if column.kind == "ball" else 1)]


def _sum(terms: Any) -> Any:
    total: Any = 0
    for term in terms:
        total = total + term
    return total


def _coordinates(value: Any) -> list[Variable]:
    leaves = value.leaves() if isinstance(value, Expression) else ()
    return sorted({leaf for leaf in leaves if isinstance(leaf, Variable) and leaf.kind == "q"}, key=lambda q: q.index)


def _coordinate_rates(model: Any) -> list[Any]:
    """q̇ as expressions of q and u; for a ball ½ q ∘ (ω, 0)."""
    rates: list[Any] = []
    for body, ui in zip(model.bodies, model.u_offsets, strict=False):
        for column in body.joint.columns():
            if column.kind != "ball":
                rates.append(Variable("u", ui))
                ui += 1
                continue
            turn = [Variable("q", len(rates) + j) for j in range(4)]
            rates += quaternion_rate(turn, [Variable("u", ui + j) / 2 for j in range(3)])
            ui += 3
    return rates
