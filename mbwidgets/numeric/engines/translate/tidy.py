"""Functions as trees: what a variable holds for one reader stands where it is read, and what nobody reads is gone.

Lowering names every step, so that each is read once from memory and computed once. Where a value has one reader,
further on in the same block, and nothing between them changes what it is made of, the name is not needed: the value is
written in its place. The machine computes the same, from a shorter text. Reads of memory keep their place: moved to
their readers they would shorten the text by another twelfth, but motions took up to 3 % longer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from . import ir

__all__ = ["tidied"]


def tidied(function: ir.Function) -> ir.Function:
    """The same function in fewer variables."""
    body = function.body
    while True:
        read = Counter(ir.read_locals(body))
        shorter = _without_unread(body, read)
        if shorter == body:
            break
        body = shorter
    sets = Counter(item.name for item in chain(function.parameters, ir.set_locals(body)))
    once = {name for name, times in read.items() if times == 1 and sets[name] == 1}
    return replace(function, body=_Tidier(once).block(body))


def _without_unread(body: Sequence[ir.Statement], read: Counter[str]) -> tuple[ir.Statement, ...]:
    """Statements without those that set a variable nobody reads."""
    return tuple(
        ir.with_blocks(statement, (_without_unread(block, read) for block in ir.blocks_of(statement)))
        for statement in body
        if not (isinstance(statement, ir.Set | ir.Load) and not read[statement.target.name])
    )


@dataclass(frozen=True, slots=True)
class _Held:
    """A value that waits for its reader, with the variables it is made of."""

    setting: ir.Set
    parts: frozenset[str]


class _Tidier:
    """Writes values where they are read; ``once`` are the variables with one reader."""

    def __init__(self, once: set[str]) -> None:
        self.once = once

    def block(self, statements: Sequence[ir.Statement]) -> tuple[ir.Statement, ...]:
        """A block with its values in place."""
        out: list[ir.Statement] = []
        waiting: dict[str, _Held] = {}
        readers = {
            name: k for k, item in enumerate(statements) for value in _filled(item) for name in ir.locals_in(value)
        }
        for k, given in enumerate(statements):
            statement = ir.with_expressions(given, [self._filled(item, waiting) for item in _filled(given)])
            self._let_go(statement, waiting, out)
            if isinstance(statement, ir.Set) and self._waits(statement.target.name, k, readers):
                waiting[statement.target.name] = _Held(statement, frozenset(ir.locals_in(statement.value)))
            else:
                out.append(ir.with_blocks(statement, map(self.block, ir.blocks_of(statement))))
        return tuple(out)

    def _waits(self, name: str, place: int, readers: dict[str, int]) -> bool:
        """Whether the one reader of a variable is further on in this block."""
        return name in self.once and readers.get(name, place) > place

    def _filled(self, expression: ir.Expression, waiting: dict[str, _Held]) -> ir.Expression:
        """An expression with the values that wait for it."""
        match expression:
            case ir.Local(name=name) if name in waiting:
                return waiting.pop(name).setting.value
            case ir.Operation(type=kind, name=name, arguments=arguments) if not ir.repeats(expression):
                return ir.Operation(kind, name, tuple(self._filled(item, waiting) for item in arguments))
        return expression

    def _let_go(self, statement: ir.Statement, waiting: dict[str, _Held], out: list[ir.Statement]) -> None:
        """Set the variables of values that cannot wait: their reader is inside, or what they are made of changes."""
        changed = {item.name for item in ir.set_locals([statement])}
        inside = set(ir.read_locals([statement]))
        for name, held in tuple(waiting.items()):
            if name in inside or held.parts & changed:
                out.append(waiting.pop(name).setting)


def _filled(statement: ir.Statement) -> tuple[ir.Expression, ...]:
    """The expressions of a statement that are computed once: not the end of a loop, which is looked at in each turn."""
    found = ir.expressions_of(statement)
    return found[:1] if isinstance(statement, ir.For) else found
