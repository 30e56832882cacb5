"""Exact formulae as programs of the kernels' expression machine: data that give the formula's numbers without SymPy,
NumPy or code that is made as text.

The operations of a formula are traced as for `Formula.code`. A value that is used more than once, or is long, has a
program of its own; each program appends its value to the numbers that the next ones read, and the last ones are the
formula's entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...errors import ExpressionError
from ...symbolic.code.codegen import Traced, trace_formula
from ...symbolic.code.operation_trace import Node
from ...symbolic.code.rounding_sizes import squared_sizes
from ...symbolic.formula.formula import Formula
from ..kernels import expression_vm as vm
from ..kernels import formula_frames
from .machine import machine_data, machine_of

__all__ = ["LARGEST", "FormulaProgram", "ProgramWriter", "formula_program"]

LARGEST: Final = 20_000
"""Operations past which a formula is not made a program: half a megabyte, and a millisecond a frame."""
ROUNDING: Final = 64 * float(np.finfo(float).eps)
"""Of the size of the terms of a result: what is smaller is what rounding left of zero, each of some ten operations
having a part. ``page/live/formula_values.js`` has it too, as LEFT_OF_TERMS."""
LONG: Final = 24
"""Operations in one program, so that the stack is deep enough whatever they are."""


@dataclass(frozen=True, eq=False)
class FormulaProgram:
    """A formula as data: ``machine`` holds its programs, which read q, u, u̇, parameters, then each other's values.

    ``results`` are those of its entries, ``sizes``, if there are any, of the squares of how large their terms are.
    """

    shape: tuple[int, ...]
    coordinates: int
    velocities: int
    parameters: tuple[str, ...]
    machine: np.ndarray
    programs: int
    results: tuple[int, ...]
    operations: int
    sizes: tuple[int, ...] = ()

    def evaluate(self, q: Any, u: Any, ud: Any, t: Any, values: Mapping[str, Any]) -> np.ndarray:
        """Numbers (frames, shape…) for q (frames, nq), u and u̇ (frames, nv), t (frames,)."""
        return self._columns(self.results, q, u, ud, t, values).reshape(len(t), *self.shape)

    def rounding(self, q: Any, u: Any, ud: Any, t: Any, values: Mapping[str, Any]) -> np.ndarray:
        """How large each number may be by rounding alone (frames, entries); zero where the sizes are not known."""
        if not self.sizes:
            return np.zeros((len(t), len(self.results)))
        with np.errstate(invalid="ignore"):
            return ROUNDING * np.sqrt(self._columns(self.sizes, q, u, ud, t, values))

    def _columns(self, places: tuple[int, ...], q: Any, u: Any, ud: Any, t: Any, values: Mapping[str, Any]) -> Any:
        frames, given = len(t), [float(values[name]) for name in self.parameters]
        first = self.coordinates + 2 * self.velocities + len(given)
        numbers = np.zeros((frames, first + self.programs))
        state = q[:, : self.coordinates], u[:, : self.velocities], ud[:, : self.velocities]
        numbers[:, :first] = np.hstack([*state, np.broadcast_to(given, (frames, len(given)))])
        formula_frames.run_formula(self.machine, machine_data(self.machine), np.asarray(t, dtype=float), numbers, first)
        return numbers[:, [first + place for place in places]]


def formula_program(formula: Formula, coordinates: int, velocities: int, *, sized: bool = False) -> FormulaProgram:
    """The program of a formula of a model with so many q and u; ``sized``: with the sizes, where there is room.

    Raises
    ------
    ExpressionError : it has more than `LARGEST` operations
    """
    traced = trace_formula(formula)
    if traced.operations > LARGEST:
        raise ExpressionError(
            f"the formula has {traced.operations} operations, more than {LARGEST}",
            remedy="evaluate it in Python, or ask for one of its entries",
        )
    count = len(traced.results)
    if sized:
        both = Traced(traced.trace, [*traced.results, *squared_sizes(traced)])
        traced = both if both.operations <= LARGEST else traced
    names = traced.trace.parameters
    places = {"q": 0, "u": coordinates, "ud": coordinates + velocities, "p": coordinates + 2 * velocities}
    writer = ProgramWriter(traced, lambda kind, index: places[kind] + index)
    first = coordinates + 2 * velocities + len(names)
    results = writer.write(first)
    return FormulaProgram(
        shape=formula.shape,
        coordinates=coordinates,
        velocities=velocities,
        parameters=tuple(names),
        machine=machine_of(writer.assembler),
        programs=len(writer.assembler.starts) - 1,
        results=tuple(results[:count]),
        operations=traced.operations,
        sizes=tuple(results[count:]),
    )


class ProgramWriter:
    """Writes the operations of a trace as programs; ``place_of`` tells where an input of a kind stands."""

    def __init__(self, traced: Traced, place_of: Callable[[str, int], int]) -> None:
        self.traced, self.place_of = traced, place_of
        self.assembler = vm.Assembler()
        self._constants: dict[Any, int] = {}
        self._named: dict[int, int] = {}

    def write(self, first: int) -> list[int]:
        """All programs, whose values stand from ``first`` on; returns which of them are the results."""
        uses, sizes = self._uses(), dict[int, int]()
        for node in self.traced.needed:
            parts = [part for part in node.args if isinstance(part, Node)]
            sizes[node.index] = 1 + sum(sizes[part.index] for part in parts)
            if parts and (uses[node.index] > 1 or sizes[node.index] > LONG):
                self._named[node.index] = first + self._program(node)
                sizes[node.index] = 1
        return [self._program(node) for node in self.traced.results]

    def _uses(self) -> dict[int, int]:
        uses = dict.fromkeys((node.index for node in self.traced.needed), 0)
        for node in self.traced.needed:
            for part in node.args:
                if isinstance(part, Node):
                    uses[part.index] += 1
        for node in self.traced.results:
            uses[node.index] += 1
        return uses

    def _program(self, node: Node) -> int:
        return self.assembler.end(self._emit(node))

    def _emit(self, node: Node) -> int:
        """Write the lines of a value; returns the stack depth that it needs."""
        if (known := self._named.get(node.index)) is not None:
            return self._line(vm.COORDINATE, known)
        match node.op, node.args:
            case "const", (value,):
                return self._constant(float(value))
            case "pi", _:
                return self._constant(np.pi)
            case "input", ("t", _):
                return self._line(vm.TIME, 0)
            case "input", (kind, index):
                return self._line(vm.COORDINATE, self.place_of(kind, index))
            case "neg", (a,):
                return self._operation(vm.MULTIPLY, 0, a, -1.0)
            case "add", (a, b):
                return self._operation(vm.ADD, 0, a, b)
            case "mul", (a, b):
                return self._operation(vm.MULTIPLY, 0, a, b)
            case "sub", (a, b):
                depth = max(self._emit(a), 1 + self._operation(vm.MULTIPLY, 0, b, -1.0))
                self._line(vm.ADD, 0)
                return depth
            case "div", (a, b):
                depth = max(self._emit(a), 1 + self._operation(vm.POWER, -1, b))
                self._line(vm.MULTIPLY, 0)
                return depth
            case "call", (name, *arguments):
                return self._operation(vm.CALLS[name], 0, *arguments)
        raise ExpressionError(f"the operation {node.op!r} has no program")

    def _operation(self, code: int, operand: int, *arguments: Node | float) -> int:
        depth = 0
        for place, part in enumerate(arguments):
            depth = max(depth, place + (self._emit(part) if isinstance(part, Node) else self._constant(part)))
        self._line(code, operand)
        return depth

    def _constant(self, value: float) -> int:
        if value not in self._constants:
            self._constants[value] = len(self.assembler.constants)
            self.assembler.constants.append(value)
        return self._line(vm.CONSTANT, self._constants[value])

    def _line(self, code: int, operand: int) -> int:
        self.assembler.lines.append((code, operand))
        return 1
