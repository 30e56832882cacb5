"""Constraints at one state, by three routes in plain NumPy: null space, Lagrange's multipliers, Udwadia-Kalaba.

M u̇ = f + Jᵀ λ with J u̇ = γ. The routes know the compiled solution only by M, f, J, γ, take the rank from singular
values, and must agree with it and with each other: theory and compiled code check one another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ...errors import SingularError, StateError
from ...model.fields import suggest_name
from ...model.levels import row_divisors
from ...model.model import Model
from ..base.brief import brief_text
from ..base.tolerances import ACCELERATION_MISSED, DEPENDENT, DEPENDENT_BESIDE, POINT_ON_CURVE
from ..kernels import memory_layout as layout
from ..packing.pack import Packed, pack_model
from .constraint_system import Constraints, equation_names, set_nearest_curve_parameters
from .unresisted_motion import explain_unresisted_motion

__all__ = ["ROUTES", "ConstrainedSystem", "ConstraintState"]


@dataclass(frozen=True, eq=False)
class ConstraintState:
    """What the constraints do at one state; m equations, nv velocities, rank r.

    Attributes
    ----------
    L_lambda : J (m, nv), acting on u
    L_tau : its orthogonal complement (nv, nv − r), L_λ L_τ = 0: the velocities that the constraints leave free
    accelerations : u̇ (nv,)
    multipliers : λ (m,), the shortest where redundant equations leave a choice; ``unique`` says whether they do not
    wrench : L_λᵀ λ (nv,), the constraints' force on each velocity: always unique
    rank : number of independent equations
    residual, rate : Φ (m,) and Φ̇ (m,), which a consistent state has at zero
    names : for each equation the constraint that it belongs to
    """

    L_lambda: np.ndarray
    L_tau: np.ndarray
    accelerations: np.ndarray
    multipliers: np.ndarray
    wrench: np.ndarray
    rank: int
    residual: np.ndarray
    rate: np.ndarray
    names: tuple[str, ...]

    @property
    def unique(self) -> bool:
        """Whether the multipliers are determined."""
        return self.rank == len(self.L_lambda)

    @property
    def freedom(self) -> int:
        """Degrees of freedom that are left."""
        return int(self.L_tau.shape[1])

    def __repr__(self) -> str:
        return brief_text(self)


def _split(J: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """U, σ, V of the rank's singular values with J = U σ Vᵀ, and T, which spans the null space."""
    left, sizes, right = np.linalg.svd(J)
    rank = int((sizes > least * sizes.max(initial=0.0)).sum())
    return left[:, :rank], sizes[:rank], right[:rank].T, right[rank:].T


class Scaled(NamedTuple):
    """M, f, J, γ with velocities in units of 1/√M_ii and rows of J of length one, so that no unit decides on a rank.

    ``weights`` (nv,) and ``lengths`` (m,) lead back; ``least``: which part of the largest singular value of J is still
    one: beside the constraints J itself is off by as much.
    """

    M: np.ndarray
    f: np.ndarray
    J: np.ndarray
    gamma: np.ndarray
    weights: np.ndarray
    lengths: np.ndarray
    expressed: np.ndarray
    least: float

    @classmethod
    def of(cls, system: Constraints) -> Scaled:
        """What was observed last."""
        weights = system.weights()
        J = system.jacobian / weights
        lengths = np.linalg.norm(J, axis=1)
        lengths[lengths == 0.0] = 1.0
        least = float(np.clip(100.0 * system.off().max(initial=0.0), DEPENDENT, DEPENDENT_BESIDE))
        M = system.mass / np.outer(weights, weights)
        J, gamma = J / lengths[:, None], system.gamma / lengths
        return cls(M, system.force / weights, J, gamma, weights, lengths, system.expressed, least)

    def missed(self, ud: np.ndarray) -> np.ndarray:
        """By which part of what forces and motion ask for scaled accelerations miss each equation."""
        off = abs(self.J @ ud - self.gamma)
        terms = np.linalg.norm(ud) + np.linalg.norm(self.f) + abs(self.gamma)
        return np.divide(off, terms, out=np.zeros_like(off), where=terms > 0.0)

    def shortest(self, wrench: np.ndarray) -> np.ndarray:
        """λ = (J Jᵀ)⁺ J w, the shortest with Jᵀ λ = w, of a scaled wrench."""
        left, sizes, right, _ = _split(self.J, self.least)
        if len(sizes) == len(self.J):
            return np.asarray(left @ ((right.T @ wrench) / sizes) / self.lengths)
        scale = row_divisors(self.lengths, self.expressed)
        plain, lengths, across = np.linalg.svd((self.lengths / scale)[:, None] * self.J)
        rank = len(sizes)
        return np.asarray(plain[:, :rank] @ ((across[:rank] @ wrench) / lengths[:rank]) / scale)


def null_space(
    M: np.ndarray, f: np.ndarray, J: np.ndarray, gamma: np.ndarray, least: float = DEPENDENT
) -> tuple[np.ndarray, np.ndarray]:
    """u̇ and Jᵀ λ by the orthogonal complement: [ Tᵀ M ; J ] u̇ = [ Tᵀ f ; γ ]   (Tătaru, section 2)"""
    left, sizes, right, T = _split(J, least)
    particular = right @ ((left.T @ gamma) / sizes)
    free = np.linalg.solve(T.T @ M @ T, T.T @ (f - M @ particular))
    accelerations = particular + T @ free
    return accelerations, M @ accelerations - f


def lagrange(
    M: np.ndarray, f: np.ndarray, J: np.ndarray, gamma: np.ndarray, least: float = DEPENDENT
) -> tuple[np.ndarray, np.ndarray]:
    """u̇ and Jᵀ λ by multipliers: (J M⁻¹ Jᵀ) λ = γ − J M⁻¹ f, the pseudo-inverse where equations are redundant."""
    loose, spread = np.linalg.solve(M, f), np.linalg.solve(M, J.T)
    inverse = np.linalg.pinv(J @ spread, rcond=max(DEPENDENT, least**2), hermitian=True)
    wrench = J.T @ (inverse @ (gamma - J @ loose))
    return loose + np.linalg.solve(M, wrench), wrench


def udwadia_kalaba(
    M: np.ndarray, f: np.ndarray, J: np.ndarray, gamma: np.ndarray, least: float = DEPENDENT
) -> tuple[np.ndarray, np.ndarray]:
    """u̇ and Jᵀ λ = M^½ (J M^−½)⁺ (γ − J M⁻¹ f)   (Udwadia and Kalaba, Proc. R. Soc. A 439, 1992)"""
    sizes, axes = np.linalg.eigh(M)
    root, inverse = axes * sizes**0.5 @ axes.T, axes * sizes**-0.5 @ axes.T
    loose = np.linalg.solve(M, f)
    change = np.linalg.pinv(J @ inverse, rcond=least) @ (gamma - J @ loose)
    return loose + inverse @ change, root @ change


ROUTES: Final[dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]]] = {
    "null_space": null_space,
    "lagrange": lagrange,
    "udwadia_kalaba": udwadia_kalaba,
}


class ConstrainedSystem:
    """The constraints of a model at states: accelerations, multipliers, efforts and reactions."""

    def __init__(self, model: Model, packed: Packed | None = None) -> None:
        self.model = model
        self.packed = pack_model(model) if packed is None else packed
        set_nearest_curve_parameters(self.packed, model.q0)
        self.system = Constraints(model, self.packed)
        self._curved = bool((self.system.table[:, layout.C_KIND] >= layout.CURVE).any())
        self.names = tuple(equation_names(model, self.packed))

    def state(
        self, q: np.ndarray, u: np.ndarray, tau: Any = None, t: float = 0.0, route: str = "null_space"
    ) -> ConstraintState:
        """What the constraints do at a state, by a route of `ROUTES`."""
        if route not in ROUTES:
            raise StateError(f"route {route!r} is not known", remedy=suggest_name(str(route), list(ROUTES)))
        system = self._observed(q, u, tau, t)
        scaled = Scaled.of(system)
        try:
            accelerations, wrench = ROUTES[route](scaled.M, scaled.f, scaled.J, scaled.gamma, scaled.least)
        except np.linalg.LinAlgError:
            raise self._undetermined() from None
        if not np.isfinite(accelerations).all():
            raise self._undetermined()
        self._agree(scaled, accelerations)
        _, sizes, _, left = _split(scaled.J, scaled.least)
        return ConstraintState(
            L_lambda=system.jacobian.copy(),
            L_tau=np.linalg.qr(left / scaled.weights[:, None])[0],
            accelerations=accelerations / scaled.weights,
            multipliers=scaled.shortest(wrench),
            wrench=wrench * scaled.weights,
            rank=len(sizes),
            residual=system.phi.copy(),
            rate=system.rate.copy(),
            names=self.names,
        )

    def _agree(self, scaled: Scaled, ud: np.ndarray) -> None:
        """Refuse accelerations that miss an equation, because another one asks for others."""
        off = scaled.missed(ud)
        worst = int(off.argmax())
        if off[worst] > ACCELERATION_MISSED + 10.0 * scaled.least:
            raise StateError(
                f"no accelerations meet {self.names[worst]} and the others together",
                remedy="leave out one that contradicts it, or give a state that meets them all",
            )

    def null_space(self, q: np.ndarray, u: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """What the constraints leave of u (nv, freedom), and one u̇ that they allow."""
        scaled = Scaled.of(self._observed(q, u, None, t))
        left, sizes, right, free = _split(scaled.J, scaled.least)
        one = right @ ((left.T @ scaled.gamma) / sizes)
        return np.linalg.qr(free / scaled.weights[:, None])[0], one / scaled.weights

    def efforts(self, q: np.ndarray, u: np.ndarray, ud: np.ndarray, t: float) -> tuple[np.ndarray, np.ndarray]:
        """τ and λ of a motion: M u̇ − f = τ + Jᵀ λ, of which the least τ in the metric of the kinetic energy is taken.

        It does no work on what the constraints forbid: J M⁻¹ τ = 0.
        """
        system = self._observed(q, u, None, t)
        scaled = Scaled.of(system)._replace(least=DEPENDENT)
        moving = ud * scaled.weights
        off = scaled.missed(moving)
        worst = int(off.argmax())
        if off[worst] > ACCELERATION_MISSED:
            raise StateError(
                f"the accelerations miss {self.names[worst]} by {(system.jacobian @ ud - system.gamma)[worst]:.3g}",
                remedy="give accelerations that meet the constraints, as `forward` does",
            )
        missing = scaled.M @ moving - scaled.f
        _, wrench = udwadia_kalaba(scaled.M, -missing, scaled.J, np.zeros(len(scaled.J)))
        return (missing - wrench) * scaled.weights, scaled.shortest(wrench)

    def reactions(self, q: np.ndarray, u: np.ndarray, ud: np.ndarray, t: float) -> np.ndarray:
        """Joint reactions (n, 6) under the constraints' forces, as `Dynamics.reactions`."""
        from ..kernels.constrained_reactions import constrained_reactions

        tau, multipliers = self.efforts(q, u, ud, t)
        out = np.empty((1, len(self.model.bodies), 6))
        feet = self.system.feet
        frame = (values[None].copy() for values in (q, u, ud, tau, multipliers, feet, tau))
        constrained_reactions(self.packed.model, self.system.data, np.array([float(t)]), *frame, out)
        return out[0]

    def _observed(self, q: np.ndarray, u: np.ndarray, tau: Any, t: float) -> Constraints:
        self.system.observe(t, q, u, tau)
        if self._curved and not self.system.off().max() < POINT_ON_CURVE:
            set_nearest_curve_parameters(self.packed, q)
            self.system = Constraints(self.model, self.packed)
            self.system.observe(t, q, u, tau)
        if not all(np.isfinite(x).all() for x in (self.system.mass, self.system.force, self.system.gamma)):
            raise StateError("the forces at this state are not finite", remedy="look for a value that is not finite")
        if (met := self.system.directionless()) is not None:
            raise StateError(
                f"the points of {self.names[met]} lie on each other: their distance has no direction here",
                remedy="give a state in which they are apart",
            )
        return self.system

    def _undetermined(self) -> SingularError:
        if (lack := explain_unresisted_motion(self.model, self.system.massless_free_velocities())) is not None:
            return SingularError(
                f"the accelerations are not determined: the constraints leave a motion free, and {lack.what}",
                where=f"joint {lack.joint!r}",
                remedy=lack.remedy,
            )
        return SingularError(
            "the accelerations are not determined: what the constraints leave free moves nothing that has mass",
            where=", ".join(dict.fromkeys(self.names)),
            remedy="give the bodies mass or inertia, or leave the singular position",
        )
