"""The dict form of a model (JSON, versions 1 and 2): ``to_dict``, ``from_dict`` and the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from ..errors import CompatibilityError, MbwidgetsError, ModelError, shorten
from ..expressions import MAX_LENGTH
from ..expressions.table import MAX_POINTS
from .bodies import BEFORE, Body
from .constraints import CONSTRAINTS
from .fields import Record, dump_scalar, has_table, iterate_scalars, suggest_name
from .forces import FORCES, Anchor, Gravity
from .joints import JOINTS
from .parameters import Parameter
from .point_places import holds_points
from .solids import SOLIDS

if TYPE_CHECKING:
    from .model import Model

FORMAT: Final = "mbwidgets"
VERSION: Final = 2
"""The newest version; a model without what it brought, tables and gravity that changes, is written as version 1."""
MAX_NESTING: Final = 40
KEYS: Final = (
    "format",
    "version",
    "name",
    "gravity",
    "parameters",
    "bodies",
    "forces",
    "constraints",
    "state",
)


def model_to_dict(model: Model) -> dict[str, Any]:
    """The JSON form; what equals its default is left out, but for the parts that every file shows."""
    return {
        "format": FORMAT,
        "version": 2 if _brought_by_2(model) else 1,
        "name": model.name,
        "gravity": [dump_scalar(item) for item in model.gravity],
        "parameters": {name: parameter.to_dict() for name, parameter in model.parameters.items()},
        "bodies": [body.to_dict() for body in model.bodies],
        "forces": [force.to_dict() for force in model.forces],
        "constraints": [constraint.to_dict() for constraint in model.constraints],
        "state": model.state.to_dict(),
    }


def model_from_dict(data: Any) -> Model:
    """The model that a dict of version 1 or 2 describes; anything else is a typed error that names its place."""
    from .model import Model

    if not isinstance(data, Mapping):
        raise ModelError(f"{shorten(data)} is not a model", remedy='give an object with "bodies"')
    _check_nesting(data)
    if data.get("format", FORMAT) != FORMAT:
        raise ModelError(f"format {shorten(data.get('format'))}", remedy=f'this reads "format": "{FORMAT}"')
    version = data.get("version", 1)
    if isinstance(version, int) and not isinstance(version, bool) and version > VERSION:
        raise CompatibilityError(
            f"the model is of version {version}, this mbwidgets reads up to {VERSION}",
            remedy="upgrade mbwidgets",
        )
    if version not in (1, VERSION) or isinstance(version, bool):
        raise ModelError(f"version {shorten(version)} is not known", remedy='write "version": 1')
    for key in data:
        if key not in KEYS:
            raise ModelError(f"unknown field {shorten(key)}", remedy=suggest_name(str(key), KEYS))
    if "bodies" not in data:
        raise ModelError("no bodies", remedy='give "bodies": […]')
    fields = {key: data[key] for key in KEYS[2:] if key in data}
    fields["bodies"] = _bodies(data["bodies"])
    fields["parameters"] = _parameters(data.get("parameters", {}))
    if fields.get("state") is None:
        fields.pop("state", None)
    model = Model(**fields)
    if version == 1 and (what := _brought_by_2(model)):
        raise ModelError(f"{what} in a model of version 1", remedy='write "version": 2')
    return model


def _brought_by_2(model: Model) -> str:
    """What a model holds that version 2 has brought; nothing where it is one of version 1."""
    if any(isinstance(force, Gravity) for force in model.forces):
        return "gravity that changes"
    scalars = list(iterate_scalars((model.forces, model.constraints)))
    if any(map(holds_points, scalars)):
        return "a point's place, x[…],"
    return "a table" if any(map(has_table, scalars)) else ""


def _check_nesting(data: Any) -> None:
    """Refuse deep or circular data before anything recurses into it."""
    waiting = [(data, 1)]
    while waiting:
        item, depth = waiting.pop()
        if depth > MAX_NESTING:
            raise ModelError(f"the model is nested deeper than {MAX_NESTING} levels", remedy="flatten it")
        inside = item.values() if isinstance(item, Mapping) else item if isinstance(item, list | tuple) else ()
        waiting += [(x, depth + 1) for x in inside if isinstance(x, Mapping | list | tuple)]


def _bodies(data: Any) -> list[Body]:
    if not isinstance(data, list | tuple):
        raise ModelError(f"{shorten(data)} is not a list", where="bodies", remedy="give a list of bodies")
    bodies = []
    for number, item in enumerate(data):
        if isinstance(item, Mapping) and item.get("parent") == BEFORE:
            raise ModelError(f"{shorten(BEFORE)} cannot name a body", where=f"bodies: {number}: parent")
        try:
            bodies.append(Body.from_dict(item))
        except MbwidgetsError as error:
            raise (error if "body" in (error.where or "") else error.at(f"bodies: {number}")) from None
    return bodies


def _parameters(data: Any) -> list[Parameter]:
    if not isinstance(data, Mapping):
        raise ModelError(f"{shorten(data)} is not an object", where="parameters", remedy='write {"m2": {"value": 5}}')
    if len(data) > 10_000:
        raise ModelError(f"{len(data)} parameters", where="parameters", remedy="give at most 10000")
    return [Parameter.from_dict(name, item) for name, item in data.items()]


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a model file."""
    number = {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1, "maxLength": MAX_LENGTH}]}
    three = {"type": "array", "items": {"$ref": "#/$defs/number"}, "minItems": 3, "maxItems": 3}
    body = Body.schema()
    body["required"] = ["name"]
    parameter = {
        "type": "object",
        "properties": {
            **{key: {"$ref": "#/$defs/number"} for key in ("value", "min", "max")},
            "unit": {"type": "string", "maxLength": 200},
        },
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mbwidgets model, versions 1 and 2",
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "version": {"enum": [1, VERSION]},
            "name": {"type": "string", "maxLength": 200},
            "gravity": {"$ref": "#/$defs/vector"},
            "parameters": {
                "type": "object",
                "propertyNames": {"pattern": "^[A-Za-z][A-Za-z0-9_]{0,31}$"},
                "additionalProperties": {"anyOf": [parameter, {"$ref": "#/$defs/number"}]},
            },
            "bodies": {"type": "array", "items": {"$ref": "#/$defs/body"}, "minItems": 1, "maxItems": 2000},
            "forces": {"type": "array", "items": {"$ref": "#/$defs/force"}},
            "constraints": {"type": "array", "items": {"$ref": "#/$defs/constraint"}},
            "state": {
                "type": "object",
                "properties": {
                    **{key: {"type": "array", "items": {"$ref": "#/$defs/number"}} for key in "qu"},
                    "duration": {"$ref": "#/$defs/number"},
                },
                "additionalProperties": False,
            },
        },
        "required": ["bodies"],
        "additionalProperties": False,
        "$defs": {
            "number": number,
            "table": _table_schema(),
            "name": {"type": "string", "minLength": 1, "maxLength": 64},
            "vector": three,
            "axis": {"anyOf": [three, {"enum": ["x", "y", "z", "-x", "-y", "-z", "+x", "+y", "+z"]}]},
            "quaternion": {**three, "minItems": 4, "maxItems": 4},
            "tensor": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/vector"}, "minItems": 3, "maxItems": 3},
                    three,
                    {**three, "minItems": 6, "maxItems": 6},
                ]
            },
            "anchor": Anchor.schema(),
            "body": body,
            "joint": _any_of(JOINTS),
            "solid": _any_of(SOLIDS),
            "force": _any_of(FORCES),
            "constraint": _any_of(CONSTRAINTS),
        },
    }


def _table_schema() -> dict[str, Any]:
    """Values at times; version 2."""
    numbers = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": MAX_POINTS}
    inner = {
        "type": "object",
        "properties": {"t": numbers, "y": numbers, "kind": {"enum": ["cubic", "steps"]}},
        "required": ["t", "y"],
        "additionalProperties": False,
    }
    return {"type": "object", "properties": {"table": inner}, "required": ["table"], "additionalProperties": False}


def _any_of(kinds: Mapping[str, type[Record]]) -> dict[str, Any]:
    return {"oneOf": [kind.schema() for kind in kinds.values()]}
