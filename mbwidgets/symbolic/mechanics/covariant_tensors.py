"""The tensors of the covariant equations as polynomials: metric, potential gradient, Christoffel symbols.

Source: Marković, Obradović, CTAM 1 (1992). ξ is 0 for a revolute and 1 for a prismatic joint; sums run
over the bodies that all joints named carry, so that trees need no other formula than chains.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..ring.algebra import Vector
from ..ring.backend import Poly
from ..ring.ring import Ring
from .mechanism import Mechanism

__all__ = ["christoffel_by_metric", "christoffel_by_planar", "gravity_energy", "gravity_gradient", "metric_tensor"]

Wrench = tuple[Vector, Vector]
Square = list[list[Poly]]
Cube = list[list[list[Poly]]]


def metric_tensor(mechanism: Mechanism) -> Square:
    """a_αβ = Σ_i ( m_i T_α(i)·T_β(i) + ξ̄_α ξ̄_β e_α · J_Ci e_β )   (7)

    By composites: the momentum that unit speed of joint β gives to what it carries, felt along joint α.
    """
    r, n = mechanism.ring, mechanism.n
    a: Square = [[r.zero] * n for _ in range(n)]
    for beta in range(n):
        place = mechanism.joints[beta]
        for alpha, value in _felt_inward(mechanism, place, _momentum(mechanism, place)):
            a[alpha][beta] = a[beta][alpha] = value
    return a


def gravity_gradient(mechanism: Mechanism) -> list[Poly]:
    """∂Π/∂q^α = −Σ_i m_i g·T_α(i)   (7), with the gravity vector g instead of the paper's g along z."""
    r = mechanism.ring
    found = []
    for place in mechanism.joints:
        s, c, g = mechanism.segments[place], mechanism.carried[place], mechanism.weights[place]
        pull = r.cross(c.first, g) if s.revolute else r.scale(c.mass, g)
        found.append(-r.dot(s.axis, pull))
    return found


def gravity_energy(mechanism: Mechanism) -> Poly:
    """Π = −g·Σ m_i r_Ci, zero at the origin."""
    return -mechanism.ring.dot(mechanism.gravity, mechanism.first_moment)


def christoffel_by_metric(r: Ring, a: Sequence[Sequence[Poly]]) -> Cube:
    """Γ_βγ,α = ½ ( ∂a_βα/∂q^γ + ∂a_γα/∂q^β − ∂a_βγ/∂q^α )   (6), at [β][γ][α]

    (`Krist1Dif` prints + for the −).
    """
    n, half = len(a), r.constant(Fraction(1, 2))
    slope: list[Square] = [[[r.zero] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            if a[i][j]:
                halved = half * a[i][j]
                for k in range(n):
                    slope[k][i][j] = slope[k][j][i] = r.by_angle(halved, k)
    gamma: Cube = [[[r.zero] * n for _ in range(n)] for _ in range(n)]
    for beta in range(n):
        for gam in range(beta, n):
            for alpha in range(n):
                plus = [slope[gam][beta][alpha], slope[beta][gam][alpha]]
                value = _sum([*(p for p in plus if p), *(-p for p in (slope[alpha][beta][gam],) if p)])
                if value is not None:
                    gamma[beta][gam][alpha] = gamma[gam][beta][alpha] = value
    return gamma


def _sum(parts: list[Poly]) -> Poly | None:
    """The sum; one part alone is not copied, large polynomials are most of the time."""
    total = None
    for part in parts:
        total = part if total is None else total + part
    return total


def christoffel_by_planar(mechanism: Mechanism) -> Cube:
    """Γ_αβ,γ = Σ_i ( ξ̄_α m_i T_γ(i)·(e_α × T_β(i)) + ξ̄_α ξ̄_β ξ̄_γ e_α · Π_Ci (e_β × e_γ) ), α ≤ β   (12)

    (corrected: the Π term takes e_α in body i, and the formula holds for α ≤ β only). By composites: the
    forces that the acceleration field e_α × T_β needs, felt along joint γ. For γ beyond β the formula is
    odd in (β, γ), so that Γ_αβ,γ = −Γ_αγ,β.
    """
    r, n = mechanism.ring, mechanism.n
    gamma: Cube = [[[r.zero] * n for _ in range(n)] for _ in range(n)]
    for beta in range(n):
        place = mechanism.joints[beta]
        for alpha, e_alpha in _axes_inward(mechanism, place):
            wrench = _turning(mechanism, place, e_alpha)
            for gam, value in _felt_inward(mechanism, place, wrench):
                gamma[alpha][beta][gam] = gamma[beta][alpha][gam] = value
                if _precedes(mechanism, alpha, gam) and gam != beta:
                    gamma[alpha][gam][beta] = gamma[gam][alpha][beta] = -value
    return gamma


def _precedes(mechanism: Mechanism, alpha: int, gam: int) -> bool:
    return mechanism.joints[alpha] in mechanism.path(mechanism.joints[gam])


def _momentum(mechanism: Mechanism, place: int) -> Wrench:
    """Linear momentum and angular momentum about O_i* at unit speed of the joint, body axes.

    Revolute: e × h and (tr P) e − P e; prismatic: m e and h × e.
    """
    r, s, c = mechanism.ring, mechanism.segments[place], mechanism.carried[place]
    if not s.revolute:
        return r.scale(c.mass, s.axis), r.cross(c.first, s.axis)
    return r.cross(s.axis, c.first), mechanism.inertia_times(place, s.axis)


def _turning(mechanism: Mechanism, place: int, a: Vector) -> Wrench:
    """Force and moment about O_i* of the acceleration field a × T on what the joint carries.

    Revolute: a × (e × h) and (P a) × e, because r × (a × (e × r)) = (a·r)(r × e); prismatic: m a × e and
    h × (a × e).
    """
    r, s, c = mechanism.ring, mechanism.segments[place], mechanism.composites[place]
    if not s.revolute:
        field = r.cross(a, s.axis)
        return r.scale(c.mass, field), r.cross(c.first, field)
    return r.cross(a, r.cross(s.axis, c.first)), r.cross(r.apply(c.planar, a), s.axis)


def _felt_inward(mechanism: Mechanism, place: int, wrench: Wrench) -> Any:
    """(coordinate, component of the wrench along its joint) for a joint and all those before it."""
    r = mechanism.ring
    force, moment = wrench
    for i in mechanism.path(place):
        s = mechanism.segments[i]
        if s.coordinate is not None:
            yield s.coordinate, r.dot(s.axis, moment if s.revolute else force)
        if s.parent < 0:
            return
        force, moment = mechanism.turned(i, force), mechanism.turned(i, moment)
        if any(s.offset):
            moment = r.add(moment, r.cross(s.offset, force))


def _axes_inward(mechanism: Mechanism, place: int) -> Any:
    """(coordinate, axis in the body axes of ``place``) for the revolute joints up to and with ``place``."""
    outward: list[int] = []
    for i in mechanism.path(place):
        s = mechanism.segments[i]
        if s.revolute:
            axis = s.axis
            for j in reversed(outward):
                axis = mechanism.turned_back(j, axis)
            yield s.coordinate, axis
        outward.append(i)
