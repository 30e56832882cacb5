"""Partial derivatives of expressions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .table import Table
from .tree import (
    Call,
    Expression,
    Power,
    Product,
    Sum,
    Symbol,
    Variable,
    add,
    call,
    multiply,
    raise_to,
)


def derivative(value: Any, variable: Symbol | Variable) -> Any:
    """∂value/∂variable; symbols and variables are independent of each other."""
    if not isinstance(value, Expression) or all(leaf != variable for leaf in value.leaves()):
        return 0
    match value:
        case Sum(terms=terms):
            return add(*(derivative(term, variable) for term in terms))
        case Product(factors=factors):
            parts = []
            for place, factor in enumerate(factors):
                slope = derivative(factor, variable)
                parts.append(multiply(*factors[:place], slope, *factors[place + 1 :]))
            return add(*parts)
        case Power(base=base, exponent=exponent):
            return multiply(exponent, raise_to(base, exponent - 1), derivative(base, variable))
        case Call(name=name, argument=argument, rest=()):
            return multiply(_slope(name, argument), derivative(argument, variable))
        case Call(name=name, arguments=arguments):
            return _rate(name, arguments, [derivative(argument, variable) for argument in arguments])
    if isinstance(value, Table):
        return multiply(value.slope(), derivative(value.argument, variable))
    return 1


def _rate(name: str, arguments: tuple[Any, ...], rates: list[Any]) -> Any:
    """The derivative of a function of several arguments whose derivatives are known."""
    if name == "where":
        return call("where", arguments[0], *rates[1:])
    (a, b), (da, db) = arguments, rates
    if name == "atan2":
        square = add(raise_to(a, 2), raise_to(b, 2))
        return multiply(add(multiply(b, da), multiply(-1, a, db)), raise_to(square, -1))
    # min and max are half of a + b ∓ |a − b|
    side = call("sign", add(a, multiply(-1, b)))
    turned = multiply(side, add(da, multiply(-1, db)), -1 if name == "min" else 1)
    return multiply(Fraction(1, 2), add(da, db, turned))


def _slope(name: str, x: Any) -> Any:
    """The derivative of a function of the allow-list at x."""
    match name:
        case "sin":
            return call("cos", x)
        case "cos":
            return multiply(-1, call("sin", x))
        case "tan":
            return raise_to(call("cos", x), -2)
        case "exp":
            return call("exp", x)
        case "log":
            return raise_to(x, -1)
        case "tanh":
            return add(1, multiply(-1, raise_to(call("tanh", x), 2)))
        case "atan":
            return raise_to(add(1, raise_to(x, 2)), -1)
        case "abs":
            return call("sign", x)
        case "sign":  # but where it jumps
            return 0
        case "asin" | "acos":
            root = call("sqrt", add(1, multiply(-1, raise_to(x, 2))))
            return multiply(1 if name == "asin" else -1, raise_to(root, -1))
    return multiply(0.5, raise_to(call("sqrt", x), -1))
