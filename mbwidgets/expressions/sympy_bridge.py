"""To SymPy and back, node by node."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any

from ..errors import ExpressionError, shorten
from .allowed import FUNCTIONS
from .constants import normalised_exact_constant
from .parser import parse_expression
from .tree import (
    PI,
    Call,
    Pi,
    Power,
    Product,
    Sum,
    Symbol,
    Variable,
    add,
    as_scalar,
    call,
    multiply,
    raise_to,
)

_NAMES = {"abs": "Abs", "min": "Min", "max": "Max"}
"""Functions that SymPy calls otherwise."""


def to_sympy(value: Any, leaf: Callable[[Symbol | Variable], Any] | None = None) -> Any:
    """The same value as a SymPy expression; symbols are plain, a float stays a float."""
    import sympy

    def convert(node: Any) -> Any:
        match node:
            case int() | Fraction():
                return sympy.Rational(node.numerator, node.denominator)
            case float():
                return sympy.Float(node)
            case Symbol() | Variable():
                return leaf(node) if leaf else sympy.Symbol(node.name if isinstance(node, Symbol) else repr(node))
            case Pi():
                return sympy.pi
            case Sum(terms=terms):
                return sympy.Add(*(convert(term) for term in terms))
            case Product(factors=factors):
                return sympy.Mul(*(convert(factor) for factor in factors))
            case Power(base=base, exponent=exponent):
                return sympy.Pow(convert(base), exponent)
            case Call(name="where", arguments=(x, a, b)):
                return sympy.Piecewise((convert(a), sympy.Ge(convert(x), 0)), (convert(b), True))
            case Call(name=name, arguments=arguments):
                return getattr(sympy, _NAMES.get(name, name))(*(convert(argument) for argument in arguments))
        raise ExpressionError(f"{shorten(node)} is not an expression")

    return convert(value)


def from_sympy(value: Any, where: str = "number") -> Any:
    """A SymPy expression as an `Expression`, node by node; what is not on the allow-list is refused."""
    import sympy

    def convert(node: Any) -> Any:
        if isinstance(node, sympy.Rational):
            return normalised_exact_constant(Fraction(int(node.p), int(node.q)))
        if isinstance(node, sympy.Float):
            return as_scalar(float(node), where)
        if node is sympy.pi:
            return PI
        if node is sympy.E:
            return call("exp", 1)
        if isinstance(node, sympy.Symbol):
            return parse_expression(node.name)
        if isinstance(node, sympy.Add):
            return add(*(convert(term) for term in node.args))
        if isinstance(node, sympy.Mul):
            return multiply(*(convert(factor) for factor in node.args))
        if isinstance(node, sympy.exp):
            return call("exp", convert(node.args[0]))
        if isinstance(node, sympy.Pow):
            exponent = convert(node.exp)
            return raise_to(convert(node.base), exponent)
        if isinstance(node, sympy.Abs):
            return call("abs", convert(node.args[0]))
        if isinstance(node, sympy.Piecewise) and node.args[-1].cond == True:  # noqa: E712 - SymPy's own
            value = convert(node.args[-1].expr)
            for piece in node.args[-2::-1]:
                value = choose(piece.cond, convert(piece.expr), value)
            return value
        if isinstance(node, sympy.Min | sympy.Max):
            name = "min" if isinstance(node, sympy.Min) else "max"
            return reduce(lambda one, other: call(name, one, other), (convert(item) for item in node.args))
        if isinstance(node, sympy.re | sympy.conjugate):  # every letter of a model is real
            return convert(node.args[0])
        if isinstance(node, sympy.Function) and node.func.__name__ in FUNCTIONS:
            return call(node.func.__name__, *(convert(argument) for argument in node.args))
        raise refused(node)

    def choose(condition: Any, a: Any, b: Any) -> Any:
        """a where a comparison holds, else b."""
        if not isinstance(condition, sympy.Ge | sympy.Gt | sympy.Le | sympy.Lt):
            raise refused(condition)
        above = add(convert(condition.lhs), multiply(-1, convert(condition.rhs)))
        below = multiply(-1, above)
        match condition:
            case sympy.Ge():
                return call("where", above, a, b)
            case sympy.Le():
                return call("where", below, a, b)
            case sympy.Gt():
                return call("where", below, b, a)
        return call("where", above, b, a)

    def refused(node: Any) -> ExpressionError:
        return ExpressionError(
            f"SymPy's {shorten(str(node))} cannot stand in a model",
            where=where,
            remedy="use numbers, parameters, + - * / **, " + ", ".join(FUNCTIONS),
        )

    return convert(value)
