"""Joints: how a body moves against its parent.

A joint is a list of columns, translations first: a translation or a rotation along one axis, or a ball (three
rotations held as a quaternion). Every axis has the same components in the frames before and after it, because
all body frames are parallel to the inertial frame at q = 0.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, NamedTuple

from ..errors import ModelError
from .fields import (
    Record,
    as_axis,
    constant_value,
    declare_field,
    interval_kind,
    name_kind,
    non_negative_kind,
    optional_kind,
    unit_vector_kind,
    vector_kind,
)

__all__ = [
    "JOINTS",
    "Column",
    "Cylindrical",
    "Fixed",
    "Free",
    "Joint",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Universal",
]

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
PARALLEL = 1 - 1e-9
"""Cosine from which on two axes count as one: 4e-5 rad apart."""


class Column(NamedTuple):
    """One free direction: ``"translation"``, ``"rotation"``, or ``"ball"`` for three rotations at once."""

    kind: str
    axis: tuple[Any, Any, Any]
    label: str


@dataclass(frozen=True)
class Joint(Record):
    """Base of all joints; ``at`` is r_in, the joint's place O_i in the parent, in parent axes.

    ``name``: one by which the model knows it beside that of its body, as a robot's file has it. ``max_effort`` (N m, N)
    and ``max_speed`` (rad/s, m/s) say what its drive can do; a simulation does not read them.
    """

    _: KW_ONLY
    name: Any = declare_field(optional_kind(name_kind()), None)
    max_effort: Any = declare_field(optional_kind(non_negative_kind()), None)
    max_speed: Any = declare_field(optional_kind(non_negative_kind()), None)

    def columns(self) -> tuple[Column, ...]:
        """The free directions, in the order of q and u."""
        raise NotImplementedError

    @property
    def nq(self) -> int:
        """Number of coordinates; a ball counts four."""
        return sum(4 if column.kind == "ball" else 1 for column in self.columns())

    @property
    def nv(self) -> int:
        """Number of velocities, the degrees of freedom; a ball counts three."""
        return sum(3 if column.kind == "ball" else 1 for column in self.columns())

    @property
    def own_axis(self) -> tuple[Any, Any, Any] | None:
        """*The* axis of the joint wherever one is asked for: of several the last, which is fixed in the body.

        So a universal joint has its second one. None for balls and fixed joints.
        """
        columns = self.columns()
        return columns[-1].axis if columns and columns[-1].kind != "ball" else None

    def coordinate_labels(self) -> tuple[str, ...]:
        """A short name for each coordinate."""
        labels: list[str] = []
        for column in self.columns():
            labels += ["qx", "qy", "qz", "qw"] if column.kind == "ball" else [column.label]
        return tuple(labels)

    def velocity_labels(self) -> tuple[str, ...]:
        """A short name for each velocity."""
        labels: list[str] = []
        for column in self.columns():
            labels += ["ωx", "ωy", "ωz"] if column.kind == "ball" else [f"{column.label}˙"]
        return tuple(labels)

    def rest(self) -> tuple[int, ...]:
        """The coordinates of the zero pose."""
        values: list[int] = []
        for column in self.columns():
            values += [0, 0, 0, 1] if column.kind == "ball" else [0]
        return tuple(values)


@dataclass(frozen=True)
class Revolute(Joint):
    """Rotation by q about an axis through ``at``; ``limits`` are bounds for sliders, no stops.

    q in rad, ``at`` in m.

    >>> mb.Revolute((0, 1, 0), at=(0.15, 0, 0.5)).coordinate_labels()
    ('φ',)
    """

    type: ClassVar[str] = "revolute"
    axis: Any = declare_field(unit_vector_kind(), "z", shown=True)
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)
    limits: Any = declare_field(optional_kind(interval_kind()), None)

    def columns(self) -> tuple[Column, ...]:
        return (Column("rotation", self.axis, "φ"),)


@dataclass(frozen=True)
class Prismatic(Joint):
    """Translation by q along an axis; ``limits`` are bounds for sliders, no stops.

    q in m.

    >>> mb.Prismatic("x", limits=(0, 2)).nv
    1
    """

    type: ClassVar[str] = "prismatic"
    axis: Any = declare_field(unit_vector_kind(), "z", shown=True)
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)
    limits: Any = declare_field(optional_kind(interval_kind()), None)

    def columns(self) -> tuple[Column, ...]:
        return (Column("translation", self.axis, "s"),)


@dataclass(frozen=True)
class Cylindrical(Joint):
    """Translation s along, and rotation φ about, one axis.

    s in m, φ in rad.

    >>> mb.Cylindrical("z").coordinate_labels()
    ('s', 'φ')
    """

    type: ClassVar[str] = "cylindrical"
    axis: Any = declare_field(unit_vector_kind(), "z", shown=True)
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def columns(self) -> tuple[Column, ...]:
        return (Column("translation", self.axis, "s"), Column("rotation", self.axis, "φ"))


@dataclass(frozen=True)
class Universal(Joint):
    """Rotation about ``axis``, fixed in the parent, then about ``second``, fixed in the body.

    rad.

    >>> mb.Universal("x", "y").nv
    2
    """

    type: ClassVar[str] = "universal"
    axis: Any = declare_field(unit_vector_kind(), "x", shown=True)
    second: Any = declare_field(unit_vector_kind(), "y", shown=True)
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        first = [constant_value(item) for item in self.axis]
        other = [constant_value(item) for item in self.second]
        if None not in first and None not in other:
            cosine = sum(a * b for a, b in zip(first, other, strict=True) if a is not None and b is not None)
            if abs(cosine) > PARALLEL:
                raise ModelError("the two axes are parallel", where="second", remedy="give an axis across the first")

    def columns(self) -> tuple[Column, ...]:
        return (Column("rotation", self.axis, "φ"), Column("rotation", self.second, "θ"))


@dataclass(frozen=True)
class Planar(Joint):
    """Translations x, y in the plane across ``axis``, then rotation φ about it.

    For the normal z the directions are x and y; for another normal both are turned by the smallest rotation
    that takes z to it.

    x, y in m, φ in rad.

    >>> mb.Planar("z").coordinate_labels()
    ('x', 'y', 'φ')
    """

    type: ClassVar[str] = "planar"
    axis: Any = declare_field(unit_vector_kind(), "z", shown=True)
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(constant_value(item) is None for item in self.axis):
            raise ModelError("the normal holds a parameter", where="axis", remedy="give numbers")

    def columns(self) -> tuple[Column, ...]:
        first, second = perpendicular_axes(self.axis)
        return (
            Column("translation", first, "x"),
            Column("translation", second, "y"),
            Column("rotation", self.axis, "φ"),
        )


@dataclass(frozen=True)
class Spherical(Joint):
    """All rotations about ``at``: q is the quaternion x, y, z, w of the body in its parent, u the relative
    angular velocity in body axes.

    u in rad/s.

    >>> joint = mb.Spherical()
    >>> joint.nq, joint.nv
    (4, 3)
    """

    type: ClassVar[str] = "spherical"
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def columns(self) -> tuple[Column, ...]:
        return (Column("ball", Z, "q"),)


@dataclass(frozen=True)
class Free(Joint):
    """No joint at all: q is the position of O* in the parent, then the quaternion; u the velocity of O* in
    parent axes, then the angular velocity in body axes.

    Position in m, velocity in m/s, angular velocity in rad/s.

    >>> joint = mb.Free()
    >>> joint.nq, joint.nv
    (7, 6)
    """

    type: ClassVar[str] = "free"
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def columns(self) -> tuple[Column, ...]:
        translations = (
            Column("translation", X, "x"),
            Column("translation", Y, "y"),
            Column("translation", Z, "z"),
        )
        return (*translations, Column("ball", Z, "q"))


@dataclass(frozen=True)
class Fixed(Joint):
    """A weld: no motion, and all six reactions.

    >>> mb.Fixed(at=(0, 0, 1)).nv
    0
    """

    type: ClassVar[str] = "fixed"
    at: Any = declare_field(vector_kind(), (0, 0, 0), shown=True)

    def columns(self) -> tuple[Column, ...]:
        return ()


JOINTS: dict[str, type[Joint]] = {
    kind.type: kind for kind in (Revolute, Prismatic, Spherical, Free, Fixed, Cylindrical, Universal, Planar)
}


def perpendicular_axes(normal: Any) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
    """Two unit vectors that make a right-handed frame with the normal: x and y, turned as z is to it."""
    normal = as_axis(normal)
    if normal == Z:
        return X, Y
    n = [constant_value(item) or 0.0 for item in normal]
    aside = n[0] * n[0] + n[1] * n[1]
    if n[2] < 0 and aside == 0:
        return X, (0, -1, 0)
    # Rodrigues' formula for the rotation z → n: R = I + [v] + [v]²/(1 + n·z), v = z × n; near −z its quotient loses no
    # digits as (1 − n·z)/|v|²
    a, b, scale = -n[1], n[0], (1.0 - n[2]) / aside if n[2] < 0 else 1.0 / (1.0 + n[2])
    first = (1.0 - b * b * scale, a * b * scale, -b)
    second = (a * b * scale, 1.0 - a * a * scale, a)
    return _unit(first), _unit(second)


def _unit(value: tuple[float, float, float]) -> tuple[float, float, float]:
    length = math.hypot(*value)
    return (value[0] / length, value[1] / length, value[2] / length)
