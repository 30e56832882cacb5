"""`permanent(model, omega)`: can a chain turn about the vertical for ever, each body at its own constant speed?

Source: Chebanov, Khlistunova, sections 2 to 4. In axes with e3 = ν (down), fixed in body i and aligned at t = 0,
(2.2) reads α_i^k + Σ_{j≠i} ω_j² [ β_ij^k cos(ω_i − ω_j)t + γ_ij^k sin(ω_i − ω_j)t ] = 0   (2.4): row k = 1 is its
component along −e2, k = 2 along e1, k = 3 along e3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from ...errors import StateError, shorten
from ...model.model import Model
from ..base.arguments import as_array
from ..packing.traced_numbers import lengths_of
from .ball_chain import Chain, Posed, finite_array, speeds_of
from .conditions import Condition, classify_case, condition_harmonics
from .growth_rates import NO_MOTION, Growth, SteadyRotation, rotation_growth

__all__ = ["OwnAxes", "Permanent", "condition_coefficients", "own_axes", "permanent"]

TOLERANCE = 1e-9
"""Of the moments that are to balance: `relative_equilibrium` and `branch_diagram` leave 1e-11 of them or less."""


@dataclass(frozen=True, repr=False)
class Permanent(SteadyRotation):
    """The verdict on one rotation about the vertical; made by `permanent`.

    Attributes
    ----------
    turns : (n, 3, 3) world rotations of the bodies at t = 0
    omega : (n,) rad/s, about ν = g/|g|
    alpha : (n, 3) N m   (2.5)
    beta, gamma : (n, n, 3) kg m²   (2.5)
    scale : the largest of the moments that the rows balance, N m; the tolerance is relative to it
    case : the paper's case: ``"case 1 (3.6)"``, …, ``"section 4, k=3"``, ``"Staude"`` for one body
    k : the index of the general theorem, None outside of it
    conditions : what the case asks for, each with its amount
    """

    chain: Chain
    turns: np.ndarray
    posed: Posed
    omega: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    gamma: np.ndarray
    scale: float
    tolerance: float
    case: str
    k: int | None
    conditions: tuple[Condition, ...]

    def residual(self, t: Any = 0.0) -> np.ndarray:
        """Left sides of (2.4) at a time, (n, 3), or at times (…), (…, n, 3); N m."""
        return condition_residual(self.omega, self.alpha, self.beta, self.gamma, finite_array(t, "t"))

    @cached_property
    def largest(self) -> float:
        """The largest coefficient of (2.4) with equal |ω_i − ω_j| taken together, N m: 0 for a permanent rotation."""
        rows = condition_harmonics(self.omega, self.alpha, self.beta, self.gamma)
        return max((abs(row.amount) for row in rows), default=0.0)

    @property
    def holds(self) -> bool:
        """Whether the rotation is permanent: `largest` is zero within the tolerance, relative to `scale`."""
        return self.largest <= self.tolerance * self.scale

    @cached_property
    def failures(self) -> tuple[Condition, ...]:
        """The conditions that fail, and by how much; empty for a permanent rotation."""
        if self.holds:
            return ()
        failed = tuple(item for item in self.conditions if not item.holds)
        limit = self.tolerance * self.scale
        rows = condition_harmonics(self.omega, self.alpha, self.beta, self.gamma)
        return failed or tuple(row.condition(self.chain.names, limit) for row in rows if abs(row.amount) > limit)

    @cached_property
    def small_motions(self) -> Growth:
        """Growth rates of small motions about the rotation, and the stability that they tell.

        Where the rotation does not hold there is nothing to move about: the rate is nan.
        """
        return rotation_growth(self.posed, self.omega) if self.holds else NO_MOTION

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """q (4n,) and u (3n,) at t = 0, for `simulate`."""
        speeds = self.omega[:, None] * self.chain.basis[:, 2]
        return self.chain.quaternions(self.turns), self.chain.relative_speeds(self.turns, speeds)

    def __repr__(self) -> str:
        verdict = "permanent" if self.holds else f"not permanent, by {self.largest:.3g} N m"
        bodies = "one body" if len(self.chain) == 1 else f"{len(self.chain)} bodies"
        return f"<rotation of {bodies}: {verdict}, {self.case}>"


def permanent(model: Model, omega: Any, q: Any = None, tolerance: float = TOLERANCE) -> Permanent:
    """Whether the bodies of a chain can turn about the vertical at constant speeds ω_i for ever.

    Parameters
    ----------
    model : a chain on spherical joints under gravity alone
    omega : (n,) speeds about ν = g/|g|, rad/s, one a body, or a number for all
    q : the pose at t = 0, by default the model's
    tolerance : of the verdict, relative to the moments that are to balance

    Raises
    ------
    ModelError : no chain on spherical joints; forces or constraints; no gravity; s_i = 0
    StateError : ``omega`` or ``q`` of the wrong length or not finite

    >>> chain = mb.library.spherical_chain(2)
    >>> mb.permanent(chain, [3, 3]).holds, mb.relative_equilibrium(chain, 3.0).permanent.holds
    (False, True)
    """
    chain = Chain.of(model)
    speeds = speeds_of(omega, chain.names)
    turns = chain.turns(model.q0 if q is None else as_array(q, model.coordinate_names, "q"))
    return permanent_rotation_of_chain(chain, speeds, turns, _checked(tolerance))


def _checked(tolerance: Any) -> float:
    value = float(finite_array(tolerance, "tolerance", ()))
    if not 0.0 < value < 1.0:
        raise StateError(f"tolerance = {shorten(tolerance)}", remedy="give a number between 0 and 1")
    return value


def permanent_rotation_of_chain(
    chain: Chain, speeds: np.ndarray, turns: np.ndarray, tolerance: float = TOLERANCE
) -> Permanent:
    """As `permanent`, for a chain that has been read and world rotations R_i (n, 3, 3)."""
    posed = chain.posed(turns)
    alpha, beta, gamma = condition_coefficients(posed, speeds)
    scale = moment_scale(posed, speeds)
    case, k, conditions = classify_case(chain.names, posed, speeds, alpha, beta, gamma, tolerance, scale)
    return Permanent(chain, turns, posed, speeds, alpha, beta, gamma, scale, tolerance, case, k, conditions)


def condition_coefficients(posed: Posed, speeds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """α (n, 3), β and γ (n, n, 3) of (2.5), with A_k3 = −(tensor)_k3 = ∫ x_k z dm."""
    a, s, n = posed.static, posed.arm, len(posed)
    alpha = -posed.inertia[:, :, 2] * (speeds**2)[:, None] - posed.weight * a
    alpha[:, 2] = 0.0
    lower = np.tri(n, k=-1, dtype=bool)[:, :, None]
    own, other = np.where(lower, a[:, None], s[:, None]), np.where(lower, s[None], a[None])
    own, other = np.broadcast_to(own, (n, n, 3)), np.broadcast_to(other, (n, n, 3))
    x, y = own[..., 2] * other[..., 0], own[..., 2] * other[..., 1]
    # j < i: a_i² s_j¹ − a_i¹ s_j²; j > i: a_j¹ s_i² − a_j² s_i¹: the same with own and other exchanged in both
    turn = own[..., 1] * other[..., 0] - own[..., 0] * other[..., 1]
    lever = own[..., 0] * other[..., 0] + own[..., 1] * other[..., 1]
    beta, gamma = np.stack([x, y, turn], axis=-1), np.stack([y, -x, lever], axis=-1)
    beta[range(n), range(n)] = gamma[range(n), range(n)] = 0.0
    return alpha, beta, gamma


def condition_residual(
    speeds: np.ndarray, alpha: np.ndarray, beta: np.ndarray, gamma: np.ndarray, times: np.ndarray
) -> np.ndarray:
    """Left sides of (2.4) at times (…), (…, n, 3); N m."""
    phase = times[..., None, None] * (speeds[:, None] - speeds)
    square = speeds**2
    return alpha + np.asarray(
        np.einsum("...ij,ijk->...ik", np.cos(phase) * square, beta)
        + np.einsum("...ij,ijk->...ik", np.sin(phase) * square, gamma)
    )


def moment_sizes(posed: Posed, speeds: np.ndarray) -> np.ndarray:
    """The sum over each row of (2.2) of the sizes of its moments (n,), N m."""
    a, s = lengths_of(posed.static), lengths_of(posed.arm)
    square = speeds**2
    before, after = np.cumsum(square * s) - square * s, np.cumsum((square * a)[::-1])[::-1] - square * a
    own = lengths_of(posed.inertia.reshape(len(posed), 9))
    return np.asarray(square * own + a * (posed.weight + before) + s * after)


def moment_scale(posed: Posed, speeds: np.ndarray) -> float:
    """The largest of `moment_sizes`, N m."""
    return float(moment_sizes(posed, speeds).max())


@dataclass(frozen=True, repr=False)
class OwnAxes:
    """Bodies that turn about directions ν_i of their own, fixed in space   (2.1), (2.2); made by `own_axes`.

    ``omega`` (n,), ``axes`` (n, 3) unit vectors in world axes, ``scale`` N m.
    """

    chain: Chain
    turns: np.ndarray
    omega: np.ndarray
    axes: np.ndarray
    scale: float
    tolerance: float

    def residual(self, t: float = 0.0) -> np.ndarray:
        """Left sides of (2.2) at a time, (n, 3), world axes, N m.

        ω_i² ν_i × A_i*ν_i + a_i × [ Σ_{j<i} ω_j² ν_j × (ν_j × s_j) − gν ] + s_i × Σ_{j>i} ω_j² ν_j × (ν_j × a_j)
        """
        turns = (
            Rotation.from_rotvec(self.axes * (self.omega * float(finite_array(t, "t", ())))[:, None]).as_matrix()
            @ self.turns
        )
        a, s = (np.einsum("iab,ib->ia", turns, v) for v in (self.chain.static, self.chain.arm))
        tensors = turns @ self.chain.augmented @ np.swapaxes(turns, 1, 2)
        spin = self.axes * self.omega[:, None]
        a2, s2 = (np.cross(spin, np.cross(spin, v)) for v in (a, s))
        lifted = np.cumsum(s2, axis=0) - s2 - self.chain.gravity
        swung = np.cumsum(a2[::-1], axis=0)[::-1] - a2
        own = np.cross(spin, np.einsum("iab,ib->ia", tensors, spin))
        return np.asarray(own + np.cross(a, lifted) + np.cross(s, swung))

    @cached_property
    def largest(self) -> float:
        """The largest residual over 64 times that no period of the motion divides, N m."""
        fastest = max(float(np.abs(self.omega).max()), 1e-3)
        times = np.arange(64) * (np.sqrt(5.0) - 1.0) / fastest
        return max(float(np.abs(self.residual(t)).max()) for t in times)

    @property
    def holds(self) -> bool:
        """Whether (2.2) holds at all times tried, within the tolerance, relative to `scale`."""
        return self.largest <= self.tolerance * self.scale


def own_axes(model: Model, omega: Any, axes: Any, q: Any = None, tolerance: float = TOLERANCE) -> OwnAxes:
    """Condition (2.2) for bodies that turn at ω_i (n,), rad/s, about directions ν_i (n, 3) fixed in space, world axes.

    >>> chain = mb.library.spherical_chain(2)
    >>> mb.own_axes(chain, [0, 0], [[0, 0, 1], [0, 0, 1]], q=[0, 0, 0, 1] * 2).holds  # it hangs at rest
    True
    """
    chain = Chain.of(model)
    speeds = speeds_of(omega, chain.names)
    directions = finite_array(axes, "axes", (len(chain), 3))
    lengths = np.linalg.norm(directions, axis=1)
    if not np.all(lengths > 0.0):
        raise StateError("an axis is the zero vector", where="axes", remedy="give directions")
    turns = chain.turns(model.q0 if q is None else as_array(q, model.coordinate_names, "q"))
    scale = moment_scale(chain.posed(turns), speeds)
    return OwnAxes(chain, turns, speeds, directions / lengths[:, None], scale, _checked(tolerance))
