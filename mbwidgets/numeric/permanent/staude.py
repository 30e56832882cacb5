"""`staude_cone(model, body)`: the axes about which one heavy body can turn for ever, and their speeds.

Source: Staude 1894; Chebanov, Khlistunova, section 4 (iv), for the augmented body B*. With ν pointing down, in body
axes, (2.2) for one body is ν × (ω² A*ν + g a) = 0, that is (A* − μ) ν = −(g/ω²) a for some real μ: away from the
principal moments ν(μ) = −(A* − μ)⁻¹a / |·| and ω² = g |(A* − μ)⁻¹a|, and this is every solution there.

At a principal moment μ = A_k a solution exists exactly when a has no component in the whole eigenspace of A_k (where
A_k is double, a_k = 0 along one vector of it is not enough). Then ν = −(g/ω²) p + τ with p = (A* − A_k)⁺a and τ in
the eigenspace, |τ|² = 1 − (g|p|/ω²)²: half a great circle through ±e_k and −p, or half a sphere, with
ω² = g|p|/√(1 − τ²).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.spatial.transform import Rotation

from ...errors import ModelError, StateError, shorten
from ...model.model import Model
from .ball_chain import Chain, finite_array

__all__ = ["Arc", "Branch", "Spot", "StaudeCone", "staude_cone"]

ZERO = 1e-12
"""A component of a, or a difference of moments, below this part of the whole is zero."""


class Arc(NamedTuple):
    """An open interval of μ between poles of ν(μ); ω → ∞ at its finite ends, ω → 0 at an infinite one."""

    low: float
    high: float


class Branch(NamedTuple):
    """Axes that ν(μ) does not reach, at a principal moment μ.

    ``space`` (3, d): orthonormal directions e_k of the moment; ``foot`` p (3,): ν = −(g/ω²) p + τ, τ in the space.
    Where p = 0 every axis in the space is permanent at every speed (``free``), both ways round.
    """

    mu: float
    space: np.ndarray
    foot: np.ndarray
    free: bool

    def axis(self, *tau: float) -> np.ndarray:
        """ν (3,) for components τ along ``space``, |τ| < 1; for a free branch their direction is all that counts."""
        part = self.space @ np.array(tau, dtype=float)
        square = float(part @ part)
        if self.free:
            return np.asarray(part / np.sqrt(square))
        return np.asarray(part - np.sqrt(1.0 - square) * self.foot / np.linalg.norm(self.foot))


class Spot(NamedTuple):
    """An admissible axis: ν (3,) in body axes, ω rad/s (nan: any speed), μ, the angle to what was asked for, rad."""

    axis: np.ndarray
    speed: float
    mu: float
    angle: float


@dataclass(frozen=True, repr=False)
class StaudeCone:
    """The cone a·(ν × A*ν) = 0 of one augmented body and its admissible side; made by `staude_cone`.

    Attributes
    ----------
    inertia : A* (3, 3) and ``static`` : a (3,), body axes; ``weight`` : g
    moments : (3,) principal moments A_1 ≤ A_2 ≤ A_3, ``principal`` (3, 3) their axes in columns
    """

    name: str
    inertia: np.ndarray
    static: np.ndarray
    weight: float

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        moments, axes = np.linalg.eigh(self.inertia)
        return moments, axes

    @property
    def moments(self) -> np.ndarray:
        return self._spectrum[0]

    @property
    def principal(self) -> np.ndarray:
        return self._spectrum[1]

    @cached_property
    def _groups(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """The different moments, each with its eigenspace and the components of a in it; small ones are set to zero."""
        groups: list[list[int]] = []
        for k in range(3):
            if groups and self.moments[k] - self.moments[groups[-1][0]] <= ZERO * self.moments[2]:
                groups[-1].append(k)
            else:
                groups.append([k])
        size = float(np.linalg.norm(self.static))
        result = []
        for group in groups:
            space = self.principal[:, group]
            parts = space.T @ self.static
            parts = np.where(np.linalg.norm(parts) <= ZERO * size, 0.0, parts)
            result.append((float(self.moments[group].mean()), space, parts))
        return result

    @property
    def degenerate(self) -> str:
        """Empty in general; otherwise what makes the cone fall apart, in words."""
        if not np.any(self.static):
            return "the mass centre is in the joint: only principal axes are permanent, each at any speed"
        if self.weight == 0.0:
            return "there is no gravity: only principal axes are permanent, each at any speed"
        missing = [space.shape[1] for _, space, parts in self._groups if not parts.any()]
        several = [space for _, space, _ in self._groups if space.shape[1] > 1]
        if sum(missing) == 2 or len(self._groups) == 1:
            return "the mass centre is on a principal axis: that axis is permanent at any speed"
        if missing:
            return "the mass centre is in a principal plane: the cone is two planes"
        if several:
            return "two principal moments are equal: the cone is two planes"
        return ""

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """The intervals of μ between the poles: four in general, fewer where the cone degenerates, none without a."""
        if self._lost:
            return ()
        poles = [moment for moment, _, parts in self._groups if parts.any()]
        return tuple(Arc(*pair) for pair in zip([-np.inf, *poles], [*poles, np.inf], strict=True))

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """Axes at the principal moments where a has no component; see the module."""
        found = []
        for moment, space, parts in self._groups:
            if self._lost or not parts.any():
                others = [(m, v, p) for m, v, p in self._groups if m != moment]
                foot = sum((v @ p / (m - moment) for m, v, p in others), np.zeros(3))
                foot = np.zeros(3) if self._lost else foot
                found.append(Branch(moment, space, foot, not foot.any()))
        return tuple(found)

    @property
    def _lost(self) -> bool:
        return self.weight == 0.0 or not np.any(self.static)

    def _inverse(self, mu: np.ndarray) -> np.ndarray:
        """(A* − μ)⁻¹a (…, 3); at a moment where a has no component the pseudo-inverse, at ±∞ its direction ∓a."""
        if self._lost:
            raise ModelError(
                f"ν(μ) has no value: {self.degenerate}", where=f"body {self.name!r}", remedy="use .branches or .nearest"
            )
        total = np.zeros((*mu.shape, 3))
        endless = np.isinf(mu)
        for moment, space, parts in self._groups:
            if parts.any():
                gap = np.where(endless, -np.sign(mu), moment - mu)
                if np.any(gap == 0.0):
                    raise StateError(f"mu = {moment:g} is a principal moment, where ω → ∞", remedy="give another mu")
                total += (space @ parts) / gap[..., None]
        return total

    def axis(self, mu: Any) -> np.ndarray:
        """ν(μ) = −(A* − μ)⁻¹a / |·| (…, 3), body axes, pointing down; μ = ±∞ hangs and stands at rest."""
        inverse = self._inverse(_real(mu))
        return np.asarray(-inverse / np.linalg.norm(inverse, axis=-1, keepdims=True))

    def speed(self, mu: Any) -> Any:
        """ω(μ) = √( g |(A* − μ)⁻¹a| ), rad/s; either sense of turning does."""
        values = _real(mu)
        speed = np.where(np.isinf(values), 0.0, np.sqrt(self.weight * np.linalg.norm(self._inverse(values), axis=-1)))
        return float(speed) if speed.ndim == 0 else speed

    def residual(self, axis: Any, speed: float) -> np.ndarray:
        """ω² ν × A*ν − g a × ν (3,), the left side of (2.2), N m."""
        nu, speed = _direction(axis), float(finite_array(speed, "speed", ()))
        return np.asarray(np.cross(nu, speed**2 * self.inertia @ nu + self.weight * self.static))

    def cone(self, axis: Any) -> float:
        """a·(ν × A*ν), zero on the cone, admissible or not."""
        nu = _direction(axis)
        return float(self.static @ np.cross(nu, self.inertia @ nu))

    def square_speed(self, axis: Any) -> float:
        """ω² = −g (ν × a)·(ν × A*ν) / |ν × A*ν|²: negative for the side of the cone that is not admissible."""
        nu = _direction(axis)
        turned = np.cross(nu, self.inertia @ nu)
        square = float(turned @ turned)
        size = float(np.linalg.norm(self.inertia))
        if square <= (1e-14 * size) ** 2:
            return float("nan")
        return float(-self.weight * (np.cross(nu, self.static) @ turned) / square)

    def mus(self, count: int = 100) -> np.ndarray:
        """μ (arcs, count) spread over the arcs: closer where ν turns faster."""
        if not hasattr(count, "__index__") or count < 1:
            raise StateError(f"count = {shorten(count)}", remedy="give a whole number of at least 1")
        return np.array([self._mu(arc, np.linspace(0.0, 1.0, count + 2)[1:-1]) for arc in self.arcs])

    def _mu(self, arc: Arc, x: Any) -> Any:
        """From (0, 1) onto an arc, poles and infinities at the ends."""
        if np.isfinite(arc.low) and np.isfinite(arc.high):
            return arc.low + (arc.high - arc.low) * (1.0 - np.cos(np.pi * x)) / 2.0
        reach = max(float(self.moments[2]), 1e-300)
        with np.errstate(divide="ignore"):
            if np.isfinite(arc.low):
                return arc.low + reach * x**2 / (1.0 - x)
            return arc.high - reach * (1.0 - x) ** 2 / x

    def nearest(self, axis: Any) -> Spot:
        """The admissible axis nearest to a given one (body axes, any length), with its speed: what a drag snaps to."""
        wanted = _direction(axis)
        spots = [self._nearest_on(arc, wanted) for arc in self.arcs]
        spots += [self._nearest_in(branch, wanted) for branch in self.branches]
        return min(spots, key=lambda spot: spot.angle)

    def _nearest_on(self, arc: Arc, wanted: np.ndarray) -> Spot:
        edge = 1e-3  # poles are limits of infinite speed and are not reached
        x = np.linspace(edge if np.isfinite(arc.low) else 0.0, 1.0 - edge if np.isfinite(arc.high) else 1.0, 201)
        axes = self.axis(self._mu(arc, x))
        best = int(np.argmax(axes @ wanted))
        low, high = x[max(best - 1, 0)], x[min(best + 1, len(x) - 1)]
        found = minimize_scalar(
            lambda y: _angle(self.axis(self._mu(arc, y)), wanted),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-10},
        )
        # the angle is flat at its least, which hides half of the digits: its slope has them all
        low, high = max(low, found.x - 1e-6), min(high, found.x + 1e-6)
        slopes = [self._slope(self._mu(arc, y), wanted) for y in (low, high)]
        exact = slopes[0] * slopes[1] < 0.0
        root = brentq(lambda y: self._slope(self._mu(arc, y), wanted), low, high, xtol=1e-15) if exact else found.x
        tried = [(_angle(self.axis(self._mu(arc, y)), wanted), y) for y in (root, x[best])]
        angle, y = tried[0] if exact else min(tried)
        mu = float(self._mu(arc, y))
        return Spot(self.axis(mu), self.speed(mu), mu, angle)

    def _slope(self, mu: float, wanted: np.ndarray) -> float:
        """The sign of the rate at which ν(μ) leaves ``wanted`` as μ grows, without poles between the poles."""
        if not np.isfinite(mu):
            return 0.0
        v = self._inverse(np.array(mu))
        rate = sum(space @ parts / (moment - mu) ** 2 for moment, space, parts in self._groups if parts.any())
        # as unit vectors, lest squares of squares overflow near a pole
        v, rate = v / np.linalg.norm(v), rate / np.linalg.norm(rate)
        return float((rate @ wanted) - (v @ wanted) * (v @ rate))

    def _nearest_in(self, branch: Branch, wanted: np.ndarray) -> Spot:
        """By projection on the half circle or half sphere that −p and the space span."""
        part = branch.space.T @ wanted
        if branch.free:
            part = part if np.linalg.norm(part) > 0.0 else np.eye(len(part))[0]
            nu = branch.axis(*part)
            return Spot(nu, float("nan"), branch.mu, _angle(nu, wanted))
        foot = branch.foot / np.linalg.norm(branch.foot)
        depth = max(-float(foot @ wanted), 1e-4)  # the rim, ω → ∞, is not reached
        length = float(np.hypot(depth, np.linalg.norm(part)))
        nu = (branch.space @ part - depth * foot) / length
        speed = np.sqrt(self.weight * np.linalg.norm(branch.foot) / (depth / length))
        return Spot(nu, float(speed), branch.mu, _angle(nu, wanted))

    def state(self, axis: Any, speed: float, down: Any = (0.0, 0.0, -1.0)) -> tuple[np.ndarray, np.ndarray]:
        """q (4,) and u (3,) of the body alone, turned so that ν points down, and turning about it."""
        nu, speed = _direction(axis), float(finite_array(speed, "speed", ()))
        turn = Rotation.align_vectors([_direction(down)], [nu])[0]
        return np.asarray(turn.as_quat()), speed * nu

    def __repr__(self) -> str:
        return f"<Staude cone of {self.name!r}: {self.degenerate or f'{len(self.arcs)} arcs'}>"


def staude_cone(model: Model, body: str | int = 0) -> StaudeCone:
    """The Staude cone of one augmented body of a chain on spherical joints, in that body's axes.

    For the last body this is the cone of the body alone. A mass centre in the joint is no error: `degenerate` names
    it, `branches` holds the principal axes, `nearest` works; `axis(mu)` then raises ModelError.

    >>> cone = mb.staude_cone(mb.PermanentRotationsView().model)
    >>> cone.axis(cone.arcs[0].low + 0.1).shape
    (3,)
    """
    chain = Chain.of(model)
    index = model.index(body)
    return StaudeCone(chain.names[index], chain.augmented[index], chain.static[index], chain.weight)


def _real(mu: Any) -> np.ndarray:
    try:
        values = np.asarray(mu, dtype=float)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if np.isnan(values).any():
        raise StateError(f"mu = {shorten(mu)}", remedy="give real numbers that are no principal moments")
    return values


def _direction(axis: Any) -> np.ndarray:
    try:
        vector = np.asarray(axis, dtype=float)
        length = float(np.linalg.norm(vector))
    except (TypeError, ValueError):
        vector, length = np.zeros(0), 0.0
    if vector.shape != (3,) or not (length > 0.0 and np.isfinite(length)):
        raise StateError(f"{shorten(axis)} is no direction", where="axis", remedy="give three numbers, not all 0")
    return vector / length


def _angle(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))
