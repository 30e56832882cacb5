"""Constraints: what closes a loop, guides a point or prescribes a motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import ModelError, shorten
from ..expressions import NAME, Expression, Symbol, first_kink
from .fields import (
    Kind,
    Number,
    Record,
    constant_value,
    declare_field,
    index_kind,
    number_kind,
    read_typed_record,
    reference_kind,
    unit_vector_kind,
    vector_kind,
)
from .forces import ANCHOR

__all__ = [
    "CONSTRAINTS",
    "Constraint",
    "DistanceConstraint",
    "EquationConstraint",
    "OnCircle",
    "OnCurve",
    "OnLine",
    "OnPlane",
    "OnSphere",
    "OrientationConstraint",
    "ParallelConstraint",
    "PointConstraint",
    "Prescribed",
    "WeldConstraint",
]


@dataclass(frozen=True)
class Constraint(Record):
    """Base of all constraints. One with a field ``coordinate`` holds a coordinate of its joint."""

    on_velocity: ClassVar[bool] = False


@dataclass(frozen=True)
class PointConstraint(Constraint):
    """The two points coincide: a spherical joint that closes a loop.

    >>> rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(1, 0, 0))
    >>> held = mb.Model([rod], constraints=[mb.PointConstraint(("rod", (2, 0, 0)), (None, (2, 0, 0)))])
    >>> mb.simulate(held, duration=1).constraint_forces[0].force[0].round(6).tolist()  # N: half of the weight
    [0.0, 0.0, 4.905]
    """

    type: ClassVar[str] = "point"
    a: Any = declare_field(ANCHOR)
    b: Any = declare_field(ANCHOR)


@dataclass(frozen=True)
class WeldConstraint(Constraint):
    """The two points coincide and the two bodies keep their zero-pose orientation to each other.

    >>> mb.WeldConstraint(("rod", (1, 0, 0)), "load").a.at
    (1, 0, 0)
    """

    type: ClassVar[str] = "weld"
    a: Any = declare_field(ANCHOR)
    b: Any = declare_field(ANCHOR)


@dataclass(frozen=True)
class OrientationConstraint(Constraint):
    """The two bodies keep their zero-pose orientation to each other; their points are free.

    >>> mb.OrientationConstraint("platform", None).b.body is None  # the platform never turns
    True
    """

    type: ClassVar[str] = "orientation"
    a: Any = declare_field(ANCHOR)
    b: Any = declare_field(ANCHOR)


@dataclass(frozen=True)
class ParallelConstraint(Constraint):
    """The anchors' axes stay parallel.

    >>> mb.ParallelConstraint(("wheel", (0, 0, 0), "z"), (None, (0, 0, 0), "z")).a.axis
    (0, 0, 1)
    """

    type: ClassVar[str] = "parallel"
    a: Any = declare_field(ANCHOR)
    b: Any = declare_field(ANCHOR)

    def __post_init__(self) -> None:
        super().__post_init__()
        for side in ("a", "b"):
            if getattr(self, side).axis is None:
                raise ModelError("no axis", where=side, remedy='give the anchor an "axis"')


@dataclass(frozen=True)
class DistanceConstraint(Constraint):
    """The two points keep their distance.

    ``length`` in m.

    >>> bob = mb.Body("bob", mb.Free(), mass=1, inertia=(1, 1, 1))
    >>> rope = mb.DistanceConstraint(None, "bob", 2)
    >>> model = mb.Model([bob], constraints=[rope], state={"q": [0, 0, -2, 0, 0, 0, 1]})
    >>> mb.simulate(model, duration=1).multipliers[0].round(6).tolist()  # N: the rope holds the weight
    [-9.81]
    """

    type: ClassVar[str] = "distance"
    a: Any = declare_field(ANCHOR)
    b: Any = declare_field(ANCHOR)
    length: Number = declare_field(number_kind())

    def __post_init__(self) -> None:
        super().__post_init__()
        _positive(self.length, "length")


@dataclass(frozen=True)
class OnPlane(Constraint):
    """A point of a body stays in the plane through ``point`` across ``normal``, both fixed in the ground.

    ``at``, ``point`` in m.

    >>> mb.OnPlane("foot", at=(0, 0, -1), normal="z")
    OnPlane(body='foot', at=(0, 0, -1), point=(0, 0, 0), normal=(0, 0, 1))
    """

    type: ClassVar[str] = "on_plane"
    body: Any = declare_field(reference_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    point: Any = declare_field(vector_kind(), (0, 0, 0))
    normal: Any = declare_field(unit_vector_kind(), "z")


@dataclass(frozen=True)
class OnLine(Constraint):
    """A point of a body stays on the line through ``point`` along ``direction``.

    ``at``, ``point`` in m.

    >>> mb.OnLine("piston", direction="x")
    OnLine(body='piston', at=(0, 0, 0), point=(0, 0, 0), direction=(1, 0, 0))
    """

    type: ClassVar[str] = "on_line"
    body: Any = declare_field(reference_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    point: Any = declare_field(vector_kind(), (0, 0, 0))
    direction: Any = declare_field(unit_vector_kind(), "x")


@dataclass(frozen=True)
class OnSphere(Constraint):
    """A point of a body stays at ``radius`` from ``centre``.

    ``radius`` in m.

    >>> mb.OnSphere("satellite", radius=7e6)
    OnSphere(body='satellite', radius=7000000.0, at=(0, 0, 0), centre=(0, 0, 0))
    """

    type: ClassVar[str] = "on_sphere"
    body: Any = declare_field(reference_kind())
    radius: Number = declare_field(number_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    centre: Any = declare_field(vector_kind(), (0, 0, 0))

    def __post_init__(self) -> None:
        super().__post_init__()
        _positive(self.radius, "radius")


@dataclass(frozen=True)
class OnCircle(Constraint):
    """A point of a body stays on the circle about ``centre`` in the plane across ``normal``.

    ``radius`` in m.

    >>> mb.OnCircle("body", at=(-0.5, 0, 0), radius=1, normal="z")
    OnCircle(body='body', radius=1, at=(-0.5, 0, 0), centre=(0, 0, 0), normal=(0, 0, 1))
    """

    type: ClassVar[str] = "on_circle"
    body: Any = declare_field(reference_kind())
    radius: Number = declare_field(number_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    centre: Any = declare_field(vector_kind(), (0, 0, 0))
    normal: Any = declare_field(unit_vector_kind(), "z")

    def __post_init__(self) -> None:
        super().__post_init__()
        _positive(self.radius, "radius")


def _read_symbol(value: Any) -> str:
    if not isinstance(value, str) or NAME.match(value) is None:
        raise ModelError(f"{value!r} cannot name a curve's parameter", remedy="give a letter such as 's'")
    return value


SYMBOL = Kind(_read_symbol, str, {"$ref": "#/$defs/name"})


@dataclass(frozen=True)
class OnCurve(Constraint):
    """A point of a body stays on the curve x(s), y(s), z(s); ``parameter`` names s.

    Lengths in m.

    >>> mb.OnCurve("bead", ["s", 0, "s**2"])  # a parabola
    OnCurve(body='bead', curve=(s, 0, s**2), at=(0, 0, 0), parameter='s')
    """

    type: ClassVar[str] = "on_curve"
    body: Any = declare_field(reference_kind())
    curve: Any = declare_field(vector_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    parameter: Any = declare_field(SYMBOL, "s")

    def __post_init__(self) -> None:
        super().__post_init__()
        for item in self.curve:
            _smooth(item, "curve", self.parameter)
        held = [leaf for item in self.curve if isinstance(item, Expression) for leaf in item.leaves()]
        if Symbol(self.parameter) not in held:
            raise ModelError(
                f"the curve does not depend on {self.parameter!r}",
                where="curve",
                remedy="write x, y, z as functions of it",
            )


@dataclass(frozen=True)
class EquationConstraint(Constraint):
    """f(t, q) = 0, written as an expression of t (s), q[i] (rad or m) and parameters.

    >>> mb.EquationConstraint("q[0] - 2*q[1]")  # a gear: the second joint turns half as far
    EquationConstraint(expression=q[0] - 2*q[1])
    """

    type: ClassVar[str] = "equation"
    expression: Number = declare_field(number_kind("tq"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if constant_value(self.expression) is not None:
            raise ModelError(
                f"{self.expression} holds no coordinate",
                where="expression",
                remedy="write an expression of q[0], q[1] …",
            )
        _smooth(self.expression, "expression")


@dataclass(frozen=True)
class Prescribed(Constraint):
    """One coordinate of a joint follows an expression of t.

    rad or m.

    >>> crank = mb.Model([mb.Body("crank", mb.Revolute("z"), mass=1)], constraints=[mb.Prescribed("crank", "3*t")])
    >>> mb.simulate(crank, duration=1).q[-1].round(9).tolist()  # rad
    [3.0]
    """

    type: ClassVar[str] = "prescribed"
    joint: Any = declare_field(reference_kind())
    value: Number = declare_field(number_kind("t"))
    coordinate: Any = declare_field(index_kind(), 0)

    def __post_init__(self) -> None:
        super().__post_init__()
        _smooth(self.value, "value")


CONSTRAINTS: dict[str, type[Constraint]] = {
    kind.type: kind
    for kind in (
        PointConstraint,
        WeldConstraint,
        OrientationConstraint,
        ParallelConstraint,
        DistanceConstraint,
        OnCurve,
        OnPlane,
        OnLine,
        OnSphere,
        OnCircle,
        EquationConstraint,
        Prescribed,
    )
}


def read_constraint(value: Any) -> Constraint:
    """A constraint, given as such or in its dict form."""
    return value if isinstance(value, Constraint) else read_typed_record(CONSTRAINTS, value, "constraint")


def _positive(value: Any, where: str) -> None:
    known = constant_value(value)
    if known is not None and known <= 0:
        raise ModelError(f"{known} is not positive", where=where, remedy="give a number > 0")


def _smooth(value: Any, where: str, *symbols: str) -> None:
    """Refuse kinks and jumps: a constraint's acceleration is infinite there."""
    kink = first_kink(value, *symbols)
    if kink is not None:
        raise ModelError(
            f"{shorten(str(kink))} has a kink or a jump, which no motion can follow",
            where=where,
            remedy="write a smooth function, such as sqrt(x**2 + 0.01**2) for abs(x), tanh(x/0.01) for sign(x)",
        )
