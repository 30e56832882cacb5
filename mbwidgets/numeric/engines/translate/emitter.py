"""Where a function's statements are gathered: its variables, its scratch variables, its frames of inlined kernels."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from .ir import Const, Expression, Local, Operation, Set, Statement, convert, locals_in
from .source import Source, Untranslatable
from .values import Array, ArrayType, FunctionType, FunctionValue, Shape, Type, Value, alike, describe, joined, type_of

__all__ = ["Emitter", "Frame", "Retyped"]


class Retyped(Exception):
    """A variable turned out to need a wider type than the statements before it assumed: begin the function anew."""


@dataclass(eq=False)
class Frame:
    """The names of a function: of the one that is translated, or of one that is inlined into it.

    ``path`` tells the place of the inlined call, the same in every attempt; ``label`` is where its returns lead.
    """

    source: Source
    path: str
    values: dict[str, Value] = field(default_factory=dict)
    loops: list[str | None] = field(default_factory=list)
    label: str | None = None
    assignments: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.assignments = self.source.assignments


class Emitter:
    """Statements, variables and frames of one function that is being translated."""

    def __init__(self, known: dict[tuple[str, str], Type]) -> None:
        self.known = known
        """Types of variables by the path of their frame and their name; kept from attempt to attempt."""
        self.out: list[Statement] = []
        self.frames: list[Frame] = []
        self.written: set[str] = set()
        """Parameters that are arrays and are written to."""
        self._count = 0
        self._paths: dict[str, str] = {}

    @property
    def frame(self) -> Frame:
        """The function that is being read."""
        return self.frames[-1]

    def refuse(self, node: ast.AST, reason: str) -> NoReturn:
        """Say that something is outside the subset."""
        raise Untranslatable(self.frame.source, node, reason)

    def fresh(self, hint: str) -> str:
        """A name that nothing else has."""
        self._count += 1
        return f"{hint}{self._count}"

    @contextmanager
    def gathered(self) -> Iterator[list[Statement]]:
        """Gather the statements that are emitted inside."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    def hold(self, value: Expression, hint: str = "t") -> Expression:
        """A value as something that costs nothing to repeat, and that no later assignment changes."""
        if isinstance(value, Const):
            return value
        target = Local(value.type, self.fresh(hint))
        self.out.append(Set(target, value))
        return target

    def held(self, value: Value) -> Value:
        """`hold` for all scalars of a value; scratch variables, which are set once, stay as they are."""
        return self.mapped(value, lambda item: item if self._is_scratch(item) else self.hold(item))

    def _is_scratch(self, item: Expression) -> bool:
        return isinstance(item, Local) and not item.name.startswith("_")

    def mapped(self, value: Value, change: Callable[[Expression], Expression]) -> Value:
        """A value with other scalars."""
        match value:
            case tuple():
                return alike(value, (self.mapped(item, change) for item in value))
            case Array(base=base, sizes=sizes, element=element, roots=roots):
                return Array(change(base), tuple(map(change, sizes)), element, roots)
            case Shape(sizes=sizes):
                return tuple(map(change, sizes))
            case FunctionValue():
                return value
        return change(value)

    def converted(self, value: Value, type: Type) -> Value:
        """A value as one of a wider type."""
        if isinstance(type, str):
            return convert(value, type)  # type: ignore[arg-type]
        if isinstance(type, tuple):
            items = value.sizes if isinstance(value, Shape) else value
            return alike(type, (self.converted(item, part) for item, part in zip(items, type, strict=True)))  # type: ignore[arg-type]
        return value

    # variables

    def storage(self, name: str, type: Type, roots: frozenset[str] = frozenset()) -> Value:
        """The local variables in which a value of this type is kept; names of scratch variables never begin with _."""
        match type:
            case str():
                return Local(type, name)
            case tuple():
                return alike(type, (self.storage(f"{name}_{k}", item, roots) for k, item in enumerate(type)))
            case ArrayType(sizes=sizes, element=element):
                found = tuple(
                    Local("i", f"{name}_n{k}") if size is None else Const("i", size) for k, size in enumerate(sizes)
                )
                return Array(Local("i", name), found, element, roots)
            case FunctionType(function=function):
                return FunctionValue(function)

    def variable(self, frame: Frame, name: str) -> str:
        """The name of a variable in the intermediate form."""
        short = self._paths.setdefault(frame.path, str(len(self._paths)))
        return f"_{name}_{short}"

    def assign_name(self, node: ast.AST, name: str, value: Value, frame: Frame | None = None) -> None:
        """Give a name a value: one that is assigned once and constant needs no variable."""
        frame = frame or self.frame
        if frame.assignments.get(name, 0) == 1 and _is_fixed(value):
            frame.values[name] = value
            return
        wide = self.widened(node, (frame.path, name), type_of(value))
        roots = _roots_of(value) | _roots_of(frame.values.get(name, ()))
        kept = self.storage(self.variable(frame, name), wide, roots)
        self.copy(self.converted(value, wide), kept)
        frame.values[name] = kept

    def widened(self, node: ast.AST, key: tuple[str, str], found: Type) -> Type:
        """The type of a variable that is now given a value of another type."""
        before = self.known.get(key)
        wide = found if before is None else joined(before, found)
        if wide is None:
            assert before is not None
            self.refuse(node, f"{key[1]} is {describe(before)} and {describe(found)}")
        self.known[key] = wide
        if before is not None and wide != before:
            raise Retyped
        return wide

    def copy(self, value: Value, kept: Value) -> None:
        """Set variables to the scalars of a value; one that reads a variable set before it is read first."""
        pairs = list(_paired(value, kept))
        names = {target.name for _, target in pairs}
        items = [
            self.hold(item) if len(pairs) > 1 and names & set(locals_in(item)) - {target.name} else item
            for item, target in pairs
        ]
        for item, (_, target) in zip(items, pairs, strict=True):
            if item != target:
                self.out.append(Set(target, item))


def _paired(value: Value, kept: Value) -> Iterator[tuple[Expression, Local]]:
    """The scalars of a value beside the variables that keep them; what the variable's type knows is left out."""
    match kept:
        case Local():
            assert isinstance(value, Const | Local | Operation)
            yield value, kept
        case Array():
            assert isinstance(value, Array)
            yield from _paired(value.base, kept.base)
            for item, target in zip(value.sizes, kept.sizes, strict=True):
                yield from _paired(item, target)
        case tuple():
            assert isinstance(value, tuple)
            for part, place in zip(value, kept, strict=True):
                yield from _paired(part, place)


def _is_fixed(value: Value) -> bool:
    match value:
        case Const() | FunctionValue():
            return True
        case tuple():
            return all(map(_is_fixed, value))
    return False


def _roots_of(value: Value) -> frozenset[str]:
    match value:
        case Array(roots=roots):
            return roots
        case tuple():
            return frozenset[str]().union(*map(_roots_of, value))
    return frozenset()
