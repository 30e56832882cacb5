"""Products of sines and cosines as sines and cosines of sums of angles (a Fourier series in several angles).

Parallel axes turn a chain's polynomials into a few such terms: cos q₂ cos q₃ − sin q₂ sin q₃ is cos(q₂ + q₃).
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from ...expressions import Call, Product, Sum, Variable
from ..ring.backend import Poly
from ..ring.derivation_limits import SizeError
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring

__all__ = ["fourier_terms"]

LARGEST = 200_000

Gaussian = tuple[Fraction, Fraction]
Key = tuple[tuple[tuple[Generator, int], ...], tuple[tuple[int, int], ...]]


def fourier_terms(home: Ring, p: Poly) -> dict[tuple[Any, Any], Fraction]:
    """{(other letters, sin or cos of a sum of angles as a tree or None): coefficient}.

    With z = e^{iq}: c = (z + 1/z)/2 and s = (z − 1/z)/2i; then A zᵏ + Ā z⁻ᵏ = 2 Re A cos kq − 2 Im A sin kq.
    """
    waves: dict[Key, Gaussian] = {}
    for powers, coefficient in home.backend.terms(p):
        rest = tuple(
            (g, k) for g, k in zip(home.generators, powers, strict=True) if k and g.kind not in (Kind.SIN, Kind.COS)
        )
        for wave, (re, im) in _expand(home, powers).items():
            old = waves.get((rest, wave), (Fraction(0), Fraction(0)))
            waves[rest, wave] = (old[0] + coefficient * re, old[1] + coefficient * im)
        if len(waves) > LARGEST:
            raise SizeError(
                f"the multiple-angle form passes {LARGEST:,} terms", remedy="use .factored() or .expanded()"
            )
    return _real(waves)


def _expand(home: Ring, powers: tuple[int, ...]) -> dict[tuple[tuple[int, int], ...], Gaussian]:
    """Π c^a s^b over the angles as Σ A zᵏ."""
    series: dict[tuple[tuple[int, int], ...], Gaussian] = {(): (Fraction(1), Fraction(0))}
    exponents: dict[int, list[int]] = {}
    for g, k in zip(home.generators, powers, strict=True):
        if k and g.kind in (Kind.SIN, Kind.COS):
            exponents.setdefault(g.index, [0, 0])[g.kind is Kind.SIN] += k
    for angle in sorted(exponents):
        a, b = exponents[angle]
        single = _single(a, b)
        series = {
            (*wave, *(((angle, k),) if k else ())): _times(x, y)
            for wave, x in series.items()
            for k, y in single.items()
        }
    return series


def _single(a: int, b: int) -> dict[int, Gaussian]:
    """cᵃ sᵇ = 2^{−a−b} i^{−b} (z + 1/z)ᵃ (z − 1/z)ᵇ"""
    found: dict[int, int] = {}
    for i in range(a + 1):
        for j in range(b + 1):
            k = a - 2 * i + b - 2 * j
            found[k] = found.get(k, 0) + comb(a, i) * comb(b, j) * (-1) ** j
    scale = Fraction(1, 2 ** (a + b))
    turn = ((1, 0), (0, -1), (-1, 0), (0, 1))[b % 4]
    return {k: (scale * c * turn[0], scale * c * turn[1]) for k, c in found.items() if c}


def _times(x: Gaussian, y: Gaussian) -> Gaussian:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _real(waves: dict[Key, Gaussian]) -> dict[tuple[Any, Any], Fraction]:
    result: dict[tuple[Any, Any], Fraction] = {}
    for (rest, wave), (re, im) in waves.items():
        if not wave:
            if re:
                result[rest, None] = re
        elif wave[0][1] > 0:
            angle = _angle(wave)
            if re:
                result[rest, Call("cos", angle)] = 2 * re
            if im:
                result[rest, Call("sin", angle)] = -2 * im
    return result


def _angle(wave: tuple[tuple[int, int], ...]) -> Any:
    nodes = [Variable("q", i) if k == 1 else Product((k, Variable("q", i))) for i, k in wave]
    return nodes[0] if len(nodes) == 1 else Sum(tuple(nodes))
