"""From a model's constraints to the rows of the constraint table.

Every constraint is written with a few scalar equations: a separation n·(p_a − p_b) − c along a world direction, a
distance |p_a − p_b| − c, an angle x_a·y_b − c between vectors of two bodies, or an expression f(t, q).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...expressions import TIME, Expression, Symbol, Variable, derivative
from ...model import constraints as kinds
from ...model.joints import normal_frame
from ...model.model import Model
from ..kernels import memory_layout as layout

if TYPE_CHECKING:
    from .pack import Places

DENSE: Final = 24
"""Unknowns up to which an order of elimination does not pay."""

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def constraint_rows(places: Places, constraints: Sequence[Any]) -> list[list[float]]:
    """The rows of all constraints; an expression has one more for each velocity that it depends on."""
    rows = []
    for number, constraint in enumerate(constraints):
        try:
            made = _rows(places, constraint)
        except MbwidgetsError as error:
            raise error.at(f"constraint {number} ({constraint.type})") from None
        for row in made:
            row[layout.C_OWNER] = number
        rows += made
    return rows


def length_of(bodies: np.ndarray, rows: Sequence[Sequence[float]]) -> float:
    """The longest of the lengths that a mechanism is given by."""
    given = [bodies[:, layout.AT : layout.AT + 3].ravel(), bodies[:, layout.COM : layout.COM + 3].ravel()]
    given += [
        np.array(row[layout.C_FIRST : layout.C_NORMAL])
        for row in rows
        if row[layout.C_KIND] in (layout.SEPARATION, layout.DISTANCE)
    ]
    given += [
        np.array([row[layout.C_VALUE]]) for row in rows if row[layout.C_KIND] in (layout.SEPARATION, layout.DISTANCE)
    ]
    return float(abs(np.concatenate(given)).max(initial=0.0))


def order_of_elimination(model: Model, rows: Sequence[Sequence[float]]) -> tuple[np.ndarray, int]:
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


def _touched(model: Model, rows: Sequence[Sequence[float]]) -> list[list[int]]:
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


def work_space(nq: int, nv: int, place: np.ndarray, rows: Sequence[Sequence[float]]) -> np.ndarray:
    """The work space that `layout.workspace` divides; nothing where there are no constraints."""
    size = len(place)
    m = size - nv
    if m == 0:
        return np.zeros(0)
    begin, width = m * nv + nv**2 + size**2, max(size, nq)
    space = np.zeros(begin + layout.WORK_VECTORS * width)
    vectors = space[begin:].reshape(layout.WORK_VECTORS, width)
    vectors[layout.USED] = vectors[layout.WEAKEST_DIRECTION] = 1
    vectors[layout.PLACE, :size] = place
    groups = {layout.ANGLE: layout.ANGLES, layout.EQUATION: layout.EXPRESSIONS}
    vectors[layout.GROUP, :m] = [
        groups.get(int(row[layout.C_KIND]), layout.LENGTHS) for row in rows if row[layout.C_KIND] != layout.SLOPE
    ]
    return space


def normalised(vector: list[float]) -> list[float]:
    """A vector of length 1."""
    length = math.hypot(*vector)
    if length == 0.0:
        raise ModelError("an axis is the zero vector", remedy="give a direction")
    return [item / length for item in vector]


def _row(kind: int, a: int = -1, b: int = -1, program: int = -1, ui: int = -1, **values: Any) -> list[float]:
    first, second = values.get("first", X), values.get("second", X)
    return [kind, a, b, program, ui, -1, *first, *second, *values.get("normal", X), values.get("value", 0.0)]


def _rows(places: Places, constraint: Any) -> list[list[float]]:
    body, numbers = places.body, places.numbers
    match constraint:
        case kinds.PointConstraint(a=a, b=b):
            return _together(places, a, b)
        case kinds.WeldConstraint(a=a, b=b):
            return _together(places, a, b) + _square(places, a, b)
        case kinds.OrientationConstraint(a=a, b=b):
            return _square(places, a, b)
        case kinds.ParallelConstraint(a=a, b=b):
            axis, sides = normalised(numbers(*a.axis)), normal_frame(normalised(numbers(*b.axis)))
            return [_row(layout.ANGLE, body(a.body), body(b.body), first=axis, second=side) for side in sides]
        case kinds.DistanceConstraint(a=a, b=b, length=length):
            ends: dict[str, Any] = {"first": numbers(*a.at), "second": numbers(*b.at)}
            return [_row(layout.DISTANCE, body(a.body), body(b.body), **ends, value=numbers(length)[0])]
        case kinds.OnPlane(body=name, at=point, point=origin, normal=n):
            return _separations(places, name, point, origin, [normalised(numbers(*n))])
        case kinds.OnLine(body=name, at=point, point=origin, direction=n):
            return _separations(places, name, point, origin, normal_frame(normalised(numbers(*n))))
        case kinds.OnSphere(body=name, at=point, centre=centre, radius=radius):
            return [_round(places, name, point, centre, radius)]
        case kinds.OnCircle(body=name, at=point, centre=centre, radius=radius, normal=n):
            flat = _separations(places, name, point, centre, [normalised(numbers(*n))])
            return [_round(places, name, point, centre, radius), *flat]
        case kinds.EquationConstraint(expression=expression):
            return _equation(places, expression)
        case kinds.Prescribed(joint=joint, value=value, coordinate=j):
            return _equation(places, _coordinate(places, joint, j) - value)
        case kinds.OnCurve(body=name, at=point, curve=curve, parameter=symbol):
            return _curve(places, name, point, curve, Symbol(symbol))
    raise ModelError(f"a constraint of type {constraint.type!r} cannot be compiled")


def _together(places: Places, a: Any, b: Any) -> list[list[float]]:
    """Two points coincide: three separations along the world's axes."""
    ends: dict[str, Any] = {"first": places.numbers(*a.at), "second": places.numbers(*b.at)}
    return [_row(layout.SEPARATION, places.body(a.body), places.body(b.body), **ends, normal=n) for n in (X, Y, Z)]


def _square(places: Places, a: Any, b: Any) -> list[list[float]]:
    """Two bodies keep their zero-pose orientation to each other: x·y′ = y·z′ = z·x′ = 0."""
    pair = places.body(a.body), places.body(b.body)
    return [_row(layout.ANGLE, *pair, first=x, second=y) for x, y in ((X, Y), (Y, Z), (Z, X))]


def _curve(places: Places, name: Any, point: Any, curve: Any, symbol: Symbol) -> list[list[float]]:
    """A point on x(s): programs x, x′, x″ of s, which they read as their time; the value is s, sought later."""
    shapes = [curve]
    for _ in range(2):
        shapes.append([derivative(item, symbol) for item in shapes[-1]])
    program = places.programs(*(_as_time(item, symbol) for shape in shapes for item in shape))
    row = _row(layout.CURVE, places.body(name), program=program, first=places.numbers(*point))
    return [row, [layout.CURVE_NEXT, *row[1:]]]


def _as_time(value: Any, symbol: Symbol) -> Any:
    return value.replace(lambda leaf: TIME if leaf == symbol else leaf) if isinstance(value, Expression) else value


def _separations(places: Places, name: Any, point: Any, origin: Any, normals: Any) -> list[list[float]]:
    ends: dict[str, Any] = {"first": places.numbers(*point), "second": places.numbers(*origin)}
    return [_row(layout.SEPARATION, places.body(name), **ends, normal=n) for n in normals]


def _round(places: Places, name: Any, point: Any, centre: Any, radius: Any) -> list[float]:
    ends: dict[str, Any] = {"first": places.numbers(*point), "second": places.numbers(*centre)}
    return _row(layout.DISTANCE, places.body(name), **ends, value=places.numbers(radius)[0])


def _coordinate(places: Places, joint: Any, number: int) -> Expression:
    """The expression q[i] of one coordinate of a joint."""
    return Variable("q", places.model.q_offsets[places.model.index(joint)] + number)


def _equation(places: Places, f: Any) -> list[list[float]]:
    """f(t, q) = 0 with ḟ = f_t + Σ f_q q̇, which gives J = ∂ḟ/∂u, and f̈ at u̇ = 0; programs f, f_t, f̈."""
    if not _coordinates(f):
        raise ModelError(f"{f} holds no coordinate", remedy="write an expression of q[0], q[1] …")
    rates = _coordinate_rates(places.model)
    slow = derivative(f, TIME)
    first = slow + _sum(derivative(f, q) * rates[q.index] for q in _coordinates(f))
    second = derivative(first, TIME) + _sum(derivative(first, q) * rates[q.index] for q in _coordinates(first))
    program = places.programs(f, slow, second)
    velocities = sorted({leaf.index for leaf in first.leaves() if isinstance(leaf, Variable) and leaf.kind == "u"})
    slopes = [
        _row(layout.SLOPE, program=places.programs(derivative(first, Variable("u", index))), ui=index)
        for index in velocities
    ]
    return [_row(layout.EQUATION, program=program), *slopes]


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
            x, y, z, w = (Variable("q", len(rates) + j) for j in range(4))
            a, b, c = (Variable("u", ui + j) / 2 for j in range(3))
            rates += [w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a, -x * a - y * b - z * c]
            ui += 3
    return rates
