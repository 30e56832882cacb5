"""Statements and calls of kernels: from a function and the types of its arguments to the intermediate form.

A call of a small kernel is written out in its place; any other becomes a function of its own, one for each set of
argument types, sizes that are constant and kernels given as arguments among them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final, Protocol

import numpy as np

from . import ir
from .emitter import Frame, Retyped
from .evaluator import BINARY, Evaluator, NeedsTurns
from .source import Source, read_source
from .values import Array, FunctionValue, Record, Shape, Type, Value, describe, scalar_types, scalars, type_of

__all__ = ["Lowered", "Program", "lower"]

INLINED: Final = 1000
"""Nodes of a kernel's syntax tree up to which it is written out in place of its call: all of the vector algebra, and
the parts of the recursions over bodies, which are called once for each body. So it is once in a function; further calls
there are written out by the two measures that follow."""
LOOPED: Final = 200
"""The same of a kernel with loops, if it neither is handed over nor is handed a kernel, and of one without that is
handed over: those hold whole algorithms, and are called from many places."""
LEAF: Final = 120
"""Nodes of a kernel that is written out at every call: the vector algebra, whose calls would cost more than it does."""
AGAIN: Final = 30
"""Nodes, for each scalar that is handed over, of a kernel that is written out at every call: a product of rotations
costs less than handing over eighteen numbers, a logarithm more than handing over one."""
TURNS: Final = 9
WRITTEN: Final = 600
"""Turns of a loop that are written out where they can be, and the nodes of all of them: the numbers of a rotation,
whose addresses are then constants, but no turns of a Newton iteration."""
BUILTINS: Final = ("abs", "min", "max", "int", "float")
ATTEMPTS: Final = 50
"""To find the types of a function's variables; each attempt widens one."""


@dataclass(frozen=True)
class Lowered:
    """A function in the intermediate form, with what its callers must know of it.

    ``types`` of its arguments, the type that it returns, which of its arguments are arrays that it writes to, and which
    of their scalars it reads: a caller hands over no others.
    """

    function: ir.Function
    source: Source
    types: tuple[Type, ...]
    returned: Type
    written: frozenset[int]
    read: tuple[bool, ...]


class Program(Protocol):
    """What the functions of a module share."""

    def function(self, function: Callable[..., Any], types: Sequence[Type]) -> Lowered:
        """A function for these types."""

    def constant(self, array: np.ndarray) -> int:
        """The address of a constant array."""


def lower(
    program: Program, function: Callable[..., Any], types: Sequence[Type], name: str, exported: bool = False
) -> Lowered:
    """Translate one function for arguments of these types; one that is exported takes them all, read or not."""
    known: dict[tuple[str, str], Type] = {}
    for _ in range(ATTEMPTS):
        try:
            lowering = _Lowering(program, known)
            return lowering.run(read_source(function), types, name, exported)
        except Retyped:
            continue
        except NeedsTurns as need:
            lowering.refuse(need.node, "a tuple is indexed by what is not constant")
    source = read_source(function)
    raise RuntimeError(f"the types of {source.function.__name__} do not settle")


class _Lowering(Evaluator):
    def __init__(self, program: Program, known: dict[tuple[str, str], Type]) -> None:
        super().__init__(known)
        self.program = program
        self.returned: Type | None = None
        self.times: Counter[Callable[..., Any]] = Counter()
        """How often a kernel is called in this function."""

    def run(self, source: Source, types: Sequence[Type], name: str, exported: bool) -> Lowered:
        """Translate a function."""
        frame = Frame(source, "")
        self.frames.append(frame)
        values = [
            self.storage(f"p_{argument}", kind, frozenset([argument]))
            for argument, kind in zip(source.parameters, types, strict=True)
        ]
        for argument, value in zip(source.parameters, values, strict=True):
            self._bind(source.node, frame, argument, value)
        self.block(source.body)
        if self.returned not in (None, ()) and not _always_returns(source.body):
            self.refuse(source.node, "not every path returns a value")
        parameters = tuple(item for value in values for item in scalars(value) if isinstance(item, ir.Local))
        found = set(ir.read_locals(self.out))
        read = tuple(exported or item.name in found for item in parameters)
        returned = self.returned if self.returned is not None else ()
        made = ir.Function(name, tuple(compress(parameters, read)), tuple(scalar_types(returned)), tuple(self.out))
        written = frozenset(k for k, argument in enumerate(source.parameters) if argument in self.written)
        return Lowered(made, source, tuple(types), returned, written, read)

    def constant_array(self, array: np.ndarray) -> Array:
        address = self.program.constant(array)
        return Array(
            ir.Const("i", address), tuple(ir.Const("i", size) for size in array.shape), "f", frozenset(["constants"])
        )

    # calls

    def call(self, node: ast.Call) -> Value:
        """The value of a call: of what is built in, of a method of arrays, of a kernel."""
        if node.keywords or any(isinstance(item, ast.Starred) for item in node.args):
            self.refuse(node, "a call with names or with *")
        if isinstance(node.func, ast.Attribute):
            if node.func.attr == "reshape" and len(node.args) == 1:
                return self._reshaped(node, self.array(node.func.value))
            self.refuse(node, f"the method {node.func.attr}")
        if not isinstance(node.func, ast.Name):
            self.refuse(node, "a call of what has no name")
        name = node.func.id
        space = getattr(self.frame.source.function, "__globals__", {})
        if name in BUILTINS and name not in self.frame.values and name not in space:
            return self.builtin(node, name)
        function = self.name(node, name)
        if not isinstance(function, FunctionValue):
            self.refuse(node, f"{name} is {describe(type_of(function))}: it cannot be called")
        if (instruction := getattr(function.function, "instruction", None)) is not None:
            (argument,) = (self.scalar(item) for item in node.args)
            return ir.Operation("f", instruction, (self.hold(ir.convert(argument, "f")),))
        given = [self.held(self.value(item)) for item in node.args]
        if isinstance(function.function, type):
            return self._record(node, function.function, given)
        return self._apply(node, function.function, given)

    def _record(self, node: ast.Call, kind: type, given: list[Value]) -> Record:
        """A named tuple of these values."""
        fields: tuple[str, ...] = getattr(kind, "_fields", ())
        if not issubclass(kind, tuple) or len(fields) != len(given):
            self.refuse(node, f"{kind.__name__} is no named tuple of {len(given)}")
        return Record(fields, given)

    def _reshaped(self, node: ast.Call, array: Array) -> Array:
        sizes = self.value(node.args[0])
        if not isinstance(sizes, tuple) or not all(
            isinstance(size, ir.Const | ir.Local | ir.Operation) for size in sizes
        ):
            self.refuse(node, "reshape takes a tuple of sizes")
        found = tuple(self.hold(ir.convert(size, "i"), "n") for size in sizes)  # type: ignore[arg-type]
        return Array(array.base, found, array.element, array.roots)

    def _apply(self, node: ast.Call, function: Callable[..., Any], given: list[Value]) -> Value:
        try:
            source = read_source(function)
        except (OSError, TypeError):
            self.refuse(node, f"{getattr(function, '__name__', function)!r} is no kernel: its source cannot be read")
        if len(given) != len(source.parameters):
            self.refuse(node, f"{function.__name__} takes {len(source.parameters)} arguments, {len(given)} are given")
        if any(frame.source is source for frame in self.frames):
            self.refuse(node, f"{function.__name__} calls itself")
        if self._is_small(node, source, given):
            return self._inlined(node, source, given)
        made = self.program.function(function, [type_of(item) for item in given])
        for place in made.written:
            self._note_written(node, given[place])
        result = self.storage(self.fresh("r"), made.returned)
        arguments = tuple(compress((item for value in given for item in scalars(value)), made.read))
        targets = tuple(item for item in scalars(result) if isinstance(item, ir.Local))
        self.out.append(ir.Call(targets, made.function.name, arguments))
        return result

    def _is_small(self, node: ast.Call, source: Source, given: list[Value]) -> bool:
        """Whether a kernel is written out in place of its call; each call counts."""
        handed = getattr(node.func, "id", "") in self.frame.values
        if source.loops:
            return source.size <= LOOPED and not handed and not any(isinstance(item, FunctionValue) for item in given)
        if handed:
            return source.size <= LOOPED
        before = self.times[source.function]
        self.times[source.function] += 1
        worth = max(LEAF, AGAIN * sum(1 for value in given for _ in scalars(value)))
        return source.size <= (INLINED if before == 0 else worth)

    def _inlined(self, node: ast.Call, source: Source, given: list[Value]) -> Value:
        place = f"{self.frame.path}/{node.lineno}:{node.col_offset}{self._turn()}"
        frame = Frame(source, place)
        returns = source.returns
        simple = not returns or (len(returns) == 1 and source.body[-1] is returns[0])
        self.frames.append(frame)
        for argument, value in zip(source.parameters, given, strict=True):
            self._bind(node, frame, argument, value)
        if simple:
            self.block(source.body)
            result = frame.values.get(RESULT, ())
            self.frames.pop()
            return result
        frame.label = self.fresh("out")
        with self.gathered() as body:
            self.block(source.body)
        self.frames.pop()
        self.out.append(ir.Within(frame.label, tuple(body)))
        return frame.values.get(RESULT, ())

    def _turn(self) -> str:
        """Which turns of loops that are written out stand around this place."""
        found = [f"{name}={value.value:g}" for name, value in self.frame.values.items() if isinstance(value, ir.Const)]
        return ";".join(found)

    def _bind(self, node: ast.AST, frame: Frame, name: str, value: Value) -> None:
        """Give a parameter its value: a variable of its own only where the kernel assigns to it."""
        if frame.assignments[name] == 1:
            frame.values[name] = value
        else:
            self.assign_name(node, name, value, frame)

    # statements

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Translate statements."""
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Translate one statement."""
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.value(value))
            case ast.Assign(targets=targets, value=value):
                found = self.held(self.value(value))
                for target in targets:
                    self.assign(target, found)
            case ast.AugAssign():
                self._update(node)
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Return():
                self._return(node)
            case ast.If():
                self._if(node)
            case ast.While():
                self._while(node)
            case ast.For():
                self._for(node)
            case ast.Break() | ast.Continue():
                label = self.frame.loops[-1]
                if label is None:
                    self.refuse(node, "break or continue in a loop whose turns are written out")
                self.out.append(ir.Break(label) if isinstance(node, ast.Break) else ir.Next(label))
            case ast.Pass():
                pass
            case _:
                self.refuse(node, f"{type(node).__name__} is not part of the subset")

    def assign(self, target: ast.expr, value: Value) -> None:
        """Assign to a name, an element, a part of an array, or to several of them."""
        match target:
            case ast.Name(id=name):
                self.assign_name(target, name, value)
            case ast.Tuple(elts=places):
                items = value.sizes if isinstance(value, Shape) else value
                if not isinstance(items, tuple) or len(items) != len(places):
                    self.refuse(target, f"{describe(type_of(value))} for {len(places)} names")
                kept = [self.held(item) for item in items]
                for place, item in zip(places, kept, strict=True):
                    self.assign(place, item)
            case ast.Subscript() if _is_sliced(target):
                self._fill(target, value)
            case ast.Subscript():
                array = self.array(target.value)
                indices = self.indices(target, array)
                if len(indices) < len(array.sizes):
                    self.refuse(target, "an assignment to a row: write a[k, :] = x")
                self._store(target, array, self.address(array, indices), value)
            case _:
                self.refuse(target, f"an assignment to {type(target).__name__}")

    def _store(self, node: ast.expr, array: Array, address: ir.Expression, value: Value) -> None:
        if not isinstance(value, ir.Const | ir.Local | ir.Operation):
            self.refuse(node, f"{describe(type_of(value))} where a number is needed")
        if array.element == "i" and value.type == "f":
            self.refuse(node, "a float for an array of integers")
        self._note_written(node, array)
        self.out.append(ir.Store(address, ir.convert(value, "f")))

    def _note_written(self, node: ast.AST, value: Value) -> None:
        if isinstance(value, Array):
            if "constants" in value.roots:
                self.refuse(node, "a constant array is written to")
            self.written |= value.roots
        elif isinstance(value, tuple):
            for item in value:
                self._note_written(node, item)

    def _fill(self, target: ast.Subscript, value: Value) -> None:
        """a[:] = x, a[k, :] = x, a[:, :] = x."""
        parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
        whole = [isinstance(part, ast.Slice) and part.lower is None and part.upper is None for part in parts]
        array = self.array(target.value)
        cut = any(isinstance(part, ast.Slice) for part, every in zip(parts, whole, strict=True) if not every)
        if cut or whole != sorted(whole) or len(parts) != len(array.sizes):
            self.refuse(target, "only whole rows are filled: a[:] = x, a[k, :] = x")
        indices = [self.index(part) for part, every in zip(parts, whole, strict=True) if not every]
        base, count = self.hold(self.address(array, indices)), ir.Const("i", ir.FLOAT_SIZE)
        bytes_of: ir.Expression = count
        for size in array.sizes[len(indices) :]:
            bytes_of = ir.operate("i", "*", bytes_of, size)
        if not isinstance(value, ir.Const | ir.Local | ir.Operation):
            self.refuse(target, f"{describe(type_of(value))} where a number is needed")
        filler, offset = self.hold(ir.convert(value, "f")), ir.Local("i", self.fresh("k"))
        with self.gathered() as body:
            self._store(target, array, ir.operate("i", "+", base, offset), filler)
        end = self.hold(bytes_of)
        self.out.append(ir.For(self.fresh("fill"), offset, ir.Const("i", 0), end, ir.FLOAT_SIZE, tuple(body)))

    def _update(self, node: ast.AugAssign) -> None:
        """x += y; what is changed is read before what it is changed by."""
        if type(node.op) not in BINARY:
            self.refuse(node, f"the operator {type(node.op).__name__}")
        name = BINARY[type(node.op)]
        if isinstance(node.target, ast.Name):
            before = self.scalar(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            self.assign_name(node, node.target.id, self.arithmetic(node, name, before, self.scalar(node.value)))
            return
        if not isinstance(node.target, ast.Subscript) or _is_sliced(node.target):
            self.refuse(node, "only names and elements are updated")
        array = self.array(node.target.value)
        indices = self.indices(node.target, array)
        if len(indices) < len(array.sizes):
            self.refuse(node, "only names and elements are updated")
        address = self.hold(self.address(array, indices), "a")
        before = self.load(array, address)
        self._store(node.target, array, address, self.arithmetic(node, name, before, self.scalar(node.value)))

    def _return(self, node: ast.Return) -> None:
        value: Value = self.value(node.value) if node.value is not None else ()
        if isinstance(value, Shape):
            value = value.sizes
        frame = self.frame
        if len(self.frames) == 1:
            self.returned = self.widened(node, (frame.path, RESULT), type_of(value))
            self.out.append(ir.Return(tuple(scalars(self.converted(value, self.returned)))))
        elif frame.label is None:
            frame.values[RESULT] = value
        else:
            self.assign_name(node, RESULT, value)
            self.out.append(ir.Break(frame.label))

    def _if(self, node: ast.If) -> None:
        test = self.truth(node.test)
        if isinstance(test, ir.Const):
            self.block(node.body if test.value else node.orelse)
            return
        before = dict(self.frame.values)
        with self.gathered() as then:
            self.block(node.body)
        after = self.frame.values
        self.frame.values = dict(before)
        with self.gathered() as otherwise:
            self.block(node.orelse)
        self.frame.values = {**after, **self.frame.values}
        self.out.append(ir.If(test, tuple(then), tuple(otherwise)))

    def _while(self, node: ast.While) -> None:
        if node.orelse:
            self.refuse(node, "else of a loop")
        label = self.fresh("loop")
        self.frame.loops.append(label)
        with self.gathered() as body:
            test = self.truth(node.test)
            if not (isinstance(test, ir.Const) and test.value):
                self.out.append(ir.If(ir.operate("b", "not", test), (ir.Break(label),), ()))
            self.block(node.body)
        self.frame.loops.pop()
        self.out.append(ir.Loop(label, tuple(body)))

    def _for(self, node: ast.For) -> None:
        name, (start, end, step) = self._range(node)
        if isinstance(start, ir.Const) and isinstance(end, ir.Const):
            turns = range(int(start.value), int(end.value), step)
            if len(turns) <= TURNS and len(turns) * _size(node) <= WRITTEN and not _jumps(node):
                self._turns(node, name, turns)
                return
        before, place, loops, depth = dict(self.frame.values), len(self.out), len(self.frame.loops), len(self.frames)
        try:
            self._counted(node, name, start, end, step)
        except NeedsTurns as need:
            if name not in need.names or need.depth != depth:
                raise
            if not (isinstance(start, ir.Const) and isinstance(end, ir.Const)):
                self.refuse(need.node, f"a tuple is indexed by {name}, whose range is not constant")
            del self.out[place:], self.frame.loops[loops:]
            self.frame.values = before
            self._turns(node, name, range(int(start.value), int(end.value), step))
        self.frame.values.pop(name, None)

    def _range(self, node: ast.For) -> tuple[str, tuple[ir.Expression, ir.Expression, int]]:
        call, target = node.iter, node.target
        ranged = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not ranged or not isinstance(target, ast.Name) or node.orelse:
            self.refuse(node, "a loop is over range(…), by one name, without else")
        assert isinstance(call, ast.Call)
        given = [self.index(item) for item in call.args]
        start, end = (ir.Const("i", 0), given[0]) if len(given) == 1 else given[:2]
        step = given[2] if len(given) == 3 else ir.Const("i", 1)
        if not isinstance(step, ir.Const) or step.value == 0:
            self.refuse(node, "the step of a range is a constant")
        return target.id, (self.hold(start), self.hold(end), int(step.value))

    def _turns(self, node: ast.For, name: str, turns: range) -> None:
        """Write out each turn of a loop."""
        self.frame.loops.append(None)
        for turn in turns:
            self.frame.values[name] = ir.Const("i", turn)
            self.block(node.body)
        self.frame.loops.pop()
        self.frame.values.pop(name, None)

    def _counted(self, node: ast.For, name: str, start: ir.Expression, end: ir.Expression, step: int) -> None:
        label, counter = self.fresh("for"), ir.Local("i", self.fresh(f"{name}_"))
        self.frame.loops.append(label)
        self.frame.values[name] = counter
        with self.gathered() as body:
            self.block(node.body)
        self.frame.loops.pop()
        self.out.append(ir.For(label, counter, start, end, step, tuple(body)))


RESULT: Final = "return"
"""The name under which a function's result is kept: no kernel can have a variable of that name."""


def _is_sliced(node: ast.Subscript) -> bool:
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(part, ast.Slice) for part in parts)


def _size(loop: ast.For) -> int:
    """How long the body of a loop is, in nodes of its tree."""
    return sum(1 for part in loop.body for _ in ast.walk(part))


def _jumps(loop: ast.For) -> bool:
    return any(isinstance(node, ast.Break | ast.Continue) for part in loop.body for node in ast.walk(part))


def _always_returns(statements: Sequence[ast.stmt]) -> bool:
    """Whether no path runs over the end of statements."""
    last = statements[-1]
    match last:
        case ast.Return():
            return True
        case ast.If(body=body, orelse=orelse):
            return bool(orelse) and _always_returns(body) and _always_returns(orelse)
        case ast.While(test=ast.Constant(value=True)):
            return not any(isinstance(node, ast.Break) for node in ast.walk(last))
    return False
