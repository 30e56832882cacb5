"""Exact trigonometric polynomials over ℚ, in normal form at all times.

The ring is ℚ[s_i, c_i, q_k, parameters, u, u̇, …] modulo s_i² + c_i² = 1, the relations of roots and axes
(r² = radicand, e·e = 1) and of unit quaternions where they are told. Every result is reduced so that each eliminated
letter (s_i, r, the last component of an axis, the first of a quaternion) has degree at most one; then two polynomials
are equal exactly when they are identical. The normal form keeps cosines: s² → 1 − c².
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from . import generators as letters
from .algebra import Algebra
from .backend import Backend, Poly, chosen_backend, make_backend
from .derivation_limits import current_budget
from .generators import Generator, Kind, Terms

__all__ = ["Ring", "letters_of", "make_ring"]

LONGEST = 5_000_000
"""Products of two terms that are made at one go: some tenths of a second."""


class Ring(Algebra):
    """Polynomials in a fixed, ordered set of generators; make one with `make_ring`.

    Elements are the backend's own polynomials: add and subtract them with + and −, multiply with `mul` (or
    `dot`, `cross`, …, which reduce once for a whole sum). ``free`` switches the relations off; ``balls`` are the places
    in q where a unit quaternion begins.
    """

    def __init__(
        self, generators: tuple[Generator, ...], name: str, free: bool = False, balls: frozenset[int] = frozenset()
    ) -> None:
        self.generators = generators
        self.name = name
        self.free = free
        self.balls = balls
        self.backend: Backend = make_backend(len(generators), name)
        self.index = {generator: i for i, generator in enumerate(generators)}
        self.zero: Poly = self.backend.zero
        self.one: Poly = self.backend.one
        self.constant = self.backend.constant
        self._unions: dict[Ring, Ring] = {}
        self._places: dict[Ring, tuple[int, ...]] = {}
        self.relations = () if free else tuple(self._relations())

    def __reduce__(self) -> tuple[Any, ...]:
        return _interned, (self.generators, self.name, self.free, self.balls)  # equal rings are one object

    def __repr__(self) -> str:
        return f"Ring({', '.join(map(repr, self.generators))})"

    def gen(self, generator: Generator) -> Poly:
        """The polynomial that is this letter."""
        return self.backend.gens[self.index[generator]]

    def _relations(self) -> Iterable[tuple[int, Poly, bool]]:
        """(letter, its square minus what replaces it, whether other letters with relations may come in)."""
        first_component: dict[tuple[Any, ...], int] = {}
        for g in self.generators:
            if g.kind is Kind.AXIS:
                axis = (g.name, g.definition)
                first_component[axis] = min(g.index, first_component.get(axis, 2))
        for i, g in enumerate(self.generators):
            if g.kind is Kind.ROOT:
                yield i, self.backend.gens[i] ** 2 - self.from_terms(g.definition), True
            elif g.kind is Kind.SIN and letters.cosine(g.index) in self.index:
                yield i, self.backend.gens[i] ** 2 + self.gen(letters.cosine(g.index)) ** 2 - 1, False
            elif g.kind is Kind.FUNCTION and g.name == "sin":
                partner = Generator(Kind.FUNCTION, 1, "cos", g.definition, g.depth)
                if partner in self.index:
                    yield i, self.backend.gens[i] ** 2 + self.gen(partner) ** 2 - 1, False
            elif g.kind is Kind.AXIS and g.index == first_component[g.name, g.definition]:
                squares = [self.gen(o) ** 2 for o in _companions(g)]
                yield i, sum(squares, self.zero) - 1, False
            elif g.kind is Kind.COORDINATE and g.index in self.balls:
                squares = [self.gen(letters.coordinate(g.index + k)) ** 2 for k in range(4)]
                yield i, sum(squares, self.zero) - 1, False

    def reduce(self, p: Poly) -> Poly:
        """The normal form of a polynomial."""
        if not self.relations:
            return p
        degrees = self.backend.degrees(p)
        for i, relation, recompute in self.relations:
            if degrees[i] > 1:
                p = self.backend.remainder(p, relation)
                if recompute:
                    degrees = self.backend.degrees(p)
        return p

    def mul(self, a: Poly, b: Poly) -> Poly:
        """a·b in normal form."""
        if not a or not b:
            return self.zero
        budget = current_budget()
        if budget is None:
            return self.reduce(self._times(a, b))
        budget.charge(len(a), len(b))
        product = self.reduce(self._times(a, b))
        budget.note(len(product))
        return product

    def _times(self, a: Poly, b: Poly) -> Poly:
        """a·b; a long product in pieces, each in normal form, between which Ctrl-C and the limit of time act."""
        if len(a) * len(b) <= LONGEST:
            return a * b
        if len(a) < len(b):
            a, b = b, a
        budget, total = current_budget(), self.zero
        for piece in self.backend.pieces(a, max(1, LONGEST // len(b))):
            if budget is not None:
                budget.charge(len(piece), len(b))
            total = total + self.reduce(piece * b)
        return total

    def power(self, p: Poly, exponent: int) -> Poly:
        """pᵏ in normal form, k ≥ 0."""
        result = self.one
        while exponent:
            if exponent & 1:
                result = self.mul(result, p)
            exponent >>= 1
            if exponent:
                p = self.mul(p, p)
        return result

    def dot(self, a: Sequence[Poly], b: Sequence[Poly]) -> Poly:
        """Σ a_k b_k, reduced once."""
        budget = current_budget()
        total = None
        for x, y in zip(a, b, strict=True):
            if x and y:
                if budget is not None:
                    budget.charge(len(x), len(y))
                product = self._times(x, y)
                total = product if total is None else total + product
        if total is None:
            return self.zero
        total = self.reduce(total)
        if budget is not None:
            budget.note(len(total))
        return total

    def partial(self, p: Poly, generator: Generator) -> Poly:
        """∂p/∂(letter), all other letters held."""
        i = self.index.get(generator)
        return self.zero if i is None else self.backend.diff(p, i)

    def by_angle(self, p: Poly, k: int) -> Poly:
        """∂p/∂q^k = c_k ∂p/∂s_k − s_k ∂p/∂c_k + ∂p/∂q_k, for polynomials without roots and functions of q."""
        s, c = letters.sine(k), letters.cosine(k)
        result = self.partial(p, letters.coordinate(k))
        if s in self.index:
            by_s, by_c = self.partial(p, s), self.partial(p, c)
            if by_s or by_c:
                result = result + self.dot((self.gen(c), -self.gen(s)), (by_s, by_c))
        return result

    def terms(self, p: Poly) -> Terms:
        """The polynomial free of this ring, in a fixed order."""
        named = [
            (tuple((g, k) for g, k in zip(self.generators, powers, strict=True) if k), coefficient)
            for powers, coefficient in self.backend.terms(p)
        ]
        return tuple(sorted(named, key=lambda term: [(g.order, k) for g, k in term[0]]))

    def from_terms(self, terms: Terms) -> Poly:
        """The inverse of `terms`; the result is reduced only if the terms were."""
        places: dict[tuple[int, ...], Any] = {}
        for monomial, coefficient in terms:
            powers = [0] * len(self.generators)
            for g, k in monomial:
                powers[self.index[g]] = k
            places[tuple(powers)] = coefficient
        return self.backend.from_terms(places)

    def lift(self, p: Poly, source: Ring) -> Poly:
        """A polynomial of a ring whose letters are all here."""
        if source is self:
            return p
        if source.generators == self.generators:
            return self.reduce(p) if self._stricter(source) else p
        places = self._places.get(source)
        if places is None:
            places = self._places[source] = tuple(self.index[g] for g in source.generators)
        moved = source.backend.move(p, self.backend, places)
        return self.reduce(moved) if self._stricter(source) else moved

    def _stricter(self, source: Ring) -> bool:
        """True where a normal form of the source need not be one here."""
        return not self.free and (source.free or self.balls != source.balls)

    def union(self, other: Ring) -> Ring:
        """The ring with the letters of both."""
        if other is self:
            return self
        found = self._unions.get(other)
        if found is None:
            free = self.free and other.free
            if other.generators == () and free == self.free:
                found = self
            else:
                found = make_ring(self.generators + other.generators, free, self.balls | other.balls)
            self._unions[other] = found
        return found

    def used(self, *polys: Poly) -> set[Generator]:
        """The letters that occur."""
        found: set[Generator] = set()
        for p in polys:
            if p:
                found.update(g for g, d in zip(self.generators, self.backend.degrees(p), strict=False) if d > 0)
        return found


@lru_cache(maxsize=512)
def _interned(generators: tuple[Generator, ...], name: str, free: bool, balls: frozenset[int]) -> Ring:
    return Ring(generators, name, free, balls)


def make_ring(generators: Iterable[Generator], free: bool = False, balls: Iterable[int] = ()) -> Ring:
    """The ring in these letters, in their order of elimination; with sin comes cos, with a root its radicand.

    ``balls``: the places in q where a quaternion of unit length begins; all its letters come with it.
    """
    wanted: set[Generator] = set()
    held = frozenset(balls)
    pending = [*generators, *(letters.coordinate(place + k) for place in held for k in range(4))]
    while pending:
        g = pending.pop()
        if g in wanted:
            continue
        wanted.add(g)
        pending.extend(_companions(g))
    return _interned(tuple(sorted(wanted, key=lambda g: g.order)), chosen_backend(), free, held)


def _companions(g: Generator) -> Iterable[Generator]:
    if g.kind is Kind.SIN:
        yield letters.cosine(g.index)
    elif g.kind is Kind.COS:
        yield letters.sine(g.index)
    elif g.kind is Kind.FUNCTION:
        if g.name in {"sin", "cos"}:
            yield Generator(Kind.FUNCTION, 1 - g.index, "cos" if g.name == "sin" else "sin", g.definition, g.depth)
        for terms in g.definition:
            yield from letters_of(terms)
    elif g.kind is Kind.ROOT:
        yield from letters_of(g.definition)
    elif g.kind is Kind.AXIS:
        for component, part in enumerate(g.definition):
            if part != 0:
                yield Generator(Kind.AXIS, component, g.name, g.definition)


def letters_of(terms: Terms) -> Iterable[Generator]:
    """The generators that a polynomial free of any ring mentions."""
    for monomial, _ in terms:
        for g, _power in monomial:
            yield g
