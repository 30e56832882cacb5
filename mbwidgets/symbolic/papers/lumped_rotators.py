"""Rotators lumped by coordinate: one vector 𝒮_kb for each q̈_b, turned by the axes before it.

F_kin = Σ_b q̈_b 𝒮_kb + Σ_{a≤b} c_ab q̇_a q̇_b [n_a, 𝒮_kb], 𝒮_kb = Σ_{i≥k} m_i T_b(i), c = 1 for a = b and 2 otherwise,
a revolute. Projected on e_k force and moment give the metric a_kb and the Christoffel symbols Γ_ab,k of the
covariant equations.
"""

from __future__ import annotations

from typing import Any

from ..formula.named_formula import Named
from ..mechanics.derivation import Study
from ..mechanics.rodrigues import Rodrigues
from ..ring.algebra import Vector
from .covariant import derived_once

__all__ = ["Lumped", "lumped_rotator_vectors", "lumped_sum", "lumped_velocity_product_vectors"]


def lumped_rotator_vectors(r: Rodrigues, first: int) -> tuple[list[Vector], list[Vector]]:
    """𝒮_kb and ℒ_kb = Σ (R_k(i) × m_i T_b(i) + ξ̄_b J_Ci e_b) for each coordinate b"""
    ring, forces, moments = r.ring, [], []
    for b in r.mechanism.joints:
        force, moment = r.nothing, r.nothing
        for i in r.carried(first):
            if b in r.paths[i]:
                push = ring.scale(r.segments[i].mass, r.quasibase(b, i))
                force = ring.add(force, push)
                moment = ring.add(moment, ring.cross(r.reach(first, i), push))
                if r.segments[b].revolute:
                    spin = ring.apply(r.segments[i].inertia, r.axis_seen(b, i))
                    moment = ring.add(moment, ring.apply(r.frame(i), spin))
        forces.append(force)
        moments.append(moment)
    return forces, moments


def lumped_velocity_product_vectors(r: Rodrigues, first: int) -> tuple[list[list[Vector]], list[list[Vector]]]:
    """[n_a, 𝒮_kb] and Σ (R_k(i) × m_i Γ_ab(i) + [Π_Ci n_a, n_b]) at [a][b], a ≤ b; Π_C = ½ tr(J_C) I − J_C"""
    pairs = [[_pair(r, first, a, b) for b in r.mechanism.joints] for a in r.mechanism.joints]
    return [[pair[0] for pair in row] for row in pairs], [[pair[1] for pair in row] for row in pairs]


def _pair(r: Rodrigues, first: int, a: int, b: int) -> tuple[Vector, Vector]:
    ring, force, moment = r.ring, r.nothing, r.nothing
    if a not in r.paths[b] or not r.segments[a].revolute:
        return force, moment
    for i in r.carried(first):
        if b in r.paths[i]:
            push = ring.scale(r.segments[i].mass, r.gamma(a, b, i))
            force = ring.add(force, push)
            moment = ring.add(moment, ring.cross(r.reach(first, i), push))
            if r.segments[b].revolute:
                turned = ring.apply(r.segments[i].planar, r.axis_seen(a, i))
                spin = ring.cross(turned, r.axis_seen(b, i))
                moment = ring.add(moment, ring.apply(r.frame(i), spin))
    return force, moment


def lumped_sum(r: Rodrigues, vectors: list[Vector], products: list[list[Vector]]) -> Vector:
    """Σ_b q̈_b 𝒮_kb + Σ_{a≤b} c_ab q̇_a q̇_b [n_a, 𝒮_kb], or the same for the moments"""
    ring, joints, total = r.ring, r.mechanism.joints, r.nothing
    for q, b in enumerate(joints):
        total = ring.add(total, ring.scale(r.rate(b), vectors[q]))
        for p, a in enumerate(joints):
            both = ring.mul(r.speed(a), r.speed(b))
            share = both if a == b else both + both
            total = ring.add(total, ring.scale(share, products[p][q]))
    return total


class Lumped:
    """Vectors of one joint, N coordinates; made by `Rotators.lumped`."""

    def __init__(self, owner: Study, index: int, limits: tuple[int, float]) -> None:
        self.study = owner
        self.index = index
        self.limits = limits
        self._first = owner.joint(index)[0]

    @derived_once
    def _vectors(self) -> tuple[list[Vector], list[Vector]]:
        return lumped_rotator_vectors(self.study.rodrigues, self._first)

    @derived_once
    def _products(self) -> tuple[list[list[Vector]], list[list[Vector]]]:
        return lumped_velocity_product_vectors(self.study.rodrigues, self._first)

    def _named(self, found: Any, letter: str) -> Named:
        s, k = self.study, self.index + 1
        numbers = [s.number(j) for j in s.mechanism.joints]
        pairs = bool(found) and isinstance(found[0], list)
        names: Any = [f"{letter}_{{{k},{b}}}" for b in numbers]
        if pairs:
            names = [[f"[\\vec n_{{{a}}}, {letter}_{{{k},{b}}}]" for b in numbers] for a in numbers]
        return Named.of(s.formula(found, "factored"), names)

    @derived_once
    def vectors(self) -> Named:
        """𝒮_kb = Σ_{i≥k} m_i T_b(i), what q̈_b carries in the force, (N, 3)"""
        return self._named(self._vectors[0], r"\vec{\mathcal S}")

    @derived_once
    def moments(self) -> Named:
        """ℒ_kb, what q̈_b carries in the moment about O_k, (N, 3)"""
        return self._named(self._vectors[1], r"\vec{\mathcal L}")

    @derived_once
    def turned(self) -> Named:
        """[n_a, 𝒮_kb] at [a, b], what c_ab q̇_a q̇_b carries in the force, zero unless a ≤ b and a revolute, (N, N, 3)"""
        return self._named(self._products[0], r"\vec{\mathcal S}")

    @derived_once
    def turned_moments(self) -> Named:
        """As `turned`, in the moment about O_k, (N, N, 3)"""
        return self._named(self._products[1], r"\vec{\mathcal L}")

    def _sum(self, which: int) -> Any:
        total = lumped_sum(self.study.rodrigues, self._vectors[which], self._products[which])
        return self.study.formula(list(total))

    @derived_once
    def force(self) -> Any:
        """The kinetic force, (3,)"""
        return self._sum(0)

    @derived_once
    def moment(self) -> Any:
        """The kinetic moment about O_k, (3,)"""
        return self._sum(1)
