"""A mechanism in the ring, and its composite rigid bodies.

Vectors are held in the axes of the body they belong to: the joint point O_i, its image O_i* fixed in body
i, and A_{p,i} from body axes to the parent's. A composite is everything that a joint carries: mass, first
moment and planar second moment about O_i*. With it each entry of the metric costs one product instead of
a sum over bodies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from ...errors import ModelError
from ...model.tensors import quaternion_matrix
from ..ring import generators as letters
from ..ring.algebra import Algebra, Matrix, Vector
from ..ring.backend import Poly
from ..ring.element import Element, letter_element
from ..ring.generators import Generator, Kind
from ..ring.ring import Ring, make_ring
from ..ring.scalar_reader import Rationalised, Reader
from ..ring.unit_axes import AXIS_TOLERANCE, unit_axis

__all__ = ["Composite", "Mechanism", "Segment", "rodrigues_rotation"]


@dataclass(frozen=True)
class Segment:
    """One body with its one-axis joint; polynomials of the mechanism's ring.

    ``axis`` e_i, ``at`` r_in,i (parent axes), ``com`` ρ_iC, ``inertia`` J_C and ``planar``
    Π_C = ½ tr(J_C) I − J_C (body axes), ``turn`` A_{p,i} (None for the identity), ``offset`` O_p* → O_i*.
    ``coordinate`` is the place of its velocity in u (of its first for a ball, which has three), ``place`` that of
    its coordinate in q.
    """

    name: str
    parent: int
    kind: str
    coordinate: int | None
    body: int
    axis: Vector
    at: Vector
    offset: Vector
    turn: Matrix | None
    mass: Poly
    com: Vector
    inertia: Matrix
    planar: Matrix
    place: int | None = None

    @property
    def revolute(self) -> bool:
        return self.kind == "revolute"


@dataclass(frozen=True)
class Composite:
    """Mass m, first moment h = ∫ r dm and planar second moment P = ∫ r rᵀ dm about O_i*, body axes."""

    mass: Poly
    first: Vector
    planar: Matrix


@dataclass(frozen=True)
class Mechanism:
    """A tree of one-axis joints, and of balls where they were asked for, over one ring; ``n`` velocities."""

    ring: Any
    segments: tuple[Segment, ...]
    gravity: Vector
    n: int
    rationalised: tuple[Rationalised, ...] = ()
    reader: Reader = field(default_factory=Reader)

    @classmethod
    def from_model(
        cls, model: Any, axis_tolerance: float = AXIS_TOLERANCE, free: bool = False, balls: bool = False
    ) -> Mechanism:
        """Read a model's elementary links; floats become the decimals that they print as.

        ``free``: sin and cos unrelated, as a program without simplification treats them. ``balls``: take spherical
        and free joints too, with quaternions of unit length; what is derived from u̇ alone does not know them.
        """
        links = model.elementary(balls=True) if balls else model.elementary()
        angles = frozenset(link.place for link in links if link.kind == "revolute")
        reader = Reader(angles=angles)
        drafts = [_read_link(link, i, reader, axis_tolerance) for i, link in enumerate(links)]
        gravity = [reader.read(part, "gravity") for part in model.gravity]
        own = [g for link in links for g in _coordinates(link)]
        values = [value for draft in drafts for value in draft] + gravity
        held = [link.place for link in links if link.kind == "ball"]
        home = make_ring({*own, *(g for value in values for g in _polynomial_letters(value))}, free, held)
        segments = tuple(_segment(home, link, draft) for link, draft in zip(links, drafts, strict=True))
        weight = _vector(home, gravity)
        count = sum({"fixed": 0, "ball": 3}.get(link.kind, 1) for link in links)
        return cls(home, segments, weight, count, tuple(reader.rationalised), reader)

    @cached_property
    def joints(self) -> tuple[int, ...]:
        """The segment that each coordinate moves."""
        places = {s.coordinate: i for i, s in enumerate(self.segments) if s.coordinate is not None}
        return tuple(places[k] for k in range(self.n))

    def path(self, i: int) -> Iterable[int]:
        """Segment i and its ancestors, inward."""
        while i >= 0:
            yield i
            i = self.segments[i].parent

    def turned(self, i: int, v: Vector) -> Vector:
        """A_{p,i} v: from the axes of body i to its parent's."""
        turn = self.segments[i].turn
        return v if turn is None else self.ring.apply(turn, v)

    def turned_back(self, i: int, v: Vector) -> Vector:
        """A_{p,i}ᵀ v: from the parent's axes to those of body i."""
        turn = self.segments[i].turn
        return v if turn is None else self.ring.apply(tuple(zip(*turn, strict=True)), v)

    @cached_property
    def composites(self) -> tuple[Composite, ...]:
        """What each joint carries, gathered from the tips inward."""
        sums = list(self.carried)
        for i, segment in enumerate(self.segments):
            if segment.parent >= 0 and self._at_root(segment.parent):
                moved = self._inward(i, self.carried[i])
                planar = _matrix_sum(sums[segment.parent].planar, moved.planar)
                sums[segment.parent] = replace(sums[segment.parent], planar=planar)
        return tuple(sums)

    @cached_property
    def carried(self) -> tuple[Composite, ...]:
        """As `composites`, but on the ground's own bodies P is that of the body alone.

        The last step inward makes the longest polynomials; `inertia_times` needs only one column of them.
        """
        sums = [_own(self.ring, s) for s in self.segments]
        for i in range(len(sums) - 1, -1, -1):
            parent = self.segments[i].parent
            if parent >= 0:
                moved = self._inward(i, sums[i], planar=not self._at_root(parent))
                outer = sums[parent]
                planar = outer.planar if self._at_root(parent) else _matrix_sum(outer.planar, moved.planar)
                first = self.ring.add(outer.first, moved.first)
                sums[parent] = Composite(outer.mass + moved.mass, first, planar)
        return tuple(sums)

    def _at_root(self, i: int) -> bool:
        return self.segments[i].parent < 0

    def _inward(self, i: int, c: Composite, planar: bool = True) -> Composite:
        """A composite about O_p*, in the parent's axes: P' = A P Aᵀ + h dᵀ + d hᵀ + m d dᵀ."""
        r, d, turn = self.ring, self.segments[i].offset, self.segments[i].turn
        first, second = self.turned(i, c.first), c.planar
        if turn is not None and planar:
            half = r.matmul(turn, second)
            second = _symmetric_matrix(lambda j, k: r.dot(half[j], turn[k]))
        if not any(d):
            return Composite(c.mass, first, second)
        moved = r.add(first, r.scale(c.mass, d))
        if planar:
            turned = second
            second = _symmetric_matrix(lambda j, k: turned[j][k] + r.dot((moved[j], d[j]), (d[k], first[k])))
        return Composite(c.mass, moved, second)

    def inertia_times(self, i: int, e: Vector) -> Vector:
        """J e about O_i* of all that joint i carries, body axes, J = tr(P) I − P.

        From body to body: J_p e = J e + Σ ( A J_c Aᵀ e + d × (e × h) + (h + m d) × (e × d) ), h turned.
        """
        r = self.ring
        total: Vector = r.apply(_inertia(self.carried[i].planar), e)
        if not self._at_root(i):
            return total
        for k, child in enumerate(self.segments):
            if child.parent == i:
                c, d = self.carried[k], child.offset
                there = r.apply(_inertia(c.planar), self.turned_back(k, e))
                total = r.add(total, self.turned(k, there))
                if any(d):
                    first = self.turned(k, c.first)
                    moved = r.add(first, r.scale(c.mass, d))
                    total = r.add(total, r.cross(d, r.cross(e, first)), r.cross(moved, r.cross(e, d)))
        return total

    @cached_property
    def first_moment(self) -> Vector:
        """Σ m_i r_Ci of the whole mechanism about the origin, inertial axes."""
        r = self.ring
        total: Vector = (r.zero, r.zero, r.zero)
        for i, s in enumerate(self.segments):
            if s.parent < 0:
                c = self.carried[i]
                total = r.add(total, self.turned(i, c.first), r.scale(c.mass, s.offset))
        return total

    @cached_property
    def weights(self) -> tuple[Vector, ...]:
        """The gravity vector in the axes of each body."""
        found: list[Vector] = []
        for i, segment in enumerate(self.segments):
            above = self.gravity if segment.parent < 0 else found[segment.parent]
            found.append(self.turned_back(i, above))
        return tuple(found)

    @cached_property
    def poses(self) -> tuple[tuple[Matrix, Vector], ...]:
        """A_{0,i} and O_i* of each body, inertial axes."""
        r = self.ring
        found: list[tuple[Matrix, Vector]] = []
        unit = _symmetric_matrix(lambda j, k: r.one if j == k else r.zero)
        for segment in self.segments:
            frame, place = (unit, (r.zero,) * 3) if segment.parent < 0 else found[segment.parent]
            turn = frame if segment.turn is None else r.matmul(frame, segment.turn)
            arm = r.apply(frame, segment.offset) if any(segment.offset) else segment.offset
            found.append((turn, r.add(place, arm)))
        return tuple(found)


def rodrigues_rotation(r: Algebra, axis: Vector, s: Poly, c: Poly) -> Matrix:
    """A = I + (1 − c)[e]² + s[e] = c I + (1 − c) e eᵀ + s[e], with e·e = 1   (Rodrigues; (2))"""
    x, y, z = axis
    skew = ((r.zero, -z, y), (z, r.zero, -x), (-y, x, r.zero))
    rest = r.one - c
    rows = []
    for j in range(3):
        row = []
        for k in range(3):
            entry = r.mul(rest, r.mul(axis[j], axis[k])) + r.mul(s, skew[j][k])
            row.append(entry + c if j == k else entry)
        rows.append(tuple(row))
    return tuple(rows)  # type: ignore[return-value]


def _coordinates(link: Any) -> list[Generator]:
    """The letters of a link's coordinates."""
    if link.kind == "revolute":
        return [letters.sine(link.place)]
    count = {"prismatic": 1, "ball": 4}.get(link.kind, 0)
    return [letters.coordinate(link.place + k) for k in range(count)]


def _symmetric_matrix(entry: Any) -> Matrix:
    xx, xy, xz, yy, yz, zz = (entry(j, k) for j in range(3) for k in range(j, 3))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _own(r: Algebra, s: Segment) -> Composite:
    first = r.scale(s.mass, s.com)
    planar = _symmetric_matrix(lambda j, k: s.planar[j][k] + r.mul(first[j], s.com[k]))
    return Composite(s.mass, first, planar)


def _matrix_sum(a: Matrix, b: Matrix) -> Matrix:
    return _symmetric_matrix(lambda j, k: a[j][k] + b[j][k])


def _inertia(planar: Matrix) -> Matrix:
    """J = tr(P) I − P"""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = planar
    return ((yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy))


def _read_link(link: Any, place: int, reader: Reader, tolerance: float) -> list[Element]:
    """mass, com, J_C (6 components), at, axis."""
    where = f"body {link.name!r}"
    if link.kind not in ("revolute", "prismatic", "fixed", "ball"):
        raise ModelError(
            f"a {link.kind} joint has no exact equations here",
            where=where,
            remedy="use revolute, prismatic or fixed joints, or the compiled dynamics: mb.Dynamics(model)",
        )
    read = [reader.read(link.mass, f"{where}, mass")]
    read += [reader.read(part, f"{where}, com") for part in link.com]
    read += [reader.read(link.inertia[j][k], f"{where}, inertia") for j in range(3) for k in range(j, 3)]
    read += [reader.read(part, f"{where}, at") for part in link.at]
    if link.kind in ("revolute", "prismatic"):
        read += unit_axis(link.axis, reader, f"{where}, axis", f"e{place + 1}", tolerance)
    return read


def _inverse(value: Element) -> Generator:
    """The letter 1/den for a model value that is a fraction; `elements.resolved` puts it back."""
    assert value.den is not None
    terms = value.ring.terms(value.den)
    depth = max((g.depth for monomial, _ in terms for g, _k in monomial), default=0)
    return Generator(Kind.FUNCTION, 0, "inverse", (terms, (((), 1),)), depth + 1)


def _polynomial_letters(value: Element) -> Iterable[Generator]:
    yield from value.ring.generators
    if value.den is not None:
        yield _inverse(value)


def _polynomial(home: Ring, value: Element) -> Poly:
    if value.den is None:
        return home.lift(value.num, value.ring)
    over = letter_element(_inverse(value))
    return home.mul(home.lift(value.num, value.ring), home.lift(over.num, over.ring))


def _vector(home: Ring, values: Sequence[Element]) -> Vector:
    x, y, z = (_polynomial(home, value) for value in values)
    return x, y, z


def _segment(r: Ring, link: Any, draft: list[Element]) -> Segment:
    mass, *rest = (_polynomial(r, value) for value in draft)
    com, (xx, xy, xz, yy, yz, zz), at = tuple(rest[:3]), rest[3:9], tuple(rest[9:12])
    inertia: Matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    half = r.constant(Fraction(1, 2)) * (xx + yy + zz)
    planar = _symmetric_matrix(lambda j, k: half - inertia[j][k] if j == k else -inertia[j][k])
    axis = tuple(rest[12:15]) if rest[12:15] else (r.zero,) * 3
    turn, offset, k = None, at, link.place
    if link.kind == "revolute":
        turn = rodrigues_rotation(r, axis, r.gen(letters.sine(k)), r.gen(letters.cosine(k)))
    elif link.kind == "prismatic":
        slide = r.scale(r.gen(letters.coordinate(k)), axis)
        offset = r.add(at, slide)
    elif link.kind == "ball":
        turn = quaternion_matrix([r.gen(letters.coordinate(k + part)) for part in range(4)], 2)  # of unit length
    vectors = (axis, at, offset, turn, mass, com, inertia, planar)
    return Segment(link.name, link.parent, link.kind, link.coordinate, link.body, *vectors, k)
