"""How large the terms of a program's results are before they cancel: what is much smaller than these is rounding."""

from __future__ import annotations

from .codegen import Traced
from .operation_trace import Node

__all__ = ["squared_sizes"]

BOUNDED = ("sin", "cos")
"""Functions whose values are at most 1, and are as little exact where they vanish."""


def squared_sizes(traced: Traced) -> list[Node]:
    """For each result the square of its size, added to the trace: of sums the terms' squares are added, not the terms.

    A square needs no sign and no function. What a result is smaller than some ε of its size is what rounding left.
    """
    trace, found = traced.trace, dict[int, Node]()
    for node in traced.needed:
        inside = [found[part.index] for part in node.args if isinstance(part, Node)]
        match node.op, node.args:
            case "neg", _:
                square = inside[0]
            case (("add" | "sub"), _):
                square = inside[0] + inside[1]
            case "mul", _:
                square = inside[0] * inside[1]
            case "div", (_, below):
                square = inside[0] / (below * below)
            case "call", (name, *_) if name in BOUNDED:
                square = trace.one
            case _:
                square = node * node
        found[node.index] = square
    return [found[node.index] for node in traced.results]
