"""The intermediate form as WebAssembly: the binary itself, written byte by byte. No compiler, no linker.

https://webassembly.github.io/spec/core/binary: a module is a list of sections, a function a list of its local
variables' types and its instructions. The machine is a stack: an expression pushes its operands, then its operation.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from ..product import MOST_PAGES, PAGE
from . import ir
from .module import Module

__all__ = ["encode_module"]

TYPES: Final[dict[ir.Scalar, int]] = {"i": 0x7F, "b": 0x7F, "f": 0x7C}
INTEGER: Final = {
    "+": 0x6A, "-": 0x6B, "*": 0x6C, "quotient": 0x6D, "rem": 0x6F, "==": 0x46, "!=": 0x47, "<": 0x48, ">": 0x4A,
    "<=": 0x4C, ">=": 0x4E,
}  # fmt: skip
FLOATING: Final = {
    "+": 0xA0, "-": 0xA1, "*": 0xA2, "/": 0xA3, "==": 0x61, "!=": 0x62, "<": 0x63, ">": 0x64, "<=": 0x65, ">=": 0x66,
    "abs": 0x99, "neg": 0x9A, "ceil": 0x9B, "floor": 0x9C, "nearest": 0x9E, "sqrt": 0x9F,
}  # fmt: skip
LOGIC: Final = {"and": 0x71, "or": 0x72, "not": 0x45}
UNREACHABLE, BLOCK, LOOP, IF, ELSE, END, BR, BR_IF, RETURN, CALL = (
    0x00,
    0x02,
    0x03,
    0x04,
    0x05,
    0x0B,
    0x0C,
    0x0D,
    0x0F,
    0x10,
)
GET, SET, SELECT, EMPTY, LOAD, STORE, INT_CONST, FLOAT_CONST = 0x20, 0x21, 0x1B, 0x40, 0x2B, 0x39, 0x41, 0x44
TO_FLOAT, SATURATING, CUT = 0xB7, 0xFC, 0x02
ALIGNED: Final = 3  # addresses are multiples of 2³
SPLITTER: Final = ir.Const("f", 134217729.0)
"""2²⁷ + 1, of `libm.upper_half`."""


def encode_module(module: Module) -> bytes:
    """The module as WebAssembly; its memory is exported as ``memory``."""
    signatures: list[bytes] = []

    def signature(function: ir.Function) -> int:
        found = b"\x60" + _types(item.type for item in function.parameters) + _types(function.results)
        if found not in signatures:
            signatures.append(found)
        return signatures.index(found)

    functions = module.tidied
    places = {function.name: k for k, function in enumerate(functions)}
    kinds = [_unsigned(signature(function)) for function in functions]
    bodies = [_Body(function, places).encoded() for function in functions]
    exports = [_text("memory") + b"\x02" + _unsigned(0)]
    exports += [_text(item.name) + b"\x00" + _unsigned(places[item.function.name]) for item in module.exports]
    pages = -(-module.heap // PAGE)
    data = b"\x00" + bytes([INT_CONST]) + _signed(0) + bytes([END]) + _unsigned(len(module.data)) + module.data
    return b"".join(
        (
            b"\0asm\x01\0\0\0",
            _section(1, _vector(signatures)),
            _section(3, _vector(kinds)),
            _section(5, _vector([b"\x01" + _unsigned(pages) + _unsigned(MOST_PAGES)])),
            _section(7, _vector(exports)),
            _section(10, _vector(bodies)),
            _section(11, _vector([data])),
        )
    )


def _unsigned(number: int) -> bytes:
    """LEB128."""
    out = bytearray()
    while True:
        byte, number = number & 127, number >> 7
        out.append(byte | (128 if number else 0))
        if not number:
            return bytes(out)


def _signed(number: int) -> bytes:
    """LEB128 with a sign."""
    out = bytearray()
    while True:
        byte, number = number & 127, number >> 7
        done = (number == 0 and not byte & 64) or (number == -1 and bool(byte & 64))
        out.append(byte | (0 if done else 128))
        if done:
            return bytes(out)


def _vector(items: Sequence[bytes]) -> bytes:
    return _unsigned(len(items)) + b"".join(items)


def _section(number: int, content: bytes) -> bytes:
    return bytes([number]) + _unsigned(len(content)) + content


def _text(text: str) -> bytes:
    return _unsigned(len(text.encode())) + text.encode()


def _types(types: Iterable[ir.Scalar]) -> bytes:
    return _vector([bytes([TYPES[item]]) for item in types])


class _Body:
    """The instructions of one function."""

    def __init__(self, function: ir.Function, functions: dict[str, int]) -> None:
        self.function, self.functions = function, functions
        self.out = bytearray()
        self.labels: list[str] = []
        """Blocks around this place, the innermost last: a jump counts them."""
        own = {item.name: item.type for item in ir.set_locals(function.body)}
        names = [item.name for item in function.parameters]
        names += sorted((name for name in own if name not in names), key=lambda name: (TYPES[own[name]], name))
        self.places = {name: k for k, name in enumerate(names)}
        inner = [TYPES[own[name]] for name in names[len(function.parameters) :]]
        self.locals = _vector([_unsigned(len(list(run))) + bytes([kind]) for kind, run in groupby(inner)])

    def encoded(self) -> bytes:
        """Its size, its variables and its instructions."""
        self.block(self.function.body)
        if self.function.results:
            self.say(UNREACHABLE)  # every path has returned
        self.say(END)
        body = self.locals + bytes(self.out)
        return _unsigned(len(body)) + body

    def say(self, *parts: int | bytes) -> None:
        """Write bytes."""
        for part in parts:
            self.out += bytes([part]) if isinstance(part, int) else part

    # expressions

    def push(self, expression: ir.Expression) -> None:
        """Leave the value of an expression on the stack."""
        match expression:
            case ir.Const(type="f", value=value):
                self.say(FLOAT_CONST, struct.pack("<d", value))
            case ir.Const(value=value):
                self.say(INT_CONST, _signed(int(value)))
            case ir.Local(name=name):
                self.say(GET, _unsigned(self.places[name]))
            case ir.Operation(name="select", arguments=(test, first, second)):
                for item in (first, second, test):
                    self.push(item)
                self.say(SELECT)
            case ir.Operation(name="upper", arguments=(value,)):
                wide = ir.Operation("f", "*", (SPLITTER, value))
                self.push(ir.Operation("f", "-", (wide, ir.Operation("f", "-", (wide, value)))))
            case ir.Operation(type="i", name="neg", arguments=(value,)):
                self.push(ir.Const("i", 0))
                self.push(value)
                self.say(INTEGER["-"])
            case ir.Operation(type="i", name="abs", arguments=(value,)):
                less = ir.Operation("b", "<", (value, ir.Const("i", 0)))
                self.push(ir.Operation("i", "select", (less, ir.Operation("i", "neg", (value,)), value)))
            case ir.Operation(name=name, arguments=arguments):
                for item in arguments:
                    self.push(item)
                self.say(*self._instruction(name, arguments[0].type))

    def _instruction(self, name: str, of: ir.Scalar) -> tuple[int, ...]:
        match name:
            case "as int":
                return ()
            case "as float":
                return (TO_FLOAT,)
            case "cut":
                return SATURATING, CUT
            case "and" | "or" | "not":
                return (LOGIC[name],)
        return ((FLOATING if of == "f" else INTEGER)[name],)

    def _address(self, address: ir.Expression) -> bytes:
        """Push an address without its constant part, which becomes the offset of the access."""
        offset = 0
        match address:
            case ir.Const(value=value) if value >= 0:
                address, offset = ir.Const("i", 0), int(value)
            case ir.Operation(name="+", arguments=(rest, ir.Const(value=value))) if value >= 0:
                address, offset = rest, int(value)
        self.push(address)
        return _unsigned(ALIGNED) + _unsigned(offset)

    # statements

    def block(self, statements: Sequence[ir.Statement]) -> None:
        """Write statements."""
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: ir.Statement) -> None:
        """Write one statement."""
        match statement:
            case ir.Set(target=target, value=value):
                self.push(value)
                self._keep(target)
            case ir.Load(target=target, address=address):
                self.say(LOAD, self._address(address))
                self._keep(target)
            case ir.Store(address=address, value=value):
                offset = self._address(address)
                self.push(value)
                self.say(STORE, offset)
            case ir.Call(targets=targets, function=function, arguments=arguments):
                for item in arguments:
                    self.push(item)
                self.say(CALL, _unsigned(self.functions[function]))
                for target in reversed(targets):
                    self._keep(target)
            case ir.Return(values=values):
                for item in values:
                    self.push(item)
                self.say(RETURN)
            case ir.If():
                self._if(statement)
            case ir.Within(label=label, body=body):
                self._nested(BLOCK, label, lambda: self.block(body))
            case ir.Loop():
                self._loop(statement)
            case ir.For():
                self._for(statement)
            case ir.Break(label=label):
                self._jump(label)
            case ir.Next(label=label):
                self._jump(_again(label))

    def _keep(self, target: ir.Local) -> None:
        self.say(SET, _unsigned(self.places[target.name]))

    def _jump(self, label: str) -> None:
        self.say(BR, _unsigned(len(self.labels) - 1 - self.labels.index(label)))

    def _nested(self, kind: int, label: str, fill: Callable[[], None]) -> None:
        self.say(kind, EMPTY)
        self.labels.append(label)
        fill()
        self.labels.pop()
        self.say(END)

    def _if(self, statement: ir.If) -> None:
        def fill() -> None:
            self.block(statement.then)
            if statement.otherwise:
                self.say(ELSE)
                self.block(statement.otherwise)

        self.push(statement.test)
        self._nested(IF, "", fill)

    def _loop(self, statement: ir.Loop) -> None:
        def turn() -> None:
            self.block(statement.body)
            self._jump(_again(statement.label))

        self._nested(BLOCK, statement.label, lambda: self._nested(LOOP, _again(statement.label), turn))

    def _for(self, statement: ir.For) -> None:
        counter, up = statement.counter, statement.step > 0

        def turn() -> None:
            self.push(ir.Operation("b", ">=" if up else "<=", (counter, statement.end)))
            self.say(BR_IF, _unsigned(1))
            self._nested(BLOCK, _again(statement.label), lambda: self.block(statement.body))
            self.push(ir.Operation("i", "+", (counter, ir.Const("i", statement.step))))
            self._keep(counter)
            self.say(BR, _unsigned(0))

        self.push(statement.start)
        self._keep(counter)
        self._nested(BLOCK, statement.label, lambda: self._nested(LOOP, "", turn))


def _again(label: str) -> str:
    """The label of a loop's next turn."""
    return f"{label} again"
