"""Inverse dynamics by Newton and Euler, over the ring (exact) or over a program's operations (code).

One pass outward for velocities and accelerations, one pass inward for forces, in body axes; gravity is an
upward acceleration of the ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ring.algebra import Vector
from .mechanism import Mechanism, Segment

__all__ = ["newton_euler"]


def newton_euler(mechanism: Mechanism, u: Sequence[Any], ud: Sequence[Any] | None = None) -> list[Any]:
    """τ_α = a_αβ u̇^β + Γ_βγ,α u^β u^γ + ∂Π/∂q^α; without ``ud`` the bias alone."""
    r = mechanism.ring
    wrenches: list[tuple[Vector, Vector]] = []
    motions: list[tuple[Vector, Vector, Vector]] = []
    still = (r.zero, r.zero, r.zero)
    lift = tuple(-part for part in mechanism.gravity)
    for i, s in enumerate(mechanism.segments):
        before = (still, still, lift) if s.parent < 0 else motions[s.parent]
        speed = r.zero if s.coordinate is None else u[s.coordinate]
        rate = r.zero if s.coordinate is None or ud is None else ud[s.coordinate]
        motions.append(_motion(mechanism, i, before, speed, rate))
        wrenches.append(_inertial(mechanism, s, motions[-1]))
    return _efforts(mechanism, wrenches)


def _motion(mechanism: Mechanism, i: int, before: Any, speed: Any, rate: Any) -> tuple[Vector, Vector, Vector]:
    """ω, ε and the acceleration of O_i*, axes of body i."""
    r, s = mechanism.ring, mechanism.segments[i]
    omega, epsilon, a = before
    d = s.offset
    a = r.add(a, r.cross(epsilon, d), r.cross(omega, r.cross(omega, d)))
    if s.kind == "prismatic":
        sliding = r.scale(speed, s.axis)
        a = r.add(a, r.scale(rate, s.axis), r.cross(omega, r.add(sliding, sliding)))
    omega, epsilon, a = (mechanism.turned_back(i, v) for v in (omega, epsilon, a))
    if s.revolute:
        spin = r.scale(speed, s.axis)
        epsilon = r.add(epsilon, r.scale(rate, s.axis), r.cross(omega, spin))
        omega = r.add(omega, spin)
    return omega, epsilon, a


def _inertial(mechanism: Mechanism, s: Segment, motion: tuple[Vector, Vector, Vector]) -> tuple[Vector, Vector]:
    """F = m a_C and M about O_i* = J_C ε + ω × J_C ω + ρ_C × F"""
    r = mechanism.ring
    omega, epsilon, a = motion
    centre = r.add(a, r.cross(epsilon, s.com), r.cross(omega, r.cross(omega, s.com)))
    force = r.scale(s.mass, centre)
    spin = r.cross(omega, r.apply(s.inertia, omega))
    return force, r.add(r.apply(s.inertia, epsilon), spin, r.cross(s.com, force))


def _efforts(mechanism: Mechanism, wrenches: list[tuple[Vector, Vector]]) -> list[Any]:
    r = mechanism.ring
    efforts: list[Any] = [r.zero] * mechanism.n
    for i in range(len(wrenches) - 1, -1, -1):
        s, (force, moment) = mechanism.segments[i], wrenches[i]
        if s.coordinate is not None:
            efforts[s.coordinate] = r.dot(s.axis, moment if s.revolute else force)
        if s.parent >= 0:
            force, moment = mechanism.turned(i, force), mechanism.turned(i, moment)
            outer = wrenches[s.parent]
            moment = r.add(moment, r.cross(s.offset, force))
            wrenches[s.parent] = (r.add(outer[0], force), r.add(outer[1], moment))
    return efforts
