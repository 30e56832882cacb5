"""`mass_moments(model, body, axis)`: vectors of a body's mass moments for a pole and an oriented axis.

Cajić-Lazarević (40)-(45): mass vector M n, static moment S_n = [n, ρ_C] M, inertia moment 𝔍_n = 𝕁 n, axial moment
J_n = n·𝔍_n, deviation moment D_n = 𝔍_n − J_n n = [n, [𝔍_n, n]].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...errors import MbwidgetsError, ModelError
from ...model.arguments import as_model
from ...model.fields import as_axis, as_vector
from ...model.tensors import MassProperties, parallel_axis_shift
from ..formula.evaluation import Defaults
from ..formula.formula import Formula
from ..mechanics.derivation import Study, parameter_values_in, study_of
from ..ring.derivation_limits import limited
from ..ring.element import Element, rational_element
from ..ring.scalar_reader import Reader
from ..ring.unit_axes import unit_axis
from ..ring.vectors import Vec, cross, dot, perpendicular_axes, subtract

__all__ = ["Decomposition", "MassMoments", "mass_moments", "moments_of"]


class Decomposition(NamedTuple):
    """𝔍_n = J n + D_nu u + D_nv v, (n, u, v) right-handed   (43)"""

    n: Formula
    u: Formula
    v: Formula
    J: Formula
    D_nu: Formula
    D_nv: Formula


@dataclass(frozen=True, eq=False, repr=False)
class MassMoments:
    """Mass moments of one body for one pole and axis.

    Attributes
    ----------
    axis : n, (3,)
    mass : M n, (3,) kg   (40)
    static : S_n = [n, ρ_C] M, (3,) kg m   (41)
    inertia : 𝔍_n = 𝕁 n, (3,) kg m²   (42)
    axial : J_n, () kg m²   (44)
    deviation : D_n, (3,) kg m²   (45)
    """

    axis: Formula
    mass: Formula
    static: Formula
    inertia: Formula
    axial: Formula
    deviation: Formula

    @property
    def decomposition(self) -> Decomposition:
        """𝔍_n in (n, u, v): u and v are x and y turned by the smallest rotation that takes z to n   (43)"""
        n, values = list(self.axis.entries), self.axis.values
        u, v = perpendicular_axes(n)
        inertia = list(self.inertia.entries)
        vectors = (Formula(part, values, "factored") for part in (n, u, v))
        scalars = (Formula(dot(inertia, part), values, "factored") for part in (n, u, v))
        return Decomposition(*vectors, *scalars)

    def _rows(self) -> tuple[tuple[str, Formula], ...]:
        return (
            (r"\vec{\mathbf M}_{\vec n}", self.mass),
            (r"\vec{\mathbf S}_{\vec n}", self.static),
            (r"\vec{\mathfrak J}_{\vec n}", self.inertia),
            (r"J_{\vec n}", self.axial),
            (r"\vec{\mathbf D}_{\vec n}", self.deviation),
        )

    def _repr_latex_(self) -> str:
        lines = " \\\\ ".join(f"{name} &= {formula.latex(limit=200)}" for name, formula in self._rows())
        return f"$\\displaystyle \\begin{{aligned}}{lines}\\end{{aligned}}$"

    def __repr__(self) -> str:
        names = ("mass", "static", "inertia", "axial", "deviation")
        return "MassMoments(" + ", ".join(f"{name}={getattr(self, name)}" for name in names) + ")"


def moments_of(n: Vec, mass: Element, first: Vec, tensor: list[Vec], values: Any = None) -> MassMoments:
    """From M, M ρ_C and 𝕁 at the pole, all in the axes of n."""
    static = cross(n, first)
    inertia = [dot(row, n) for row in tensor]
    axial = dot(n, inertia)
    deviation = [part - axial * e for part, e in zip(inertia, n, strict=True)]
    found = (n, [mass * e for e in n], static, inertia, axial, deviation)
    return MassMoments(*(Formula(part, values, "factored") for part in found))


def mass_moments(model: Any, body: str | int, axis: Any, pole: Any = None, *, axes: str = "world") -> MassMoments:
    """Mass moments of a body for any axis and any pole, as exact formulae.

    Parameters
    ----------
    body : name, or index from 0
    axis : a joint (name, or index from 0), whose axis n is meant, of several the last; one of several by its label,
        ``"body.s"``; or a direction fixed in the body, ``"z"``, ``(1, 0, 1)``
    pole : a point of the body, in its axes from O*; by default O* itself
    axes : in which components are given, ``"world"`` or ``"body"``; a model with balls (spherical, free) has exact
        ones in body axes only, for directions fixed in the body

    >>> mb.mass_moments(mb.library.rotor(), "rotor", "z").static  # kg m
    <Formula 3: [-e*m*sin(q[0]), e*m*cos(q[0]), 0]>
    """
    if axes not in ("world", "body"):
        raise ModelError(f"no axes {axes!r}", remedy='use "world" or "body"')
    index = as_model(model).index(body)
    where = f"mass moments of body {model.bodies[index].name!r}"
    with limited():
        reader = Reader()
        place = _point(reader, pole, where)
        names = parameter_values_in(*(pole if isinstance(pole, tuple | list) else ()))
        values = Defaults.joined(names, Defaults.of(model))
        if any(column.kind == "ball" for body in model.bodies for column in body.joint.columns()):
            return _in_body(model.bodies[index], reader, _fixed_direction(model, axis, axes, where), place, values)
        owner = study_of(model)
        found = _in_body(model.bodies[index], reader, _direction(owner, index, axis, where), place, values)
        return found if axes == "body" else _in_world(owner, index, found)


def _fixed_direction(model: Any, axis: Any, axes: str, where: str) -> Vec:
    """n in body axes, for a model whose poses have no exact form."""
    joint = isinstance(axis, int | np.integer) or (isinstance(axis, str) and axis.lstrip("+-") not in ("x", "y", "z"))
    if joint:
        model.index(axis)
    if axes != "body" or joint:
        raise ModelError(
            "with spherical or free joints in the model only directions of the body, in its axes, have exact moments",
            where=where,
            remedy='give a direction and axes="body", or take numbers: mb.simulate(model).mass_moments(body, axis)',
        )
    return _unit(axis, Reader(), where)


def _unit(axis: Any, reader: Reader, where: str) -> Vec:
    try:
        return list(unit_axis(as_axis(axis), reader, "direction", "n"))
    except MbwidgetsError as error:
        raise error.at(f"{where}: axis") from None


def _in_body(body: Any, reader: Reader, n: Vec, pole: Vec, values: Any) -> MassMoments:
    """𝕁 = J_C + M (d·d I − d dᵀ) with d = pole → C."""
    mass, com = reader.read(body.mass, "mass"), [reader.read(part, "com") for part in body.com]
    central = [[reader.read(part, "inertia") for part in row] for row in body.inertia]
    tensor = parallel_axis_shift(MassProperties(mass, com, central), pole)  # type: ignore[arg-type]
    return moments_of(n, mass, [mass * part for part in subtract(com, pole)], [list(row) for row in tensor], values)


def _in_world(owner: Study, index: int, found: MassMoments) -> MassMoments:
    frame = owner.formula(owner.rodrigues.frame(owner.bodies[index]))

    def turned(vector: Formula) -> Formula:
        return Formula((frame @ vector)._array, found.static.values, "factored")

    return MassMoments(
        turned(found.axis),
        turned(found.mass),
        turned(found.static),
        turned(found.inertia),
        found.axial,
        turned(found.deviation),
    )


def _direction(owner: Study, index: int, axis: Any, where: str) -> Vec:
    """n in body axes."""
    r = owner.rodrigues
    joint = _joint(owner, axis)
    if joint is None:
        return _unit(axis, owner.mechanism.reader, where)
    if owner.mechanism.segments[joint].kind == "fixed":
        raise ModelError(f"joint {axis!r} is fixed and has no axis", where=where, remedy="give a direction")
    segment = owner.bodies[index]
    if joint in r.paths[segment]:
        return owner.elements(r.axis_seen(joint, segment))
    world, frame = owner.elements(r.axis(joint)), r.frame(segment)
    return [dot(owner.elements(column), world) for column in zip(*frame, strict=True)]


def _joint(owner: Study, axis: Any) -> int | None:
    """The segment of a joint's axis; of several axes the last, or ``"body.s"`` by name; None for a direction."""
    if isinstance(axis, str):
        columns = [(body.name, body.joint.columns()) for body in owner.model.bodies]
        last = [f"{name}.{found[-1].label}" for name, found in columns if found]
        places = [place for place, (_, found) in zip(owner.bodies, columns, strict=True) if found]
        names = {**dict(zip(last, places, strict=True)), **{s.name: i for i, s in enumerate(owner.mechanism.segments)}}
        if axis in names:
            return names[axis]
        if axis.lstrip("+-") in ("x", "y", "z"):
            return None
    if isinstance(axis, str | int | np.integer) and not isinstance(axis, bool):
        index: int = owner.model.index(axis)
        return owner.bodies[index]
    return None


def _point(reader: Reader, pole: Any, where: str) -> Vec:
    if pole is None:
        return [rational_element(0)] * 3
    try:
        return [reader.read(part, "pole") for part in as_vector(pole)]
    except MbwidgetsError as error:
        raise error.at(f"{where}: pole") from None
