"""Kernels as syntax trees, and the refusal of what is outside the subset, with its line."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["Source", "Untranslatable", "read_source"]


class Untranslatable(Exception):
    """Something in a kernel is outside the subset that can be translated."""

    def __init__(self, source: Source, node: ast.AST, reason: str) -> None:
        self.kernel, self.file, self.reason = source.function.__name__, source.file, reason
        self.line = source.first_line + getattr(node, "lineno", 1) - 1
        self.text = source.lines[self.line - source.first_line].strip()
        super().__init__(f"{self.file}:{self.line}: {self.kernel}: {reason}\n    {self.text}")


@dataclass(frozen=True, eq=False)
class Source:
    """A kernel's text and its tree."""

    function: Callable[..., Any]
    node: ast.FunctionDef
    file: str
    first_line: int
    lines: tuple[str, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return tuple(argument.arg for argument in self.node.args.args)

    @property
    def body(self) -> list[ast.stmt]:
        """Its statements without the docstring."""
        first = self.node.body[0]
        told = (
            isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
        )
        return self.node.body[told:]

    @property
    def size(self) -> int:
        """How long it is, in nodes of its tree."""
        return sum(1 for statement in self.body for _ in ast.walk(statement))

    @property
    def loops(self) -> bool:
        """Whether it has loops that are not a constant number of turns."""
        return any(
            isinstance(node, ast.While) or (isinstance(node, ast.For) and not _constant_turns(node))
            for node in ast.walk(self.node)
        )

    @property
    def returns(self) -> list[ast.Return]:
        """Its return statements."""
        return [node for node in ast.walk(self.node) if isinstance(node, ast.Return)]

    @property
    def assignments(self) -> dict[str, int]:
        """How often each name is assigned, a parameter once more."""
        found = dict.fromkeys(self.parameters, 1)
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found[node.id] = found.get(node.id, 0) + 1
        return found


def _constant_turns(loop: ast.For) -> bool:
    return isinstance(loop.iter, ast.Call) and all(isinstance(item, ast.Constant) for item in loop.iter.args)


@cache
def read_source(function: Callable[..., Any]) -> Source:
    """The source of a kernel."""
    lines, first = inspect.getsourcelines(function)
    node = ast.parse(textwrap.dedent("".join(lines))).body[0]
    if not isinstance(node, ast.FunctionDef):
        raise TypeError(f"{function!r} is not a function that can be read")
    file = Path(inspect.getsourcefile(function) or "?").name
    source = Source(function, node, file, first, tuple(line.rstrip("\n") for line in lines))
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        raise Untranslatable(source, node, "a kernel has plain arguments, without defaults, * or **")
    return source
