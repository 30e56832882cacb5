"""Bodies: a name, a parent, a joint, and how mass is spread."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Self

from ..errors import MbwidgetsError, ModelError, shorten
from .fields import (
    Kind,
    Number,
    Record,
    declare_field,
    name_kind,
    non_negative_kind,
    optional_kind,
    read_typed_record,
    tensor_kind,
    vector_kind,
)
from .joints import JOINTS, Joint, Revolute
from .solids import Solid, read_solid

__all__ = ["Body", "ground"]


class _Ground:
    """The fixed base, body 0 of the papers.

    >>> mb.Model([mb.Body("a", mass=1), mb.Body("b", mass=1, parent=mb.ground)]).parents
    (-1, -1)
    """

    def __repr__(self) -> str:
        return "mb.ground"

    def __reduce__(self) -> str:
        return "ground"


ground: Final = _Ground()
BEFORE: Final = "·before·"
"""Parent of a body that names none: the body before it, the ground for the first."""


def _read_parent(value: Any) -> Any:
    if value is None or value is ground:
        return None
    return BEFORE if value == BEFORE else name_kind().convert(value)


def _read_joint(value: Any) -> Joint:
    if isinstance(value, Joint):
        return value
    if isinstance(value, type) and issubclass(value, Joint):
        return value()
    if isinstance(value, str):
        raise ModelError(f"{shorten(value)} is not a joint", remedy="give mb.Revolute(…), mb.Prismatic(…) …")
    return read_typed_record(JOINTS, value, "joint")  # type: ignore[no-any-return]


PARENT = Kind(_read_parent, lambda value: value, {"anyOf": [{"$ref": "#/$defs/name"}, {"type": "null"}]})
JOINT = Kind(_read_joint, lambda value: value.to_dict(), {"$ref": "#/$defs/joint"})
SHAPE = Kind(read_solid, lambda value: value.to_dict(), {"$ref": "#/$defs/solid"})
INERTIA = Kind(
    lambda value: value if isinstance(value, Solid) else tensor_kind().convert(value),
    tensor_kind().dump,
    tensor_kind().schema,
)


@dataclass(frozen=True)
class Body(Record):
    """A rigid body and the joint that carries it.

    Parameters
    ----------
    name : unique in the model; it names the joint too
    joint : `Revolute`, `Prismatic`, `Spherical`, `Free`, `Fixed`, `Cylindrical`, `Universal`, `Planar`
    mass : kg, zero for a massless link
    com : ρ_iC, from O_i* to the mass centre, body axes, m
    inertia : 3 principal moments, 6 components (Jx, Jy, Jz, Jxy, Jxz, Jyz with Jxy = −∫xy dm) or a 3×3 tensor
        at the mass centre, kg m²; or a solid, which then gives mass centre, inertia and shape
    parent : name of the body it hangs on; by default the body before, the ground for the first
    shape : how the body looks; without ``inertia`` it gives the mass properties too

    >>> rod = mb.Body("rod", mb.Revolute("y"), mass=3, com=(0, 0, -0.5), inertia=(0.25, 0.25, 0))
    >>> rod.mass, rod.com
    (3, (0, 0, -0.5))
    """

    name: Any = declare_field(name_kind())
    joint: Any = declare_field(JOINT, Revolute(), shown=True)
    mass: Number | None = declare_field(optional_kind(non_negative_kind()), None)
    com: Any = declare_field(optional_kind(vector_kind()), None)
    inertia: Any = declare_field(optional_kind(INERTIA), None)
    parent: Any = declare_field(PARENT, BEFORE)
    shape: Any = declare_field(optional_kind(SHAPE), None)
    derived: frozenset[str] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        for key in self.derived:  # computed anew from the solid
            object.__setattr__(self, key, None)
        try:
            super().__post_init__()
            self._derive()
        except MbwidgetsError as error:
            raise error.at(f"body {shorten(self.name)}") from None

    def _derive(self) -> None:
        """Fill in what the solid gives; ``derived`` remembers which fields those are."""
        mass, com, inertia = self.mass, self.com, self.inertia
        if isinstance(inertia, Solid):
            object.__setattr__(self, "shape", inertia)
            inertia = None
        missing = {key for key, value in (("mass", mass), ("com", com), ("inertia", inertia)) if value is None}
        if self.shape is not None and "inertia" in missing:
            result = self.shape.properties(mass)
            values: dict[str, Any] = {"mass": result.mass, "com": result.com, "inertia": result.inertia}
        else:
            values = {"mass": 0, "com": (0, 0, 0), "inertia": ((0, 0, 0),) * 3}
        for key, value in (("mass", mass), ("com", com), ("inertia", inertia)):
            object.__setattr__(self, key, values[key] if value is None else value)
        object.__setattr__(self, "derived", frozenset(missing))

    def replace(self, **changes: Any) -> Self:
        """A new body with some fields changed; what a solid gives follows.

        Where the inertia is given in numbers the solid gives nothing any more: mass and mass centre stay as they are.
        """
        given = changes.get("inertia")
        kept = {"derived": self.derived - changes.keys() if given is None or isinstance(given, Solid) else frozenset()}
        return super().replace(**{**kept, **changes})

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: what a solid or a default gives is left out."""
        return {key: value for key, value in super().to_dict().items() if key not in self.derived}
