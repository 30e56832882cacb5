"""Mass moments and vector rotators: dK/dt and dL/dt as a sum of rows, over anything that adds and multiplies.

Every vector w of a body, a carrier, belongs to an axis b and changes as ω̇_b w + ω_b² [n_b, w] by itself and as
2 ω_a q̇_b [n_a, w] by each axis a before it; divided by |w| these are the vector rotators (53), (56). Nothing is
divided here, so that |w| = 0 needs no care.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..ring.algebra import Matrix, Vector
from .mechanism import Segment
from .rodrigues import Rodrigues, Wrench, subtract_vectors

__all__ = ["Carriers", "Row", "inertia_at_joint_point"]


@dataclass(frozen=True)
class Row:
    """One term of dK_i/dt, or of dL_i/dt about O_i* beyond it.

    ``kind``: ``own``, ``coupled`` (carried by a lever, a static moment or a mass), ``axial``, ``deviation``,
    ``mixed`` (moments alone). ``carrier``: ``r`` lever r_in of joint ``place``, ``q`` its slide, ``S`` static
    moment, ``M`` mass vector, ``J`` axial moment, ``D`` deviation moment, ``I`` inertia moments of two axes.
    ``vector`` is w, ``along`` and ``across`` are the factors of w and of [n_a, w] in ``change`` = |w| ℜ.
    """

    body: int
    kind: str
    a: int
    b: int
    carrier: str
    place: int | None
    vector: Vector
    along: Any
    across: Any
    change: Vector

    @property
    def force(self) -> bool:
        """True where the row is a part of dK/dt."""
        return self.kind in ("own", "coupled")


class Carriers:
    """The rows of each body of a moving mechanism   (48)-(56)."""

    def __init__(self, rodrigues: Rodrigues) -> None:
        self.r = rodrigues
        self._rows: dict[int, tuple[Row, ...]] = {}

    def vectors(self, i: int) -> Iterator[tuple[str, int | None, int, Vector]]:
        """(carrier, joint of the lever, axis b, w) of body i: levers, then by axis S_b or M n_b.

        Levers p = r_c,c+1 and ξ_c q_c n_c inboard of O_i*; w = M_i [n_b, p] for b ≤ c revolute.
        """
        r, ring = self.r, self.r.ring
        mass, path = r.segments[i].mass, r.paths[i]
        for place, j in enumerate(path):
            before = path[:place]
            parent = r.segments[j].parent
            base = r.image(parent) if parent >= 0 else r.nothing
            inner = parent >= 0 and r.segments[parent].body == r.segments[j].body  # of a joint of several axes
            levers = [("r", subtract_vectors(r.joint(j), base))] if before and not inner else []
            if r.segments[j].kind == "prismatic":
                levers.append(("q", subtract_vectors(r.image(j), r.joint(j))))
            for name, lever in levers:
                for b in before:
                    if r.segments[b].revolute:
                        yield name, j, b, ring.scale(mass, ring.cross(r.axis(b), lever))
        first = ring.scale(mass, r.levers[i])
        for b in path:
            if r.segments[b].revolute:
                yield "S", None, b, ring.cross(r.axis(b), first)
            elif r.segments[b].kind == "prismatic":
                yield "M", None, b, ring.scale(mass, r.axis(b))

    def rows(self, i: int) -> tuple[Row, ...]:
        """All rows of body i."""
        if i not in self._rows:
            self._rows[i] = (*self._force_rows(i), *self._moment_rows(i))
        return self._rows[i]

    def _force_rows(self, i: int) -> Iterator[Row]:
        """dK_i/dt = Σ_w |w| (ℜ_b + Σ_{a<b} ℜ_ab)   (52)-(54)"""
        r, ring = self.r, self.r.ring
        for carrier, place, b, w in self.vectors(i):
            along, across = r.rate(b), ring.zero
            change = ring.scale(along, w)
            if r.segments[b].revolute:
                across = ring.mul(r.speed(b), r.speed(b))
                change = ring.add(change, ring.scale(across, ring.cross(r.axis(b), w)))
            yield Row(i, "own", b, b, carrier, place, w, along, across, change)
            for a in r.paths[b][:-1]:
                if r.segments[a].revolute:
                    half = ring.mul(r.speed(a), r.speed(b))
                    across = half + half
                    change = ring.scale(across, ring.cross(r.axis(a), w))
                    yield Row(i, "coupled", a, b, carrier, place, w, ring.zero, across, change)

    def _moment_rows(self, i: int) -> Iterator[Row]:
        """n_a ω̇_a J_a + |D_a| ℜ*_a, and ω_a ω_b ([n_a,𝔍_b] + [n_b,𝔍_a] + 𝕁_i [n_a,n_b]) for a < b   (55), (56)"""
        r, ring = self.r, self.r.ring
        tensor = inertia_at_joint_point(r, r.segments[i])
        turning = [a for a in r.paths[i] if r.segments[a].revolute]
        seen = {a: r.axis_seen(a, i) for a in turning}
        moments = {a: ring.apply(tensor, seen[a]) for a in turning}

        def world(v: Vector) -> Vector:
            return ring.apply(r.frame(i), v)

        for a in turning:
            n, rate, square = seen[a], r.rate(a), ring.mul(r.speed(a), r.speed(a))
            axial = ring.scale(ring.dot(n, moments[a]), n)
            deviation = subtract_vectors(moments[a], axial)
            change = ring.scale(rate, world(axial))
            yield Row(i, "axial", a, a, "J", None, world(axial), rate, ring.zero, change)
            change = ring.add(ring.scale(rate, deviation), ring.scale(square, ring.cross(n, deviation)))
            yield Row(i, "deviation", a, a, "D", None, world(deviation), rate, square, world(change))
        for place, b in enumerate(turning):
            for a in turning[:place]:
                both = ring.mul(r.speed(a), r.speed(b))
                crossed = ring.apply(tensor, ring.cross(seen[a], seen[b]))
                bracket = world(ring.add(ring.cross(seen[a], moments[b]), ring.cross(seen[b], moments[a]), crossed))
                yield Row(i, "mixed", a, b, "I", None, bracket, both, ring.zero, ring.scale(both, bracket))

    def moment(self, row: Row, k: int) -> Vector:
        """A row's part in dL/dt + [v_Ok, K] about O_k.

        [O_kO_i*, |w| ℜ], and [O_kC_i, |w| ℜ] where w is not the body's own static moment: those make M_i a_Oi*.
        """
        if not row.force:
            return row.change
        r = self.r
        reach = r.reach(k, row.body) if row.carrier != "S" else subtract_vectors(r.image(row.body), r.joint(k))
        return r.ring.cross(reach, row.change)

    def kinetic(self, k: int) -> Wrench:
        """dK/dt, and dL/dt + [v_Ok, K], of all that joint k carries   (54), (55), corrected"""
        ring, force, moment = self.r.ring, self.r.nothing, self.r.nothing
        for i in self.r.carried(k):
            push, field, own = self.r.nothing, self.r.nothing, self.r.nothing
            for row in self.rows(i):
                if not row.force:
                    moment = ring.add(moment, row.change)
                elif row.carrier == "S":
                    own = ring.add(own, row.change)
                else:
                    field = ring.add(field, row.change)
            push = ring.add(own, field)
            arm = subtract_vectors(self.r.image(i), self.r.joint(k))
            moment = ring.add(moment, ring.cross(arm, push), ring.cross(self.r.levers[i], field))
            force = ring.add(force, push)
        return force, moment

    def momenta(self, k: int) -> Wrench:
        """K = Σ w q̇_b, and L about O_k = Σ [O_kO_i*, K_i] + [ρ_iC, M_i v_Oi*] + Σ ω_a 𝔍_a   (48), (50), corrected"""
        r, ring = self.r, self.r.ring
        linear, angular = r.nothing, r.nothing
        for i in r.carried(k):
            own, field = r.nothing, r.nothing
            for carrier, _, b, w in self.vectors(i):
                part = ring.scale(r.speed(b), w)
                own, field = (ring.add(own, part), field) if carrier == "S" else (own, ring.add(field, part))
            total = ring.add(own, field)
            linear = ring.add(linear, total)
            arm = subtract_vectors(r.image(i), r.joint(k))
            angular = ring.add(angular, ring.cross(arm, total), ring.cross(r.levers[i], field))
            tensor = inertia_at_joint_point(r, r.segments[i])
            for a in r.paths[i]:
                if r.segments[a].revolute:
                    turned = ring.apply(r.frame(i), ring.apply(tensor, r.axis_seen(a, i)))
                    angular = ring.add(angular, ring.scale(r.speed(a), turned))
        return linear, angular


def inertia_at_joint_point(r: Rodrigues, s: Segment) -> Matrix:
    """𝕁_i = J_C + M (ρ·ρ I − ρ ρᵀ) at O_i*, body axes"""
    ring = r.ring
    first = ring.scale(s.mass, s.com)
    square = ring.dot(first, s.com)

    def entry(j: int, k: int) -> Any:
        shifted = s.inertia[j][k] - ring.mul(first[j], s.com[k])
        return shifted + square if j == k else shifted

    xx, xy, xz, yy, yz, zz = (entry(j, k) for j in range(3) for k in range(j, 3))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
