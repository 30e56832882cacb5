"""`covariant(model)`: the equations of motion in covariant and contravariant form, exactly.

a_αβ q̈^β + Γ_βγ,α q̇^β q̇^γ = −∂Π/∂q^α + Q_α   (Marković-Obradović (5)), for chains and trees of one-axis
joints. Each tensor is derived when it is first asked for, within the limits given, and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial, wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ...errors import ExpressionError, SingularError, StateError, shorten
from ...model.arguments import as_model, refuse_constraints
from ..formula.evaluation import Defaults, State
from ..formula.formula import Formula, formula_of
from ..mechanics.covariant_tensors import (
    Cube,
    Square,
    christoffel_by_metric,
    christoffel_by_planar,
    gravity_energy,
    gravity_gradient,
    metric_tensor,
)
from ..mechanics.generalised_forces import elastic_energy, generalised_forces, generalised_forces_of_each
from ..mechanics.mechanism import Mechanism
from ..ring import generators as letters
from ..ring.derivation_limits import SECONDS, TERMS, SizeError, is_nonnegative_below, limited
from ..ring.element import Element, letter_element, rational_element, resolve_denominators
from ..ring.minors import determinant_and_adjugate
from ..ring.scalar_reader import Rationalised
from ..ring.unit_axes import AXIS_TOLERANCE
from .opnchain_literal import Literal

if TYPE_CHECKING:
    from ..code.codegen import Code
    from ..mechanics.dynamics_code import DynamicsFunction

__all__ = ["Covariant", "Linearised", "covariant"]

Result = TypeVar("Result")


def derived_once(derive: Callable[[Any], Result]) -> cached_property[Result]:
    """A property that is derived once, within the limits of its equations."""

    @wraps(derive)
    def within(equations: Any) -> Result:
        with limited(*equations.limits):
            return derive(equations)

    return cached_property(within)


class Linearised(NamedTuple):
    """M δq̈ + C δq̇ + K δq = residual, about a state; ``residual`` is zero at an equilibrium."""

    mass: Formula
    damping: Formula
    stiffness: Formula
    residual: Formula


class Covariant:
    """The covariant equations of one model; make it with `covariant`."""

    def __init__(self, model: Any, terms: int, seconds: float, axis_tolerance: float) -> None:
        self.model = model
        self.limits = (terms, seconds)
        self.axis_tolerance = axis_tolerance
        self.mechanism: Mechanism = Mechanism.from_model(model, axis_tolerance)
        self.n: int = self.mechanism.n
        self.values = Defaults.of(model)

    def _repr_latex_(self) -> str:
        """The covariant equations, Q_α = a_αβ q̈^β + Γ_βγ,α q̇^β q̇^γ + ∂Π/∂q^α − …, or their size."""
        return f"$\\displaystyle {self.effort.latex(limit=400, named=True)}$"

    def __repr__(self) -> str:
        return f"<covariant equations of {getattr(self.model, 'name', '') or 'a model'}: {self.n} coordinates>"

    @property
    def rationalised(self) -> tuple[Rationalised, ...]:
        """Each float of the model with the fraction that stands for it: 0.1 is 1/10."""
        return tuple(self.mechanism.reader.rationalised)

    def _formula(self, entries: Any, labels: str | None = None, plain: Any = None) -> Formula:
        """Polynomials of the mechanism's ring as a formula."""
        return formula_of(self.mechanism.ring, entries, self.values, "factored", plain=plain, labels=labels)

    @derived_once
    def _metric(self) -> Square:
        return metric_tensor(self.mechanism)

    @derived_once
    def metric(self) -> Formula:
        """a_αβ, (n, n)   (7)"""
        return self._formula(self._metric, "a_{%d%d}", partial(attrgetter("_plain.metric"), self))

    @derived_once
    def potential_gradient(self) -> Formula:
        """∂Π/∂q^α of gravity, (n,)   (7)"""
        found = gravity_gradient(self.mechanism)
        return self._formula(found, r"\partial\Pi/\partial q^{%d}")

    @derived_once
    def _christoffel(self) -> Cube:
        return christoffel_by_metric(self.mechanism.ring, self._metric)

    @derived_once
    def _first_kind(self) -> Formula:
        return self._formula(self._christoffel, r"\Gamma_{%d%d,%d}")

    @derived_once
    def _first_kind_planar(self) -> Formula:
        found = christoffel_by_planar(self.mechanism)
        return self._formula(found, r"\Gamma_{%d%d,%d}", partial(attrgetter("_plain.christoffel"), self))

    def christoffel(self, kind: int = 1, route: str = "metric") -> Formula:
        """Γ_βγ,α at [β, γ, α] (kind 1), Γ^α_βγ at [α, β, γ] (kind 2).

        ``route``: ``"metric"`` by derivatives of a_αβ (6), ``"planar"`` by the planar inertia tensor (12).
        """
        if kind not in (1, 2) or route not in ("metric", "planar"):
            raise ExpressionError(
                f"no Christoffel symbols of kind {kind!r} by route {route!r}",
                remedy='use kind 1 or 2, route "metric" or "planar"',
            )
        if kind == 2:
            return self._second_kind
        return self._first_kind if route == "metric" else self._first_kind_planar

    @derived_once
    def _adjugate(self) -> tuple[Any, Square]:
        try:
            det, adj = determinant_and_adjugate(self.mechanism.ring, self._metric)
        except SizeError as error:
            raise SizeError(
                f"the contravariant metric: {error.problem}",
                remedy=".contravariant_at(q) gives it as numbers, at any size",
            ) from None
        if not det:
            raise SingularError(
                "the determinant of the metric is zero for every q",
                remedy="give mass or inertia to the last bodies: some joint moves nothing",
            )
        return det, adj

    @derived_once
    def determinant(self) -> Formula:
        """det [a_αβ]"""
        return self._formula(self._adjugate[0])

    @derived_once
    def contravariant_metric(self) -> Formula:
        """[a^αβ] = [a_αβ]⁻¹ (11), cofactors over the determinant; ``.terms`` tells its size."""
        det, adj = self._adjugate
        array = self._over(adj, det)
        plain = partial(attrgetter("_plain.contravariant"), self)
        return Formula(array, self.values, plain=plain, labels="a^{%d%d}")

    def contravariant_at(self, q: Any, **parameters: Any) -> Any:
        """[a^αβ] as numbers, (…, n, n): for mechanisms whose formula is too long to read."""
        return _divided(self.metric.evaluate(q=q, **parameters), np.eye(self.n))

    @derived_once
    def _second_kind(self) -> Formula:
        """Γ^α_βγ = a^αδ Γ_βγ,δ   (11)"""
        r, n = self.mechanism.ring, self.n
        det, adj = self._adjugate
        gamma = self._christoffel
        above = [[[r.dot(row, gamma[b][c]) for c in range(n)] for b in range(n)] for row in adj]
        return Formula(self._over(above, det), self.values, labels=r"\Gamma^{%d}_{%d%d}")

    def _over(self, entries: Any, det: Any) -> Any:
        home = self.mechanism.ring
        below = resolve_denominators(home, det)

        def fraction(p: Any) -> Element:
            if not p:
                return rational_element(0, home)
            return resolve_denominators(home, p) / below

        return np.array(_nested(entries, fraction), dtype=object)

    @derived_once
    def _plain(self) -> _Plain:
        return _Plain(self.model, self.values, self.axis_tolerance, self.limits)

    # Energy.

    @derived_once
    def velocities(self) -> Formula:
        """u^α as letters."""
        return Formula([letter_element(letters.velocity(k)) for k in range(self.n)], self.values)

    @derived_once
    def accelerations(self) -> Formula:
        """u̇^α as letters."""
        return Formula([letter_element(letters.acceleration(k)) for k in range(self.n)], self.values)

    @derived_once
    def kinetic_energy(self) -> Formula:
        """T = ½ a_αβ q̇^α q̇^β"""
        total = self._quadratic(self.metric) * Fraction(1, 2)
        return Formula(total, self.values, "collected")

    def _quadratic(self, square: Formula) -> Element:
        total = rational_element(0, square.ring)
        for i in range(self.n):
            for j in range(i, self.n):
                speed = letter_element(letters.velocity(i)) * letter_element(letters.velocity(j))
                total = total + square._array[i, j] * speed * (1 if i == j else 2)
        return total

    @derived_once
    def potential_energy(self) -> Formula:
        """Π of gravity, zero at the origin, and of the model's springs."""
        weight = self._formula(gravity_energy(self.mechanism))
        return Formula(weight._array + elastic_energy(self.model, self.mechanism), self.values, "factored")

    @derived_once
    def lagrangian(self) -> Formula:
        """L = T − Π"""
        return Formula((self.kinetic_energy - self.potential_energy)._array, self.values, "collected")

    @derived_once
    def ignorable(self) -> tuple[int, ...]:
        """The coordinates on which neither metric nor potential depends."""
        slopes = (self.metric.diff(k) for k in range(self.n))
        energy = self.potential_energy
        return tuple(k for k, slope in enumerate(slopes) if not slope and not energy.diff(k))

    # Equations.

    @derived_once
    def forces(self) -> Formula:
        """Q_α of the model's springs, dampers, actuators and loads, (n,)."""
        found = generalised_forces(self.model, self.mechanism)
        return Formula(
            found, self.values, "factored", labels="Q_{%d}", route=self._forces_at if self._several else None
        )

    @property
    def _several(self) -> bool:
        """Whether the fractions of several springs and dampers are multiplied in the sum of the forces."""
        return sum(force.type in ("spring", "damper") for force in self.model.forces) > 1

    @derived_once
    def _each_force(self) -> list[Formula]:
        return [Formula(force, self.values) for force in generalised_forces_of_each(self.model, self.mechanism)]

    def _forces_at(self, state: State) -> Any:
        """One force at a time: the fractions of short springs cancel digits in a common denominator."""
        return sum(force.at(state) for force in self._each_force)

    @derived_once
    def coriolis(self) -> Formula:
        """Γ_βγ,α q̇^β q̇^γ, (n,)"""
        gamma = self._first_kind
        parts = [self._quadratic(gamma[:, :, a]) for a in range(self.n)]
        return Formula(parts, self.values, "collected")

    @derived_once
    def bias(self) -> Formula:
        """Γ_βγ,α q̇^β q̇^γ + ∂Π/∂q^α − Q_α, (n,)"""
        total = self.coriolis + self.potential_gradient - self.forces
        return Formula(total._array, self.values, "collected", route=self._bias_at if self._several else None)

    def _bias_at(self, state: State) -> Any:
        return self.coriolis.at(state) + self.potential_gradient.at(state) - self.forces.at(state)

    @derived_once
    def effort(self) -> Formula:
        """Inverse dynamics: a_αβ q̈^β + bias, the effort beyond the model's own forces, (n,)."""
        total = self.metric @ self.accelerations + self.bias
        route = self._effort_at if self._several else None
        return Formula(total._array, self.values, "collected", labels="Q_{%d}", route=route)

    def _effort_at(self, state: State) -> Any:
        turned = self.metric.at(state) @ self.accelerations.at(state)[..., None]
        return turned[..., 0] + self._bias_at(state)

    def equations(self, form: str = "covariant") -> Formula:
        """``"covariant"``: the left side minus the right side of (5), zero along a motion.

        ``"contravariant"``: q̈^α = a^αβ(−∂Π/∂q^β + Q_β) − Γ^α_βγ q̇^β q̇^γ   (10).
        """
        if form == "covariant":
            return self.effort
        if form != "contravariant":
            raise ExpressionError(f"no form {form!r}", remedy='use "covariant" or "contravariant"')
        return self._accelerations

    @derived_once
    def _accelerations(self) -> Formula:
        adj = self._formula(self._adjugate[1])
        above = adj @ (self.coriolis + self.potential_gradient)
        # one force at a time: in their sum each entry has a denominator of its own, and these would be multiplied
        for force in generalised_forces_of_each(self.model, self.mechanism):
            above = above - adj @ Formula(force)
        below = self.determinant._array.item()

        parts = [-entry / below for entry in above.entries]
        return Formula(parts, self.values, labels=r"\ddot q^{%d}", route=self._accelerations_at)

    def _accelerations_at(self, state: State) -> Any:
        """By elimination: the fractions of adjugate, determinant and springs cancel digits."""
        return -_divided(self.metric.at(state), self.bias.at(state)[..., None])[..., 0]

    def linearised(self, q: Any = None, u: Any = None, ud: Any = None) -> Linearised:
        """The equations to first order about a state, exactly; rest at q = 0 unless told, ``"pi/2"`` is exact."""
        n = self.n
        state = {name: _entries(name, given, n) for name, given in (("q", q), ("u", u), ("ud", ud))}
        with limited(*self.limits):
            moving = self.effort.substitute(u=state["u"], ud=state["ud"])
            by_velocity = self.bias.diff([f"u[{k}]" for k in range(n)])
            parts = (self.metric, by_velocity, moving.diff(list(range(n))), -moving)
            return Linearised(*(part.substitute(**state).factored() for part in parts))

    @derived_once
    def _functions(self) -> list[DynamicsFunction]:
        from ..mechanics.dynamics_code import dynamics_functions

        return dynamics_functions(self)

    def code(self, language: str = "python", name: str = "mechanism") -> Code:
        """M, h, inverse and forward dynamics as functions of one language, common subexpressions named.

        ``<name>_mass_matrix(q, p)``, ``<name>_bias(q, u, t, p)``, ``<name>_inverse(q, u, ud, t, p)`` and
        ``<name>_forward(q, u, tau, t, p)``; p holds the parameters in the model's order, which the text's
        ``.parameters`` and each header tell; ``.inputs`` has each function's arguments.
        """
        from ..mechanics.dynamics_code import dynamics_code

        return dynamics_code(self._functions, language, name)

    def compile(self) -> Any:
        """The same functions for NumPy arrays: ``.mass_matrix(q)``, ``.bias(q, u)``, ``.inverse(q, u, ud)``,
        ``.forward(q, u, tau)``; t and parameters by name.

        >>> swing = mb.covariant(mb.library.pendulum(2)).compile()
        >>> swing.forward([0, 0], [0, 0], [0, 0]).tolist(), swing.parameters
        ([0.0, 0.0], ('m', 'l', 'g'))
        >>> swing.mass_matrix(np.zeros((10, 2)), l=[1.0] * 10).shape
        (10, 2, 2)
        """
        from ..mechanics.dynamics_code import compiled_dynamics

        return compiled_dynamics(self._functions, self.values)


def _divided(metric: Any, right: Any) -> Any:
    """[a_αβ]⁻¹ right, numbers."""
    try:
        return np.linalg.solve(metric, right)
    except np.linalg.LinAlgError:
        raise SingularError(
            "the metric has no inverse at this state: some joint moves nothing",
            remedy="choose another q, or give the bodies mass or inertia",
        ) from None


def _entries(name: str, given: Any, n: int) -> list[Any]:
    """Zeros, or the n values that the user gave."""
    if given is None:
        return [0] * n
    if isinstance(given, str) or np.shape(given) != (n,):
        raise StateError(f"{name} = {shorten(given)} does not have {n} entries", remedy=f"give a list of {n} values")
    return list(given)


class _Plain:
    """The same tensors by the paper's sums over bodies, sin and cos unrelated."""

    def __init__(self, model: Any, values: Any, tolerance: float, limits: tuple[int, float]) -> None:
        self.mechanism = Mechanism.from_model(model, tolerance, free=True)
        self.literal = Literal(self.mechanism)
        self.values = values
        self.limits = limits

    def _formula(self, entries: Any) -> Formula:
        home = self.mechanism.ring
        return Formula(np.array(_nested(entries, lambda p: Element(home, p)), dtype=object), self.values, "expanded")

    @cached_property
    def metric(self) -> Formula:
        return self._formula(self.literal.metric)

    @cached_property
    def christoffel(self) -> Formula:
        return self._formula(self.literal.christoffel)

    @cached_property
    def contravariant(self) -> Formula:
        home = self.mechanism.ring
        with limited(*self.limits):
            det, adj = determinant_and_adjugate(home, self.literal.metric)
        fractions = _nested(adj, lambda p: Element(home, p, det) if p else Element(home, p))
        return Formula(np.array(fractions, dtype=object), self.values, "expanded")


def _nested(entries: Any, change: Callable[[Any], Any]) -> Any:
    return [_nested(entry, change) for entry in entries] if isinstance(entries, list) else change(entries)


def covariant(
    model: Any, *, terms: int = TERMS, seconds: float = SECONDS, axis_tolerance: float = AXIS_TOLERANCE
) -> Covariant:
    """The covariant equations of a model of one-axis joints.

    Parameters
    ----------
    terms, seconds : what one derivation may use before it answers with `SizeError`
    axis_tolerance : how far a float axis may be moved to the nearest simple direction with e·e = 1 exactly

    >>> mb.covariant(mb.library.pendulum(1)).metric  # kg m²
    <Formula 1×1: [[l**2*m/3]]>
    """
    refuse_constraints(as_model(model), "covariant")
    if not is_nonnegative_below(axis_tolerance, 1):
        raise ExpressionError(
            f"axis_tolerance = {shorten(axis_tolerance)}", remedy=f"give a small number, such as {AXIS_TOLERANCE}"
        )
    return Covariant(model, terms, seconds, axis_tolerance)
