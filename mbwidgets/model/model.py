"""The model: one immutable description of a mechanism that every other layer reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ExpressionError, MbwidgetsError, ModelError, UnknownNameError, shorten
from ..expressions import Expression, Symbol, Variable, evaluate
from . import checks, display
from .bodies import BEFORE, Body
from .constraints import OnCurve, read_constraint
from .coordinate_numbers import with_numbers
from .fields import (
    Record,
    as_text,
    as_vector,
    iterate_scalars,
    map_scalars,
    number_kind,
    suggest_name,
    symbols_in,
)
from .forces import Anchor, read_force
from .guesses import answer_attribute
from .joints import Joint
from .links import Link, elementary_links
from .parameters import Parameter
from .reading import read_all, read_bodies, read_within
from .state import State

__all__ = ["Link", "Model", "State"]

GROUND = "ground"
"""What people call the ground where a body may be named; a body of this name is itself."""


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A tree of rigid bodies with joints, forces, constraints, gravity and an initial state.

    Parameters
    ----------
    bodies : `Body` records; the order is that of q and u
    gravity : acceleration g in world axes, m/s²
    parameters : `Parameter` records that the bodies or forces do not already carry
    forces, constraints : records, or their dict forms
    state : initial `State`, or ``{"q": …, "u": …, "duration": …}``
    name : a title

    A model never changes: `with_values`, `with_body`, `with_joint`, `with_constraint`, `with_force` … give new ones.

    >>> model = mb.library.pendulum(2)
    >>> model.nv, [body.name for body in model.bodies]
    (2, ['rod 1', 'rod 2'])
    """

    bodies: Any
    gravity: Any = (0, 0, -9.81)
    parameters: Any = ()
    forces: Any = ()
    constraints: Any = ()
    state: Any = None
    name: str = "model"

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "name", as_text(self.name))
        put(self, "gravity", read_within("gravity", _as_gravity, self.gravity))
        put(self, "bodies", read_bodies(self.bodies))
        put(self, "forces", read_all(self.forces, read_force, "force"))
        put(self, "constraints", read_all(self.constraints, read_constraint, "constraint"))
        state = (
            self.state
            if isinstance(self.state, State)
            else read_within("state", State.from_dict, {} if self.state is None else self.state)
        )
        put(self, "state", state)
        put(self, "parameters", self._collect())
        for key in ("bodies", "gravity", "forces", "constraints", "state"):
            put(self, key, map_scalars(getattr(self, key), _bare))
        put(self, "forces", tuple(self._resolve(item, "force", i) for i, item in enumerate(self.forces)))
        put(
            self,
            "constraints",
            tuple(self._resolve(item, "constraint", i) for i, item in enumerate(self.constraints)),
        )
        put(self, "bodies", tuple(self._named_parent(body, index) for index, body in enumerate(self.bodies)))
        self.order, self._joint_places  # noqa: B018  refuses cycles and names that mean two
        checks.check_model(self)

    def _collect(self) -> Mapping[str, Parameter]:
        """Every parameter by name, from the list given and from the expressions."""
        given = self.parameters
        if isinstance(given, Mapping):
            given = [p if isinstance(p, Parameter) else Parameter.from_dict(n, p) for n, p in given.items()]
        elif isinstance(given, Parameter):
            given = [given]
        elif isinstance(given, str) or not isinstance(given, Iterable):
            raise ModelError(f"{shorten(given)} is not a list", where="parameters", remedy="give [mb.Parameter(…), …]")
        table: dict[str, Parameter] = {}
        for parameter in given:
            if not isinstance(parameter, Parameter):
                raise ModelError(
                    f"{shorten(parameter)} is not a Parameter",
                    where="parameters",
                    remedy="give mb.Parameter(…)",
                )
            _insert(table, parameter)
        parts = (self.bodies, self.gravity, self.forces, self.constraints, self.state)
        for expression in iterate_scalars(parts):
            for leaf in expression.leaves():
                if isinstance(leaf, Parameter):
                    _insert(table, leaf)
        bound = {item.parameter for item in self.constraints if isinstance(item, OnCurve)}
        for name in symbols_in(parts):
            if name not in table and name not in bound:
                raise UnknownNameError(
                    f"parameter {name!r} is not defined",
                    remedy=f"give parameters=[mb.Parameter({name!r}, value)], or {suggest_name(name, table)}",
                )
        return MappingProxyType(table)

    def _named_parent(self, body: Body, index: int) -> Body:
        parent = self.parents[index]
        name = self.bodies[parent].name if parent >= 0 else None
        return body if body.parent == name else body.replace(parent=name)

    def _resolve(self, item: Record, noun: str, number: int) -> Any:
        """Names for body indices, and a check that they and the coordinates exist."""
        changes: dict[str, Any] = {}
        where = f"{noun} {number} ({item.type})"
        try:
            for key in ("body", "joint"):
                if hasattr(item, key):
                    changes[key] = self.bodies[self.index(getattr(item, key))].name
            for key in ("start", "end", "a", "b"):
                anchor = getattr(item, key, None)
                if isinstance(anchor, Anchor) and self._is_ground(anchor.body):
                    changes[key] = anchor.replace(body=None)
                elif isinstance(anchor, Anchor) and anchor.body is not None:
                    changes[key] = anchor.replace(body=self.bodies[self.index(anchor.body)].name)
            checks.check_coordinate(self, item)
            found = item.replace(**changes) if changes else item
            return map_scalars(found, lambda expression: with_numbers(self, expression))
        except MbwidgetsError as error:
            raise error.at(where) from None

    # Names and tree.

    def index(self, body: str | int) -> int:
        """The index of a body, or of the joint that carries it, by name or by index from 0."""
        if isinstance(body, int | np.integer) and not isinstance(body, bool):
            if -len(self.bodies) <= body < len(self.bodies):
                return int(body) % len(self.bodies)
            raise UnknownNameError(f"no body {body}", remedy=f"count from 0 to {len(self.bodies) - 1}")
        index = self._places.get(body) if isinstance(body, str) else None
        if index is None and isinstance(body, str):
            index = self._joint_places.get(body)
        if index is not None:
            return index
        raise UnknownNameError(
            f"no body {shorten(body)}", remedy=suggest_name(str(body), (b.name for b in self.bodies))
        )

    @cached_property
    def _places(self) -> dict[str, int]:
        return {body.name: index for index, body in enumerate(self.bodies)}

    @cached_property
    def _joint_places(self) -> dict[str, int]:
        """Joints that have a name of their own, which neither another joint has nor another body."""
        found: dict[str, int] = {}
        for index, body in enumerate(self.bodies):
            name = body.joint.name
            if name is None:
                continue
            if name in found:
                raise ModelError(f"{name!r} is the name of two joints", remedy="give every joint its own name")
            if self._places.get(name, index) != index:
                raise ModelError(f"{name!r} names a joint and another body", remedy="give one of them another name")
            found[name] = index
        return found

    def _is_ground(self, name: Any) -> bool:
        """Whether a name means the ground: "ground", where no body has it."""
        return bool(name == GROUND and GROUND not in self._places)

    @cached_property
    def reductions(self) -> dict[str, Any]:
        """What has been derived from the model and holds for all values of its parameters, by name; see `with_values`.

        Forces and constraints as primitives (`force_primitives`, `constraint_rows`), and how the kernels' numbers
        follow from the parameters.
        """
        return {}

    def body(self, name: str | int) -> Body:
        """A body by name, or by index from 0."""
        return self.bodies[self.index(name)]  # type: ignore[no-any-return]

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The parent's index for each body, −1 for the ground."""
        result = []
        for index, body in enumerate(self.bodies):
            if body.parent == BEFORE:
                result.append(index - 1)
            elif body.parent is None or self._is_ground(body.parent):
                result.append(-1)
            else:
                try:
                    result.append(self.index(body.parent))
                except UnknownNameError as error:
                    raise error.at(f"body {body.name!r}: parent") from None
        return tuple(result)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The bodies' indices, parents before children, otherwise in their order."""
        done: set[int] = {-1}
        waiting = list(range(len(self.bodies)))
        order: list[int] = []
        while waiting:
            ready = [index for index in waiting if self.parents[index] in done]
            if not ready:
                names = ", ".join(repr(self.bodies[index].name) for index in waiting)
                raise ModelError(f"the parents of {names} form a cycle", remedy="hang one of them on the ground")
            order += ready
            done.update(ready)
            waiting = [index for index in waiting if index not in done]
        return tuple(order)

    def path(self, body: str | int) -> tuple[int, ...]:
        """The bodies from the ground to this one, both ends included."""
        index, result = self.index(body), []
        while index >= 0:
            result.append(index)
            index = self.parents[index]
        return tuple(reversed(result))

    def subtree(self, body: str | int) -> tuple[int, ...]:
        """This body and all that it carries."""
        found = {self.index(body)}
        for index in self.order:
            if self.parents[index] in found:
                found.add(index)
        return tuple(index for index in range(len(self.bodies)) if index in found)

    # Coordinates.

    @cached_property
    def q_offsets(self) -> tuple[int, ...]:
        """Where each body's coordinates begin in q; one entry more than bodies."""
        return _offsets(body.joint.nq for body in self.bodies)

    @cached_property
    def u_offsets(self) -> tuple[int, ...]:
        """Where each body's velocities begin in u; one entry more than bodies."""
        return _offsets(body.joint.nv for body in self.bodies)

    @property
    def nq(self) -> int:
        """Number of coordinates q."""
        return self.q_offsets[-1]

    @property
    def nv(self) -> int:
        """Number of velocities u: the degrees of freedom of the tree."""
        return self.u_offsets[-1]

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """``base``, or ``base.x`` where a joint has several coordinates."""
        return tuple(_labels(self.bodies, Joint.coordinate_labels))

    @cached_property
    def velocity_names(self) -> tuple[str, ...]:
        """As `coordinate_names`, for u."""
        return tuple(_labels(self.bodies, Joint.velocity_labels))

    @property
    def q0(self) -> np.ndarray:
        """The initial coordinates as numbers."""
        rest = [value for body in self.bodies for value in body.joint.rest()]
        return self._initial(self.state.q, rest, "q")

    @property
    def u0(self) -> np.ndarray:
        """The initial velocities as numbers."""
        return self._initial(self.state.u, [0] * self.nv, "u")

    @property
    def duration(self) -> float | None:
        """Seconds that the motion from the initial state is worth watching, where the model says so."""
        return None if self.state.duration is None else self.number(self.state.duration)

    def _initial(self, given: Any, default: list[int], key: str) -> np.ndarray:
        values = default if given is None else given
        return np.array([self.number(value) for value in values], dtype=float)

    # Numbers.

    @property
    def values(self) -> dict[str, Any]:
        """Every parameter's value by name."""
        return {name: parameter.value for name, parameter in self.parameters.items()}

    def number(self, scalar: Any) -> float:
        """The number that a scalar of this model has at the parameters' values."""
        if isinstance(scalar, Expression):
            return evaluate(scalar, self.values)
        try:
            return float(scalar)
        except (TypeError, ValueError):
            raise ExpressionError(f"{shorten(scalar)} is not a number", remedy="give a number") from None

    def with_values(self, **values: Any) -> Model:
        """A new model in which some parameters have other values: ``arm.with_values(m2=7)``."""
        table = dict(self.parameters)
        for name, value in values.items():
            if name not in table:
                raise UnknownNameError(f"no parameter {name!r}", remedy=suggest_name(name, table))
            old = table[name]
            table[name] = Parameter(name, value, old.min, old.max, old.unit)
        changed = self.replace(parameters=tuple(table.values()))
        changed.__dict__["reductions"] = self.reductions
        return changed

    def with_parameter(self, name: str, **changes: Any) -> Model:
        """A new model in which a parameter has another value, range or unit: ``arm.with_parameter("m2", max=40)``.

        >>> mb.library.pendulum(1).with_parameter("l", max=30, value=25).values["l"]
        25
        """
        if name not in self.parameters:
            raise UnknownNameError(f"no parameter {shorten(name)}", remedy=suggest_name(str(name), self.parameters))
        old = self.parameters[name]
        kept = {key: getattr(old, key) for key in ("value", "min", "max", "unit")}
        for key in changes:
            if key not in kept:
                raise ModelError(f"a parameter has no {key!r}", where=name, remedy=suggest_name(key, kept))
        changed = Parameter(name, **{**kept, **changes})
        return self.replace(
            parameters=tuple(changed if item.name == name else item for item in self.parameters.values())
        )

    def replace(self, **changes: Any) -> Model:
        """A new model with some of its fields changed, a list as a whole: `with_constraint`, `with_force` add to it."""
        fields = ("bodies", "gravity", "parameters", "forces", "constraints", "state", "name")
        for key in changes:
            if key not in fields:
                raise ModelError(f"a model has no field {key!r}", remedy=suggest_name(key, fields))
        kept = {key: getattr(self, key) for key in fields}
        kept["parameters"] = tuple(self.parameters.values())
        return Model(**{**kept, **changes})

    def with_body(self, body: str | int, **changes: Any) -> Model:
        """A new model with one body changed: ``arm.with_body("upper", mass=7)``."""
        index = self.index(body)
        bodies = list(self.bodies)
        bodies[index] = bodies[index].replace(**changes)
        return self.replace(bodies=tuple(bodies))

    def with_joint(self, body: str | int, **changes: Any) -> Model:
        """A new model with the joint of one body changed: ``arm.with_joint("upper", axis=(0, 1, 1))``."""
        return self.with_body(body, joint=self.body(body).joint.replace(**changes))

    def with_constraint(self, *constraints: Any) -> Model:
        """A new model with constraints beside those that it has, a loop for instance, which stays closed.

        >>> driven = mb.library.four_bar().with_constraint(mb.Prescribed("crank", "2*t"))
        >>> [item.type for item in driven.constraints]
        ['point', 'prescribed']
        """
        return self.replace(constraints=(*self.constraints, *constraints))

    def with_force(self, *forces: Any) -> Model:
        """A new model with forces beside those that it has: ``arm.with_force(mb.JointDamper("upper", 0.2))``.

        >>> len(mb.library.pendulum(1).with_force(mb.JointDamper("rod 1", 0.2), mb.Effort("rod 1", "sin(t)")).forces)
        2
        """
        return self.replace(forces=(*self.forces, *forces))

    def elementary(self, balls: bool = False) -> tuple[Link, ...]:
        """The mechanism with one-axis joints and massless links only, parents first.

        A ball has no one-axis form: it is refused, or with ``balls`` one link of kind ``"ball"``.
        """
        return elementary_links(self, balls)

    # Dict form, equality, display.

    if not TYPE_CHECKING:  # types know the attributes that there are

        def __getattr__(self, name):
            """Only for names that there are not."""
            return answer_attribute(self, "model", name)

    def to_code(self) -> str:
        """Python lines that make an equal model; numbers in full, names as plain strings."""
        from .code import model_to_code

        return model_to_code(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, version 1."""
        from .dictform import model_to_dict

        return model_to_dict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Model:
        """The model that a JSON object of version 1 describes."""
        from .dictform import model_from_dict

        return model_from_dict(data)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        parameters = tuple(sorted(self.parameters.items()))
        return (self.name, self.bodies, self.gravity, parameters, self.forces, self.constraints, self.state)

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Model) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies are built anew from the fields, with all checks."""
        parameters = tuple(self.parameters.values())
        fields = (self.bodies, self.gravity, parameters, self.forces, self.constraints, self.state, self.name)
        return Model, fields

    def __repr__(self) -> str:
        return display.model_text(self)

    def _repr_html_(self) -> str:
        return display.model_html(self)


def _bare(expression: Expression) -> Any:
    """Symbols for parameters: their values live in the model's table alone."""
    if not any(isinstance(leaf, Parameter) for leaf in expression.leaves()):
        return expression

    def leaf(node: Symbol | Variable) -> Any:
        return Symbol(node.name) if isinstance(node, Parameter) else node

    return expression.replace(leaf)


def _insert(table: dict[str, Parameter], parameter: Parameter) -> None:
    known = table.setdefault(parameter.name, parameter)
    if known != parameter:
        raise ModelError(
            f"two different parameters are named {parameter.name!r}: {known!r} and {parameter!r}",
            remedy="use one Parameter object, or two names",
        )


def _offsets(counts: Iterable[int]) -> tuple[int, ...]:
    offsets = [0]
    for count in counts:
        offsets.append(offsets[-1] + count)
    return tuple(offsets)


def _as_gravity(value: Any) -> tuple[Any, ...]:
    try:
        return as_vector(value)
    except ExpressionError:
        as_vector(value, 3, number_kind("tqu").convert)  # what is no expression at all is told as such
        raise ModelError(
            f"{shorten(value)} changes with t, q or u",
            remedy="give gravity=(0, 0, 0) and forces=[mb.Gravity((x, y, z)), …], which may",
        ) from None


def _labels(bodies: tuple[Body, ...], labels: Any) -> Iterable[str]:
    for body in bodies:
        names = labels(body.joint)
        yield from ([body.name] if len(names) == 1 else [f"{body.name}.{label}" for label in names])
