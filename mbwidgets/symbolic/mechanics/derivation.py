"""What the formulae of one model share: its mechanism with the letters q̇, q̈, and the vectors derived so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from ...expressions import Expression
from ...model.parameters import Parameter
from ..formula.evaluation import Defaults
from ..formula.formula import Formula, formula_of
from ..ring import generators as letters
from ..ring.algebra import Matrix, Vector
from ..ring.backend import chosen_backend
from ..ring.element import Element, resolve_denominators
from ..ring.ring import Ring, make_ring
from .body_geometry import Geometry
from .carriers import Carriers
from .mechanism import Mechanism
from .rodrigues import Rodrigues
from .rotator_labels import segment_numbers
from .virtual_displacements import Virtual

__all__ = ["Study", "parameter_values_in", "study_of", "with_velocity_letters"]


class Study:
    """A model's vectors as exact polynomials, both methods; make it with `study_of`, which keeps the last ones."""

    def __init__(self, model: Any, balls: bool = False) -> None:
        self.model = model
        self.mechanism = with_velocity_letters(Mechanism.from_model(model, balls=balls))
        self.ring: Ring = self.mechanism.ring
        self.values = Defaults.of(model)
        n = self.mechanism.n
        u = [self.ring.gen(letters.velocity(k)) for k in range(n)]
        ud = [self.ring.gen(letters.acceleration(k)) for k in range(n)]
        self.rodrigues = Rodrigues(self.mechanism, u, ud)
        self.carriers = Carriers(self.rodrigues)

    @property
    def n(self) -> int:
        """Number of velocities."""
        return self.mechanism.n

    @cached_property
    def virtual(self) -> Virtual:
        """The virtual displacements of the joints."""
        return Virtual(self.rodrigues)

    @cached_property
    def pushes(self) -> tuple[Any, ...]:
        """Every applied force and moment of the model."""
        from .load_wrenches import applied_loads

        return tuple(applied_loads(self))

    @cached_property
    def geometry(self) -> Geometry:
        """What forces and constraints are made of."""
        return Geometry(self.model, self.mechanism)

    @cached_property
    def guides(self) -> dict[int, Any]:
        """The curves that have been read, by the number of their constraint; `guide_of` fills it."""
        return {}

    @cached_property
    def bodies(self) -> tuple[int, ...]:
        """The segment of each body of the model."""
        last = {s.body: i for i, s in enumerate(self.mechanism.segments)}
        return tuple(last[index] for index in range(len(last)))

    def joint(self, index: int) -> tuple[int, ...]:
        """The segments of a body's joint, in the order of its axes."""
        return tuple(i for i, s in enumerate(self.mechanism.segments) if s.body == index)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """What each segment is called in a label, counted from 1."""
        return segment_numbers(self.mechanism.segments)

    def number(self, segment: int) -> str:
        """What a segment is called in a label."""
        return self.numbers[segment]

    def formula(self, entries: Any, form: str = "collected", **more: Any) -> Formula:
        """Polynomials of the ring as a formula."""
        return formula_of(self.ring, entries, self.values, form, **more)

    def elements(self, polys: Sequence[Any]) -> list[Element]:
        """Polynomials of the ring as exact values."""
        return [resolve_denominators(self.ring, p) for p in polys]


def parameter_values_in(*scalars: Any) -> dict[str, Any]:
    """Values of the `Parameter` objects that scalars bring with them, beside those of the model."""
    expressions = (scalar for scalar in scalars if isinstance(scalar, Expression))
    leaves = (leaf for expression in expressions for leaf in expression.leaves())
    return {leaf.name: leaf.value for leaf in leaves if isinstance(leaf, Parameter)}


def with_velocity_letters(mechanism: Mechanism) -> Mechanism:
    """The same mechanism over a ring that has the letters u and u̇ too."""
    source = mechanism.ring
    motion = {make(k) for k in range(mechanism.n) for make in (letters.velocity, letters.acceleration)}
    home = make_ring({*source.generators, *motion}, balls=source.balls)

    def vector(v: Vector) -> Vector:
        x, y, z = (home.lift(p, source) for p in v)
        return x, y, z

    def matrix(m: Matrix) -> Matrix:
        x, y, z = (vector(row) for row in m)
        return x, y, z

    segments = tuple(
        replace(
            s,
            axis=vector(s.axis),
            at=vector(s.at),
            offset=vector(s.offset),
            turn=None if s.turn is None else matrix(s.turn),
            mass=home.lift(s.mass, source),
            com=vector(s.com),
            inertia=matrix(s.inertia),
            planar=matrix(s.planar),
        )
        for s in mechanism.segments
    )
    return replace(mechanism, ring=home, segments=segments, gravity=vector(mechanism.gravity))


def study_of(model: Any, balls: bool = False) -> Study:
    """The study of a model; the last few are kept, so that the next joint or method does not begin anew.

    ``balls``: take spherical and free joints too, for what is derived from virtual displacements.
    """
    held = balls and any(column.kind == "ball" for body in model.bodies for column in body.joint.columns())
    return _kept(model, held, chosen_backend())


@lru_cache(maxsize=8)
def _kept(model: Any, balls: bool, _backend: str) -> Study:
    return Study(model, balls)
