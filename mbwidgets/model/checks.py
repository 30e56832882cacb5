"""Validity of a model: what no mechanism can have is refused, with the name, the value and the remedy.

Checks use numbers; where a parameter has no value yet, they wait until it has one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ExpressionError, MbwidgetsError, ModelError, UnknownNameError
from ..expressions import Expression, PointVariable, Symbol, Variable, evaluate
from .constraints import OnCurve
from .fields import iterate_scalars, map_scalars
from .tensors import principal_values

if TYPE_CHECKING:
    from .bodies import Body
    from .model import Model

TRIANGLE_TOLERANCE = 1e-9
"""Relative to the trace: moments typed with nine digits pass, an impossible tensor does not."""
ROUNDING = 1e-13
"""Part of m ρ² that the parallel-axis theorem may leave where a point's tensor should vanish."""
SMALLEST_QUATERNION, LARGEST_QUATERNION = 1e-6, 1e6
"""Between them the largest component of a quaternion lies, which is made one of unit length: others are a slip."""


def check_model(model: Model) -> None:
    """Refuse a model that no mechanism can be."""
    values = model.values
    known = all(value is not None for value in values.values())
    number = _reader(values, known)
    for body in model.bodies:
        try:
            _check_body(body, number)
            _check_values(body.joint, values, number, "joint")
            _check_values(body.shape, values, number, "shape")
        except MbwidgetsError as error:
            raise error.at(f"body {body.name!r}") from None
    for noun, items in (("force", model.forces), ("constraint", model.constraints)):
        for i, item in enumerate(items):
            where = f"{noun} {i} ({item.type})"
            for expression in iterate_scalars(item):
                _check_variables(model, expression, where)
            _check_values(item, values, number, where)
    _check_state(model, number)
    for i in range(3):
        number(model.gravity[i], f"gravity: {'xyz'[i]}")


def _reader(values: dict[str, Any], known: bool) -> Callable[[Any, str], float | None]:
    def number(scalar: Any, where: str) -> float | None:
        if (
            not known
            and isinstance(scalar, Expression)
            and any(isinstance(x, Symbol) and values.get(x.name) is None for x in scalar.leaves())
        ):
            return None
        try:
            return evaluate(scalar, values)
        except ExpressionError as error:
            raise error.at(where) from None

    return number


def _check_values(item: Any, values: dict[str, Any], number: Callable[[Any, str], float | None], where: str) -> None:
    """What the fields of a record allow must hold at the parameters' values too."""
    if next(iterate_scalars(item), None) is None:
        return
    bound = item.parameter if isinstance(item, OnCurve) else None

    def leaf(node: Symbol | Variable) -> Any:
        value = values.get(node.name) if isinstance(node, Symbol) and node.name != bound else None
        return node if value is None else float(value)

    for expression in iterate_scalars(item):
        if not any(isinstance(x, Variable) or x.name == bound for x in expression.leaves()):
            number(expression, where)
    try:
        map_scalars(item, lambda expression: expression.replace(leaf))
    except MbwidgetsError as error:
        raise error.at(where) from None


def _check_body(body: Body, number: Callable[[Any, str], float | None]) -> None:
    mass = number(body.mass, "mass")
    if mass is not None and mass < 0:
        raise ModelError(f"mass {mass:g} is negative", remedy="give a mass ≥ 0")
    for i in range(3):
        number(body.com[i], "com")
        number(body.joint.at[i], "joint: at")
    for column in body.joint.columns():
        axis = [number(item, "joint: axis") for item in column.axis]
        if None not in axis and math.hypot(*axis) == 0.0:  # type: ignore[arg-type]
            raise ModelError("the joint's axis is the zero vector", remedy="give a direction")
    tensor = [[number(body.inertia[i][j], "inertia") for j in range(3)] for i in range(3)]
    if not any(item is None for row in tensor for item in row):
        offset = min(math.hypot(*(number(item, "com") or 0.0 for item in body.com)), 1e100)
        check_inertia(np.array(tensor, dtype=float), noise=ROUNDING * (mass or 0.0) * offset * offset)


def check_inertia(tensor: np.ndarray, noise: float = 0.0) -> None:
    """Principal moments must be ≥ 0, and none larger than the sum of the other two, within ``noise``."""
    scale = float(abs(tensor).max())
    if scale == 0.0:
        return
    if not np.isfinite(scale):
        raise ModelError("the inertia is not finite", remedy="give finite numbers")
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = (tensor / scale).tolist()
    moments = principal_values(xx, yy, zz, xy, xz, yz)
    slack = TRIANGLE_TOLERANCE + noise / scale
    # what is only rounding beside the largest is zero
    shown = ", ".join(f"{float(m) * scale if abs(m) > TRIANGLE_TOLERANCE else 0.0:.6g}" for m in moments)
    if moments[0] < -slack:
        raise ModelError(
            f"a principal moment is negative: {shown}", remedy="give moments ≥ 0 and smaller products of inertia"
        )
    if moments[2] > moments[0] + moments[1] + slack:
        raise ModelError(
            f"principal moments {shown} break the triangle inequality: no body has them",
            remedy="keep each below the sum of the other two",
        )


def _check_state(model: Model, number: Callable[[Any, str], float | None]) -> None:
    for key, size in (("q", model.nq), ("u", model.nv)):
        given = getattr(model.state, key)
        if given is None:
            continue
        if len(given) != size:
            names = ", ".join(model.coordinate_names if key == "q" else model.velocity_names)
            raise ModelError(f"{len(given)} numbers for {key}", where="state", remedy=f"give {size}: {names}")
        numbers = [number(item, f"state: {key}") for item in given]
        if key == "q":
            _check_quaternions(model, numbers)
    if model.state.duration is not None:
        duration = number(model.state.duration, "state: duration")
        if duration is not None and not (duration > 0.0 and math.isfinite(duration)):
            raise ModelError(f"a duration of {duration:g} s", where="state: duration", remedy="give seconds > 0")


def _check_quaternions(model: Model, q: list[float | None]) -> None:
    for begin, body in zip(model.q_offsets, model.bodies, strict=False):
        place = begin
        for column in body.joint.columns():
            if column.kind == "ball":
                known = [value for value in q[place : place + 4] if value is not None]
                if len(known) == 4 and not SMALLEST_QUATERNION < max(map(abs, known)) < LARGEST_QUATERNION:
                    raise ModelError(
                        f"the quaternion of {body.name!r} is {known}",
                        where="state: q",
                        remedy="give x, y, z, w of length 1",
                    )
            place += 4 if column.kind == "ball" else 1


def _check_variables(model: Model, expression: Expression, where: str) -> None:
    for leaf in expression.leaves():
        if isinstance(leaf, Variable) and leaf.kind in "qu" and not isinstance(leaf, PointVariable):
            size = model.nq if leaf.kind == "q" else model.nv
            if leaf.index >= size:
                raise UnknownNameError(f"{leaf!r} does not exist", where=where, remedy=f"count from 0 to {size - 1}")


def check_coordinate(model: Model, item: Any) -> None:
    """A force or constraint on one coordinate of a joint names one that the joint has."""
    if not hasattr(item, "coordinate"):
        return
    body = model.body(item.joint)
    columns = body.joint.columns()
    limit = body.joint.nv
    if not item.on_velocity:
        limit = sum(1 for column in columns if column.kind != "ball")
    if item.coordinate >= limit:
        kind = body.joint.type
        remedy = f"count from 0 to {limit - 1}" if limit else f"a {kind} joint has no such coordinate"
        raise ModelError(f"joint {body.name!r} has no coordinate {item.coordinate}", remedy=remedy)
