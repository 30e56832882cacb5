"""JSON text and files, version 1: read with limits, written the same way every time, exact both ways."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, Never

from ..errors import FileError, MbwidgetsError, shorten
from ..expressions import float_that_prints_as, underflows_to_zero
from ..model.model import Model
from .text import as_path, check_size, decode_text, read_text
from .whole import write_whole

__all__ = ["dumps", "load_json", "loads", "parse_json", "save", "write_json"]

MAX_NESTING: Final = 40
MAX_INTEGER_DIGITS: Final = 400
WIDTH: Final = 110

# A string as a whole, or a bracket. Possessive, and content with a string that never ends: linear time.
_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{\]}]', re.DOTALL)


def loads(text: str | bytes, name: str = "text") -> Model:
    """The model that JSON text describes; ``name`` stands in front of every error message."""
    data = parse_json(text, name, exact=True)
    try:
        return Model.from_dict(data)
    except MbwidgetsError as error:
        raise error.at(name) from None


def load_json(path: str | os.PathLike[str]) -> Model:
    """The model in a JSON file."""
    return loads(read_text(path), as_path(path).name)


def dumps(model: Model) -> str:
    """The model as JSON text: one text for one model, vectors on one line, a newline at the end."""
    return write_json(model.to_dict())


def write_json(data: Any) -> str:
    """Plain data as JSON text, what is short on one line, a newline at the end."""
    return _write(data, 0) + "\n"


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write the model to a ``.json`` file, whole or not at all.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pendulum.json"
    >>> mb.save(mb.library.pendulum(1), path)
    >>> mb.load(path) == mb.library.pendulum(1)
    True
    """
    if not isinstance(model, Model):
        raise FileError(f"{shorten(model)} is not a Model", remedy="give a model, then the path")
    target = as_path(path)
    if target.suffix.lower() != ".json":
        raise FileError(
            f"cannot write {shorten(target.suffix) if target.suffix else 'a file without a suffix'}",
            where=target.name,
            remedy="end the name in .json",
        )
    write_whole(target, dumps(model))


def parse_json(
    text: str | bytes, name: str, *, exact: bool = False, numbers: Callable[[str], Any] | None = None
) -> Any:
    """JSON from strangers as plain data: limits on size, nesting and digits, finite numbers, no key twice.

    With ``exact`` a decimal of more digits than a float has comes as the fraction that it says; ``numbers`` reads the
    text of every number in its own way.
    """
    text = decode_text(text, name)
    check_size(text, name)
    _check_nesting(text, name)

    def refuse(problem: str, remedy: str) -> Never:
        raise FileError(problem, where=name, remedy=remedy)

    def number(digits: str) -> Any:
        value = float(digits)
        if not math.isfinite(value):
            refuse(f"number {shorten(digits)} is not finite", "give a number below 1e308")
        if underflows_to_zero(digits, value):
            refuse(f"number {shorten(digits)} is too small", "give a number above 1e-307, or 0")
        # a float has room for fifteen digits whatever they are
        return float_that_prints_as(Fraction(digits)) if exact and len(digits) > 15 else value

    def integer(digits: str) -> int:
        if len(digits) > MAX_INTEGER_DIGITS:
            refuse(f"an integer of {len(digits)} digits", "write it as 1e300")
        return int(digits)

    def constant(word: str) -> Never:
        refuse(f"{word} is not a number of JSON", "give a finite number")

    def record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in pairs:
            if key in result:
                refuse(f"the key {shorten(key)} stands twice in one object", "keep one of the two")
            result[key] = value
        return result

    try:
        return json.loads(
            text,
            object_pairs_hook=record,
            parse_float=numbers or number,
            parse_int=numbers or integer,
            parse_constant=numbers or constant,
        )
    except json.JSONDecodeError as error:
        raise FileError(
            f"not JSON: {error.msg}",
            where=f"{name}: line {error.lineno}, column {error.colno}",
            remedy="correct it there",
        ) from None


def _check_nesting(text: str, name: str) -> None:
    """Refuse deep nesting before the parser, which recurses, sees it."""
    depth = 0
    for found in _BRACKETS.finditer(text):
        mark = found.group()
        if mark in "[{":
            depth += 1
            if depth > MAX_NESTING:
                line = text.count("\n", 0, found.start()) + 1
                raise FileError(
                    f"nested deeper than {MAX_NESTING} levels",
                    where=f"{name}: line {line}",
                    remedy="flatten the file",
                )
        elif mark in "]}":
            depth -= 1


def _write(value: Any, indent: int) -> str:
    """On one line where it fits, else one item a line."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list) or not value or (len(line) + indent <= WIDTH and indent):
        return line
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_write(item, indent + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inner + item for item in items) + "\n" + " " * indent + "}"
    items = [_write(item, indent + 1) for item in value]
    return "[\n" + ",\n".join(inner + item for item in items) + "\n" + " " * indent + "]"
