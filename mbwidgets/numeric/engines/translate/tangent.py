"""Kernels over dual numbers: a function becomes one that also carries the derivative along a direction.

Each float x has a tangent ẋ beside it: a local variable of its own, and in memory the number that stands ``shift``
bytes further. A caller lays the direction there and finds the derivatives of all that the kernel writes. Integers,
tests and addresses have none; where a function is not smooth the tangent is that of the branch that was taken, and what
is rounded to whole numbers counts as constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .ir import (
    Call,
    Const,
    Expression,
    For,
    Function,
    If,
    Load,
    Local,
    Loop,
    Operation,
    Return,
    Set,
    Statement,
    Store,
    Within,
    operate,
)

__all__ = ["tangent_function", "tangent_name"]

ZERO: Final = Const("f", 0.0)
SHIFT: Final = Local("i", "shift")


def tangent_name(name: str) -> str:
    """The name of a function over dual numbers."""
    return f"{name}_tangent"


def tangent_function(function: Function) -> Function:
    """The function over dual numbers: tangents of its floats follow its arguments and results, then the shift.

    The functions that it calls must be made likewise.
    """
    return Function(
        tangent_name(function.name),
        (*function.parameters, *(_twin(item) for item in function.parameters if item.type == "f"), SHIFT),
        (*function.results, *("f" for kind in function.results if kind == "f")),  # type: ignore[arg-type]
        _block(function.body),
    )


def called_functions(functions: Mapping[str, Function], name: str) -> set[str]:
    """A function and all that it calls."""
    found, waiting = set[str](), [name]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += _calls(functions[here].body)
    return found


def _calls(statements: Sequence[Statement]) -> list[str]:
    found: list[str] = []
    for statement in statements:
        match statement:
            case Call(function=name):
                found.append(name)
            case If(then=then, otherwise=otherwise):
                found += _calls(then) + _calls(otherwise)
            case Within(body=body) | Loop(body=body) | For(body=body):
                found += _calls(body)
    return found


def _twin(local: Local) -> Local:
    return Local("f", f"{local.name}_d")


def _block(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    return tuple(made for statement in statements for made in _statement(statement))


def _statement(statement: Statement) -> tuple[Statement, ...]:
    """The statement over dual numbers; tangents come first, since they need the values from before it."""
    match statement:
        case Set(target=target, value=value) if target.type == "f":
            return Set(_twin(target), _tangent(value)), statement
        case Load(target=target, address=address):
            return Load(_twin(target), operate("i", "+", address, SHIFT)), statement
        case Store(address=address, value=value):
            return Store(operate("i", "+", address, SHIFT), _tangent(value)), statement
        case Call(targets=targets, function=function, arguments=arguments):
            more = (*(_tangent(item) for item in arguments if item.type == "f"), SHIFT)
            twins = tuple(_twin(item) for item in targets if item.type == "f")
            return (Call((*targets, *twins), tangent_name(function), (*arguments, *more)),)
        case Return(values=values):
            return (Return((*values, *(_tangent(item) for item in values if item.type == "f"))),)
        case If(test=test, then=then, otherwise=otherwise):
            return (If(test, _block(then), _block(otherwise)),)
        case Within(label=label, body=body):
            return (Within(label, _block(body)),)
        case Loop(label=label, body=body):
            return (Loop(label, _block(body)),)
        case For(label=label, counter=counter, start=start, end=end, step=step, body=body):
            return (For(label, counter, start, end, step, _block(body)),)
    return (statement,)


def _tangent(value: Expression) -> Expression:
    """The tangent of an expression."""
    match value:
        case Local(type="f"):
            return _twin(value)
        case Operation(type="f", name=name, arguments=arguments):
            return _derivative(value, name, arguments)
    return ZERO


def _derivative(value: Operation, name: str, given: tuple[Expression, ...]) -> Expression:
    match name, given:
        case (("+" | "-"), (a, b)):
            return _sum(name, _tangent(a), _tangent(b))
        case "*", (a, b):
            return _sum("+", _product(_tangent(a), b), _product(a, _tangent(b)))
        case "/", (a, b):
            above = _sum("-", _tangent(a), _product(value, _tangent(b)))
            return ZERO if above == ZERO else Operation("f", "/", (above, b))
        case "neg", (a,):
            return _negative(_tangent(a))
        case "abs", (a,):
            slope = _tangent(a)
            below = Operation("b", "<", (a, ZERO))
            return ZERO if slope == ZERO else Operation("f", "select", (below, _negative(slope), slope))
        case "sqrt", (a,):
            slope = _tangent(a)
            share = Operation("f", "/", (slope, operate("f", "+", value, value)))
            # beside zero a root has no slope; what is at rest there stays so
            moves = Operation("b", "!=", (slope, ZERO))
            return ZERO if slope == ZERO else Operation("f", "select", (moves, share, ZERO))
        case "select", (test, a, b):
            first, second = _tangent(a), _tangent(b)
            return first if first == second else Operation("f", "select", (test, first, second))
    return ZERO


def _sum(name: str, a: Expression, b: Expression) -> Expression:
    if b == ZERO:
        return a
    if a == ZERO:
        return b if name == "+" else _negative(b)
    return Operation("f", name, (a, b))


def _product(a: Expression, b: Expression) -> Expression:
    if ZERO in (a, b):
        return ZERO
    return Operation("f", "*", (a, b))


def _negative(a: Expression) -> Expression:
    return ZERO if a == ZERO else Operation("f", "neg", (a,))
