"""Expressions of parameters, time and state, and the only parser that turns text into them.

An expression is an immutable tree of a few node kinds; constants are plain `int`, `Fraction` or `float`.
Text is read by an allow-list parser (numbers, names, ``+ - * / **``, a few functions): nothing in it is ever
executed. Numbers are exact: a float stands for the decimal that it prints as, and 0.5/3 is 1/6 (see `constants`).
"""

from .allowed import FUNCTIONS
from .calculus import derivative
from .constants import MAX_BITS, decimal, float_that_prints_as, fraction_if_short_decimal, underflows_to_zero
from .functions import acos, asin, atan, atan2, cos, exp, log, maximum, minimum, sign, sin, sqrt, tan, tanh, where
from .parser import parse_expression
from .smoothness import KINKED, first_kink
from .sympy_bridge import from_sympy, to_sympy
from .table import Table
from .tree import (
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LENGTH,
    MAX_NODES,
    MAX_POWER,
    NAME,
    PI,
    RESERVED,
    TIME,
    Call,
    Constant,
    Expression,
    NamedVariable,
    Pi,
    PointVariable,
    Power,
    Product,
    Sum,
    Symbol,
    Variable,
    as_scalar,
    call,
    check_limits,
    evaluate,
)

__all__ = [
    "FUNCTIONS",
    "KINKED",
    "MAX_BITS",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "MAX_LENGTH",
    "MAX_NODES",
    "MAX_POWER",
    "NAME",
    "PI",
    "RESERVED",
    "TIME",
    "Call",
    "Constant",
    "Expression",
    "NamedVariable",
    "Pi",
    "PointVariable",
    "Power",
    "Product",
    "Sum",
    "Symbol",
    "Table",
    "Variable",
    "acos",
    "as_scalar",
    "asin",
    "atan",
    "atan2",
    "call",
    "check_limits",
    "cos",
    "decimal",
    "derivative",
    "evaluate",
    "exp",
    "first_kink",
    "float_that_prints_as",
    "fraction_if_short_decimal",
    "from_sympy",
    "log",
    "maximum",
    "minimum",
    "parse_expression",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "tanh",
    "to_sympy",
    "underflows_to_zero",
    "where",
]
