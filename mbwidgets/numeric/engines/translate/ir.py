"""The intermediate form between kernels and machines: scalars, loads, stores, and the control flow of a block language.

Three types: ``i`` a 32-bit integer, ``f`` a 64-bit float, ``b`` a truth value. An expression has no effect and may be
repeated; what reads or writes memory, and what calls, is a statement. Addresses count bytes, so that what is constant
in them becomes the offset of a load. A local variable may be set more than once; both back ends know how to make single
assignments of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

__all__ = [
    "FLOAT_SIZE",
    "INT_MAX",
    "INT_MIN",
    "Break",
    "Call",
    "Const",
    "Expression",
    "For",
    "Function",
    "If",
    "Load",
    "Local",
    "Loop",
    "Next",
    "Operation",
    "Return",
    "Scalar",
    "Set",
    "Statement",
    "Store",
    "Within",
    "blocks_of",
    "convert",
    "expressions_of",
    "locals_in",
    "operate",
    "read_locals",
    "repeats",
    "set_locals",
    "with_blocks",
    "with_expressions",
]

Scalar = Literal["i", "f", "b"]

FLOAT_SIZE: Final = 8
"""Bytes of an element; elements of integer arrays are floats too."""
INT_MIN, INT_MAX = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class Const:
    """A number."""

    type: Scalar
    value: float


@dataclass(frozen=True, slots=True)
class Local:
    """A local variable."""

    type: Scalar
    name: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation on values of the same type; ``type`` is that of its result."""

    type: Scalar
    name: str
    arguments: tuple[Expression, ...]


Expression = Const | Local | Operation


@dataclass(frozen=True, slots=True)
class Set:
    """Give a local variable a value."""

    target: Local
    value: Expression


@dataclass(frozen=True, slots=True)
class Load:
    """Read a float."""

    target: Local
    address: Expression


@dataclass(frozen=True, slots=True)
class Store:
    """Write a float."""

    address: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """Call another function, by its name in the module."""

    targets: tuple[Local, ...]
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function."""

    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class If:
    """One of two blocks."""

    test: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """A block that a `Break` with its label leaves."""

    label: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A block without an end: a `Break` leaves it, a `Next` begins it anew."""

    label: str
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class For:
    """A block for each of start, start + step, … before end; the bounds are read once."""

    label: str
    counter: Local
    start: Expression
    end: Expression
    step: int
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """Leave the block of this label."""

    label: str


@dataclass(frozen=True, slots=True)
class Next:
    """Go on with the next turn of the loop of this label."""

    label: str


Statement = Set | Load | Store | Call | Return | If | Within | Loop | For | Break | Next


@dataclass(frozen=True)
class Function:
    """A function of scalars; ``results`` are the types that it gives back."""

    name: str
    parameters: tuple[Local, ...]
    results: tuple[Scalar, ...]
    body: tuple[Statement, ...]


def blocks_of(statement: Statement) -> tuple[tuple[Statement, ...], ...]:
    """The blocks inside a statement."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return then, otherwise
        case Within(body=body) | Loop(body=body) | For(body=body):
            return (body,)
    return ()


def expressions_of(statement: Statement) -> tuple[Expression, ...]:
    """The expressions that a statement reads, those of its blocks not among them."""
    match statement:
        case Set(value=value):
            return (value,)
        case Load(address=address):
            return (address,)
        case Store(address=address, value=value):
            return address, value
        case Call(arguments=found) | Return(values=found):
            return found
        case If(test=test):
            return (test,)
        case For(start=start, end=end):
            return start, end
    return ()


def with_expressions(statement: Statement, found: Sequence[Expression]) -> Statement:
    """A statement that reads other expressions, in the order of `expressions_of`; a loop keeps its end, which is read
    in each turn."""
    match statement:
        case Set():
            return replace(statement, value=found[0])
        case Load():
            return replace(statement, address=found[0])
        case Store():
            return replace(statement, address=found[0], value=found[1])
        case Call():
            return replace(statement, arguments=tuple(found))
        case Return():
            return replace(statement, values=tuple(found))
        case If():
            return replace(statement, test=found[0])
        case For():
            return replace(statement, start=found[0])
    return statement


def with_blocks(statement: Statement, found: Iterable[tuple[Statement, ...]]) -> Statement:
    """A statement with other blocks, in the order of `blocks_of`."""
    match statement:
        case If():
            then, otherwise = found
            return replace(statement, then=then, otherwise=otherwise)
        case Within() | Loop() | For():
            (body,) = found
            return replace(statement, body=body)
    return statement


def repeats(expression: Expression) -> bool:
    """Whether a back end writes an expression's arguments more than once: they should be variables."""
    return isinstance(expression, Operation) and (
        expression.name == "upper" or (expression.name == "abs" and expression.type == "i")
    )


def set_locals(statements: Sequence[Statement]) -> Iterator[Local]:
    """The variables that statements set, those of their blocks among them, each as often as it is set."""
    for statement in statements:
        match statement:
            case Set(target=target) | Load(target=target):
                yield target
            case Call(targets=targets):
                yield from targets
            case For(counter=counter):
                yield counter
        for block in blocks_of(statement):
            yield from set_locals(block)


def read_locals(statements: Sequence[Statement]) -> Iterator[str]:
    """The names of the variables that statements read, those of their blocks among them."""
    for statement in statements:
        for expression in expressions_of(statement):
            yield from locals_in(expression)
        for block in blocks_of(statement):
            yield from read_locals(block)


def locals_in(expression: Expression) -> Iterator[str]:
    """The names of the variables of an expression."""
    match expression:
        case Local(name=name):
            yield name
        case Operation(arguments=arguments):
            for argument in arguments:
                yield from locals_in(argument)


FOLDED: Final[dict[str, Callable[..., float]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "not": lambda a: not a,
    "neg": lambda a: -a,
    "abs": abs,
}


def operate(type: Scalar, name: str, *arguments: Expression) -> Expression:
    """An operation; computed now where all is constant.

    Sums and products of integers are gathered around their constants. Those of floats are left as they are written: a
    float has its rounding and its signed zero.
    """
    values = [argument.value for argument in arguments if isinstance(argument, Const)]
    if len(values) == len(arguments) and name in FOLDED:
        return Const(type, FOLDED[name](*values))
    if len(values) == len(arguments) and type == "i" and name in ("//", "%") and values[1]:
        return Const("i", values[0] // values[1] if name == "//" else values[0] % values[1])
    if type == "i" and name in ("+", "-", "*"):
        return _integer(name, *arguments)
    return Operation(type, name, arguments)


def _integer(name: str, a: Expression, b: Expression) -> Expression:
    if name == "-":
        if isinstance(b, Const):
            return _integer("+", a, Const("i", -b.value))
        return Operation("i", "-", (a, b))
    if isinstance(a, Const):
        a, b = b, a
    if isinstance(b, Const) and b.value == (0 if name == "+" else 1):
        return a
    if name == "*":
        if isinstance(b, Const) and b.value == 0:
            return b
        if isinstance(b, Const) and (split := _split(a, "*")):
            return _integer("*", split[0], Const("i", split[1] * b.value))
        if isinstance(b, Const) and (split := _split(a, "+")):
            return _integer("+", _integer("*", split[0], b), Const("i", split[1] * b.value))
        return Operation("i", "*", (a, b))
    if isinstance(b, Const):
        split = _split(a, "+")
        return _integer("+", split[0], Const("i", split[1] + b.value)) if split else Operation("i", "+", (a, b))
    for one, other in ((a, b), (b, a)):
        if split := _split(one, "+"):
            return _integer("+", _integer("+", split[0], other), Const("i", split[1]))
    return Operation("i", "+", (a, b))


def _split(expression: Expression, name: str) -> tuple[Expression, float] | None:
    """x and c where an expression is x + c, or x * c."""
    if isinstance(expression, Operation) and expression.name == name and expression.type == "i":
        first, second = expression.arguments
        if isinstance(second, Const):
            return first, second.value
    return None


def convert(expression: Expression, type: Scalar) -> Expression:
    """A scalar as one of another type: a float is cut to an integer, a truth value is 0 or 1."""
    if expression.type == type:
        return expression
    if isinstance(expression, Const):
        value = expression.value
        return Const(type, float(value) if type == "f" else bool(value) if type == "b" else int(value))
    if type == "b":
        return operate("b", "!=", expression, Const(expression.type, 0))
    if type == "i":
        return Operation("i", "cut" if expression.type == "f" else "as int", (expression,))
    return Operation("f", "as float", (convert(expression, "i"),))
