"""How a formula is written: expanded, factored, collected by velocities, or in multiple angles.

Factored and collected gather cos x cos y − sin x sin y into cos(x + y) and its like, see `gathering`.

A form turns an exact value into a tree of `mbwidgets.expressions`, which LaTeX, text and SymPy print.
Factoring acts on a representative of the quotient ring, so equality is always tested on values, never on
what is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ...expressions import PI as PI_NODE
from ...expressions import TIME as TIME_NODE
from ...expressions import Call, Expression, Power, Product, Sum, Symbol, Variable, to_sympy
from ..code.infix import TEXT
from ..ring import generators as letters
from ..ring.backend import Poly
from ..ring.element import Element
from ..ring.generators import Generator, Kind, Terms
from ..ring.ring import Ring
from .angle_sums import Gathered, gather_pairs
from .multiple_angles import fourier_terms

__all__ = ["as_sympy", "as_text", "count_parts", "expression_tree"]

FACTOR_UP_TO = 300
"""Polynomials with more terms are grouped by their trigonometric monomials instead: factoring has no time
limit.
"""

_PLACE = {
    Kind.PI: 0,
    Kind.ROOT: 1,
    Kind.PARAMETER: 2,
    Kind.FUNCTION: 3,
    Kind.AXIS: 4,
    Kind.COS: 5,
    Kind.SIN: 6,
    Kind.COORDINATE: 7,
    Kind.TIME: 8,
    Kind.VELOCITY: 9,
    Kind.ACCELERATION: 10,
}
_MOTION = (Kind.VELOCITY, Kind.ACCELERATION)
_ANGLE = (Kind.SIN, Kind.COS, Kind.COORDINATE)

Monomial = tuple[tuple[Generator, int], ...]


def expression_tree(element: Element, form: str = "expanded") -> Any:
    """An exact value as an expression tree in the form asked for."""
    top = _poly_tree(element.ring, element.num, form)
    if element.den is None:
        return top
    return _quotient(top, _poly_tree(element.ring, element.den, form))


def count_parts(formula: Any, form: str) -> int:
    """How many operators and leaves the formula has in a form."""
    return sum(_count(expression_tree(entry, form)) for entry in formula.entries)


def _count(node: Any) -> int:
    return 1 + sum(_count(child) for child in node.children()) if isinstance(node, Expression) else 1


def _poly_tree(home: Ring, p: Poly, form: str) -> Any:
    if form == "factored":
        return factored_tree(home, p)
    if form == "collected":
        return _collected(home, p)
    if form == "angles":
        return _sum_tree([(c, extra, m) for (m, extra), c in fourier_terms(home, p).items()])
    return expanded_tree(home, p)


def expanded_tree(home: Ring, p: Poly) -> Any:
    """A sum of terms, small degrees first, as the papers print."""
    return _sum_tree([(c, None, m) for m, c in _monomials(home, p)])


def _monomials(home: Ring, p: Poly) -> list[tuple[Monomial, Fraction]]:
    return [
        (tuple((g, k) for g, k in zip(home.generators, powers, strict=True) if k), c)
        for powers, c in home.backend.terms(p)
    ]


def _order(monomial: Monomial) -> Any:
    shown = sorted(monomial, key=lambda item: _letter_order(item[0]))
    return sum(k for _, k in monomial), [(_letter_order(g), -k) for g, k in shown]


def _letter_order(g: Generator) -> Any:
    return (_PLACE[g.kind], g.index, g.order)


def _sum_tree(terms: Iterable[tuple[Fraction, Any, Monomial]]) -> Any:
    ordered = sorted(terms, key=lambda term: (_order(term[2]), repr(term[1]) if term[1] is not None else ""))
    nodes = [product_tree(c, [*monomial_nodes(m), *([] if extra is None else [extra])]) for c, extra, m in ordered]
    if not nodes:
        return 0
    return nodes[0] if len(nodes) == 1 else Sum(tuple(nodes))


def monomial_nodes(monomial: Monomial) -> list[Any]:
    """Letters with their powers, in the order in which the papers write them."""
    shown = sorted(monomial, key=lambda item: _letter_order(item[0]))
    return [letter_node(g) if k == 1 else Power(letter_node(g), k) for g, k in shown]


def product_tree(coefficient: Fraction, factors: list[Any]) -> Any:
    """coefficient · Π factors as one node."""
    plain = int(coefficient) if coefficient.denominator == 1 else coefficient
    if not factors:
        return plain
    if plain == 1:
        return factors[0] if len(factors) == 1 else Product(tuple(factors))
    return Product((plain, *factors))


def _quotient(top: Any, bottom: Any) -> Any:
    under = Power(bottom, -1)
    if isinstance(top, Product):
        return Product((*top.factors, under))
    return under if top == 1 else Product((top, under))


def letter_node(g: Generator) -> Any:
    """A letter as a tree: sin q, a parameter, a root with its radicand."""
    match g.kind:
        case Kind.SIN:
            return Call("sin", Variable("q", g.index))
        case Kind.COS:
            return Call("cos", Variable("q", g.index))
        case Kind.COORDINATE:
            return Variable("q", g.index)
        case Kind.VELOCITY:
            return Variable("u", g.index)
        case Kind.ACCELERATION:
            return Variable("ud", g.index)
        case Kind.TIME:
            return TIME_NODE
        case Kind.PI:
            return PI_NODE
        case Kind.PARAMETER:
            return Symbol(g.name)
        case Kind.AXIS:
            return Symbol(axis_name(g))
        case Kind.ROOT:
            return Call("sqrt", terms_tree(g.definition))
    parts = ((terms_tree(top), terms_tree(bottom)) for top, bottom in g.argument_pairs)
    argument, *rest = (top if bottom == 1 else _quotient(top, bottom) for top, bottom in parts)
    return Power(argument, -1) if g.name == "inverse" else Call(g.name, argument, tuple(rest))


def axis_name(g: Generator) -> str:
    """e1.x: the dot keeps it apart from every parameter's name."""
    return f"{g.name}.{'xyz'[g.index]}"


def terms_tree(terms: Terms) -> Any:
    """A polynomial free of any ring as a sum of terms."""
    return _sum_tree([(c, None, m) for m, c in terms])


def factored_tree(home: Ring, p: Poly) -> Any:
    """A product of factors; what is too long to factor is grouped by its trigonometric monomials."""
    if not p:
        return 0
    if len(p) > FACTOR_UP_TO:
        return _grouped(home, p, _ANGLE + _MOTION)
    content, factors = home.backend.factor(fewest_terms(home, p))
    monomial: dict[Generator, int] = {}
    angles: list[Any] = []
    sums: list[tuple[Any, Any]] = []
    for factor, power in factors:
        terms = _written(home, dict(_monomials(home, factor)))
        if len(terms) == 1:
            content *= terms[0].coefficient ** power
            for g, k in terms[0].monomial:
                monomial[g] = monomial.get(g, 0) + k * power
            angles += [_raised(node, power) for node in terms[0].nodes]
            continue
        sign, node = _with_sign(home, factor, terms)
        content *= sign**power
        sums.append((_count(node), _raised(node, power)))
    nodes = monomial_nodes(tuple(monomial.items()))
    ordered = [node for _, node in sorted(sums, key=lambda item: (item[0], repr(item[1])))]
    return product_tree(content, nodes + angles + ordered)


def _raised(node: Any, power: int) -> Any:
    if power == 1:
        return node
    return Power(node.base, node.exponent * power) if isinstance(node, Power) else Power(node, power)


def _written(home: Ring, terms: Mapping[Monomial, Any]) -> list[Gathered]:
    """The terms as they are written: pairs gathered, small degrees first."""
    # in a free ring sin and cos are unrelated
    plain = (Gathered(c, m, (), sum(k for _, k in m)) for m, c in terms.items())
    return sorted(plain if home.free else gather_pairs(terms), key=_rank)


def _rank(term: Gathered) -> Any:
    return term.degree, _order(term.monomial)[1], [repr(node) for node in term.nodes]


def _with_sign(home: Ring, p: Poly, terms: list[Gathered]) -> tuple[int, Any]:
    """±1 and the sum with a positive first term; long sums are grouped."""
    sign = -1 if terms[0].coefficient < 0 else 1
    kinds = {g.kind for g in home.used(p)}
    if len(terms) > 8 and Kind.PARAMETER in kinds and not kinds.isdisjoint(_ANGLE + _MOTION):
        return sign, _grouped(home, p if sign > 0 else -p, _ANGLE + _MOTION)
    nodes = [product_tree(sign * c, [*monomial_nodes(m), *extra]) for c, m, extra, _ in terms]
    return sign, Sum(tuple(nodes))


def _collected(home: Ring, p: Poly) -> Any:
    return _grouped(home, p, _MOTION)


def _grouped(home: Ring, p: Poly, kinds: tuple[Kind, ...]) -> Any:
    """Σ monomial · (factored coefficient), monomials in the letters of some kinds."""
    groups: dict[Monomial, dict[tuple[int, ...], Fraction]] = {}
    for powers, c in home.backend.terms(p):
        key = tuple((g, k) for g, k in zip(home.generators, powers, strict=True) if k and g.kind in kinds)
        rest = tuple(0 if g.kind in kinds else k for g, k in zip(home.generators, powers, strict=True))
        groups.setdefault(key, {})[rest] = c
    made = {key: home.backend.from_terms(terms) for key, terms in groups.items()}
    nodes = []
    for coefficient, key, angles, _ in _written(home, made):
        factors = [*monomial_nodes(key), *angles]
        if len(coefficient) > FACTOR_UP_TO:
            nodes.append(product_tree(Fraction(1), [expanded_tree(home, coefficient), *factors]))
        else:
            nodes.append(_times(factored_tree(home, coefficient), factors))
    return nodes[0] if len(nodes) == 1 else Sum(tuple(nodes)) if nodes else 0


def _times(node: Any, factors: list[Any]) -> Any:
    if not factors:
        return node
    if isinstance(node, Product):
        head = [f for f in node.factors if not isinstance(f, Sum)]
        tail = [f for f in node.factors if isinstance(f, Sum)]
        return Product((*head, *factors, *tail))
    if isinstance(node, Sum):
        return Product((*factors, node))
    if node == 1:
        return factors[0] if len(factors) == 1 else Product(tuple(factors))
    return Product((node, *factors))


def fewest_terms(home: Ring, p: Poly) -> Poly:
    """Per angle, c² → 1 − s² where that leaves fewer terms than the normal form s² → 1 − c²."""
    degrees = home.backend.degrees(p)
    for g in home.generators:
        if g.kind is Kind.COS and degrees[home.index[g]] > 1 and not home.free:
            other = _with_sines(home, p, g, letters.sine(g.index))
            if len(other) < len(p):
                p = other
    return p


def _with_sines(home: Ring, p: Poly, c: Generator, s: Generator) -> Poly:
    """c² → 1 − s² for one angle, in the polynomial ring without that relation."""
    place = home.index[c]
    split: dict[int, dict[tuple[int, ...], Fraction]] = {}
    for powers, coefficient in home.backend.terms(p):
        rest = (*powers[:place], powers[place] % 2, *powers[place + 1 :])
        split.setdefault(powers[place] // 2, {})[rest] = coefficient
    square = home.one - home.gen(s) ** 2
    result = home.zero
    for half, terms in split.items():
        result = result + home.backend.from_terms(terms) * square**half
    return result


def as_text(formula: Any) -> str:
    """Nested brackets of plain text, coordinates counted from 0."""

    def nested(array: Any) -> str:
        if not isinstance(array, np.ndarray):
            return TEXT.print(array)
        return "[" + ", ".join(nested(part) for part in array) + "]"

    return nested(formula.trees if formula.shape else formula.trees.item())


def as_sympy(formula: Any) -> Any:
    """The formula in SymPy, in its form."""
    import sympy

    axes = {axis_name(g): g for g in formula.ring.generators if g.kind is Kind.AXIS}

    def leaf(node: Any) -> Any:
        name = node.name if isinstance(node, Symbol) else repr(node)
        if name not in axes:
            return sympy.Symbol(name)
        parts = [to_sympy(part) for part in axes[name].definition]
        return parts[axes[name].index] / sympy.sqrt(sum(part**2 for part in parts))

    flat = [to_sympy(node, leaf) for node in formula.trees.reshape(-1)]
    if not formula.shape:
        return flat[0]
    if formula.ndim == 1:
        return sympy.ImmutableMatrix(len(flat), 1, flat)
    if formula.ndim == 2:
        return sympy.ImmutableMatrix(*formula.shape, flat)
    return sympy.ImmutableDenseNDimArray(flat, formula.shape)
