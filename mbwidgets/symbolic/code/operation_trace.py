"""A program as a list of operations, each made once: what code export prints.

Arithmetic on `Node` records operations; equal operations are the same node, so common subexpressions are
found as they arise. Constants are folded exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ...expressions import Call, Expression, Pi, Power, Product, Sum, Symbol, decimal
from ..ring.algebra import Algebra
from ..ring.derivation_limits import current_budget
from ..ring.element import Element
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring

__all__ = ["Node", "Trace"]

Key = tuple[Any, ...]
OFTEN = 256
"""Operations between two looks at the clock: less than a millisecond's work."""


class Node:
    """One value of a program."""

    __slots__ = ("args", "index", "op", "trace")

    def __init__(self, trace: Trace, index: int, op: str, args: Key) -> None:
        self.trace, self.index, self.op, self.args = trace, index, op, args

    def __bool__(self) -> bool:
        return not (self.op == "const" and self.args[0] == 0)

    def __add__(self, other: Node) -> Node:
        return self.trace.add_nodes(self, other)

    def __sub__(self, other: Node) -> Node:
        return self.trace.add_nodes(self, -other)

    def __neg__(self) -> Node:
        return self.trace.negate(self)

    def __mul__(self, other: Node) -> Node:
        return self.trace.mul(self, other)

    def __truediv__(self, other: Node) -> Node:
        return self.trace.divide(self, other)


class Trace(Algebra):
    """A growing program; inputs are ``("q", k)``, ``("u", k)``, ``("ud", k)``, ``("tau", k)``, ``("t",
    0)``, ``("p", k)``.
    """

    zero: Node
    one: Node

    def __init__(self, parameters: Sequence[str] = ()) -> None:
        self.nodes: list[Node] = []
        self._known: dict[Key, Node] = {}
        self._apart: dict[int, tuple[Fraction, Node]] = {}
        self.parameters = list(parameters)
        self.zero = self.constant(0)
        self.one = self.constant(1)
        self._letters: dict[Generator, Node] = {}

    def _node(self, op: str, *args: Any) -> Node:
        key = (op, *(a.index if isinstance(a, Node) else a for a in args))
        node = self._known.get(key)
        if node is None:
            node = Node(self, len(self.nodes), op, args)
            self.nodes.append(node)
            if len(self.nodes) % OFTEN == 0 and (budget := current_budget()) is not None:
                budget.charge(1, 1)  # of time
            self._known[key] = node
        return node

    def constant(self, value: Fraction | int) -> Node:
        return self._node("const", Fraction(value))

    def input(self, name: str, index: int) -> Node:
        return self._node("input", name, index)

    def call(self, function: str, *arguments: Node) -> Node:
        return self._node("call", function, *arguments)

    def negate(self, a: Node) -> Node:
        if a.op == "const":
            return self.constant(-a.args[0])
        inner: Node = a.args[0] if a.op == "neg" else self._node("neg", a)
        return inner

    def add_nodes(self, a: Node, b: Node) -> Node:
        if not a:
            return b
        if not b:
            return a
        if a.op == "const" and b.op == "const":
            return self.constant(a.args[0] + b.args[0])
        if a.op == "neg" and b.op == "neg":
            return self.negate(self.add_nodes(a.args[0], b.args[0]))
        if b.op == "neg":
            return self.zero if b.args[0] is a else self._node("sub", a, b.args[0])
        if a.op == "neg":
            return self.zero if a.args[0] is b else self._node("sub", b, a.args[0])
        first, second = (a, b) if a.index <= b.index else (b, a)
        return self._node("add", first, second)

    def mul(self, a: Node, b: Node) -> Node:
        if not a or not b:
            return self.zero
        if a.op == "const" and b.op == "const":
            return self.constant(a.args[0] * b.args[0])
        if (a.op == "neg") != (b.op == "neg"):  # before constants are looked for: 0.5*(-(2*x)) is -x
            return self.negate(self.mul(*(x.args[0] if x.op == "neg" else x for x in (a, b))))
        if b.op == "const":
            a, b = b, a
        if a.op == "const":
            if a.args[0] == 1:
                return b
            if a.args[0] < 0:
                return self.negate(self.mul(self.constant(-a.args[0]), b))
            factor, rest = self._factor_apart(b)
            if factor != 1:  # 0.5*(y*(2*x)) is y*x
                return self.mul(self.constant(a.args[0] * factor), rest)
        elif _has_factor(a) and _has_factor(b):  # (0.5*x)*(2*y) is x*y
            return self.mul(self.constant(a.args[0].args[0] * b.args[0].args[0]), self.mul(a.args[1], b.args[1]))
        a, b = (x.args[0] if x.op == "neg" else x for x in (a, b))
        first, second = (a, b) if a.op == "const" or (a.index <= b.index and b.op != "const") else (b, a)
        return self._node("mul", first, second)

    def _factor_apart(self, a: Node) -> tuple[Fraction, Node]:
        """The constants in a product, multiplied, and the product without them."""
        if a.op != "mul":
            return Fraction(1), a
        if a.args[0].op == "const":
            return a.args[0].args[0], a.args[1]
        if a.index not in self._apart:
            (c, x), (d, y) = map(self._factor_apart, a.args)
            self._apart[a.index] = (c * d, a if c == d == 1 else self.mul(x, y))
        return self._apart[a.index]

    def divide(self, a: Node, b: Node) -> Node:
        if b.op == "const":
            return self.mul(self.constant(1 / b.args[0]), a)
        return self._node("div", a, b) if a else a

    def dot(self, a: Sequence[Node], b: Sequence[Node]) -> Node:
        total = self.zero
        for x, y in zip(a, b, strict=True):
            if x and y:
                total = total + self.mul(x, y)
        return total

    # From exact values to operations.

    def letter(self, g: Generator) -> Node:
        """A generator: an input, or the operations that its definition tells."""
        if g not in self._letters:
            self._letters[g] = self._letter(g)
        return self._letters[g]

    def _letter(self, g: Generator) -> Node:
        names = {Kind.COORDINATE: "q", Kind.VELOCITY: "u", Kind.ACCELERATION: "ud"}
        match g.kind:
            case Kind.SIN | Kind.COS:
                return self.call("sin" if g.kind is Kind.SIN else "cos", self.input("q", g.index))
            case Kind.COORDINATE | Kind.VELOCITY | Kind.ACCELERATION:
                return self.input(names[g.kind], g.index)
            case Kind.TIME:
                return self.input("t", 0)
            case Kind.PI:
                return self._node("pi")
            case Kind.PARAMETER:
                return self.parameter(g.name)
            case Kind.ROOT:
                return self.call("sqrt", self._terms(g.definition))
            case Kind.AXIS:
                parts = [self.tree(part) for part in g.definition]
                return parts[g.index] / self.call("sqrt", self.dot(parts, parts))
        argument, *rest = (self._terms(top) / self._terms(bottom) for top, bottom in g.argument_pairs)
        return self.one / argument if g.name == "inverse" else self.call(g.name, argument, *rest)

    def parameter(self, name: str) -> Node:
        if name not in self.parameters:
            self.parameters.append(name)
        return self.input("p", self.parameters.index(name))

    def _terms(self, terms: Any) -> Node:
        return self._horner([(dict(monomial), coefficient) for monomial, coefficient in terms])

    def polynomial(self, home: Ring, p: Any) -> Node:
        """A polynomial by Horner's scheme, the most frequent letter first."""
        named = [
            ({g: k for g, k in zip(home.generators, powers, strict=True) if k}, c)
            for powers, c in home.backend.terms(p)
        ]
        return self._horner(named)

    def element(self, value: Element) -> Node:
        value = value.scaled()
        top = self.polynomial(value.ring, value.num)
        return top if value.den is None else top / self.polynomial(value.ring, value.den)

    def _horner(self, terms: list[tuple[dict[Generator, int], Fraction]]) -> Node:
        total = self.zero
        while terms:
            counts: dict[Generator, int] = {}
            for monomial, _ in terms:
                for g in monomial:
                    counts[g] = counts.get(g, 0) + 1
            best = min(counts, key=lambda g: (-counts[g], g.order), default=None)
            if best is None or counts[best] == 1:
                for monomial, c in terms:
                    total = total + self._monomial(monomial, c)
                break
            inside = [(monomial, c) for monomial, c in terms if best in monomial]
            terms = [(monomial, c) for monomial, c in terms if best not in monomial]
            low = min(monomial[best] for monomial, _ in inside)
            lowered = [(_lowered(monomial, best, low), c) for monomial, c in inside]
            total = total + self.mul(self._power(best, low), self._horner(lowered))
        return total

    def _power(self, g: Generator, k: int) -> Node:
        base = self.letter(g)
        result = base
        for _ in range(k - 1):
            result = self.mul(result, base)
        return result

    def _monomial(self, monomial: dict[Generator, int], c: Fraction) -> Node:
        product = self.one
        for g in sorted(monomial, key=lambda g: g.order):
            product = self.mul(product, self._power(g, monomial[g]))
        return self.mul(self.constant(c), product)

    def tree(self, node: Any) -> Node:
        """An expression of parameters."""
        match node:
            case Symbol(name=name):
                return self.parameter(name)
            case Pi():
                return self._node("pi")
            case Sum(terms=terms):
                total = self.zero
                for term in terms:
                    total = total + self.tree(term)
                return total
            case Product(factors=factors):
                product = self.one
                for factor in factors:
                    product = self.mul(product, self.tree(factor))
                return product
            case Power(base=base, exponent=k):
                result, single = self.one, self.tree(base)
                for _ in range(abs(k)):
                    result = self.mul(result, single)
                return result if k > 0 else self.one / result
            case Call(name=name, arguments=arguments):
                return self.call(name, *(self.tree(argument) for argument in arguments))
        assert not isinstance(node, Expression)
        return self.constant(decimal(node) if isinstance(node, float) else Fraction(node))


def _has_factor(a: Node) -> bool:
    """Whether a value is a constant times another."""
    return bool(a.op == "mul" and a.args[0].op == "const")


def _lowered(monomial: dict[Generator, int], g: Generator, low: int) -> dict[Generator, int]:
    left = dict(monomial)
    left[g] -= low
    if not left[g]:
        del left[g]
    return left
