"""Kernels over dual numbers: a function becomes one that also carries the derivative along a direction.

Each float x has a tangent ẋ beside it: a local variable of its own, and in memory the number that stands ``shift``
bytes further. A caller lays the direction there and finds the derivatives of all that the kernel writes. Integers,
tests and addresses have none; where a function is not smooth the tangent is that of the branch that was taken, and what
is rounded to whole numbers counts as constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from . import ir

__all__ = ["tangent_function", "tangent_name"]

ZERO: Final = ir.Const("f", 0.0)
SHIFT: Final = ir.Local("i", "shift")


def tangent_name(name: str) -> str:
    """The name of a function over dual numbers."""
    return f"{name}_tangent"


def tangent_function(function: ir.Function) -> ir.Function:
    """The function over dual numbers: tangents of its floats follow its arguments and results, then the shift.

    The functions that it calls must be made likewise.
    """
    return ir.Function(
        tangent_name(function.name),
        (*function.parameters, *(_twin(item) for item in function.parameters if item.type == "f"), SHIFT),
        (*function.results, *("f" for kind in function.results if kind == "f")),  # type: ignore[arg-type]
        _block(function.body),
    )


def called_functions(functions: Mapping[str, ir.Function], name: str) -> set[str]:
    """A function and all that it calls."""
    found, waiting = set[str](), [name]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += _calls(functions[here].body)
    return found


def _calls(statements: Sequence[ir.Statement]) -> list[str]:
    found: list[str] = []
    for statement in statements:
        match statement:
            case ir.Call(function=name):
                found.append(name)
            case ir.If(then=then, otherwise=otherwise):
                found += _calls(then) + _calls(otherwise)
            case ir.Within(body=body) | ir.Loop(body=body) | ir.For(body=body):
                found += _calls(body)
    return found


def _twin(local: ir.Local) -> ir.Local:
    return ir.Local("f", f"{local.name}_d")


def _block(statements: Sequence[ir.Statement]) -> tuple[ir.Statement, ...]:
    return tuple(made for statement in statements for made in _statement(statement))


def _statement(statement: ir.Statement) -> tuple[ir.Statement, ...]:
    """The statement over dual numbers; tangents come first, since they need the values from before it."""
    match statement:
        case ir.Set(target=target, value=value) if target.type == "f":
            return ir.Set(_twin(target), _tangent(value)), statement
        case ir.Load(target=target, address=address):
            return ir.Load(_twin(target), ir.operate("i", "+", address, SHIFT)), statement
        case ir.Store(address=address, value=value):
            return ir.Store(ir.operate("i", "+", address, SHIFT), _tangent(value)), statement
        case ir.Call(targets=targets, function=function, arguments=arguments):
            more = (*(_tangent(item) for item in arguments if item.type == "f"), SHIFT)
            twins = tuple(_twin(item) for item in targets if item.type == "f")
            return (ir.Call((*targets, *twins), tangent_name(function), (*arguments, *more)),)
        case ir.Return(values=values):
            return (ir.Return((*values, *(_tangent(item) for item in values if item.type == "f"))),)
        case ir.If(test=test, then=then, otherwise=otherwise):
            return (ir.If(test, _block(then), _block(otherwise)),)
        case ir.Within(label=label, body=body):
            return (ir.Within(label, _block(body)),)
        case ir.Loop(label=label, body=body):
            return (ir.Loop(label, _block(body)),)
        case ir.For(label=label, counter=counter, start=start, end=end, step=step, body=body):
            return (ir.For(label, counter, start, end, step, _block(body)),)
    return (statement,)


def _tangent(value: ir.Expression) -> ir.Expression:
    """The tangent of an expression."""
    match value:
        case ir.Local(type="f"):
            return _twin(value)
        case ir.Operation(type="f", name=name, arguments=arguments):
            return _derivative(value, name, arguments)
    return ZERO


def _derivative(value: ir.Operation, name: str, given: tuple[ir.Expression, ...]) -> ir.Expression:
    match name, given:
        case (("+" | "-"), (a, b)):
            return _sum(name, _tangent(a), _tangent(b))
        case "*", (a, b):
            return _sum("+", _product(_tangent(a), b), _product(a, _tangent(b)))
        case "/", (a, b):
            above = _sum("-", _tangent(a), _product(value, _tangent(b)))
            return ZERO if above == ZERO else ir.Operation("f", "/", (above, b))
        case "neg", (a,):
            return _negative(_tangent(a))
        case "abs", (a,):
            slope = _tangent(a)
            below = ir.Operation("b", "<", (a, ZERO))
            return ZERO if slope == ZERO else ir.Operation("f", "select", (below, _negative(slope), slope))
        case "sqrt", (a,):
            slope = _tangent(a)
            share = ir.Operation("f", "/", (slope, ir.operate("f", "+", value, value)))
            # beside zero a root has no slope; what is at rest there stays so
            moves = ir.Operation("b", "!=", (slope, ZERO))
            return ZERO if slope == ZERO else ir.Operation("f", "select", (moves, share, ZERO))
        case "select", (test, a, b):
            first, second = _tangent(a), _tangent(b)
            return first if first == second else ir.Operation("f", "select", (test, first, second))
    return ZERO


def _sum(name: str, a: ir.Expression, b: ir.Expression) -> ir.Expression:
    if b == ZERO:
        return a
    if a == ZERO:
        return b if name == "+" else _negative(b)
    return ir.Operation("f", name, (a, b))


def _product(a: ir.Expression, b: ir.Expression) -> ir.Expression:
    if ZERO in (a, b):
        return ZERO
    return ir.Operation("f", "*", (a, b))


def _negative(a: ir.Expression) -> ir.Expression:
    return ZERO if a == ZERO else ir.Operation("f", "neg", (a,))
