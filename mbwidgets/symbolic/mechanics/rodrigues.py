"""The Rodrigues approach to motion and joint reactions, over anything that adds and multiplies.

Points, axes and vectors are in inertial axes. The same lines give exact polynomials and, over arrays of numbers,
every frame of a motion at once. Segments are counted as in `Mechanism`: a joint of several axes is several
segments, massless but for the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..ring.algebra import Algebra, Matrix, Vector
from .mechanism import Mechanism

__all__ = ["Rodrigues", "Wrench", "subtract_vectors"]

Wrench = tuple[Vector, Vector]
"""A force, and a moment at a pole."""


def subtract_vectors(a: Vector, b: Vector) -> Vector:
    """a − b"""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


class Rodrigues:
    """Vectors of a mechanism that moves with q̇ = ``u`` and q̈ = ``ud``   (Cajić-Lazarević, section 2)."""

    def __init__(self, mechanism: Mechanism, u: Sequence[Any], ud: Sequence[Any]) -> None:
        self.mechanism = mechanism
        self.ring: Algebra = mechanism.ring
        self.segments = mechanism.segments
        self.u, self.ud = u, ud
        self._quasibase: dict[tuple[int, int], Vector] = {}
        self._seen: dict[tuple[int, int], Vector] = {}

    @property
    def nothing(self) -> Vector:
        zero = self.ring.zero
        return zero, zero, zero

    def speed(self, a: int) -> Any:
        """q̇ of a segment's joint, zero for a weld."""
        k = self.segments[a].coordinate
        return self.ring.zero if k is None else self.u[k]

    def rate(self, a: int) -> Any:
        """q̈ of a segment's joint."""
        k = self.segments[a].coordinate
        return self.ring.zero if k is None else self.ud[k]

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """For each segment those from the ground to it, both ends included."""
        found: list[tuple[int, ...]] = []
        for i, s in enumerate(self.segments):
            found.append((*(found[s.parent] if s.parent >= 0 else ()), i))
        return tuple(found)

    @cached_property
    def bodies(self) -> tuple[int, ...]:
        """The segments that are bodies of the model: the last one of each joint."""
        last = {s.body: i for i, s in enumerate(self.segments)}
        return tuple(sorted(last.values()))

    def carried(self, k: int) -> tuple[int, ...]:
        """i ≥ k: the bodies that segment k carries, its own included."""
        return tuple(i for i in self.bodies if k in self.paths[i])

    # Places.

    @cached_property
    def _frames(self) -> tuple[tuple[Matrix, Vector, Vector, Vector], ...]:
        """A_0i, O_i, O_i* and e_i of each segment."""
        r = self.ring
        one, zero = r.one, r.zero
        unit: Matrix = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
        found: list[tuple[Matrix, Vector, Vector, Vector]] = []
        for s in self.segments:
            outer, place = (unit, self.nothing) if s.parent < 0 else (found[s.parent][0], found[s.parent][2])
            turn = outer if s.turn is None else r.matmul(outer, s.turn)
            joint = r.add(place, r.apply(outer, s.at))
            image = joint if s.kind != "prismatic" else r.add(place, r.apply(outer, s.offset))
            found.append((turn, joint, image, r.apply(outer, s.axis)))
        return tuple(found)

    def frame(self, i: int) -> Matrix:
        """A_0i, from body axes to inertial axes   (7)"""
        return self._frames[i][0]

    def joint(self, i: int) -> Vector:
        """O_i, fixed in the parent."""
        return self._frames[i][1]

    def image(self, i: int) -> Vector:
        """O_i* = O_i + ξ_i q_i e_i, fixed in the body."""
        return self._frames[i][2]

    def axis(self, i: int) -> Vector:
        """e_i"""
        return self._frames[i][3]

    @cached_property
    def levers(self) -> tuple[Vector, ...]:
        """ρ_iC = O_i* → C_i of each segment, inertial axes."""
        return tuple(self.ring.apply(self.frame(i), s.com) for i, s in enumerate(self.segments))

    @cached_property
    def centres(self) -> tuple[Vector, ...]:
        """C_i of each segment."""
        return tuple(self.ring.add(self.image(i), lever) for i, lever in enumerate(self.levers))

    def reach(self, k: int, i: int) -> Vector:
        """R_k(i) = O_k → C_i   (11), (15)"""
        return subtract_vectors(self.centres[i], self.joint(k))

    def axis_seen(self, a: int, i: int) -> Vector:
        """e_a in the axes of body i, a on the path to i."""
        if (a, i) not in self._seen:
            own = self.segments[i]
            if a == i:
                self._seen[a, i] = own.axis
            else:
                self._seen[a, i] = self.mechanism.turned_back(i, self.axis_seen(a, own.parent))
        return self._seen[a, i]

    # Velocities and accelerations.

    def quasibase(self, a: int, i: int) -> Vector:
        """T_a(i) = ξ̄_a e_a × R_a(i) + ξ_a e_a, zero unless a ≤ i   (11), (28)"""
        if (a, i) not in self._quasibase:
            kind = self.segments[a].kind
            found = self.nothing
            if a in self.paths[i]:
                if kind == "revolute":
                    found = self.ring.cross(self.axis(a), self.reach(a, i))
                elif kind == "prismatic":
                    found = self.axis(a)
            self._quasibase[a, i] = found
        return self._quasibase[a, i]

    def gamma(self, a: int, b: int, i: int) -> Vector:
        """Γ_ab(i) = ξ̄_min e_min × T_max(i), zero unless a, b ≤ i   (5), corrected: ξ̄_β for α > β"""
        path = self.paths[i]
        if a not in path or b not in path:
            return self.nothing
        low, high = (a, b) if path.index(a) <= path.index(b) else (b, a)
        if not self.segments[low].revolute:
            return self.nothing
        return self.ring.cross(self.axis(low), self.quasibase(high, i))

    def velocity(self, i: int) -> Vector:
        """v_Ci = Σ T_a(i) q̇_a   (4)"""
        return self._sum(self.ring.scale(self.speed(a), self.quasibase(a, i)) for a in self.paths[i])

    @cached_property
    def accelerations(self) -> tuple[Vector, ...]:
        """a_Ci = Σ T_a(i) q̈_a + ΣΣ Γ_ab(i) q̇_a q̇_b of each segment   (4)

        The double sum is Σ_a ξ̄_a q̇_a e_a × (q̇_a T_a + 2 Σ_{b>a} q̇_b T_b).
        """
        return tuple(self._acceleration(i) for i in range(len(self.segments)))

    def _acceleration(self, i: int) -> Vector:
        r = self.ring
        total, beyond = self.nothing, self.nothing
        for a in reversed(self.paths[i]):
            base = self.quasibase(a, i)
            total = r.add(total, r.scale(self.rate(a), base))
            moving = r.scale(self.speed(a), base)
            if self.segments[a].revolute:
                field = r.cross(self.axis(a), r.add(moving, beyond, beyond))
                total = r.add(total, r.scale(self.speed(a), field))
            beyond = r.add(beyond, moving)
        return total

    def omega(self, i: int) -> Vector:
        """ω_i = Σ ξ̄_a e_a q̇_a   (21)"""
        turning = (a for a in self.paths[i] if self.segments[a].revolute)
        return self._sum(self.ring.scale(self.speed(a), self.axis(a)) for a in turning)

    def epsilon(self, i: int) -> Vector:
        """ε_i = Σ ξ̄_a e_a q̈_a + Σ_a Σ_{b≤a} ξ̄_a ξ̄_b e_b × e_a q̇_a q̇_b   (23)"""
        r, total, omega = self.ring, self.nothing, self.nothing
        for a in self.paths[i]:
            if self.segments[a].revolute:
                spin = r.scale(self.speed(a), self.axis(a))
                total = r.add(total, r.scale(self.rate(a), self.axis(a)), r.cross(omega, spin))
                omega = r.add(omega, spin)
        return total

    @cached_property
    def momentum_rates(self) -> tuple[Vector, ...]:
        """dL_Ci/dt = [ω_i] J_Ci ω_i + J_Ci ε_i of each segment   (20); formed in body axes, where J_C is constant."""
        r = self.ring
        spins: list[tuple[Vector, Vector]] = []
        found: list[Vector] = []
        for i, s in enumerate(self.segments):
            omega, epsilon = (self.nothing, self.nothing) if s.parent < 0 else spins[s.parent]
            omega, epsilon = self.mechanism.turned_back(i, omega), self.mechanism.turned_back(i, epsilon)
            if s.revolute:
                spin = r.scale(self.speed(i), s.axis)
                epsilon = r.add(epsilon, r.scale(self.rate(i), s.axis), r.cross(omega, spin))
                omega = r.add(omega, spin)
            spins.append((omega, epsilon))
            rate = r.add(r.cross(omega, r.apply(s.inertia, omega)), r.apply(s.inertia, epsilon))
            found.append(r.apply(self.frame(i), rate))
        return tuple(found)

    def joint_velocity(self, k: int) -> Vector:
        """v_Ok of the joint's point in the parent."""
        r, total = self.ring, self.nothing
        for a in self.paths[k][:-1]:
            e = self.axis(a)
            field = r.cross(e, subtract_vectors(self.joint(k), self.joint(a))) if self.segments[a].revolute else e
            total = r.add(total, r.scale(self.speed(a), field))
        return total

    # Wrenches at O_k of all that a joint carries.

    def kinetic(self, k: int) -> Wrench:
        """Σ m_i a_Ci, and Σ (dL_Ci/dt + R_k(i) × m_i a_Ci)   (3), (18), (19), the weight left out"""
        r, force, moment = self.ring, self.nothing, self.nothing
        for i in self.carried(k):
            push = r.scale(self.segments[i].mass, self.accelerations[i])
            force = r.add(force, push)
            moment = r.add(moment, self.momentum_rates[i], r.cross(self.reach(k, i), push))
        return force, moment

    def static(self, k: int) -> Wrench:
        """−Σ G_i and −Σ R_k(i) × G_i, G_i = m_i g   (3), (19)"""
        r, mass, first = self.ring, self.ring.zero, self.nothing
        for i in self.carried(k):
            mass = mass + self.segments[i].mass
            first = r.add(first, r.scale(self.segments[i].mass, self.reach(k, i)))
        lift = subtract_vectors(self.nothing, self.mechanism.gravity)
        return r.scale(mass, lift), r.cross(first, lift)

    def _sum(self, vectors: Any) -> Vector:
        total = self.nothing
        for vector in vectors:
            total = self.ring.add(total, vector)
        return total
