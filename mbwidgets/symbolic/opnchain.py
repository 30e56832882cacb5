"""OPNCHAIN: the paper's program under its own names.

`ro` is ρ_kk (from O_k to O_{k+1}) and `roo` is ρ_k (from O_{k+1} to C_k), both in the axes of body k, so that
ρ_kC = ro + roo and the next joint stands at ro (the text exchanges the two names).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import ModelError, shorten
from ..expressions import as_scalar
from .covariant import Covariant, covariant
from .formula import Formula
from .scalars import rational

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
    """
    fields = {"t": t, "e": e, "ro": ro, "roo": roo, "m": m, "ti": ti}
    for name, given in fields.items():
        if len(given) != n:
            raise ModelError(f"{name} has {len(given)} entries for n = {n} bodies", remedy=f"give {n}")
    links = []
    for k in range(n):
        if t[k] not in (0, 1):
            raise ModelError(f"t = {shorten(t[k])}", where=f"joint {k}", remedy="use 0 for revolute, 1 for prismatic")
        where = f"body {k + 1}"
        kind = "prismatic" if t[k] else "revolute"
        at = _vector(ro[k - 1], where) if k else (0, 0, 0)
        com = tuple(x + y for x, y in zip(_vector(ro[k], where), _vector(roo[k], where), strict=True))
        inertia = tuple(_vector(row, where) for row in ti[k])
        mass = as_scalar(m[k], where)
        links.append(
            _Link(f"{k + 1}", k - 1, kind, tuple(as_scalar(part, where) for part in e[k]), at, mass, com, inertia, k, k)
        )
    return Opnchain(covariant(_Chain(tuple(links), (0, 0, -as_scalar(g, "g")), {})))


def _vector(values: Sequence[Any], where: str) -> tuple[Any, ...]:
    """Three exact numbers: a float is the decimal that it prints as, so that sums of decimals stay exact."""
    scalars = (as_scalar(value, where) for value in values)
    return tuple(rational(value) if isinstance(value, float) else value for value in scalars)
