"""Pairs of products of sines and cosines gathered into one of a sum of angles, where that makes a sum shorter.

    c cos x cos y ∓ c sin x sin y = c cos(x ± y),    c sin x cos y ± c cos x sin y = c sin(x ± y)

Angles that were gathered are gathered again: parallel axes give cos(q₁ + q₂ + q₃). Unlike `angles.fourier` nothing else
is taken apart, so that a sum never grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from ...expressions import Call, Power, Product, Sum, Variable
from ..ring.generators import Generator, Kind, cosine, sine

__all__ = ["Gathered", "gather_pairs"]

Monomial = tuple[tuple[Generator, int], ...]
Wave = tuple[tuple[int, int], ...]
"""An angle Σ k q_i as (i, k), …; the first k is positive."""
Factors = tuple[tuple[tuple[Wave, str], int], ...]
"""Powers of cos and sin of angles, sorted."""
Key = tuple[Monomial, Factors]


class Gathered(NamedTuple):
    """A term: a coefficient, plain letters, sines and cosines of sums of angles; ``degree`` counts every angle."""

    coefficient: Any
    monomial: Monomial
    nodes: tuple[Any, ...]
    degree: int


def gather_pairs(terms: Mapping[Monomial, Any]) -> list[Gathered]:
    """The terms {monomial: coefficient} with their pairs gathered; coefficients are fractions or polynomials."""
    found = {_key(monomial): coefficient for monomial, coefficient in terms.items()}
    while _pass(found):  # each pass leaves fewer terms
        pass
    return [_term(key, coefficient) for key, coefficient in found.items()]


def _key(monomial: Monomial) -> Key:
    rest, factors = [], []
    for g, k in monomial:
        if g.kind in (Kind.COS, Kind.SIN):
            factors.append(((((g.index, 1),), "cos" if g.kind is Kind.COS else "sin"), k))
        else:
            rest.append((g, k))
    return tuple(rest), tuple(sorted(factors))


def _term(key: Key, coefficient: Any) -> Gathered:
    rest, factors = key
    plain, nodes = [], []
    for (wave, name), power in factors:
        if len(wave) == 1 and wave[0][1] == 1:
            plain.append(((cosine if name == "cos" else sine)(wave[0][0]), power))
        else:
            node = Call(name, _angle(wave))
            nodes.append(node if power == 1 else Power(node, power))
    degree = sum(k for _, k in rest) + sum(power * len(wave) for (wave, _), power in factors)
    return Gathered(coefficient, (*rest, *plain), tuple(nodes), degree)


def _angle(wave: Wave) -> Any:
    parts = [Variable("q", i) if k == 1 else Product((k, Variable("q", i))) for i, k in wave]
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def _pass(found: dict[Key, Any]) -> bool:
    """Gather once whatever has a partner, pair of angles by pair of angles; whether there was any."""
    alike: dict[Any, list[Key]] = {}
    for key, coefficient in found.items():
        alike.setdefault(_likeness(key, coefficient), []).append(key)
    pairs: dict[tuple[Wave, Wave], list[Key]] = {}
    for (_, degrees, _), keys in alike.items():
        if len(keys) > 1:
            for pair in combinations([wave for wave, _ in degrees], 2):
                pairs.setdefault(pair, []).extend(keys)
    before = len(found)
    for x, y in sorted(pairs):
        for key in pairs[x, y]:
            for name in ("cos", "sin"):
                if key in found:
                    _join(found, key, x, y, name)
    return len(found) < before


def _likeness(key: Key, coefficient: Any) -> tuple[Monomial, Any, Any]:
    """What partners share: the other letters, the degree in each angle, the size of the coefficient."""
    rest, factors = key
    degrees: dict[Wave, int] = {}
    for (wave, _), power in factors:
        degrees[wave] = degrees.get(wave, 0) + power
    size = abs(coefficient) if isinstance(coefficient, Fraction) else len(coefficient)
    return rest, tuple(degrees.items()), size


def _join(found: dict[Key, Any], key: Key, x: Wave, y: Wave, name: str) -> None:
    """Replace cos x cos y, or sin x cos y, and its partner by one term, where both have the same coefficient."""
    rest, factors = key
    own, partner = ((x, name), (y, "cos")), ((x, "sin" if name == "cos" else "cos"), (y, "sin"))
    powers = dict(factors)
    if not all(item in powers for item in own):
        return
    other = rest, _changed(powers, own, partner)
    c, d = found[key], found.get(other)
    if d is None or d not in (c, -c):
        return
    minus = (d == c) == (name == "cos")
    wave, turned = _combined(x, y, -1 if minus else 1)
    new = rest, _changed(powers, own, ((wave, name),))
    del found[key], found[other]
    total = found.pop(new, 0) + (-c if turned and name == "sin" else c)
    if total:
        found[new] = total


def _changed(powers: dict[tuple[Wave, str], int], less: Any, more: Any) -> Factors:
    new = dict(powers)
    for items, step in ((less, -1), (more, 1)):
        for item in items:
            new[item] = new.get(item, 0) + step
    return tuple(sorted((item, power) for item, power in new.items() if power))


def _combined(x: Wave, y: Wave, sign: int) -> tuple[Wave, bool]:
    """x ± y with a positive first number, and whether it had to be turned for that."""
    total = dict(x)
    for i, k in y:
        total[i] = total.get(i, 0) + sign * k
    wave = sorted((i, k) for i, k in total.items() if k)
    turned = wave[0][1] < 0
    return tuple((i, -k if turned else k) for i, k in wave), turned
