"""The intermediate form as JavaScript, for pages whose policy forbids WebAssembly; bit for bit the same numbers.

Integers are kept to 32 bits by ``| 0``, as asm.js did: the browser's compiler then knows that they are such. Memory is
one Float64Array. Several results are handed over in R. Pages carry the text: variables have short names.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from . import ir
from .module import Module

__all__ = ["write_module"]

ZERO: Final[dict[ir.Scalar, str]] = {"i": "0", "f": "0", "b": "false"}
LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGIJKLMNOPQSTUVWXYZ$_"
"""Of which names are made; H and R are the module's own."""
WORDS: Final = frozenset({"do", "if", "in", "of", "as", "is"})
"""Names of two letters that are words of the language."""

HEAD: Final = """\
// Made from the kernels by tools/translate: the same functions as kernels.wasm.

// A float without its fraction; what does not fit becomes the nearest that does, and no number becomes 0.
const cut = (x) => (x >= 2147483647 ? 2147483647 : x <= -2147483648 ? -2147483648 : x | 0);
// The whole number nearest to x, and the first half of its bits.
const nearest = (x) => x + 6755399441055744 - 6755399441055744;
const upper = (x) => 134217729 * x - (134217729 * x - x);
const R = new Float64Array(64);
let H = new Float64Array(0);
"""
TAIL: Final = """\
export const HEAP = {heap};
const DATA = [{data}];

// The functions by name on a memory of so many bytes, the constants in place; one instance a page.
export function instantiate(buffer) {{
  H = new Float64Array(buffer);
  H.set(DATA);
  return {{ exports: {{ {exports} }}, results: R }};
}}
"""


def write_module(module: Module) -> str:
    """The module as the text of an ES module."""
    import struct

    data = struct.unpack(f"<{len(module.data) // 8}d", module.data)
    exports = ", ".join(f'"{item.name}": {item.function.name}' for item in module.exports)
    tail = TAIL.format(heap=module.heap, data=", ".join(map(_float, data)), exports=exports)
    return "\n".join([HEAD, *(_Writer(function).text() for function in module.tidied), tail])


def _float(value: float) -> str:
    if value != value:
        return "NaN"
    if abs(value) == float("inf"):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value).removesuffix(".0")


class _Writer:
    """The lines of one function."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        self.lines: list[str] = []

    def text(self) -> str:
        """The whole function."""
        function = self.function
        given = [item.name for item in function.parameters]
        counters = {item.counter.name for item in _loops(function.body)}
        own = {item.name: item.type for item in ir.set_locals(function.body) if item.name not in {*given, *counters}}
        self.block(function.body)
        declared = [f"let {','.join(f'{name}={ZERO[kind]}' for name, kind in own.items())};"] if own else []
        head = f"{function.name}({','.join(given)}) {{"
        text = _with_short_names("\n".join([head, *declared, *self.lines, "}"]), [*given, *own, *sorted(counters)])
        return f"function {text}"

    def say(self, text: str) -> None:
        """Write a line."""
        self.lines.append(text)

    def block(self, statements: Sequence[ir.Statement]) -> None:
        """Write statements."""
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: ir.Statement) -> None:
        """Write one statement."""
        match statement:
            case ir.Set(target=target, value=value):
                self.say(f"{target.name}={_bare(value)};")
            case ir.Load(target=target, address=address):
                self.say(f"{target.name}=H[{_text(address)}>>3];")
            case ir.Store(address=address, value=value):
                self.say(f"H[{_text(address)}>>3]={_bare(value)};")
            case ir.Call():
                self._call(statement)
            case ir.Return(values=values):
                self._return(values)
            case ir.If(test=test, then=then, otherwise=otherwise):
                self.say(f"if ({_text(test)}) {{")
                self.block(then)
                if otherwise:
                    self.say("} else {")
                    self.block(otherwise)
                self.say("}")
            case ir.Within(label=label, body=body):
                self._nested(f"{label}: {{", body)
            case ir.Loop(label=label, body=body):
                self._nested(f"{label}: while (true) {{", body)
            case ir.For():
                self._for(statement)
            case ir.Break(label=label):
                self.say(f"break {label};")
            case ir.Next(label=label):
                self.say(f"continue {label};")

    def _nested(self, head: str, body: Sequence[ir.Statement]) -> None:
        self.say(head)
        self.block(body)
        self.say("}")

    def _for(self, statement: ir.For) -> None:
        name, step = statement.counter.name, statement.step
        test = f"{name} {'<' if step > 0 else '>'} {_text(statement.end)}"
        head = (
            f"{statement.label}: for (let {name} = {_text(statement.start)}; {test}; {name} = ({name} + {step}) | 0) {{"
        )
        self._nested(head, statement.body)

    def _call(self, statement: ir.Call) -> None:
        call = f"{statement.function}({','.join(map(_text, statement.arguments))})"
        targets = statement.targets
        self.say(f"{targets[0].name} = {call};" if len(targets) == 1 else f"{call};")
        if len(targets) > 1:
            for k, target in enumerate(targets):
                ending = {"i": " | 0", "b": " !== 0", "f": ""}[target.type]
                self.say(f"{target.name} = R[{k}]{ending};")

    def _return(self, values: Sequence[ir.Expression]) -> None:
        if len(values) == 1:
            self.say(f"return {_text(values[0])};")
            return
        for k, value in enumerate(values):
            self.say(f"R[{k}] = {_text(value)};")
        self.say("return;")


def _with_short_names(text: str, names: Sequence[str]) -> str:
    """The text of a function in which these variables have the shortest names that nothing else there has."""
    others = set(re.findall(r"[A-Za-z_$][\w$]*", text)) - set(names)
    free = (name for name in map(_name, itertools.count()) if name not in others and name not in WORDS)
    short = dict(zip(names, free, strict=False))
    return re.sub(r"(?<![\w$.])[A-Za-z_$][\w$]*", lambda match: short.get(match[0], match[0]), text)


def _name(number: int) -> str:
    """The names in their order: those of one letter, of two …"""
    found = ""
    while number >= 0:
        number, last = divmod(number, len(LETTERS))
        found, number = LETTERS[last] + found, number - 1
    return found


def _loops(statements: Sequence[ir.Statement]) -> list[ir.For]:
    from .ir import blocks_of

    found: list[ir.For] = []
    for statement in statements:
        if isinstance(statement, ir.For):
            found.append(statement)
        for block in blocks_of(statement):
            found += _loops(block)
    return found


def _text(expression: ir.Expression) -> str:
    """An expression, in parentheses where it needs them."""
    match expression:
        case ir.Const(type="f", value=value):
            return f"({_float(value)})" if str(value).startswith("-") else _float(value)
        case ir.Const(type="b", value=value):
            return "true" if value else "false"
        case ir.Const(value=value):
            return f"({int(value)})" if value < 0 else str(int(value))
        case ir.Local(name=name):
            return name
        case ir.Operation(type=kind, name=name, arguments=arguments):
            return _operation(kind, name, [_text(item) for item in arguments])
    raise TypeError(expression)


def _bare(expression: ir.Expression) -> str:
    """An expression that stands alone, without parentheses about the whole of it."""
    text = _text(expression)
    if not text.startswith("("):
        return text
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return text[1:-1] if place == len(text) - 1 else text
    return text


def _operation(kind: ir.Scalar, name: str, given: list[str]) -> str:
    match name:
        case "select":
            return f"({given[0]}?{given[1]}:{given[2]})"
        case "and" | "or":
            return f"({given[0]}{'&&' if name == 'and' else '||'}{given[1]})"
        case "not":
            return f"(!{given[0]})"
        case "as int":
            return f"({given[0]}?1:0)"
        case "as float":
            return given[0]
        case "cut" | "nearest" | "upper":
            return f"{name}({given[0]})"
        case "neg":
            return f"(-{given[0]}|0)" if kind == "i" else f"(-{given[0]})"
        case "==" | "!=":
            return f"({given[0]}{name}={given[1]})"
        case "<" | "<=" | ">" | ">=" | "/":
            return f"({given[0]}{name}{given[1]})"
        case "sqrt" | "floor" | "ceil":
            return f"Math.{name}({given[0]})"
        case "abs":
            return f"(Math.abs({given[0]})|0)" if kind == "i" else f"Math.abs({given[0]})"
        case "*" if kind == "i":
            return f"Math.imul({given[0]},{given[1]})"
        case "rem":
            return f"({given[0]}%{given[1]}|0)"
        case "quotient":
            return f"({given[0]}/{given[1]}|0)"
    whole = "|0" if kind == "i" else ""
    return f"({given[0]}{name}{given[1]}{whole})"
