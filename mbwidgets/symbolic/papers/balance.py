"""`balance(model)`: masses in two planes of a rotor that make its static and deviation moments vanish.

A point mass m_j at z_j n + r_j (r_j across n) adds [n, m_j r_j] to S_n and −z_j m_j r_j to D_n. With p_j = m_j r_j,
h = M ρ_C across n: p₁ + p₂ = −h and z₁ p₁ + z₂ p₂ = D_n, so p₁ = (D_n + z₂ h)/(z₁ − z₂), p₂ = (D_n + z₁ h)/(z₂ − z₁).
Then S → 0 and D → 0 (Cajić-Lazarević (41), (45)) and with them the kinetic pressures, at every ω and ω̇.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...errors import MbwidgetsError, ModelError, shorten
from ...expressions import evaluate
from ...model.arguments import as_model
from ...model.fields import as_vector
from ...model.model import Model
from ...model.tensors import MassProperties, parallel_axis_shift
from ..formula.evaluation import Defaults
from ..formula.formula import Formula
from ..formula.named_formula import Named
from ..mechanics.derivation import parameter_values_in
from ..ring.scalar_reader import Reader
from .mass_moments import MassMoments, mass_moments

__all__ = ["Balance", "balance"]

ZERO = ((0.0, 0.0, 0.0),) * 3


@dataclass(frozen=True, eq=False)
class Balance:
    """Two balancing masses of one body; body axes, from O*.

    Attributes
    ----------
    products : p_j = m_j r_j, (2, 3) kg m, exact
    before : the mass moments of the body for its joint's axis
    """

    model: Model
    body: str
    planes: tuple[Any, Any]
    before: MassMoments
    products: Named

    def masses(self, radius: Any) -> tuple[float, float]:
        """m_j = |p_j|/radius at the parameters' values, kg."""
        return tuple(mass for mass, _ in self._points(radius))  # type: ignore[return-value]

    def points(self, radius: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Where the masses sit: z_j n + radius p_j/|p_j|, m; on the axis where p_j is zero."""
        return tuple(point for _, point in self._points(radius))  # type: ignore[return-value]

    def balanced(self, radius: Any) -> Model:
        """The model with both masses added to the body, as numbers at the parameters' values."""
        body, number = self.model.body(self.body), self.model.number
        own = MassProperties(
            number(body.mass),
            tuple(number(part) for part in body.com),  # type: ignore[arg-type]
            tuple(tuple(number(part) for part in row) for row in body.inertia),  # type: ignore[arg-type]
        )
        added = [MassProperties(mass, point, ZERO) for mass, point in self._points(radius)]  # type: ignore[arg-type]
        pieces = [own, *added]
        total = math.fsum(piece.mass for piece in pieces)
        com: Any = tuple(math.fsum(piece.mass * piece.com[i] for piece in pieces) / total for i in range(3))
        tensors = [parallel_axis_shift(piece, com) for piece in pieces]
        inertia = [[math.fsum(tensor[i][j] for tensor in tensors) for j in range(3)] for i in range(3)]
        return self.model.with_body(self.body, mass=total, com=com, inertia=inertia)

    def _points(self, radius: Any) -> list[tuple[float, tuple[float, ...]]]:
        size = self.model.number(radius)
        if not (math.isfinite(size) and size > 0):
            raise ModelError(f"radius {shorten(radius)} is not positive", where="radius", remedy="give a length > 0")
        products, axis = self.products.evaluate(), self.before.axis.evaluate()
        found = []
        for plane, product in zip(self.planes, products, strict=True):
            length = math.hypot(*product)
            share = size / length if length > 0 else 0.0
            height = evaluate(plane, self.products.values)
            point = tuple(float(height * n + share * p) for n, p in zip(axis, product, strict=True))
            found.append((length / size, point))
        return found


def balance(model: Model, body: str | int = 0, planes: Any = (-0.2, 0.3)) -> Balance:
    """Balancing masses for a body on a revolute joint, in two planes across its axis.

    Parameters
    ----------
    body : name, or index from 0
    planes : the two places along the axis, from O*, m; numbers or expressions of parameters

    >>> mb.balance(mb.library.rotor()).products  # mass times place in each of two planes, kg m
    <Formula 2×3: [[-(10*Jxz + 3*e*m - 10*c*e*m)/5, 0, 0], [2*(5*Jxz - e*m - 5*c*e*m)/5, 0, 0]]>
    """
    index = as_model(model).index(body)
    name = model.bodies[index].name
    if model.bodies[index].joint.type != "revolute":
        raise ModelError(
            f"a {model.bodies[index].joint.type} joint has no one axis to turn about",
            where=f"joint {name!r}",
            remedy="balance a body on a revolute joint",
        )
    try:
        low, high = as_vector(planes, 2)
    except MbwidgetsError as error:
        raise error.at("planes") from None
    reader = Reader()
    first, second = reader.read(low, "planes"), reader.read(high, "planes")
    if first == second:
        raise ModelError("the two balancing planes are one", where=f"body {name!r}", remedy="give two places")
    moments = mass_moments(model, index, index, axes="body")
    n, S, D = (list(part.entries) for part in (moments.axis, moments.static, moments.deviation))
    # h = M ρ_C across n = [S_n, n]
    h = [S[1] * n[2] - S[2] * n[1], S[2] * n[0] - S[0] * n[2], S[0] * n[1] - S[1] * n[0]]
    p = [(d + second * part) / (first - second) for d, part in zip(D, h, strict=True)]
    q = [(d + first * part) / (second - first) for d, part in zip(D, h, strict=True)]
    products = Named.of(
        Formula([p, q], Defaults.joined(parameter_values_in(low, high), Defaults.of(model)), "factored"),
        [r"m_1\vec r_1", r"m_2\vec r_2"],
    )
    return Balance(model, name, (low, high), moments, products)
