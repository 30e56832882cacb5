"""Declared fields: each says once how a value is read, written to JSON and described in the JSON Schema.

Every piece of a mechanism (a joint, a solid, a force …) is a frozen dataclass of declared fields, a `Record`.
The dict form, the file schema and the checks all come from the declarations, so they cannot disagree.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self, TypeAlias

from ..errors import ExpressionError, MbwidgetsError, ModelError, shorten
from ..expressions import (
    TIME,
    Expression,
    Symbol,
    Table,
    Variable,
    as_scalar,
    check_limits,
    evaluate,
    parse_expression,
    sqrt,
)
from ..expressions.table import table_from_dict
from .synonyms import SYNONYMS

Number: TypeAlias = int | float | Fraction | Expression | str
"""What a number of a mechanism may be given as; a text is parsed and kept as an expression."""
BODY_NAME: Final = re.compile(r"[^\W\d_][\w .\-]{0,63}\Z")
AXES: Final[dict[str, tuple[int, int, int]]] = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
UNIT_TOLERANCE: Final = 1e-15
"""A few roundings: what was normalised once is left as it is."""
MIRROR: Final = 1e-12
"""Part of a tensor's size by which R D Rᵀ in floats may miss its symmetry: a product of three leaves some 1e-15."""
NUMBER_SCHEMA: Final = {"$ref": "#/$defs/number"}
TIMELY_SCHEMA: Final = {"anyOf": [NUMBER_SCHEMA, {"$ref": "#/$defs/table"}]}
VECTOR_SCHEMA: Final = {"$ref": "#/$defs/vector"}
NAME_SCHEMA: Final = {"$ref": "#/$defs/name"}


@dataclass(frozen=True)
class Kind:
    """How one field is read (``convert``), written (``dump``) and described (``schema``)."""

    convert: Callable[[Any], Any]
    dump: Callable[[Any], Any]
    schema: Mapping[str, Any]


def declare_field(
    kind: Kind, default: Any = dataclasses.MISSING, *, key: str | None = None, shown: bool = False
) -> Any:
    """A dataclass field of the given kind.

    ``key`` is its name in JSON where Python forbids it; ``shown`` writes even the default.
    """
    return dataclasses.field(default=default, metadata={"kind": kind, "key": key, "shown": shown})


@dataclass(frozen=True)
class Record:
    """A frozen piece of a mechanism whose fields are declared with `declare_field`."""

    type: ClassVar[str] = ""

    def __new__(cls, *_values: Any, **named: Any) -> Self:
        """Refuse a field that the record does not have, with the name that is meant, before Python does."""
        for name in named:
            if name not in cls.__dataclass_fields__:
                known = [item for item, field in cls.__dataclass_fields__.items() if "kind" in field.metadata]
                meant = SYNONYMS.get(name, "")
                remedy = f"say {meant!r}" if meant in known else suggest_name(name, known)
                raise ModelError(f"no field {shorten(name)}", where=cls.__name__, remedy=remedy)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, kind, _ in self._declared():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind.convert(value))
            except MbwidgetsError as error:
                raise error.at(name) from None

    @classmethod
    def _declared(cls) -> Iterator[tuple[str, Kind, str]]:
        for field in dataclasses.fields(cls):
            if "kind" in field.metadata:
                yield field.name, field.metadata["kind"], field.metadata["key"] or field.name

    def replace(self, **changes: Any) -> Self:
        """A new record with some fields changed."""
        fields = {field.name for field in dataclasses.fields(self)}
        for name in changes:
            if name not in fields:
                declared = [known for known, _, _ in self._declared()]
                raise ModelError(f"no field {name!r}", where=type(self).__name__, remedy=suggest_name(name, declared))
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; fields that hold their default are left out."""
        result: dict[str, Any] = {"type": self.type} if self.type else {}
        for field in dataclasses.fields(self):
            kind = field.metadata.get("kind")
            if kind is None:
                continue
            value, default = getattr(self, field.name), field.default
            hidden = default is not dataclasses.MISSING and not field.metadata["shown"]
            # by text: 0.0 is not left out for 0, since exact numbers give exact inertias
            if not (hidden and repr(value) == repr(None if default is None else kind.convert(default))):
                result[field.metadata["key"] or field.name] = kind.dump(value)
        return result

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The record that a JSON object describes; unknown keys are refused, with the nearest known one."""
        if not isinstance(data, Mapping):
            raise ModelError(f"{shorten(data)} is not an object", remedy="write {…} with named fields")
        keys = {key: name for name, _, key in cls._declared()}
        for key in data:
            if key not in keys and not (key == "type" and cls.type):
                raise ModelError(f"unknown field {shorten(key)}", remedy=suggest_name(str(key), keys))
        required = [
            field.metadata["key"] or field.name
            for field in dataclasses.fields(cls)
            if field.default is dataclasses.MISSING and "kind" in field.metadata
        ]
        missing = [key for key in required if key not in data]
        if missing:
            raise ModelError("fields are missing", remedy=f"give {', '.join(missing)}")
        return cls(**{keys[key]: value for key, value in data.items() if key in keys})

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """The JSON Schema of this record's dict form."""
        properties: dict[str, Any] = {"type": {"const": cls.type}} if cls.type else {}
        required = ["type"] if cls.type else []
        for field in dataclasses.fields(cls):
            if "kind" in field.metadata:
                key = field.metadata["key"] or field.name
                properties[key] = dict(field.metadata["kind"].schema)
                if field.default is dataclasses.MISSING:
                    required.append(key)
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }


def suggest_name(name: str, known: Iterable[str]) -> str:
    """``did you mean 'mass'?`` or the list of what there is."""
    names = [str(item) for item in known]
    near = difflib.get_close_matches(name[:64], names[:1000], n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    more = f" … {len(names)} in all" if len(names) > 20 else ""
    return f"known: {', '.join(names[:20]) or 'none'}{more}"


def map_scalars(value: Any, change: Callable[[Any], Any]) -> Any:
    """Pass every expression inside nested tuples and records through ``change``."""
    if isinstance(value, Expression):
        return change(value)
    if isinstance(value, tuple):
        mapped = tuple(map_scalars(item, change) for item in value)
        return value if all(a is b for a, b in zip(mapped, value, strict=True)) else mapped
    if isinstance(value, Record):
        changes = {}
        for field in dataclasses.fields(value):
            old = getattr(value, field.name)
            new = map_scalars(old, change)
            if new is not old:
                changes[field.name] = new
        return dataclasses.replace(value, **changes) if changes else value
    return value


def iterate_scalars(value: Any) -> Iterator[Expression]:
    """Every expression inside nested tuples and records."""
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from iterate_scalars(item)
    elif isinstance(value, Record):
        for field in dataclasses.fields(value):
            yield from iterate_scalars(getattr(value, field.name))


def constant_value(value: Any) -> float | None:
    """The number that a scalar is, or None when it needs a parameter."""
    if isinstance(value, Expression) and next(value.leaves(), None) is not None:
        return None
    return evaluate(value)


def has_table(value: Any) -> bool:
    """Whether an expression holds a table."""
    return isinstance(value, Table) or (isinstance(value, Expression) and any(map(has_table, value.children())))


def dump_scalar(value: Any) -> Any:
    if isinstance(value, Table):
        return value.to_dict()
    return str(value) if isinstance(value, Fraction | Expression) else value


def _reader(variables: str, tables: bool = False) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        scalar: Any
        if tables and isinstance(value, Mapping):
            scalar = table_from_dict(value)
        elif isinstance(value, str) and "q" in variables:
            scalar = _named_scalar(value)
        else:
            scalar = as_scalar(value)
        if has_table(scalar) and not (tables and isinstance(scalar, Table) and scalar.argument == TIME):
            raise ExpressionError(
                "a table inside an expression or a vector", remedy="give the table alone, with its values multiplied"
            )
        if isinstance(scalar, Expression) and not isinstance(value, str):
            check_limits(scalar)
        for leaf in scalar.leaves() if isinstance(scalar, Expression) else ():
            if isinstance(leaf, Variable) and leaf.kind not in variables:
                raise ExpressionError(f"{leaf!r} cannot stand here", remedy="use parameters and numbers only")
        return scalar

    return read


def _named_scalar(text: str) -> Any:
    """A text in which coordinates may go by name, until a model gives them their numbers."""
    try:
        return parse_expression(text, named=True)
    except ExpressionError as error:
        raise error.at("number") from None


def as_number(value: Any) -> Any:
    """A scalar of parameters only: no time, no coordinates."""
    return _reader("")(value)


def as_vector(value: Any, length: int = 3, read: Callable[[Any], Any] = as_number) -> tuple[Any, ...]:
    """A tuple of scalars of the length given."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ModelError(f"{shorten(value)} is not a vector", remedy=f"give {length} numbers")
    items = tuple(value)
    if len(items) != length:
        raise ModelError(f"{len(items)} numbers", remedy=f"give {length}")
    return tuple(_item(read, item, "xyzw"[index] if length <= 4 else str(index)) for index, item in enumerate(items))


def _item(read: Callable[[Any], Any], value: Any, where: str) -> Any:
    try:
        return read(value)
    except MbwidgetsError as error:
        raise error.at(where) from None


def as_axis(value: Any) -> tuple[Any, Any, Any]:
    """A direction, ``"z"``, ``"-x"`` or three scalars; numbers are normalised, exact ones exactly."""
    if isinstance(value, str):
        letter = value.lstrip("+-")
        if letter not in AXES or len(value) - len(letter) > 1:
            raise ModelError(f"{shorten(value)} is not an axis", remedy="give 'x', 'y', 'z', '-x' … or three numbers")
        sign = -1 if value.startswith("-") else 1
        x, y, z = AXES[letter]
        return (sign * x, sign * y, sign * z)
    vector = as_vector(value)
    numbers = [constant_value(item) for item in vector]
    if any(number is None for number in numbers):
        return vector  # holds parameters: checked and normalised with their values
    plain = [number for number in numbers if number is not None]
    largest = max(abs(number) for number in plain)
    if largest == 0.0:
        raise ModelError("the axis is the zero vector", remedy="give a direction")
    plain = [number / largest for number in plain]  # neither overflow nor underflow in the squares
    length = math.hypot(*plain)
    if abs(length * largest - 1.0) <= UNIT_TOLERANCE:
        return vector
    if all(isinstance(item, int | Fraction) for item in vector):
        square = Fraction(sum(item * item for item in vector))
        norm = sqrt(square)
        return tuple(as_scalar(item / square * norm) for item in vector)  # exact: item / √square
    return (plain[0] / length, plain[1] / length, plain[2] / length)


def as_quaternion(value: Any) -> tuple[Any, ...]:
    """x, y, z, w of any sane length."""
    vector = as_vector(value, 4)
    known = [number for number in map(constant_value, vector) if number is not None]
    if len(known) == 4 and not 1e-6 < max(abs(number) for number in known) < 1e6:
        raise ModelError(f"{shorten(known)} is no quaternion", remedy="give x, y, z, w, for instance (0, 0, 0, 1)")
    return vector


def as_tensor(value: Any) -> tuple[tuple[Any, ...], ...]:
    """Three principal moments, six components (Jx, Jy, Jz, Jxy, Jxz, Jyz) or a symmetric 3×3 tensor."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise ModelError(f"{shorten(value)} is not an inertia", remedy="give 3, 6 or 3×3 numbers, or a solid")
    items = tuple(value)
    if len(items) == 3 and all(isinstance(row, Iterable) and not isinstance(row, str | Expression) for row in items):
        rows = tuple(as_vector(row) for row in items)
    elif len(items) == 3:
        x, y, z = as_vector(items)
        rows = ((x, 0, 0), (0, y, 0), (0, 0, z))
    elif len(items) == 6:
        x, y, z, xy, xz, yz = as_vector(items, 6)
        rows = ((x, xy, xz), (xy, y, yz), (xz, yz, z))
    else:
        raise ModelError(f"{len(items)} numbers", remedy="give 3 moments, 6 components or a 3×3 tensor")
    return _mirrored(rows)


def _mirrored(rows: tuple[tuple[Any, ...], ...]) -> tuple[tuple[Any, ...], ...]:
    """A tensor whose components are those above the diagonal, if those below are the same but for rounding."""
    numbers = [[constant_value(item) for item in row] for row in rows]
    size = max((abs(item) for row in numbers for item in row if item is not None), default=0.0)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        upper, lower = numbers[i][j], numbers[j][i]
        if upper is None or lower is None:
            same = rows[i][j] == rows[j][i]
        else:
            same = upper == lower or abs(upper - lower) <= MIRROR * size
        if not same:
            raise ModelError(
                f"component {'xyz'[i]}{'xyz'[j]} differs from its mirror", remedy="give a symmetric tensor"
            )
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = rows
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def as_body_name(value: Any) -> str:
    if not isinstance(value, str) or BODY_NAME.match(value) is None:
        raise ModelError(
            f"{shorten(value)} cannot name a body",
            remedy="start with a letter, then letters, digits, spaces, '_', '-', '.', at most 64",
        )
    return value


def as_text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 200 or not value.isprintable():
        raise ModelError(f"{shorten(value)} is not a short text", remedy="give at most 200 printable characters")
    return value


def as_reference(value: Any) -> str | int:
    """A body or joint by name, or by its index from 0."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ModelError(f"{shorten(value)} is not a body", remedy="give a body's name or its index from 0")
    return as_body_name(value) if isinstance(value, str) else value


def _dump_tuple(value: Any) -> Any:
    return [_dump_tuple(item) for item in value] if isinstance(value, tuple) else dump_scalar(value)


def number_kind(variables: str = "") -> Kind:
    timely = "t" in variables
    return Kind(_reader(variables, tables=timely), dump_scalar, TIMELY_SCHEMA if timely else NUMBER_SCHEMA)


def non_negative_kind(variables: str = "") -> Kind:
    number = _reader(variables)

    def read(value: Any) -> Any:
        scalar = number(value)
        known = constant_value(scalar)
        if known is not None and known < 0:
            raise ModelError(f"{shorten(scalar)} is negative", remedy="give a number ≥ 0")
        return scalar

    return Kind(read, dump_scalar, NUMBER_SCHEMA)


def vector_kind(variables: str = "") -> Kind:
    return Kind(lambda value: as_vector(value, 3, _reader(variables)), _dump_tuple, VECTOR_SCHEMA)


def unit_vector_kind() -> Kind:
    return Kind(as_axis, _dump_tuple, {"$ref": "#/$defs/axis"})


def quaternion_kind() -> Kind:
    return Kind(as_quaternion, _dump_tuple, {"$ref": "#/$defs/quaternion"})


def tensor_kind() -> Kind:
    return Kind(as_tensor, _dump_tuple, {"$ref": "#/$defs/tensor"})


def name_kind() -> Kind:
    return Kind(as_body_name, str, NAME_SCHEMA)


def text_kind() -> Kind:
    return Kind(as_text, str, {"type": "string", "maxLength": 200})


def reference_kind() -> Kind:
    return Kind(as_reference, lambda value: value, {"anyOf": [NAME_SCHEMA, {"type": "integer", "minimum": 0}]})


def choice_kind(*options: str) -> Kind:
    def read(value: Any) -> str:
        if value not in options:
            raise ModelError(f"{shorten(value)} is not known", remedy=f"use {' or '.join(map(repr, options))}")
        return str(value)

    return Kind(read, str, {"enum": list(options)})


def index_kind() -> Kind:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise ModelError(f"{shorten(value)} is not an index", remedy="count from 0")
        return value

    return Kind(read, int, {"type": "integer", "minimum": 0})


def numbers_kind(length: int) -> Kind:
    schema = {"type": "array", "items": NUMBER_SCHEMA, "minItems": length, "maxItems": length}
    return Kind(lambda value: as_vector(value, length), _dump_tuple, schema)


def interval_kind() -> Kind:
    """A lower and an upper bound."""

    def read(value: Any) -> tuple[Any, ...]:
        bounds = as_vector(value, 2)
        low, high = map(constant_value, bounds)
        if low is not None and high is not None and low > high:
            raise ModelError(f"{shorten(bounds[0])} is above {shorten(bounds[1])}", remedy="exchange them")
        return bounds

    return Kind(read, _dump_tuple, numbers_kind(2).schema)


def any_numbers_kind(limit: int = 10_000) -> Kind:
    def read(value: Any) -> tuple[Any, ...]:
        if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
            raise ModelError(f"{shorten(value)} is not a list of numbers", remedy="give a list")
        items = tuple(value)
        if len(items) > limit:
            raise ModelError(f"{len(items)} numbers", remedy=f"give at most {limit}")
        return tuple(as_number(item) for item in items)

    return Kind(read, _dump_tuple, {"type": "array", "items": NUMBER_SCHEMA, "maxItems": limit})


def optional_kind(kind: Kind) -> Kind:
    return Kind(
        lambda value: None if value is None else kind.convert(value),
        lambda value: None if value is None else kind.dump(value),
        {"anyOf": [dict(kind.schema), {"type": "null"}]},
    )


def record_kind(cls: type[Record], schema: Mapping[str, Any] | None = None) -> Kind:
    """A nested record, given as such or in its dict form."""
    return Kind(
        lambda value: value if isinstance(value, cls) else cls.from_dict(value),
        lambda value: value.to_dict(),
        schema or cls.schema(),
    )


def read_typed_record(kinds: Mapping[str, type[Record]], data: Any, noun: str) -> Any:
    """The record whose ``type`` a JSON object names."""
    if not isinstance(data, Mapping):
        raise ModelError(f"{shorten(data)} is not a {noun}", remedy='write {"type": …}')
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise ModelError(f"{shorten(kind)} is not a type of {noun}", remedy=suggest_name(str(kind), kinds))
    return kinds[kind].from_dict(data)


def symbols_in(value: Any) -> dict[str, Symbol]:
    """Every symbol by name inside nested tuples and records; a `Parameter` wins over a bare symbol."""
    found: dict[str, Symbol] = {}
    for expression in iterate_scalars(value):
        for leaf in expression.leaves():
            if isinstance(leaf, Symbol) and (leaf.name not in found or type(leaf) is not Symbol):
                found[leaf.name] = leaf
    return found
