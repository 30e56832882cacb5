"""The model's file in a page that moves its numbers: where in the file each of them stands."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any, Final

from ...model.fields import Record, dump_scalar
from ...model.model import Model
from ...model.number_keys import (
    INERTIA_PAIRS,
    at_key,
    axis_key,
    com_key,
    gravity_key,
    inertia_key,
    mass_key,
    state_key,
)
from ...numeric.packing.letters import balls

__all__ = ["page_file"]

GIVEN_TOGETHER: Final = ("mass", "com", "inertia")
"""Fields of a body that a solid gives no more once the inertia is given."""


def page_file(model: Model) -> dict[str, Any]:
    """For JSON: the fields of the file that hold numbers, and the names of the bodies.

    A field has its ``path``; ``order``, the names of its record's fields as they are in a file; ``keys``, those of its
    numbers, nested as in the file, and beside them what stands there as long as it is not moved, ``given``, as JSON;
    ``together``: ranges of numbers that are all written anew where one of them moves; ``besides``: fields that are then
    written, too.
    """
    fields = [_field(["parameters", name, "value"], [], name, item.value) for name, item in _values(model)]
    for index, body in enumerate(model.bodies):
        order, base = _order(body), ["bodies", index]
        besides = [name for name in GIVEN_TOGETHER if name in body.derived]
        pairs = [[(min(i, j), max(i, j)) for j in range(3)] for i in range(3)]
        inertia = [[inertia_key(index, *pair) if pair in INERTIA_PAIRS else "" for pair in row] for row in pairs]
        fields += [
            _field([*base, "mass"], order, mass_key(index), body.mass),
            _field([*base, "com"], order, [com_key(index, k) for k in range(3)], body.com),
            {**_field([*base, "inertia"], order, inertia, body.inertia), "besides": besides},
        ]
        joint, own = body.joint, _order(body.joint)
        fields.append(_field([*base, "joint", "at"], own, [at_key(index, k) for k in range(3)], joint.at))
        for name in ("axis", "second"):
            if hasattr(joint, name):
                keys = [axis_key(name, index, part) for part in "xyz"]
                field = _field([*base, "joint", name], own, keys, getattr(joint, name))
                fields.append({**field, "together": [[0, 3]]})
    fields.append(_field(["gravity"], [], [gravity_key(k) for k in range(3)], model.gravity))
    together = {"q": [[ball, ball + 4] for ball in balls(model)], "u": []}
    for which, start in (("q", model.q0), ("u", model.u0)):
        given = getattr(model.state, which)
        numbers = [float(item) for item in start] if given is None else given
        keys = [state_key(which, k) for k in range(len(numbers))]
        fields.append({**_field(["state", which], _order(model.state), keys, numbers), "together": together[which]})
    return {"fields": fields, "bodies": [body.name for body in model.bodies]}


def _values(model: Model) -> list[tuple[str, Any]]:
    return [(name, parameter) for name, parameter in model.parameters.items() if parameter.value is not None]


def _field(path: Sequence[Any], order: Sequence[str], keys: Any, value: Any) -> dict[str, Any]:
    return {"path": list(path), "order": list(order), "keys": keys, "given": _texts(value)}


def _texts(value: Any) -> Any:
    """Scalars as JSON, nested as they are."""
    if isinstance(value, tuple | list):
        return [_texts(item) for item in value]
    return json.dumps(dump_scalar(value), ensure_ascii=False)


def _order(record: Record) -> list[str]:
    """The names of a record's fields in a file, in their order."""
    named = [field for field in dataclasses.fields(record) if field.metadata.get("kind") is not None]
    return [*(["type"] if record.type else []), *(str(field.metadata["key"] or field.name) for field in named)]
