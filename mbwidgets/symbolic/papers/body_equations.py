"""The equations of one free body about any pole, in body axes, as Tătaru writes them.

    M_O1 v̇ = Q^g + Q + L_λᵀ λ,  v = (v_O1, ω),  M_O1 = [[m I, −S], [S, J_O1]],  S = m [O₁C]      (1)-(4), (20)
    Q^g = −Ω v,  Ω = [[ω m, −ω S], [S ω, +ω J]]      (10), (11), corrected: + [ω][J]
    [ L_τᵀ M ; L_λ ] v̇ = [ L_τᵀ (Q^g + Q) ; −L̇_λ v ]      (49), (50)

In the letters of the model: q is the position of O* and the quaternion, u the velocity of O* in world axes and ω.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ModelError
from ...model.fields import as_vector
from ..formula.formula import Formula
from ..mechanics.body_geometry import coordinate_rates
from ..mechanics.constraint_equations import curve_bend_term
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.exact_elimination import cofactor_inverse
from ..ring.vectors import Vec, cross, dot, skew

if TYPE_CHECKING:
    from .constrained import Constrained

__all__ = ["BodyEquations"]

Mat = list[Vec]


class BodyEquations:
    """One body's equations about ``pole``, a point of it in its own axes; made by ``constrained(model).paper``."""

    def __init__(self, owner: Constrained, pole: Any = (0, 0, 0)) -> None:
        model = owner.model
        if len(model.bodies) != 1 or model.bodies[0].joint.type != "free":
            raise ModelError(
                "the paper's form is that of one free body",
                where=f"model {model.name!r}",
                remedy="use mb.body_equations(model, q, u), which has it in numbers for any model",
            )
        self.owner = owner
        self.model = model
        reader = owner.study.mechanism.reader
        self._pole = [reader.read(part, "pole") for part in as_vector(pole)]
        self._segment = owner.study.mechanism.segments[-1]

    def about(self, pole: Any) -> BodyEquations:
        """The same equations about another point of the body."""
        return BodyEquations(self.owner, pole)

    def _formula(self, entries: Any, labels: str | None = None) -> Formula:
        return Formula(entries, self.owner.values, "collected", labels=labels)

    def _exact(self, polys: Any) -> Any:
        return self.owner.study.elements(polys)

    # Inertia.

    @cached_property
    def _arm(self) -> Vec:
        """O₁C in body axes."""
        return [x - y for x, y in zip(self._exact(self._segment.com), self._pole, strict=True)]

    @property
    def mass(self) -> Element:
        """m₁"""
        return self._exact([self._segment.mass])[0]  # type: ignore[no-any-return]

    @cached_property
    def S(self) -> Formula:
        """S_O1 = m₁ [O₁C], (3, 3), kg m   (4), (5)"""
        return self._formula([[self.mass * part for part in row] for row in skew(self._arm)], "S_{%d%d}")

    @cached_property
    def J(self) -> Formula:
        """J_O1 = J_C + m (c·c I − c cᵀ), (3, 3), kg m²   (6)"""
        c, m = self._arm, self.mass
        square = dot(c, c)
        central = [self._exact(row) for row in self._segment.inertia]
        rows = [
            [central[i][j] + m * ((square if i == j else rational_element(0)) - c[i] * c[j]) for j in range(3)]
            for i in range(3)
        ]
        return self._formula(rows, "J_{%d%d}")

    @cached_property
    def M(self) -> Formula:
        """M_O1 = [[m I, −S], [S, J]], (6, 6)   (2)"""
        m = self.mass * 1
        unit = [[m if i == j else rational_element(0) for j in range(3)] for i in range(3)]
        return self._formula(_blocks(unit, _minus(self.S), _rows(self.S), _rows(self.J)), "M_{%d%d}")

    # Motion.

    @cached_property
    def R(self) -> Formula:
        """R₁₀, (3, 3): from body axes to world axes, by the quaternion   (37)"""
        return self._formula([self._exact(row) for row in self.owner.study.rodrigues.frame(self._place)], "R_{%d%d}")

    @property
    def _place(self) -> int:
        return len(self.owner.study.mechanism.segments) - 1

    @cached_property
    def r(self) -> Formula:
        """r_O1, (3,): where the pole is in the world   (62)"""
        place = self._exact(self.owner.study.rodrigues.image(self._place))
        arm = [dot(row, self._pole) for row in _rows(self.R)]
        return self._formula([x + y for x, y in zip(place, arm, strict=True)], "r_{%d}")

    @cached_property
    def _omega(self) -> Vec:
        return [letter_element(letters.velocity(3 + k)) for k in range(3)]

    @cached_property
    def v(self) -> Formula:
        """v = (v_O1, ω), (6,), body axes: R₁₀ᵀ ṙ + ω × O*O₁   (12)"""
        speed = [letter_element(letters.velocity(k)) for k in range(3)]
        turned = [dot(list(row), speed) for row in zip(*_rows(self.R), strict=True)]
        lever = cross(self._omega, self._pole)
        return self._formula([*(x + y for x, y in zip(turned, lever, strict=True)), *self._omega], "v_{%d}")

    @cached_property
    def Omega(self) -> Formula:
        """Ω = [[ω m, −ω S], [S ω, +ω J]], (6, 6)   (11), corrected: the paper prints −[ω][J]"""
        w = Formula(skew(self._omega))
        first = [[self.mass * part for part in row] for row in _rows(w)]
        return self._formula(_blocks(first, _minus(w @ self.S), _rows(self.S @ w), _rows(w @ self.J)), r"\Omega_{%d%d}")

    @cached_property
    def Qg(self) -> Formula:
        """Q^g = −Ω v, (6,)   (10)"""
        return self._formula((-(self.Omega @ self.v))._array, "Q^g_{%d}")

    @cached_property
    def Q(self) -> Formula:
        """Q = (R₁, M_O1), (6,), body axes: weight and loads   (16)-(19), gravity where the model has it"""
        given = list(self.owner.forces.entries)
        force = [dot(list(row), given[:3]) for row in zip(*_rows(self.R), strict=True)]
        lever = cross(self._pole, force)
        return self._formula([*force, *(x - y for x, y in zip(given[3:], lever, strict=True))], "Q_{%d}")

    # Constraints.

    @cached_property
    def _from_body(self) -> Mat:
        """T with u = T v: ṙ = R₁₀ (v_O1 + [O*O₁] ω)"""
        turn = Formula(_rows(self.R))
        arm = _rows(turn @ Formula(skew(self._pole)))
        unit = [[rational_element(int(i == j)) for j in range(3)] for i in range(3)]
        return _blocks(_rows(self.R), arm, [[rational_element(0)] * 3] * 3, unit)

    @cached_property
    def L_lambda(self) -> Formula:
        """L_λ, (m, 6), on (v_O1, ω), in the paper's rows: r·ṙ = 0 for a circle, ω_x = ω_y = 0 for parallel axes (42)

        So λ of a circle is that of its force λ r. Other constraints have the rows of ``constrained(model).L_lambda``.
        """
        rows = []
        for row, slope in zip(self.owner._equations, self.owner._slopes, strict=True):
            if row.side is not None:
                axis = [dot(list(column), row.side) for column in zip(*_rows(self.R), strict=True)]
                rows.append([rational_element(0), rational_element(0), rational_element(0), *axis])
                continue
            scale = rational_element(1) if row.length is None else row.length
            columns = zip(*self._from_body, strict=True)
            rows.append([scale * dot(slope, list(column)) for column in columns])
        return self._formula(rows, r"L_{\lambda %d%d}")

    @cached_property
    def L_tau(self) -> Formula:
        """L_τ, (6, 6 − rank), on (v_O1, ω): R₁₀ᵀ of the motions that are left   (64)"""
        given = self.owner.L_tau
        turn = Formula([list(row) for row in zip(*_rows(self.R), strict=True)])
        linear, spin = turn @ given[:3], given[3:]
        lever = Formula(skew(self._pole)) @ spin
        return self._formula(np.concatenate([(linear - lever)._array, spin._array]), r"L_{\tau %d%d}")

    @cached_property
    def right(self) -> Formula:
        """−L̇_λ v, (m,)   (50), (51); what L_λ of a curve owes to its foot point is n·x″ ṡ²"""
        rates = coordinate_rates(self.owner.study.mechanism.segments)
        speeds = list(self.v.entries)
        rows = []
        for row, line in zip(self.owner._equations, _rows(self.L_lambda), strict=True):
            total = curve_bend_term(self.owner.study, row)
            for entry, speed in zip(line, speeds, strict=True):
                for place, rate in rates.items():
                    slope = entry.diff(letters.coordinate(place))
                    if slope:
                        total = total - slope * rate * speed
            rows.append(total)
        return self._formula(rows)

    def solve(self, q: Any, u: Any, **parameters: Any) -> tuple[np.ndarray, np.ndarray]:
        """v̇ (…, 6) and λ (…, m) in numbers, by the paper's own system (49), (50)."""
        state = {"q": q, "u": u, **parameters}
        m, forces = self.M.evaluate(**parameters), (self.Qg + self.Q).evaluate(**state)
        along, across = self.L_tau.evaluate(**state), self.L_lambda.evaluate(**state)
        right = self.right.evaluate(**state)
        free = np.swapaxes(along, -1, -2)
        shape = np.broadcast_shapes(free.shape[:-2], across.shape[:-2], forces.shape[:-1])
        top, bottom = (np.broadcast_to(x, (*shape, *x.shape[-2:])) for x in (free @ m, across))
        matrix = np.concatenate([top, bottom], axis=-2)
        known = np.concatenate([np.einsum("...ij,...j->...i", free, forces), right], axis=-1)
        vd = np.linalg.solve(matrix, known[..., None])[..., 0]
        wrench = np.einsum("...ij,...j->...i", m, vd) - forces
        square = across @ np.swapaxes(across, -1, -2)
        return vd, np.linalg.solve(square, np.einsum("...ij,...j->...i", across, wrench)[..., None])[..., 0]

    @cached_property
    def multipliers(self) -> Formula:
        """λ = (L_λ L_λᵀ)⁻¹ L_λ (M v̇ − Q^g − Q), (m,), with v̇ as the letters u̇; reaction of a circle = λ₁ r_O1."""
        speeds = Formula([letter_element(letters.acceleration(k)) for k in range(6)])
        square = self.L_lambda @ self.L_lambda.T
        wrench = self.M @ speeds - self.Qg - self.Q
        found = Formula(cofactor_inverse(_rows(square))) @ (self.L_lambda @ wrench)
        return self._formula(found._array, r"\lambda_{%d}")

    def __repr__(self) -> str:
        return f"<equations of body {self.model.bodies[0].name!r} about {self._formula(self._pole)}>"


def _rows(matrix: Formula) -> Mat:
    return [list(row) for row in matrix._array]


def _minus(matrix: Formula) -> Mat:
    return [[-entry for entry in row] for row in matrix._array]


def _blocks(a: Mat, b: Mat, c: Mat, d: Mat) -> Mat:
    return [[*x, *y] for x, y in zip(a, b, strict=True)] + [[*x, *y] for x, y in zip(c, d, strict=True)]
