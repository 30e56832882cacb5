"""OPNCHAIN: the paper's program under its own names.

`ro` is ρ_kk (from O_k to O_{k+1}) and `roo` is ρ_k (from O_{k+1} to C_k), both in the axes of body k, so that
ρ_kC = ro + roo and the next joint stands at ro (the text exchanges the two names).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import MbwidgetsError, ModelError, shorten
from ...expressions import Expression, as_scalar, decimal
from ...model.fields import as_tensor, as_vector, constant_value
from ...model.parameters import Parameter
from ..formula.formula import Formula
from ..ring.derivation_limits import SECONDS, TERMS
from ..ring.unit_axes import AXIS_TOLERANCE
from .covariant import Covariant

__all__ = ["Opnchain", "opnchain"]


@dataclass(frozen=True)
class _Link:
    name: str
    parent: int
    kind: str
    axis: tuple[Any, ...]
    at: tuple[Any, ...]
    mass: Any
    com: tuple[Any, ...]
    inertia: tuple[tuple[Any, ...], ...]
    coordinate: int
    body: int

    @property
    def place(self) -> int:
        return self.coordinate


@dataclass(frozen=True)
class _Chain:
    """An open chain as `covariant` reads a model."""

    links: tuple[_Link, ...]
    gravity: tuple[Any, ...]
    parameters: dict[str, Any]
    forces: tuple[()] = ()
    name: str = "OPNCHAIN"

    def elementary(self) -> tuple[_Link, ...]:
        return self.links


class Opnchain:
    """The results of OPNCHAIN.M; each is a `Formula`."""

    def __init__(self, equations: Covariant) -> None:
        self.equations = equations

    @property
    def KovMetTen(self) -> Formula:
        """a_ij, coordinates of the basic metric tensor (covariant), (n, n)"""
        return self.equations.metric

    @property
    def IzvPotEn(self) -> Formula:
        """∂Π/∂q^i, (n,)"""
        return self.equations.potential_gradient

    @property
    def Krist1Dif(self) -> Formula:
        """Γ_ij,k from the derivatives of the metric (6), (n, n, n)"""
        return self.equations.christoffel(1, "metric")

    @property
    def Krist1Mat(self) -> Formula:
        """Γ_ij,k from the planar inertia tensor (12), (n, n, n)"""
        return self.equations.christoffel(1, "planar")

    @cached_property
    def contravariant(self) -> Formula:
        """a^ij, (n, n)"""
        return self.equations.contravariant_metric


def opnchain(
    n: int,
    t: Sequence[int],
    e: Sequence[Sequence[Any]],
    ro: Sequence[Sequence[Any]],
    roo: Sequence[Sequence[Any]],
    m: Sequence[Any],
    ti: Sequence[Sequence[Sequence[Any]]],
    g: Any = "g",
) -> Opnchain:
    """From n bodies, t (0 revolute, 1 prismatic), axes e, ro, roo, masses m, tensors ti at C, and g.

    Gravity acts along −z with the strength ``g``, a number or a letter (9.81 m/s² in the paper).

    >>> slider = mb.opnchain(1, [1], [[1, 0, 0]], [[0, 0, 0]], [[0, 0, 0]], [2], [[[0] * 3] * 3])
    >>> slider.KovMetTen  # kg
    <Formula 1×1: [[2]]>
    """
    fields = {"t": t, "e": e, "ro": ro, "roo": roo, "m": m, "ti": ti}
    _check_counts(n, fields)
    links = []
    for k in range(n):
        if t[k] not in (0, 1):
            raise ModelError(f"t = {shorten(t[k])}", where=f"joint {k}", remedy="use 0 for revolute, 1 for prismatic")
        kind = "prismatic" if t[k] else "revolute"
        at = _read(_vector, ro[k - 1], f"body {k}: ro") if k else (0, 0, 0)
        axis = _read(as_vector, e[k], f"joint {k}: e")
        offset, reach = (_read(_vector, part[k], f"body {k}: {name}") for name, part in (("ro", ro), ("roo", roo)))
        com = tuple(x + y for x, y in zip(offset, reach, strict=True))
        mass, inertia = _read(_mass, m[k], f"body {k}: m"), _read(_tensor, ti[k], f"body {k}: ti")
        links.append(_Link(f"{k + 1}", k - 1, kind, axis, at, mass, com, inertia, k, k))
    strength = as_scalar(g, "g")
    chain = _Chain(tuple(links), (0, 0, -strength), _parameters(links, strength))
    return Opnchain(Covariant(chain, TERMS, SECONDS, AXIS_TOLERANCE))


def _check_counts(n: Any, fields: dict[str, Any]) -> None:
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or n < 1:
        raise ModelError(f"n = {shorten(n)}", remedy="give the number of bodies, 1 or more")
    for name, given in fields.items():
        count = len(given) if isinstance(given, Sequence | np.ndarray) and not isinstance(given, str) else 0
        if count != n:
            raise ModelError(f"{name} has {count} entries for n = {n} bodies", remedy=f"give {n}")


def _read(read: Callable[[Any], Any], value: Any, where: str) -> Any:
    try:
        return read(value)
    except MbwidgetsError as error:
        raise error.at(where) from None


def _vector(values: Any) -> tuple[Any, ...]:
    """Three exact numbers: a float is the decimal that it prints as, so that sums of decimals stay exact."""
    return tuple(_exact(value) for value in as_vector(values))


def _tensor(values: Any) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(_exact(value) for value in row) for row in as_tensor(values))


def _exact(value: Any) -> Any:
    return decimal(value) if isinstance(value, float) else value


def _mass(value: Any) -> Any:
    mass = as_scalar(value, "number")
    known = constant_value(mass)
    if known is not None and known < 0:
        raise ModelError(f"mass {shorten(value)} is negative", remedy="give a mass of at least 0")
    return mass


def _parameters(links: Sequence[_Link], strength: Any) -> dict[str, Any]:
    """The `Parameter` objects among the scalars, whose values `evaluate` takes."""
    scalars = [strength]
    for link in links:
        scalars += [link.mass, *link.com, *link.at, *link.axis, *(part for row in link.inertia for part in row)]
    leaves = (leaf for scalar in scalars if isinstance(scalar, Expression) for leaf in scalar.leaves())
    return {leaf.name: leaf for leaf in leaves if isinstance(leaf, Parameter)}
