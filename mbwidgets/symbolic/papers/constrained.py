"""`constrained(model)`: constraints, the motions that they leave, and the forces that they take (Tătaru).

    M u̇ = Q^g + Q + L_λᵀ λ,  L_λ u + Φ_t = 0,  L_λ L_τ = 0      (20), (43), (48)
    [ L_τᵀ M ; L_λ ] u̇ = [ L_τᵀ (Q^g + Q) ; γ ]                 (49), (50)
    λ = (L_λ L_λᵀ)⁻¹ L_λ (M u̇ − Q^g − Q)

L_λ acts on the model's velocities u. Where constraints say the same twice the wrench L_λᵀ λ is still unique, λ is not.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ModelError, SizeError
from ...model.displacement import displaced_coordinates
from ...model.levels import row_divisors
from ..formula.evaluation import Defaults, State
from ..formula.formula import Formula
from ..formula.solved_formula import RANK, Solved, System
from ..mechanics.constraint_equations import (
    Equation,
    acceleration_right_hand_side,
    constraint_jacobian,
    scalar_constraints,
)
from ..mechanics.curve_guides import curve_parameters
from ..mechanics.derivation import Study, study_of
from ..mechanics.displacement_rows import Rows
from ..mechanics.generalised_forces import joint_generalised_forces
from ..ring import generators as letters
from ..ring.derivation_limits import SECONDS, TERMS, limited
from ..ring.element import Element, letter_element
from ..ring.exact_elimination import cofactor_inverse, null_space

if TYPE_CHECKING:
    from ..code.codegen import Code
    from ..mechanics.dynamics_code import DynamicsFunction
    from .body_equations import BodyEquations

__all__ = ["Constrained", "constrained"]

Vec = list[Element]
UNIQUE = 1e-14
"""Part of the largest singular value that counts where all are known to: rounding."""
TRIES = 60
"""Turns of Newton's method from each place that it is tried from."""
MET = 1e-10
"""A residual, as a part of the size of its equation, that counts as zero."""


class Constrained:
    """The constrained motion of one model; make it with `constrained`. n velocities, m scalar equations."""

    def __init__(self, owner: Study, limits: tuple[int, float]) -> None:
        self.study = owner
        self.model = owner.model
        self.limits = limits
        self.n: int = owner.n

    @cached_property
    def _rows(self) -> Rows:
        return Rows(self.study, self.study.virtual.joints)

    @cached_property
    def _equations(self) -> tuple[Equation, ...]:
        with limited(*self.limits):
            return scalar_constraints(self.study)

    @cached_property
    def _slopes(self) -> list[Vec]:
        with limited(*self.limits):
            return constraint_jacobian(self.study, self._equations, self.study.virtual.joints)

    @property
    def _plain_slopes(self) -> list[Vec]:
        """Rows that leave the same motions as `L_lambda`, without the roots of curves."""
        if all(row.plain is None for row in self._equations):
            return self._slopes
        rows = (row if row.plain is None else replace(row, normal=row.plain) for row in self._equations)
        return constraint_jacobian(self.study, tuple(rows), self.study.virtual.joints)

    @cached_property
    def values(self) -> dict[str, Any]:
        """The parameters' values, and how the foot points on curves, letters s1, …, are found at a state."""
        return Defaults.joined(self.study.values, curve_parameters(self.study))

    def _formula(self, entries: Any, labels: str) -> Formula:
        return Formula(entries, self.values, "collected", labels=labels)

    @property
    def m(self) -> int:
        """Number of scalar equations."""
        return len(self._equations)

    @property
    def names(self) -> tuple[str, ...]:
        """For each equation the constraint that it belongs to."""
        types = [item.type for item in self.model.constraints]
        return tuple(f"{row.owner}: {types[row.owner]}" for row in self._equations)

    @cached_property
    def equations(self) -> Formula:
        """Φ(t, q), (m,): zero where the constraints hold   (23)-(26)"""
        return self._formula([row.phi for row in self._equations], r"\Phi_{%d}")

    @cached_property
    def L_lambda(self) -> Formula:
        """L_λ, (m, n): Φ̇ = L_λ u + Φ_t   (42), (43)"""
        return self._formula(self._slopes, r"L_{\lambda %d%d}")

    @cached_property
    def gamma(self) -> Formula:
        """γ = −L̇_λ u − Φ̇_t, (m,): L_λ u̇ = γ holds Φ̈ = 0   (50)"""
        with limited(*self.limits):
            return self._formula(
                acceleration_right_hand_side(self.study, self._equations, self._slopes), r"\gamma_{%d}"
            )

    @cached_property
    def _functions(self) -> list[DynamicsFunction]:
        from ..mechanics.dynamics_code import dynamics_functions
        from .covariant import covariant

        if curve_parameters(self.study):
            raise ModelError(
                "a point on a curve has a foot that is searched for, which code of formulae does not",
                where="code of constraints",
                remedy="write the guide as an equation f(q) = 0, or use mb.Dynamics",
            )
        tree = covariant(self.model.replace(constraints=()), terms=self.limits[0], seconds=self.limits[1])
        rows = {"constraints": self.equations, "jacobian": self.L_lambda, "gamma": self.gamma}
        with limited(*self.limits):
            return dynamics_functions(tree, ("mass_matrix", "bias"), rows)

    def code(self, language: str = "python", name: str = "mechanism") -> Code:
        """M, h, Φ, J and γ as functions of one language: M u̇ + h = τ + Jᵀ λ, J u̇ = γ.

        ``<name>_mass_matrix(q, p)``, ``<name>_bias(q, u, t, p)``, and of (q, u, t, p) ``<name>_constraints``,
        ``<name>_jacobian`` and ``<name>_gamma``; of mechanisms with one-axis joints. The text has ``.parameters`` and
        ``.inputs``, as that of `Covariant.code`.
        """
        from ..mechanics.dynamics_code import dynamics_code

        return dynamics_code(self._functions, language, name)

    def compile(self) -> Any:
        """The same functions for NumPy arrays: ``.mass_matrix(q)``, ``.bias(q, u)``, ``.constraints(q, u)``,
        ``.jacobian(q, u)``, ``.gamma(q, u)``; t and parameters by name.

        >>> linkage = mb.library.four_bar()
        >>> loop = mb.constrained(linkage).compile()
        >>> bool(abs(loop.jacobian(linkage.q0, linkage.u0) @ linkage.u0).max() < 1e-14)
        True
        """
        from ..mechanics.dynamics_code import compiled_dynamics

        return compiled_dynamics(self._functions, self.values)

    @cached_property
    def L_tau(self) -> Formula:
        """L_τ, (n, n − rank): a basis of the motions that the constraints leave, L_λ L_τ = 0   (48), (64)

        Polynomials, by minors of L_λ: for a curve its tangent x′(s), for a four-bar eleven terms. Where the rank is
        smaller on the constraints than elsewhere (Bricard's mechanism) there are more such motions than that; then
        `complement_at` gives them in numbers.
        """
        if self._usual_rank != self.rank:
            raise SizeError(
                f"L_λ has rank {self._usual_rank} for most q and {self.rank} where the constraints hold: "
                "no basis serves both",
                remedy="use .complement_at(q), which has it in numbers",
            )
        with limited(*self.limits):
            basis = null_space(self._plain_slopes, self.n)
        array = np.array(basis, dtype=object).reshape(-1, self.n).T
        return self._formula(array, r"L_{\tau %d%d}")

    def complement_at(self, q: Any = None, t: float = 0.0, **parameters: Any) -> np.ndarray:
        """An orthonormal L_τ (n, n − rank) as numbers; without q where the constraints hold next to the start."""
        _, sizes, rows = np.linalg.svd(self._level(self._jacobian_at(q, t, parameters)))
        return np.asarray(rows[_rank(sizes) :].T)

    @property
    def _expressed(self) -> tuple[bool, ...]:
        """Which equations are expressions."""
        types = [item.type for item in self.model.constraints]
        return tuple(types[row.owner] in ("equation", "prescribed") for row in self._equations)

    def _level(self, jacobian: np.ndarray) -> np.ndarray:
        """L_λ whose rank does not depend on what an expression was multiplied by."""
        size = np.linalg.norm(jacobian, axis=1)
        return np.asarray(jacobian / row_divisors(size, np.array(self._expressed, dtype=bool))[:, None])

    def _jacobian_at(self, q: Any, t: float, parameters: dict[str, Any]) -> np.ndarray:
        q = self._met(t, parameters) if q is None else q
        return np.asarray(self.L_lambda.evaluate(q=q, t=t, **parameters))

    def _met(self, t: float, parameters: dict[str, Any]) -> np.ndarray:
        """A position next to the model's start where the constraints hold; the start itself where none is found.

        Away from them L_λ is another: of a body in the centre of its circle it is zero.
        """
        model = self.model.with_values(**parameters)
        aside = np.sin(np.arange(1, model.nv + 1) * 1.7) / 10
        for start in (
            model.q0,
            displaced_coordinates(model, model.q0, aside),
            displaced_coordinates(model, model.q0, -5 * aside),
        ):
            q = start
            for _ in range(TRIES):
                phi = np.asarray(self.equations.evaluate(q=q, t=t, **parameters))
                slopes = np.asarray(self.L_lambda.evaluate(q=q, t=t, **parameters))
                terms = np.linalg.norm(slopes, axis=1) * (1.0 + abs(q).max(initial=0.0))
                if (abs(phi) <= MET * terms).all():
                    return np.asarray(q)
                if not (np.isfinite(phi).all() and np.isfinite(slopes).all()):
                    break
                change = np.linalg.lstsq(slopes, -phi, rcond=RANK)[0]
                q = displaced_coordinates(
                    model, q, change * min(1.0, 0.5 * (1.0 + abs(q).max()) / max(abs(change).max(), 1e-300))
                )
        return np.asarray(model.q0)

    @cached_property
    def rank(self) -> int:
        """Independent equations where the constraints hold next to the model's initial position."""
        return self.rank_at()

    def rank_at(self, q: Any = None, t: float = 0.0, **parameters: Any) -> int:
        """Independent equations at a position; smaller than m where constraints say the same twice.

        Without q, where the constraints hold next to the model's initial position.
        """
        return _rank(np.linalg.svd(self._level(self._jacobian_at(q, t, parameters)), compute_uv=False))

    @cached_property
    def _usual_rank(self) -> int:
        """Independent equations at a position like any other, off the constraints."""
        away = np.sin(np.arange(1, self.model.nq + 1) * 1.7) / 3
        return self.rank_at(self.model.q0 + away)

    @property
    def freedom(self) -> int:
        """Degrees of freedom that are left."""
        return self.n - self.rank

    @property
    def unique(self) -> bool:
        """True where the multipliers are: no equation is redundant."""
        return self.rank == self.m

    # Dynamics.

    @cached_property
    def mass(self) -> Formula:
        """M of the tree, (n, n)"""
        with limited(*self.limits):
            return self._formula(self._rows.inertia, "M_{%d%d}")

    @cached_property
    def gyroscopic(self) -> Formula:
        """Q^g, (n,): what the inertia does at u̇ = 0   (10)"""
        with limited(*self.limits):
            return self._formula(self._rows.kinetic, "Q^g_{%d}")

    @cached_property
    def forces(self) -> Formula:
        """Q, (n,): weight and all applied forces   (16)"""
        with limited(*self.limits):
            inner = joint_generalised_forces(self.study.geometry)
            return self._formula([x + y for x, y in zip(self._rows.applied, inner, strict=True)], "Q_{%d}")

    @cached_property
    def system(self) -> System:
        """What determines u̇ and λ, to be solved in numbers."""
        names = tuple(row.title for row in self._equations)
        right = self.gyroscopic + self.forces
        return System(self.mass, right, self.L_lambda, self.gamma, names, self._expressed)

    @cached_property
    def wrench(self) -> Solved:
        """L_λᵀ λ = M u̇ − Q^g − Q, (n,): the constraints' forces on each velocity, unique at any rank   (21)

        ``evaluate`` solves for u̇ where none is given.
        """
        with limited(*self.limits):
            speeds = Formula([letter_element(letters.acceleration(k)) for k in range(self.n)])
            total = self.mass @ speeds - self.gyroscopic - self.forces
        return Solved(total._array, self.values, self.system, r"Q^c_{%d}")

    @cached_property
    def multipliers(self) -> Solved:
        """λ = (L_λ L_λᵀ)⁻¹ L_λ (M u̇ − Q^g − Q), (m,), in the scale of `L_lambda`; forces and moments

        With redundant equations there is no such formula: `solve` has the shortest λ in numbers.
        """
        if not self.unique:
            raise ModelError(
                f"the {self.m} constraint equations have rank {self.rank}: λ is not unique",
                remedy="read .wrench, which is, or .solve(q, u), which has the shortest λ",
            )
        with limited(*self.limits):
            square = self.L_lambda @ self.L_lambda.T
            entries = cofactor_inverse([list(row) for row in square._array])
            total = Formula(entries) @ (self.L_lambda @ self.wrench)
        return Solved(total._array, self.values, self.system, r"\lambda_{%d}", route=self._multipliers_at)

    def _multipliers_at(self, state: State) -> np.ndarray:
        """λ from the numbers of L_λ and of the wrench: the long fractions of their product would lose digits."""
        across, wrench = self.L_lambda.at(state), self.wrench.at(state)
        back = np.linalg.pinv(np.swapaxes(across, -1, -2), rcond=UNIQUE)
        return np.asarray(np.einsum("...ij,...j->...i", back, wrench))

    def solve(self, q: Any, u: Any, t: Any = 0.0, **parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        """u̇ (…, n) and λ (…, m) in numbers, the shortest λ where redundant constraints leave a choice."""
        return self.system.solve(q=q, u=u, t=t, **parameters)

    @cached_property
    def paper(self) -> BodyEquations:
        """The paper's own form on (v_O1, ω) in body axes: M_O1, S_O1, J_O1, Ω, Q^g, Q, L_λ, L_τ."""
        from .body_equations import BodyEquations

        return BodyEquations(self)

    def _repr_latex_(self) -> str:
        rows = ((r"L_\lambda", self.L_lambda), (r"\gamma", self.gamma))
        lines = " \\\\ ".join(f"{name} &= {formula.latex(limit=400, named=False)}" for name, formula in rows)
        return f"$\\displaystyle \\begin{{aligned}}{lines}\\end{{aligned}}$"

    def __repr__(self) -> str:
        left = f"{self.n} velocities, {self.m} equations of rank {self.rank}"
        return f"<constrained motion of {self.model.name}: {left}, {self.freedom} degrees of freedom>"


def _rank(sizes: np.ndarray) -> int:
    return int((sizes > RANK * sizes.max(initial=0.0)).sum())


def constrained(model: Any, *, terms: int = TERMS, seconds: float = SECONDS) -> Constrained:
    """The constraints of a model, exactly: L_λ, its orthogonal complement L_τ, multipliers, wrench, rank.

    ``terms``, ``seconds``: what one derivation may use before it answers with `SizeError`.

    >>> mb.constrained(mb.library.four_bar()).rank
    2
    """
    if not model.constraints:
        raise ModelError(
            "the model has no constraints", where=f"model {model.name!r}", remedy="give it some: constraints=[…]"
        )
    with limited(terms, seconds):
        return Constrained(study_of(model, balls=True), (terms, seconds))
