"""How Python, C99, C++, JavaScript, Mathematica, Modelica and LaTeX write a program of `trace`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log10, prod
from typing import Any, ClassVar

from ...errors import ExpressionError
from .latex import absolute_latex, function_latex, node_latex, several_latex, symbol_latex

__all__ = ["LANGUAGES", "Function", "Language"]

CALLED = (
    "sin",
    "cos",
    "tan",
    "sqrt",
    "exp",
    "log",
    "tanh",
    "atan",
    "asin",
    "acos",
    "abs",
    "sign",
    "atan2",
    "min",
    "max",
)
"""Functions that languages have, by the names of an expression."""
LONG_NAMES = {
    "atan": "arctan",
    "asin": "arcsin",
    "acos": "arccos",
    "atan2": "arctan2",
    "min": "minimum",
    "max": "maximum",
}
"""Those whose names are longer in NumPy."""


@dataclass(frozen=True)
class Function:
    """A function to print: arguments with their lengths, named values in order, results and their shape."""

    name: str
    summary: str
    arguments: tuple[tuple[str, int], ...]
    lines: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    shape: tuple[int, ...]
    parameters: tuple[str, ...]

    def notes(self, base: int = 0) -> list[str]:
        """What a reader must know: the order of the parameters, and the shape of the result."""
        table = [f"p[{i + base}] = {name}" for i, name in enumerate(self.parameters)]
        size = " x ".join(map(str, self.shape)) or "scalar"
        return [
            self.summary,
            f"result: {size}, rows first",
            *(["parameters: " + ", ".join(table)] if table else []),
        ]


class Language:
    """C-like defaults; subclasses change what differs."""

    name = "c"
    comment = "//"
    call_name: ClassVar[dict[str, str]] = {}
    product = "*"
    base = 0

    def header(self) -> str:
        return ""

    def footer(self) -> str:
        return ""

    def number(self, value: Fraction) -> str:
        try:
            number = float(value)
        except OverflowError:
            number = 0.0
        if value and not number:
            raise ExpressionError(
                f"a coefficient near 1e{_exponent(value)} has no double",
                where=f"code in {self.name}",
                remedy="give the model numbers nearer to one, as parameters, or write mathematica, which is exact",
            )
        return repr(number)

    def input(self, name: str, index: int) -> str:
        return "t" if name == "t" else f"{name}[{index}]"

    def call(self, function: str, *arguments: str) -> str:
        if function == "where":
            return self.choice(*arguments)
        return f"{self.call_name.get(function, function)}({', '.join(arguments)})"

    def choice(self, x: str, a: str, b: str) -> str:
        return f"({x} >= 0.0 ? {a} : {b})"

    def local(self, index: int) -> str:
        return f"x{index}"

    def pi(self) -> str:
        return self.number(Fraction(3.141592653589793))

    def quotient(self, top: str, bottom: str) -> str:
        return f"{top}/{bottom}"

    def brackets(self, text: str) -> str:
        return f"({text})"

    def function(self, f: Function) -> str:
        raise NotImplementedError

    def _notes(self, f: Function) -> list[str]:
        return [f"{self.comment} {note}" for note in f.notes(self.base)]


class C(Language):
    call_name: ClassVar = {"abs": "fabs", "min": "fmin", "max": "fmax"}

    def call(self, function: str, *arguments: str) -> str:
        if function == "sign":
            return f"(double)(({arguments[0]} > 0.0) - ({arguments[0]} < 0.0))"
        return super().call(function, *arguments)

    def header(self) -> str:
        return "#include <math.h>\n\n"

    def function(self, f: Function) -> str:
        arguments = ", ".join("double t" if name == "t" else f"const double *{name}" for name, _ in f.arguments)
        unused = "".join(f" (void){name};" for name, _ in f.arguments)
        lines = [f"    const double {name} = {text};" for name, text in f.lines]
        results = [f"    out[{i}] = {text};" for i, text in enumerate(f.results)]
        return "\n".join(
            [
                *self._notes(f),
                f"void {f.name}({arguments}, double *out)",
                "{",
                f"   {unused}",
                *lines,
                *results,
                "}",
                "",
            ]
        )


class Cpp(C):
    """C++ 11: the same functions, inline, for a header."""

    name = "cpp"
    call_name: ClassVar = {name: f"std::{name}" for name in CALLED}

    def header(self) -> str:
        return "#include <algorithm>\n#include <cmath>\n\n"

    def function(self, f: Function) -> str:
        return super().function(f).replace(f"\nvoid {f.name}(", f"\ninline void {f.name}(", 1)


class JavaScript(Language):
    name = "javascript"
    call_name: ClassVar = {name: f"Math.{name}" for name in CALLED}

    def function(self, f: Function) -> str:
        arguments = ", ".join(name for name, _ in f.arguments)
        lines = [f"  const {name} = {text};" for name, text in f.lines]
        body = ", ".join(f.results)
        result = f"  return {body};" if not f.shape else f"  return [{body}];"
        return "\n".join([*self._notes(f), f"function {f.name}({arguments}) {{", *lines, result, "}", ""])


class Python(Language):
    name = "python"
    comment = "#"
    call_name: ClassVar = {name: f"np.{LONG_NAMES.get(name, name)}" for name in CALLED}

    def header(self) -> str:
        return "import numpy as np\n\n\n"

    def choice(self, x: str, a: str, b: str) -> str:
        return f"np.where({x} >= 0.0, {a}, {b})"

    def input(self, name: str, index: int) -> str:
        return "t" if name == "t" else f"{name}[..., {index}]"

    def function(self, f: Function) -> str:
        arguments = ", ".join(name for name, _ in f.arguments)
        vectors = [name for name, _ in f.arguments if name != "t"]
        turned = [f"    {name} = np.asarray({name}, dtype=float)" for name in vectors]
        batch = ", ".join(
            [f"{name}.shape[:-1]" for name in vectors] + ["np.shape(t)" for n, _ in f.arguments if n == "t"]
        )
        lines = [f"    {name} = {text}" for name, text in f.lines]
        size = prod(f.shape)
        results = [f"    out[..., {i}] = {text}" for i, text in enumerate(f.results)]
        shape = "".join(f", {k}" for k in f.shape)
        ending = f"    return out.reshape(*batch{shape})" if f.shape else "    return out[..., 0]"
        docs = [f'    """{f.summary}', "", *(f"    {note}" for note in f.notes()[1:]), '    """']
        head = [f"def {f.name}({arguments}):", *docs, *turned, f"    batch = np.broadcast_shapes({batch})"]
        return "\n".join([*head, f"    out = np.empty((*batch, {size}))", *lines, *results, ending, "", ""])


class Mathematica(Language):
    name = "mathematica"
    base = 1
    call_name: ClassVar = {
        name: "Arc" + name[1:4].capitalize() if name in ("atan", "asin", "acos", "atan2") else name.capitalize()
        for name in CALLED
    }

    def number(self, value: Fraction) -> str:
        return str(value.numerator) if value.denominator == 1 else f"({value.numerator}/{value.denominator})"

    def input(self, name: str, index: int) -> str:
        return "t" if name == "t" else f"{name}[[{index + 1}]]"

    def call(self, function: str, *arguments: str) -> str:
        if function == "where":
            return f"If[{arguments[0]} >= 0, {arguments[1]}, {arguments[2]}]"
        ordered = arguments[::-1] if function == "atan2" else arguments  # ArcTan[x, y]
        return f"{self.call_name[function]}[{', '.join(ordered)}]"

    def pi(self) -> str:
        return "Pi"

    def function(self, f: Function) -> str:
        plain = f.name.replace("_", "")
        arguments = ", ".join(f"{name}_" for name, _ in f.arguments)
        names = ", ".join(name for name, _ in f.lines)
        lines = [f"  {name} = {text};" for name, text in f.lines]
        notes = [f"(* {note} *)" for note in f.notes(self.base)]
        result = _rows(list(f.results), f.shape, "{", "}")
        return "\n".join([*notes, f"{plain}[{arguments}] := Module[{{{names}}},", *lines, f"  {result}", "];", ""])


class Modelica(Language):
    name = "modelica"
    base = 1

    def choice(self, x: str, a: str, b: str) -> str:
        return f"(if {x} >= 0.0 then {a} else {b})"

    def input(self, name: str, index: int) -> str:
        return "t" if name == "t" else f"{name}[{index + 1}]"

    def function(self, f: Function) -> str:
        inputs = [f"  input Real {name}{'' if name == 't' else f'[{size}]'};" for name, size in f.arguments]
        size = f"[{', '.join(map(str, f.shape))}]" if f.shape else ""
        protected = [f"  Real {name};" for name, _ in f.lines]
        lines = [f"  {name} := {text};" for name, text in f.lines]
        result = f"  out := {_rows(list(f.results), f.shape, '{', '}')};"
        middle = ["protected", *protected] if protected else []
        head = [
            *self._notes(f),
            f"function {f.name}",
            *inputs,
            f"  output Real out{size};",
            *middle,
            "algorithm",
        ]
        return "\n".join([*head, *lines, result, f"end {f.name};", ""])


class Latex(Language):
    """A list of named subexpressions and the results, in the papers' notation."""

    name = "latex"
    product = " "

    def __init__(self, parameters: Sequence[str] = ()) -> None:
        self.parameters = parameters

    def number(self, value: Fraction) -> str:
        return node_latex(value)

    def input(self, name: str, index: int) -> str:
        if name == "p":
            return symbol_latex(self.parameters[index])
        marks = {"q": "q", "u": "\\dot q", "ud": "\\ddot q", "tau": "\\tau"}
        return "t" if name == "t" else f"{marks[name]}^{{{index + 1}}}"

    def call(self, function: str, *arguments: str) -> str:
        if len(arguments) > 1:
            return several_latex(function, arguments)
        argument = arguments[0]
        if function == "sqrt":
            return f"\\sqrt{{{argument}}}"
        if function == "abs":
            return absolute_latex(argument)
        name = function_latex(function)
        return f"{name} {argument}" if " " not in argument[5:] else f"{name} \\left({argument}\\right)"

    def local(self, index: int) -> str:
        return f"z_{{{index + 1}}}"

    def pi(self) -> str:
        return "\\pi"

    def quotient(self, top: str, bottom: str) -> str:
        return f"\\frac{{{top}}}{{{bottom}}}"

    def brackets(self, text: str) -> str:
        return f"\\left({text}\\right)"

    def function(self, f: Function) -> str:
        rows = [f"{name} &= {text}" for name, text in f.lines]
        if not f.shape:
            rows.append(f"y &= {f.results[0]}")
        else:
            rows += [f"y_{{{_place(i, f.shape)}}} &= {text}" for i, text in enumerate(f.results) if text != "0"]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}\n"


def _exponent(value: Fraction) -> int:
    """The power of ten that a number is near to."""
    return round((abs(value.numerator).bit_length() - value.denominator.bit_length()) * log10(2))


def _place(i: int, shape: tuple[int, ...]) -> str:
    found = []
    for size in reversed(shape):
        found.append(i % size + 1)
        i //= size
    return ",".join(map(str, reversed(found)))


def _rows(items: list[Any], shape: tuple[int, ...], left: str, right: str) -> str:
    if not shape:
        return str(items[0])
    if len(shape) == 1:
        return left + ", ".join(items) + right
    step = prod(shape[1:])
    return (
        left + ", ".join(_rows(items[i : i + step], shape[1:], left, right) for i in range(0, len(items), step)) + right
    )


LANGUAGES: dict[str, type[Language]] = {
    "python": Python,
    "c": C,
    "cpp": Cpp,
    "javascript": JavaScript,
    "mathematica": Mathematica,
    "modelica": Modelica,
    "latex": Latex,
}
