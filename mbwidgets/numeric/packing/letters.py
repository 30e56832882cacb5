"""Letters: a model whose plain numbers are variables of its recipe, so that a page can move them.

A letter is the symbol of a plain number that a slider moves, named by its key (`model.number_keys`). A recipe with
letters is the recipe of the model otherwise: at the letters' own values it gives the numbers that the model packs to,
and where a free direction has no effort an effort of 0, which changes no sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from ...expressions import Expression, Symbol
from ...model.bodies import Body
from ...model.fields import symbols_in
from ...model.force_primitives import Drive, ForcePrimitive, JointForce
from ...model.joints import Planar
from ...model.model import Model
from ...model.number_keys import (
    INERTIA_PAIRS,
    at_key,
    axis_key,
    com_key,
    effort_key,
    gravity_key,
    hand_key,
    inertia_key,
    is_plain,
    mass_key,
    solid_key,
    state_key,
)
from .recipe import UnitCells

__all__ = ["Letters", "Numbers", "balls", "scales_with_mass"]


@dataclass
class Letters:
    """The letters of a model: ``values`` by key, in the order in which they are met."""

    values: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Numbers:
    """The scalars of a model as its recipe reads them; with ``letters`` plain ones are symbols."""

    model: Model
    letters: Letters | None = None

    def gravity(self) -> list[Any]:
        """g, three scalars."""
        return [self._scalar(gravity_key(k), item) for k, item in enumerate(self.model.gravity)]

    def body(self, index: int) -> list[Any]:
        """Place of the joint, mass, mass centre, moments and products of inertia, as a row of the table has them."""
        body = self.model.bodies[index]
        at = [self._scalar(at_key(index, k), item) for k, item in enumerate(body.joint.at)]
        com = [self._scalar(com_key(index, k), item) for k, item in enumerate(body.com)]
        inertia = [self._scalar(inertia_key(index, i, j), body.inertia[i][j]) for i, j in INERTIA_PAIRS]
        if self.letters is not None and scales_with_mass(body):
            self.letters.values[solid_key(index)] = float("inertia" in body.derived)
        return [*at, self._scalar(mass_key(index), body.mass), *com, *inertia]

    def axes(self, index: int) -> list[UnitCells]:
        """The axis of each column of the joint that is no ball, a unit vector."""
        joint = self.model.bodies[index].joint
        if isinstance(joint, Planar):
            normal = self._axis("axis", index)
            return [UnitCells(normal, 0), UnitCells(normal, 1), UnitCells(normal)]
        if not hasattr(joint, "axis"):
            return [UnitCells(tuple(column.axis)) for column in joint.columns() if column.kind != "ball"]
        own = UnitCells(self._axis("axis", index))
        other = UnitCells(self._axis("second", index)) if hasattr(joint, "second") else own
        return [own, other][: joint.nv]

    def state(self) -> list[Any]:
        """The initial q and u."""
        model = self.model
        rest = [value for body in model.bodies for value in body.joint.rest()]
        q = list(rest if model.state.q is None else model.state.q)
        u = list([0] * model.nv if model.state.u is None else model.state.u)
        whole = {place for ball in balls(model) for place in range(ball, ball + 4)}
        for ball in balls(model):
            places, own = range(ball, ball + 4), q[ball : ball + 4]
            plain = all(map(is_plain, own))
            q[ball : ball + 4] = (
                self._together([state_key("q", k) for k in places], own)
                if plain
                else [self._by_hand(k, item) for k, item in zip(places, own, strict=True)]
            )
        q = [item if k in whole else self._coordinate(k, item) for k, item in enumerate(q)]
        return [*q, *(self._scalar(state_key("u", k), item) for k, item in enumerate(u))]

    def forces(self, primitives: Sequence[ForcePrimitive]) -> list[ForcePrimitive]:
        """The primitives with constant efforts last, one for each free direction, in the order of u.

        So a direction's efforts add up in the same order whether one is changed, taken away or put in its place. One
        that has an effort by an expression keeps all of them as they stand.
        """
        efforts: dict[int, list[JointForce]] = {}
        for item in primitives:
            if isinstance(item, JointForce) and isinstance(item.law, Drive):
                efforts.setdefault(item.velocity, []).append(item)
        constant = {place: items for place, items in efforts.items() if all(is_plain(_value(item)) for item in items)}
        kept = [item for item in primitives if not any(item is other for other in constant.get(_velocity(item), ()))]
        if self.letters is None:
            return [*kept, *(self._sum(constant[place]) for place in sorted(constant))]
        return [*kept, *(self._lettered(place, constant) for place in self._free(efforts.keys() - constant.keys()))]

    def _sum(self, items: Sequence[JointForce]) -> JointForce:
        return replace(items[0], law=Drive(sum(self.model.number(_value(item)) for item in items)))

    def _free(self, driven: Any) -> list[tuple[int, int, int]]:
        """Body, free direction and place in u of all directions that no expression drives."""
        offsets = self.model.u_offsets
        places = [(body, k) for body, item in enumerate(self.model.bodies) for k in range(item.joint.nv)]
        return [(body, k, offsets[body] + k) for body, k in places if offsets[body] + k not in driven]

    def _lettered(self, where: tuple[int, int, int], constant: dict[int, list[JointForce]]) -> JointForce:
        body, k, place = where
        items = constant.get(place, [])
        key = effort_key(body, k)
        value = sum(self.model.number(_value(item)) for item in items)
        return JointForce(-1, key, body, place, None, Drive(self._scalar(key, float(value))))

    def _axis(self, name: str, index: int) -> tuple[Any, ...]:
        keys = [axis_key(name, index, part) for part in "xyz"]
        return tuple(self._together(keys, getattr(self.model.bodies[index].joint, name)))

    def _coordinate(self, k: int, scalar: Any) -> Any:
        """An initial coordinate: a letter; or what it follows from, where a hand cannot move that, and a letter."""
        if self.letters is None or is_plain(scalar) or (isinstance(scalar, Symbol) and scalar.name not in self._sizes):
            return self._scalar(state_key("q", k), scalar)
        return self._by_hand(k, scalar)

    def _by_hand(self, k: int, scalar: Any) -> Any:
        """What an initial coordinate follows from, and what a hand adds to it."""
        if self.letters is None:
            return scalar
        self.letters.values[hand_key(k)] = 0.0
        return scalar + Symbol(hand_key(k))

    @cached_property
    def _sizes(self) -> dict[str, Symbol]:
        """The parameters that tell more than where the mechanism starts."""
        model = self.model
        return symbols_in((model.bodies, model.gravity, model.forces, model.constraints, model.state.u))

    def _together(self, keys: Sequence[str], scalars: Sequence[Any]) -> list[Any]:
        """Scalars that are moved together: letters only if all of them are plain."""
        if not all(map(is_plain, scalars)):
            return list(scalars)
        return [self._scalar(key, item) for key, item in zip(keys, scalars, strict=True)]

    def _scalar(self, key: str, scalar: Any) -> Any:
        if self.letters is None or not is_plain(scalar):
            return scalar
        self.letters.values[key] = self.model.number(scalar)
        return Symbol(key)


def scales_with_mass(body: Body) -> bool:
    """Whether a body is a solid of plain numbers, whose inertia follows its mass until it is given itself."""
    numbers = [body.mass, *(item for row in body.inertia for item in row)]
    return body.shape is not None and not any(isinstance(item, Expression) for item in numbers)


def balls(model: Model) -> list[int]:
    """Where in q quaternions begin."""
    found = []
    for begin, body in zip(model.q_offsets, model.bodies, strict=False):
        for column in body.joint.columns():
            if column.kind == "ball":
                found.append(begin)
            begin += 4 if column.kind == "ball" else 1
    return found


def _value(item: JointForce) -> Any:
    return item.law.value  # type: ignore[union-attr]


def _velocity(item: ForcePrimitive) -> int:
    return item.velocity if isinstance(item, JointForce) else -1
