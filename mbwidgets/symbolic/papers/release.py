"""`release(model, joint)`: the mechanism with one joint opened, and what held it together (Do Sanh, 1998).

The joint's place O_k gets six new coordinates z = (σ, ξ, …): three displacements and three turns of all that the joint
carries, in world axes. The mechanism moves as before where z = 0, and the constraint z = 0 has the joint's reactions:

    A q̈ = Q + G + R,  D R = 0                               (2.6), (2.7)
    A0 q̈0 = G0 + Q0                                         (3.21), the motion
    R1 = B q̈0 − G1 − Q1 = B A0⁻¹ (G0 + Q0) − G1 − Q1        (3.26), (3.28), the reactions: of the parent on the body

A model with closed loops keeps them as Φ(q, z) = 0 with multipliers λ: R1 = B q̈0 − G1 − Q1 − Φ_zᵀ λ.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...errors import SingularError, SizeError
from ..formula.evaluation import Defaults
from ..formula.formula import Formula
from ..formula.solved_formula import Solved, System
from ..mechanics.constraint_equations import acceleration_right_hand_side, constraint_jacobian, scalar_constraints
from ..mechanics.coordinate_change import Change
from ..mechanics.curve_guides import curve_parameters
from ..mechanics.derivation import Study, study_of
from ..mechanics.displacement_rows import Rows
from ..mechanics.generalised_forces import joint_generalised_forces
from ..mechanics.removed_directions import removed_directions
from ..ring import generators as letters
from ..ring.derivation_limits import SECONDS, TERMS, limited
from ..ring.element import letter_element, rational_element
from ..ring.minors import determinant_and_adjugate
from ..ring.vectors import Vec, dot

__all__ = ["Release", "release"]


class Release:
    """The freed system of one joint; make it with `release`. n velocities, then six rows in world axes at O_k."""

    def __init__(self, owner: Study, index: int, limits: tuple[int, float], coordinates: Any = None) -> None:
        self.study = owner
        self.model = owner.model
        self.index = index
        self.joint: str = owner.model.bodies[index].name
        self.limits = limits
        self.n: int = owner.n
        self.first: int = owner.joint(index)[0]
        self.change = Change.of(owner, coordinates)
        self.names = (*_names(self.model, coordinates), "σx", "σy", "σz", "ϑx", "ϑy", "ϑz")

    @cached_property
    def _rows(self) -> Rows:
        virtual = self.study.virtual
        return Rows(self.study, (*virtual.joints, *virtual.released(self.first)))

    @cached_property
    def values(self) -> dict[str, Any]:
        """The parameters' values, and how the foot points on curves, letters s1, …, are found at a state."""
        return Defaults.joined(self.study.values, curve_parameters(self.study, self.change.letters))

    def _formula(self, entries: Any, labels: str, angles: bool = False) -> Formula:
        """``angles``: written with sums of angles, which is short in absolute angles."""
        form = "angles" if angles and self.change.back is not None else "collected"
        return Formula(entries, self.values, form, labels=labels)

    # The freed system.

    @cached_property
    def A(self) -> Formula:
        """Matrix of inertia of the freed system, (n + 6, n + 6)   (3.5), corrected: A(2,4) = m a cos θ"""
        with limited(*self.limits):
            entries = self.change.matrix(self._rows.inertia, both=True)
        return self._formula(entries, "A_{%d%d}", angles=True)

    @cached_property
    def G(self) -> Formula:
        """What the inertia does at q̈ = 0, (n + 6,)   (3.9)"""
        with limited(*self.limits):
            return self._formula(self.change.rows(self._rows.kinetic), "G_{%d}", angles=True)

    @cached_property
    def Q(self) -> Formula:
        """Applied forces, weight among them, (n + 6,)   (3.10), corrected: m g R sin φ"""
        with limited(*self.limits):
            inner = [*joint_generalised_forces(self.study.geometry), *[rational_element(0)] * 6]
            applied = [x + y for x, y in zip(self._rows.applied, inner, strict=True)]
            return self._formula(self.change.rows(applied), "Q_{%d}", angles=True)

    @property
    def D(self) -> Formula:
        """The admissible directions, (n, n + 6): D R = 0 says that the reactions do no work   (2.7), (3.8)"""
        return Formula([[int(i == j) for j in range(self.n + 6)] for i in range(self.n)], labels="D_{%d%d}")

    # Its blocks.

    @property
    def A0(self) -> Formula:
        """Matrix of inertia of the mechanism itself, (n, n)   (3.7)"""
        return self.A[: self.n, : self.n]

    @property
    def B(self) -> Formula:
        """How the joint feels the accelerations, (6, n)   (3.23)"""
        return self.A[self.n :, : self.n]

    @property
    def G0(self) -> Formula:
        """(n,)   (3.20), corrected: −m R a sin(φ−θ) θ̇², +m R a sin(φ−θ) φ̇²"""
        return self.G[: self.n]

    @property
    def G1(self) -> Formula:
        """(6,)   (3.24)"""
        return self.G[self.n :]

    @property
    def Q0(self) -> Formula:
        """(n,)   (3.20), corrected: −m g R sin φ, −m g a sin θ"""
        return self.Q[: self.n]

    @property
    def Q1(self) -> Formula:
        """(6,)   (3.24)"""
        return self.Q[self.n :]

    @cached_property
    def removed(self) -> Formula:
        """The directions that the joint removes, (r, 6): ``removed @ reactions`` are their reactions alone.

        The rows that it leaves out return what acts along the free directions, the effort: a check that is built in.
        """
        with limited(*self.limits):
            return self._formula(self.change.letters(removed_directions(self.study, self.index)), "W_{%d%d}")

    # Closed loops.

    @cached_property
    def _loops(self) -> tuple[list[Vec], Vec]:
        """[Φ_q, Φ_z] and γ of the constraints."""
        with limited(*self.limits):
            rows = scalar_constraints(self.study)
            virtual = self.study.virtual
            jacobian = constraint_jacobian(self.study, rows, (*virtual.joints, *virtual.released(self.first)))
            return jacobian, acceleration_right_hand_side(self.study, rows, jacobian)

    @cached_property
    def Phi(self) -> Formula:
        """[Φ_q, Φ_z]: slopes of the constraints, (m, n + 6); m = 0 for a tree."""
        return self._formula(
            np.array(self.change.columns(self._loops[0]), dtype=object).reshape(-1, self.n + 6), "L_{%d%d}"
        )

    @cached_property
    def gamma(self) -> Formula:
        """γ, (m,): Φ_q q̈ = γ holds Φ̈ = 0"""
        return self._formula(np.array(self.change.letters(self._loops[1]), dtype=object).reshape(-1), r"\gamma_{%d}")

    @property
    def held(self) -> Formula:
        """Φ_zᵀ λ, (6,): what closed loops do to all that the joint carries, with letters λ1, λ2, …"""
        found = self._pressed(slice(self.n, self.n + 6))
        return found if isinstance(found, Formula) else Formula([0] * 6)

    @property
    def m(self) -> int:
        """Number of constraint equations."""
        return len(self._loops[0])

    @cached_property
    def system(self) -> System:
        """What determines q̈0 and λ, to be solved in numbers: [[A0, −Φ_qᵀ], [Φ_q, 0]]."""
        names = tuple(row.title for row in scalar_constraints(self.study))
        return System(self.A0, self.G0 + self.Q0, self.Phi[:, : self.n], self.gamma, names)

    # The two groups.

    @cached_property
    def motion(self) -> Formula:
        """Group one: A0 q̈0 − G0 − Q0 (− Φ_qᵀ λ), (n,), zero along a motion   (3.21)

        `accelerations` solves it.
        """
        with limited(*self.limits):
            left = self.A0 @ self._speeds - self.G0 - self.Q0
            return self._formula((left - self._pressed(slice(0, self.n)))._array, r"y_{%d}")

    @cached_property
    def reactions(self) -> Solved:
        """Group two: R1 = B q̈0 − G1 − Q1 (− Φ_zᵀ λ), (6,): force, then moment at O_k, world axes   (3.26)

        ``evaluate`` needs no accelerations: where none are given it solves (3.21) for them. `explicit` is (3.28).
        """
        with limited(*self.limits):
            right = self.B @ self._speeds - self.G1 - self.Q1
            total = right - self._pressed(slice(self.n, self.n + 6))
        return Solved(total._array, self.values, self.system, r"R_{%d}")

    @cached_property
    def accelerations(self) -> Formula:
        """q̈0 = A0⁻¹ (G0 + Q0), (n,), for a tree   (3.27), with the factor 1/Δ that (3.29) leaves out"""
        inverse, right = self._inverse, self.G0 + self.Q0
        with limited(*self.limits):
            return self._formula((inverse @ right)._array, r"\ddot q_{%d}")

    @cached_property
    def explicit(self) -> Formula:
        """R1 = B A0⁻¹ (G0 + Q0) − G1 − Q1, (6,), for a tree: no accelerations in it   (3.28), (3.32) corrected"""
        accelerations = self.accelerations
        with limited(*self.limits):
            return self._formula((self.B @ accelerations - self.G1 - self.Q1)._array, r"R_{%d}")

    @cached_property
    def _inverse(self) -> Formula:
        """A0⁻¹   (3.29), corrected: 1/Δ"""
        if self.m:
            raise SizeError("closed loops have no short explicit form", remedy="evaluate .reactions at a state")
        r = self.study.ring
        block = [row[: self.n] for row in self._rows.polynomials[: self.n]]
        with limited(*self.limits):
            determinant, cofactors = determinant_and_adjugate(r, block)
        if not determinant:
            raise SingularError("the matrix of inertia is singular for every q", remedy="give mass to the last bodies")
        below = self.study.elements([determinant])[0]
        entries = [[entry / below for entry in self.study.elements(row)] for row in cofactors]
        return Formula(self.change.inverse(entries), self.values)

    @property
    def _speeds(self) -> Formula:
        return Formula([letter_element(letters.acceleration(k)) for k in range(self.n)])

    def _pressed(self, part: slice) -> Any:
        """Φᵀ λ in some of the rows."""
        if not self.m:
            return 0
        multipliers = [letter_element(letters.parameter(f"λ{i + 1}")) for i in range(self.m)]
        columns = np.asarray(self.Phi._array).T[part]
        return Formula([dot(list(column), multipliers) for column in columns])

    def _repr_latex_(self) -> str:
        blocks = (
            ("A_0", self.A0),
            ("B", self.B),
            ("G_0", self.G0),
            ("Q_0", self.Q0),
            ("G_1", self.G1),
            ("Q_1", self.Q1),
        )
        lines = " \\\\ ".join(f"{name} &= {block.latex(limit=400, named=False)}" for name, block in blocks)
        return f"$\\displaystyle \\begin{{aligned}}{lines}\\end{{aligned}}$"

    def __repr__(self) -> str:
        return f"<release of joint {self.joint!r}: {self.n} velocities and six rows, A of {self.A.terms:,} terms>"


def _names(model: Any, coordinates: Any) -> tuple[str, ...]:
    return tuple(model.velocity_names) if coordinates is None else tuple(f"p{k + 1}" for k in range(model.nv))


def release(
    model: Any, joint: str | int, coordinates: Any = None, *, terms: int = TERMS, seconds: float = SECONDS
) -> Release:
    """Open one joint: the freed system's A, G, Q, their blocks, the motion and the reactions, exactly.

    Parameters
    ----------
    joint : the body that it carries, by name or by index from 0
    coordinates : a matrix from the model's coordinates to those that a paper uses, or ``"absolute"`` for angles from a
        fixed direction (the hammer crusher's φ, θ instead of φ, θ − φ)
    terms, seconds : what one derivation may use before it answers with `SizeError`

    >>> opened = mb.release(mb.library.pendulum(1), 0)
    >>> opened.A.shape  # six velocities of the opened joint and its own
    (7, 7)
    """
    index = model.index(joint)
    with limited(terms, seconds):
        return Release(study_of(model, balls=True), index, (terms, seconds), coordinates)
