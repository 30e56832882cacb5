"""The paper's program, formula by formula: Mt, Rd, KvB, KovMetTen, IzvPotEn, Krist1Mat.

It sums over bodies and multiplies out every rotation, so it is slower than the composites of `tensors`,
and an independent check of them. Over a ring without relations it gives what a program without
simplification prints. Errata of the listing are corrected: `Mt` uses index j, `Rd` recurs for i < j,
`IzvPotEn` runs to n, `Krist1Mat` tests t_i, t_j and t_k.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..mechanics.covariant_tensors import Cube, Square
from ..mechanics.mechanism import Mechanism, _symmetric_matrix
from ..ring.algebra import Matrix, Vector
from ..ring.ring import Ring

__all__ = ["Literal"]


class Literal:
    """Tensors of a mechanism by the paper's sums (7), (8), (12)."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.m = mechanism
        self.r: Ring = mechanism.ring
        self._turns: dict[tuple[int, int], Matrix] = {}

    def carries(self, i: int, k: int) -> bool:
        """True when segment k is i or hangs on it."""
        return i in self.m.path(k)

    def turn(self, i: int, j: int) -> Matrix:
        """A_{i,j} = A_{i,p} A_{p,j} along the tree   (4), corrected: A_{i,j+1} = A_{i,j} A_{j,j+1}"""
        if (i, j) not in self._turns:
            self._turns[i, j] = self._product(i, j)
        return self._turns[i, j]

    def _product(self, i: int, j: int) -> Matrix:
        if i == j:
            return _symmetric_matrix(lambda a, b: self.r.one if a == b else self.r.zero)
        if self.carries(i, j) or i < 0:
            segment = self.m.segments[j]
            before = self.turn(i, segment.parent)
            return before if segment.turn is None else self.r.matmul(before, segment.turn)
        return tuple(zip(*self.turn(j, i), strict=True))  # type: ignore[return-value]

    def arm(self, i: int, k: int) -> Vector:
        """R_i(k) from O_i* to C_k, axes of i   (9), corrected: the sum runs over the whole path."""
        if i == k:
            return self.m.segments[k].com
        child = next(j for j in self.m.path(k) if self.m.segments[j].parent == i)
        below = self.r.apply(self.turn(i, child), self.arm(child, k))
        return self.r.add(self.m.segments[child].offset, below)

    def quasibase(self, i: int, k: int) -> Vector:
        """T_i(k) = ξ e + ξ̄ e × R_i(k), axes of i   (8)"""
        s = self.m.segments[i]
        return self.r.cross(s.axis, self.arm(i, k)) if s.revolute else s.axis

    def _bodies(self, *joints: int) -> list[int]:
        return [k for k in range(len(self.m.segments)) if all(self.carries(j, k) for j in joints)]

    @cached_property
    def metric(self) -> Square:
        """a_αβ by (7)."""
        n, places = self.m.n, self.m.joints
        a: Square = [[self.r.zero] * n for _ in range(n)]
        for alpha in range(n):
            for beta in range(alpha, n):
                i, j = places[alpha], places[beta]
                i, j = (i, j) if self.carries(i, j) else (j, i)
                a[alpha][beta] = a[beta][alpha] = self._metric_entry(i, j)
        return a

    def _metric_entry(self, i: int, j: int) -> Any:
        r, segments = self.r, self.m.segments
        total = r.zero
        for k in self._bodies(i, j):
            there = r.apply(self.turn(i, j), self.quasibase(j, k))
            total = total + r.mul(segments[k].mass, r.dot(self.quasibase(i, k), there))
            if segments[i].revolute and segments[j].revolute:
                left = r.apply(self.turn(k, i), segments[i].axis)
                right = r.apply(self.turn(k, j), segments[j].axis)
                total = total + r.dot(left, r.apply(segments[k].inertia, right))
        return total

    def christoffel_entry(self, alpha: int, beta: int, gam: int) -> Any:
        """Γ_αβ,γ by (12) for joints α before or equal to β, as `Krist1Mat` sums it."""
        r, s, places = self.r, self.m.segments, self.m.joints
        i, j, k = places[alpha], places[beta], places[gam]
        if not self.carries(i, j) and self.carries(j, i):
            i, j = j, i
        total = r.zero
        if not s[i].revolute:
            return total
        for p in self._bodies(i, j, k):
            low = k if self.carries(k, i) else i
            turned = r.cross(r.apply(self.turn(low, i), s[i].axis), r.apply(self.turn(low, j), self.quasibase(j, p)))
            felt = r.dot(turned, r.apply(self.turn(low, k), self.quasibase(k, p)))
            total = total + r.mul(s[p].mass, felt)
            if s[j].revolute and s[k].revolute:
                e_i, e_j, e_k = (r.apply(self.turn(p, joint), s[joint].axis) for joint in (i, j, k))
                total = total + r.dot(r.cross(e_j, e_k), r.apply(s[p].planar, e_i))
        return total

    @cached_property
    def christoffel(self) -> Cube:
        """All Γ_αβ,γ by (12)."""
        n = self.m.n
        gamma: Cube = [[[self.r.zero] * n for _ in range(n)] for _ in range(n)]
        for alpha in range(n):
            for beta in range(alpha, n):
                for gam in range(n):
                    value = self.christoffel_entry(alpha, beta, gam)
                    gamma[alpha][beta][gam] = gamma[beta][alpha][gam] = value
        return gamma
