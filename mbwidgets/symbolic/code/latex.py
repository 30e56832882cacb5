"""LaTeX in the papers' notation: q^{1}, \\dot q^{1}, a_{11}, Γ_{55,2}, counted from 1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from ...expressions import Call, Expression, Pi, Power, Product, Sum, Symbol, Variable
from .infix import constant_and_divisors, split_sign

__all__ = [
    "absolute_latex",
    "formula_latex",
    "function_latex",
    "node_latex",
    "several_latex",
    "symbol_latex",
    "symbol_text",
]

_GREEK = re.compile(
    "(?:alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi"
    "|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega)\\Z"
)
_UNICODE = {"lambda": "lamda", "Lambda": "lamda"}
"""Letters whose names Unicode spells otherwise."""
_SPLIT = re.compile(r"(?P<head>[A-Za-z]+?)(?:_(?P<sub>[A-Za-z0-9_]+)|(?P<digits>[0-9]+[xyz]{0,2}))?\Z", re.ASCII)
_FUNCTIONS = {"atan": "\\arctan", "asin": "\\arcsin", "acos": "\\arccos", "sign": "\\operatorname{sgn}"}
_FUNCTIONS |= {"atan2": "\\operatorname{atan2}"}
_VARIABLES = {"q": "q^{{{}}}", "u": "\\dot q^{{{}}}", "ud": "\\ddot q^{{{}}}"}


def symbol_latex(name: str) -> str:
    """m2 is m_{2}, rho_1x is \\rho_{1x}, stiffness is upright: e1.x is e_{1x}: letters, digits, _ and the dot only.

    Multipliers, λ1, are the one Greek letter: no parameter can have their names.
    """
    head, sub = _head_and_index(name.replace("λ", "lambda"))
    text = f"\\{head}" if _GREEK.match(head) else head if len(head) == 1 else f"\\mathrm{{{head}}}"
    return f"{text}_{{{sub}}}" if sub else text


def symbol_text(name: str) -> str:
    """As `symbol_latex`, in plain text: m2 is m_{2}, phi0 is φ_{0}; a word, as payload, is no symbol, and empty."""
    head, sub = _head_and_index(name)
    if len(head) > 1 and not _GREEK.match(head):
        return ""
    capital = "CAPITAL" if head[0].isupper() else "SMALL"
    text = head if len(head) == 1 else unicodedata.lookup(f"GREEK {capital} LETTER {_UNICODE.get(head, head).upper()}")
    return f"{text}_{{{sub}}}" if sub else text


def _head_and_index(name: str) -> tuple[str, str]:
    """Jxz is J and xz, rho_1x is rho and 1x; an index of several words has commas."""
    found = _SPLIT.match(name.replace(".", ""))
    head, sub = (found["head"], found["sub"] or found["digits"]) if found else (name.replace("_", ""), None)
    inertia = re.match(r"([A-Z])([xyz]{1,2})\Z", head)
    if inertia:
        head, sub = inertia[1], (sub or "") + inertia[2]
    return head, (sub or "").replace("_", ",")


def function_latex(name: str) -> str:
    """The command for a function: atan is \\arctan."""
    return _FUNCTIONS.get(name, f"\\{name}")


def absolute_latex(argument: str) -> str:
    """|x|"""
    return f"\\left|{argument}\\right|"


def several_latex(name: str, arguments: Iterable[str]) -> str:
    """A function of several arguments; a choice as its cases."""
    if name == "where":
        x, a, b = arguments
        return f"\\begin{{cases}}{a} & {x} \\ge 0 \\\\ {b} & {x} < 0\\end{{cases}}"
    return f"{function_latex(name)}\\left({', '.join(arguments)}\\right)"


def node_latex(node: Any, level: int = 0) -> str:
    """``level``: 0 anywhere, 1 as a term, 2 as a factor, 3 as the base of a power."""
    text, rank = _node(node)
    return f"\\left({text}\\right)" if rank < level else text


def _node(node: Any) -> tuple[str, int]:
    match node:
        case int() | Fraction():
            value = Fraction(node)
            text = _fraction(str(abs(value.numerator)), value.denominator)
            return (f"-{text}", 0) if value < 0 else (text, 3 if value.denominator == 1 else 2)
        case Sum(terms=terms):
            text = node_latex(terms[0], 0)
            for term in terms[1:]:
                sign, rest = split_sign(term)
                text += f" {sign} {node_latex(rest, 1)}"
            return text, 0
        case Product(factors=factors):
            return _product(factors)
        case Power(base=base, exponent=exponent) if exponent < 0:
            return f"\\frac{{1}}{{{node_latex(base if exponent == -1 else Power(base, -exponent))}}}", 2
        case Power(base=Call(name="abs") as base, exponent=k):
            return f"{node_latex(base)}^{{{k}}}", 2
        case Power(base=Call(name=name, argument=argument, rest=()), exponent=k) if name != "sqrt":
            return f"{function_latex(name)}^{{{k}}} {_argument(argument)}", 2
        case Power(base=base, exponent=k):
            simple = isinstance(base, Symbol) and "^" not in symbol_latex(base.name)
            inner = node_latex(base) if simple or isinstance(base, Pi) else f"\\left({node_latex(base)}\\right)"
            return f"{inner}^{{{k}}}", 2
        case Call(name="abs", argument=argument):
            return absolute_latex(node_latex(argument)), 3
        case Call(name="sqrt", argument=argument):
            return f"\\sqrt{{{node_latex(argument)}}}", 3
        case Call(name="where", arguments=arguments):
            return several_latex("where", map(node_latex, arguments)), 0
        case Call(name=name, arguments=(_, _, *_) as arguments):
            return several_latex(name, map(node_latex, arguments)), 3
        case Call(name=name, argument=argument):
            return f"{function_latex(name)} {_argument(argument)}", 2
        case Pi():
            return "\\pi", 3
        case Symbol(name=name):
            return symbol_latex(name), 3
        case Variable(kind="t"):
            return "t", 3
        case Variable(kind=kind, index=index):
            return _VARIABLES[kind].format(index + 1), 3
    raise TypeError(node)


def _argument(argument: Any) -> str:
    bare = isinstance(argument, Symbol | Variable)
    return node_latex(argument) if bare else f"\\left({node_latex(argument)}\\right)"


def _product(factors: tuple[Any, ...]) -> tuple[str, int]:
    sign, top, bottom, under = constant_and_divisors(factors)
    shown = [f for f in factors if isinstance(f, Expression) and not (isinstance(f, Power) and f.exponent < 0)]
    pieces = ([str(top)] if top != 1 or not shown else []) + [
        node_latex(f, 2 if len(factors) > 1 else 0) for f in shown
    ]
    text = " ".join(pieces)
    if under or bottom != 1:
        below = " ".join(
            ([str(bottom)] if bottom != 1 else []) + [node_latex(u, 2 if bottom != 1 else 0) for u in under]
        )
        text = f"\\frac{{{_bare(text, pieces)}}}{{{below}}}"
    return (f"-{text}", 0) if sign < 0 else (text, 2)


def _bare(text: str, pieces: list[str]) -> str:
    """A lone sum over a fraction line needs no brackets."""
    if len(pieces) == 1 and text.startswith("\\left(") and text.endswith("\\right)"):
        return text[len("\\left(") : -len("\\right)")]
    return text


def _fraction(top: str, bottom: int) -> str:
    return top if bottom == 1 else f"\\frac{{{top}}}{{{bottom}}}"


def formula_latex(formula: Any, most_terms: int | None, entry_by_entry: bool | None = None) -> str:
    """A scalar, a column, a matrix, or a list of named entries.

    ``entry_by_entry``: write ``a_{42} = …`` for each entry that is not zero; by default for tensors of three indices.
    """
    if most_terms is not None and formula.terms > most_terms:
        size = " \\times ".join(map(str, formula.shape))
        return f"\\text{{{formula.terms:,} terms}}" + (f"\\;\\left({size}\\right)" if size else "")
    trees = formula.trees
    if formula.ndim > 2 if entry_by_entry is None else entry_by_entry:
        return "\\begin{aligned}" + " \\\\ ".join(_entries(formula, trees)) + "\\end{aligned}"
    if not formula.shape:
        return node_latex(trees.item())
    rows = (" & ".join(map(node_latex, row if formula.ndim == 2 else [row])) for row in trees)
    return "\\begin{bmatrix}" + " \\\\ ".join(rows) + "\\end{bmatrix}"


def _entries(formula: Any, trees: Any) -> list[str]:
    shown = [
        f"{formula.labels[index]} &= {node_latex(trees[index])}"
        for index in np.ndindex(trees.shape)
        if trees[index] != 0
    ]
    return shown or ["0"]
