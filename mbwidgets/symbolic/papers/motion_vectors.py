"""`motion_vectors(model)`: the vectors of the Rodrigues approach, each on its own, in the paper's notation.

Cajić-Lazarević, section 2: A, T, Γ, v_C, a_C, ω, ε, dL_C/dt, for chains and trees of one-axis joints. Bodies and
coordinates are counted from 0 in the arrays and from 1 in the names that are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.arguments import as_model
from ..formula.named_formula import Named
from ..mechanics.derivation import Study, study_of
from ..ring.algebra import Vector
from ..ring.derivation_limits import SECONDS, TERMS
from .covariant import derived_once

__all__ = ["MotionVectors", "motion_vectors"]


class MotionVectors:
    """The vectors of one model in inertial axes; make it with `motion_vectors`.

    N coordinates, n bodies. In a tree "a ≤ i" reads "joint a is on the path to body i".
    """

    def __init__(self, model: Any, terms: int, seconds: float) -> None:
        self.model = model
        self.limits = (terms, seconds)
        self.study: Study = study_of(as_model(model))

    def __repr__(self) -> str:
        return f"<motion vectors of {self.model.name}: {self.study.n} coordinates, {len(self.study.bodies)} bodies>"

    def _bodies(self, vector: Callable[[int], Vector], symbol: str, form: str = "collected") -> Named:
        found = [list(vector(i)) for i in self.study.bodies]
        names = [symbol % (k + 1) for k in range(len(found))]
        return Named.of(self.study.formula(found, form), names)

    @derived_once
    def turns(self) -> Named:
        """A_{j−1,j} = I + ξ̄_j {(1 − cos q_j)[e_j]² + sin q_j [e_j]}, (N, 3, 3)   (7), corrected: ξ̄_j"""
        s = self.study
        one, zero = s.ring.one, s.ring.zero
        unit = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
        turns = [s.mechanism.segments[j].turn or unit for j in s.mechanism.joints]
        parents = (s.mechanism.segments[j].parent for j in s.mechanism.joints)
        places = zip(parents, s.mechanism.joints, strict=True)
        names = [f"A_{{{s.number(p) if p >= 0 else 0},{s.number(j)}}}" for p, j in places]
        return Named.of(s.formula(turns, "factored"), names)

    @derived_once
    def rotations(self) -> Named:
        """A_0i of each body, (n, 3, 3)   (7)"""
        found = [self.study.rodrigues.frame(i) for i in self.study.bodies]
        names = [f"A_{{0,{k + 1}}}" for k in range(len(found))]
        return Named.of(self.study.formula(found, "factored"), names)

    @derived_once
    def axes(self) -> Named:
        """e_a of each coordinate, (N, 3)"""
        s = self.study
        found = [list(s.rodrigues.axis(j)) for j in s.mechanism.joints]
        names = [f"\\vec e_{{{s.number(j)}}}" for j in s.mechanism.joints]
        return Named.of(s.formula(found, "factored"), names)

    @derived_once
    def joints(self) -> Named:
        """O_i, fixed in the parent, from the origin, (n, 3)"""
        s = self.study
        first = [s.joint(k)[0] for k in range(len(s.bodies))]
        names = [f"\\vec r_{{O_{k + 1}}}" for k in range(len(first))]
        return Named.of(s.formula([list(s.rodrigues.joint(j)) for j in first], "factored"), names)

    @derived_once
    def images(self) -> Named:
        """O_i*, fixed in the body, from the origin, (n, 3)"""
        return self._bodies(self.study.rodrigues.image, r"\vec r_{O^*_%d}", "factored")

    @derived_once
    def centres(self) -> Named:
        """C_i from the origin, (n, 3)"""
        return self._bodies(lambda i: self.study.rodrigues.centres[i], r"\vec r_{C%d}", "factored")

    @derived_once
    def quasibase(self) -> Named:
        """T_a(i) = ξ̄_a e_a × R_a(i) + ξ_a e_a at [a, i], (N, n, 3)   (11), corrected: A_bi ρ_i outside the sum"""
        s = self.study
        found = [[list(s.rodrigues.quasibase(j, i)) for i in s.bodies] for j in s.mechanism.joints]
        names = [[f"\\vec T_{{{s.number(j)}({k + 1})}}" for k in range(len(s.bodies))] for j in s.mechanism.joints]
        return Named.of(s.formula(found, "factored"), names)

    @derived_once
    def gamma(self) -> Named:
        """Γ_ab(i) = ξ̄_min e_min × T_max(i) at [a, b, i], (N, N, n, 3)   (5), corrected: ξ̄_β for α > β"""
        s, joints = self.study, self.study.mechanism.joints
        found = [[[list(s.rodrigues.gamma(a, b, i)) for i in s.bodies] for b in joints] for a in joints]
        names = [
            [[f"\\vec\\Gamma_{{{s.number(a)}{s.number(b)}({k + 1})}}" for k in range(len(s.bodies))] for b in joints]
            for a in joints
        ]
        return Named.of(s.formula(found, "factored"), names)

    @derived_once
    def joint_velocities(self) -> Named:
        """v_Oi of the joint's point in the parent, (n, 3)   (15)"""
        s = self.study
        found = [list(s.rodrigues.joint_velocity(s.joint(k)[0])) for k in range(len(s.bodies))]
        return Named.of(s.formula(found), [f"\\vec v_{{O_{k + 1}}}" for k in range(len(found))])

    @derived_once
    def velocities(self) -> Named:
        """v_Ci = Σ T_a(i) q̇_a, (n, 3)   (4)"""
        return self._bodies(self.study.rodrigues.velocity, r"\vec v_{C%d}")

    @derived_once
    def accelerations(self) -> Named:
        """a_Ci = Σ T_a(i) q̈_a + ΣΣ Γ_ab(i) q̇_a q̇_b, (n, 3)   (4)"""
        return self._bodies(lambda i: self.study.rodrigues.accelerations[i], r"\vec a_{C%d}")

    @derived_once
    def omega(self) -> Named:
        """ω_i = Σ ξ̄_a e_a q̇_a, (n, 3)   (21)"""
        return self._bodies(self.study.rodrigues.omega, r"\vec\omega_{%d}")

    @derived_once
    def epsilon(self) -> Named:
        """ε_i = Σ ξ̄_a e_a q̈_a + ΣΣ ξ̄_a ξ̄_b e_b × e_a q̇_a q̇_b, b ≤ a, (n, 3)   (23); (39) prints ε₁ with q̇¹"""
        return self._bodies(self.study.rodrigues.epsilon, r"\vec\varepsilon_{%d}")

    @derived_once
    def momentum_rates(self) -> Named:
        """dL_Ci/dt = [ω_i] J_Ci ω_i + J_Ci ε_i, (n, 3)   (20)"""
        return self._bodies(lambda i: self.study.rodrigues.momentum_rates[i], r"\frac{d\vec L_{C%d}}{dt}")


def motion_vectors(model: Any, *, terms: int = TERMS, seconds: float = SECONDS) -> MotionVectors:
    """The vectors T, Γ, ω, ε, v_C, a_C, dL_C/dt and the matrices A of a model of one-axis joints.

    >>> mb.motion_vectors(mb.library.three_body_arm()).omega[1]  # rad/s
    <Formula 3: [cos(q[0])*u[1], sin(q[0])*u[1], u[0]]>
    """
    return MotionVectors(model, terms, seconds)
