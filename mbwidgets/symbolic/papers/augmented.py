"""`augmented(model)`: the augmented bodies of a chain on spherical joints, exactly.

Source: Chebanov, Khlistunova, Facta Universitatis 2001, section 1. B_i* is the body B_i with the mass of all
that it carries put into the joint O_{i+1}. With it the equations of a chain have the form of one body's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ModelError
from ...model.arguments import as_model
from ...model.tensors import MassProperties, parallel_axis_shift
from ..formula.formula import Formula
from ..ring.algebra import Algebra, Matrix, Vector
from ..ring.element import Element, rational_element
from ..ring.scalar_reader import Reader

__all__ = ["AUGMENTED", "Augmented", "ExactBody", "Exactly", "augmented", "chain_names", "exact_chain"]


class Exactly(Algebra):
    """Vectors of exact values, fractions included."""

    zero = rational_element(0)
    one = rational_element(1)

    def mul(self, a: Any, b: Any) -> Any:
        return a * b

    def dot(self, a: Sequence[Any], b: Sequence[Any]) -> Any:
        total = self.zero
        for x, y in zip(a, b, strict=True):
            if x and y:
                total = total + x * y
        return total


AUGMENTED = Exactly()
"""The one algebra that augmented bodies and their equations are written in."""


@dataclass(frozen=True)
class ExactBody:
    """One body of a chain: m_i, c_i = O_iC_i, s_i = O_iO_{i+1} (zero for the last), J_C, all in body axes."""

    mass: Element
    com: Vector
    arm: Vector
    central: Matrix

    @property
    def inertia(self) -> Matrix:
        """A_i = J_C + m (c·c I − c cᵀ), at O_i."""
        return _shifted(self.central, self.mass, self.com)


@dataclass(frozen=True)
class Augmented:
    """The augmented bodies of a chain, one entry a body, in that body's axes.

    Attributes
    ----------
    mass : (n,) m_i* = Σ_{j>i} m_j, what is put into O_{i+1}, kg
    static : (n, 3) a_i = m_i c_i + m_i* s_i, kg m
    barycentre : (n, 3) c_i* = a_i / (m_i + m_i*), m   (1.2)
    inertia : (n, 3, 3) A_i* ω = A_i ω + m_i* s_i × (ω × s_i), at O_i, kg m²   (1.2)
    total : (n,) m_i + m_i*, kg
    names : the bodies
    """

    mass: Formula
    static: Formula
    barycentre: Formula
    inertia: Formula
    total: Formula
    names: tuple[str, ...]

    def evaluate(self, **parameters: float) -> dict[str, np.ndarray]:
        """Numbers by name; parameters that are not given have the model's values."""
        parts = {key: getattr(self, key) for key in ("mass", "static", "barycentre", "inertia", "total")}
        return {key: np.asarray(value.evaluate(**parameters), dtype=float) for key, value in parts.items()}

    def __len__(self) -> int:
        return len(self.names)


def augmented(model: Any) -> Augmented:
    """The augmented bodies of a chain of bodies on spherical joints   (1.2).

    Raises
    ------
    ModelError : the model is no such chain; a joint coincides with the next (s_i = 0, against (2.6)); a body
        and all that it carries have no mass, so that there is no barycentre

    >>> [float(m) for m in mb.augmented(mb.library.spherical_chain(2)).mass.evaluate()]
    [1.0, 0.0]
    """
    bodies = exact_chain(model)
    names = chain_names(model)
    carried, totals, static, barycentres, tensors = [], [], [], [], []
    for i, body in enumerate(bodies):
        below = rational_element(0)
        for other in bodies[i + 1 :]:
            below = below + other.mass
        whole = body.mass + below
        a = static_moment(body, below)
        if not whole:
            raise ModelError(
                "it has no mass, nor has what it carries: there is no barycentre",
                where=f"body {names[i]!r}",
                remedy="give a mass > 0",
            )
        carried.append(below)
        totals.append(whole)
        static.append(list(a))
        barycentres.append([part / whole for part in a])
        tensors.append([list(row) for row in augmented_inertia(body, below)])
    values = model.values
    return Augmented(
        mass=Formula(carried, values, labels="m^*_{%d}"),
        static=Formula(static, values, labels="a_{%d}^{%d}"),
        barycentre=Formula(barycentres, values, "factored", labels="c_{%d}^{*%d}"),
        inertia=Formula(tensors, values, labels="A^*_{%d,%d%d}"),
        total=Formula(totals, values, labels="M_{%d}"),
        names=names,
    )


def static_moment(body: ExactBody, mass_below: Element) -> Vector:
    """a_i = m_i c_i + m_i* s_i, with m_i* = ``mass_below``."""
    r = AUGMENTED
    return r.add(r.scale(body.mass, body.com), r.scale(mass_below, body.arm))


def augmented_inertia(body: ExactBody, mass_below: Element) -> Matrix:
    """A_i* = A_i + m_i* (s·s I − s sᵀ)   (1.2)"""
    return _shifted(body.inertia, mass_below, body.arm)


def _shifted(tensor: Matrix, mass: Element, arm: Vector) -> Matrix:
    return parallel_axis_shift(MassProperties(mass, arm, tensor), (0, 0, 0))


def chain_names(model: Any) -> tuple[str, ...]:
    """The bodies of a chain on spherical joints, from the ground outward; what is not such a chain is refused."""
    for index, body in enumerate(as_model(model).bodies):
        if body.joint.type != "spherical":
            raise ModelError(
                f"a {body.joint.type} joint stands in a chain that Kharlamov's equations take as spherical",
                where=f"joint {body.name!r}",
                remedy="use mb.Spherical(at=…), or mb.Dynamics, which takes any joint",
            )
        if model.parents[index] != index - 1:
            raise ModelError(
                "the bodies do not form one chain from the ground outward",
                where=f"body {body.name!r}",
                remedy="hang every body on the one listed before it",
            )
    return tuple(body.name for body in model.bodies)


def refuse_all_but_weight(model: Any) -> None:
    """Refuse forces and constraints where only ideal joints and weight are meant."""
    if model.constraints or model.forces:
        what = "constraints" if model.constraints else "forces other than gravity"
        raise ModelError(
            f"the model has {what}: the conditions of permanent rotation are those of ideal joints and weight",
            remedy=f"take the {what.split()[0]} away",
        )


def exact_chain(model: Any) -> tuple[ExactBody, ...]:
    """The chain's masses and vectors as exact values; a float is the decimal that it prints as."""
    names = chain_names(model)
    reader = Reader()
    bodies = []
    for i, body in enumerate(model.bodies):
        arm = model.bodies[i + 1].joint.at if i + 1 < len(names) else (0, 0, 0)
        where = f"body {names[i]!r}"
        exact = ExactBody(
            mass=reader.read(body.mass, where),
            com=_vector(reader, body.com, where),
            arm=_vector(reader, arm, where),
            central=tuple(_vector(reader, row, where) for row in body.inertia),  # type: ignore[arg-type]
        )
        if i + 1 < len(names) and not any(exact.arm):
            raise coincident_joints_error(names[i], names[i + 1])
        bodies.append(exact)
    return tuple(bodies)


def coincident_joints_error(name: str, following: str) -> ModelError:
    """The error for s_i = 0."""
    return ModelError(
        f"the joint of {following!r} is at {name!r}'s own joint: s = 0, so {following!r} hangs on the body before "
        "(Chebanov-Khlistunova (2.6))",
        where=f"body {name!r}",
        remedy=f"give the joint of {following!r} a place at=… other than (0, 0, 0)",
    )


def _vector(reader: Reader, values: Sequence[Any], where: str) -> Vector:
    x, y, z = (reader.read(value, where) for value in values)
    return x, y, z
