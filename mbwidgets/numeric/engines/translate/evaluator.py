"""Expressions of kernels: numbers, names, operators, subscripts and slices."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .emitter import Emitter
from .ir import FLOAT_SIZE, INT_MAX, INT_MIN, Const, Expression, If, Load, Local, Operation, Scalar, convert, operate
from .ir import Set as SetLocal
from .values import Array, FunctionValue, Record, Shape, Value, alike, describe, joined, type_of

__all__ = ["Evaluator", "NeedsTurns"]

COMPARED: Final = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
BINARY: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.FloorDiv: "//"}


class NeedsTurns(Exception):
    """A tuple is indexed by the counter of a loop: each turn of that loop is written out."""

    def __init__(self, names: set[str], node: ast.AST, depth: int) -> None:
        self.names, self.node, self.depth = names, node, depth


class Evaluator(Emitter):
    """Reads expressions; what they load is emitted on the way."""

    def constant_array(self, array: np.ndarray) -> Array:
        """Where a constant array stands."""
        raise NotImplementedError

    def call(self, node: ast.Call) -> Value:
        """The value of a call."""
        raise NotImplementedError

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        match node:
            case ast.Constant(value=number):
                return self.number(node, number)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Tuple(elts=items):
                return tuple(self.value(item) for item in items)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.BinOp():
                return self.binary(node)
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp():
                return self.short_circuit(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Attribute(attr="shape", value=owner):
                return Shape(self.array(owner).sizes)
            case ast.Attribute(attr=field, value=owner):
                return self.field(node, self.value(owner), field)
            case ast.Call():
                return self.call(node)
        return self.refuse(node, f"{type(node).__name__} is not part of the subset")

    def field(self, node: ast.expr, owner: Value, name: str) -> Value:
        """A field of a record."""
        if not isinstance(owner, Record) or name not in owner.fields:
            self.refuse(node, f"{describe(type_of(owner))} has no {name}")
        return owner[owner.fields.index(name)]

    def scalar(self, node: ast.expr) -> Expression:
        """The value of an expression that must be a number."""
        found = self.value(node)
        if isinstance(found, Const | Local | Operation):
            return found
        return self.refuse(node, f"{describe(type_of(found))} where a number is needed")

    def array(self, node: ast.expr) -> Array:
        """The value of an expression that must be an array."""
        found = self.value(node)
        if isinstance(found, Array):
            return found
        return self.refuse(node, f"{describe(type_of(found))} where an array is needed")

    def index(self, node: ast.expr) -> Expression:
        """The value of an expression that must be an integer."""
        found = self.scalar(node)
        if found.type == "f":
            self.refuse(node, "an index that is a float: write int(…)")
        return convert(found, "i")

    def truth(self, node: ast.expr) -> Expression:
        """The value of an expression as a truth value."""
        return convert(self.scalar(node), "b")

    def number(self, node: ast.AST, value: Any) -> Const:
        """A number that is written or global."""
        if isinstance(value, bool | np.bool_):
            return Const("b", bool(value))
        if isinstance(value, int | np.integer):
            if not INT_MIN <= value <= INT_MAX:
                self.refuse(node, f"{value} does not fit into 32 bits: integers are that long")
            return Const("i", int(value))
        if isinstance(value, float | np.floating):
            return Const("f", float(value))
        return self.refuse(node, f"{value!r} is no number")

    def name(self, node: ast.AST, name: str) -> Value:
        """The value of a name."""
        if name in self.frame.values:
            return self.frame.values[name]
        if name in self.frame.assignments:
            self.refuse(node, f"{name} has no value here: it is set later, or only inside a loop that has ended")
        source = self.frame.source
        space = getattr(source.function, "__globals__", {})
        if name not in space:
            self.refuse(node, f"{name} is not known")
        return self.lifted(node, name, space[name])

    def lifted(self, node: ast.AST, name: str, value: Any) -> Value:
        """A global of the kernel's module."""
        if isinstance(value, tuple):
            return tuple(self.lifted(node, name, item) for item in value)
        if isinstance(value, np.ndarray):
            if value.dtype != np.float64:
                self.refuse(node, f"{name} is an array of {value.dtype}: constant arrays are of float64")
            return self.constant_array(value)
        if callable(value):
            return FunctionValue(getattr(value, "source", value))
        return self.number(node, value)

    # operators

    def unary(self, node: ast.UnaryOp) -> Expression:
        """−x, not x."""
        if isinstance(node.op, ast.Not):
            return operate("b", "not", self.truth(node.operand))
        value = self.scalar(node.operand)
        if isinstance(node.op, ast.USub) and value.type != "b":
            return self.checked(node, operate(value.type, "neg", value))
        return self.refuse(node, f"{type(node.op).__name__} of {describe(type_of(value))}")

    def binary(self, node: ast.BinOp) -> Expression:
        """x + y and the like."""
        if type(node.op) not in BINARY:
            self.refuse(node, f"the operator {type(node.op).__name__}: powers are products, sqrt or integer_power")
        return self.arithmetic(node, BINARY[type(node.op)], self.scalar(node.left), self.scalar(node.right))

    def arithmetic(self, node: ast.AST, name: str, a: Expression, b: Expression) -> Expression:
        """An operation on two numbers: of integers an integer, but for a quotient."""
        if name == "/":
            return operate("f", "/", convert(a, "f"), convert(b, "f"))
        kind: Scalar = "f" if "f" in (a.type, b.type) else "i"
        if kind == "f" and name in ("%", "//"):
            self.refuse(node, f"{name} of floats: write it with floor")
        if name in ("%", "//"):
            if not (isinstance(b, Const) and b.value > 0):
                self.refuse(node, f"{name} by what is not a positive constant")
            return self._divided(name, convert(a, "i"), b)
        return self.checked(node, operate(kind, name, convert(a, kind), convert(b, kind)))

    def _divided(self, name: str, a: Expression, b: Const) -> Expression:
        """Quotient or remainder as Python has it, rounded down, from those that are cut."""
        if isinstance(a, Const):
            return operate("i", name, a, b)
        a = self.hold(a)
        rest = self.hold(Operation("i", "rem", (a, b)))
        below = Operation("b", "<", (rest, Const("i", 0)))
        if name == "%":
            return Operation("i", "select", (below, operate("i", "+", rest, b), rest))
        return operate("i", "-", Operation("i", "quotient", (a, b)), Operation("i", "as int", (below,)))

    def checked(self, node: ast.AST, value: Expression) -> Expression:
        """A constant integer must fit."""
        if isinstance(value, Const) and value.type == "i":
            return self.number(node, int(value.value))
        return value

    def comparison(self, node: ast.Compare) -> Expression:
        """x < y, x < y < z."""
        left, found = self.scalar(node.left), list[Expression]()
        for operator, item in zip(node.ops, node.comparators, strict=True):
            if type(operator) not in COMPARED:
                self.refuse(node, f"the comparison {type(operator).__name__}")
            right = self.scalar(item)
            if len(node.ops) > 1:
                left, right = self.hold(left), self.hold(right)
            kind: Scalar = "f" if "f" in (left.type, right.type) else "i"
            found.append(operate("b", COMPARED[type(operator)], convert(left, kind), convert(right, kind)))
            left = right
        result = found[0]
        for also in found[1:]:
            result = self._both("and", result, also)
        return result

    def _both(self, word: str, a: Expression, b: Expression) -> Expression:
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Const):
                return other if bool(one.value) == (word == "and") else one
        return Operation("b", word, (a, b))

    def short_circuit(self, node: ast.BoolOp) -> Expression:
        """x and y, x or y: the second is looked at only where the first does not decide."""
        word = "and" if isinstance(node.op, ast.And) else "or"
        result = self.truth(node.values[0])
        for item in node.values[1:]:
            if isinstance(result, Const) and bool(result.value) == (word == "or"):
                return result
            with self.gathered() as inside:
                second = self.truth(item)
            if not inside:
                result = self._both(word, result, second)
                continue
            if isinstance(result, Const):
                self.out.extend(inside)
                result = second
                continue
            kept = Local("b", self.fresh("_b"))
            self.out.append(SetLocal(kept, result))
            inside.append(SetLocal(kept, second))
            test = kept if word == "and" else operate("b", "not", kept)
            self.out.append(If(test, tuple(inside), ()))
            result = kept
        return result

    def choice(self, node: ast.IfExp) -> Value:
        """x if test else y: a selection where nothing is loaded or called for either, else two blocks."""
        test = self.truth(node.test)
        if isinstance(test, Const):
            return self.value(node.body if test.value else node.orelse)
        test = self.hold(test)
        with self.gathered() as then:
            first = self.value(node.body)
        with self.gathered() as otherwise:
            second = self.value(node.orelse)
        wide = joined(type_of(first), type_of(second))
        if wide is None:
            self.refuse(node, f"{describe(type_of(first))} or {describe(type_of(second))}")
        first, second = self.converted(first, wide), self.converted(second, wide)
        if not then and not otherwise:
            return self._selected(node, test, first, second)
        kept = self.storage(self.fresh("_c"), wide)
        with self.gathered() as rest:
            self.copy(first, kept)
        then += rest
        with self.gathered() as rest:
            self.copy(second, kept)
        otherwise += rest
        self.out.append(If(test, tuple(then), tuple(otherwise)))
        return kept

    def _selected(self, node: ast.AST, test: Expression, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) and isinstance(b, tuple):
            return alike(a, (self._selected(node, test, x, y) for x, y in zip(a, b, strict=True)))
        if isinstance(a, Const | Local | Operation) and isinstance(b, Const | Local | Operation):
            return a if a == b else Operation(a.type, "select", (test, a, b))
        return self.refuse(node, "a choice between arrays or functions")

    # subscripts

    def subscript(self, node: ast.Subscript) -> Value:
        """An item of a tuple, an element of an array, a row, a slice."""
        owner = self.value(node.value)
        if isinstance(owner, Shape):
            owner = owner.sizes
        if isinstance(owner, tuple):
            return self._item(node, owner)
        if not isinstance(owner, Array):
            self.refuse(node, f"{describe(type_of(owner))} has no items")
        if isinstance(node.slice, ast.Slice):
            return self._slice(node, owner, node.slice)
        indices = self.indices(node, owner)
        address, sizes = self.address(owner, indices), owner.sizes[len(indices) :]
        if sizes:
            return Array(self.hold(address, "a"), sizes, owner.element, owner.roots)
        return self.load(owner, address)

    def _item(self, node: ast.Subscript, owner: tuple[Value, ...]) -> Value:
        place = self.index(node.slice)
        if not isinstance(place, Const):
            names = {part.id for part in ast.walk(node.slice) if isinstance(part, ast.Name)}
            raise NeedsTurns(names, node, len(self.frames))
        if not 0 <= place.value < len(owner):
            self.refuse(node, f"item {place.value} of a tuple of {len(owner)}")
        return owner[int(place.value)]

    def indices(self, node: ast.Subscript, owner: Array) -> list[Expression]:
        """The indices of a subscript without slices."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(parts) > len(owner.sizes):
            self.refuse(node, f"{len(parts)} indices of an array that has {len(owner.sizes)}")
        if any(isinstance(part, ast.Slice) for part in parts):
            self.refuse(node, "a slice beside an index: take the row first, then its part")
        found = [self.index(part) for part in parts]
        if any(isinstance(item, Const) and item.value < 0 for item in found):
            self.refuse(node, "a negative index: arrays are not read from their end")
        return found

    def address(self, array: Array, indices: Sequence[Expression]) -> Expression:
        """The address of an element or a row."""
        place: Expression = Const("i", 0)
        for index, size in zip(indices, array.sizes, strict=False):
            place = operate("i", "+", operate("i", "*", place, size), index)
        for size in array.sizes[len(indices) :]:
            place = operate("i", "*", place, size)
        return operate("i", "+", array.base, operate("i", "*", place, Const("i", FLOAT_SIZE)))

    def load(self, array: Array, address: Expression) -> Expression:
        """An element."""
        target = Local("f", self.fresh("x"))
        self.out.append(Load(target, address))
        return convert(target, array.element)

    def _slice(self, node: ast.Subscript, owner: Array, part: ast.Slice) -> Array:
        if len(owner.sizes) != 1 or part.step is not None:
            self.refuse(node, "a slice of more than one index, or with a step")
        low = self.hold(self.index(part.lower)) if part.lower else Const("i", 0)
        high = self.hold(self.index(part.upper)) if part.upper else owner.sizes[0]
        base = self.hold(operate("i", "+", owner.base, operate("i", "*", low, Const("i", FLOAT_SIZE))), "a")
        return Array(base, (self.hold(operate("i", "-", high, low), "n"),), owner.element, owner.roots)

    # what is built in

    def builtin(self, node: ast.Call, name: str) -> Expression:
        """abs, min, max, int, float."""
        if name == "float" and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            try:
                return Const("f", float(node.args[0].value))  # type: ignore[arg-type]
            except (TypeError, ValueError):
                self.refuse(node, "float of what is no number")
        given = [self.scalar(item) for item in node.args]
        if name in ("int", "float") and len(given) == 1:
            return convert(given[0], "i" if name == "int" else "f")
        if name == "abs" and len(given) == 1 and given[0].type != "b":
            return operate(given[0].type, "abs", self.hold(given[0]))
        if name in ("min", "max") and len(given) > 1:
            return self._extreme(name, given)
        return self.refuse(node, f"{name} of {len(given)} arguments")

    def _extreme(self, name: str, given: list[Expression]) -> Expression:
        """As Python does it: the first stays unless another one is smaller, or larger."""
        kind: Scalar = "f" if any(item.type == "f" for item in given) else "i"
        best = self.hold(convert(given[0], kind))
        for item in given[1:]:
            other = self.hold(convert(item, kind))
            better = operate("b", "<" if name == "min" else ">", other, best)
            best = self.hold(Operation(kind, "select", (better, other, best)))
        return best
