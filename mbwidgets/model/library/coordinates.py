"""The coordinates that papers use, as matrices on the model's own."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError
from ..fields import constant_value

PARALLEL = 1e-12


def absolute_angles(model: Any) -> tuple[tuple[int, ...], ...]:
    """C with p = C q: each angle counted from a fixed direction, not from the body before.

    ``mb.library.absolute_angles(mb.library.hammer_crusher())`` is ((1, 0), (1, 1)): φ and θ instead of φ and θ − φ. The
    joints that carry each other turn about parallel axes.
    """
    rows: dict[int, tuple[int, ...]] = {}
    matrix: list[tuple[int, ...]] = []
    for index, body in enumerate(model.bodies):
        if any(column.kind == "ball" for column in body.joint.columns()):
            raise ModelError("a quaternion is no angle", where=f"joint {body.name!r}", remedy="use one-axis joints")
        for number, column in enumerate(body.joint.columns()):
            rows[model.u_offsets[index] + number] = _row(model, index, column, model.u_offsets[index] + number)
    matrix = [rows[k] for k in range(model.nv)]
    return tuple(matrix)


def _row(model: Any, index: int, own: Any, place: int) -> tuple[int, ...]:
    row = [0] * model.nv
    row[place] = 1
    if own.kind == "rotation":
        for other in model.path(index):
            for number, column in enumerate(model.bodies[other].joint.columns()):
                k = model.u_offsets[other] + number
                if column.kind == "rotation" and k != place and other != index:
                    row[k] = _sign(column.axis, own.axis, model.bodies[index].name)
    return tuple(row)


def _sign(a: Any, b: Any, name: str) -> int:
    numbers = [[constant_value(item) for item in axis] for axis in (a, b)]
    if all(item is not None for axis in numbers for item in axis):
        x, y = ([float(item) for item in axis if item is not None] for axis in numbers)
        cosine = sum(i * j for i, j in zip(x, y, strict=True))
        lengths = (sum(i * i for i in x) * sum(i * i for i in y)) ** 0.5
        if abs(abs(cosine) - lengths) <= PARALLEL * lengths:
            return 1 if cosine > 0 else -1
    raise ModelError(
        "its axis is not parallel to that of a joint before it: there is no absolute angle",
        where=f"joint {name!r}",
        remedy="leave coordinates out, or give a matrix",
    )
