"""Solids: shapes that give a body its mass, mass centre and inertia, exactly.

Numbers that are exact stay exact: a cylinder of radius 1/10 or 0.1 has an inertia of fractions, one of radius ``r``
has expressions of ``r``; a float that was computed, with its 16 or 17 digits, gives floats. Every tensor is at the mass
centre, in body axes, with minus the products of inertia off the diagonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final

from ..errors import ModelError, shorten
from ..expressions import PI, Expression
from .fields import (
    Kind,
    constant_value,
    declare_field,
    non_negative_kind,
    number_kind,
    numbers_kind,
    optional_kind,
    quaternion_kind,
    read_typed_record,
    unit_vector_kind,
    vector_kind,
)
from .solid import Solid, check_sizes, fractions_to_floats
from .tensors import (
    IDENTITY,
    MassProperties,
    Tensor,
    Vector,
    add_tensors,
    add_vectors,
    axisymmetric_tensor,
    diagonal_tensor,
    exact_quotient,
    float_if_too_long,
    parallel_axis_shift,
    rotate_tensor,
    scale_tensor,
)

__all__ = [
    "SOLIDS",
    "Box",
    "Composite",
    "Cone",
    "Cylinder",
    "Disk",
    "Ellipsoid",
    "MassProperties",
    "Point",
    "Rod",
    "Solid",
    "Sphere",
    "Tube",
]

MAX_PARTS: Final = 200
MAX_NESTING: Final = 3
HALF, THIRD, QUARTER, TWELFTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4), Fraction(1, 12)


@dataclass(frozen=True)
class Box(Solid):
    """Edges ``size`` = (a, b, c) along the body's axes, or along axes turned by ``rotation`` (x, y, z, w).

    ``size`` in m, ``mass`` in kg, ``density`` in kg/m³.

    >>> body = mb.Body("door", mb.Revolute("z"), inertia=mb.Box((0.8, 0.04, 2), mass=24))
    >>> [float(body.inertia[i][i]) for i in range(3)]  # kg m²
    [8.0032, 9.28, 1.2832]
    """

    type: ClassVar[str] = "box"
    size: Any = declare_field(numbers_kind(3))
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    rotation: Any = declare_field(quaternion_kind(), (0, 0, 0, 1))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, *self.size)

    def measure(self) -> Any:
        a, b, c = self.exact.size
        return a * b * c

    def gyration(self) -> Tensor:
        own = self.exact
        a, b, c = (edge * edge * TWELFTH for edge in own.size)
        return rotate_tensor(diagonal_tensor(b + c, a + c, a + b), own.rotation)


@dataclass(frozen=True)
class Ellipsoid(Solid):
    """Semi-axes ``radii`` = (a, b, c) along the body's axes, or along axes turned by ``rotation``.

    ``radii`` in m.

    >>> mb.Ellipsoid((0.3, 0.2, 0.1), mass=5).properties().mass
    5.0
    """

    type: ClassVar[str] = "ellipsoid"
    radii: Any = declare_field(numbers_kind(3))
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    rotation: Any = declare_field(quaternion_kind(), (0, 0, 0, 1))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, *self.radii)

    def measure(self) -> Any:
        a, b, c = self.exact.radii
        return Fraction(4, 3) * PI * a * b * c

    def gyration(self) -> Tensor:
        own = self.exact
        a, b, c = (radius * radius * Fraction(1, 5) for radius in own.radii)
        return rotate_tensor(diagonal_tensor(b + c, a + c, a + b), own.rotation)


@dataclass(frozen=True)
class Sphere(Solid):
    """A ball of the given radius.

    ``radius`` in m.

    >>> mb.Sphere(0.1, mass=5).properties().inertia[0][0]  # 2/5 m r², exactly
    0.02
    """

    type: ClassVar[str] = "sphere"
    radius: Any = declare_field(number_kind())
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.radius)

    def measure(self) -> Any:
        return Fraction(4, 3) * PI * self.exact.radius**3

    def gyration(self) -> Tensor:
        return scale_tensor(IDENTITY, Fraction(2, 5) * self.exact.radius**2)


@dataclass(frozen=True)
class Cylinder(Solid):
    """A cylinder of the given radius and length about ``axis``; ``at`` is its middle.

    ``radius`` and ``length`` in m.

    >>> mb.Cylinder(0.1, 0.4, mass=3).properties().inertia[2][2]  # ½ m r²
    0.015
    """

    type: ClassVar[str] = "cylinder"
    radius: Any = declare_field(number_kind())
    length: Any = declare_field(number_kind())
    axis: Any = declare_field(unit_vector_kind(), "z")
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.radius, self.length)

    def measure(self) -> Any:
        own = self.exact
        return PI * own.radius**2 * own.length

    def gyration(self) -> Tensor:
        own = self.exact
        r2, l2 = own.radius**2, own.length**2
        return axisymmetric_tensor(own.axis, HALF * r2, QUARTER * r2 + TWELFTH * l2)


@dataclass(frozen=True)
class Tube(Solid):
    """A hollow cylinder with radii ``outer`` and ``inner``.

    Radii and ``length`` in m.

    >>> mb.Tube(outer=0.2, inner=0.1, length=1, mass=3).properties().inertia[2][2]  # ½ m (R² + r²)
    0.075
    """

    type: ClassVar[str] = "tube"
    outer: Any = declare_field(number_kind())
    inner: Any = declare_field(number_kind())
    length: Any = declare_field(number_kind())
    axis: Any = declare_field(unit_vector_kind(), "z")
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.outer, self.length)
        outer, inner = constant_value(self.outer), constant_value(self.inner)
        if outer is not None and inner is not None and not 0 <= inner < outer:
            raise ModelError(
                f"inner radius {inner} does not fit in {outer}",
                where="inner",
                remedy="give 0 ≤ inner < outer",
            )

    def measure(self) -> Any:
        own = self.exact
        return PI * (own.outer**2 - own.inner**2) * own.length

    def gyration(self) -> Tensor:
        own = self.exact
        r2, l2 = own.outer**2 + own.inner**2, own.length**2
        return axisymmetric_tensor(own.axis, HALF * r2, QUARTER * r2 + TWELFTH * l2)


@dataclass(frozen=True)
class Cone(Solid):
    """A cone on a base of the given radius; ``at`` is the middle of the base, ``axis`` points to the tip.

    ``radius`` and ``height`` in m.

    >>> mb.Cone(0.3, 1, mass=10).properties().com  # a quarter of the height above the base
    (0, 0, 0.25)
    """

    type: ClassVar[str] = "cone"
    radius: Any = declare_field(number_kind())
    height: Any = declare_field(number_kind())
    axis: Any = declare_field(unit_vector_kind(), "z")
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.radius, self.height)

    def measure(self) -> Any:
        own = self.exact
        return THIRD * PI * own.radius**2 * own.height

    def centre(self) -> Vector:
        own = self.exact
        return add_vectors(own.at, tuple(QUARTER * own.height * item for item in own.axis))

    def gyration(self) -> Tensor:
        own = self.exact
        r2, h2 = own.radius**2, own.height**2
        return axisymmetric_tensor(own.axis, Fraction(3, 10) * r2, Fraction(3, 20) * r2 + Fraction(3, 80) * h2)


@dataclass(frozen=True)
class Rod(Solid):
    """A thin rod along ``axis``; ``at`` is its middle.

    ``length`` in m.

    >>> float(mb.Rod(2, axis="x", mass=3).properties().inertia[1][1])  # m l²/12
    1.0
    """

    type: ClassVar[str] = "rod"
    length: Any = declare_field(number_kind())
    axis: Any = declare_field(unit_vector_kind(), "z")
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.length)

    def measure(self) -> Any:
        return self.exact.length

    def gyration(self) -> Tensor:
        own = self.exact
        return axisymmetric_tensor(own.axis, 0, TWELFTH * own.length**2)


@dataclass(frozen=True)
class Disk(Solid):
    """A thin disk across ``axis``.

    ``radius`` in m.

    >>> mb.Disk(0.5, mass=4).properties().inertia[2][2]  # ½ m r²
    0.5
    """

    type: ClassVar[str] = "disk"
    radius: Any = declare_field(number_kind())
    axis: Any = declare_field(unit_vector_kind(), "z")
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)
    density: Any = declare_field(optional_kind(non_negative_kind()), None)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(self, self.radius)

    def measure(self) -> Any:
        return PI * self.exact.radius**2

    def gyration(self) -> Tensor:
        own = self.exact
        return axisymmetric_tensor(own.axis, HALF * own.radius**2, QUARTER * own.radius**2)


@dataclass(frozen=True)
class Point(Solid):
    """A point mass.

    ``mass`` in kg.

    >>> mb.Point(at=(0, 0, 1), mass=2).properties().com
    (0, 0, 1)
    """

    type: ClassVar[str] = "point"
    at: Any = declare_field(vector_kind(), (0, 0, 0))
    mass: Any = declare_field(optional_kind(non_negative_kind()), None)

    def measure(self) -> Any:
        return 1

    def own_mass(self) -> Any:
        return self.exact.mass

    def gyration(self) -> Tensor:
        return scale_tensor(IDENTITY, 0)


def _read_parts(value: Any) -> tuple[Any, ...]:
    items = tuple(value) if isinstance(value, list | tuple) else (value,)
    if len(items) > MAX_PARTS:
        raise ModelError(f"{len(items)} parts", remedy=f"give at most {MAX_PARTS}")
    return tuple(read_solid(item) for item in items)


PARTS = Kind(
    _read_parts,
    lambda value: [part.to_dict() for part in value],
    {"type": "array", "items": {"$ref": "#/$defs/solid"}, "maxItems": MAX_PARTS},
)


@dataclass(frozen=True)
class Composite(Solid):
    """Several solids as one, less the ``holes``; parts without mass or density have density 1 kg/m³.

    >>> solids = [mb.Disk(0.5, mass=4), mb.Point(at=(0.5, 0, 0), mass=1)]
    >>> mb.Composite(solids).properties().com  # m
    (0.1, 0, 0)
    """

    type: ClassVar[str] = "composite"
    parts: Any = declare_field(PARTS)
    holes: Any = declare_field(PARTS, ())

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.parts:
            raise ModelError("no parts", where="parts", remedy="give at least one solid")
        depth, count = _depth_and_count(self)
        if depth > MAX_NESTING or count > MAX_PARTS:
            raise ModelError(
                f"{count} parts in {depth} levels", remedy=f"give at most {MAX_PARTS} in {MAX_NESTING} levels"
            )

    def own_mass(self) -> Any:
        return self.exact._whole.mass

    def measure(self) -> Any:
        return sum(part.measure() for part in self.parts) - sum(hole.measure() for hole in self.holes)

    def centre(self) -> Vector:
        return self.exact._whole.com

    def gyration(self) -> Tensor:
        whole = self.exact._whole
        return tuple(  # type: ignore[return-value]
            tuple(exact_quotient(item, whole.mass) for item in row) for row in whole.inertia
        )

    def properties(self, mass: Any = None) -> MassProperties:
        if mass is not None:
            return super().properties(mass)
        return fractions_to_floats(self.exact._whole, given_as_floats=self.exact is not self)

    @cached_property
    def _whole(self) -> MassProperties:
        """All parts together, holes with negative mass."""
        try:
            return self._gather()
        except ArithmeticError:
            raise ModelError(
                "its mass properties are not finite",
                where=self.type,
                remedy="give sizes that a float can square",
            ) from None

    def _gather(self) -> MassProperties:
        pieces = [_piece(solid, 1) for solid in self.parts] + [_piece(solid, -1) for solid in self.holes]
        total = float_if_too_long(sum(piece.mass for piece in pieces))
        if constant_value(total) == 0.0:
            raise ModelError("the parts have no mass", remedy="give at least one part a mass")
        moments = [float_if_too_long(sum(piece.mass * piece.com[i] for piece in pieces)) for i in range(3)]
        centre = tuple(float_if_too_long(exact_quotient(item, total)) for item in moments)
        # A pole that holds parameters would be written out in every piece: those are gathered at the origin.
        plain = not any(isinstance(item, Expression) for item in centre)
        pole = centre if plain else (0, 0, 0)
        tensor = scale_tensor(IDENTITY, 0)
        for piece in pieces:
            tensor = add_tensors(tensor, parallel_axis_shift(piece, pole))
            tensor = tuple(tuple(float_if_too_long(item) for item in row) for row in tensor)  # type: ignore[assignment]
        if not plain:
            tensor = add_tensors(
                tensor,
                scale_tensor(parallel_axis_shift(MassProperties(total, centre, scale_tensor(IDENTITY, 0)), pole), -1),
            )
        return MassProperties(total, centre, tensor)


def _piece(solid: Solid, sign: int) -> MassProperties:
    own = solid.own_mass()
    return solid.properties(sign * (solid.measure() if own is None else own))


def _depth_and_count(solid: Solid) -> tuple[int, int]:
    if not isinstance(solid, Composite):
        return 0, 1
    inside = [_depth_and_count(part) for part in (*solid.parts, *solid.holes)]
    return 1 + max(depth for depth, _ in inside), sum(count for _, count in inside)


SOLIDS: dict[str, type[Solid]] = {
    kind.type: kind for kind in (Box, Cylinder, Cone, Sphere, Ellipsoid, Rod, Disk, Tube, Point, Composite)
}


def read_solid(value: Any) -> Solid:
    """A solid, given as such or in its dict form."""
    if isinstance(value, Solid):
        return value
    if not isinstance(value, Mapping):
        raise ModelError(f"{shorten(value)} is not a solid", remedy="give mb.Box(…), mb.Cylinder(…) …")
    return read_typed_record(SOLIDS, value, "solid")  # type: ignore[no-any-return]
