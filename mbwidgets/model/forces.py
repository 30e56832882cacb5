"""Forces: springs, dampers, friction, actuators, external loads, elastic moments.

Every force acts on bodies that the model names; a value may hold parameters, and where the docstring says so
also time ``t``, coordinates and velocities, ``q[rod]``, ``u[rod]`` or by their numbers, ``q[0]``. A spring whose
numbers depend on them has no potential: what it does counts as work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import ModelError
from .bodies import ground
from .fields import (
    Kind,
    Number,
    Record,
    as_reference,
    choice_kind,
    constant_value,
    declare_field,
    index_kind,
    non_negative_kind,
    number_kind,
    optional_kind,
    read_typed_record,
    reference_kind,
    unit_vector_kind,
    vector_kind,
)

__all__ = [
    "FORCES",
    "Anchor",
    "Damper",
    "Effort",
    "ElasticAlignment",
    "Force",
    "Gravity",
    "JointDamper",
    "JointFriction",
    "JointSpring",
    "Load",
    "Spring",
    "Torque",
]


def _read_place(value: Any) -> Any:
    return None if value is None or value is ground else as_reference(value)


PLACE = Kind(_read_place, lambda value: value, {"anyOf": [dict(reference_kind().schema), {"type": "null"}]})


@dataclass(frozen=True)
class Anchor(Record):
    """A point of a body, or of the ground (``body=None``), in its axes from O*; some use ``axis``.

    ``at`` in m.

    >>> mb.Anchor("rod", at=(0, 0, -1))
    Anchor(body='rod', at=(0, 0, -1), axis=None)
    """

    body: Any = declare_field(PLACE, None)
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    axis: Any = declare_field(optional_kind(unit_vector_kind()), None)


def _read_anchor(value: Any) -> Anchor:
    if isinstance(value, Anchor):
        return value
    if value is None or value is ground or isinstance(value, str | int):
        return Anchor(value)
    if isinstance(value, tuple | list) and len(value) in (2, 3) and not all(isinstance(x, int | float) for x in value):
        return Anchor(*value)
    return Anchor.from_dict(value)


ANCHOR = Kind(_read_anchor, lambda value: value.to_dict(), {"$ref": "#/$defs/anchor"})


@dataclass(frozen=True)
class Load(Record):
    """Base of all forces. One with a field ``coordinate`` acts on a coordinate of its joint, or on a velocity."""

    on_velocity: ClassVar[bool] = False


@dataclass(frozen=True)
class Spring(Load):
    """Force k (d − length) along the line between two points, d their distance; V = ½ k (d − length)².

    ``stiffness`` in N/m, ``length`` in m; numbers or expressions of t, q, u.

    >>> rod = mb.Body("rod", mb.Revolute("y"), mass=1, com=(0, 0, -1))
    >>> model = mb.Model([rod], forces=[mb.Spring((None, (1, 0, 0)), ("rod", (0, 0, -1)), stiffness=100, length=1)])
    >>> round(mb.Dynamics(model).energy([0], [0]).potential, 6)  # −m g l + ½ k (√2 − 1)² J
    -1.231356
    """

    type: ClassVar[str] = "spring"
    start: Any = declare_field(ANCHOR, key="from")
    end: Any = declare_field(ANCHOR, key="to")
    stiffness: Number = declare_field(non_negative_kind("tqu"))
    length: Number = declare_field(non_negative_kind("tqu"), 0)


@dataclass(frozen=True)
class Damper(Load):
    """Force c ḋ against the change of distance between two points.

    ``damping`` in N s/m, a number or an expression of t, q, u.

    >>> mb.Damper(None, ("rod", (0, 0, -1)), damping=20).end.body
    'rod'
    """

    type: ClassVar[str] = "damper"
    start: Any = declare_field(ANCHOR, key="from")
    end: Any = declare_field(ANCHOR, key="to")
    damping: Number = declare_field(non_negative_kind("tqu"))


@dataclass(frozen=True)
class JointSpring(Load):
    """Effort −k (q − rest) on one coordinate of a joint; V = ½ k (q − rest)². Not for a ball's quaternion.

    ``stiffness`` in N m/rad or N/m, ``rest`` in rad or m; numbers or expressions of t, q, u.

    >>> mass = mb.Body("mass", mb.Prismatic("x"), mass=1)
    >>> model = mb.Model([mass], forces=[mb.JointSpring("mass", stiffness=4)], gravity=(0, 0, 0))
    >>> mb.Dynamics(model).forward([0.5], [0]).tolist()  # −4 · 0.5 m/s²
    [-2.0]
    """

    type: ClassVar[str] = "joint_spring"
    joint: Any = declare_field(reference_kind())
    stiffness: Number = declare_field(non_negative_kind("tqu"))
    rest: Number = declare_field(number_kind("tqu"), 0)
    coordinate: Any = declare_field(index_kind(), 0)


@dataclass(frozen=True)
class JointDamper(Load):
    """Effort −c u on every velocity of a joint: linear (viscous) damping.

    ``damping`` in N m s/rad or N s/m, a number or an expression of t, q, u.

    >>> disc = mb.Body("disc", mb.Revolute("z"), mass=1, inertia=(1, 1, 2))
    >>> mb.Dynamics(mb.Model([disc], forces=[mb.JointDamper("disc", 3)])).forward([0], [1]).tolist()  # −3/2 rad/s²
    [-1.5]
    """

    type: ClassVar[str] = "joint_damper"
    joint: Any = declare_field(reference_kind())
    damping: Number = declare_field(non_negative_kind("tqu"))


@dataclass(frozen=True)
class JointFriction(Load):
    """Effort −(viscous u + coulomb tanh(u / smoothing)) on every velocity of a joint.

    ``viscous`` as `JointDamper`; ``coulomb`` in N m or N, likewise; ``smoothing`` in rad/s or m/s, a number.

    >>> disc = mb.Body("disc", mb.Revolute("z"), mass=1, inertia=(1, 1, 2))
    >>> model = mb.Model([disc], forces=[mb.JointFriction("disc", coulomb=3)])
    >>> mb.Dynamics(model).forward([0], [1]).tolist()  # −3/2 rad/s² at any speed well above ``smoothing``
    [-1.5]
    """

    type: ClassVar[str] = "joint_friction"
    joint: Any = declare_field(reference_kind())
    viscous: Number = declare_field(non_negative_kind("tqu"), 0)
    coulomb: Number = declare_field(non_negative_kind("tqu"), 0)
    smoothing: Number = declare_field(number_kind(), 0.001)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = constant_value(self.smoothing)
        if known is not None and known <= 0:
            raise ModelError(f"smoothing {known} is not positive", where="smoothing", remedy="give a small speed > 0")


@dataclass(frozen=True)
class Effort(Load):
    """An actuator: force or moment along one free direction of a joint, a number or expression of t, q, u.

    ``value`` in N m or N.

    >>> rotor = mb.Body("rotor", mb.Revolute("z"), mass=1, inertia=(1, 1, 2))
    >>> model = mb.Model([rotor], forces=[mb.Effort("rotor", "5*cos(3*t) - u[0]")])
    >>> mb.Dynamics(model).forward([0], [1], t=0).tolist()  # (5 − 1)/2 rad/s²
    [2.0]
    """

    type: ClassVar[str] = "effort"
    on_velocity: ClassVar[bool] = True
    joint: Any = declare_field(reference_kind())
    value: Number = declare_field(number_kind("tqu"))
    coordinate: Any = declare_field(index_kind(), 0)


@dataclass(frozen=True)
class Force(Load):
    """An external force at a point of a body; ``value`` in world or body axes, expressions of t, q, u.

    ``value`` in N, ``at`` in m.

    >>> mb.Force("rod", ("10*sin(t)", 0, 0), at=(0, 0, -1))
    Force(body='rod', value=(10*sin(t), 0, 0), at=(0, 0, -1), axes='world')
    """

    type: ClassVar[str] = "force"
    body: Any = declare_field(reference_kind())
    value: Any = declare_field(vector_kind("tqu"))
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    axes: Any = declare_field(choice_kind("world", "body"), "world")


@dataclass(frozen=True)
class Torque(Load):
    """An external moment on a body; ``value`` as for `Force`.

    ``value`` in N m.

    >>> mb.Torque("rotor", (0, 0, 2), axes="body")
    Torque(body='rotor', value=(0, 0, 2), axes='body')
    """

    type: ClassVar[str] = "torque"
    body: Any = declare_field(reference_kind())
    value: Any = declare_field(vector_kind("tqu"))
    axes: Any = declare_field(choice_kind("world", "body"), "world")


@dataclass(frozen=True)
class Gravity(Load):
    """A field of gravity that changes: the force m g at the mass centre of every body, beside the model's own gravity.

    ``value`` is g in m/s², world axes, expressions of t, q, u. It has no potential: its work is the motion's ``work``.

    >>> ball = mb.Body("ball", mb.Prismatic("z"), mass=2)
    >>> lift = mb.Model([ball], gravity=(0, 0, 0), forces=[mb.Gravity((0, 0, "-9.81 + 2*sin(t)"))])
    >>> mb.Dynamics(lift).forward([0], [0], t=0).tolist()
    [-9.81]
    """

    type: ClassVar[str] = "gravity"
    value: Any = declare_field(vector_kind("tqu"))


@dataclass(frozen=True)
class ElasticAlignment(Load):
    """Moment −κ² (e_parent × e_child) on the body, its opposite on the parent; V = κ² (1 − e_parent·e_child).

    ``stiffness`` is κ² (Chebanov-Khlistunova (1.4)); the axes are fixed in the parent and in the body.

    κ² in N m.

    >>> mb.ElasticAlignment("second", axis_parent="z", axis_child="z", stiffness=0.5)
    ElasticAlignment(joint='second', axis_parent=(0, 0, 1), axis_child=(0, 0, 1), stiffness=0.5)
    """

    type: ClassVar[str] = "elastic_alignment"
    joint: Any = declare_field(reference_kind())
    axis_parent: Any = declare_field(unit_vector_kind())
    axis_child: Any = declare_field(unit_vector_kind())
    stiffness: Number = declare_field(non_negative_kind())


FORCES: dict[str, type[Load]] = {
    kind.type: kind
    for kind in (
        Spring,
        Damper,
        JointSpring,
        JointDamper,
        JointFriction,
        Effort,
        Force,
        Torque,
        Gravity,
        ElasticAlignment,
    )
}


def read_force(value: Any) -> Load:
    """A force, given as such or in its dict form."""
    return value if isinstance(value, Load) else read_typed_record(FORCES, value, "force")
