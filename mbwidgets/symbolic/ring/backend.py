"""Exact multivariate polynomials over ℚ, by python-flint, or by SymPy's sparse rings where flint is missing.

Both backends give the same results; flint is 2 to 60 times faster. ``MBWIDGETS_RING=sympy`` (or
``flint``) chooses. A backend knows only numbered variables in lexicographic order; what they mean is
`ring`'s affair.
"""

from __future__ import annotations

import copyreg
import os
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Protocol

from ...errors import MbwidgetsError

__all__ = ["Backend", "Poly", "make_backend"]

Poly = Any
"""A polynomial of a backend: it adds, subtracts and multiplies with its like and with integers."""

Powers = tuple[int, ...]


class Backend(Protocol):
    """What `ring` asks of a polynomial package; ``n`` variables. `pieces` gives a polynomial by so many terms each."""

    name: str
    n: int
    zero: Poly
    one: Poly
    gens: tuple[Poly, ...]

    def constant(self, value: Fraction | int) -> Poly: ...
    def terms(self, p: Poly) -> list[tuple[Powers, Fraction]]: ...
    def numeric_terms(self, p: Poly) -> list[tuple[Powers, float]]: ...
    def from_terms(self, terms: Mapping[Powers, Fraction | int]) -> Poly: ...
    def pieces(self, p: Poly, size: int) -> Iterator[Poly]: ...
    def degrees(self, p: Poly) -> Powers: ...
    def remainder(self, p: Poly, relation: Poly) -> Poly: ...
    def diff(self, p: Poly, i: int) -> Poly: ...
    def factor(self, p: Poly) -> tuple[Fraction, list[tuple[Poly, int]]]: ...
    def gcd(self, p: Poly, r: Poly) -> Poly: ...
    def divide(self, p: Poly, divisor: Poly) -> Poly: ...
    def move(self, p: Poly, target: Backend, places: tuple[int, ...]) -> Poly: ...


class Flint:
    """python-flint's ``fmpq_mpoly``."""

    name = "flint"

    def __init__(self, n: int) -> None:
        import flint

        for kind in (flint.fmpq_mpoly, flint.fmpq_mpoly_ctx):
            copyreg.dispatch_table.setdefault(kind, _parts)  # flint's own objects do not say how they are copied
        self.n = n
        self._fmpq = flint.fmpq
        self._context = flint.fmpq_mpoly_ctx.get(("x", max(n, 1)), "lex")
        self.zero = self._context.constant(0)
        self.one = self._context.constant(1)
        self.gens = tuple(self._context.gens()[:n])

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self.name, self.n)

    def constant(self, value: Fraction | int) -> Poly:
        return self._context.constant(self._fmpq(value.numerator, value.denominator))

    def terms(self, p: Poly) -> list[tuple[Powers, Fraction]]:
        return [
            (tuple(map(int, powers[: self.n])), Fraction(int(c.p), int(c.q)))
            for powers, c in zip(p.monoms(), p.coeffs(), strict=True)
        ]

    def numeric_terms(self, p: Poly) -> list[tuple[Powers, float]]:
        n = self.n
        return [
            (tuple(map(int, powers[:n])), int(c.p) / int(c.q)) for powers, c in zip(p.monoms(), p.coeffs(), strict=True)
        ]

    def from_terms(self, terms: Mapping[Powers, Fraction | int]) -> Poly:
        pad = () if self.n else (0,)
        fmpq = self._fmpq
        return self._context.from_dict(
            {(*powers, *pad): fmpq(c.numerator, c.denominator) for powers, c in terms.items() if c}
        )

    def pieces(self, p: Poly, size: int) -> Iterator[Poly]:
        monomials, coefficients = p.monoms(), p.coeffs()
        for k in range(0, len(monomials), size):
            part = zip(monomials[k : k + size], coefficients[k : k + size], strict=True)
            yield self._context.from_dict(dict(part))

    def degrees(self, p: Poly) -> Powers:
        degrees: Powers = p.degrees()
        return degrees

    def remainder(self, p: Poly, relation: Poly) -> Poly:
        return p % relation

    def diff(self, p: Poly, i: int) -> Poly:
        return p.derivative(i)

    def factor(self, p: Poly) -> tuple[Fraction, list[tuple[Poly, int]]]:
        content, factors = p.factor()
        return Fraction(int(content.p), int(content.q)), [(factor, int(power)) for factor, power in factors]

    def gcd(self, p: Poly, r: Poly) -> Poly:
        return p.gcd(r)

    def divide(self, p: Poly, divisor: Poly) -> Poly:
        return p / divisor

    def move(self, p: Poly, target: Backend, places: tuple[int, ...]) -> Poly:
        assert isinstance(target, Flint)
        if not self.n:
            return target.zero if not p else target.constant(self.terms(p)[0][1])
        return p.project_to_context(target._context, dict(enumerate(places)))


class SymPyRing:
    """SymPy's ``PolyRing`` over QQ, pure Python."""

    name = "sympy"

    def __init__(self, n: int) -> None:
        from sympy.polys.domains import QQ
        from sympy.polys.orderings import lex
        from sympy.polys.rings import PolyRing

        copyreg.dispatch_table.setdefault(PolyRing, _ring_parts)
        self.n = n
        self._qq = QQ
        self._ring = PolyRing([f"x{i}" for i in range(max(n, 1))], QQ, lex)
        self.zero = self._ring.zero
        self.one = self._ring.one
        self.gens = tuple(self._ring.gens[:n])

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, (self.name, self.n)

    def constant(self, value: Fraction | int) -> Poly:
        return self._ring.ground_new(self._qq(value.numerator, value.denominator))

    def terms(self, p: Poly) -> list[tuple[Powers, Fraction]]:
        return (
            [(tuple(powers[: self.n]), Fraction(int(c.numerator), int(c.denominator))) for powers, c in p.terms()]
            if p
            else []
        )

    def numeric_terms(self, p: Poly) -> list[tuple[Powers, float]]:
        return [(powers, float(c)) for powers, c in self.terms(p)]

    def from_terms(self, terms: Mapping[Powers, Fraction | int]) -> Poly:
        pad = () if self.n else (0,)
        return self._ring.from_dict(
            {(*powers, *pad): self._qq(c.numerator, c.denominator) for powers, c in terms.items() if c}
        )

    def pieces(self, p: Poly, size: int) -> Iterator[Poly]:
        terms = p.terms()
        for k in range(0, len(terms), size):
            yield self._ring.from_dict(dict(terms[k : k + size]))

    def degrees(self, p: Poly) -> Powers:
        return tuple(p.degrees()) if p else (0,) * max(self.n, 1)

    def remainder(self, p: Poly, relation: Poly) -> Poly:
        return p.rem(relation)

    def diff(self, p: Poly, i: int) -> Poly:
        return p.diff(i)

    def factor(self, p: Poly) -> tuple[Fraction, list[tuple[Poly, int]]]:
        content, factors = p.factor_list()
        return Fraction(int(content.numerator), int(content.denominator)), [(f, int(k)) for f, k in factors]

    def gcd(self, p: Poly, r: Poly) -> Poly:
        return p.gcd(r)

    def divide(self, p: Poly, divisor: Poly) -> Poly:
        return p.exquo(divisor)

    def move(self, p: Poly, target: Backend, places: tuple[int, ...]) -> Poly:
        moved: dict[Powers, Fraction | int] = {}
        for powers, coefficient in self.terms(p):
            there = [0] * target.n
            for place, power in zip(places, powers, strict=True):
                there[place] = power
            moved[tuple(there)] = coefficient
        return target.from_terms(moved)


def _parts(value: Any) -> tuple[Any, ...]:
    """How a polynomial of flint, or its context, is put together again, here or in another process."""
    import flint

    if isinstance(value, flint.fmpq_mpoly_ctx):
        return _flint_context, (value.nvars(),)
    terms = [
        (tuple(map(int, powers)), int(c.p), int(c.q)) for powers, c in zip(value.monoms(), value.coeffs(), strict=True)
    ]
    return _flint_polynomial, (value.context().nvars(), terms)


def _flint_context(n: int) -> Any:
    """The context that `Flint` uses: one for each number of variables."""
    return Flint(n)._context


def _flint_polynomial(n: int, terms: list[tuple[Powers, int, int]]) -> Poly:
    import flint

    return _flint_context(n).from_dict({powers: flint.fmpq(top, bottom) for powers, top, bottom in terms})


def _ring_parts(value: Any) -> Any:
    """How a ring of SymPy is put together again: by what defines it, since its own state changes while it is read."""
    return type(value), (value.symbols, value.domain, value.order)


@lru_cache(maxsize=256)
def _make(name: str, n: int) -> Backend:
    return Flint(n) if name == "flint" else SymPyRing(n)


@lru_cache(maxsize=1)
def _available() -> tuple[str, ...]:
    try:
        import flint  # noqa: F401
    except ImportError:
        return ("sympy",)
    return ("flint", "sympy")


def chosen_backend(names: Iterable[str] = ("flint", "sympy")) -> str:
    """The backend to use: the one that ``MBWIDGETS_RING`` names, else flint, else SymPy."""
    wish = os.environ.get("MBWIDGETS_RING", "")
    if not wish:
        return _available()[0]
    if wish not in names or wish not in _available():
        raise MbwidgetsError(
            f"{wish!r} is no polynomial package here",
            where="MBWIDGETS_RING",
            remedy=f"use one of {', '.join(_available())}",
        )
    return wish


def make_backend(n: int, name: str | None = None) -> Backend:
    """The polynomials in ``n`` variables."""
    return _make(name or chosen_backend(), n)
