"""A point on a curve x(s), exactly: s, the curve's point nearest to the guided one, is a letter like any other.

No formula of q gives s for most curves. So the equations of a guided point are written with it, on two unit vectors n
across the curve, and its number is found where a formula is evaluated: x′·(p − x) = 0, by Newton's method.

    Φ = n·(p − x),  Φ̇ = n·v,  γ = n·x″ ṡ² − n·a₀,  ṡ = x′·v / x′·x′      where Φ = 0, a₀ the acceleration at u̇ = 0
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...expressions import Expression, Symbol
from ...model.constraint_primitives import CurveRow, constraint_rows
from ..formula.evaluation import Late, State
from ..formula.formula import Formula
from ..ring import generators as letters
from ..ring.element import Element, letter_element, rational_element
from ..ring.scalar_reader import square_root
from ..ring.vectors import Vec, dot
from .derivation import Study

__all__ = ["Guide", "curve_parameters", "guide_of"]

Array = Any
REACH, POINTS = 10.0, 801
"""The parameters from −REACH to REACH that are tried first, as the compiled solver does."""
WIDER = 4
"""How often the search reaches four times as far where the point is not on the curve so far."""
TURNS = 50
NEAR = 1e-6
"""A point is on the curve that is as near, relative to its own coordinates."""
CELLS = 2_000_000
"""Distances held at once."""


@dataclass(frozen=True)
class Guide:
    """The curve of constraint ``owner``: x(s), x′, x″ with s as the letter ``name``, and two unit vectors across it.

    ``side`` is a letter that is 1 where the curve rises along z and −1 where it falls, the first vector's sign; empty
    where it is known.
    """

    name: str
    side: str
    point: Vec
    slope: Vec
    bend: Vec
    across: tuple[Vec, Vec]

    @property
    def plain(self) -> tuple[Vec, Vec]:
        """Two vectors across x′ without its length, for what only asks for their plane: short, not of unit length.

        They are parallel where the part of x′ that both hold vanishes; one that stays is taken where there is one.
        """
        order = sorted(range(3), key=lambda k: (not self.slope[k], bool(self.bend[k])))  # best a part that stays
        k, others = order[0], sorted(order[1:])
        found = []
        for j in others:
            normal = [rational_element(0)] * 3
            normal[j], normal[k] = self.slope[k], -self.slope[j]
            found.append(normal)
        return found[0], found[1]

    def turning(self, normal: Vec) -> Element:
        """n·x″ / (x′·x′)², which (x′·v)² makes n·x″ ṡ²."""
        square = dot(self.slope, self.slope)
        return dot(normal, self.bend) / (square * square)


def guide_of(study: Study, row: CurveRow) -> Guide:
    """The curve of a point; both of its rows have the same."""
    kept: dict[int, Guide] = study.guides
    if row.owner not in kept:
        kept[row.owner] = _read_guide(study, row)
    return kept[row.owner]


def _read_guide(study: Study, row: CurveRow) -> Guide:
    where, (name, side) = row.title, _letters(study.model)[row.owner]
    own, read = Symbol(row.parameter), study.mechanism.reader.read

    def renamed(leaf: Any) -> Any:
        return Symbol(name) if leaf == own else leaf

    curve = [part.replace(renamed) if isinstance(part, Expression) else part for part in row.curve]
    point = [read(part, where) for part in curve]
    by = letters.parameter(name)
    slope = [part.diff(by) for part in point]
    bend = [part.diff(by) for part in slope]
    rising = slope[2]
    side = "" if rising.is_number() else side
    sign = letter_element(letters.parameter(side)) if side else rational_element(1 if rising.as_number() >= 0 else -1)
    return Guide(name, side, point, slope, bend, _across(slope, sign))


def _across(slope: Vec, sign: Element) -> tuple[Vec, Vec]:
    """Two unit vectors across x′, those of the compiled solver: smooth while its z keeps its sign."""
    length = square_root(dot(slope, slope), "curve")
    x, y, z = (part / length for part in slope)
    share = (sign + z).inverse()
    return [1 - sign * x * x * share, -sign * x * y * share, -sign * x], [-x * y * share, sign - y * y * share, -y]


def _curves(model: Any) -> list[CurveRow]:
    """The first row of each point on a curve."""
    return [row for row in constraint_rows(model) if isinstance(row, CurveRow) and row.across == 0]


def _letters(model: Any) -> dict[int, tuple[str, str]]:
    """For each curve the letters of its foot point and of its side: no two alike, and none a parameter's."""
    taken, found = set(model.parameters), {}
    for row in _curves(model):
        pair = []
        for name in (f"{row.parameter}{row.owner + 1}", f"side{row.owner + 1}"):
            while name in taken:
                name += "_"
            taken.add(name)
            pair.append(name)
        found[row.owner] = (pair[0], pair[1])
    return found


def curve_parameters(study: Study, change: Any = None) -> dict[str, Late]:
    """What the curves' letters are at a state, by name; ``change``: of coordinates, as `Change.letters`."""
    found: dict[str, Late] = {}
    for row in _curves(study.model):
        guide = guide_of(study, row)
        place = study.geometry.point(row.body, row.point, row.title)
        found[guide.name] = _Foot(guide, Formula(place if change is None else change(place)))
        if guide.side:
            found[guide.side] = _Side(guide)
    return found


class _Side(Late):
    """1 where the curve rises along z at its foot point, −1 where it falls."""

    def __init__(self, guide: Guide) -> None:
        self.rising = Formula(guide.slope[2])

    def at(self, state: State) -> Array:
        return np.where(np.reshape(self.rising.at(state), -1) >= 0.0, 1.0, -1.0)


class _Foot(Late):
    """The parameter of the curve's point nearest to a body's point."""

    def __init__(self, guide: Guide, place: Formula) -> None:
        self.guide, self.place = guide, place

    @cached_property
    def _curve(self) -> Formula:
        """x, x′, x″ (3, 3)."""
        return Formula([self.guide.point, self.guide.slope, self.guide.bend])

    def at(self, state: State) -> Array:
        place = self.place.at(state).reshape(-1, 3)
        parameters = _common(state.parameters)
        best, off = np.full(len(place), np.nan), np.arange(len(place))
        for wide in range(WIDER + 1):
            tried = _spread(wide)
            step = max(1, CELLS // len(tried))
            for part in (off[k : k + step] for k in range(0, len(off), step)):
                given = {key: value if not value.ndim else value[part] for key, value in parameters.items()}
                best[part] = self._newton(place[part], self._nearest(place[part], tried, given), given)
            given = {key: value if not value.ndim else value[off] for key, value in parameters.items()}
            distance = np.linalg.norm(place[off] - self._values(best[off], given)[..., 0, :], axis=-1)
            off = off[~(distance <= NEAR * (1.0 + np.linalg.norm(place[off], axis=1)))]
            if not len(off):
                break
        return best

    def _values(self, s: Array, parameters: dict[str, Array]) -> Array:
        """x, x′, x″ (…, 3, 3) at parameters s."""
        with np.errstate(all="ignore"):  # the search leaves the domain of roots and logarithms
            return self._curve.at(State(None, None, None, 0.0, {**parameters, self.guide.name: s}))

    def _nearest(self, place: Array, tried: Array, parameters: dict[str, Array]) -> Array:
        """Of the parameters that are tried the one whose point is nearest, for each place."""
        with np.errstate(all="ignore"):
            square = ((place - self._values(tried[:, None], parameters)[..., 0, :]) ** 2).sum(axis=-1)
        return tried[np.where(np.isnan(square), np.inf, square).argmin(axis=0)]

    def _newton(self, place: Array, s: Array, parameters: dict[str, Array]) -> Array:
        """The root of x′·(p − x) near s, as the compiled solver finds it."""
        for _ in range(TURNS):
            x, slope, bend = np.moveaxis(self._values(s, parameters), -2, 0)
            away, steep = place - x, (slope * slope).sum(axis=-1)
            curved = steep - (bend * away).sum(axis=-1)
            curved = np.where(curved < 0.5 * steep, steep, curved)
            with np.errstate(all="ignore"):
                change = (slope * away).sum(axis=-1) / curved
            change = np.where(np.isfinite(change), change, 0.0)
            s = s + change
            if not (np.abs(change) > 1e-16 * (1.0 + np.abs(s))).any():
                break
        return s


def _spread(wide: int) -> Array:
    """Parameters as dense as the first, four times as far each time."""
    return np.linspace(-REACH * 4**wide, REACH * 4**wide, (POINTS - 1) * 4**wide + 1)


def _common(parameters: dict[str, Array]) -> dict[str, Array]:
    """Parameters over a batch, those that are the same for all of it as one number."""
    return {key: value[0] if len(value) and (value == value[0]).all() else value for key, value in parameters.items()}
