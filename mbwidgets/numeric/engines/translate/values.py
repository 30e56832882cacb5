"""What the names of a kernel stand for while it is translated: scalars, tuples, records, views of arrays, functions.

All but scalars are taken apart here: a tuple or a record is its items, an array its address and its sizes, so that
nothing but scalars reaches the intermediate form. A size that is constant stays known: it makes addresses constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .ir import Const, Expression, Local, Operation, Scalar

__all__ = [
    "Array",
    "ArrayType",
    "FunctionType",
    "FunctionValue",
    "Record",
    "Shape",
    "Type",
    "Value",
    "alike",
    "describe",
    "joined",
    "scalar_types",
    "scalars",
    "type_key",
    "type_of",
]


@dataclass(frozen=True, slots=True)
class Array:
    """A view of an array in memory, row by row: where it begins, its sizes, and of which parameters it is a part."""

    base: Expression
    sizes: tuple[Expression, ...]
    element: Scalar = "f"
    roots: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of an array as a tuple."""

    sizes: tuple[Expression, ...]


class Record(tuple[Any, ...]):
    """A named tuple: its values, or their types, with the names of its fields."""

    fields: tuple[str, ...]

    def __new__(cls, fields: tuple[str, ...], items: Iterable[Any]) -> Record:
        made = super().__new__(cls, items)
        made.fields = fields
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.fields == other.fields and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash((self.fields, tuple(self)))


def alike(given: tuple[Any, ...], items: Iterable[Any]) -> tuple[Any, ...]:
    """Other items in a tuple, or in a record with the same fields."""
    return Record(given.fields, items) if isinstance(given, Record) else tuple(items)


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A kernel that is known while another is translated."""

    function: Callable[..., Any]


Value = Expression | tuple["Value", ...] | Array | Shape | FunctionValue


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array's sizes, None where one is not constant."""

    sizes: tuple[int | None, ...]
    element: Scalar = "f"


@dataclass(frozen=True, slots=True)
class FunctionType:
    """One function and no other."""

    function: Callable[..., Any]


Type = Scalar | tuple["Type", ...] | ArrayType | FunctionType


def type_of(value: Value) -> Type:
    """The type of a value."""
    match value:
        case Const(type=found) | Local(type=found) | Operation(type=found):
            return found
        case Array(sizes=sizes, element=element):
            return ArrayType(tuple(int(size.value) if isinstance(size, Const) else None for size in sizes), element)
        case Shape(sizes=sizes):
            return tuple(type_of(size) for size in sizes)
        case FunctionValue(function=function):
            return FunctionType(function)
    return alike(value, (type_of(item) for item in value))


def joined(a: Type, b: Type) -> Type | None:
    """The type that holds both; None where there is none."""
    if a == b:
        return a
    match a, b:
        case (("i" | "f" | "b"), ("i" | "f" | "b")):
            return "f" if "f" in (a, b) else "i"
        case tuple(), tuple() if len(a) == len(b) and getattr(a, "fields", None) == getattr(b, "fields", None):
            items = [joined(x, y) for x, y in zip(a, b, strict=True)]
            return alike(a, items) if None not in items else None
        case ArrayType(), ArrayType() if len(a.sizes) == len(b.sizes) and a.element == b.element:
            return ArrayType(tuple(x if x == y else None for x, y in zip(a.sizes, b.sizes, strict=True)), a.element)
    return None


def type_key(type: Type) -> str:
    """A type in letters, two of which are equal where the types are."""
    match type:
        case str():
            return type
        case Record(fields=fields):
            return f"({','.join(fields)}:{''.join(map(type_key, type))})"
        case tuple():
            return f"({''.join(map(type_key, type))})"
        case ArrayType(sizes=sizes, element=element):
            return f"[{element}{','.join('' if size is None else str(size) for size in sizes)}]"
        case FunctionType(function=function):
            return f"<{function.__module__}.{function.__qualname__}>"


def describe(type: Type) -> str:
    """A type in words."""
    match type:
        case "i":
            return "an integer"
        case "f":
            return "a float"
        case "b":
            return "a truth value"
        case Record(fields=fields):
            return f"a record of {', '.join(fields)}"
        case tuple():
            return f"a tuple of {len(type)}"
        case ArrayType(sizes=sizes):
            return f"an array of {len(sizes)} indices"
        case FunctionType(function=function):
            return f"the function {function.__name__}"


def scalars(value: Value) -> Iterator[Expression]:
    """The scalars of a value, in order; sizes that are constant are part of the type."""
    match value:
        case Const() | Local() | Operation():
            yield value
        case Array(base=base, sizes=sizes):
            yield base
            yield from (size for size in sizes if not isinstance(size, Const))
        case Shape(sizes=sizes):
            yield from sizes
        case tuple():
            for item in value:
                yield from scalars(item)


def scalar_types(type: Type) -> Iterator[Scalar]:
    """The types of a value's scalars, in the order of `scalars`."""
    match type:
        case str():
            yield type
        case tuple():
            for item in type:
                yield from scalar_types(item)
        case ArrayType(sizes=sizes):
            for size in (None, *sizes):
                if size is None:
                    yield "i"
