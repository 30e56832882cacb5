"""Numbers from exact formulae: polynomials compiled to tables of powers, evaluated on whole batches of
states.

No code is generated: a polynomial becomes a matrix of exponents, and NumPy multiplies columns. Monomials
that several entries share are computed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import ExpressionError, StateError, shorten
from ...expressions import Call, Pi, Power, Product, Sum, Symbol
from ..ring.element import Element
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring

__all__ = ["Defaults", "Late", "Plan", "State"]

Array = Any
CHUNK = 200_000
"""Monomial values held at once: batches are cut to pieces that stay in the cache."""

MODERATE_BITS = 200
"""Roots of polynomials with coefficients beyond 2²⁰⁰ are divided by a power of two."""

_FUNCTIONS: dict[str, Callable[..., Array]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "atan": np.arctan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "abs": np.abs,
    "sign": np.sign,
    "atan2": lambda y, x: np.arctan2(y + 0.0, x + 0.0),
    "min": np.minimum,
    "max": np.maximum,
    "where": lambda x, a, b: np.where(np.asarray(x) >= 0.0, a, b),
    "inverse": np.reciprocal,
}


_VECTORS = {Kind.COORDINATE: "q", Kind.VELOCITY: "u", Kind.ACCELERATION: "ud"}


class Late:
    """A parameter's value that follows from the state, found when a formula asks for it."""

    def at(self, state: State) -> Array:
        """Numbers, flat over the batch."""
        raise NotImplementedError


class Defaults(dict[str, Any]):
    """Parameters' values by name; ``sizes``: how many coordinates and velocities their model has, where it is known."""

    sizes: tuple[int, int] | None = None

    @classmethod
    def of(cls, model: Any) -> Defaults:
        """The values of a model, and its sizes."""
        found = cls((name, parameter.value) for name, parameter in dict(model.parameters).items())
        if hasattr(model, "nq") and hasattr(model, "nv"):
            found.sizes = (model.nq, model.nv)
        return found

    @classmethod
    def joined(cls, *tables: Mapping[str, Any]) -> Defaults:
        """All of them, the last winning; the sizes that all know that know any."""
        found = cls()
        for table in tables:
            found.update(table)
        known = {table.sizes for table in tables if isinstance(table, Defaults) and table.sizes is not None}
        found.sizes = known.pop() if len(known) == 1 else None
        return found


class State:
    """Values of q, u, u̇, t and parameters, broadcast over their leading dimensions and laid flat.

    ``sizes``: how many coordinates and velocities there are; more are refused, since they would be of another model.
    """

    def __init__(
        self, q: Any, u: Any, ud: Any, t: Any, parameters: Mapping[str, Any], sizes: tuple[int, int] | None = None
    ) -> None:
        vectors = (("q", q), ("u", u), ("ud", ud))
        self._vectors = {name: _vector(name, value) for name, value in vectors if value is not None}
        for name, vector in self._vectors.items():
            most = vector.shape[-1] if sizes is None else sizes[name != "q"]
            if vector.shape[-1] > most:
                raise StateError(
                    f"{name} has {vector.shape[-1]} entries, the model has {most}", remedy=f"give {most} numbers"
                )
        self._late: dict[str, Late] = {}
        self._scalars: dict[str, Any] = {"t": _scalar("t", t)}
        for name, value in parameters.items():
            if isinstance(value, Late):
                self._late[name] = value
            elif value is not None:
                self._scalars[name] = _scalar(name, value)
        self._numbers: dict[str, list[float]] = {}
        self.batch: tuple[int, ...] = ()
        shapes = [v.shape[:-1] for v in self._vectors.values() if v.ndim > 1]
        shapes += [s.shape for s in self._scalars.values() if type(s) is not float]
        try:
            if any(shapes):
                self.batch = np.broadcast_shapes(*shapes)
        except ValueError:
            raise StateError(
                f"the leading dimensions {shapes} do not go together",
                remedy="give every array the same batch shape",
            ) from None

    @property
    def is_one(self) -> bool:
        """Whether it is a single state."""
        return not self.batch

    def number(self, name: str, index: int) -> float:
        """q[index] and so on of a single state."""
        numbers = self._numbers.get(name)
        if numbers is None and name in self._vectors:
            numbers = self._numbers[name] = self._vectors[name].tolist()
        if numbers is None or index >= len(numbers):
            return float(self.entry(name, index)[0])
        return numbers[index]

    def sine(self, index: int) -> float:
        """sin q[index] of a single state."""
        return self._turned("sin", np.sin, index)

    def cosine(self, index: int) -> float:
        """cos q[index] of a single state."""
        return self._turned("cos", np.cos, index)

    def _turned(self, name: str, function: Callable[[Array], Array], index: int) -> float:
        if name not in self._numbers and "q" in self._vectors:
            self._numbers[name] = function(self._vectors["q"]).tolist()
        if index >= len(self._numbers.get(name, ())):
            return float(function(self.entry("q", index))[0])
        return self._numbers[name][index]

    def parameter(self, name: str) -> float:
        """A parameter of a single state."""
        found = self._scalars.get(name)
        return found if type(found) is float else float(self.scalar(name)[0])

    def entry(self, name: str, index: int) -> Array:
        """q[index] and so on, flat over the batch."""
        vector = self._vectors.get(name)
        if vector is None or index >= vector.shape[-1]:
            have = 0 if vector is None else vector.shape[-1]
            raise StateError(f"{name}[{index}] has no value: {name} has {have} entries", remedy=f"give {name}=[...]")
        return np.broadcast_to(vector[..., index], self.batch).reshape(-1)

    @property
    def parameters(self) -> dict[str, Array]:
        """All parameters that have values, t left out, flat over the batch."""
        return {name: self.scalar(name) for name in self._scalars if name != "t"}

    def scalar(self, name: str) -> Array:
        """A parameter, flat over the batch."""
        if name in self._late:
            self._scalars[name] = self._late.pop(name).at(self).reshape(self.batch)
        if name not in self._scalars:
            raise ExpressionError(
                f"parameter {name!r} has no value", remedy=f"give it one: .evaluate(..., {name}=value)"
            )
        return np.broadcast_to(self._scalars[name], self.batch).reshape(-1)


def _vector(name: str, value: Any) -> Array:
    plain = type(value) is np.ndarray and value.dtype == float and value.ndim == 1
    if plain and math.isfinite(value.sum()):
        return value
    array = np.atleast_1d(_reals(name, value))
    if not np.isfinite(array).all():
        raise StateError(f"{name} has values that are not finite", remedy="give finite numbers")
    return array


def _reals(name: str, value: Any) -> Array:
    try:
        if np.iscomplexobj(value):
            raise TypeError
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ExpressionError(f"{name} = {shorten(value)} is not real numbers", remedy="give real numbers") from None


def _scalar(name: str, value: Any) -> Any:
    """A number as a float, others as an array."""
    if type(value) is float and math.isfinite(value):
        return value
    array = _reals(name, value)
    if not np.isfinite(array).all():
        raise StateError(f"{name} has values that are not finite", remedy="give finite numbers")
    return array


class Plan:
    """Several elements of one ring, ready to be evaluated."""

    def __init__(self, home: Ring, elements: Sequence[Element]) -> None:
        self.ring = home
        self.size = len(elements)
        elements = [e.scaled() for e in _moderated(home, elements)]
        polys: dict[int, tuple[int, Any]] = {}  # a symmetric tensor holds each polynomial twice

        def place(p: Any) -> int:
            return polys.setdefault(id(p), (len(polys), p))[0]

        self.tops = np.array([place(e.num) for e in elements], dtype=np.intp)
        self.over = np.array([i for i, e in enumerate(elements) if e.den is not None], dtype=np.intp)
        self.bottoms = np.array([place(e.den) for e in elements if e.den is not None], dtype=np.intp)
        self._compile([p for _, p in polys.values()])

    def _numbers(self, p: Any) -> list[tuple[tuple[int, ...], float]]:
        try:
            return self.ring.backend.numeric_terms(p)
        except OverflowError:
            raise ExpressionError(
                "a coefficient has no double", remedy="give the model numbers nearer to one, or as parameters"
            ) from None

    def _compile(self, polys: Sequence[Any]) -> None:
        monomials: dict[tuple[int, ...], int] = {}
        which: list[int] = []
        coefficients: list[float] = []
        starts: list[int] = []
        nothing = [((0,) * len(self.ring.generators), 0.0)]
        for p in polys:
            starts.append(len(which))
            for powers, coefficient in self._numbers(p) or nothing:
                which.append(monomials.setdefault(powers, len(monomials)))
                coefficients.append(coefficient)
        self.which = np.array(which, dtype=np.intp)
        self.coefficients = np.array(coefficients)
        self.starts = np.array(starts, dtype=np.intp)
        exponents = np.array(list(monomials), dtype=np.int16).reshape(len(monomials), len(self.ring.generators))
        self.monomials = len(monomials)
        self.factors = [
            (g, int(k), np.flatnonzero(exponents[:, i] == k))
            for i, g in enumerate(self.ring.generators)
            for k in np.unique(exponents[:, i])
            if k
        ]

    def __call__(self, state: State) -> Array:
        """Values of shape (batch…, elements)."""
        if state.is_one:
            return self._at_one(state)
        count = int(np.prod(state.batch, dtype=int))
        letters = _Letters(state)
        needed = {g: letters.value(g) for g, _, _ in self.factors}
        out = np.empty((self.size, count))
        step = max(1, CHUNK // max(1, len(self.which) + self.monomials))
        for begin in range(0, count, step):
            part = slice(begin, min(count, begin + step))
            out[:, part] = self._values({g: v[part] for g, v in needed.items()}, part.stop - part.start)
        return out.T.reshape((*state.batch, self.size))

    @cached_property
    def _single(self) -> tuple[list[tuple[Kind, int, str, Generator, int]], Array, Array]:
        """The powers of letters that occur; which of them each monomial is the product of; where monomials begin.

        Place 0 is the empty product.
        """
        powers, of_monomial = [], list[list[int]]([] for _ in range(self.monomials))
        for place, (g, power, rows) in enumerate(self.factors, 1):
            powers.append((g.kind, g.index, g.name, g, power))
            for row in rows:
                of_monomial[row].append(place)
        lengths = [max(1, len(places)) for places in of_monomial]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp) if lengths else np.empty(0, np.intp)
        return powers, np.array([place for places in of_monomial for place in places or [0]], dtype=np.intp), starts

    def _at_one(self, state: State) -> Array:
        """The values at a single state: the same numbers, without the cost of arrays of one."""
        powers, places, starts = self._single
        rest: _Letters | None = None
        values = [1.0]
        for kind, index, name, g, power in powers:
            if kind is Kind.SIN:
                value = state.sine(index)
            elif kind is Kind.COS:
                value = state.cosine(index)
            elif kind is Kind.PARAMETER:
                value = state.parameter(name)
            elif kind in _VECTORS:
                value = state.number(_VECTORS[kind], index)
            else:
                rest = rest or _Letters(state)
                value = float(rest.value(g)[0])
            values.append(value if power == 1 else value * value if power == 2 else value**power)
        products = np.multiply.reduceat(np.array(values)[places], starts) if len(starts) else np.empty(0)
        terms = products[self.which] * self.coefficients
        sums = np.add.reduceat(terms, self.starts) if len(self.starts) else np.empty(0)
        result: Array = sums[self.tops]
        if len(self.over):
            with np.errstate(divide="ignore", invalid="ignore"):
                result[self.over] /= sums[self.bottoms]
        return result

    def _values(self, letters: Mapping[Generator, Array], count: int) -> Array:
        values = np.ones((self.monomials, count))
        for g, power, rows in self.factors:
            values[rows] *= letters[g] ** power
        terms = values[self.which] * self.coefficients[:, None]
        sums = np.add.reduceat(terms, self.starts, axis=0) if len(self.starts) else np.empty((0, count))
        result = sums[self.tops]
        with np.errstate(divide="ignore", invalid="ignore"):
            result[self.over] /= sums[self.bottoms]
        return result


def _shift(g: Generator) -> int:
    """k such that √p 2⁻ᵏ is of moderate size: the exact coefficients of p may pass what doubles hold; mostly 0."""
    if g.kind is not Kind.ROOT:
        return 0
    largest = max(abs(Fraction(coefficient)) for _, coefficient in g.definition)
    bits = largest.numerator.bit_length() - largest.denominator.bit_length()
    return 0 if abs(bits) < MODERATE_BITS else bits // 2


def _moderated(home: Ring, elements: Sequence[Element]) -> Sequence[Element]:
    """The same values in letters √p 2⁻ᵏ."""
    shifts = {i: k for i, g in enumerate(home.generators) if (k := _shift(g))}
    if not shifts:
        return elements
    known: dict[int, Any] = {}  # a symmetric tensor holds each polynomial twice

    def moved(p: Any) -> Any:
        if id(p) not in known:
            terms = home.backend.terms(p)
            known[id(p)] = home.backend.from_terms(
                {powers: c * Fraction(2) ** sum(k * powers[i] for i, k in shifts.items()) for powers, c in terms}
            )
        return known[id(p)]

    return [Element(home, moved(e.num), None if e.den is None else moved(e.den)) for e in elements]


class _Letters:
    """The value of each letter in a state; a letter defined by others asks for theirs first."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.known: dict[Generator, Array] = {}

    def value(self, g: Generator) -> Array:
        if g not in self.known:
            self.known[g] = self._compute(g)
        return self.known[g]

    def _compute(self, g: Generator) -> Array:
        state = self.state
        match g.kind:
            case Kind.SIN:
                return np.sin(state.entry("q", g.index))
            case Kind.COS:
                return np.cos(state.entry("q", g.index))
            case Kind.COORDINATE:
                return state.entry("q", g.index)
            case Kind.VELOCITY:
                return state.entry("u", g.index)
            case Kind.ACCELERATION:
                return state.entry("ud", g.index)
            case Kind.TIME:
                return state.scalar("t")
            case Kind.PARAMETER:
                return state.scalar(g.name)
            case Kind.PI:
                return np.full(int(np.prod(state.batch, dtype=int)), np.pi)
            case Kind.ROOT:
                return np.sqrt(self._polynomial(g.definition, Fraction(4) ** -_shift(g)))
            case Kind.AXIS:
                parts = [np.asarray(_tree(part, state)) for part in g.definition]
                return parts[g.index] / np.sqrt(sum(part * part for part in parts))
            case _:
                pairs = g.argument_pairs
                return _FUNCTIONS[g.name](*(self._polynomial(top) / self._polynomial(bottom) for top, bottom in pairs))

    def _polynomial(self, terms: Any, factor: Fraction | int = 1) -> Array:
        total = np.zeros(int(np.prod(self.state.batch, dtype=int)))
        for monomial, coefficient in terms:
            term = float(coefficient * factor * Fraction(2) ** sum(_shift(g) * power for g, power in monomial))
            for g, power in monomial:
                term = term * self.value(g) ** power
            total = total + term
        return total


def _tree(value: Any, state: State) -> Array:
    """An expression of parameters, evaluated on arrays."""
    match value:
        case Symbol(name=name):
            return state.scalar(name)
        case Pi():
            return np.pi
        case Sum(terms=terms):
            return sum(_tree(term, state) for term in terms)
        case Product(factors=factors):
            result: Array = 1.0
            for factor in factors:
                result = result * _tree(factor, state)
            return result
        case Power(base=base, exponent=exponent):
            return np.asarray(_tree(base, state), dtype=float) ** exponent
        case Call(name=name, arguments=arguments):
            return _FUNCTIONS[name](*(_tree(argument, state) for argument in arguments))
    return float(value)
