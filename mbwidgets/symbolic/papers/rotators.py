"""`rotators(model, joint)`: dK/dt and dL/dt of all that a joint carries as a table of vector rotators.

|w| ℜ is a polynomial and is what the table keeps; |w| and ℜ itself bring a square root and are formed when asked
for. Where w vanishes identically its rotator has no direction and is None: the contribution is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...model.arguments import as_model
from ..formula.formula import Formula
from ..mechanics.carriers import Row
from ..mechanics.derivation import Study, study_of
from ..mechanics.rotator_labels import Label, LabelledRows, label_rotator, three_revolute_chain
from ..ring.algebra import Vector
from ..ring.derivation_limits import SECONDS, TERMS, limited
from ..ring.element import Element, resolve_denominators
from ..ring.scalar_reader import square_root
from ..ring.vectors import dot
from .lumped_rotators import Lumped

__all__ = ["Rotator", "Rotators", "rotators"]

MOST_SHOWN = 60
"""Rows of a table that are shown as formulae."""


@dataclass(frozen=True, eq=False)
class RotatorRow:
    """What every row tells, exact or over frames.

    ``kind``: ``own`` and ``coupled`` rotators of dK/dt; ``axial``, ``deviation`` (ℜ*) and ``mixed`` terms of dL/dt.
    ``body``, ``a``, ``b``: names of the body and of the axes; ``label``: systematic, LaTeX, and the paper's number.
    """

    label: Label
    kind: str
    body: str
    a: str
    b: str
    carrier: str
    row: Row


@dataclass(frozen=True)
class Rotator(RotatorRow):
    """One row: a carrier w of a body, its vector rotator and what the two contribute."""

    owner: Study
    pole: int

    def _formula(self, vector: Vector) -> Formula:
        return self.owner.formula(list(vector))

    @property
    def vector(self) -> Formula:
        """w: M [n_b, p], S_b, M n_b, J_a n_a, D_a, or the bracket of two axes, (3,)"""
        return self._formula(self.row.vector)

    @property
    def magnitude(self) -> Formula:
        """|w|"""
        return Formula(self._length, self.owner.values, "factored")

    @property
    def contribution(self) -> Formula:
        """|w| ℜ: the row's part in dK/dt, or in dL/dt where it has no force, (3,)   (54), (55)"""
        return self._formula(self.row.change)

    @property
    def moment(self) -> Formula:
        """The row's part in dL/dt + [v_Ok, K] about O_k, (3,)   (55)"""
        return self._formula(self.owner.carriers.moment(self.row, self.pole))

    @property
    def rotator(self) -> Formula | None:
        """ℜ = ω̇ u + ω² [n, u], or 2 ω_a q̇_b [n_a, u], u = w/|w|; None where w is zero   (53), (56)"""
        length = self._length
        if not length or self.kind in ("axial", "mixed"):
            return None
        parts = [part / length for part in self.owner.elements(self.row.change)]
        return Formula(parts, self.owner.values)

    @property
    def speed(self) -> Formula | None:
        """|ℜ| = √(ω̇² + ω⁴) of an own rotator, whatever the direction of w; None for the others."""
        if self.kind not in ("own", "deviation"):
            return None
        home, row = self.owner.ring, self.row
        square = resolve_denominators(home, home.dot((row.along, row.across), (row.along, row.across)))
        return Formula(square_root(square), self.owner.values)

    @property
    def _length(self) -> Element:
        w = self.owner.elements(self.row.vector)
        square = dot(w, w)
        return square_root(square) if square else square


def described_row(row: Row, names: Sequence[str]) -> tuple[str, str, str, str, str, Row]:
    """What a `RotatorRow` tells besides its label, with the segments by their names."""
    return row.kind, names[row.body], names[row.a], names[row.b], row.carrier, row


class Rotators(LabelledRows[Rotator]):
    """The table of one joint: go through it, or take a row by number or name; make it with `rotators`."""

    def __init__(self, owner: Study, index: int, limits: tuple[int, float]) -> None:
        self.study = owner
        self.model = owner.model
        self.index = index
        self.joint: str = owner.model.bodies[index].name
        self.limits = limits
        self._first = owner.joint(index)[0]

    @cached_property
    def rows(self) -> tuple[Rotator, ...]:
        """All rows, body by body."""
        owner, r = self.study, self.study.rodrigues
        names = tuple(s.name for s in r.segments)
        paper = three_revolute_chain(r)
        with limited(*self.limits):
            found = [row for i in r.carried(self._first) for row in owner.carriers.rows(i)]
        return tuple(
            Rotator(label_rotator(row, owner.numbers, paper), *described_row(row, names), owner, self._first)
            for row in found
        )

    @cached_property
    def force(self) -> Formula:
        """dK/dt, the sum of the contributions, (3,)   (54)"""
        with limited(*self.limits):
            return self.study.formula(list(self.study.carriers.kinetic(self._first)[0]))

    @cached_property
    def moment(self) -> Formula:
        """dL/dt + [v_Ok, K] about O_k, (3,)   (55), (58), corrected: [v_Ok, K]"""
        with limited(*self.limits):
            return self.study.formula(list(self.study.carriers.kinetic(self._first)[1]))

    @cached_property
    def momentum(self) -> Formula:
        """K of all that the joint carries, (3,)   (48), corrected: ω₁, ω₂, ω₃"""
        with limited(*self.limits):
            return self.study.formula(list(self.study.carriers.momenta(self._first)[0]))

    @cached_property
    def angular_momentum(self) -> Formula:
        """L about O_k, (3,)   (50), corrected"""
        with limited(*self.limits):
            return self.study.formula(list(self.study.carriers.momenta(self._first)[1]))

    def lumped(self) -> Lumped:
        """The same sums with one vector a coordinate: few arrows, the default picture."""
        return Lumped(self.study, self.index, self.limits)

    def __str__(self) -> str:
        """The table as text: name, the paper's number, kind, body, axes, terms of |w| ℜ."""
        lines = [f"{'rotator':16} {'paper':>6} {'kind':10} {'body':12} {'axes':20} terms"]
        for row in self.rows:
            axes = row.a if row.a == row.b else f"{row.a}, {row.b}"
            terms = row.contribution.terms
            lines.append(
                f"{row.label.text:16} {row.label.paper or '':>6} {row.kind:10} {row.body:12} {axes:20} {terms}"
            )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<rotators of joint {self.joint!r}: {len(self)} rows>"

    def _repr_latex_(self) -> str:
        """Rows |w| ℜ = […], the first of a long table; past a readable size only the number of terms."""
        lines = []
        for row in self.rows[:MOST_SHOWN]:
            star = row.kind in ("axial", "mixed")
            name = row.label.latex if star else f"|w|\\,{row.label.latex}"
            lines.append(f"{name} &= {row.contribution.latex(limit=60)}")
        if len(self) > MOST_SHOWN:
            lines.append(f"&\\text{{and {len(self) - MOST_SHOWN} more}}")
        return "$\\displaystyle \\begin{aligned}" + " \\\\ ".join(lines) + "\\end{aligned}$"


def rotators(model: Any, joint: str | int, *, terms: int = TERMS, seconds: float = SECONDS) -> Rotators:
    """The table of vector rotators of all that a joint carries, for a model of one-axis joints.

    >>> table = mb.rotators(mb.library.rotor(), 0)
    >>> len(table)
    3
    """
    index = as_model(model).index(joint)
    with limited(terms, seconds):
        return Rotators(study_of(model), index, (terms, seconds))
