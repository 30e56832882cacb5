"""A model as Python code: what sliders made can be had back as the lines that one would have written."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from .bodies import Body
from .fields import Record, dump_scalar

if TYPE_CHECKING:
    from .model import Model

__all__ = ["model_to_code"]

WIDTH: Final = 100
INDENT: Final = "    "


def model_to_code(model: Model) -> str:
    """Lines that make an equal model: ``import mbwidgets as mb``, then ``model = mb.Model(…)``.

    Numbers are written in full; an expression of parameters stands as a string, as in a model file.
    """
    arguments = [f"name={model.name!r}"]
    arguments.append(f"bodies={_list([_body(model, index) for index in range(len(model.bodies))], 1)}")
    arguments.append(f"gravity={_value(model.gravity)}")
    if model.parameters:
        arguments.append(f"parameters={_list([_parameter(item) for item in model.parameters.values()], 1)}")
    if model.forces:
        arguments.append(f"forces={_list([_record(item, 2) for item in model.forces], 1)}")
    if model.constraints:
        arguments.append(f"constraints={_list([_record(item, 2) for item in model.constraints], 1)}")
    state = {key: value for key in ("q", "u", "duration") if (value := getattr(model.state, key)) is not None}
    if state:
        arguments.append(f"state={{{', '.join(f'{key!r}: {_value(value)}' for key, value in state.items())}}}")
    lines = "".join(f"{INDENT}{argument},\n" for argument in arguments)
    return f"import mbwidgets as mb\n\nmodel = mb.Model(\n{lines})\n"


def _body(model: Model, index: int) -> str:
    body = model.bodies[index]
    parent = model.parents[index]
    left_out = {*body.derived, "name", *(("parent",) if parent == index - 1 else ())}
    arguments = [repr(body.name), *_fields(body, 3, left_out)]
    return _call("mb.Body", arguments, 2)


def _fields(record: Record, depth: int, left_out: Any = ()) -> list[str]:
    """``name=value`` of the fields that do not hold their default."""
    found = []
    for field in dataclasses.fields(record):
        kind = field.metadata.get("kind")
        if kind is None or field.name in left_out:
            continue
        value, default = getattr(record, field.name), field.default
        # by text: 0.0 is not left out for 0, since exact numbers give exact inertias
        if default is not dataclasses.MISSING and repr(value) == repr(
            None if default is None else kind.convert(default)
        ):
            continue
        ground = value is None and isinstance(record, Body) and field.name == "parent"
        found.append(f"{field.name}={'mb.ground' if ground else _value(value, depth)}")
    return found


def _record(record: Record, depth: int) -> str:
    return _call(f"mb.{type(record).__name__}", _fields(record, depth + 1), depth)


def _parameter(parameter: Any) -> str:
    given = [
        f"{key}={_value(getattr(parameter, key))}" for key in ("min", "max") if getattr(parameter, key) is not None
    ]
    if parameter.unit:
        given.append(f"unit={parameter.unit!r}")
    value = [] if parameter.value is None else [_value(parameter.value)]
    return f"mb.Parameter({', '.join([repr(parameter.name), *value, *given])})"


def _value(value: Any, depth: int = 0) -> str:
    if isinstance(value, Record):
        return _record(value, depth)
    if isinstance(value, tuple | list):
        items = [_value(item, depth) for item in value]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    return repr(dump_scalar(value))


def _call(name: str, arguments: list[str], depth: int) -> str:
    """One line, or one line an argument where that would be too long."""
    line = f"{name}({', '.join(arguments)})"
    if len(line) + len(INDENT) * depth <= WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{INDENT * (depth + 1)}{argument},\n" for argument in arguments)
    return f"{name}(\n{inner}{INDENT * depth})"


def _list(items: list[str], depth: int) -> str:
    inner = "".join(f"{INDENT * (depth + 1)}{item},\n" for item in items)
    return f"[\n{inner}{INDENT * depth}]"
