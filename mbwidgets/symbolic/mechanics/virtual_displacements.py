"""Virtual displacements of a tree, exactly: those of its joints, and the six of a joint that is released.

A displacement moves all that one segment carries, along a direction or about it; spherical and free joints have theirs
too. From them come the matrix of inertia, and by Lagrange's equations for each displacement the rates of momentum:
with z a displacement in fixed directions, ∂T/∂ż is K or L about the pole P and ∂T/∂z is 0 or K × v_P.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from ...model.tensors import quaternion_rate
from ..ring import generators as letters
from ..ring.algebra import Vector
from ..ring.generators import Generator
from ..ring.ring import Ring
from .rodrigues import Rodrigues, Wrench, subtract_vectors

__all__ = ["Displacement", "Virtual"]


class Displacement(NamedTuple):
    """A slide along ``direction``, or a turn about it at ``pole``, of all that a segment carries.

    ``part``: the component of a ball, of a release (0 to 5), or 0.
    """

    turn: bool
    direction: Vector
    pole: Vector
    segment: int
    part: int = 0
    release: bool = False


class Virtual:
    """The displacements of a mechanism whose letters q, u and u̇ are in the ring of ``rodrigues``."""

    def __init__(self, rodrigues: Rodrigues) -> None:
        self.r = rodrigues
        self.ring: Ring = rodrigues.ring  # type: ignore[assignment]
        self.segments = rodrigues.segments
        self._seen: dict[tuple[int, int, int], Vector] = {}

    @cached_property
    def joints(self) -> tuple[Displacement, ...]:
        """One displacement a velocity, in the order of u."""
        found: dict[int, Displacement] = {}
        for i, s in enumerate(self.segments):
            k = s.coordinate
            if k is None:
                continue
            if s.kind == "ball":
                columns = zip(*self.r.frame(i), strict=True)
                for part, column in enumerate(columns):
                    found[k + part] = Displacement(True, column, self.r.joint(i), i, part)
            else:
                found[k] = Displacement(s.revolute, self.r.axis(i), self.r.joint(i), i)
        return tuple(found[k] for k in range(len(found)))

    def released(self, i: int) -> tuple[Displacement, ...]:
        """Three slides and three turns at O_i in world axes: what is freed when the joint of segment i is opened."""
        one, zero = self.ring.one, self.ring.zero
        units = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
        pole = self.r.joint(i)
        return tuple(
            Displacement(turn, unit, pole, i, part + 3 * turn, True)
            for turn in (False, True)
            for part, unit in enumerate(units)
        )

    def moves(self, d: Displacement, i: int) -> bool:
        """True where the displacement moves segment i."""
        return d.segment in self.r.paths[i]

    def at(self, d: Displacement, point: Vector) -> Vector:
        """∂r/∂d of a point that the displacement moves."""
        return self.ring.cross(d.direction, subtract_vectors(point, d.pole)) if d.turn else d.direction

    def seen(self, d: Displacement, i: int) -> Vector:
        """The direction of a turn in the axes of segment i, which it moves."""
        if d.release:
            return self.r.frame(i)[d.part - 3]
        key = d.segment, d.part, i
        if key not in self._seen:
            s = self.segments[i]
            if i != d.segment:
                found = self.r.mechanism.turned_back(i, self.seen(d, s.parent))
            elif s.kind == "ball":
                one, zero = self.ring.one, self.ring.zero
                x, y, z = (one if part == d.part else zero for part in range(3))
                found = x, y, z
            else:
                found = s.axis
            self._seen[key] = found
        return self._seen[key]

    def inertia(self, rows: Sequence[Displacement]) -> list[list[Any]]:
        """A: Σ m ∂r_C/∂a·∂r_C/∂b + ω_a·J_C ω_b over the bodies that both move."""
        r, n = self.ring, len(rows)
        total = [[r.zero] * n for _ in range(n)]
        for i in self.r.bodies:
            s = self.segments[i]
            here = [k for k in range(n) if self.moves(rows[k], i)]
            shifts = {k: self.at(rows[k], self.r.centres[i]) for k in here}
            pushes = {k: r.scale(s.mass, shift) for k, shift in shifts.items()}
            turns = {k: self.seen(rows[k], i) for k in here if rows[k].turn}
            spins = {k: r.apply(s.inertia, turn) for k, turn in turns.items()}
            for a in here:
                for b in here:
                    if b < a:
                        continue
                    entry = r.dot(pushes[a], shifts[b])
                    if a in spins and b in turns:
                        entry = entry + r.dot(spins[a], turns[b])
                    total[a][b] = total[a][b] + entry
        return [[total[min(a, b)][max(a, b)] for b in range(n)] for a in range(n)]

    # Rates.

    @cached_property
    def rates(self) -> dict[Generator, Any]:
        """dq/dt of each letter of q: u, or ½ q ∘ ω for a quaternion."""
        r, found = self.ring, {}
        for s in self.segments:
            k = s.place
            if k is None or s.coordinate is None:
                continue
            if s.kind == "ball":
                found.update(self._quaternion_rates(k, s.coordinate))
                continue
            u = r.gen(letters.velocity(s.coordinate))
            if s.revolute:
                sine, cosine = letters.sine(k), letters.cosine(k)
                found[sine], found[cosine] = r.mul(u, r.gen(cosine)), -r.mul(u, r.gen(sine))
            else:
                found[letters.coordinate(k)] = u
        return found

    def _quaternion_rates(self, place: int, first: int) -> dict[Generator, Any]:
        r = self.ring
        turn = [letters.coordinate(place + k) for k in range(4)]
        half = [r.constant(Fraction(1, 2)) * r.gen(letters.velocity(first + k)) for k in range(3)]
        return dict(zip(turn, quaternion_rate([r.gen(g) for g in turn], half), strict=True))

    @cached_property
    def _speed_rates(self) -> dict[Generator, Any]:
        n = self.r.mechanism.n
        return {letters.velocity(k): self.ring.gen(letters.acceleration(k)) for k in range(n)}

    def rate(self, p: Any, accelerations: bool = False) -> Any:
        """dp/dt, u̇ held at zero unless ``accelerations``."""
        r = self.ring
        rates = {**self.rates, **self._speed_rates} if accelerations else self.rates
        pairs = [(r.partial(p, g), rates[g]) for g in r.used(p) if g in rates]
        return r.dot([slope for slope, _ in pairs], [speed for _, speed in pairs])

    def vector_rate(self, v: Vector, accelerations: bool = False) -> Vector:
        """dv/dt in world axes."""
        x, y, z = (self.rate(part, accelerations) for part in v)
        return x, y, z

    @cached_property
    def _momenta(self) -> dict[int, Wrench]:
        """m v_C, and J_C ω about C, of each body."""
        r, found = self.ring, {}
        speeds = [r.gen(letters.velocity(k)) for k in range(len(self.joints))]
        for i in self.r.bodies:
            s = self.segments[i]
            turns = [(u, self.seen(d, i)) for u, d in zip(speeds, self.joints, strict=True) if self._turns(d, i)]
            omega = r.add(self.r.nothing, *(r.scale(u, e) for u, e in turns))
            spin = r.apply(self.r.frame(i), r.apply(s.inertia, omega))
            found[i] = r.scale(s.mass, self.vector_rate(self.r.centres[i])), spin
        return found

    def _turns(self, d: Displacement, i: int) -> bool:
        return d.turn and self.moves(d, i)

    def momentum(self, i: int) -> Wrench:
        """K, and L about O_i, of all that segment i carries: ∂T/∂ż of its release."""
        r, linear, angular = self.ring, self.r.nothing, self.r.nothing
        for b in self.r.carried(i):
            push, spin = self._momenta[b]
            linear = r.add(linear, push)
            angular = r.add(angular, spin, r.cross(self.r.reach(i, b), push))
        return linear, angular

    def kinetic(self, i: int, accelerations: bool = True) -> Wrench:
        """d/dt ∂T/∂ż − ∂T/∂z of the release of segment i: K̇, and L̇ + v_P × K about P = O_i."""
        linear, angular = self.momentum(i)
        pole = self.vector_rate(self.r.joint(i))
        turned = self.ring.add(self.vector_rate(angular, accelerations), self.ring.cross(pole, linear))
        return self.vector_rate(linear, accelerations), turned
